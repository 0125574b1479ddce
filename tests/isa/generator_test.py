"""What the generator refuses, and that it says where.

Each bad/*.td is a sound little instruction set with one fault. A line that ends in `// ERROR: text` or `// NOTE: text`
must be named with that text, and the generator must fail; a file without marks must pass. Nothing else may be reported.
"""
import pathlib
import re
import subprocess
import sys


def run(tool, isa, path):
    command = [tool, "-check", "-I", isa, "-I", path.parent, path, "-o", "-"]
    return subprocess.run(command, capture_output=True, text=True)


def faults(tool, isa, path):
    result = run(tool, isa, path)
    said = []
    for line in result.stderr.splitlines():
        match = re.match(r"(.*?):(\d+):\d+: (error|note): (.*)", line)
        if match:
            said.append((pathlib.Path(match[1]).name, int(match[2]), match[3], match[4]))
    wanted = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.search(r"// (ERROR|NOTE): (.*)$", line)
        if match:
            wanted.append((number, match[1].lower(), match[2].strip()))
    out = []
    for number, kind, text in wanted:
        if not any(f == path.name and n == number and k == kind and text in t for f, n, k, t in said):
            out.append(f"{path.name}:{number}: expected {kind}: {text}")
    if sum(k == "error" for _, _, k, _ in said) != sum(k == "error" for _, k, _ in wanted):
        out.append(f"{path.name}: other errors than expected:\n{result.stderr}")
    if (result.returncode != 0) != bool(wanted):
        out.append(f"{path.name}: exit code {result.returncode}\n{result.stderr}")
    return out


def main():
    tool, isa, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    files = sorted(f for f in folder.glob("*.td") if f.name != "base.td")
    problems = [p for f in files for p in faults(tool, isa, f)]
    for p in problems:
        print(p)
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or len(files) < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
