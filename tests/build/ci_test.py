""".ci/run with stand-ins for scripts/test, timeout and ctest: what it runs last, and how it ends."""
import importlib.machinery
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()

SKIP = ('<testcase name="{}" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>SKIPPED: x: no file</system-out>'
        "</testcase>")
PASSED = "1/2 Test #1: a: one ........   Passed    0.01 sec\n"
FAILED = PASSED + "2/2 Test #2: a: two (b) ...***Failed    0.01 sec\n"


class CiRun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("scripts", "tests", ".ci", "bin", "build/dev", "build/asan"):
            (self.folder / name).mkdir(parents=True)
        for name in (".ci/run", "scripts/skips"):
            shutil.copy(ROOT / name, self.folder / name)
        (self.folder / "tests/skips.txt").write_text("known\n")
        # Each says how it was called; results and status come from files.
        self.program("scripts/test", 'echo "scripts/test $*"\nif [[ $1 == --leg ]]; then cat leg.txt; exit "$(cat leg.status)"; fi')
        self.program("bin/timeout", 'shift 2\n"$@"')
        self.program("bin/ctest", 'echo "ctest $* results=${WEFT_RESULTS##*/build/}"\nexit "$(cat ctest.status)"')
        self.write(leg_status=0, ctest_status=0, leg_text=PASSED)

    def program(self, name, text):
        path = self.folder / name
        path.write_text(f"#!/usr/bin/env bash\n{text}\n")
        path.chmod(0o755)

    def write(self, leg_status, ctest_status, leg_text=PASSED, dev="", asan=""):
        (self.folder / "leg.status").write_text(str(leg_status))
        (self.folder / "ctest.status").write_text(str(ctest_status))
        (self.folder / "leg.txt").write_text(leg_text)
        for preset, skips in ("dev", dev), ("asan", asan):
            (self.folder / f"build/{preset}/results.xml").write_text(f"<testsuite>{skips}</testsuite>")

    def run_ci(self, number=0):  # 0: asan
        done = subprocess.run([self.folder / ".ci/run"], capture_output=True, text=True, env={
            "PATH": f"{self.folder}/bin:/usr/bin:/bin", "WEFT_CI_NUMBER": str(number)})
        return done.returncode, re.sub(r"--within \d+", "--within N", done.stdout).splitlines()

    def test_all_is_well(self):
        status, said = self.run_ci()
        self.assertEqual((status, said[1:]), (0, ["scripts/test ", "0 tests skipped", "scripts/test --leg asan --within N", PASSED.strip()]))

    def test_known_skips_are_listed(self):
        self.write(0, 0, dev=SKIP.format("known"))
        status, said = self.run_ci()
        self.assertEqual(status, 0)
        self.assertIn("  known: x: no file", said)

    def test_a_new_skip_fails(self):
        self.write(0, 8, dev=SKIP.format("new one"))
        status, said = self.run_ci()
        self.assertEqual((status, said[-1]), (8, "ctest --preset dev -R ^build: skips$ results=dev/results.xml"))
        self.assertNotIn("scripts/test --leg asan --within N", said)

    def test_a_new_skip_in_the_leg_fails(self):
        self.write(0, 8, asan=SKIP.format("new one"))
        status, said = self.run_ci()
        self.assertEqual((status, said[-1]), (8, "ctest --preset dev -R ^build: skips$ results=asan/results.xml"))

    def test_a_leg_that_fails(self):
        self.write(8, 0, FAILED)
        status, said = self.run_ci()
        self.assertEqual((status, said[-1]), (8, FAILED.splitlines()[-1]))

    def test_a_leg_that_takes_too_long_fails(self):
        for status_of_leg in 124, 137:
            self.write(status_of_leg, 0)
            status, said = self.run_ci()
            self.assertEqual((status, said[-1].split(" did ")[0]), (1, "the asan leg"))

    def test_a_leg_without_time_for_a_test(self):
        self.write(3, 0)
        status, said = self.run_ci()
        self.assertEqual((status, said[-1]), (0, "ctest --preset dev -R ^(base|isa|image|packet|engine|emulator): results="))

    def test_a_leg_that_takes_too_long_hides_no_failure(self):
        for status_of_leg in 124, 137:
            self.write(status_of_leg, 8, FAILED)
            status, said = self.run_ci()
            self.assertEqual((status, said[-1]), (8, r"ctest --preset asan -R ^(a: two \(b\))$ results="))

    def test_the_fuzz_leg_ends_with_ctest(self):
        status, said = self.run_ci(4)
        self.assertEqual((status, said[-1]), (0, "ctest --preset dev -R fuzz: replay results="))


class Share(unittest.TestCase):
    """scripts/share chooses tests by the times of the dev build."""

    def setUp(self):
        loader = importlib.machinery.SourceFileLoader("share", str(ROOT / "scripts/share"))
        self.share = importlib.util.module_from_spec(importlib.util.spec_from_loader("share", loader))
        loader.exec_module(self.share)
        self.tests = [{"name": f"a: {i}", "command": ["/bin/sh"]} for i in range(100)]
        self.programs = pathlib.Path("/bin")
        self.times = {f"a: {i}": i % 5 + 1 for i in range(100)}

    def choose(self, seconds, slower=1, seed=1):
        return self.share.choose(self.tests, self.programs, self.times, seconds, slower, seed)

    def cost(self, chosen):
        return sum(self.times[self.tests[number - 1]["name"]] for number in chosen)

    def test_as_many_as_fit(self):
        self.assertEqual(self.choose(1000), list(range(1, 101)))
        for slower in 1, 11:
            for seconds in 5, 30, 60:
                cost = slower * self.cost(self.choose(seconds, slower))
                self.assertLessEqual(cost, 2 * seconds)
                self.assertGreater(cost, 2 * seconds - slower)
        self.assertEqual(self.choose(5, 11), [])

    def test_seeds_take_turns(self):
        seen = {number for seed in range(90) for number in self.choose(15, seed=seed)}
        self.assertEqual(len(seen), 100)
        self.assertEqual(self.choose(15, seed=7), self.choose(15, seed=7))

    def test_what_is_not_built_is_left_out(self):
        self.tests[4]["command"] = ["/nowhere/test"]
        self.tests[5] = {"name": "a_NOT_BUILT"}
        self.assertEqual(self.choose(1000), [n for n in range(1, 101) if n not in (5, 6)])

    def test_scripts_need_weft(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.programs = pathlib.Path(folder.name)
        self.assertEqual(self.choose(1000), [])
        (self.programs / "weft").touch()
        self.assertEqual(len(self.choose(1000)), 100)

    def test_programs_that_a_script_names(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.programs = pathlib.Path(folder.name)
        (self.programs / "weft").touch()
        self.tests[4]["command"] = ["/bin/sh", "script", str(self.programs / "runner")]
        self.tests[5]["properties"] = [{"name": "TIMEOUT", "value": 9.0}, {"name": "ENVIRONMENT", "value": [f"RUNNER={self.programs}/runner"]}]
        self.assertEqual(self.choose(1000), [n for n in range(1, 101) if n not in (5, 6)])
        (self.programs / "runner").touch()
        self.assertEqual(len(self.choose(1000)), 100)

    def test_unknown_times(self):
        self.times = {}
        self.assertEqual(len(self.choose(10)), 10)


if __name__ == "__main__":
    unittest.main()
