#!/usr/bin/env python3
"""Messages for programs: one document whatever was assembled, SARIF as its standard says, annotations, and no two results
in one stream."""
import json
import subprocess
import unittest

import sarif
from weft_cli import SOURCE, WEFT, CliTest

WRONG = ".reg count\nimmed[cuont, 1]\nctx_arb[kill]\n"
GOOD = "ctx_arb[kill]\n"


class Documents(CliTest):
    def setUp(self):
        super().setUp()
        for name in ("d1", "d2", "out"):
            (self.folder / name).mkdir()
        self.write("d1/a.uc", WRONG)
        self.write("d2/b.uc", WRONG + "immed[cuont, 2]\n")
        self.write("d2/good.uc", GOOD)

    def asm(self, *arguments, expect=1):
        return self.weft("asm", *arguments, expect=expect)

    def test_one_document_for_all_sources(self):
        sources = ["d1/a.uc", "d2/b.uc", "d2/good.uc", "-o", "out"]
        rows = json.loads(self.asm(*sources, "--diagnostics", "json").stdout)["diagnostics"]
        self.assertEqual([r["range"]["file"] for r in rows if r["severity"] == "error"][:2], ["d1/a.uc", "d2/b.uc"])
        log = json.loads(self.asm(*sources, "--diagnostics", "sarif").stdout)
        sarif.check(log)
        (run,) = log["runs"]
        self.assertEqual(len(run["results"]), len(rows))
        self.assertEqual(run["tool"]["driver"]["rules"][0]["id"], "asm-undeclared-register")
        self.assertIn("not declared", run["tool"]["driver"]["rules"][0]["shortDescription"]["text"])
        version = self.weft("--version").stdout.decode().split()[1]
        self.assertEqual(run["tool"]["driver"]["version"], version)
        self.assertTrue((self.folder / "out/good.json").exists())

    def test_the_document_in_a_file(self):
        ran = self.asm("d1/a.uc", "-o", "x", "--diagnostics", "sarif", "--diagnostics-file", "x.sarif")
        self.assertEqual(ran.stdout, b"")
        self.assertIn(b"d1/a.uc:2:7: error:", ran.stderr)
        sarif.check(json.loads((self.folder / "x.sarif").read_text()))
        # The result itself may then go to standard output.
        ran = self.asm("d2/good.uc", "--emit", "hex", "--diagnostics", "json", "--diagnostics-file", "x.json", expect=0)
        self.assertEqual(ran.stdout, b"e000010000\n")
        self.assertEqual(json.loads((self.folder / "x.json").read_text())["diagnostics"], [])
        self.asm("d1/a.uc", "-o", "x", "--diagnostics-file", "x.txt")
        self.assertIn("d1/a.uc:2:7: error:", (self.folder / "x.txt").read_text())
        ran = self.asm("d2/good.uc", "-o", "x", "--diagnostics", "json", "--diagnostics-file", "none/x.json")
        self.assertIn(b"no folder 'none'", ran.stderr)

    def test_every_message_is_sarif(self):
        self.write("w.uc", '#include "none.uc"\n')
        self.write("odd name:%\xe4.uc", "#macro m(x)\nimmed[x, (1 + zz\xe4)]\n#endm\n.reg a\n  /* \xe4\xe4 */ m(a) m\nm(a)\nctx_arb[kill]\n")
        self.write("late.uc", ".reg a\nimmed[a, 0x12345678]\nalu[a, a, +, a]\nctx_arb[kill]\n")
        for source in ("w.uc", "odd name:%\xe4.uc", "late.uc", "none.uc"):
            log = json.loads(self.asm(source, "-o", "x", "--diagnostics", "sarif").stdout)
            sarif.check(log)
            self.assertTrue(log["runs"][0]["results"])

    def test_columns_count_characters(self):
        self.write("c.uc", ".reg a\n/* \xe4\xf6\xfc */ immed[zzz, 1]\nctx_arb[kill]\n")
        (result,) = json.loads(self.asm("c.uc", "-o", "x", "--diagnostics", "sarif").stdout)["runs"][0]["results"]
        region = result["locations"][0]["physicalLocation"]["region"]
        self.assertEqual((region["startLine"], region["startColumn"], region["endColumn"]), (2, 17, 20))

    def test_annotations(self):
        self.write("n,ame:1.uc", WRONG)
        out = self.asm("n,ame:1.uc", "-o", "x", "--diagnostics", "github").stdout.decode()
        (line,) = out.splitlines()
        self.assertRegex(line, r"^::error file=n%2Came%3A1\.uc,line=2,col=7,endColumn=12,title=asm-undeclared-register::the register 'cuont'")
        self.assertIn("%0Ahelp: ", line)

    # --- two results in one place ---

    def test_output_over_output(self):
        self.write("d2/a.uc", GOOD)
        self.write("d1/a.uc", GOOD)
        for arguments in (["d1/a.uc", "d2/a.uc", "-o", "out"], ["d1/a.uc", "d1/a.uc", "-o", "out"],
                          ["d1/a.uc", "d2/good.uc", "-o", "out", "--list", "l"], ["d1/a.uc", "d2/good.uc", "-o", "out", "-MD", "m"]):
            ran = self.asm(*arguments)
            self.assertIn(b"name the same file [output-twice]", ran.stderr)
            self.assertIn(b"d1/a.uc", ran.stderr)
            self.assertEqual(list((self.folder / "out").iterdir()), [])
            self.assertFalse((self.folder / arguments[-1]).is_file())

    def test_two_results_in_one_stream(self):
        for arguments in (["d2/good.uc", "--diagnostics", "json"], ["d2/good.uc", "-o", "-", "--diagnostics", "sarif"],
                          ["d2/good.uc", "-E", "--diagnostics", "github"], ["d2/good.uc", "-o", "x", "--list", "-", "--diagnostics", "json"],
                          ["d2/good.uc", "--list", "-"]):
            ran = self.asm(*arguments, expect=2)
            self.assertEqual(ran.stdout, b"")
            self.assertIn(b"standard output", ran.stderr)
        ran = self.asm("d2/good.uc", "d1/a.uc", "-o", "-", expect=2)
        self.assertIn(b"name a folder", ran.stderr)

    def test_other_names_of_standard_output(self):
        """They are "-": what goes there with something else is refused, and alone it arrives, also after what the file holds already."""
        image = self.asm("d2/good.uc", "-o", "-", expect=0).stdout
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            self.assertEqual(self.asm("d2/good.uc", "-o", name, expect=0).stdout, image)
            for arguments in (["-o", name, "--list", "-"], ["--list", name], ["-o", name, "--diagnostics", "json"],
                              ["-o", "-", "--diagnostics", "json", "--diagnostics-file", name]):
                ran = self.asm("d2/good.uc", *arguments, expect=2)
                self.assertEqual(ran.stdout, b"")
                self.assertIn(b"standard output", ran.stderr)
            with open(self.folder / "log", "wb") as log:
                log.write(b"before\n")
                log.flush()
                subprocess.run([WEFT, "asm", "d2/good.uc", "-o", name], cwd=self.folder, stdout=log, check=True, timeout=120)
                log.seek(0, 2)
                log.write(b"behind\n")
            self.assertEqual((self.folder / "log").read_bytes(), b"before\n" + image + b"behind\n")


