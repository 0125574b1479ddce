"""Standard output that is full or closed is an error with its reason, never silence and never an internal fault; SIGTERM is Ctrl-C."""
import json
import os
import re
import resource
import signal
import subprocess
import unittest

from weft_cli import SOURCE, WEFT, CliTest, bounded

PROJECT = json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]})
TEST = json.dumps({"version": 1, "code": ["nop"], "tests": [{"name": "one", "expect": {}}]})


class Streams(CliTest):
    def setUp(self):
        super().setUp()
        self.write("p.uc", "ctx_arb[kill]\n")
        self.write("weft.json", PROJECT)
        self.write("one.test.json", TEST)
        self.write("first.rules", "default drop\n")
        self.weft("asm", "p.uc", "-o", "p.json")
        self.commands = {
            "asm": ["asm", "p.uc", "-o", "-"], "listing": ["asm", "p.uc", "-o", "q.json", "--list", "-"], "dis": ["dis", "p.json"],
            "run": ["run", "."], "run --json": ["run", ".", "--json", "-"], "run --stats": ["run", ".", "--stats"],
            "test": ["test", "one.test.json"], "test --list": ["test", "--list", "one.test.json"],
            "index": ["index", "p.uc"], "index --json": ["index", "p.uc", "--json"],
            "explain": ["explain", "json-missing"], "explain --list": ["explain", "--list"],
            "chip list": ["chip", "list"], "chip show": ["chip", "show", "ixp2400"], "chip check": ["chip", "show", "generic-2400"],
            "rules": ["rules", "first.rules"], "help": ["help"], "help run": ["help", "run"], "--help": ["--help"], "--version": ["--version"],
            "fmt": ["fmt", "p.uc"],
        }

    def each(self, how, reason):
        for name, words in self.commands.items():
            with self.subTest(command=name):
                plain = subprocess.run([WEFT, *words], cwd=self.folder, capture_output=True, timeout=120)
                self.assertEqual(plain.returncode, 0, plain.stderr)
                done = how([WEFT, *words])
                said = done.stderr.decode()
                if not plain.stdout:  # it has nothing to say, and has said it
                    self.assertEqual(done.returncode, 0, said)
                    continue
                self.assertEqual(done.returncode, 1, said)
                self.assertIn("weft: cannot write to standard output: " + reason, said)
                self.assertEqual(said.count("cannot write to standard output"), 1, said)
                self.assertNotIn("fault", said)

    def test_full(self):
        def full(words):
            with open("/dev/full", "wb") as out:
                return subprocess.run(words, cwd=self.folder, stdout=out, stderr=subprocess.PIPE, timeout=120)
        self.each(full, "No space left on device")

    def test_closed(self):
        def closed(words):
            return subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', *words], cwd=self.folder, stderr=subprocess.PIPE, timeout=120)
        self.each(closed, "Bad file descriptor")

    def test_reader_gone(self):
        def gone(words):
            ours, theirs = os.pipe()
            os.close(ours)
            try:
                return subprocess.run(words, cwd=self.folder, stdout=theirs, stderr=subprocess.PIPE, timeout=120)
            finally:
                os.close(theirs)
        self.each(gone, "Broken pipe")

    def test_a_file_that_may_not_grow(self):
        """The limit of `ulimit -f` comes with a signal, which ended the run and left a part of the file behind."""
        done = subprocess.run([WEFT, "run", ".", "--json", "o.json"], cwd=self.folder, capture_output=True, timeout=120,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"File too large", done.stderr)
        self.assertEqual([f.name for f in self.folder.iterdir() if "o.json" in f.name], [])

    def test_outputs_without_a_name(self):
        """A variable of a script that is not set: the file was not written, and nothing said so."""
        for words in (["run", ".", "--json", ""], ["run", ".", "--record", ""], ["run", ".", "--coverage", ""], ["run", ".", "--stats="],
                      ["run", ".", "--confine="], ["run", ".", "--control", ""], ["test", "one.test.json", "--junit", ""],
                      ["asm", "p.uc", "--list", ""], ["asm", "p.uc", "-MD", ""], ["asm", "p.uc", "--diagnostics-file", ""], ["run", ""]):
            with self.subTest(words=words):
                done = subprocess.run([WEFT, *words], cwd=self.folder, capture_output=True, timeout=120)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(b"an empty value", done.stderr)
        self.assertEqual(subprocess.run([WEFT, "test", "one.test.json", "--filter", ""], cwd=self.folder, capture_output=True, timeout=120).returncode, 0)

    def test_a_file_that_is_written_does_not_become_standard_output(self):
        """With standard output closed the first file that is opened would get its number, and the report would go into it."""
        self.write("weft.json", json.dumps({**json.loads(PROJECT), "ports": [{"port": 0, "out": "o.pcap"}]}))
        done = subprocess.run(["sh", "-c", 'exec "$0" run . --json r.json >&-', WEFT], cwd=self.folder, stderr=subprocess.PIPE, timeout=120)
        self.assertEqual(done.returncode, 1)
        self.assertEqual((self.folder / "o.pcap").stat().st_size, 24)
        self.assertIn("stop", json.loads((self.folder / "r.json").read_text()))

    def test_wrong_input_stays_wrong_input(self):
        with open("/dev/full", "wb") as out:
            done = subprocess.run([WEFT, "run", "nowhere"], cwd=self.folder, stdout=out, stderr=subprocess.PIPE, timeout=120)
            self.assertEqual(done.returncode, 1)
            self.assertNotIn(b"standard output", done.stderr)
            done = subprocess.run([WEFT, "run"], cwd=self.folder, stdout=out, stderr=subprocess.PIPE, timeout=120)
            self.assertEqual(done.returncode, 2)


