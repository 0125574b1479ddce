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

    def test_a_recording_of_a_project_that_is_a_link(self):
        """".." in the names of such a project leads to the folder above what the link names, also where the files are unpacked."""
        self.write("real/p/weft.json", json.dumps({**PROJECT, "programs": [{"source": "../q.uc", "engines": [0]}]}))
        self.write("real/q.uc", '#include "p/../deep/i.uc"\nctx_arb[kill]\n')
        self.write("real/deep/i.uc", "nop\n")
        (self.folder / "here").symlink_to(self.folder / "real/p")
        (self.folder / "real/p/there").symlink_to(self.folder / "real/deep")
        plain = self.weft("run", "here", "--record", "r.weftrec", "--cycles", "20").stdout
        (self.folder / "real/q.uc").unlink()
        self.assertEqual(self.weft("run", "r.weftrec").stdout, plain)
        self.weft("run", "r.weftrec", "--cycles", "60")

    def test_tests_behind_a_link_and_up(self):
        block = {**TEST, "code": ["#include \"b.uc\"", "b"], "blocks": ["../b.uc"]}
        self.write("lib/b/b.uc", "#macro b\nnop\n#endm\n")
        self.write("lib/b/tests/b.test.json", json.dumps({**block, "include": [".."]}))
        self.write("lib/b/deep/x", "")
        (self.folder / "link").symlink_to(self.folder / "lib/b/deep")
        self.assertIn(b"100.0 %", self.weft("test", "link/../tests", "--coverage-floor", "95", "--coverage-html", "html").stdout)

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

    def test_a_pipe_in_a_folder_of_tests_is_not_waited_for(self):
        self.write("t/a.test.json", json.dumps(TEST))
        os.mkfifo(self.folder / "t/b.test.json")
        done = self.weft("test", "t")
        self.assertIn(b"1 passed", done.stdout)
        self.assertIn(b"t/b.test.json: warning: this is not a file, but a pipe or a device [file-unreadable]", done.stderr)

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