class OfRunsAndTests(CliTest):
    def project(self, source):
        self.write("p.uc", source)
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}))

    def test_run(self):
        self.project(WRONG)
        ran = self.weft("run", ".", "--diagnostics", "sarif", expect=1)
        log = json.loads(ran.stdout)
        sarif.check(log)
        (result,) = log["runs"][0]["results"]
        self.assertEqual(result["ruleId"], "asm-undeclared-register")
        self.assertIn(b"::error file=", self.weft("run", ".", "--diagnostics", "github", expect=1).stdout)
        self.weft("run", ".", "--diagnostics", "json", "--diagnostics-file", "d.json", expect=1)
        self.assertEqual(len(json.loads((self.folder / "d.json").read_text())["diagnostics"]), 1)
        self.project(GOOD)
        self.assertEqual(json.loads(self.weft("run", ".", "--diagnostics", "json").stdout)["diagnostics"], [])
        self.assertIn(b"cycles", self.weft("run", ".", "--diagnostics", "json", "--diagnostics-file", "d.json").stdout)
        ran = self.weft("run", ".", "--diagnostics", "json", "--json", "-", expect=2)
        self.assertIn(b"only one output", ran.stderr)

    def test_tests(self):
        self.write("a.test.json", json.dumps({"version": 1, "code": [".reg volatile a b r", "alu[r, a, +, b]"], "tests": [
            {"name": "good", "set": {"a": 1, "b": 2}, "expect": {"values": {"r": 3}}},
            {"name": "bad", "set": {"a": 1, "b": 2}, "expect": {"values": {"r": 4}}},
            {"name": "broken", "code": ["immed[zzz, 1]"], "expect": {"values": {"r": 4}}}]}, indent=1))
        ran = self.weft("test", "a.test.json", "--diagnostics", "sarif", "--diagnostics-file", "t.sarif", expect=1)
        self.assertIn(b"1 passed, 1 failed, 1 could not run", ran.stdout)
        log = json.loads((self.folder / "t.sarif").read_text())
        sarif.check(log)
        results = {r["ruleId"]: r for r in log["runs"][0]["results"]}
        self.assertEqual(set(results), {"test-failed", "test-broken"})
        self.assertIn("bad: r is 0x3 (3), expected 0x4 (4)", results["test-failed"]["message"]["text"])
        place = results["test-failed"]["locations"][0]["physicalLocation"]
        line = (self.folder / "a.test.json").read_text().splitlines()[place["region"]["startLine"] - 1]
        self.assertIn("4", line)
        out = self.weft("test", "a.test.json", "--diagnostics", "github", expect=1).stdout.decode()
        self.assertRegex(out, r"(?m)^::error file=a\.test\.json,line=\d+,.*title=test-failed::bad: r is 0x3")
        # The lines of `code` are not a file that could be shown.
        self.assertRegex(out, r"(?m)^::error file=a\.test\.json,.*title=test-broken::broken: a\.test\.json/broken\.uc:\d+:\d+: the register 'zzz'")
        self.weft("test", "a.test.json", "--diagnostics", "json", expect=2)

    def test_tests_in_each_form(self):
        bad = {"name": "bad", "code": [".reg volatile r", "immed[r, 3]"], "expect": {"values": {"r": 4}}}
        good = dict(bad, name="good", expect={"values": {"r": 3}})
        self.write("bad.test.json", json.dumps({"version": 1, "tests": [bad, good]}, indent=1))
        self.write("good.test.json", json.dumps({"version": 1, "tests": [good]}))
        said = "bad: r is 0x3 (3), expected 0x4 (4)"
        for form in ("text", "json", "sarif", "github"):
            with self.subTest(form=form):
                words = ["--diagnostics", form, "--diagnostics-file", "d"]
                ran = self.weft("test", "bad.test.json", *words, expect=1)
                self.assertIn(b"1 passed, 1 failed", ran.stdout)
                document = (self.folder / "d").read_text()
                if form == "json":
                    (row,) = json.loads(document)["diagnostics"]
                    self.assertEqual((row["code"], row["text"], row["range"]["file"]), ("test-failed", said, "bad.test.json"))
                elif form == "sarif":
                    sarif.check(json.loads(document))
                    (result,) = json.loads(document)["runs"][0]["results"]
                    self.assertEqual((result["ruleId"], result["message"]["text"]), ("test-failed", said))
                else:
                    self.assertEqual(len(document.splitlines()), 1)
                    self.assertIn(said, document)
                    self.assertIn("test-failed", document)
                ran = self.weft("test", "good.test.json", *words)
                self.assertIn(b"1 passed", ran.stdout)
                document = (self.folder / "d").read_text()
                if form == "json":
                    self.assertEqual(json.loads(document)["diagnostics"], [])
                elif form == "sarif":
                    sarif.check(json.loads(document))
                    self.assertEqual(json.loads(document)["runs"][0]["results"], [])
                else:
                    self.assertEqual(document, "")

    def test_tests_that_cannot_be_read(self):
        (self.folder / "empty").mkdir()
        self.write("broken.test.json", "{")
        self.write("names.test.json", json.dumps({"version": 1, "tests": [{"nam": "x"}]}))
        self.write("good.test.json", json.dumps({"version": 1, "code": ["nop"], "tests": [{"name": "good", "expect": {}}]}))
        for words, code, status in ((["broken.test.json"], "json-", 1), (["names.test.json"], "json-", 1), (["empty"], "test-none", 1), (["none"], "file-missing", 1),
                                    (["good.test.json", "--filter", "("], "test-filter", 2)):
            with self.subTest(words=words):
                self.weft("test", *words, "--diagnostics", "sarif", "--diagnostics-file", "d.sarif", expect=status)
                log = json.loads((self.folder / "d.sarif").read_text())
                sarif.check(log)
                self.assertTrue(all(r["ruleId"].startswith(code) for r in log["runs"][0]["results"]))
                self.assertTrue(log["runs"][0]["results"])
        for words in (["--diagnostics", "xml"], ["--diagnostics", "json"], ["--diagnostics", "json", "--diagnostics-file", "-"]):
            ran = self.weft("test", "good.test.json", *words, expect=2)
            self.assertEqual(ran.stdout, b"")

    def test_two_results_of_tests_in_one_place(self):
        self.write("good.test.json", json.dumps({"version": 1, "code": ["nop"], "tests": [{"name": "good", "expect": {}}]}))
        for option in ("--junit", "--coverage"):
            ran = self.weft("test", "good.test.json", option, "x", "--diagnostics", "json", "--diagnostics-file", "x", expect=1)
            self.assertIn(b"name the same file", ran.stderr)
            ran = self.weft("test", "good.test.json", option, "-", expect=2)
            self.assertEqual(ran.stdout, b"")
            self.assertIn(b"standard output has the outcomes", ran.stderr)


