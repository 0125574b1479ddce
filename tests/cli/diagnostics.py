#!/usr/bin/env python3
"""Messages for programs: one document whatever was assembled, SARIF as its standard says, annotations, and no two results
in one stream."""
import json
import re
import unittest

from weft_cli import CliTest

WRONG = ".reg count\nimmed[cuont, 1]\nctx_arb[kill]\n"
GOOD = "ctx_arb[kill]\n"
# RFC 3986, appendix A: a relative reference made of unreserved and escaped characters.
URI_REFERENCE = re.compile(r"(?:[A-Za-z0-9\-._~/!$&'()*+,;=@]|%[0-9A-F]{2})+")


class Sarif:
    """What the schema of SARIF 2.1.0 (OASIS, sarif-schema-2.1.0.json) asks of the objects that we write: their required
    and permitted members, types, limits, and what must be unique."""

    def __init__(self, test, log):
        self.test = test
        test.assertEqual((log["version"], set(log)), ("2.1.0", {"$schema", "version", "runs"}))
        test.assertRegex(log["$schema"], r"^https://.*sarif-2\.1\.0\.json$")
        for run in log["runs"]:
            self.run(run)

    def object(self, value, required, permitted):
        self.test.assertIsInstance(value, dict)
        self.test.assertLessEqual(set(required), set(value))
        self.test.assertLessEqual(set(value), set(required) | set(permitted))

    def unique(self, values):
        texts = [json.dumps(v, sort_keys=True) for v in values]
        self.test.assertEqual(len(texts), len(set(texts)))

    def message(self, value):
        self.object(value, ["text"], [])
        self.test.assertIsInstance(value["text"], str)

    def run(self, run):
        self.object(run, ["tool", "results"], ["columnKind"])
        self.test.assertIn(run["columnKind"], ("utf16CodeUnits", "unicodeCodePoints"))
        self.object(run["tool"], ["driver"], [])
        driver = run["tool"]["driver"]
        self.object(driver, ["name"], ["version", "rules"])
        self.test.assertTrue(driver["version"])
        self.unique(driver["rules"])
        for rule in driver["rules"]:
            self.object(rule, ["id"], ["shortDescription", "help"])
            self.message(rule["shortDescription"])
            if "help" in rule:
                self.message(rule["help"])
        for result in run["results"]:
            self.result(result, driver["rules"])

    def result(self, result, rules):
        self.object(result, ["message"], ["ruleId", "ruleIndex", "level", "locations", "relatedLocations", "fixes"])
        self.message(result["message"])
        self.test.assertIn(result["level"], ("none", "note", "warning", "error"))
        self.test.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
        for location in result["locations"]:
            self.location(location)
        related = result.get("relatedLocations", [])
        self.unique(related)
        self.test.assertEqual([r["id"] for r in related], list(range(len(related))))
        for location in related:
            self.location(location)
        self.unique(result.get("fixes", []))
        for fix in result.get("fixes", []):
            self.object(fix, ["artifactChanges"], ["description"])
            self.test.assertTrue(fix["artifactChanges"])
            self.unique(fix["artifactChanges"])
            for change in fix["artifactChanges"]:
                self.object(change, ["artifactLocation", "replacements"], [])
                self.test.assertTrue(change["replacements"])
                for replacement in change["replacements"]:
                    self.object(replacement, ["deletedRegion"], ["insertedContent"])
                    self.region(replacement["deletedRegion"])
                    self.object(replacement["insertedContent"], ["text"], [])

    def location(self, location):
        self.object(location, [], ["id", "physicalLocation", "message"])
        if "message" in location:
            self.message(location["message"])
        if "physicalLocation" not in location:
            return
        physical = location["physicalLocation"]
        self.object(physical, ["artifactLocation"], ["region"])
        self.object(physical["artifactLocation"], ["uri"], [])
        self.test.assertTrue(URI_REFERENCE.fullmatch(physical["artifactLocation"]["uri"]), physical)
        if "region" in physical:
            self.region(physical["region"])

    def region(self, region):
        self.object(region, ["startLine"], ["startColumn", "endLine", "endColumn"])
        for value in region.values():
            self.test.assertIsInstance(value, int)
            self.test.assertGreaterEqual(value, 1)
        if region.get("endLine") == region["startLine"]:
            self.test.assertGreaterEqual(region["endColumn"], region["startColumn"])


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
        Sarif(self, log)
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
        Sarif(self, json.loads((self.folder / "x.sarif").read_text()))
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
            Sarif(self, log)
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


class OfRunsAndTests(CliTest):
    def project(self, source):
        self.write("p.uc", source)
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}))

    def test_run(self):
        self.project(WRONG)
        ran = self.weft("run", ".", "--diagnostics", "sarif", expect=1)
        log = json.loads(ran.stdout)
        Sarif(self, log)
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
        Sarif(self, log)
        results = {r["ruleId"]: r for r in log["runs"][0]["results"]}
        self.assertEqual(set(results), {"test-failed", "test-broken"})
        self.assertIn("bad: r is 0x3 (3), expected 0x4 (4)", results["test-failed"]["message"]["text"])
        place = results["test-failed"]["locations"][0]["physicalLocation"]
        line = (self.folder / "a.test.json").read_text().splitlines()[place["region"]["startLine"] - 1]
        self.assertIn("4", line)
        out = self.weft("test", "a.test.json", "--diagnostics", "github", expect=1).stdout.decode()
        self.assertRegex(out, r"(?m)^::error file=a\.test\.json,line=\d+,.*title=test-failed::bad: r is 0x3")
        self.weft("test", "a.test.json", "--diagnostics", "json", expect=2)


if __name__ == "__main__":
    unittest.main()
