"""A run says on standard error how fast it was."""
import json
import re
import unittest

from weft_cli import SOURCE, CliTest

LINE = re.compile(r"([0-9.]+) ms simulated in ([0-9.]+) s, ([0-9.]+) times (slower|faster) than the chip; "
                  r"([0-9.]+) million instructions/s, ([0-9]+) packets/s\n$")


class Speed(CliTest):
    def run_forwarder(self, *options):
        return self.weft("run", SOURCE / "examples/ipv4-forwarder", "--cycles", "300000", "--json", "r.json", *options)

    def test_the_end_of_a_run(self):
        run = self.run_forwarder("--progress", "on")
        self.assertEqual(run.returncode, 0, run.stderr)
        text = run.stderr.decode()
        match = LINE.search(text)
        self.assertTrue(match, text)
        simulated, host, ratio, word, millions, packets = match.groups()
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(float(simulated), round(1e3 * report["cycles"] / report["clock-hz"], 3))
        self.assertGreater(float(ratio), 0)
        self.assertGreater(report["instructions"], 0)
        # Both rates are of the same seconds.
        if float(millions) >= 0.5 and int(packets) >= 100:  # else rounding is in the way
            of_rates = 1e6 * float(millions) / int(packets)
            of_counts = report["instructions"] / report["packets"]["out"]
            self.assertLess(abs(of_rates / of_counts - 1), 0.1)

    def test_nothing_when_nobody_asks(self):
        for options in (["--progress", "off"], []):
            self.assertNotIn("simulated in", self.run_forwarder(*options).stderr.decode())


if __name__ == "__main__":
    unittest.main()
