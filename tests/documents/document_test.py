"""One document: every fenced block is what its words say (blocks.py). Commands run in a copy of the repository, in their order.

Long commands run in a quick form (below) unless WEFT_FULL=1."""
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

import blocks

WEFT = os.environ["WEFT"]
SOURCE = pathlib.Path(os.environ["WEFT_SOURCE"])
FULL = os.environ.get("WEFT_FULL") == "1"
# Its examples are made from the catalogue; tests/assembler/catalogue_test.cpp assembles each and compares the file.
# The instruction reference is made from lib/isa; tests/isa/reference_test.cpp compares it.
ELSEWHERE = {"docs/diagnostics.md": "tests/assembler/catalogue_test.cpp", "docs/isa/reference.md": "tests/isa/reference_test.cpp"}

# The command `weft` of the copy: the real one, with less to do. Nothing else is changed, so that what is wrong with a line is
# still wrong with it.
QUICK = '''#!/usr/bin/env python3
import os, sys
words = sys.argv[1:]
def limit(option, most):
    """The option with no more than that; it is added when it is not there."""
    for i, word in enumerate(words):
        if word == option and i + 1 < len(words):
            words[i + 1] = str(min(int(words[i + 1]), most))
            return
    words.extend([option, str(most)])
if words[:1] == ["run"] and not any(w.endswith(".weftrec") and words[i - 1] != "--record" for i, w in enumerate(words)):
    limit("--cycles", 1000000)
if words[:2] in (["bench", "throughput"], ["bench", "latency"], ["bench", "loss"]):
    limit("--packets", 200)
if words[:1] == ["bench"] and words[1:2] and words[1].startswith("paper-"):
    # Minutes, and each has a test of its own (tests/*/*_paper_test.cpp): here it begins as it is printed, and is stopped.
    import signal, subprocess
    paper = subprocess.Popen([os.environ["WEFT_REAL"], *words, "--quick"])
    try:
        sys.exit(paper.wait(timeout=8))
    except subprocess.TimeoutExpired:
        paper.send_signal(signal.SIGINT)
        try:
            paper.wait(timeout=5)
        except subprocess.TimeoutExpired:
            paper.kill()
            paper.wait()
        sys.exit(0)
os.execv(os.environ["WEFT_REAL"], [os.environ["WEFT_REAL"], *words])
'''


def frame():
    """A frame that the routers of the examples forward from port 0 to port 1."""
    header = bytearray(struct.pack(">BBHHHBBH4s4s", 0x45, 0, 46, 1, 0, 64, 17, 0, bytes([10, 0, 0, 2]), bytes([198, 51, 100, 9])))
    struct.pack_into(">H", header, 10, ~(sum(struct.unpack(">10H", header)) % 0xffff) & 0xffff)
    octets = bytes.fromhex("02000000010a02000000000a0800") + bytes(header) + bytes(26)
    return struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1) + struct.pack("<IIII", 0, 0, len(octets), len(octets)) + octets


