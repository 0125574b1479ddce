"""scripts/skips on results that are written here; with WEFT_RESULTS=FILE instead: no test in FILE is newly skipped (.ci/run)."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
RESULTS = os.environ.get("WEFT_RESULTS")

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="t" tests="3" failures="0" disabled="0" skipped="1">\n'
RUN = '<testcase name="a: runs" classname="a: runs" time="1" status="run"><system-out>SKIPPED: no: it has run</system-out></testcase>\n'
SKIPPED = ('<testcase name="a: x: y" classname="a: x: y" time="0" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>'
           "<system-out>Filters: x\nSKIPPED: x: y: no file &amp; no folder\nbye</system-out></testcase>\n")
BARE = '<testcase name="b" classname="b" time="0" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>\n'


def skips(*arguments):
    return subprocess.run([ROOT / "scripts/skips", *arguments], capture_output=True, text=True)


class Skips(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, cases, listed):
        (self.folder / "r.xml").write_text(HEAD + cases + "</testsuite>\n")
        (self.folder / "known.txt").write_text(listed)
        return skips(self.folder / "r.xml", "--known", self.folder / "known.txt")

    def test_none(self):
        done = self.check(RUN, "")
        self.assertEqual((done.returncode, done.stdout), (0, "0 tests skipped\n"))

    def test_known(self):
        done = self.check(RUN + SKIPPED, "# why\n\na: x: y\nanother that runs\n")
        self.assertEqual((done.returncode, done.stdout), (0, "1 tests skipped, none new\n  a: x: y: no file & no folder\n"))

    def test_new(self):
        done = self.check(SKIPPED + RUN + BARE, "b\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 tests skipped\n  NEW a: x: y: no file & no folder\n  b: SKIP_RETURN_CODE=77\n1 of them are new", done.stdout)

    def test_a_comment_lists_nothing(self):
        self.assertEqual(self.check(BARE, "# b\n").returncode, 1)

    def test_no_results(self):
        done = skips(self.folder / "nothing.xml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing.xml", done.stderr)

    def test_half_written_results(self):
        (self.folder / "r.xml").write_text(HEAD)
        self.assertEqual(skips(self.folder / "r.xml").returncode, 1)


class Results(unittest.TestCase):
    def test_no_skip_is_new(self):
        done = skips(RESULTS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(defaultTest="Results" if RESULTS else "Skips")
