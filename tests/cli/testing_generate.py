"""weft test: random frames, what must hold of any run, and failing cases made small."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

WEFT = os.environ["WEFT"]
ROOT = pathlib.Path(os.environ["WEFT_SOURCE"])
EXAMPLE = ROOT / "examples/ipv4-forwarder"

FRAMES = {
    "plain": [{"ethernet": {"destination": "02:00:00:00:01:0a", "source": "02:00:00:00:00:0a"}},
              {"ipv4": {"source": "10.0.0.2", "destination": "198.51.100.7", "ttl": 64}}, {"udp": {"source": 1000, "destination": 9}}, {"payload": 26}],
    "back": [{"ethernet": {"destination": "02:00:00:00:01:0b", "source": "02:00:00:00:00:0b"}},
             {"ipv4": {"source": "192.0.2.2", "destination": "198.18.0.7", "ttl": 64}}, {"udp": {"source": 1000, "destination": 9}}, {"payload": 26}],
    "octets": "02000"}
GENERATE = {"count": 150, "ports": [0, 1], "frames": ["plain", "back"],
            "vary": {"ipv4.ttl": [2, 40], "udp.destination": [1, 3], "payload": [10, 600]},
            "damage": {"flip": 60, "cut": 30, "random": 20}, "gap": ["100ns", "3us"]}
ALL = ["buffers", "order", "checksums", "accounted"]

# Faults that a forwarding program may have; each strikes packets of which the TTL was 7 (byte 1 of frame longword 5).
HAND_ON = "    branch_if_transmit_full(out_port, transmit_full#)\n    scratch[put, $out[0]"
STRUCK = "    br=byte[$$w[5], 1, 7, struck#]\n"
FORGET = "struck#:\n    signal_next(turn_out)\n%s    br[next_packet#]\n"
PLANTED = {
    "lost": FORGET % "",
    "not freed": FORGET % "    count_packet(REASON_TOTAL_LENGTH, port, counters)\n",
    "not counted": FORGET % "    buffer_free(frame, within, free_list, ring_sig)\n",
    "laid aside": FORGET % "    immed[temp, 0x3ffc]\n    scratch[write, $out[0], temp, 0, 1], ctx_swap[ring_sig]\n",
    "outside": """struck#:
    immed[temp, 0xffff, <<8]
    scratch[read, $frame_in, temp, 0, 1], ctx_swap[ring_sig]
    br[not_struck#]
""",
    # It stands aside while later packets pass.
    "late": """struck#:
    signal_next(turn_out)
    immed[temp, 60]
aside#:
    sram[read, $hop[0], next_hop, 0, 5], ctx_swap[ring_sig]
    alu[temp, temp, -, 1]
    bne[aside#]
    scratch[put, $out[0], ring, 0, MESSAGE_LONGWORDS], ctx_swap[ring_sig]
    br[next_packet#]
""",
}


class Generated(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)
        self.program = (EXAMPLE / "forward.uc").read_text()

    def plant(self, name):
        self.assertEqual(self.program.count(HAND_ON), 1)
        text = self.program.replace(HAND_ON, STRUCK + "not_struck#:\n" + HAND_ON)
        end = text.index("offset_1#:")
        self.program = text[:end] + PLANTED[name] + text[end:]

    def put(self, *tests, **more):
        (self.folder / "forward.uc").write_text(self.program)
        override = {f"programs.{n}.source": str(self.folder / "forward.uc") for n in (1, 2)}
        (self.folder / "a.test.json").write_text(json.dumps({"version": 1, "project": str(EXAMPLE), "override": override, "frames": FRAMES, "tests": list(tests), **more}))

    def case(self, invariants=ALL, name="random", **changes):
        return {"name": name, "generate": dict(GENERATE, **changes), "expect": {"invariants": invariants}}

    def weft(self, *words):
        return subprocess.run([WEFT, "test", *words], cwd=self.folder, capture_output=True, text=True, timeout=120)

    def passes(self, *words):
        ran = self.weft(*words)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        return ran.stdout

    def fails(self, *words):
        ran = self.weft(*words)
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    def small(self, output):
        """The printed test, and the numbers of frames before and behind."""
        found = re.search(r"shrunk from (\d+) frames to (\d+) in \d+ runs; as a test:\n((?:    .*\n)+?    \}\n)", output)
        self.assertIsNotNone(found, output)
        text = re.sub(r"  // .*", "", found[3])
        return json.loads(text), int(found[1]), int(found[2]), found[3]


class Invariants(Generated):
    def test_all_hold_of_the_example(self):
        self.put(self.case())
        for seed in ("1", "2", "3"):
            self.passes("--seed", seed)

    def found_by(self, planted, invariants):
        self.plant(planted)
        for one in ALL:
            self.put(dict(self.case([one]), check="warn,signal-unawaited=off,buffer-leak=off"))
            if one in invariants:
                self.assertIn(f": {one}: ", self.fails())
            else:
                self.passes()

    def test_a_packet_that_is_lost(self):
        self.found_by("lost", ["buffers", "accounted"])

    def test_a_buffer_that_is_not_given_back(self):
        self.found_by("not freed", ["buffers"])

    def test_a_packet_that_is_not_counted(self):
        self.found_by("not counted", ["accounted"])

    def test_a_packet_that_others_overtake(self):
        self.found_by("late", ["order"])

    def test_a_checksum_that_is_not_changed(self):
        update = "    alu[$$out[5], --, B, $$w[3]]\n"
        self.assertEqual(self.program.count(update), 1)
        self.program = self.program.replace(update, "    br!=byte[$$w[5], 1, 7, right#]\n    alu[$$out[8], --, B, $$w[6]]\nright#:\n" + update)
        for one in ALL:
            self.put(self.case([one]))
            if one == "checksums":
                self.assertRegex(self.fails(), r"checksums: frame \d+ from port \d is wrong: ipv4: header checksum is [0-9a-f]{4}, should be [0-9a-f]{4}")
            else:
                self.passes()

    def test_a_fault_of_the_payload_that_came_is_not_the_routers(self):
        frame = {"same_as": "plain", "change": {"udp.checksum": 0x1234}}
        self.put({"name": "wrong before", "in": [{"port": 0, "frame": frame}], "expect": {"invariants": ["checksums"], "drops": {}}})
        self.passes()

    def test_invariants_of_listed_frames(self):
        self.put({"name": "listed", "in": [{"port": 0, "frame": {"same_as": "plain"}}], "expect": {"invariants": ["buffers", "checksums", "accounted"]}})
        self.passes()
        self.put({"name": "listed", "in": [{"port": 0, "frame": {"same_as": "plain"}}], "expect": {"invariants": ["order"]}})
        self.assertIn("none of the frames that came has a stamp", self.fails())

    def test_a_run_that_is_cut_says_nothing_of_buffers(self):
        self.put(dict(self.case(["buffers"]), limit={"cycles": 3000}))
        output = self.fails()
        self.assertIn("buffers: the run was cut by a limit", output)
        self.assertNotIn("shrunk", output)

    def test_places_that_hold_buffers_too(self):
        self.plant("laid aside")
        case = {"name": "one", "in": [{"port": 0, "frame": {"same_as": "plain", "change": {"ipv4.ttl": 7}}}], "expect": {"invariants": ["buffers"]}}
        self.put(case)
        self.assertRegex(self.fails(), r"buffers: pool '\w+' has \d+ buffers, and at the end \d+ of them are free and 8 are kept by the receiver: 1 is lost")
        case["expect"]["invariants"] = [{"buffers": ["scratch[0x3ffc]"]}]
        self.put(case)
        self.passes()
        case["expect"]["invariants"] = [{"buffers": ["scratch[0x3ff8]", "nowhere"]}]
        self.put(case)
        output = self.fails()
        self.assertIn("buffers: 'nowhere': ", output)
        self.assertIn("1 is lost", output)

    def test_a_project_without_known_pools(self):
        self.put({"name": "of the IXP1200", "in": [{"port": 0, "frame": {"same_as": "plain"}}], "expect": {"invariants": ["buffers"]}},
                 project=str(ROOT / "examples/ipv4-forwarder-1200"), override={})
        self.assertIn("no pool of buffers is known", self.fails())

    def test_the_rest_of_expect_stays(self):
        case = self.case()
        case["expect"]["drops"] = {"vlan": 100_000}
        self.put(case)
        output = self.fails()
        self.assertIn("packets dropped for 'vlan'", output)
        self.assertNotIn("shrunk", output)  # what is expected of these very frames says nothing of fewer


class Shrinking(Generated):
    def test_a_lost_packet_is_shrunk_to_one_frame(self):
        self.plant("lost")
        self.put(self.case())
        output = self.fails("--seed", "5")
        test, before, after, text = self.small(output)
        self.assertEqual((before, after), (150, 1))
        self.assertEqual(len(test["in"]), 1)
        self.assertEqual(test["in"][0]["at"], "0ns")
        self.assertEqual(bytes.fromhex(test["in"][0]["frame"])[22], 7)
        self.assertEqual(test["expect"], {"invariants": ["buffers", "accounted"]})
        self.assertIn("again: weft test a.test.json --filter 'random' --seed 5\n", output)
        self.put(test)  # as it was printed, it fails for the same reason
        self.assertIn("buffers: pool", self.fails())
        self.program = (EXAMPLE / "forward.uc").read_text()
        self.put(test)
        self.passes()

    def test_everything_but_the_cause_gets_its_own_value_again(self):
        self.plant("lost")
        self.put(self.case())
        test, *_ = self.small(self.fails())
        frame = bytes.fromhex(test["in"][0]["frame"])
        self.assertEqual(len(frame), 68)                 # payload 26, as the named frames have
        self.assertEqual(frame[36:38], b"\x00\x09")      # udp.destination

    def test_what_takes_two_frames_keeps_two(self):
        self.plant("late")
        self.put(self.case(["order"]))
        test, _, after, _ = self.small(self.fails())
        self.assertEqual(after, 2)
        self.put(test)
        self.assertIn("order: port", self.fails())

    def test_what_a_check_finds_is_shrunk_too(self):
        self.plant("outside")
        self.put(self.case(["accounted"]))
        output = self.fails()
        self.assertIn("[check-access]", output)
        test, _, after, _ = self.small(output)
        self.assertEqual(after, 1)
        self.assertEqual(test["expect"], {})
        self.put(test)
        self.assertIn("[check-access]", self.fails())

    def test_rows_and_boards_are_written_out(self):
        self.plant("lost")
        case = dict(self.case(), limit={"quiet": "${quiet}"})
        case["rows"] = [{"name": "low", "quiet": 50000}]
        self.put(case)
        test, *_ = self.small(self.fails())
        self.assertEqual(test["limit"], {"quiet": "50000"})
        self.put(test)
        self.fails()

    def test_a_known_failure_is_not_shrunk(self):
        self.plant("lost")
        self.put(dict(self.case(), fails="packets of TTL 7 are lost"))
        self.assertIn("fails as known", self.passes())


class Seeds(Generated):
    def test_the_same_seed_gives_the_same_case(self):
        self.put(self.case())
        figures = [re.search(r"\((\d+ instructions, \d+ cycles)\)", self.passes("--seed", seed))[1] for seed in ("7", "7", "8")]
        self.assertEqual(figures[0], figures[1])
        self.assertNotEqual(figures[0], figures[2])
        self.plant("late")
        self.put(self.case(["order"]))
        first, second = (self.small(self.fails("--seed", "1")) for _ in range(2))
        self.assertEqual(first, second)

    def test_the_seed_of_the_test(self):
        self.put(dict(self.case(), seed=7))
        own = self.passes()
        self.put(self.case())
        self.assertEqual(own, self.passes("--seed", "7"))


class Wrong(Generated):
    def refused(self, text, **changes):
        self.put(self.case(**changes))
        output = self.fails()
        self.assertIn(text, output)
        self.assertIn("a.test.json:1:", output)

    def test_generate(self):
        self.refused("no frame has the name 'plane'", frames=["plane"])
        self.refused("did you mean 'plain'?", frames=["plane"])
        self.refused("'frames' is a list of at least one", frames=[])
        self.refused("'ports' is a list of at least one", ports=0)
        self.refused("generic-2400 has no port 9", ports=[0, 9])
        self.refused("is not a number from 1 to 100000", count="0")
        self.refused("no frame of \"frames\" has a layer for 'tcp.source'", vary={"tcp.source": [1, 2]})
        self.refused("no frame of \"frames\" has a layer for 'payload.octets'", vary={"payload.octets": [1]})
        self.refused("'ipv4.ttl' of frame 'plain' cannot be 256", vary={"ipv4.ttl": [0, 256]})
        self.refused("'ipv4.tll' of frame 'plain' cannot be 0", vary={"ipv4.tll": [0, 1]})
        self.refused("no number is at least 9 and at most 3", vary={"ipv4.ttl": [9, 3]})
        self.refused("has no values to choose from", vary={"ipv4.ttl": []})
        self.refused("more than all frames would be damaged", damage={"flip": 600, "cut": 600})
        self.refused("'5 parsec' is not a time", gap=["0", "5 parsec"])
        self.refused("the shortest gap is longer", gap=["5us", "1us"])
        self.refused("shortest and the longest time", gap=["5us"])
        self.refused("cannot be made", frames=["octets"], vary={})
        self.refused("cuont", cuont=3)

    def test_a_frame_that_is_another_one_with_changes(self):
        for field in ("tcp.source", "payload.octets"):
            other = {"same_as": "plain", "change": {field: 1}}
            self.put(self.case(frames=["other"]), frames=dict(FRAMES, other=other))
            output = self.fails()
            self.assertIn(f"'other' changes '{field}', which is in none of its layers", output)
            self.assertIn("a.test.json:1:", output)
        self.put(self.case(frames=["other"]), frames=dict(FRAMES, other={"same_as": "plain", "change": {"ipv4.ttl": 9}}))
        self.passes()

    def test_invariants(self):
        self.refused("there is no invariant 'ordre'", invariants=["ordre"])
        self.refused("'order' is named twice", invariants=["order", "order"])
        self.refused("'invariants' is a list", invariants="order")
        self.put(self.case(["order"], frames=["plain"], vary={"ipv4.ttl": [2, 3]}))
        self.passes()

    def test_where_generate_does_not_belong(self):
        case = self.case()
        case["in"] = [{"port": 0, "frame": {"same_as": "plain"}}]
        self.put(case)
        self.assertIn("'in' and 'generate' both say which frames enter", self.fails())
        self.put(self.case(), project="")
        (self.folder / "a.test.json").write_text(json.dumps({"version": 1, "code": "nop", "frames": FRAMES, "tests": [self.case()]}))
        self.assertIn("'generate' makes frames for the ports of a project", self.fails())
        (self.folder / "a.test.json").write_text(json.dumps({"version": 1, "code": "nop", "tests": [{"name": "a", "expect": {"invariants": ["order"]}}]}))
        self.assertIn("invariants are of projects", self.fails())


if __name__ == "__main__":
    unittest.main()
