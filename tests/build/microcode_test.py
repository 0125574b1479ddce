"""weft_microcode() of CMake and the example Makefile: right files, and nothing is built again without a reason.

usage: microcode_test.py SOURCE_FOLDER WEFT DATA_FOLDER
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT, WEFT = pathlib.Path(sys.argv[1]), sys.argv[2]
os.environ["WEFT_DATA"] = sys.argv[3]
PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(example LANGUAGES NONE)
include({root}/cmake/WeftMicrocode.cmake)
weft_microcode(code SOURCES fill.uc total.uc CHIP ixp2400 INCLUDES include DEFINES FIRST={first} OPTIONS -Werror)
weft_microcode(tables SOURCES plain.uc EMIT hex OUTPUT_DIRECTORY "out put")
get_target_property(made code WEFT_OUTPUTS)
file(WRITE ${{CMAKE_BINARY_DIR}}/made.txt "${{made}}")
"""


class Microcode(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name)
        shutil.copytree(ROOT / "examples/makefile", self.folder / "src", ignore=shutil.ignore_patterns("build"))
        self.src, self.out = self.folder / "src", self.folder / "build"
        (self.src / "plain.uc").write_text("nop\nhalt\n")

    def tearDown(self):
        self.holder.cleanup()

    def call(self, *command, good=True, cwd=None):
        run = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
        self.assertEqual(run.returncode == 0, good, run.stdout + run.stderr)
        return run.stdout + run.stderr

    def stamps(self, *names):
        return [(self.out / name).stat().st_mtime_ns for name in names]

    def built_anew(self, build, names, changed=None):
        """Which of the files a build makes, after a change of a source."""
        before = self.stamps(*names)
        if changed:
            self.touch(changed, "// more\n")
        build()
        return [a != b for a, b in zip(self.stamps(*names), before)]

    def touch(self, path, text):
        time.sleep(0.02)
        path.write_text(path.read_text() + text)

    def cmake(self, generator):
        write = lambda first: (self.src / "CMakeLists.txt").write_text(PROJECT.format(root=ROOT, first=first))
        write("0x100")
        self.call("cmake", "-S", self.src, "-B", self.out, "-G", generator, f"-DWEFT_PROGRAM={WEFT}")
        build = lambda **options: self.call("cmake", "--build", self.out, **options)
        build()
        image = json.loads((self.out / "fill.json").read_text())
        self.assertEqual(image["chip"], "ixp2400")
        self.assertIn("immed[", (self.out / "total.lst").read_text())
        self.assertEqual((self.out / "out put/plain.hex").read_text().splitlines(), ["f0000c0300", "e000020000"])
        self.assertEqual((self.out / "made.txt").read_text(), f"{self.out}/fill.json;{self.out}/total.json")

        files = ("fill.json", "total.json", "out put/plain.hex")
        self.assertEqual(self.built_anew(build, files), [False, False, False])
        self.assertEqual(self.built_anew(build, files, self.src / "total.uc"), [False, True, False], "a source")
        self.assertEqual(self.built_anew(build, files, self.src / "include/places.uc"), [True, True, False], "an included file")
        time.sleep(0.02)
        words = (self.out / "fill.json").read_text()
        write("0x200")
        build()
        self.assertNotEqual((self.out / "fill.json").read_text(), words, "a define")

        self.touch(self.src / "fill.uc", "immed[nothing, 1]\n")
        text = build(good=False)
        self.assertIn("asm-undeclared-register", text)

    def test_ninja(self):
        self.cmake("Ninja")

    def test_makefiles(self):
        self.cmake("Unix Makefiles")

    def test_wrong_calls(self):
        for call, text in (("weft_microcode(x)", "no SOURCES"), ("weft_microcode(x SOURCES a.uc EMIT elf)", "not elf"),
                           ("weft_microcode(x SOURCES a.uc b/a.uc)", "two sources"),
                           ("weft_microcode(x a.uc SOURCES b.uc)", "not understood")):
            (self.src / "CMakeLists.txt").write_text(
                f"cmake_minimum_required(VERSION 3.20)\nproject(e LANGUAGES NONE)\ninclude({ROOT}/cmake/WeftMicrocode.cmake)\n{call}\n")
            said = self.call("cmake", "-S", self.src, "-B", self.folder / "wrong", f"-DWEFT_PROGRAM={WEFT}", good=False)
            self.assertIn(text, said)

    def test_makefile(self):
        self.out = self.src / "build"
        (self.src / "plain.uc").unlink()
        make = lambda *arguments, **options: self.call("make", f"WEFT={WEFT}", *arguments, cwd=self.src, **options)
        make()
        files = ("fill.json", "total.json")
        self.assertEqual(self.built_anew(make, files), [False, False])
        self.assertEqual(self.built_anew(make, files, self.src / "fill.uc"), [True, False])
        self.assertEqual(self.built_anew(make, files, self.src / "include/places.uc"), [True, True])
        make("run")
        self.touch(self.src / "total.uc", "immed[nothing, 1]\n")
        make(good=False)
        make("clean")
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
