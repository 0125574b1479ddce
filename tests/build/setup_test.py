"""scripts/setup, with stand-ins for dpkg, apt-get and Maven: what it installs, what it refuses, what it leaves behind."""

import hashlib
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else __file__).resolve()
SETUP = (ROOT if ROOT.is_dir() else ROOT.parents[2]) / "scripts" / "setup"
JAR = "antlr4-4.9.2-complete.jar"
SHA256 = "bb117b1476691dc2915a318efd36f8957c0ad93447fb1dac01107eb15fe137cd"


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="weft-setup-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.log = self.folder / "log"
        self.log.touch()
        self.cache = self.folder / "cache" / "weft"
        # A machine where everything is there, but the jar.
        self.tool("dpkg-query", 'if grep -qx "${@: -1}" "$FOLDER/absent" 2>/dev/null; then exit 1; fi; echo installed')
        self.tool("apt-cache", 'exit "$(cat "$FOLDER/unknown" 2>/dev/null || echo 0)"')
        self.tool("sudo", '"$@"')
        self.tool("apt-get", 'echo "apt-get $*" >>"$FOLDER/log"; case "$*" in *install*) rm -f "$FOLDER/absent" ;; esac')
        self.tool("mvn", 'echo "mvn $*" >>"$FOLDER/log"; for a in "$@"; do case $a in -DoutputDirectory=*) '
                  f'cp "$FOLDER/jar" "${{a#*=}}/{JAR}" ;; esac; done')
        self.tool("sha256sum", 'if cmp -s "$1" "$FOLDER/right"; then echo "%s  $1"; else /usr/bin/sha256sum "$1"; fi' % SHA256)
        (self.folder / "right").write_bytes(b"the right jar")
        (self.folder / "jar").write_bytes(b"the right jar")

    def tool(self, name, body):
        path = self.bin / name
        path.write_text(f"#!/bin/bash\nFOLDER={self.folder}\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run_setup(self, *arguments, **environment):
        env = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        return subprocess.run([str(SETUP), *arguments], env={**env, **environment}, capture_output=True, text=True,
                              timeout=60, check=False)

    def calls(self):
        return self.log.read_text().splitlines()

    def test_first_run_fetches_the_jar_and_a_second_does_nothing(self):
        first = self.run_setup()
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual([call.split()[0] for call in self.calls()], ["mvn"])
        self.assertIn("-Dartifact=org.antlr:antlr4:4.9.2:jar:complete", self.calls()[0])
        self.assertEqual([path.name for path in self.cache.iterdir()], [JAR])
        second = self.run_setup()
        self.assertEqual((second.returncode, second.stdout, second.stderr), (0, "", ""))
        self.assertEqual(len(self.calls()), 1)

    def test_a_fetched_jar_with_a_wrong_checksum_is_refused_and_not_kept(self):
        (self.folder / "jar").write_bytes(b"another jar")
        run = self.run_setup()
        self.assertEqual(run.returncode, 1)
        self.assertIn(SHA256, run.stderr)
        self.assertIn(hashlib.sha256(b"another jar").hexdigest(), run.stderr)
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_a_damaged_jar_in_the_cache_is_refused(self):
        self.cache.mkdir(parents=True)
        (self.cache / JAR).write_bytes(b"the right ja")
        run = self.run_setup()
        self.assertEqual(run.returncode, 1)
        self.assertIn(str(self.cache / JAR), run.stderr)
        self.assertIn("remove it", run.stderr)
        self.assertEqual(self.calls(), [])

    def test_maven_that_fails_leaves_nothing(self):
        self.tool("mvn", "exit 7")
        run = self.run_setup()
        self.assertEqual(run.returncode, 1)
        self.assertIn("Maven could not fetch", run.stderr)
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_a_jar_of_ones_own(self):
        own = self.folder / "own.jar"
        own.write_bytes(b"the right jar")
        self.assertEqual(self.run_setup(WEFT_ANTLR4_JAR=str(own)).returncode, 0)
        own.write_bytes(b"wrong")
        self.assertEqual(self.run_setup(WEFT_ANTLR4_JAR=str(own)).returncode, 1)
        run = self.run_setup(WEFT_ANTLR4_JAR=str(self.folder / "absent.jar"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("does not exist", run.stderr)
        self.assertEqual(self.calls(), [])

    def test_only_what_is_missing_is_installed_without_refreshing_the_lists(self):
        (self.folder / "absent").write_text("ccache\nmaven\n")
        run = self.run_setup()
        self.assertEqual(run.returncode, 0, run.stderr)
        apt = [call for call in self.calls() if call.startswith("apt-get")]
        self.assertEqual(apt, ["apt-get -q -y install --no-install-recommends ccache maven"])

    def test_unknown_packages_refresh_the_lists_first(self):
        (self.folder / "absent").write_text("ccache\n")
        (self.folder / "unknown").write_text("100\n")
        self.assertEqual(self.run_setup().returncode, 0)
        self.assertEqual([call.split()[3] for call in self.calls() if call.startswith("apt-get")], ["update", "install"])

    def test_stale_lists_are_refreshed_and_tried_once_more(self):
        (self.folder / "absent").write_text("ccache\n")
        self.tool("apt-get", 'echo "apt-get $*" >>"$FOLDER/log"; case "$*" in *update) touch "$FOLDER/fresh" ;; '
                  '*install*) [[ -f $FOLDER/fresh ]] || exit 100; rm -f "$FOLDER/absent" ;; esac')
        self.assertEqual(self.run_setup().returncode, 0)
        self.assertEqual([call.split()[3] for call in self.calls() if call.startswith("apt-get")],
                         ["install", "update", "install"])

    def test_packages_that_cannot_be_installed_are_an_error(self):
        (self.folder / "absent").write_text("ccache\n")
        self.tool("apt-get", "exit 100")
        run = self.run_setup()
        self.assertEqual(run.returncode, 1)
        self.assertIn("ccache", run.stderr)
        self.tool("apt-get", "exit 0")  # says yes, installs nothing
        run = self.run_setup()
        self.assertEqual(run.returncode, 1)
        self.assertIn("still not installed: ccache", run.stderr)

    def test_full_asks_for_more_packages(self):
        (self.folder / "absent").write_text("clang-14\n")
        self.assertEqual(self.run_setup().returncode, 0)
        self.assertFalse([call for call in self.calls() if call.startswith("apt-get")])
        self.assertEqual(self.run_setup("--full").returncode, 0)
        self.assertIn("apt-get -q -y install --no-install-recommends clang-14", self.calls())

    def test_packages_can_be_left_alone(self):
        (self.folder / "absent").write_text("ccache\n")
        self.assertEqual(self.run_setup(WEFT_NO_PACKAGES="1").returncode, 0)
        self.assertFalse([call for call in self.calls() if call.startswith("apt-get")])

    def test_an_unknown_option_is_an_error(self):
        run = self.run_setup("--fast")
        self.assertEqual(run.returncode, 1)
        self.assertIn("--fast", run.stderr)


if __name__ == "__main__":
    unittest.main()
