"""weft bench: tables for people, JSON for programs."""
import json
import unittest

from weft_cli import SOURCE, CliTest

FORWARDER = SOURCE / "examples" / "ipv4-forwarder"


class Bench(CliTest):
    def test_throughput(self):
        done = self.weft("bench", "throughput", FORWARDER, "--packets", "300", "--sizes", "256,imix", "--stages", "--json", "b.json")
        text = done.stdout.decode()
        self.assertRegex(text, r"(?m)^   256 100\.0 %  0\.90\d +\d")
        self.assertRegex(text, r"(?m)^  imix 100\.0 % ")
        self.assertRegex(text, r"(?m)^ +1,2 .* forward$")
        figures = json.loads((self.folder / "b.json").read_text())
        self.assertEqual((figures["version"], figures["measured"]), (1, "throughput"))
        self.assertEqual([(t["size"], t["load-permille"], t["frames-in"], t["lost"]) for t in figures["trials"]],
                         [("256", 1000, 600, 0), ("imix", 1000, 600, 0)])

    def test_latency_and_loss(self):
        figures = json.loads(self.weft("bench", "latency", FORWARDER, "--packets", "100", "--sizes", "64", "--json", "-").stdout)
        self.assertEqual([t["load-permille"] for t in figures["trials"]], [1000, 750, 500, 250])
        for trial in figures["trials"]:
            latency = trial["latency-ns"]
            self.assertEqual(latency["packets"], 200)
            self.assertLessEqual(latency["least"], latency["median"])
            self.assertLessEqual(latency["median"], latency["p99"])
            self.assertLessEqual(latency["p99"], latency["most"])
        both = self.weft("bench", "loss", FORWARDER, "--packets", "2000", "--sizes", "64", "--json", "-",
                         "--set", "ports.1.in.generate.destinations=198.51.100.0/24").stdout
        lost = [t["lost"] for t in json.loads(both)["trials"]]
        self.assertEqual(lost, sorted(lost, reverse=True))
        self.assertEqual(lost[-2:], [0, 0])
        self.assertGreater(lost[0], 1500)

    def test_sizes_that_the_project_can_send(self):
        # IPv6 enters by two of the ports, so that 64 octets are too few.
        figures = json.loads(self.weft("bench", "throughput", SOURCE / "examples" / "dual-stack-router", "--packets", "20",
                                       "--load", "30", "--json", "-").stdout)
        self.assertEqual([t["size"] for t in figures["trials"]], ["78", "128", "256", "512", "1024", "1280", "1518", "imix"])
        self.assertEqual([(t["lost"], t["growing"]) for t in figures["trials"]], [(0, [])] * 8)
        self.assertIn(b"frame size 64 is not possible",
                      self.weft("bench", "throughput", SOURCE / "examples" / "dual-stack-router", "--sizes", "64", expect=1).stderr)

    def test_one_trial_at_the_line_rate(self):
        # Two ports into one: a search would find half of it.
        figures = json.loads(self.weft("bench", "throughput", FORWARDER, "--packets", "2000", "--sizes", "64", "--load", "100", "--json", "-",
                                       "--set", "ports.1.in.generate.destinations=198.51.100.0/24").stdout)
        self.assertEqual([t["load-permille"] for t in figures["trials"]], [1000])
        self.assertGreater(figures["trials"][0]["lost"], 1500)
        figures = json.loads(self.weft("bench", "loss", FORWARDER, "--packets", "50", "--sizes", "64", "--load", "30", "--json", "-").stdout)
        self.assertEqual([t["load-permille"] for t in figures["trials"]], [300])
        figures = json.loads(self.weft("bench", "latency", FORWARDER, "--packets", "50", "--sizes", "64", "--load", "50", "--json", "-").stdout)
        self.assertEqual([(t["load-permille"], t["latency-ns"]["packets"]) for t in figures["trials"]], [(500, 100)])

    def test_sizes_at_once(self):
        outputs = [self.weft("bench", "latency", FORWARDER, "--packets", "50", "--sizes", "512,64,imix,128", "--jobs", jobs,
                             "--json", jobs + ".json").stdout for jobs in ("1", "3", "0")]
        self.assertEqual(outputs, outputs[:1] * 3)
        files = [(self.folder / (jobs + ".json")).read_text() for jobs in ("1", "3", "0")]
        self.assertEqual(files, files[:1] * 3)
        self.assertEqual([t["size"] for t in json.loads(files[0])["trials"]],
                         [size for size in ("512", "64", "imix", "128") for _ in range(4)])

    def test_a_size_that_cannot_be_sent_among_others(self):
        # What was measured before it is shown; what comes behind it is given up.
        done = self.weft("bench", "throughput", SOURCE / "examples" / "dual-stack-router", "--packets", "20", "--load", "30",
                         "--sizes", "128,64,256", "--jobs", "3", "--json", "b.json", expect=1)
        self.assertIn(b"frame size 64 is not possible", done.stderr)
        self.assertRegex(done.stdout.decode(), r"(?m)^   128  30\.0 % ")
        self.assertNotRegex(done.stdout.decode(), r"(?m)^   256 ")
        figures = json.loads((self.folder / "b.json").read_text())
        self.assertEqual(([t["size"] for t in figures["trials"]], figures["complete"]), (["128"], False))

    def test_a_measurement_that_fails_leaves_former_figures(self):
        bench = ("bench", "throughput", SOURCE / "examples" / "dual-stack-router", "--load", "5", "--packets", "20", "--json")
        self.weft(*bench, "b.json", "--sizes", "128")
        before = (self.folder / "b.json").read_text()
        self.assertNotIn("complete", json.loads(before))
        self.weft(*bench, "b.json", "--sizes", "64", expect=1)
        self.assertEqual((self.folder / "b.json").read_text(), before)
        self.assertEqual(self.weft(*bench, "-", "--sizes", "64", expect=1).stdout, b"")

    def test_loss_at_any_load(self):
        done = self.weft("bench", "throughput", FORWARDER, "--packets", "100", "--sizes", "128", "--json", "b.json",
                         "--set", "ports.0.in.generate.destinations=9.9.9.0/24", expect=1)
        self.assertIn(b"[bench-loss]", done.stderr)
        self.assertIn(b"100 no_route", done.stderr)

    def test_a_paper_takes_no_options_of_trials(self):
        # They would be without effect, and the figures those of something else than was asked for.
        for options in (("--set", "board=enp2611"), ("--sizes", "1518"), ("--packets", "10"), ("--load", "1"), ("--mix", "data"),
                        ("--share", "50"), ("--stages",), ("--resolution", "1"), ("--jobs", "1")):
            done = self.weft("bench", "paper-mpls", SOURCE / "examples" / "mpls-router", "--quick", *options, expect=2)
            self.assertIn(options[0] + " does not go with paper-mpls", done.stderr.decode())
            self.assertEqual(done.stdout, b"")

    def test_wrong_command_lines(self):
        for arguments, words in (
                (("throughput", FORWARDER, "--sizes", "63"), "63"),
                (("latency", FORWARDER, "--mix", "all"), "all"),
                (("speed", FORWARDER), "speed"),
                (("throughput", FORWARDER, "--set", "x"), "KEY=VALUE"),
                (("throughput", FORWARDER, "--load", "nan"), "nan"),
                (("throughput", FORWARDER, "--resolution", "nan"), "nan"),
                (("latency", FORWARDER, "--load", "0.15"), "'0.15' is not a multiple of 0.1 %"),
                (("latency", FORWARDER, "--load", "1.25"), "'1.25' is not a multiple of 0.1 %"),
                (("throughput", FORWARDER, "--resolution", "0.25"), "'0.25' is not a multiple of 0.1 %"),
                (("throughput", FORWARDER, "--mix", "options", "--share", "0.04"), "'0.04' is not a multiple of 0.1 %"),
                (("throughput", FORWARDER, "--quick"), "paper-NAME"),
                (("latency", FORWARDER, "--share", "3"), "--mix"),
                (("throughput", FORWARDER, "--packets", "0"), "10")):
            done = self.weft("bench", *arguments, expect=2)
            self.assertIn(words, done.stderr.decode())
            self.assertEqual(done.stdout, b"")
        self.assertIn(b"no port of the project has generated traffic", self.weft("bench", "throughput", SOURCE / "examples" / "first", expect=1).stderr)
        self.assertIn(b"nowhere", self.weft("bench", "throughput", "nowhere", expect=1).stderr)


if __name__ == "__main__":
    unittest.main()
