"""The guide shows programs by name: every name exists, every program is shown, every link leads somewhere."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
guide = root / "docs/language"
shown, faults = set(), []
pages = sorted(guide.glob("*.md"))
for page in pages:
    text = page.read_text()
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if "://" in target:
            continue
        path = (page.parent / target).resolve()
        if not path.exists():
            faults.append(f"{page.name}: {target} does not exist")
        if path.suffix == ".uc":
            shown.add(path)
programs = {p.resolve() for p in (root / "examples/language").glob("*.uc")}
faults += [f"{p.name} is not in the guide" for p in sorted(programs - shown)]
if len(pages) < 3:
    faults.append("the guide has lost its pages")
# The coverage list names tests; each file that it names must exist and each case must still be there.
coverage = (guide / "coverage.md").read_text()
for name in sorted(set(re.findall(r"`([a-z_]+\.(?:txt|cpp|py|uc))`", coverage))):
    if not list(root.glob(f"tests/**/{name}")) and not list(root.glob(f"examples/**/{name}")):
        faults.append(f"coverage.md names {name}, which does not exist")
cases = {line[4:].strip() for f in ("preprocess_cases.txt",) for line in (root / "tests/assembler" / f).read_text().splitlines()
         if line.startswith("=== ")}
for name in re.findall(r"\"([^\"]+)\" \(corpus\)", coverage):
    if name not in cases:
        faults.append(f"coverage.md names the corpus case {name!r}, which does not exist")
print("\n".join(faults) if faults else f"{len(pages)} pages, {len(programs)} programs")
sys.exit(bool(faults))
