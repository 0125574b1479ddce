"""Every project that ships runs without a finding of the checks, but for the races that are proved harmless.

A proof is a comment with "Race:" beside the code: in the macro of the finding or in the comment above it, or after the label in whose
section the finding is. PROVED says which two places race, by file and macro or label; what is not in it fails, and so does what is in it and
is not found, or has no such comment.
"""
import pathlib
import re
import unittest

from weft_cli import SOURCE, CliTest

MACRO = re.compile(r"\s*#macro\s+(\w+)")
LABEL = re.compile(r"(\w+#):")
FINDING = re.compile(r"\S+:\d+:\d+: warning: .*? at (\S+):(\d+), word .*? which .*? at (\S+):(\d+), word .* \[check-race\]$")

LIB, NAPT = "lib/microblocks/", "examples/firewall-napt/"
# A firewall's: looks into chains without a lock, entries that were written before a bucket led to them, times that the scan reads.
FIND = (LIB + "conntrack/conntrack.uc", "conntrack_find")
LINK = (LIB + "conntrack/conntrack.uc", "conntrack_link")
SCAN = (LIB + "resource/resource.uc", "resource_time")
READ = (NAPT + "segment.uc", "connection_read")
NODES, STATE = [(NAPT + "opening.uc", label) for label in ("no_windows#", "timeout#")]
TIME_TCP, TIME_OTHERS = [(NAPT + "prerouting.uc", label) for label in ("not_assured#", "timeout#")]
TIMES = [(SCAN, STATE), (SCAN, TIME_OTHERS)]
# Queues of one reader of the IXP1200: counts, slots and frames.
HEADER = ("examples/ipv4-forwarder-1200/receive.uc", "next_frame#")
RECEIVE = (LIB + "receive1200/receive1200.uc", "receive1200_first")
SEND, TAKE = [(LIB + "transmit1200/transmit1200.uc", macro) for macro in ("transmit1200_send", "transmit1200_loop")]
CHOOSE = (LIB + "scheduler1200/scheduler1200.uc", "scheduler1200_loop")
LOCK, PUT = [(LIB + "queue1200/queue1200.uc", macro) for macro in ("queue1200_lock", "queue1200_put")]
CLASS_LOCK, CLASS_PUT = [(LIB + "classqueue1200/classqueue1200.uc", macro)
                         for macro in ("classqueue1200_lock", "classqueue1200_put")]
CLASS_TAKE = (LIB + "scheduler_drr1200/scheduler_drr1200.uc", "drr1200_next")
SUM = ("examples/first/first.uc", "again#")

PROVED = {
    "first/weft.json": [(SUM, SUM)],
    "firewall-napt/conversations.json":
        [(FIND, LINK), (FIND, NODES), (READ, LINK), (READ, NODES), (READ, STATE), (STATE, TIME_OTHERS), (SCAN, TIME_TCP), *TIMES],
    "firewall-napt/weft.json": TIMES,
    "firewall-napt/three.json": TIMES,
    "ipv4-forwarder-1200/weft.json":
        [(LOCK, CHOOSE), (LOCK, TAKE), (PUT, CHOOSE), (PUT, TAKE), (HEADER, RECEIVE), (HEADER, SEND), (RECEIVE, SEND), (RECEIVE, RECEIVE)],
    "diffserv-edge-1200/weft.json": [(CLASS_LOCK, CLASS_TAKE), (CLASS_PUT, CLASS_TAKE)],
}
# Its Images are made by `make` first (tests/build).
NEEDS_MAKE = {"makefile/weft.json"}


def scope(file, line):
    """The macro or label of a line, and the text that belongs to it."""
    lines = (SOURCE / file).read_text().split("\n")
    begin = line - 1
    name = None
    for i in range(line - 1, -1, -1):
        if lines[i].startswith("#endm") and i != line - 1:
            break
        if macro := MACRO.match(lines[i]):
            begin, name = i, macro[1]
            break
    if name:
        end = next(i for i in range(begin, len(lines)) if lines[i].startswith("#endm"))
        while begin > 0 and lines[begin - 1].startswith("//"):
            begin -= 1
        return name, "\n".join(lines[begin:end])
    begin = next((i for i in range(line - 1, -1, -1) if LABEL.match(lines[i])), 0)
    end = next((i for i in range(begin + 1, len(lines)) if LABEL.match(lines[i])), len(lines))
    label = LABEL.match(lines[begin])
    return label[1] if label else "begin", "\n".join(lines[begin:end])


class Examples(CliTest):
    maxDiff = None

    def races(self, project):
        """Pairs of places, and what else was found."""
        run = self.weft("run", SOURCE / "examples" / project, "--check", "warn", "--progress", "off")
        found, others = set(), []
        for line in run.stderr.decode().splitlines():
            finding = FINDING.match(line)
            if not finding:
                others.append(line)
                continue
            places = []
            for file, number in ((finding[1], int(finding[2])), (finding[3], int(finding[4]))):
                name, text = scope(file, number)
                self.assertIn("Race:", text, f"{file}: {name} has no comment that says why this race is harmless:\n{line}")
                places.append((str(pathlib.Path(file).relative_to(SOURCE)), name))
            found.add(tuple(sorted(places)))
        return found, others

    def test_what_is_found_is_proved_harmless(self):
        folder = SOURCE / "examples"
        projects = sorted(str(p.relative_to(folder)) for p in [*folder.glob("*/*.json"), *folder.glob("*/bench/*.json")])
        self.assertGreaterEqual(len(projects), 16)
        self.assertLessEqual(set(PROVED) | NEEDS_MAKE, set(projects))
        for project in sorted(set(projects) - NEEDS_MAKE):
            with self.subTest(project=project):
                found, others = self.races(project)
                self.assertEqual([line for line in others if "[check-" in line], [])
                self.assertEqual(found, {tuple(sorted(pair)) for pair in PROVED.get(project, [])})


if __name__ == "__main__":
    unittest.main()
