#!/usr/bin/env python3
"""Messages as people and programs get them: colour, JSON, SARIF, weft explain, and weft fmt."""
import json
import os
import pty
import subprocess
import unittest

from weft_cli import WEFT, CliTest

MISSPELT = """.reg count
#macro set_one(x)
    immed[x, 1]
    aluu[x, --, B, cuont]
#endm
    set_one(count)
    ctx_arb[kill]
"""
ESCAPE = b"\x1b["


def place(test, location):
    """A physicalLocation of SARIF 2.1.0: a URI, and a region whose lines and columns count from 1."""
    test.assertTrue(location["artifactLocation"]["uri"])
    region = location["region"]
    test.assertGreaterEqual(region["startLine"], 1)
    test.assertGreaterEqual(region["startColumn"], 1)
    if region.get("endLine", region["startLine"]) == region["startLine"]:
        test.assertGreaterEqual(region["endColumn"], region["startColumn"])
    return region


class Forms(CliTest):
    def setUp(self):
        super().setUp()
        self.write("m.uc", MISSPELT)

    def raw(self, *arguments, environment=None, terminal=False):
        """Standard error as bytes, perhaps of a terminal."""
        env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        env.update(environment or {})
        command = [WEFT, *arguments]
        if not terminal:
            return subprocess.run(command, cwd=self.folder, env=env, capture_output=True, timeout=60).stderr
        master, slave = pty.openpty()
        with subprocess.Popen(command, cwd=self.folder, env=env, stdout=subprocess.DEVNULL, stderr=slave) as process:
            os.close(slave)
            out = b""
            while True:
                try:
                    part = os.read(master, 65536)
                except OSError:  # Linux: the other side is closed
                    break
                if not part:
                    break
                out += part
            process.wait(timeout=60)
        os.close(master)
        return out

    def test_colour(self):
        asm = ["asm", "m.uc", "-o", "x"]
        self.assertNotIn(ESCAPE, self.raw(*asm))
        self.assertIn(ESCAPE, self.raw(*asm, terminal=True))
        self.assertNotIn(ESCAPE, self.raw(*asm, terminal=True, environment={"NO_COLOR": "1"}))
        self.assertIn(ESCAPE, self.raw(*asm, terminal=True, environment={"NO_COLOR": ""}))
        self.assertIn(ESCAPE, self.raw(*asm, "--color", "always"))
        self.assertIn(ESCAPE, self.raw(*asm, "--color", "always", environment={"NO_COLOR": "1"}))
        self.assertNotIn(ESCAPE, self.raw(*asm, "--color", "never", terminal=True))
        plain = self.raw(*asm)
        painted = self.raw(*asm, "--color", "always")
        for code in (b"\x1b[0m", b"\x1b[1m", b"\x1b[1;31m", b"\x1b[1;32m", b"\x1b[1;35m", b"\x1b[1;36m"):
            painted = painted.replace(code, b"")
        self.assertEqual(painted, plain)

    def test_text(self):
        said = self.weft("asm", "m.uc", "-o", "x", expect=1).stderr.decode()
        self.assertIn("m.uc:4:5: error: there is no instruction or macro 'aluu' [asm-unknown-instruction]", said)
        self.assertIn("m.uc:6:5: note: in expansion of macro 'set_one' with arguments count", said)
        self.assertEqual(said.count(" error: "), 1)

    def test_json(self):
        rows = json.loads(self.weft("asm", "m.uc", "-o", "x", "--diagnostics", "json", expect=1).stdout)
        self.assertEqual(rows["version"], 1)
        (row,) = rows["diagnostics"]
        self.assertLessEqual(set(row), {"code", "severity", "text", "range", "remedy", "highlights", "notes", "fixits"})
        self.assertEqual((row["code"], row["severity"]), ("asm-unknown-instruction", "error"))
        self.assertEqual(row["range"], {"file": "m.uc", "begin": {"line": 4, "column": 5}, "end": {"line": 4, "column": 9}})
        self.assertEqual(row["notes"][0]["range"]["begin"], {"line": 6, "column": 5})

    def test_sarif(self):
        log = json.loads(self.weft("asm", "m.uc", "-o", "x", "--diagnostics", "sarif", expect=1).stdout)
        self.assertEqual((log["version"], set(log)), ("2.1.0", {"$schema", "version", "runs"}))
        (run,) = log["runs"]
        self.assertEqual(run["tool"]["driver"]["name"], "weft")
        (result,) = run["results"]
        self.assertEqual((result["ruleId"], result["level"]), ("asm-unknown-instruction", "error"))
        region = place(self, result["locations"][0]["physicalLocation"])
        self.assertEqual((region["startLine"], region["startColumn"]), (4, 5))
        for related in result["relatedLocations"]:
            self.assertTrue(related["message"]["text"])
            place(self, related["physicalLocation"])

    def test_many_of_one_kind(self):
        self.write("loop.uc", ".reg a\n#repeat 3000\nalu[a b]\n#endloop\nctx_arb[kill]\n")
        rows = json.loads(self.weft("asm", "loop.uc", "-o", "x", "--diagnostics", "json", expect=1).stdout)["diagnostics"]
        self.assertEqual(len(rows), 10)
        self.assertEqual(rows[-1]["notes"][-1], {"range": None, "text": "the same is said here 2990 more times, left out"})
        log = json.loads(self.weft("asm", "loop.uc", "-o", "x", "--diagnostics", "sarif", expect=1).stdout)
        self.assertEqual(len(log["runs"][0]["results"]), 10)
        last = log["runs"][0]["results"][-1]["relatedLocations"][-1]
        self.assertEqual(last["message"]["text"], "the same is said here 2990 more times, left out")

    def test_no_messages_are_an_empty_list(self):
        self.write("good.uc", "ctx_arb[kill]\n")
        out = self.weft("asm", "good.uc", "-o", "x", "--diagnostics", "json").stdout
        self.assertEqual(json.loads(out)["diagnostics"], [])
        out = self.weft("asm", "good.uc", "-o", "x", "--diagnostics", "sarif").stdout
        self.assertEqual(json.loads(out)["runs"][0]["results"], [])


