"""Layouts: the files of both sides are what their descriptions say, and each kind of number has the right form on each side."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "control" / "layout"))

import writers  # noqa: E402
from description import Bits, File, Layout  # noqa: E402


def layouts(*options):
    return subprocess.run([sys.executable, str(ROOT / "scripts" / "layouts"), *options], capture_output=True, text=True)


def tiny():
    layout = Layout(control=File("t.h", "A test.", includes=["cstdint"]), microcode=File("t.uc", "A test.", guard="T_UC"),
                    reasons=File("reasons.uc", "Reasons.", guard="R_UC"), namespace="t", prefix="T_")
    base = layout.number("base", 0x3800, hexadecimal=True)
    layout.bit("flag", 3, "a flag")
    layout.power("log2", 4, control="kBytes")
    layout.longword("place", 5)
    layout.offset("list", base, 64)
    layout.address("table", 0x190040)
    layout.array("rings", [3, 8])
    hop = layout.record("Hop", [("0", [Bits(31, 24, "reason"), Bits(20, 20, "tagged", "a VLAN")]), ("1", "MTU")], 2)
    layout.number("tagged", hop.low("tagged"), control=False)
    layout.number("hop_longwords", len(hop), microcode=False)
    layout.enumeration("Reason", "Why.", [(1, "lost", "no buffer"), (7, "late", "")], prefix="REASON_", file="reasons.uc",
                       table=("ReasonName", "kReasonNames"))
    return layout


class Layouts(unittest.TestCase):
    def test_the_files_are_what_their_descriptions_say(self):
        run = layouts("--check")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def test_a_number_that_was_changed_on_one_side_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("control", "lib/microblocks"):
                shutil.copytree(ROOT / name, pathlib.Path(folder) / name)
            path = pathlib.Path(folder) / "lib/microblocks/common/layout.uc"
            path.write_text(path.read_text().replace("CORE_RING               9", "CORE_RING               4"))
            run = layouts("--check", "--root", folder)
            self.assertEqual(run.returncode, 1)
            self.assertEqual(run.stdout, "lib/microblocks/common/layout.uc: differs from its description; run scripts/layouts\n")
            self.assertEqual(layouts("--root", folder).stdout, "wrote lib/microblocks/common/layout.uc\n")
            self.assertEqual(path.read_text(), (ROOT / "lib/microblocks/common/layout.uc").read_text())

    def test_the_microcode_gets_bit_numbers_longword_addresses_and_byte_offsets(self):
        defines = {}
        text = "".join(writers.microcode(tiny(), "t.py").values())
        for line in text.splitlines():
            if line.startswith("#define") and len(line.split()) > 2:
                defines[line.split()[1]] = line.split()[2]
        self.assertEqual(defines, {"T_BASE": "0x3800", "T_FLAG": "3", "T_LOG2": "4", "T_PLACE": "20", "T_LIST": "64", "T_TABLE": "0x64010",
                                   "T_RINGS_0": "3", "T_RINGS_1": "8", "T_TAGGED": "20", "REASON_LOST": "1", "REASON_LATE": "7"})
        self.assertIn("//      20     tagged: a VLAN\n//   1  MTU\n", text)

    def test_the_control_program_gets_masks_byte_addresses_and_indices(self):
        text = writers.control(tiny(), "t.py")["t.h"]
        constants = [line.removeprefix("inline constexpr ") for line in text.splitlines() if line.startswith("inline constexpr")]
        self.assertEqual(constants, [
            "uint32_t kBase = 0x3800;", "uint32_t kFlag = 1u << 3;", "uint32_t kBytes = 16;", "uint32_t kPlace = 5;",
            "uint32_t kList = kBase + 64;", "uint32_t kTable = 0x190040;", "std::array<uint32_t, 2> kRings{3, 8};",
            "uint32_t kHopLongwords = 2;", "auto kReasonNames = std::to_array<ReasonName>({"])
        self.assertIn("  /// no buffer\n  lost = 1,\n  late = 7,\n", text)

    def test_an_address_that_no_longword_has_is_refused(self):
        layout = Layout(control=File("t.h", ""), microcode=File("t.uc", ""), namespace="t")
        layout.address("table", 0x42)
        with self.assertRaisesRegex(ValueError, "TABLE: 0x42 is not an address of a longword"):
            writers.microcode(layout, "t.py")


if __name__ == "__main__":
    unittest.main()