class Document:
    def __init__(self, name, folder, found):
        self.name, self.folder, self.blocks = name, folder, found
        self.faults, self.ran = [], 0
        self.copied = False

    def copy(self):
        """The working folder, without what is built."""
        if self.copied:
            return
        self.copied = True
        # Documents write into the first three; everything else is there to be read.
        for name in ("examples", "lib/microblocks", "CMakeLists.txt"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            if (SOURCE / name).is_dir():
                shutil.copytree(SOURCE / name, self.folder / name)
            else:
                shutil.copy2(SOURCE / name, self.folder / name)
        for path in [*SOURCE.iterdir(), *(SOURCE / "lib").iterdir()]:
            name = path.relative_to(SOURCE)
            if not (self.folder / name).exists() and path.name not in ("build", ".git", "out"):
                (self.folder / name).symlink_to(path)
        # A capture of the reader's own, as several documents call it.
        (self.folder / "frames.pcap").write_bytes(frame())
        for name in ("bin", "build/release/bin", "build/dev/bin"):
            place = self.folder / name
            place.mkdir(parents=True, exist_ok=True)
            (place / "weft").write_text(f'#!/bin/sh\nexec {shlex.quote(WEFT)} "$@"\n' if FULL else QUICK)
            (place / "weft").chmod(0o755)

    def run(self, line, command):
        self.copy()
        environment = dict(os.environ, NO_COLOR="1", WEFT_REAL=WEFT, PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        try:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=3600 if FULL else 240)
        except subprocess.TimeoutExpired:
            self.fault(line, f"takes longer than {3600 if FULL else 240} s: {command}")
            return []
        said = done.stdout.decode(errors="replace")
        self.ran += 1
        if done.returncode != 0:
            self.fault(line, f"ends with {done.returncode}: {command}\n{said[-3000:]}")
        return said.splitlines()

    def fault(self, line, text):
        self.faults.append(f"{self.name}:{line}: {text}")

    def save(self, name, text):
        self.copy()
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def outside(self, block):
        """Programs of such blocks exist, and scripts know the options."""
        for line in block.lines:
            words = shlex.split(line, comments=True)
            if not words:
                continue
            script = SOURCE / words[0].removeprefix("./")
            if words[0].startswith(("scripts/", ".ci/")):
                if not os.access(script, os.X_OK):
                    self.fault(block.line, f"there is no {words[0]}")
                for option in (w for w in words[1:] if w.startswith("--")):
                    if option not in script.read_text():
                        self.fault(block.line, f"{words[0]} does not know {option}")
            elif words[0] in ("cmake", "ctest"):
                for preset in (after for word, after in zip(words, words[1:]) if word == "--preset"):
                    if preset not in {p["name"] for p in json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]}:
                        self.fault(block.line, f"there is no preset {preset}")
            elif words[0] == "weft-ide":
                for word in words[1:]:
                    if not word.startswith("-") and "/" in word and not (SOURCE / word).exists():
                        self.fault(block.line, f"there is no {word}")
            else:
                self.fault(block.line, f"'{words[0]}' can be run by a test: write `sh` alone")
        self.ran += 1

    def check(self, block):
        kind = blocks.kind(block)
        if kind is None:
            self.fault(block.line, f"'{' '.join(block.words)}' does not say how this block is checked (tests/documents/blocks.py)")
        elif kind == "sh":
            self.run(block.line, block.text)
        elif kind == "outside":
            self.outside(block)
        elif kind == "console":
            commands = blocks.commands(block)
            if not commands:
                self.fault(block.line, "a console block begins with a command: $ ...")
            for command, expected in commands or []:
                said = self.run(block.line, command)
                if not blocks.matches(expected, said):
                    self.fault(block.line, f"`{command}` does not print what is shown, but:\n" + "\n".join(said[-60:]))
        elif kind in ("asm", "part"):
            chip = re.search(r"(?m)^(?:;|//) chip: (\S+)", block.text)
            if kind == "part" and not block.before:
                self.fault(block.line, "a part needs <!-- before: ... --> before it, with what it takes to assemble")
            self.save("block.uc", (block.before + "\n" if kind == "part" else "") + block.text)
            self.run(block.line, "weft asm block.uc -I lib/microblocks -o block.json" + (f" --chip {chip[1]}" if chip else ""))
        elif kind == "file":
            self.save(block.words[1], block.text)
            name = shlex.quote(block.words[1])
            if name.endswith(".test.json") and not block.checks:
                self.run(block.line, f"weft test {name}")
            elif not block.checks and not any(block.words[1] in other.text for other in self.blocks if other is not block):
                self.fault(block.line, "nothing checks this file: write <!-- check: COMMAND --> after it")
        for command in block.checks:
            self.run(block.line, command)


def main():
    name = sys.argv[1]
    found, faults = blocks.parse((SOURCE / name).read_text(encoding="utf-8"))
    if name in ELSEWHERE:
        print(f"{len(found)} blocks: checked by {ELSEWHERE[name]}")
        return 0 if found and name in (SOURCE / ELSEWHERE[name]).read_text() else 1
    with tempfile.TemporaryDirectory() as folder:
        document = Document(name, pathlib.Path(folder), found)
        for line, text in faults:
            document.fault(line, text)
        for block in found:
            document.check(block)
    print("\n".join(document.faults) if document.faults else f"{len(found)} blocks, {document.ran} commands")
    return 1 if document.faults else 0


if __name__ == "__main__":
    sys.exit(main())