class Hostile(CliTest):
    """Everything that a stranger names, in everything that is printed: no control character comes through, not even the end of a
    line, after which a message of Weft could seem to begin."""
    EVIL = "e\x1b[2J\x1b]0;owned\x07\r\x08\x7f\u009b31m\u202eF\nFORGED: error: x"
    BAD = [bytes([c]) for c in range(32) if c != 10] + [b"\x7f"]

    def check(self, *words, expect=(0, 1, 2), stdin=None, forged=False):
        """forged: what is printed holds text of files, where lines may begin with anything."""
        with self.subTest(words=words):
            done = subprocess.run([WEFT, *words], cwd=self.folder, capture_output=True, timeout=120, input=stdin)
            self.assertIn(done.returncode, expect, done.stderr)
            said = done.stdout + done.stderr
            for control in self.BAD:
                self.assertNotIn(control, said)
            text = said.decode()  # it is UTF-8
            for character in [chr(c) for c in range(0x80, 0xA0)] + ["\u202e"]:
                self.assertNotIn(character, text)
            if not forged:
                self.assertNotRegex(text, r"(?m)^ {,3}FORGED")
            return text

    def setUp(self):
        super().setUp()
        self.write("p.uc", "ctx_arb[kill]\n")
        evil = self.EVIL
        self.write("weft.json", json.dumps({**PROJECT, "name": evil}))
        self.write(f"{evil}/{evil}.uc", ".drop reason\nnop\nctx_arb[kill]\n")
        self.write(f"{evil}/weft.json", json.dumps({**PROJECT, "name": evil, "programs": [{"source": f"{evil}.uc", "engines": [0]}]}))

    def test_names_of_projects_and_files(self):
        evil = self.EVIL
        self.assertIn("e\\x1b[2J\\x1b]0;owned\\x07\\r\\x08\\u007f\\u009b31m\\u202eF\\nFORGED: error: x on ", self.check("run", ".", "--cycles", "100"))
        self.check("run", evil, "--cycles", "100", "--strict", expect=(0,))
        self.check("run", evil, "--stats", "--cycles", "100", expect=(0,))
        self.check("run", evil, "--until", f"{evil} == 1")
        self.check("run", evil, "--record", "r.weftrec", "--cycles", "100", expect=(0,))
        self.check("run", "r.weftrec", "--cycles", "200", expect=(0,))
        for option in "--in", "--out", "--set", "--log", "--check", "--coverage", "--history", "--stats", "--profile", "--packets", "--record-limit", "--confine":
            for value in evil, "0=" + evil, evil + "=0", evil + ".json":
                self.check("run", ".", f"{option}={value}", "--cycles", "10")
        self.check("bench", "throughput", evil)
        self.check("bench", evil, ".")
        self.check("bench", "paper-" + evil, ".")
        self.check("bench", "loss", ".", "--set", evil)

    def test_names_in_descriptions(self):
        evil = self.EVIL
        board = json.loads(re.sub(r"(?m)^\s*//.*", "", (SOURCE / "emulator/boards/itj-dual-2400.json").read_text()))
        board["name"] = board["summary"] = evil
        old = {chip["name"]: f"{chip['name']}{evil}" for chip in board["chips"]}
        for chip in board["chips"]:
            chip["name"] = old[chip["name"]]
        text = json.dumps(board)
        for kind in "chips", "ports", "links":  # whatever names a chip
            for one in board.get(kind, []):
                for key, value in one.items():
                    if isinstance(value, str) and value in old:
                        one[key] = old[value]
        self.write("b.json", json.dumps(board))
        self.write("c.json", text.replace('"clock_mhz"', json.dumps(evil)))
        for file in "b.json", "c.json":
            self.check("chip", "show", file)
            self.check("chip", "check", file)
        self.write("w.json", json.dumps({"version": 1, "board": "b.json", "programs": [{"source": "p.uc", "chip": name, "engines": [0]} for name in old.values()]}))
        self.check("run", "w.json", "--stats", "--cycles", "1000")
        self.write("x.json", json.dumps({**PROJECT, "board": evil, evil: 1}))
        self.check("run", "x.json")
        self.write("i.json", json.dumps({"format": "weft-image", "version": 1, "name": evil, "chip": evil}))
        self.check("dis", "i.json")

    def test_names_of_tests_and_what_they_expect(self):
        evil = self.EVIL
        one = {"version": 1, "code": ["nop"], "tests": [
            {"name": evil, "expect": {"values": {"me0.nothing" + evil: 1}}}, {"name": evil + "2", "expect": {"drops": {evil: 1}}},
            {"name": evil + "3", "set": {evil: 1}, "expect": {}}, {"name": evil + "4", "expect": {"instructions": 99}},
            {"name": evil + "5", "use": evil, "expect": {evil: 99}}]}
        self.write(f"{evil}/{evil}.test.json", json.dumps(one))
        # Control characters are refused in names of tests, not everything that a terminal must not get.
        soft = "s\u202e 'it' $(x) [1] "
        good = {**one, "tests": [{"name": soft + "1", "expect": {"values": {"me0.nothing" + evil: 1}}}, {"name": soft + "2", "expect": {"drops": {evil: 1}}},
                                 {"name": soft + "3", "expect": {"instructions": 99}}]}
        self.write(f"{evil}/g.test.json", json.dumps(good))
        self.write(f"{evil}/block.uc", "#macro put(x)\nimmed[x, 1]\n#endm\n")
        code = ["#include \"block.uc\"", ".reg volatile r", "put(r)"]
        self.write(f"{evil}/m.test.json", json.dumps({"version": 1, "code": code, "tests": [{"name": soft, "expect": {}}]}))
        text = self.check("test", evil)
        for words in (["--list"], ["--filter", evil], ["--rerun-failed"], ["--coverage-floor", "90"], ["--coverage", "c.info"], ["--diagnostics", "github"],
                      ["--mutate"], ["--mutate", "--mutant", evil], ["--junit", evil], ["--history", evil]):
            self.check("test", evil, *words)
        # The line that runs a case again does: the shell and the expression get the name as it is.
        again = re.search(r" --filter ('(?:[^']|'\\'')*')$", next(l for l in text.splitlines() if "g.test.json" in l and "again:" in l)).group(1)
        chosen = subprocess.run(["sh", "-c", f'"$WEFT" test "$FOLDER/g.test.json" --list --filter {again}'], cwd=self.folder, capture_output=True,
                                env={**os.environ, "FOLDER": evil}, timeout=120)
        self.assertGreater(len(chosen.stdout.splitlines()), 0, again)

    def test_names_in_sources_and_commands(self):
        evil = self.EVIL
        self.write("s.uc", f"#include \"{evil}.uc\"\n.reg {evil}\n{evil}#:\nalu[{evil}, a, +, b] // {evil}\n#error {evil}\n#warning \x9b {evil}\n.drop {evil}\n")
        self.write("n.uc", b"alu[\xff\xfe\x9b\xc2\x9b, a, +, b]\n#error \xff\x1b\n")
        for file in "s.uc", "n.uc", f"{evil}/{evil}.uc":
            for words in (["asm"], ["asm", "--dump", "tokens"], ["asm", "--list", "-", "-o", "x.json"], ["asm", "--diagnostics", "github", "-o", "x.json"],
                          ["asm", "-W", evil], ["asm", "-D", evil], ["asm", "--chip", evil], ["asm", "--pin", evil], ["asm", "-o", evil + "/"],
                          ["index"], ["index", "--at", "2:6"], ["fmt", "--check"]):
                self.check(*words, file, forged="--dump" in words or "--list" in words or words[0] == "index")
        for command in f"at 10: {evil}", f"at {evil}: x", f"{evil}", f"when {evil}: x", f"every {evil}: {evil}":
            self.write("c.txt", command + "\n")
            self.check("run", ".", "--control", "c.txt", "--cycles", "100")
        self.write("r.rules", f"accept from {evil}\naccept on {evil}\n{evil}\n")
        self.check("rules", "r.rules", "--port", f"{evil}=0")
        self.check("rules", "r.rules", "--port", evil)
        self.check("explain", evil)
        self.check("help", evil)
        self.check(evil)


