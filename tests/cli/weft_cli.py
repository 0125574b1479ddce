"""Runs the `weft` command in a folder of its own and checks what a user would see."""
import os
import pathlib
import resource
import select
import subprocess
import sys
import tempfile
import unittest

WEFT = os.environ["WEFT"]
SOURCE = pathlib.Path(os.environ["WEFT_SOURCE"])
# Whether the program is built with AddressSanitizer, which reserves terabytes of addresses and takes several times as long.
SANITIZED = b"__asan_init" in pathlib.Path(WEFT).read_bytes()


def bounded(words, seconds=30, **options):
    """`weft` with 4 GB and so many seconds, as subprocess.run(). With a sanitizer it is what the process has in memory that counts."""
    if SANITIZED:
        seconds *= 6
        options["env"] = dict(options.get("env", os.environ), ASAN_OPTIONS="hard_rss_limit_mb=8192")
    else:
        options["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    return subprocess.run([WEFT, *map(str, words)], timeout=seconds, **options)


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content)
        return path

    def weft(self, *arguments, expect=0, stdin=None):
        environment = dict(os.environ, NO_COLOR="1")
        done = subprocess.run([WEFT, *map(str, arguments)], cwd=self.folder, input=stdin, env=environment,
                              capture_output=True, timeout=300)
        self.assertEqual(done.returncode, expect,
                         f"weft {' '.join(map(str, arguments))}\n{done.stdout.decode(errors='replace')[-3000:]}"
                         f"\n{done.stderr.decode(errors='replace')[-3000:]}")
        return done

    def interrupted(self, number, *options):
        """`weft run` of the folder, which gets the signal as soon as it runs: what it printed. It ends as after Ctrl-C."""
        run = subprocess.Popen([WEFT, "run", ".", "--progress", "on", *options], cwd=self.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        try:
            # The first words on standard error are the progress line: now it runs.
            seen = b""
            while b"simulated in" not in seen:
                ready, _, _ = select.select([run.stderr], [], [], 60)
                self.assertTrue(ready, "no progress within a minute")
                chunk = os.read(run.stderr.fileno(), 4096)
                self.assertTrue(chunk, "the run ended by itself")
                seen += chunk
            run.send_signal(number)
            out, _ = run.communicate(timeout=60)
        finally:
            run.kill()
            run.wait()
        self.assertEqual(run.returncode, 130)
        self.assertIn(b"stopped: interrupted", out)
        return out

    def files(self):
        return sorted(p.name for p in self.folder.rglob("*") if p.is_file())


def main():
    """unittest.main() for files that skip: ends with 77, which ctest shows as skipped, when a test was skipped and none failed.
    A test that may be skipped has a class and a ctest test of its own, so that those beside it are not hidden."""
    program = unittest.main(exit=False)
    for case, reason in program.result.skipped:
        print(f"SKIPPED: {type(case).__name__}.{case._testMethodName}: {reason}")
    sys.exit(77 if program.result.wasSuccessful() and program.result.skipped else not program.result.wasSuccessful())
