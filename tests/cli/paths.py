"""Names as the system sees them, and as a terminal may see them; what does not depend on where and how a command runs."""
import json
import os
import re
import subprocess
import unittest

from weft_cli import SOURCE, WEFT, CliTest

PROJECT = {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}
TEST = {"version": 1, "code": ["nop"], "tests": [{"name": "one", "expect": {}}]}


class Links(CliTest):
    def setUp(self):
        super().setUp()
        for where, word in ("real", "right"), ("other", "wrong"):
            self.write(f"{where}/p/weft.json", json.dumps({**PROJECT, "name": word}))
            self.write(f"{where}/p/p.uc", '#include "../common.uc"\nctx_arb[kill]\n')
            self.write(f"{where}/common.uc", f"#define WORD {word}\n")
            self.write(f"{where}/deep/x", "")
        (self.folder / "other/link").symlink_to(self.folder / "real/deep")

    def test_a_project_behind_a_link_and_up(self):
        """other/link/.. is the folder above what the link names: real."""
        for name in ("other/link/../p", "other/link/../p/weft.json", "other/link/../p/../p", str(self.folder / "other/link/../p")):
            with self.subTest(name=name):
                self.weft("run", name, "--json", "r.json")
                self.assertEqual(json.loads((self.folder / "r.json").read_text())["project"], "right")
        self.weft("run", "other/p", "--json", "r.json")
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["project"], "wrong")

    def test_sources_and_includes_behind_a_link_and_up(self):
        self.write("q/weft.json", json.dumps({**PROJECT, "programs": [{"source": "../other/link/../p/p.uc", "engines": [0]}]}))
        self.weft("run", "q")
        self.write("real/common.uc", "wrong here\n")
        self.assertIn(b"wrong here", self.weft("run", "q", expect=1).stderr)
        self.write("i.uc", '#include "other/link/../common.uc"\nctx_arb[kill]\n')
        self.assertIn(b"wrong here", self.weft("asm", "i.uc", "-o", "i.json", expect=1).stderr)


class Entries(CliTest):
    def test_one_unreadable_entry_in_a_folder_of_tests(self):
        self.write("t/a.test.json", json.dumps(TEST))
        self.write("t/z/b.test.json", json.dumps(TEST))
        (self.folder / "t/loop").symlink_to("loop")
        (self.folder / "t/nowhere").symlink_to("nothing")
        (self.folder / "t/up").symlink_to("..")
        done = self.weft("test", "t")
        self.assertIn(b"2 passed", done.stdout)
        # A test file that cannot be read is a failure, and the others run.
        (self.folder / "t/m.test.json").symlink_to("m.test.json")
        done = self.weft("test", "t", expect=1)
        self.assertIn(b"2 passed", done.stdout)
        self.assertIn(b"m.test.json", done.stderr)

    def test_a_folder_that_may_not_be_read_is_named(self):
        self.write("t/a.test.json", json.dumps(TEST))
        self.write("t/closed/b.test.json", json.dumps(TEST))
        (self.folder / "t/closed").chmod(0)
        self.addCleanup((self.folder / "t/closed").chmod, 0o755)
        words = [WEFT, "test", "t"]
        if os.geteuid() == 0:  # whom nothing is closed: as an ordinary user
            self.folder.chmod(0o777)
            words = ["setpriv", "--reuid", "65534", "--clear-groups", *words]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, timeout=120)
        self.assertIn(b"1 passed", done.stdout)
        self.assertIn(b"t/closed", done.stderr)
        self.assertIn(b"Permission denied", done.stderr)


class Terminal(CliTest):
    def test_names_cannot_command_the_terminal(self):
        evil = "e\x1b[2J\x1b]0;owned\x07\r"
        self.write(f"{evil}.uc", "frobnicate[1]\n")
        self.write("w.json", json.dumps({**PROJECT, "programs": [{"source": f"{evil}.uc", "engines": [0]}]}))
        self.write(f"{evil}.test.json", json.dumps({**TEST, "tests": [{"name": "x\x1b[31m", "code": ["nop"], "expect": {"instructions": 99}}]}))
        self.write("c.txt", f"at 10: {evil}\n")
        self.write("p.uc", "ctx_arb[kill]\n")
        self.write("weft.json", json.dumps(PROJECT))
        for words in (["asm", f"{evil}.uc"], ["run", "w.json"], ["run", evil], ["test", f"{evil}.test.json"], ["test", "--list", f"{evil}.test.json"],
                      ["run", ".", "--control", "c.txt"], ["run", ".", "--" + evil], ["chip", "show", evil],
                      ["chip", "check", evil], ["help", evil], ["rules", evil], [evil], ["run", ".", "--set", evil + "=1"],
                      ["run", ".", "--json", f"{evil}/x"], ["dis", evil], ["fmt", evil], ["index", evil]):
            with self.subTest(words=words):
                done = subprocess.run([WEFT, *words], cwd=self.folder, capture_output=True, timeout=120)
                self.assertIn(done.returncode, (0, 1, 2))
                said = done.stdout + done.stderr
                for control in (b"\x1b", b"\x07", b"\r"):
                    self.assertNotIn(control, said)


class Order(CliTest):
    def test_tests_are_shown_in_one_order(self):
        slow = [".reg volatile n", "immed[n, 0xfff]", "again#:", "alu[n, n, -, 1]", "bne[again#]"]
        for name in "abc":
            tests = [{"name": f"{i}", "code": slow if i == 0 else ["nop"], "expect": {"instructions": 5000 if i == 3 else {"least": 0}}} for i in range(6)]
            self.write(f"t/{name}.test.json", json.dumps({**TEST, "tests": tests}))
        shown = {self.weft("test", "t", "--jobs", jobs, expect=1).stdout for jobs in (1, 2, 5, 5)}
        self.assertEqual(len(shown), 1)
        cases = re.findall(r"(?m)^t/(\w)\.test\.json: (\d): ", shown.pop().decode())
        self.assertEqual(cases, [(name, str(i)) for name in "abc" for i in range(6)])

    def test_reports_do_not_depend_on_the_working_folder(self):
        def report(folder, project):
            done = subprocess.run([WEFT, "run", project, "--cycles", "20000", "--json", "-"], cwd=folder, capture_output=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout
        project = SOURCE / "examples/ipv4-forwarder"
        reports = {report(self.folder, project), report(project, "."), report(SOURCE, "examples/ipv4-forwarder"), report(SOURCE / "lib", "../examples/ipv4-forwarder/")}
        self.assertEqual(len(reports), 1)


if __name__ == "__main__":
    unittest.main(verbosity=1)
