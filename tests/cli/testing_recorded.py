"""weft test: recorded outputs, and `--update`."""
import json
import subprocess
import unittest

from weft_cli import SOURCE as ROOT
from weft_cli import WEFT, CliTest

FORWARDER = ROOT / "examples/ipv4-forwarder"


def frame(destination="198.51.100.7", ttl=64):
    return [{"ethernet": {"destination": "02:00:00:00:01:0a", "source": "02:00:00:00:00:0a"}},
            {"ipv4": {"source": "10.0.0.2", "destination": destination, "ttl": ttl}},
            {"udp": {"source": 1000, "destination": 9}}, {"payload": 26}]


SENT = "02000000000b02000000010b08004500"  # how the frame above begins after the forwarder


class Folder(CliTest):
    def write(self, name, content):
        return super().write(name, content if isinstance(content, str) else json.dumps(content, indent=1))

    def put_tests(self, *tests, name="a.test.json", **more):
        self.write(name, {"version": 1, "project": str(FORWARDER), "frames": {"plain": frame()}, "tests": list(tests), **more})

    def weft(self, *words, status=0):
        ran = subprocess.run([WEFT, "test", "--jobs", "2", *words], cwd=self.folder, capture_output=True, text=True, timeout=240)
        self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)
        return ran

    def recorded(self, name="out.json"):
        return json.loads((self.folder / name).read_text())


def case(name="one", ttl=64, expect=None, **more):
    return {"name": name, "in": [{"port": 0, "frame": frame(ttl=ttl)}], "expect": {"recorded": "out.json", **(expect or {})}, **more}


