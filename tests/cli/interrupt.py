"""Ctrl-C ends a run with its report."""
import json
import os
import select
import signal
import subprocess
import unittest

from weft_cli import WEFT, CliTest


class Interrupt(CliTest):
    def test_report_and_status(self):
        self.write("p.uc", "again#: br[again#]\n")
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
                                            "ports": [{"port": 0, "out": "o.pcap"}]}))
        run = subprocess.Popen([WEFT, "run", ".", "--progress", "on", "--json", "r.json"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            # The first words on standard error are the progress line: now it runs.
            seen = b""
            while b"simulated in" not in seen:
                ready, _, _ = select.select([run.stderr], [], [], 60)
                self.assertTrue(ready, "no progress within a minute")
                chunk = os.read(run.stderr.fileno(), 4096)
                self.assertTrue(chunk, "the run ended by itself")
                seen += chunk
            run.send_signal(signal.SIGINT)
            out, _ = run.communicate(timeout=60)
        finally:
            run.kill()
            run.wait()
        self.assertEqual(run.returncode, 130)
        self.assertIn(b"stopped: interrupted", out)
        self.assertIn(b"me0: p (1 words)", out)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(report["stop"], "interrupted")
        self.assertGreater(report["cycles"], 0)
        self.assertEqual((self.folder / "o.pcap").stat().st_size, 24)


if __name__ == "__main__":
    unittest.main(verbosity=1)
