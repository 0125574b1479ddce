"""Wrong input gives one clear message with file, line and remedy, exit status 1, and no half-written file."""
import json
import os
import random
import re
import stat
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

    def test_text_of_other_systems(self):
        # A byte order mark and carriage returns are taken; what is wrong is still found at its place.
        self.write("good.uc", b"\xef\xbb\xbf.reg x\r\nimmed[x, 1]\r\n.use x\r\nctx_arb[kill]\r\n")
        self.weft("asm", "good.uc", "-o", "good.json", "-Werror")
        self.assemble("\ufeff.reg x\r\nimmed[x, 1]\r\nalu[x, x, +, yy]\r\n", message="yy", place="bad.uc:3")

    def test_a_byte_order_mark_by_any_way(self):
        """Standard input and the index took the mark for a part of the first word; fmt put blanks before it."""
        marked = b"\xef\xbb\xbf.reg x\nimmed[x, 1]\n.use x\nctx_arb[kill]\n"
        self.write("good.uc", marked)
        self.weft("asm", "-", "-o", "good.json", "-Werror", stdin=marked)
        for words in (["good.uc"], ["-"]):
            done = self.weft("index", *words, stdin=marked)
            self.assertEqual(done.stderr, b"")
            self.assertIn(b":1:6\n", done.stdout)
        neat = b"\xef\xbb\xbf    .reg x\n    immed[x, 1]\n    .use x\n    ctx_arb[kill]\n"
        self.assertEqual(self.weft("fmt", "-", stdin=marked).stdout, neat)
        self.weft("fmt", "good.uc")
        self.assertEqual((self.folder / "good.uc").read_bytes(), neat)
        self.weft("fmt", "--check", "good.uc")
        self.weft("asm", "good.uc", "-o", "good.json", "-Werror")

    def test_empty_source(self):
        for source in ("", "\n\n", "; nothing\n"):
            self.assemble(source, message="no instructions", place="bad.uc")

    def test_a_folder_as_source(self):
        (self.folder / "dir").mkdir()
        self.fails("asm", "dir", "-o", "x.json", message="folder", place="dir")

    def test_noise_is_refused_in_few_words(self):
        self.write("noise.uc", random.Random(1).randbytes(200000))
        done = self.weft("asm", "noise.uc", "-o", "x.json", expect=1)
        self.assertLess(len(done.stderr), 40000)
        self.assertIn(b"more messages are not shown", done.stderr)
        self.assertFalse(set(done.stderr) & (set(range(0x20)) - {0x0a}), "a terminal would obey these bytes")
        done.stderr.decode()  # is UTF-8
        self.assertFalse((self.folder / "x.json").exists())

    def test_a_very_long_line_is_shown_in_part(self):
        text = self.assemble("/* " + "a" * 100000 + " */ frobnicate[1]\n", message="frobnicate", place="bad.uc:1")
        self.assertLess(max(map(len, text.splitlines())), 400)
        excerpt, marks = [line for line in text.splitlines() if " | " in line]
        self.assertEqual(excerpt[marks.index("^"):][:10], "frobnicate")

    def test_a_file_that_includes_itself(self):
        self.write("self.uc", '#include "self.uc"\n')
        self.fails("asm", "self.uc", "-o", "x.json", message="64 deep", place="self.uc:1")

    def test_a_loop_without_end(self):
        self.assemble("#repeat (1000000000)\nnop\n#endloop\n", message="65536", place="bad.uc:1")

    def test_unknown_chip(self):
        self.write("p.uc", "nop\n")
        text = self.weft("asm", "p.uc", "--chip", "ixp9999", "-o", "x.json", expect=1).stderr.decode()
        self.assertIn("ixp2400", text)

    # --- what the board has ---

    def test_memory_that_the_board_does_not_have(self):
        self.write("p.uc", ".alloc_mem table scratch local 64\n.reg r\nimmed[r, (table & 0xffff)]\n.use r\nctx_arb[kill]\n")
        head = '{"version": 1, "board": "%s",\n "programs": [{"source": "p.uc", "engines": [0]}],\n%s}'
        rows = [
            ("generic-2400", ' "memory": {"scratch": [{"begin": "0x8000", "end": "0x9000"}]}', 3, "0x8000 to 0x9000.*scratch.*16384 bytes"),
            ("generic-2400", ' "memory": {"scratch": [{"begin": "0x3000", "end": "0x4004"}]}', 3, "16384 bytes"),
            ("generic-2400", ' "memory": {"scratch": [{"begin": "0x3000", "end": "0x3800"},\n{"begin": "0x3080", "end": "0x3200"}]}', 4, "lies over another"),
            ("generic-2400", ' "memory": {"scratch": [{"begin": 0, "end": 64}],\n"sram2": [{"begin": 0, "end": 64}]}', 4, "ixp2400 has no sram2"),
            ("generic-2400", ' "memory": {"dram": [{"begin": 0, "end": "0x20000001"}]}', 3, "536870912 bytes"),
            ("generic-2400", ' "pools": [{"name": "x", "free": {"ring": 0}, "base": "0xfff00000", "size": 2048, "count": 960000}]', 3, "960000 buffers.*dram"),
            ("generic-2400", ' "pools": [{"name": "x", "free": {"ring": 0}, "base": "0xffffffffffffffff", "size": 2048, "count": 1}]', 3, "does not lie in dram"),
            ("generic-2400", ' "pools": [{"name": "x", "free": {"sram-ring": 0, "channel": 2}, "base": 0, "size": 2048, "count": 1}]', 3, "no SRAM channel 2"),
            ("generic-2400", ' "pools": [{"name": "x", "free": {"ring": 0}, "memory": "sram3", "base": 0, "size": 2048, "count": 1}]', 3, "no sram3"),
        ]
        for board, rest, line, message in rows:
            with self.subTest(rest=rest):
                self.write("weft.json", head % (board, rest))
                self.fails("run", ".", message=message, place=f"weft.json:{line}")
        # All of a memory may be used, and spaces may touch.
        self.write("weft.json", head % ("generic-2400", ' "memory": {"scratch": [{"begin": 0, "end": 64}, {"begin": 64, "end": "16K"}], "dram": [{"begin": 0, "end": "512M"}]},'
                                                        ' "pools": [{"name": "x", "free": {"sram-queue": 63, "channel": 1}, "base": "0x1ffff800", "size": 2048, "count": 1}]'))
        self.weft("run", ".")
        # A block at a fixed address needs no space.
        self.write("p.uc", ".alloc_mem table sram1+0x7fffffc local 64\nctx_arb[kill]\n")
        self.write("weft.json", head % ("generic-2400", ' "seed": 1'))
        self.fails("run", ".", message="'table'.*sram1, which has 67108864 bytes", place="p")

    def test_a_variant_that_contradicts_its_base(self):
        head = '{"format": "weft-chip", "version": 1, "name": "x", "based_on": "ixp2400", "summary": "s",\n'
        for rest, message, origin in [
            ('"engines": {"count": {"value": 1, "source": "x"}}}', "8 numbers for 1 engine$", "'numbers' comes from here"),
            ('"units": {"scratch": {"access": {"value": 9, "source": "x"}}}}', "the parts sum to", "'unloaded' comes from here"),
        ]:
            self.write("x.json", head + rest)
            text = self.fails("chip", "check", "x.json", message=message.rstrip("$"), place="x.json:2")
            self.assertIn("ixp2400.json", text)
            self.assertIn(origin, text)

    # --- outputs ---

    def test_output_that_is_the_input(self):
        source = "ctx_arb[kill]\n"
        self.write("p.uc", source)
        self.write("common.uc", source)
        self.write("q.uc", '#include "common.uc"\n')
        for arguments in (["p.uc", "-o", "p.uc"], ["p.uc", "-o", "./p.uc"], ["q.uc", "-o", "common.uc"],
                          ["p.uc", "-o", "x.json", "--list", "p.uc"], ["p.uc", "-o", "x.json", "-MD", "p.uc"]):
            self.fails("asm", *arguments, message="overwrite", place=arguments[-1])
        self.assertEqual((self.folder / "p.uc").read_text(), source)
        self.assertEqual((self.folder / "common.uc").read_text(), source)
        self.fails("asm", "p.uc", "-o", "x", "--list", "x", message="the same file", place="x")
        self.weft("asm", "p.uc", "-o", "i.json")
        self.fails("dis", "i.json", "-o", "i.json", message="overwrite", place="i.json")

    def test_outputs_that_cannot_be_written(self):
        self.write("p.uc", "ctx_arb[kill]\n")
        (self.folder / "dir").mkdir()
        for name, why in (("dir", "folder"), ("none/x.json", "no folder 'none'"), ("p.uc/x.json", "no folder 'p.uc'")):
            self.fails("asm", "p.uc", "-o", name, message=why, place=name)
            self.fails("asm", "p.uc", "-o", "good.json", "--list", name, message=why, place=name)

    def test_an_output_that_cannot_be_written_takes_no_other_with_it(self):
        names = {"--out=0=": "zero.pcap", "--out=1=": "one.pcap", "--json=": "r.json", "--stats=": "s.csv", "--profile=": "p.txt",
                 "--packets=": "k.csv", "--history=": "h.json", "--coverage=": "c.info", "--record=": "w.weftrec"}
        run = ["run", EXAMPLE, "--cycles", 20000, *(option + name for option, name in names.items())]
        for full in names.values():
            for name in names.values():
                (self.folder / name).unlink(missing_ok=True)
            with self.subTest(full=full):
                (self.folder / full).symlink_to("/dev/full")
                done = self.weft(*run, expect=1)
                self.assertEqual(len(re.findall(r"(?m)^\S.*error: ", done.stderr.decode())), 1, done.stderr)
                self.assertIn(b"[file-unwritable]", done.stderr)
                self.assertIn(b"stopped: the limit of 20000 cycles was reached", done.stdout)
                self.assertEqual(self.files(), sorted(name for name in names.values() if name != full))
        for name in names.values():
            (self.folder / name).unlink(missing_ok=True)
        # What a recording does not have is no reason to leave out what it has.
        self.weft("run", EXAMPLE, "--cycles", 20000, "--record", "w.weftrec")
        self.assertIn(b"no profile was made", self.weft("run", "w.weftrec", "--profile", "p.txt", "--packets", "k.csv", expect=1).stderr)
        self.assertEqual(self.files(), ["k.csv", "w.weftrec"])

    def test_a_pipe_or_device_is_written_and_not_replaced(self):
        self.write("p.uc", "ctx_arb[kill]\n")
        self.weft("asm", "p.uc", "--emit", "hex", "-o", "x.hex")
        # A pipe of our own rather than a device of the machine: if it were replaced, nothing is lost.
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            self.weft("asm", "p.uc", "--emit", "hex", "-o", "pipe")
            self.assertEqual(os.read(reader, 1000), (self.folder / "x.hex").read_bytes())
        finally:
            os.close(reader)
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))
        # A link stays a link; the file behind it is written.
        (self.folder / "link.hex").symlink_to("target.hex")
        self.write("target.hex", "old")
        self.weft("asm", "p.uc", "--emit", "hex", "-o", "link.hex")
        self.assertTrue((self.folder / "link.hex").is_symlink())
        self.assertEqual((self.folder / "target.hex").read_bytes(), (self.folder / "x.hex").read_bytes())

    # --- Images ---

    def damaged_image(self, **changes):
        self.write("p.uc", ".reg n\nimmed[n, 5]\n.use n\nctx_arb[kill]\n")
        self.weft("asm", "p.uc", "-o", "good.json")
        image = json.loads((self.folder / "good.json").read_text())
        image.update(changes)
        self.write("i.json", json.dumps(image, indent=1))
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"image": "i.json", "engines": [0]}]}))

    def test_damaged_images(self):
        register = {"name": "n", "kind": "gpr", "bank": "a", "number": 999, "begin": 0, "end": 1}
        for changes, message in (({"version": 2}, "version 2"), ({"version": 10 ** 30}, "whole number"), ({"contexts": 5}, "4 or 8"),
                                 ({"profile": "me3"}, "me3"), ({"words": ["zz", "zz"]}, "hexadecimal"),
                                 ({"words": ["f0000c0300"]}, "1 words but 2 line"), ({"extra": 1}, "extra"),
                                 ({"registers": [register]}, "999"), ({"labels": [{"name": "x#", "address": 99}]}, "99"),
                                 ({"lm_absolute": [True]}, "two"), ({"format": "elf"}, "not an Image")):
            with self.subTest(changes=changes):
                self.damaged_image(**changes)
                for command in (["dis", "i.json", "-o", "x.uc"], ["run", "."]):
                    text = self.weft(*command, expect=1).stderr.decode()
                    self.assertRegex(text, rf"(?m)^i\.json:\d+:\d+: error: .*{message}")
                    self.assertFalse((self.folder / "x.uc").exists())

    def test_image_cut_off(self):
        self.damaged_image()
        whole = (self.folder / "i.json").read_text()
        self.write("i.json", whole[:len(whole) // 2])
        self.fails("dis", "i.json", "-o", "x.uc", message="JSON", place="i.json")

    def test_source_given_as_image(self):
        self.write("p.uc", "nop\n")
        self.fails("dis", "p.uc", message="not an Image", place="p.uc")
        for content in (b"", b"\0" * 100):
            self.write("empty", content)
            self.fails("dis", "empty", message="not an Image", place="empty")
            self.fails("dis", "--raw", "empty" if not content else "p.uc", message="bytes", place="empty" if not content else "p.uc")

    def test_image_with_too_many_words(self):
        self.damaged_image(words=["f0000c0300"] * 5000, lines=[], registers=[])
        self.fails("run", ".", message="5000 words.*4096", place="weft.json")

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

    def test_an_empty_frame_of_a_capture(self):
        header = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
        self.write("zero.pcap", header + struct.pack("<IIII", 1, 0, 60, 60) + bytes(60) + struct.pack("<IIII", 1, 0, 0, 0))
        for timing in ("capture", "line-rate"):
            self.project(ports=[{"port": 0, "in": {"capture": "zero.pcap", "timing": timing}, "out": "out.pcap"}])
            self.fails("run", ".", message=r"packet 2 of .*byte 100\) is empty.*pcap-damaged", place="zero.pcap", output="out.pcap")

    def test_capture_of_another_link_type(self):
        self.write("sll.pcap", struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 113))
        self.project(ports=[{"port": 0, "in": {"capture": "sll.pcap"}}])
        self.fails("run", ".", message="link|Ethernet", place="sll.pcap")

    def broken_description(self, source, target, before, after):
        """A copy of a chip or board file with one change; the line of the change."""
        good = (SOURCE / "emulator" / source).read_text()
        self.assertIn(before, good)
        self.write(target, good.replace(before, after, 1))
        return good[:good.index(before)].count("\n") + 1

    def test_bad_chip_file(self):
        line = self.broken_description("chips/ixp2400.json", "mychip.json", '"contexts"', '"contexs"')
        text = self.weft("chip", "check", "mychip.json", expect=1).stderr.decode()
        self.assertRegex(text, rf"mychip.json:{line}:\d+: error: .*contexs")
        self.assertIn("contexts", text)

    def test_a_board_whose_chip_has_an_empty_name(self):
        line = self.broken_description("boards/generic-2400.json", "myboard.json", '"chip": "ixp2400"', '"chip": ""')
        text = self.weft("chip", "check", "myboard.json", expect=1).stderr.decode()
        self.assertRegex(text, rf"myboard.json:{line}:\d+: error: .*must not be empty")
        self.project(board="./myboard.json")
        self.fails("run", ".", message="must not be empty", place=f"myboard.json:{line}")

    def test_wrong_route_mask(self):
        config = next(EXAMPLE.glob("*.conf")).read_text().splitlines()
        bad = len(config) + 1
        self.write("bad.conf", "\n".join(config + ["route 203.0.113.0/33 via 192.0.2.2", ""]))
        value = self.project()
        self.project(control=dict(value["control"], config="bad.conf"))
        self.fails("run", ".", message="33", place=f"bad.conf:{bad}")

    def test_other_wrong_captures(self):
        header = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
        (self.folder / "dir").mkdir()
        for name, content, message in (("empty.pcap", b"", "empty"), ("noise.pcap", bytes(range(256)), "not a capture"),
                                       ("version.pcap", header[:4] + b"\x09\0" + header[6:], "version"),
                                       ("huge.pcap", header + struct.pack("<IIII", 1, 0, 0xffffffff, 0xffffffff), "packet 1"),
                                       ("cut.pcap", header + struct.pack("<IIII", 1, 0, 40, 1500) + bytes(40), "first 40"),
                                       ("dir", None, "folder")):
            with self.subTest(capture=name):
                if content is not None:
                    self.write(name, content)
                self.project(ports=[{"port": 0, "in": {"capture": name}, "out": "out.pcap"}])
                self.fails("run", ".", message=message, place=name, output="out.pcap")

    def test_capture_that_would_be_overwritten(self):
        header = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
        whole = header + struct.pack("<IIII", 1, 0, 60, 60) + bytes(60)
        self.write("f.pcap", whole)
        self.project()
        self.fails("run", ".", "--in", "0=f.pcap", "--out", "1=f.pcap", message="overwrite", place="f.pcap")
        self.fails("run", ".", "--json", "weft.json", message="overwrite", place="weft.json")
        self.fails("run", ".", "--out", "1=x", "--json", "x", message="the same file", place="x")
        self.assertEqual((self.folder / "f.pcap").read_bytes(), whole)

    def test_outputs_of_a_run_are_checked_before_it(self):
        self.project()
        (self.folder / "dir").mkdir()
        for arguments in (["--out", "0=none/o.pcap"], ["--out", "0=dir"], ["--json", "none/r.json"], ["--json", "dir"]):
            done = self.weft("run", ".", *arguments, expect=1)
            self.assertEqual(done.stdout, b"")
            self.assertIn(b"cannot write", done.stderr)

    def test_one_output_on_standard_output(self):
        self.write("p.uc", "ctx_arb[kill]\n")
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}))
        report = json.loads(self.weft("run", ".", "--json", "-").stdout)
        self.assertEqual(report["board"], "generic-2400")
        self.assertEqual(len(self.weft("run", ".", "--out", "0=-").stdout), 24)
        self.weft("run", ".", "--out", "0=-", "--json", "-", expect=2)

    def test_names_of_missing_files_and_where_the_project_names_them(self):
        self.write("p.uc", "ctx_arb[kill]\n")
        for change in ({"programs": [{"source": "none", "engines": [0]}]}, {"programs": [{"image": "none", "engines": [0]}]},
                       {"control": {"program": "ipv4", "config": "none"}}):
            value = {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}
            value.update(change)
            self.write("weft.json", json.dumps(value, indent=1))
            text = self.fails("run", ".", message="none", place="none")
            self.assertEqual("make it with 'weft asm' first" in text, "image" in json.dumps(change))
            self.assertRegex(text, r"(?m)^weft\.json:\d+:\d+: note: ")

    def test_broken_project_files(self):
        program = '{"source": "p.uc", "engines": [0]}'
        head = '"version": 1,\n "board": "generic-2400",\n'
        self.write("p.uc", "ctx_arb[kill]\n")
        for text, line, message, remedy in (
                ("", 1, "end of input", "empty"),
                ("{" + head + ' "programs": [' + program + "]", 3, "end of input", "closed"),
                ("{" + head + ' "programs": [' + program + ",]}", 3, "unexpected '\\]'", "take the comma"),
                ("{" + head.replace(",\n", "\n", 1) + ' "programs": [' + program + "]}", 2, "string literal", "comma is missing"),
                ("{" + head + " programs: [" + program + "]}", 3, "invalid literal", "in quotes"),
                ("[" + program + "]", 1, "an object", None),
                ('{"board": "generic-2400", "programs": [' + program + "]}", 1, "'version' is missing", "version"),
                ("{" + head.replace("generic-2400", "generic-24") + '"programs": [' + program + "]}", 2, "no board 'generic-24'", "generic-2400"),
                ("{" + head + '"programs": [' + program + '],\n"limit": {}}', 4, "'limit'", "limits"),
                ("{" + head + '"programs": []}', 3, "no program", "engines"),
                ("{" + head + '"programs": [{"source": "p.uc", "engines": 0}]}', 3, "is a list", "write"),
                ("{" + head + '"programs": [{"source": "p.uc", "engines": [8]}]}', 3, "no microengine 8", "0 to 7"),
                ("{" + head + '"programs": [{"source": "p.uc", "chip": "egress", "engines": [0]}]}', 3, "no chip 'egress'", "leave"),
                ("{" + head.replace("generic-2400", "itj-dual-2400") + '"programs": [' + program + "]}", 3, "several chips", "ingress, egress"),
                ("{" + head + '"programs": [' + program + '],\n"ports": [{"port": 4, "out": "x.pcap"}]}', 4, "no port 4", "0 to 3")):
            with self.subTest(text=text):
                self.write("weft.json", text)
                found = self.fails("run", ".", message=message, place=f"weft.json:{line}", remedy=remedy is not None)
                if remedy:
                    self.assertRegex(found, rf"(?m)^  help: .*{remedy}")

    def test_a_mistake_in_a_program_of_many_engines_is_said_once(self):
        self.write("p.uc", "nop\nfrobnicate[1]\n")
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [
            {"source": "p.uc", "engines": [n], "define": {"N": n}} for n in range(4)]}))
        self.fails("run", ".", message="frobnicate", place="p.uc:2", remedy=False)

    def test_boards_and_chips_beside_the_project(self):
        board = (SOURCE / "emulator" / "boards" / "generic-2400.json").read_text().replace('"ixp2400"', '"my-chip.json"')
        self.write("p/my-board.json", board)
        self.write("p/my-chip.json", '{"format": "weft-chip", "version": 1, "name": "mine", "summary": "s", "based_on": "ixp2400",\n'
                                     '"engines": {"count": {"value": 2, "source": "a study"}, "numbers": {"value": [0, 1], "source": "a study"}}}')
        self.write("p/p.uc", "ctx_arb[kill]\n")
        project = {"version": 1, "board": "./my-board.json", "programs": [{"source": "p.uc", "engines": [1]}]}
        self.write("p/weft.json", json.dumps(project))
        self.assertIn(b"(mine)", self.weft("run", "p").stdout)
        self.weft("chip", "check", "p/my-board.json")
        shown = self.weft("chip", "show", "p/my-chip.json").stdout.decode()
        self.assertIn("based on ixp2400\n", shown)
        self.assertRegex(shown, r"(?m)^/engines/count +2 +my-chip +a study$")
        self.assertRegex(shown, r"(?m)^/engines/contexts +8 +ixp2400 ")
        project["programs"][0]["engines"] = [2]
        self.write("p/weft.json", json.dumps(project))
        self.fails("run", "p", message="no microengine 2", place="weft.json:1")
        self.write("p/my-chip.json", '{"format": "weft-chip", "version": 1, "name": "mine", "summary": "s",\n"based_on": "my-chip.json"}')
        self.fails("run", "p", message="based on itself", place="my-chip.json:2")

    def test_descriptions_are_inputs_and_what_lies_beside_them_is_none(self):
        board = (SOURCE / "emulator" / "boards" / "generic-2400.json").read_text()
        self.write("p/board.json", board.replace('"ixp2400"', '"../own/chip.json"'))
        self.write("own/chip.json", '{"format": "weft-chip", "version": 1, "name": "mine", "summary": "s", "based_on": "base.json"}')
        self.write("own/base.json", (SOURCE / "emulator" / "chips" / "ixp2400.json").read_text())
        self.write("p/p.uc", "ctx_arb[kill]\n")
        self.write("p/weft.json", json.dumps({"version": 1, "board": "board.json", "programs": [{"source": "p.uc", "engines": [1]}]}))
        for name in ("p/board.json", "own/chip.json", "own/base.json"):
            before = (self.folder / name).read_bytes()
            self.fails("run", "p", "--json", name, message="would overwrite what is read", place=name)
            self.fails("bench", "latency", "p", "--json", name, message="would overwrite what is read", place=name)
            self.assertEqual((self.folder / name).read_bytes(), before, name)
        for _ in range(2):  # its own reports are no descriptions
            self.weft("run", "p", "--json", "p/report.json", "--stats=p/stats.json")

    def test_wrong_router_configurations(self):
        lines = (EXAMPLE / "router.conf").read_text().splitlines()
        value = self.project()
        for bad, message in (("route 203.0.113.1/24 via 192.0.2.2", "beyond"), ("route 203.0.113.0/24 via 203.0.113.9", "network"),
                             ("route 203.0.113.0/24", "route"), ("interface A port 0 mac 02:00:00:00:01:0a", "A"),
                             ("interface C port 99 mac 02:00:00:00:01:0c", "99"), ("interface C port 2 mac zz", "zz"),
                             ("address Z 10.9.0.1/24", "Z"), ("frobnicate", "frobnicate"), ("switch martians maybe", "maybe"),
                             ("neighbour 10.0.0.300 mac 02:00:00:00:00:01", "10.0.0.300"), ("routes-from none.txt", "none.txt"),
                             ("\x01\x02 \xff", "")):
            with self.subTest(line=bad):
                self.write("bad.conf", "\n".join(lines + [bad, ""]))
                self.project(control=dict(value["control"], config="bad.conf"))
                text = self.weft("run", ".", expect=1).stderr.decode()
                self.assertRegex(text, rf"(?m)^(bad\.conf:{len(lines) + 1}:\d+|none\.txt): error: .*{re.escape(message)}")

    def test_wrong_chips_and_boards(self):
        chip = (SOURCE / "emulator" / "chips" / "ixp2400.json").read_text()
        board = (SOURCE / "emulator" / "boards" / "generic-2400.json").read_text()
        for name, text, old, new, message in (
                ("chip.json", chip, '"version": 1', '"version": 9', "version"),
                ("chip.json", chip, '"same_me_signal": {"value": 8', '"same_me_signal": {"value": 41', "1 to 40"),
                ("chip.json", chip, '"contexts": {"value": 8', '"contexts": {"value": -8', "whole number"),
                ("chip.json", chip, '"format": "weft-chip"', '"format": "weft-chip", "format": "weft-chip"', "twice"),
                ("board.json", board, '"chip": "ixp2400"', '"chip": "ixp9"', "ixp9"),
                ("board.json", board, '"mac": "02:00:00:00:00:01"', '"mac": "02"', "02"),
                ("board.json", board, '"clock_mhz": {"value": 600', '"clock_mhz": {"value": 0', "")):
            with self.subTest(change=new):
                self.assertIn(old, text)
                self.write(name, text.replace(old, new, 1))
                done = self.weft("chip", "check", name, expect=1)
                self.assertRegex(done.stderr.decode(), rf"(?m)^{name}:\d+:\d+: error: .*{message}")
        for content in ("", "[]", "nop\n"):
            self.write("x.json", content)
            self.assertIn("x.json", self.weft("chip", "check", "x.json", expect=1).stderr.decode())
        self.assertIn(b"no chip and no board 'none'", self.weft("chip", "show", "none", expect=1).stderr)
        self.assertIn(b"did you mean 'itj-dual-2400'", self.weft("chip", "show", "itj-dual-240", expect=1).stderr)
        self.write("x.json", '{"format": "weft-bord", "version": 1}')
        self.fails("chip", "check", "x.json", message="weft-bord", place="x.json:1")

    def test_misspelt_project_name(self):
        self.project(limit={"cycles": 5})
        text = self.fails("run", ".", message="limit", place="weft.json")
        self.assertIn("limits", text)

    def test_commands_of_a_project(self):
        example = SOURCE / "examples" / "ipv4-forwarder"
        self.write("r.conf", (example / "router.conf").read_text(encoding="utf-8"))
        commands = ["at 10: print 1\nat 20: print 2", "at 30 print 3"]
        self.project(control={"program": "ipv4", "config": "r.conf", "commands": commands})
        at = [n for n, line in enumerate((self.folder / "weft.json").read_text().splitlines(), 1) if "print 3" in line]
        self.assertEqual(len(at), 1)
        self.fails("run", ".", message="a line begins with 'at', a time and a colon", place=f"weft.json:{at[0]}")

    def test_a_value_of_the_command_line(self):
        self.project()
        self.fails("run", ".", "--set", "limits.cycles=x", message="limits.cycles: a whole number is expected here", place="weft.json")

    def test_engine_twice(self):
        value = self.project()
        self.project(programs=[value["programs"][0], dict(value["programs"][0])])
        self.fails("run", ".", message="microengine", place="weft.json")

    def test_rules_that_are_compiled_have_one_error_a_mistake(self):
        example = SOURCE / "examples" / "firewall-filter"
        self.write("c.conf", (example / "router.conf").read_text(encoding="utf-8"))
        self.write("r.rules", "accept in outside protocol tcp\naccept in outsid protocol udp\n")
        self.write("weft.json", json.dumps({
            "version": 1, "board": "enp2611", "include": [str(SOURCE / "lib" / "microblocks")],
            "programs": [{"source": str(example / "filter.uc"), "engines": [3], "define": {"PORTS": 2, "FILTER_INDEX": 0, "FILTER_STORE": 3},
                          "rules": "r.rules"}],
            "control": {"program": "filter", "config": "c.conf", "options": {"rules": "r.rules", "store": "compiled"}}}))
        self.fails("run", ".", message="there is no port 'outsid'", place="r.rules:2")

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
        self.write("p.uc", "nop\n")
        for arguments in (["frobnicate"], [], ["asm"], ["dis"], ["run"], ["chip"], ["help", "frobnicate"], ["asm", "p.uc", "--emit", "elf"],
                          ["asm", "p.uc", "--frobnicate"], ["asm", "p.uc", "-Wno-such-warning"], ["asm", "p.uc", "-D", "=3"], ["asm", "p.uc", "-D", "9x"],
                          ["asm", "p.uc", "--diagnostics", "xml"], ["run", ".", "--in", "nonsense"], ["run", ".", "--in", "x=f.pcap"],
                          ["run", ".", "--in", "0="], ["run", ".", "--in", "99999999999=f.pcap"], ["run", ".", "--out", "=f.pcap"],
                          ["run", ".", "--out", "0=a", "--out", "0=b"], ["run", ".", "--set", "limits"], ["run", ".", "--set", "=5"],
                          ["run", ".", "--cycles", "-1"], ["run", ".", "--cycles", "many"], ["run", ".", "--cycles", "99999999999999999999"],
                          ["run", ".", "--packets", "1.5"], ["run", ".", "--seed", ""], ["run", ".", "--progress", "maybe"], ["dis", "a", "b"]):
            with self.subTest(arguments=arguments):
                done = self.weft(*arguments, expect=2)
                self.assertEqual(done.stdout, b"")
                self.assertRegex(done.stderr.decode(), r"\Aweft")
                self.assertLess(len(done.stderr.splitlines()), 4)
        # The hint names the help of the command that was used.
        self.assertIn(b"'weft run --help'", self.weft("run", expect=2).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
