"""Every project that ships runs without a finding of the checks."""
import unittest

from weft_cli import SOURCE, CliTest

# Where a longword goes from one context to another without a signal, ring or lock, on purpose (docs/observers.md, Checks).
RACES = {
    "first/weft.json": "all contexts write the same sum",
    "ipv4-forwarder-1200/weft.json": "queues of one reader: put and taken counts",
    "diffserv-edge-1200/weft.json": "queues of one reader: put and taken counts",
    "firewall-napt/conversations.json": "chains of connections are read without their lock",
}
# Its Images are made by `make` first (tests/build).
NEEDS_MAKE = {"makefile/weft.json"}


class Examples(CliTest):
    def found(self, project, modes):
        run = self.weft("run", SOURCE / "examples" / project, "--check", modes, "--cycles", "400000", "--progress", "off")
        return run.stderr.decode()

    def test_nothing_is_found(self):
        folder = SOURCE / "examples"
        projects = sorted(str(p.relative_to(folder)) for p in folder.glob("*/*.json"))
        self.assertGreaterEqual(len(projects), 13)
        self.assertLessEqual(set(RACES) | NEEDS_MAKE, set(projects))
        for project in sorted(set(projects) - NEEDS_MAKE):
            with self.subTest(project=project):
                self.assertEqual(self.found(project, "warn,race=off" if project in RACES else "warn"), "")

    def test_what_is_left_out_is_there(self):
        for project in RACES:
            with self.subTest(project=project):
                self.assertIn("[check-race]", self.found(project, "race=warn"))


if __name__ == "__main__":
    unittest.main()
