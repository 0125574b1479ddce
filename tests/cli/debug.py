"""weft debug: commands of the console."""
import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import termios
import time
import unittest

from weft_cli import SOURCE, WEFT, CliTest

PROGRAM = """.reg n at
.sig done
.reg write $n
#macro twice(r)
alu[r, r, +, 1]
alu[r, r, +, 1]
#endm
br=ctx[0, begin#]
br=ctx[1, begin#]
ctx_arb[kill]
begin#:
immed[at, 0x40]
immed[n, 0]
again#:
twice(n)
alu[$n, --, B, n]
scratch[write, $n, at, 0, 1], ctx_swap[done]
br[again#]
"""


class Debug(CliTest):
    def setUp(self):
        super().setUp()
        self.write("p.uc", PROGRAM)
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "limits": {"cycles": 50000},
                                            "programs": [{"source": "p.uc", "engines": [0]}]}))

    def debug(self, *commands, expect=0, options=()):
        done = self.weft("debug", ".", *options, stdin="\n".join(commands).encode() + b"\n", expect=expect)
        return done.stdout.decode(), done.stderr.decode()

    def test_stops_and_values(self):
        out, _ = self.debug("break p.uc:16 contexts 0", "run", "print n", "registers n", "run", "print n * 2", "stops")
        self.assertIn("1 location p.uc:16 contexts 0 (0 hits)", out)
        self.assertIn("p.uc:16", out)
        self.assertIn("    16  alu[$n, --, B, n]", out)
        self.assertIn("\n2 (0x2)\n", out)
        self.assertIn("\n8 (0x8)\n", out)
        self.assertRegex(out, r"n +[ab]\d+ +0x00000002 2\n")
        self.assertIn("1 location p.uc:16 contexts 0 (2 hits)", out)

    def test_a_change_is_seen_and_who_made_it(self):
        out, _ = self.debug("watch scratch[0x40] if scratch[0x40] == 4", "run", "print scratch[0x40]", "who scratch[0x40]", "memory scratch[0x40] 2")
        self.assertIn("\n4 (0x4)\n", out)
        self.assertRegex(out, r"me0 context \d at p\.uc:17 .*scratch\[write\]")
        self.assertIn("0x00000040  00000004 00000000", out)

    def test_steps_go_both_ways(self):
        out, _ = self.debug("break p.uc:15 contexts 0", "run", "next", "print n", "back", "print n", "goto 0", "print cycle", "goto 100", "print cycle")
        self.assertIn("p.uc:16", out)
        numbers = [line.split()[0] for line in out.splitlines() if line.endswith(")") and "(0x" in line and line[0].isdigit()]
        self.assertEqual(numbers, ["2", "1", "0", "100"])
        out, _ = self.debug("break p.uc:16 contexts 0", "run", "run", "print n", "stepi", "rewind", "print n", "rewind", "print n", "rewind")
        self.assertEqual([line for line in out.splitlines() if line.endswith(")") and line[0].isdigit() and "0x" in line and " (" in line and len(line) < 12],
                         ["4 (0x4)", "4 (0x4)", "2 (0x2)"])

    def test_what_is_set_is_an_input_of_the_run(self):
        out, _ = self.debug("break p.uc:16 contexts 0", "run", "set n = 100", "off 1", "run scratch[0x40] == 100", "print n")
        self.assertIn("has become true", out)
        self.assertIn("100 (0x64)", out)

    def test_contexts_source_words_and_the_rest(self):
        out, _ = self.debug("run +50 cycles", "contexts", "context 0.1", "list 2", "words 2", "signals", "csrs", "units", "report", "help", "help break")
        self.assertIn("me0 p\n", out)
        self.assertRegex(out, r"ctx 2 to \d: inactive")
        self.assertRegex(out, r"->\s+\d+  ")
        self.assertRegex(out, r"-> 0x[0-9a-f]+  \w+")
        self.assertIn("ACTIVE_CTX_STS", out)
        self.assertIn("simulated", out)
        self.assertIn("break PLACE [OPTIONS]", out)

    def test_wrong_commands_name_their_line(self):
        for commands, text, remedy in [
            (["nix"], "'nix' is not a command", "'help' lists the commands"),
            (["print n +"], "expression", ""),
            (["break"], "nothing is named to stop at", "forward.uc:120"),
            (["break nowhere.uc:3"], "nowhere.uc", ""),
            (["stop often x"], "'often' is not a kind of stop", "location"),
            (["break p.uc:16 on x"], "'x' is not a value of 'on'", "on 0,2"),
            (["delete 7"], "there is no stop '7'", "'stops' lists them"),
            (["break p.uc:16", "delete 4294967297"], "there is no stop '4294967297'", ""),
            (["stop swap"], "nothing is named to stop at", "stop swap me0.ctx3"),
            (["re"], "'re' may be rewind, registers, report", "write more of it"),
            (["context 9.9"], "'9.9'", "'contexts' lists them"),
            (["goto then"], "'then' is not a moment", "20us"),
            (["set n"], "does not say what is set", "set n = 5"),
            (["step x"], "'x' is not a number", ""),
            (["quit now"], "'quit' takes nothing", "'help quit'"),
            (["memory x"], "not a longword", "sram0[0x100]"),
            (["run 100", "context 0.2", "step"], "me0.ctx2 is inactive", "'contexts' lists them"),
        ]:
            with self.subTest(commands=commands):
                _, said = self.debug("# a comment", "", *commands, "print 1", expect=1)
                self.assertIn(f"standard input:{2 + len(commands)}:1: error: ", said)
                self.assertIn(text, said)
                self.assertIn(remedy, said)

    def test_at_a_terminal(self):
        self.write("p.uc", "br!=ctx[0, end#]\nagain#:\nbr[again#]\nend#:\nctx_arb[kill]\n")
        ours, theirs = pty.openpty()
        run = subprocess.Popen([WEFT, "debug", ".", "--set", "limits.cycles=1000000000000"], cwd=self.folder, stdin=theirs, stdout=theirs,
                               stderr=theirs, preexec_fn=lambda: (os.setsid(), fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)))
        os.close(theirs)
        self.addCleanup(os.close, ours)
        self.addCleanup(run.kill)

        def answer(until):
            text = b""
            while not text.endswith(until):
                ready, _, _ = select.select([ours], [], [], 60)
                self.assertTrue(ready, text)
                text += os.read(ours, 4096)
            return text.decode()

        prompt = b".ctx0) "
        self.assertIn("'help' lists the commands", answer(prompt))
        os.write(ours, b"nonsense\n")
        self.assertIn("'nonsense' is not a command", answer(prompt))
        os.write(ours, b"stepi\n")
        answer(prompt)
        os.write(ours, b"\n")  # the same again
        self.assertIn(" executed 0x", answer(prompt))
        said = b""
        for _ in range(60):  # ^C before the line is read takes the line away
            os.write(ours, b"run\n")
            time.sleep(0.3)
            os.write(ours, b"\x03")
            while select.select([ours], [], [], 1)[0]:
                said += os.read(ours, 4096)
            if b"interrupted" in said:
                break
        self.assertIn(b"interrupted", said)
        os.write(ours, b"print 5 * 5\n")
        self.assertIn("\n25 (0x19)", answer(b".ctx0) "))
        os.write(ours, b"\x04")
        self.assertEqual(run.wait(60), 0)

    def test_chips(self):
        two = SOURCE / "examples" / "two-chips"
        commands = ["run +2000", "context egress:0.0", "memory sram0[0] 2", "print egress: me0.ctx0.pc", "print ingress: me0.ctx0.state", "stepi",
                    "set lm[3] = 7", "print lm[3]", "who lm[3]", "break pass.uc:39", "run", "context ingress: me0.ctx0", "break pass.uc:39", "stops"]
        done = self.weft("debug", two, stdin="\n".join(commands).encode())
        out = done.stdout.decode()
        self.assertIn("egress: me0.ctx0 ", out)
        self.assertIn("0x00000000  00000000 00000000", out)
        self.assertIn("7 (0x7)", out)
        self.assertRegex(out, r"\d location egress: pass\.uc:39 \(0 hits\)\n  egress: me0 word 0x[0-9a-f]+, .*pass\.uc:39\n")
        self.assertRegex(out, r"\d location ingress: pass\.uc:39 \(0 hits\)\n  ingress: me0 word ")
        self.assertRegex(out, r"egress: me0\.ctx0 executing at .*pass\.uc:39")

    def test_limits_of_the_project_hold_nobody_up(self):
        out, _ = self.debug("run 50000 cycles", "run", "print cycle", "run +200", "print cycle")
        self.assertIn("'run +1000 cycles' goes beyond the limit of the project", out)
        self.assertIn("50200 (0xc418)", out)

    def test_steps_end_with_their_context(self):
        out, _ = self.debug("context 0.2", "stepi 10", "print cycle < 1000")
        self.assertIn("\n1 (0x1)\n", out)

    def test_macro_calls(self):
        out, _ = self.debug("to p.uc:6", "calls")
        self.assertIn("p.uc:6\nin twice, called at p.uc:15\n", out)

    def test_checks_are_told(self):
        self.write("p.uc", ".reg a b\n.set a\nalu[b, a, +, 1]\nctx_arb[kill]\n")
        _, said = self.debug("run 100", options=["--check", "warn"])
        self.assertIn("[check-", said)

    def test_a_pipe_is_answered_line_by_line(self):
        run = subprocess.Popen([WEFT, "debug", "."], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.kill)
        run.stdin.write(b"print 5\n")
        run.stdin.flush()
        self.assertTrue(select.select([run.stdout], [], [], 60)[0])
        self.assertEqual(run.stdout.readline(), b"5 (0x5)\n")
        run.stdin.close()
        self.assertEqual(run.wait(60), 0)

    def test_signals_end_what_they_should(self):
        self.write("p.uc", "br!=ctx[0, end#]\nagain#:\nbr[again#]\nend#:\nctx_arb[kill]\n")
        self.write("c.txt", "print 1\nrun\nprint 2\n")
        for number in signal.SIGINT, signal.SIGTERM:
            run = subprocess.Popen([WEFT, "debug", ".", "--commands", "c.txt", "--set", "limits.cycles=1000000000000"], cwd=self.folder,
                                   stdout=subprocess.PIPE)
            self.assertEqual(run.stdout.readline(), b"1 (0x1)\n")
            time.sleep(0.3)
            run.send_signal(number)
            out = run.communicate(timeout=60)[0].decode()
            self.assertEqual(run.returncode, 130)
            self.assertIn("interrupted", out)
            self.assertNotIn("2 (0x2)", out)
        self.weft("debug", ".", "--control", "-", stdin=b"", expect=2)

    def test_commands_of_a_file_and_a_recording(self):
        self.write("c.txt", "goto 200\nprint cycle\nquit\nnonsense\n")
        self.weft("run", ".", "--cycles", "1000", "--record", "r.weftrec")
        done = self.weft("debug", "r.weftrec", "--commands", "c.txt")
        self.assertIn("200 (0xc8)", done.stdout.decode())
        done = self.weft("debug", "r.weftrec", stdin=b"goto 0\nbreak p.uc:16 contexts 0 log n is {n}\nrun 100 cycles\n")
        self.assertIn("n is 2\n", done.stderr.decode())
        self.assertNotIn("weft-recording", done.stdout.decode())
        self.weft("debug", "r.weftrec", "--seed", "3", "--commands", "c.txt", expect=2)
        self.weft("debug", "missing", expect=1)
        self.write("c.txt", "goto 200\nnonsense\n")
        done = self.weft("debug", ".", "--commands", "c.txt", expect=1)
        self.assertIn("c.txt:2:1: error: 'nonsense' is not a command", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