class Inputs(CliTest):
    """The document replaces nothing that the command reads."""

    def kept(self, name, *words, expect=1):
        before = (self.folder / name).read_bytes()
        for form in ("text", "json", "sarif", "github"):
            with self.subTest(words=words, form=form):
                ran = self.weft(*words, "--diagnostics", form, "--diagnostics-file", name, expect=expect)
                self.assertEqual((self.folder / name).read_bytes(), before)
                self.assertEqual(ran.stderr.count(b"--diagnostics-file would overwrite what is read"), 1, ran.stderr)

    def test_of_asm(self):
        self.write("wrong.uc", '#include "names.h"\n' + WRONG)
        self.write("good.uc", '#include "names.h"\n' + GOOD)
        self.write("names.h", "#define KIND 1\n")
        self.write("good.pins", "# none\n")
        (self.folder / "link.uc").symlink_to("wrong.uc")
        for source in ("wrong.uc", "good.uc"):
            self.kept(source, "asm", source, "-o", "x")
            self.kept("names.h", "asm", source, "-o", "x")
        self.kept("good.uc", "asm", "wrong.uc", "good.uc", "-o", ".")
        self.kept("link.uc", "asm", "wrong.uc", "-o", "x")
        self.kept("good.pins", "asm", "wrong.uc", "-o", "x", "--pin", "good.pins")
        self.assertFalse((self.folder / "x").exists())

    def test_of_run(self):
        project = {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}
        self.write("p.uc", GOOD)
        self.write("weft.json", json.dumps(project))
        self.kept("weft.json", "run", ".")
        self.kept("p.uc", "run", "weft.json")
        self.write("p.uc", WRONG)
        self.kept("p.uc", "run", ".")
        self.write("weft.json", json.dumps(dict(project, board="none")))
        self.kept("weft.json", "run", ".")
        self.write("weft.json", "{")
        self.kept("weft.json", "run", ".")

    def test_of_test(self):
        self.write("t/good.test.json", json.dumps({"version": 1, "code": ["nop"], "tests": [{"name": "good", "expect": {}}]}))
        self.kept("t/good.test.json", "test", "t/good.test.json")
        self.kept("t/good.test.json", "test", "t")
        self.write("t/wrong.test.json", "{")
        self.kept("t/wrong.test.json", "test", "t/wrong.test.json")
        self.kept("t/wrong.test.json", "test", "t")

    def untouched(self, name, *words, expect=1):
        """An output that would replace a file which the command reads, and which no message names."""
        before = (self.folder / name).read_bytes()
        ran = self.weft(*words, expect=expect)
        self.assertEqual((self.folder / name).read_bytes(), before, words)
        self.assertIn(b"would overwrite what is read", ran.stderr, words)
        self.assertIn(b"output-is-input", ran.stderr, words)
        return ran

    def project_with_includes(self, source):
        self.write("p.uc", '#include "parts/names.csv"\n' + source)
        self.write("parts/names.csv", '#include "deep.json"\n#define KIND 1\n')
        self.write("parts/deep.json", "#define DEEP 1\n")
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
                                            "ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "198.51.100.0/24"}}, "out": "left.pcap"}]}))

    def test_of_what_a_run_includes(self):
        self.project_with_includes(GOOD)
        run = ["run", ".", "--cycles", "1000"]
        for option in ("--coverage", "--profile", "--stats", "--packets", "--json", "--history", "--record"):
            ran = self.untouched("parts/deep.json", *run, f"{option}=parts/deep.json")
            self.assertEqual(ran.stdout, b"")
        self.untouched("parts/names.csv", *run, "--coverage", "parts/names.csv")
        self.untouched("parts/deep.json", *run, "--out", "0=parts/../parts/deep.json")
        (self.folder / "link.json").symlink_to("parts/deep.json")
        self.untouched("parts/deep.json", *run, "--json", "link.json")
        self.assertFalse((self.folder / "left.pcap").exists())
        self.kept("parts/deep.json", *run)
        self.weft(*run, "--json", "parts/other.json")
        self.weft(*run, "--json", "parts/other.json")  # its own output of before is not input
        # And where the sources have a mistake, which is of another file.
        self.project_with_includes(WRONG)
        self.kept("parts/deep.json", *run)
        self.kept("parts/names.csv", *run)

    def test_of_what_commands_name(self):
        self.project_with_includes(GOOD)
        self.write("other.uc", '#include "parts/names.csv"\nctx_arb[kill]\n')
        self.write("commands", "at 100: load 0 other.uc\n")
        run = ["run", ".", "--cycles", "1000", "--control", "commands"]
        self.untouched("other.uc", *run, "--out", "0=other.uc")
        self.kept("other.uc", *run)
        self.write("commands", "at 100: load 0 other.uc\nat 200: nonsense\n")
        self.kept("other.uc", *run)

    def test_of_what_a_configuration_names(self):
        for name in ("firewall.conf", "firewall.rules"):
            self.write(name, (SOURCE / "examples/firewall-napt" / name).read_text())
        run = ["run", str(SOURCE / "examples/firewall-napt"), "--cycles", "1000", "--set", f"control.config={self.folder}/firewall.conf"]
        self.untouched("firewall.rules", *run, "--out", "0=firewall.rules")
        self.kept("firewall.rules", *run)
        with open(self.folder / "firewall.conf", "a") as f:
            f.write("nonsense\n")
        self.kept("firewall.rules", *run)

    def test_of_what_tests_include(self):
        self.write("t/names.csv", '#include "deep.json"\n')
        self.write("t/deep.json", "#define DEEP 1\n")
        test = {"version": 1, "code": ['#include "names.csv"', "nop"], "tests": [{"name": "good", "expect": {}}]}
        self.write("t/good.test.json", json.dumps(test))
        self.untouched("t/deep.json", "test", "t", "--junit", "t/deep.json")
        self.untouched("t/names.csv", "test", "t", "--coverage", "t/names.csv")
        ran = self.weft("test", "t", "--history", "t/deep.json", expect=1)
        self.assertIn(b"--history would overwrite what is read", ran.stdout + ran.stderr)
        self.assertEqual((self.folder / "t/deep.json").read_text(), "#define DEEP 1\n")
        self.kept("t/deep.json", "test", "t")
        self.write("m/block.uc", '#include "deep.json"\n#macro add(x)\nalu[x, x, +, 1]\n#endm\n')
        self.write("m/deep.json", "#define DEEP 1\n")
        self.write("m/block.test.json", json.dumps({"version": 1, "blocks": ["block.uc"], "code": ['#include "block.uc"', ".reg volatile n", "add(n)"], "tests": [
            {"name": "one more", "set": {"n": 3}, "expect": {"values": {"n": 4}}}]}))
        self.kept("m/deep.json", "test", "m", "--mutate", "--mutation-floor", "0")
        # A case that cannot be assembled, and one that does not come to its end.
        self.write("t/good.test.json", json.dumps(dict(test, code=['#include "names.csv"', "nonsense[1]"])))
        self.kept("t/deep.json", "test", "t")
        loop = dict(test, code=['#include "names.csv"', "loop#:", "br[loop#]"])
        loop["tests"] = [{"name": "loops", "expect": {}, "limit": {"cycles": 4_000_000_000}}]
        self.write("t/good.test.json", json.dumps(loop))
        self.kept("t/deep.json", "test", "t", "--timeout", "0.5")
        self.write("t/page/index.html", "#define DEEP 1\n")
        self.write("t/good.test.json", json.dumps(dict(test, code=['#include "page/index.html"', "nop"])))
        self.untouched("t/page/index.html", "test", "t", "--coverage-html", "t/page")

    def test_of_what_a_measurement_includes(self):
        self.project_with_includes(GOOD)
        self.untouched("parts/deep.json", "bench", "throughput", ".", "--json", "parts/deep.json")

    def test_an_older_document_is_replaced(self):
        self.write("wrong.uc", WRONG)
        for _ in range(2):
            ran = self.weft("asm", "wrong.uc", "-o", "x", "--diagnostics", "json", "--diagnostics-file", "d.json", expect=1)
            self.assertNotIn(b"overwrite", ran.stderr)
            self.assertEqual(len(json.loads((self.folder / "d.json").read_text())["diagnostics"]), 1)

    def test_findings_of_a_run_name_file_and_line(self):
        self.write("p.uc", ".reg a b\n.set a\nimmed[b, 0]\n  alu[--, b, +, a]\nctx_arb[kill]\n")
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
                                            "limits": {"cycles": 100}}))
        run = self.weft("run", ".", "--check", "warn", "--diagnostics", "github")
        self.assertRegex(run.stdout + run.stderr, rb"::warning file=p\.uc,line=4,col=3,endColumn=19,title=check-uninitialised::")
        self.weft("run", ".", "--check", "warn", "--diagnostics", "sarif", "--diagnostics-file", "f.sarif")
        log = json.loads((self.folder / "f.sarif").read_text())
        sarif.check(log)
        (rule,) = {r["id"]: r for r in log["runs"][0]["tool"]["driver"]["rules"] if r["id"].startswith("check-")}.values()
        self.assertIn("nothing has written", rule["shortDescription"]["text"])


if __name__ == "__main__":
    unittest.main()
