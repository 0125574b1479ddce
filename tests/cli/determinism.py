"""Two runs of the forwarder give identical reports and identical output files."""
import json
import unittest

from weft_cli import SOURCE, CliTest

EXAMPLE = SOURCE / "examples" / "ipv4-forwarder"


class Determinism(CliTest):
    def run_once(self, tag):
        value = [f"--out={port}={tag}{port}.pcap" for port in (0, 1)]
        done = self.weft("run", EXAMPLE, "--json", f"{tag}.json", "--set", "limits.packets=2000", *value)
        captures = [(self.folder / f"{tag}{port}.pcap").read_bytes() for port in (0, 1)]
        return done.stdout, (self.folder / f"{tag}.json").read_bytes(), captures

    def test_two_runs(self):
        first, second = self.run_once("a"), self.run_once("b")
        self.assertEqual(first, second)
        report = json.loads(first[1])
        self.assertGreater(report["packets"]["out"], 0)
        self.assertGreater(max(len(c) for c in first[2]), 1000)

    def test_context_cycles_sum(self):
        report = json.loads(self.run_once("c")[1])
        engines = {}
        for row in report["contexts"]:
            total = row["executing"] + row["aborted"] + row["stalled"] + row["idle"]
            engines.setdefault(row["engine"], set()).add(total)
        self.assertTrue(engines)
        for totals in engines.values():
            self.assertEqual(len(totals), 1, "every context of an engine accounts for the same time")


if __name__ == "__main__":
    unittest.main(verbosity=1)
