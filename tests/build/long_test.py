"""scripts/long and scripts/floors with stand-ins for what they run: shares, failures that are not hidden, and lists that are whole."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()


class StandIns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("scripts/long", "scripts/floors", "scripts/common.sh"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        for block in self.blocks():
            (self.folder / "lib/microblocks" / block).mkdir(parents=True)
        self.program("scripts/fuzz", 'if [[ $1 == --list ]]; then printf "%s\\n" one two three; exit; fi\necho "scripts/fuzz $*"\n[[ ! -f broken || $2 != two ]]')
        self.program("bin/cmake", "exit 0")
        self.program("build/release/bin/weft_test_cosim", 'echo "programs $WEFT_PROGRAMS seed $WEFT_SEED"\n[[ ! -f broken || $WEFT_SEED == 5 ]]')
        self.program("build/release/bin/weft", 'echo "weft $*"\n[[ ! -f broken || $2 != lib/microblocks/order ]]')

    @staticmethod
    def blocks():
        return [folder.name for folder in (ROOT / "lib/microblocks").iterdir() if folder.is_dir()]

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{text}\n")
        path.chmod(0o755)

    def run_script(self, *words, broken=False):
        if broken:
            (self.folder / "broken").write_text("")
        done = subprocess.run([self.folder / "scripts" / words[0], *words[1:]], capture_output=True, text=True, timeout=60,
                              env={"PATH": f"{self.folder}/bin:/usr/bin:/bin", "WEFT_PRESET": "release"})
        return done.returncode, done.stdout + done.stderr


class Long(StandIns):
    def test_fuzzing_is_shared_by_targets_and_processes(self):
        status, said = self.run_script("long", "fuzz", "--share", "0.01", "--jobs", "2")
        self.assertEqual(status, 0, said)
        self.assertIn("scripts/fuzz 288 one three", said)
        self.assertIn("scripts/fuzz 288 two", said)

    def test_programs_of_all_processes_are_different(self):
        status, said = self.run_script("long", "programs", "--share", "0.001", "--jobs", "2", "--seed", "5")
        self.assertEqual(status, 0, said)
        self.assertEqual(sorted(re.findall(r"programs (\d+) seed (\d+)", said)), [("213", "218"), ("213", "5")])
        self.assertIn("long: programs: 1001 random programs from seed 5", said)
        self.assertTrue((self.folder / "build/long/programs.txt").read_text().endswith("nothing found, share 0.001\n"))

    def test_a_failure_of_one_process_is_a_failure(self):
        for name in "programs", "fuzz", "mutation":
            status, said = self.run_script("long", name, "--share", "0.001", "--jobs", "2", "--seed", "5", broken=True)
            self.assertEqual(status, 1, said)
            self.assertIn("FAILED, share 0.001", said)
        status, said = self.run_script("long", "all", "--share", "0.001", "--jobs", "2", broken=True)
        self.assertEqual(status, 1)
        self.assertIn("found something in: fuzz programs packets mutation", said)  # there is no long_packets.py here

    def test_wrong_arguments(self):
        for words in ((), ("packet",), ("fuzz", "--share", "0"), ("fuzz", "--share", "2"), ("fuzz", "--share", "x"), ("fuzz", "--share"), ("fuzz", "--jobs", "0")):
            status, said = self.run_script("long", *words)
            self.assertEqual(status, 1, said)
            self.assertNotIn("scripts/fuzz ", said)

    def test_the_schedule_names_commands_that_are_there(self):
        jobs = [line.split(None, 5)[5] for line in (ROOT / ".ci/schedule").read_text().splitlines() if line and not line.startswith("#")]
        for name in "fuzz", "programs", "packets", "mutation":
            self.assertTrue(any(job.startswith(f"scripts/long {name}") for job in jobs), name)
        for job in jobs:
            self.assertTrue((ROOT / job.split()[0]).exists(), job)


class Floors(StandIns):
    def test_what_is_run(self):
        status, said = self.run_script("floors")
        self.assertEqual(status, 0, said)
        self.assertIn("weft test --quiet lib/microblocks --coverage-floor 95\n", said)
        self.assertIn("weft test lib/microblocks/drr --mutate --mutants 40 --seed 1 --mutation-floor 95 --quiet\n", said)
        self.assertIn(f"floors: {len(self.blocks())} blocks, 40 mutants", said)
        status, said = self.run_script("floors", "--mutants", "1000", "--seed", "7", "tcp_state")
        self.assertEqual(status, 0, said)
        self.assertIn("weft test lib/microblocks/tcp_state --mutate --mutants 1000 --seed 7 --mutation-floor 95 --quiet\n", said)
        self.assertNotIn("coverage", said)

    def test_a_block_below_its_floor_is_named_behind_the_others(self):
        status, said = self.run_script("floors", broken=True)
        self.assertEqual(status, 1)
        self.assertIn("lib/microblocks/transmit ", said)
        self.assertTrue(said.endswith("floors: below the floor, or wrong: order\n"), said[-200:])

    def test_a_new_block_counts_and_an_unknown_one_is_named(self):
        (self.folder / "lib/microblocks/new").mkdir()
        status, said = self.run_script("floors")
        self.assertEqual(status, 0, said)
        self.assertIn("weft test lib/microblocks/new --mutate --mutants 40 --seed 1 --mutation-floor 95 --quiet\n", said)
        status, said = self.run_script("floors", "nothing")
        self.assertEqual((status, said), (1, "floors: there is no block 'nothing'\n"))


if __name__ == "__main__":
    unittest.main()
