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
corpus = {line[4:].strip() for line in (root / "tests/assembler/preprocess_cases.txt").read_text().splitlines()
          if line.startswith("=== ")}
named = re.findall(r'"([^"]+)" \((\w+(?:\.cpp)?)\)', coverage)
for case, place in named:
    cases = corpus if place == "corpus" else {c for f in root.glob(f"tests/*/{place}")
                                              for c in re.findall(r'TEST_CASE\("([^"]+)"', f.read_text())}
    if case not in cases:
        faults.append(f"coverage.md names the case {case!r} of {place}, which does not exist")
if len(named) < 100:
    faults.append("the coverage list has lost its cases")
for row in re.findall(r"(?m)^\| (?!---|construct)(.*)$", coverage):
    if not re.search(r'" \(|\.(?:uc|py)`', row):
        faults.append(f"coverage.md has no test for: {row}")


# Every word of the language that the assembler knows stands in the list.
def strings(path, begin, end):
    text = (root / path).read_text()
    at = text.index(begin)
    return re.findall(r'"([^"]+)"', text[at:text.index(end, at)])


words = [w for w in strings("assembler/src/resolver/directives.cpp", "std::vector<std::string> known{", "};")]
words += strings("assembler/src/parser/parser.cpp", "kLaterDirectives{", "};")
words += strings("assembler/src/preprocessor/expression_functions.cpp", "constexpr Function functions[]", "};")
words += strings("assembler/src/preprocessor/expression_functions.cpp", "later_functions[]", "};")
words += ["#" + w for w in strings("assembler/src/source/lexer.cpp", '"include", "define"', "};")]
words += re.findall(r'def \w+ *: Token<"(?:[^"]+)", "([^"]+)"', (root / "lib/isa/vocabulary.td").read_text())
if len(words) < 100:
    faults.append("the words of the language are no longer found in the sources")
for word in words:
    if not re.search(r"(?<![\w.#])" + re.escape(word) + r"(?!\w)", coverage, re.I):
        faults.append(f"coverage.md does not name {word}")
print("\n".join(faults) if faults else f"{len(pages)} pages, {len(programs)} programs")
sys.exit(bool(faults))
