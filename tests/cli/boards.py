"""Chips, boards, and boards of several chips."""
import json
import unittest

from weft_cli import SOURCE, CliTest

TWO = SOURCE / "examples" / "two-chips"


class Boards(CliTest):
    def test_list_and_show(self):
        listed = self.weft("chip", "list").stdout.decode()
        for name in ("ixp1200", "ixp1200-a", "ixp1200-nctu", "ixp2400", "ixp2800", "enp2611", "itj-dual-2400", "nctu-1200", "generic-2400"):
            self.assertRegex(listed, rf"(?m)^  {name} +\S")
        shown = self.weft("chip", "show", "itj-dual-2400").stdout.decode()
        self.assertIn("chip 0 ingress: ixp2400, ports 0 1 2 3\nchip 1 egress: ixp2400, ports 4 5 6 7\n", shown)
        self.assertIn("link to-egress0: ingress channel 4 > egress channel 4\n", shown)
        self.assertRegex(shown, r"(?m)^/links/0/buffer_mpackets +8 +chosen")
        variant = self.weft("chip", "show", "ixp1200-nctu").stdout.decode()
        self.assertIn("based on ixp1200-a\n", variant)
        self.assertRegex(variant, r"(?m)^/units/sram/unloaded +30 +ixp1200-nctu +NCTU")
        self.assertRegex(variant, r"(?m)^/engines/control_store_words +1024 +ixp1200-a +\S")
        self.assertRegex(variant, r"(?m)^/engines/count +6 +ixp1200 +\S")
        for path in (SOURCE / "emulator").glob("*/*.json"):
            self.assertIn(b": good", self.weft("chip", "check", path).stdout)

    def test_frames_too_long_for_a_port_are_lost_for_the_packet_tracker_too(self):
        board = (SOURCE / "emulator" / "boards" / "generic-2400.json").read_text()
        buffer = '"transmit_buffer": {"value": "16K"'
        self.assertIn(buffer, board)
        (self.folder / "small.json").write_text(board.replace(buffer, '"transmit_buffer": {"value": 64'))
        self.weft("run", SOURCE / "examples" / "ipv4-forwarder", "--set", f"board={self.folder / 'small.json'}", "--set", "ports.0.in.generate.count=60",
                  "--set", "ports.1.in.generate.count=60", "--packets", "k.json", "--json", "r.json")
        report, tracker = (json.loads((self.folder / name).read_text()) for name in ("r.json", "k.json"))
        verdicts = [packet["verdict"] for packet in tracker["packets"]]
        self.assertEqual((verdicts.count("lost-out"), verdicts.count("forwarded"), verdicts.count("in-flight")),
                         (report["packets"]["lost"], report["packets"]["out"], 0))
        self.assertGreater(report["packets"]["lost"], 20)
        self.assertGreater(report["packets"]["out"], 20)

    def test_the_history_has_the_contexts_of_the_chip(self):
        # Of a profile that has eight, as report, statistics and profile have them.
        self.write("four.json", json.dumps({"format": "weft-chip", "version": 1, "name": "four", "based_on": "ixp2400", "summary": "half the contexts",
                                            "engines": {"contexts": {"value": 4, "source": "chosen: a test"}}}))
        board = (SOURCE / "emulator" / "boards" / "generic-2400.json").read_text()
        self.write("board.json", board.replace('"ixp2400"', '"four.json"'))
        self.weft("run", SOURCE / "examples" / "first", "--set", f"board={self.folder / 'board.json'}", "--cycles", "3000",
                  "--history", "h.json", "--json", "r.json")
        history, report = (json.loads((self.folder / name).read_text()) for name in ("h.json", "r.json"))
        self.assertEqual({c["context"] for c in report["contexts"]}, {0, 1, 2, 3})
        contexts = [sorted((c["engine"], c["context"]) for c in document["contexts"]) for document in (history, report)]
        self.assertEqual(contexts[0], contexts[1])

    def run_two(self, *arguments, **named):
        return self.weft("run", TWO, "--set", "ports.0.in.generate.count=6", "--set", "ports.1.in.generate.count=3", *arguments, **named)

    def test_a_run_of_two_chips(self):
        text = self.run_two("--json", "r.json", "--out", "4=four.pcap", "--out", "6=six.pcap", "--stats=s.csv", "--profile", "p.txt",
                            "--coverage", "c.info", "--packets", "t.txt").stdout.decode()
        self.assertIn("9 in, 9 out", text)
        self.assertIn("egress me0: pass", text)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual([link["frames"] for link in report["links"]], [6, 0, 3, 0, 0, 0, 0, 0])
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         sorted(["r.json", "four.pcap", "six.pcap"] + [f"{name}.{chip}.{ending}" for chip in ("ingress", "egress")
                                                                     for name, ending in (("s", "csv"), ("p", "txt"), ("c", "info"), ("t", "txt"))]))
        self.assertIn("9 forwarded", (self.folder / "t.egress.txt").read_text())
        again = self.run_two("--engine", "fast", "--json", "-").stdout
        self.assertEqual(json.loads(again), report)

    def test_cycles_of_a_limit_are_those_of_the_chip(self):
        board = (SOURCE / "emulator/boards/itj-dual-2400.json").read_text()
        clock = '"clock_mhz": {"value": 600'
        first = board.index(clock)
        second = board.index(clock, first + 1)
        self.write("slow.json", board[:second] + board[second:].replace(clock, '"clock_mhz": {"value": 300', 1))
        slow = ["--set", f"board={self.folder / 'slow.json'}", "--json", "r.json"]
        # The report counts in cycles of the first chip.
        for limit, cycles in (("egress: 3000 cycles", 6000), ("egress: 3000", 6000), ("ingress: 3000 cycles", 3000), ("3000 cycles", 3000),
                              ("egress: cycle >= 3000", 6000), ("egress: 5us", 3000), ("egress: 7 packets", None)):
            with self.subTest(limit=limit):
                self.run_two(*slow, "--until", limit)
                report = json.loads((self.folder / "r.json").read_text())
                self.assertEqual(report["cycles"], cycles or report["cycles"])
        self.assertEqual(report["stop"], "the limit of 7 packets was reached")
        said = self.run_two(*slow, "--until", "egress: 18446744073709551615 cycles", expect=2).stderr.decode()
        self.assertIn("help: the largest is 922337203685477580 cycles\n", said)

    def test_one_chip_is_named(self):
        done = self.run_two("--until", "egress: port4.transmitted == 2", "--log", "egress:copy#=out {ctx} {status:x}", "--json", "r.json")
        self.assertIn("'egress: port4.transmitted == 2' has become true", json.loads((self.folder / "r.json").read_text())["stop"])
        self.assertGreaterEqual(done.stderr.count(b"out 0 "), 2)
        self.assertIn(b"no register 'x'", self.run_two("--until", "egress: me0.x == 2", expect=2).stderr)
        self.write("c.txt", "at 5us on egress: write scratch[0x10] = 9\nat 9us on egress: print {scratch[0x10]}\n")
        self.assertIn(b"9\n", self.run_two("--control", "c.txt").stderr)
        self.write("c.txt", "at 5us on agress: write scratch[0x10] = 9\n")
        self.assertIn(b"c.txt:1:1: error: there is no chip 'agress'", self.run_two("--control", "c.txt", expect=1).stderr)

    def test_files_of_chips_are_checked_before_the_run(self):
        self.write("c.egress.txt", "at 5us: print x\n")
        done = self.run_two("--control", "c.egress.txt", "--profile", "c.txt", expect=1)
        self.assertIn(b"overwrite", done.stderr)
        self.assertEqual(done.stdout, b"")


if __name__ == "__main__":
    unittest.main()
