"""Ctrl-C ends a run with its report."""
import json
import signal
import unittest

from weft_cli import CliTest


class Interrupt(CliTest):
    def test_report_and_status(self):
        self.write("p.uc", "again#: br[again#]\n")
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
                                            "ports": [{"port": 0, "out": "o.pcap"}]}))
        out = self.interrupted(signal.SIGINT, "--json", "r.json")
        self.assertIn(b"me0: p (1 words)", out)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(report["stop"], "interrupted")
        self.assertGreater(report["cycles"], 0)
        self.assertEqual((self.folder / "o.pcap").stat().st_size, 24)


if __name__ == "__main__":
    unittest.main(verbosity=1)