class Recorded(Folder):
    def test_written_compared_and_changed(self):
        self.put_tests(case(), case("two", 9))
        ran = self.weft(status=1)
        self.assertRegex(ran.stdout, r"a\.test\.json:\d+: there is no file out\.json yet; 'weft test --update' writes it")
        self.assertFalse((self.folder / "out.json").exists())

        ran = self.weft("--update")
        self.assertIn("recorded for the first time", ran.stdout)
        self.assertRegex(ran.stdout, r"frame 1 from port 1 is new: .*198\.51\.100\.7")
        self.assertIn("written: out.json", ran.stdout)
        cases = self.recorded()["cases"]
        self.assertEqual(sorted(cases), ["one", "two"])
        self.assertEqual([f["port"] for f in cases["one"]], [1])
        self.assertTrue(cases["one"][0]["frame"].startswith(SENT))
        self.assertEqual([cases[name][0]["frame"][44:46] for name in ("one", "two")], ["3f", "08"])  # TTL, less one
        self.assertIn("198.51.100.7", cases["one"][0]["is"])
        self.weft()
        text = (self.folder / "out.json").read_text()
        self.assertIn("no recorded output has changed", self.weft("--update").stdout)
        self.assertEqual((self.folder / "out.json").read_text(), text)

        self.put_tests(case(ttl=60), case("two", 9))
        ran = self.weft(status=1)
        self.assertIn("ipv4.ttl (octet 22): 63 -> 59", ran.stdout)
        self.assertRegex(ran.stdout, r"out\.json:\d+: frame 1 from port 1 is not as expected")
        ran = self.weft("--update")
        self.assertRegex(ran.stdout, r"a\.test\.json: one: ok.*\n    frame 1 from port 1 has changed:\n      ipv4.ttl \(octet 22\): 63 -> 59\n")
        self.assertNotIn("first time", ran.stdout)
        self.weft()

    def test_cases_that_do_not_run_keep_their_entries(self):
        self.put_tests(case(), case("two", 9))
        self.weft("--update")
        before = self.recorded()["cases"]
        self.put_tests(case(ttl=60), case("two", 8), case("three", 7))
        ran = self.weft("--filter", ": three$", status=1)
        self.assertIn("nothing is recorded for 'three' in out.json; 'weft test --update' adds it", ran.stdout)
        self.weft("--update", "--filter", ": (two|three)$")
        after = self.recorded()["cases"]
        self.assertEqual(after["one"], before["one"])
        self.assertNotEqual(after["two"], before["two"])
        self.assertIn("three", after)

    def test_frames_that_come_and_go(self):
        self.put_tests(case())
        self.weft("--update")
        twice = case()
        twice["in"][0]["times"] = 2
        self.put_tests(twice)
        self.assertIn("port 1 sent frame 2, which nobody expects", self.weft(status=1).stdout)
        self.assertIn("frame 2 from port 1 is new: ", self.weft("--update").stdout)
        self.put_tests(case("one", 1))  # goes to the control processor, which answers by port 0
        ran = self.weft("--update")
        self.assertIn("frame 1 from port 1 is gone: ", ran.stdout)
        self.assertIn("frame 2 from port 1 is gone: ", ran.stdout)
        self.weft()

    def test_a_case_that_fails_otherwise_is_not_recorded(self):
        self.put_tests(case(expect={"drops": {"source_martian": 3}}), case("two", 9))
        ran = self.weft("--update", status=1)
        self.assertIn("packets dropped for 'source_martian': 0, expected 3", ran.stdout)
        self.assertEqual(list(self.recorded()["cases"]), ["two"])

    def test_ignored_fields(self):
        self.put_tests(case())
        self.weft("--update")
        self.put_tests(case(ttl=60, expect={"ignore": ["ipv4.ttl", "ipv4.checksum"]}))
        self.weft()
        text = (self.folder / "out.json").read_text()
        self.assertIn("no recorded output has changed", self.weft("--update").stdout)
        self.assertEqual((self.folder / "out.json").read_text(), text)

    def test_rows_and_names_of_all_sorts(self):
        self.put_tests({**case('"odd" \\ ü'), "in": [{"port": 0, "frame": {"same_as": "plain", "change": {"ipv4.ttl": "${ttl}"}}}], "rows": [{"ttl": 7}, {"ttl": 6}]})
        self.weft("--update")
        self.assertEqual(list(self.recorded()["cases"]), ['"odd" \\ ü [1]', '"odd" \\ ü [2]'])
        self.weft()

    def test_two_files_with_one_name(self):
        self.put_tests(case())
        self.put_tests(case(ttl=9), name="b.test.json")
        ran = self.weft("--update", status=1)
        self.assertIn("out.json would hold 'one' of this file and of a.test.json", ran.stderr)
        self.assertFalse((self.folder / "out.json").exists())

    def test_wrong_files(self):
        self.put_tests(case())
        for text, message in (("{\"version\": 1, \"cases\": [}", "out.json:1:"), ({"version": 2, "cases": {}}, "this version of recorded outputs is not known"),
                              ({"version": 1, "cases": {"one": 5}}, "the frames of a case are a list"), ("[]", "a file with recorded outputs is one object"),
                              ({"version": 1, "cases": {"one": [{"port": 1, "frame": "0g"}]}}, "out.json:"), ({"version": 1, "cases": {}, "x": 1}, "'x'")):
            self.write("out.json", text)
            before = (self.folder / "out.json").read_text()
            self.assertIn(message, self.weft(status=1).stdout)
            self.assertIn(message, self.weft("--update", status=1).stdout)
            self.assertEqual((self.folder / "out.json").read_text(), before)

    def test_wrong_tests_and_command_lines(self):
        self.put_tests(case(expect={"out": []}))
        self.assertIn("'out' and 'recorded' both say which frames leave", self.weft(status=1).stderr)
        for name in ("b.test.json", "out.txt"):
            self.put_tests(case(expect={"recorded": name}))
            self.assertIn(f"'{name}' is not a name for a file with recorded outputs", self.weft(status=1).stderr)
        self.put_tests(case(expect={"recorded": "missing/out.json"}))
        self.assertIn("missing", self.weft("--update", status=1).stderr)
        for other in (["--seed", "4"], ["--list"], ["--mutate"]):
            self.assertIn("--update", self.weft("--update", *other, status=2).stderr)
        self.put_tests({"name": "one", "in": [{"port": 0, "frame": frame()}], "expect": {}})
        self.assertIn("nothing was recorded", self.weft("--update").stdout)


if __name__ == "__main__":
    unittest.main()