class StandardError(CliTest):
    def test_messages_that_nobody_can_read_change_nothing(self):
        """A full or closed standard error ended the process with SIGABRT."""
        self.write("p.uc", "immed[q, 1]\n")
        self.write("good.uc", "ctx_arb[kill]\n")
        self.write("weft.json", PROJECT.replace("p.uc", "good.uc"))
        self.write("one.test.json", TEST)
        for status, words in ((1, ["asm", "p.uc"]), (1, ["run", "nowhere"]), (0, ["run", ".", "--log", "good.uc:1=hello"]),
                              (0, ["run", ".", "--progress", "on"]), (2, ["run", ".", "--until", "("]), (1, ["explain", "nothing"]),
                              (2, ["frobnicate"]), (1, ["test", "nothing"]), (1, ["test", "one.test.json", "--junit", "/dev/full"])):
            for to in ("2>/dev/full", "2>&-", ">/dev/full 2>/dev/full", ">&- 2>&-"):
                with self.subTest(words=words, to=to):
                    done = subprocess.run(["sh", "-c", f'exec "$0" "$@" {to}', WEFT, *words], cwd=self.folder, stdout=subprocess.DEVNULL, timeout=120)
                    self.assertEqual(done.returncode, 1 if to.startswith(">") and status == 0 else status)


class StandardInput(CliTest):
    def test_without_an_end(self):
        """It is read as far as a file is (docs/limits.md), not until the memory is full."""
        self.write("p.uc", "ctx_arb[kill]\n")
        self.write("weft.json", PROJECT)
        for words in (["asm", "-"], ["dis", "-"], ["dis", "--raw", "--chip", "ixp2400", "-"], ["fmt", "-"], ["index", "-"], ["run", ".", "--control", "-"]):
            with self.subTest(words=words), open("/dev/zero", "rb") as zero:
                done = bounded(words, 60, cwd=self.folder, stdin=zero, capture_output=True)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, rb"<standard input>: error: '<standard input>' has more than (8|64) MiB \[input-limit\]")

    def test_closed(self):
        self.write("p.uc", "ctx_arb[kill]\n")
        self.write("weft.json", PROJECT)
        for words in ("asm -", "dis -", "fmt -", "index -", "run . --control -"):
            with self.subTest(words=words):
                done = subprocess.run(["sh", "-c", f'exec "$0" {words} <&-', WEFT], cwd=self.folder, capture_output=True, timeout=60)
                self.assertEqual(done.returncode, 1)
                self.assertIn(b"cannot read '<standard input>': Bad file descriptor", done.stderr)


class Ends(CliTest):
    def test_sigterm_is_ctrl_c(self):
        self.write("p.uc", "again#: br[again#]\n")
        self.write("weft.json", PROJECT)
        self.interrupted(signal.SIGTERM, "--json", "r.json")
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["stop"], "interrupted")

    def test_a_command_after_a_long_silence(self):
        """A project with a control program ends by `quiet`, 60,000 cycles; a command of later than that is done all the same."""
        text = (SOURCE / "examples/ipv4-forwarder/weft.json").read_text()
        project = json.loads(re.sub(r"(?m)^ *//.*", "", text))
        for name in ("receive.uc", "forward.uc", "transmit.uc", "router.conf"):
            self.write(name, (SOURCE / "examples/ipv4-forwarder" / name).read_text())
        self.assertNotIn("commands", project["control"])
        project["include"] = [str(SOURCE / "lib/microblocks")]
        project["ports"] = []
        self.write("weft.json", json.dumps(project))
        self.write("c.txt", "at 300000: print it is {cycle >= 300000}\nat 300001: print and {cycle >= 300001}\n")
        done = self.weft("run", ".", "--control", "c.txt", "--json", "r.json")
        self.assertEqual(done.stderr.decode(), "it is 1\nand 1\n")
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(report.get("commands-left", 0), 0)
        self.assertGreaterEqual(report["cycles"], 360000)  # and quiet counts from there
        self.assertLess(report["cycles"], 400000)
        # One that waits for packets does not keep a run for ever.
        self.write("c.txt", "at 5 packets: print never\n")
        done = self.weft("run", ".", "--control", "c.txt", "--json", "r.json")
        self.assertLess(json.loads((self.folder / "r.json").read_text())["cycles"], 100000)
        # A limit is a limit.
        self.write("c.txt", "at 300000: print never\n")
        done = self.weft("run", ".", "--control", "c.txt", "--cycles", "250000")
        self.assertEqual(done.stderr.decode(), "")
        self.assertIn(b"not done: 1 command", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1)