class Listings(CliTest):
    """A line of a file that is written is a line, whatever the names in it are."""
    EVIL = "e\nFORGED: x\rFORGED"

    def setUp(self):
        super().setUp()
        evil = self.EVIL
        self.write(f"{evil}/m.uc", "#macro put(x)\nimmed[x, 1]\n#endm\n")
        for name in "p.uc", f"{evil}.uc":
            self.write(f"{evil}/{name}", '#include "m.uc"\n.reg volatile r\nput(r)\nctx_arb[kill]\n')
        self.write(f"{evil}/weft.json", json.dumps({**PROJECT, "programs": [{"source": f"{evil}.uc", "engines": [0]}]}))

    def lines(self, file):
        lines = (self.folder / file).read_bytes().decode().splitlines()
        for line in lines:
            self.assertFalse(line.startswith("FORGED"), f"{file}: {lines}")
        return lines

    def test_listings_and_dependencies(self):
        self.weft("asm", f"{self.EVIL}/p.uc", "-o", "o.json", "--list", "l.lst", "--MD", "d.d")
        listing = self.lines("l.lst")
        self.assertEqual(len(listing), 4, listing)  # two places and two words
        self.assertIn("; e\\nFORGED: x\\rFORGED/p.uc:3: put(r)", listing[0])
        self.assertTrue(listing[1].endswith("; put e\\nFORGED: x\\rFORGED/m.uc:2"), listing[1])
        self.assertEqual(self.lines("d.d"), ["o.json:"])  # make cannot name them
        # What make can name stays.
        (self.folder / "good.uc").write_text("ctx_arb[kill]\n")
        self.weft("asm", "good.uc", "-o", "o.json", "--MD", "d.d")
        self.assertEqual(self.lines("d.d"), ["o.json: \\", "  good.uc"])

    def test_what_failed_last(self):
        for name in self.EVIL, "tab\tand \\back\\n":
            self.write(f"{name}/a.test.json", json.dumps({**TEST, "tests": [{"name": "good", "expect": {}}, {"name": "bad", "expect": {"instructions": 99}}]}))
        for _ in range(2):
            done = self.weft("test", expect=1)
            self.assertIn(b"2 passed, 2 failed", done.stdout)
            self.assertEqual(len(self.lines(".weft-test-failed")), 2)
            self.assertIn(b"0 passed, 2 failed", self.weft("test", "--rerun-failed", expect=1).stdout)

    def test_coverage_and_profiles(self):
        for profile in "p.folded", "p.txt":
            self.weft("run", self.EVIL, "--coverage", "c.info", "--profile", profile, "--cycles", "100")
            self.lines(profile)
        names = [line for line in self.lines("c.info") if line.startswith("SF:")]
        shown = "e\\nFORGED: x\\rFORGED"
        self.assertEqual(names, [f"SF:{shown}/{shown}.uc", f"SF:{shown}/m.uc"])


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
