"""weft run --record FILE, and reports from the file."""
import json
import shutil
import unittest

from weft_cli import SOURCE, CliTest

RESULTS = {"--stats=": "s.csv", "--packets ": "p.json", "--history ": "h.json", "--coverage ": "c.info", "--json ": "r.json"}


class Recordings(CliTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(SOURCE / "examples/ipv4-forwarder", self.folder / "a/examples/router")
        shutil.copytree(SOURCE / "lib/microblocks", self.folder / "a/lib/microblocks")

    def results(self, prefix):
        options = []
        for option, name in RESULTS.items():
            options += [part for part in (option + prefix + name).split(" ")]
        return options

    def record(self, *more):
        return self.weft("run", "a/examples/router", "--cycles", 30000, "--record", "run.weftrec", *more)

    def test_reports_are_those_of_the_run(self):
        ran = self.record(*self.results("ran-"))
        shutil.rmtree(self.folder / "a")
        told = self.weft("run", "run.weftrec", *self.results("told-"))
        self.assertEqual(ran.stdout, told.stdout)
        for name in RESULTS.values():
            one, other = (self.folder / ("ran-" + name)).read_bytes(), (self.folder / ("told-" + name)).read_bytes()
            self.assertGreater(len(one), 100)
            self.assertEqual(one, other, name)

    def test_it_goes_on(self):
        self.record()
        self.weft("run", "run.weftrec", "--cycles", 40000, "--json", "on.json", "--coverage", "on.csv")
        self.weft("run", "a/examples/router", "--cycles", 40000, "--json", "straight.json", "--coverage", "straight.csv")
        straight, on = (json.loads((self.folder / n).read_text()) for n in ("straight.json", "on.json"))
        self.assertEqual(straight, on)
        self.assertEqual((self.folder / "straight.csv").read_text(), (self.folder / "on.csv").read_text())

    def test_two_recordings_of_a_run_are_the_same_file(self):
        self.record()
        first = (self.folder / "run.weftrec").read_bytes()
        self.record()
        self.assertEqual(first, (self.folder / "run.weftrec").read_bytes())

    def test_limits(self):
        said = self.record("--record-limit", "100K").stderr.decode()
        self.assertIn("run.weftrec: the history begins at cycle", said)
        said = self.weft("run", "run.weftrec").stderr.decode()
        self.assertIn("run.weftrec: the history begins at cycle", said)
        for wrong in ("0", "many", "5X", "-1", "99999999999G"):
            self.assertIn("a size is expected", self.weft("run", "a/examples/router", "--record", "x", f"--record-limit={wrong}", expect=2).stderr.decode())
        self.assertIn("is for --record", self.weft("run", "a/examples/router", "--record-limit", "1M", expect=2).stderr.decode())

    def test_what_is_refused(self):
        self.record()
        for options in (["--seed", 1], ["--set", "seed=1"], ["--in", "0=x.pcap"], ["--out", "0=x.pcap"], ["--control", "x"], ["--check", "warn"], ["--record", "y"]):
            self.assertIn("is a recording", self.weft("run", "run.weftrec", *options, expect=2).stderr.decode())
        self.assertIn("no profile was made", self.weft("run", "run.weftrec", "--profile", "p.txt", expect=1).stderr.decode())
        self.assertIn("--json", self.weft("run", "run.weftrec", "--json", "run.weftrec", expect=1).stderr.decode())
        whole = (self.folder / "run.weftrec").read_bytes()
        self.write("cut.weftrec", whole[: len(whole) // 2])
        said = self.weft("run", "cut.weftrec", expect=1).stderr.decode()
        self.assertIn("cut.weftrec", said)
        self.assertIn("cut off or damaged", said)
        self.assertIn("recording-damaged", said)

    def test_captures_of_the_run_are_not_written_again(self):
        self.weft("run", "a/examples/router", "--cycles", 30000, "--out", "0=out.pcap", "--record", "run.weftrec")
        (self.folder / "out.pcap").unlink()
        self.weft("run", "run.weftrec")
        self.assertFalse((self.folder / "out.pcap").exists())


if __name__ == "__main__":
    unittest.main()
