"""Wrong input gives one clear message with file, line and remedy, exit status 1, and no half-written file."""
import json
import re
import struct
import unittest

from weft_cli import SOURCE, CliTest

EXAMPLE = SOURCE / "examples" / "ipv4-forwarder"


class WrongInput(CliTest):
    def fails(self, *arguments, message, place, remedy=True, output=None):
        """Exactly one error, at `place` ("name:line" or "name"), matching `message`."""
        before = self.files()
        done = self.weft(*arguments, expect=1)
        text = done.stderr.decode()
        self.assertEqual(len(re.findall(r"(?m)^\S.*error: ", text)), 1, text)
        self.assertRegex(text, r"(?m)^\S*" + re.escape(place) + r"(:\d+)*: error: .*" + message, text)
        if remedy:
            self.assertRegex(text, r"(?m)^  (help|fix): \S", text)
        self.assertEqual(self.files(), before, "a file was left behind")
        if output:
            self.assertFalse((self.folder / output).exists())
        return text

    def assemble(self, source, **expected):
        self.write("bad.uc", source)
        return self.fails("asm", "bad.uc", "-o", "bad.json", output="bad.json", **expected)

    # --- microcode ---

    def test_syntax_error(self):
        self.assemble(".reg x\nimmed[x, 1]\nalu[x, x, +, 2\nnop\n", message=r"\]", place="bad.uc:3")

    def test_undeclared_register(self):
        text = self.assemble(".reg total\nimmed[total, 1]\nalu[total, totl, +, 2]\n", message="totl", place="bad.uc:3")
        self.assertIn("total", text.split("error:", 1)[1])

    def test_two_operands_in_one_bank(self):
        self.assemble(".registers physical\nalu[a0, a1, +, a2]\n", message="bank", place="bad.uc:2")

    def test_bank_conflict_of_named_registers(self):
        # x with y, y with z, z with x: no two banks can separate three registers.
        self.assemble(".reg x y z r\nimmed[x, 1]\nimmed[y, 2]\nimmed[z, 3]\nalu[r, x, +, y]\nalu[r, y, +, z]\n"
                      "alu[r, z, +, x]\n.use r\n", message="bank", place="bad.uc")

    def test_program_over_the_control_store(self):
        text = self.assemble("#repeat (4097)\nnop\n#endloop\n", message="4,?097.*4,?096|4,?096.*4,?097", place="bad.uc")
        self.assertNotIn("nop\nnop", text)

    def test_missing_include(self):
        self.assemble('\n#include "nowhere.uc"\n', message="nowhere.uc", place="bad.uc:2")

    def test_missing_source(self):
        self.fails("asm", "none.uc", "-o", "x.json", message="none.uc", place="none.uc")

    def test_not_an_image(self):
        self.write("x.json", '{"hello": 1}')
        self.fails("dis", "x.json", message="Image", place="x.json")

    def test_raw_words_of_odd_length(self):
        self.write("x.words", b"\xf0\x00\x0c\x03\x00\xf0")
        self.fails("dis", "--raw", "x.words", message="6 bytes", place="x.words")

    # --- projects ---

    def project(self, **changes):
        """A copy of the forwarder's project that differs in `changes`."""
        value = json.loads(re.sub(r"(?m)^\s*//.*$", "", (EXAMPLE / "weft.json").read_text()))
        for program in value["programs"]:
            program["source"] = str(EXAMPLE / program["source"])
        value["include"] = [str(EXAMPLE / name) for name in value.get("include", [])]
        if "control" in value:
            value["control"]["config"] = str(EXAMPLE / value["control"]["config"])
        for port in value.get("ports", []):
            port.pop("out", None)
        value.update(changes)
        self.write("weft.json", json.dumps(value, indent=1))
        return value

    def test_missing_capture(self):
        self.project(ports=[{"port": 0, "in": {"capture": "none.pcap"}, "out": "out.pcap"}])
        self.fails("run", ".", message="none.pcap", place="none.pcap", output="out.pcap")

    def test_truncated_capture(self):
        header = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
        frame = bytes(60)
        whole = struct.pack("<IIII", 1, 0, 60, 60) + frame
        self.write("cut.pcap", header + whole + whole[:40])
        self.project(ports=[{"port": 0, "in": {"capture": "cut.pcap"}, "out": "out.pcap"}])
        self.fails("run", ".", message="packet 2|truncated", place="cut.pcap", output="out.pcap")

    def test_capture_of_another_link_type(self):
        self.write("sll.pcap", struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 113))
        self.project(ports=[{"port": 0, "in": {"capture": "sll.pcap"}}])
        self.fails("run", ".", message="link|Ethernet", place="sll.pcap")

    def test_bad_chip_file(self):
        chip = (SOURCE / "emulator" / "chips" / "ixp2400.json").read_text()
        broken = chip.replace('"contexts"', '"contexs"', 1)
        self.assertNotEqual(chip, broken)
        self.write("mychip.json", broken)
        line = broken[:broken.index('"contexs"')].count("\n") + 1
        text = self.weft("chip", "check", "mychip.json", expect=1).stderr.decode()
        self.assertRegex(text, rf"mychip.json:{line}:\d+: error: .*contexs")
        self.assertIn("contexts", text)

    def test_wrong_route_mask(self):
        config = next(EXAMPLE.glob("*.conf")).read_text().splitlines()
        bad = len(config) + 1
        self.write("bad.conf", "\n".join(config + ["route 203.0.113.0/33 via 192.0.2.2", ""]))
        value = self.project()
        self.project(control=dict(value["control"], config="bad.conf"))
        self.fails("run", ".", message="33", place=f"bad.conf:{bad}")

    def test_misspelt_project_name(self):
        self.project(limit={"cycles": 5})
        text = self.fails("run", ".", message="limit", place="weft.json")
        self.assertIn("limits", text)

    def test_engine_twice(self):
        value = self.project()
        self.project(programs=[value["programs"][0], dict(value["programs"][0])])
        self.fails("run", ".", message="microengine", place="weft.json")

    def test_broken_json(self):
        self.write("weft.json", '{\n "version": 1,\n "board" "x"\n}\n')
        self.fails("run", ".", message="JSON", place="weft.json:3")

    def test_no_project(self):
        self.fails("run", ".", message="weft.json", place=".")

    def test_error_in_a_program_of_a_project(self):
        self.write("p.uc", "nop\nbr[nowhere#]\n")
        self.project(programs=[{"source": "p.uc", "engines": [0]}])
        self.fails("run", ".", message="nowhere", place="p.uc:2", remedy=False)

    # --- command line ---

    def test_wrong_usage_is_status_2(self):
        self.weft("frobnicate", expect=2)
        self.weft("asm", expect=2)
        self.weft("run", ".", "--in", "nonsense", expect=2)
        self.weft("asm", "x.uc", "--emit", "elf", expect=2)


if __name__ == "__main__":
    unittest.main(verbosity=1)
