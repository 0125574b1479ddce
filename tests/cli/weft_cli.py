"""Runs the `weft` command in a folder of its own and checks what a user would see."""
import os
import pathlib
import subprocess
import tempfile
import unittest

WEFT = os.environ["WEFT"]
SOURCE = pathlib.Path(os.environ["WEFT_SOURCE"])


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

    def files(self):
        return sorted(p.name for p in self.folder.rglob("*") if p.is_file())