class Explain(CliTest):
    def test_code_list_and_misspelt_code(self):
        said = self.weft("explain", "asm-bank-conflict").stdout.decode()
        self.assertTrue(said.startswith("asm-bank-conflict: "))
        self.assertIn("\nWrong:\n", said)
        self.assertIn("\nRight:\n", said)
        self.assertEqual(self.weft("explain", "[asm-bank-conflict]").stdout.decode(), said)
        names = self.weft("explain", "--list").stdout.decode()
        self.assertGreater(names.count("\n  "), 150)
        for code in ("asm-bank-conflict", "pp-include-missing"):
            self.assertIn(f"  {code} ", names)
        wrong = self.weft("explain", "asm-bank-conflct", expect=1)
        self.assertEqual(wrong.stdout, b"")
        self.assertIn("event 'asm-bank-conflct'", wrong.stderr.decode())
        self.assertIn("near it are: asm-bank-conflict", wrong.stderr.decode())
        self.assertIn("--list", self.weft("explain", "qqqqqqqqqqqqqqq", expect=1).stderr.decode())
        self.weft("explain", expect=2)

    def test_words_of_the_language(self):
        said = self.weft("explain", "ALU").stdout.decode()
        self.assertTrue(said.startswith("alu: Adds, subtracts or combines two operands.\n\n  alu[dest, a, OP, b]\n"), said)
        self.assertIn("`dest = left OP right`", said)
        self.assertIn("\nChips: IXP1200, IXP2400 and IXP2800\n", said)
        several = self.weft("explain", "sram").stdout.decode()
        self.assertRegex(several, r"(?m)^  sram\[read_lock\] +\S")
        one = self.weft("explain", "sram[read_lock]").stdout.decode()
        self.assertTrue(one.startswith("sram[read_lock]: "), one)
        self.assertEqual(self.weft("explain", "sram_read_lock").stdout.decode(), one)
        self.assertTrue(one.endswith("\nChips: IXP1200\n"), one)
        self.assertTrue(self.weft("explain", "nop").stdout.decode().startswith("nop is another spelling.\n\nimmed: "))
        for name, word in (("ctx_enables", "CTX_ENABLES: a local CSR, offset 0x18 (IXP2400 and IXP2800)\n"), ("RCV_REQ", "RCV_REQ: a CSR of the FBI, at 0x1c (IXP1200)\n"),
                           ("hash_multiplier_48_1", "HASH_MULTIPLIER_48_1: a CSR of CAP, at 0x4900 (IXP2400 and IXP2800)\n"),
                           ("inter_thread", "inter_thread: an event, number 0x5 (IXP1200)\n"), ("REC_REQ_AVAIL", "an input state of br_inp_state, number")):
            self.assertIn(word, self.weft("explain", name).stdout.decode())


class Format(CliTest):
    UGLY = "; a comment\n.reg   a   b // two\n.begin\nimmed[a,1]   ; one\nl#:alu[b,--,B,a] /* three */\n.end\nctx_arb[kill]\n"

    def test_in_place_check_and_standard_streams(self):
        self.write("u.uc", self.UGLY)
        listed = self.weft("fmt", "--check", "u.uc", expect=1)
        self.assertEqual(listed.stdout.decode(), "u.uc\n")
        self.assertEqual((self.folder / "u.uc").read_text(), self.UGLY)
        self.assertEqual(self.weft("fmt", "u.uc").stdout, b"")
        neat = (self.folder / "u.uc").read_text()
        self.assertNotEqual(neat, self.UGLY)
        for comment in ("; a comment", "// two", "; one", "/* three */"):
            self.assertIn(comment, neat)
        self.assertEqual(self.weft("fmt", "--check", "u.uc").stdout, b"")
        piped = self.weft("fmt", "-", stdin=self.UGLY.encode()).stdout.decode()
        self.assertEqual(piped, neat)
        self.assertEqual(self.weft("fmt", "-", stdin=neat.encode()).stdout.decode(), neat)
        self.assertEqual(self.weft("fmt", "--check", "-", stdin=self.UGLY.encode(), expect=1).stdout.decode(), "<stdin>\n")

    def test_the_words_stay_the_same(self):
        self.write("u.uc", self.UGLY)
        before = self.weft("asm", "u.uc", "--emit", "hex").stdout
        self.weft("fmt", "u.uc")
        self.assertEqual(self.weft("asm", "u.uc", "--emit", "hex").stdout, before)

    def test_what_cannot_be_read_stays(self):
        self.write("bad.uc", "/* no end\nnop\n")
        self.weft("fmt", "bad.uc", expect=1)
        self.assertEqual((self.folder / "bad.uc").read_text(), "/* no end\nnop\n")
        self.weft("fmt", "none.uc", expect=1)


if __name__ == "__main__":
    unittest.main()
