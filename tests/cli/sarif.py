"""SARIF logs: rules of our own, written from the standard, and the published schema where the host has it.

WEFT_SARIF_SCHEMA names the file with the published schema (OASIS, sarif-schema-2.1.0.json); it is not part of the project.
"""
import json
import os
import pathlib
import re
import unittest

import jsonschema  # scripts/setup installs it
from weft_cli import SOURCE, CliTest, main

OURS = json.loads(pathlib.Path(__file__).with_name("sarif_schema.json").read_text())
PUBLISHED = os.environ.get("WEFT_SARIF_SCHEMA", "")


def check(log):
    """Fails when `log` is not what the standard asks for."""
    jsonschema.Draft202012Validator(OURS).validate(log)
    if PUBLISHED:
        check_published(log)
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert len(rules) == len(set(rules)), "a rule stands twice"
        for result in run["results"]:
            assert rules[result["ruleIndex"]] == result["ruleId"], f"rule {result['ruleIndex']} is not {result['ruleId']}"
            ids = [related["id"] for related in result.get("relatedLocations", [])]
            assert len(ids) == len(set(ids)), "two locations of a result have one id (3.28.2)"
            for region in regions(result):
                if "endLine" in region:
                    begin, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
                    assert begin <= end, f"a region ends before it begins: {region}"


def check_published(log):
    schema = json.loads(pathlib.Path(PUBLISHED).read_text())
    jsonschema.validators.validator_for(schema)(schema).validate(log)


def regions(value):
    """Every region inside."""
    if isinstance(value, list):
        for one in value:
            yield from regions(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in ("region", "deletedRegion"):
                yield one
            else:
                yield from regions(one)


class Logs(CliTest):
    def log_of(self, *words):
        (self.folder / "log.sarif").unlink(missing_ok=True)
        self.weft(*words, "--diagnostics", "sarif", "--diagnostics-file", "log.sarif", expect=1)
        return json.loads((self.folder / "log.sarif").read_text())

    def log_of_examples(self):
        """Of everything that docs/diagnostics.md shows as wrong, in one log."""
        text = (SOURCE / "docs/diagnostics.md").read_text()
        examples = re.findall(r"(?ms)^### (\S+)$(?:(?!^### ).)*?^Wrong:\n\n```\n(.*?)^```$", text)
        for code, example in examples:
            self.write(f"{code}.uc", example)
        (self.folder / "out").mkdir()
        return self.log_of("asm", *(f"{code}.uc" for code, _ in examples), "-Wall", "-o", "out")


class Own(Logs):
    def test_every_wrong_example(self):
        log = self.log_of_examples()
        check(log)
        self.assertGreater(len(log["runs"][0]["results"]), 100)
        self.assertGreater(len(log["runs"][0]["tool"]["driver"]["rules"]), 100)

    def test_what_the_rules_refuse(self):
        """A log with one thing wrong at a time, or the rules would be no test."""
        self.write("wrong.uc", "#macro m(x)\nimmed[cuont, x]\n#endm\n.reg count\nm(1)\nalu[--, --, B, count]\nctx_arb[kill]\n")
        good = self.log_of("asm", "wrong.uc", "-o", "out")
        check(good)
        text = json.dumps(good)
        result = good["runs"][0]["results"][0]
        self.assertIn("relatedLocations", result)
        self.assertIn("fixes", result)
        for before, after in (('"2.1.0"', '"2.0.0"'), ('"unicodeCodePoints"', '"bytes"'), ('"ruleIndex": 0', '"ruleIndex": 1'),
                              ('"level": "error"', '"level": "fatal"'), ('"startLine": 2', '"startLine": 0'),
                              ('"endLine": 2', '"endLine": 1'), ('"uri": "wrong.uc"', '"uri": "a b.uc"'),
                              ('"uri": "wrong.uc"', '"uri": "//host/b.uc"'), ('"replacements"', '"replacement"'),
                              ('"shortDescription"', '"description"'), ('"id": 0', '"id": -1')):
            with self.subTest(after=after):
                self.assertIn(before, text)
                with self.assertRaises((jsonschema.ValidationError, AssertionError, IndexError)):
                    check(json.loads(text.replace(before, after)))
        self.assertEqual(len(result["fixes"]), 1)

    def test_a_name_that_begins_with_two_slashes(self):
        """Read as a URI reference it would name a host."""
        file = self.write("wrong.uc", "immed[zz, 1]\nctx_arb[kill]\n")
        log = self.log_of("asm", f"/{file}", "-o", "out")
        check(log)
        uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertRegex(uri, r"^/[^/]")


class Published(Logs):
    @unittest.skipUnless(PUBLISHED, "WEFT_SARIF_SCHEMA does not name the published schema")
    def test_every_wrong_example(self):
        check_published(self.log_of_examples())
        self.write("wrong.uc", "immed[zz, 1]\n")
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "wrong.uc", "engines": [0]}]}))
        self.write("a.test.json", json.dumps({"version": 1, "code": ["nop"], "tests": [
            {"name": "bad", "expect": {"values": {"zz": 1}}}, {"name": "wrong", "code": ["immed[zzz, 1]"], "expect": {}}]}))
        for words in (("run", "."), ("test", "a.test.json"), ("asm", "none.uc", "-o", "out"), ("run", "none")):
            with self.subTest(words=words):
                log = self.log_of(*words)
                self.assertTrue(log["runs"][0]["results"])
                check_published(log)

    @unittest.skipUnless(PUBLISHED, "WEFT_SARIF_SCHEMA does not name the published schema")
    def test_it_refuses_what_is_wrong(self):
        with self.assertRaises(jsonschema.ValidationError):
            check_published({"version": "2.1.0", "runs": [{"results": []}]})


if __name__ == "__main__":
    main()
