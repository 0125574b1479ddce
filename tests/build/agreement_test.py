"""Facts that stand in more than one file must be the same there, and the documents must name things that exist."""

import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


class Agreement(unittest.TestCase):
    def test_checksum_and_name_of_the_antlr_jar(self):
        pattern = r"\b[0-9a-f]{64}\b"
        setup, cmake = text("scripts/setup"), text("cmake/WeftAntlr.cmake")
        self.assertEqual(set(re.findall(pattern, setup)), set(re.findall(pattern, cmake)))
        jars = set(re.findall(r"antlr4-[0-9.]+-complete\.jar", setup))
        self.assertEqual(len(jars), 1)
        self.assertEqual(jars, set(re.findall(r"antlr4-[0-9.]+-complete\.jar", cmake)))

    def test_presets_that_scripts_name_exist(self):
        presets = json.loads(text("CMakePresets.json"))
        for kind in ("configurePresets", "buildPresets", "testPresets"):
            names = {preset["name"] for preset in presets[kind]}
            for name in ("dev", "release", "asan", "clang", "tsan"):
                self.assertIn(name, names, kind)

    def test_scripts_are_sound_bash_and_executable(self):
        for name in ("scripts/setup", "scripts/demo", "scripts/test", "scripts/fuzz", "scripts/floors", "scripts/long", "scripts/valgrind",
                     "fuzz/build.sh", ".ci/run"):
            path = ROOT / name
            self.assertTrue(path.stat().st_mode & 0o100, f"{name} is not executable")
            subprocess.run(["bash", "-n", str(path)], check=True)

    def test_paths_in_the_documents_exist(self):
        for document in ("README.md", "CONTRIBUTING.md"):
            for link in re.findall(r"\]\(([^)#:]+)\)", text(document)):
                self.assertTrue((ROOT / link).exists(), f"{document} links to {link}")
            for name in re.findall(r"`((?:lib|docs|scripts|examples|tests|cmake|emulator|assembler|control|workbench|cli)/[\w./-]*)`",
                                   text(document)):
                self.assertTrue((ROOT / name).exists(), f"{document} names {name}")

    def test_the_first_program_of_the_readme_is_the_one_that_is_assembled(self):
        block = re.search(r"```asm\n(.*?)```", text("README.md"), re.S)
        self.assertIsNotNone(block)
        self.assertEqual(block.group(1), text("examples/first/first.uc"))


if __name__ == "__main__":
    unittest.main()
