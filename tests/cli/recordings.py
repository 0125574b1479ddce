"""weft run --record FILE, and reports from the file."""
import ctypes
import io
import json
import shutil
import tarfile
import unittest

from weft_cli import SOURCE, CliTest

RESULTS = {"--stats=": "s.csv", "--packets ": "p.json", "--history ": "h.json", "--coverage ": "c.info", "--json ": "r.json"}


def checksum(data):
    """As part_of() makes it (workbench/src/recording/manifest.cpp): FNV-1a over 64-bit words, and the bytes that are left."""
    value = 0xcbf29ce484222325
    whole = len(data) // 8 * 8
    for word in [int.from_bytes(data[i:i + 8], "little") for i in range(0, whole, 8)] + list(data[whole:]):
        value = (value ^ word) * 0x100000001b3 & (1 << 64) - 1
        value ^= value >> 29
    return value


def parts_of(recording):
    """Name and bytes of each part."""
    zstd = ctypes.CDLL("libzstd.so.1")  # the program itself needs it
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    unpacked = ctypes.create_string_buffer(64 << 20)
    size = zstd.ZSTD_decompress(unpacked, ctypes.c_size_t(len(unpacked)), recording, ctypes.c_size_t(len(recording)))
    assert size <= len(unpacked)
    with tarfile.open(fileobj=io.BytesIO(unpacked.raw[:size])) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def changed(recording, name, change, sum_is_right=True):
    """The recording with another part, whose checksum is right, and that of the manifest, if it shall be."""
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_compress.restype = zstd.ZSTD_compressBound.restype = ctypes.c_size_t
    parts = parts_of(recording)
    parts[name] = change(parts[name])
    manifest = json.loads(parts["manifest.json"])
    if name in manifest["parts"]:
        manifest["parts"][name] = {"bytes": len(parts[name]), "checksum": f"{checksum(parts[name]):#018x}"}
        parts["manifest.json"] = json.dumps(manifest).encode()
    if sum_is_right:
        parts["manifest.sum"] = f"{checksum(parts['manifest.json']):#018x}\n".encode()
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for part, data in parts.items():
            member = tarfile.TarInfo(part)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    packed = ctypes.create_string_buffer(zstd.ZSTD_compressBound(ctypes.c_size_t(len(out.getvalue()))))
    size = zstd.ZSTD_compress(packed, ctypes.c_size_t(len(packed)), out.getvalue(), ctypes.c_size_t(len(out.getvalue())), 1)
    return packed.raw[:size]


class Recordings(CliTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(SOURCE / "examples/ipv4-forwarder", self.folder / "a/examples/router")
        shutil.copytree(SOURCE / "lib/microblocks", self.folder / "a/lib/microblocks")

    def results(self, prefix):
        options = []
        for option, name in RESULTS.items():
            options += [part for part in (option + prefix + name).split(" ")]
        return options

    def record(self, *more):
        return self.weft("run", "a/examples/router", "--cycles", 30000, "--record", "run.weftrec", *more)

    def test_reports_are_those_of_the_run(self):
        ran = self.record(*self.results("ran-"))
        shutil.rmtree(self.folder / "a")
        told = self.weft("run", "run.weftrec", *self.results("told-"))
        self.assertEqual(ran.stdout, told.stdout)
        for name in RESULTS.values():
            one, other = (self.folder / ("ran-" + name)).read_bytes(), (self.folder / ("told-" + name)).read_bytes()
            self.assertGreater(len(one), 100)
            self.assertEqual(one, other, name)

    def test_it_goes_on(self):
        self.record()
        self.weft("run", "run.weftrec", "--cycles", 40000, "--json", "on.json", "--coverage", "on.csv")
        self.assertIn(b"the run stands behind the limit of 20000 cycles", self.weft("run", "run.weftrec", "--cycles", 20000).stdout)
        self.weft("run", "a/examples/router", "--cycles", 40000, "--json", "straight.json", "--coverage", "straight.csv")
        straight, on = (json.loads((self.folder / n).read_text()) for n in ("straight.json", "on.json"))
        self.assertEqual(straight, on)
        self.assertEqual((self.folder / "straight.csv").read_text(), (self.folder / "on.csv").read_text())

    def test_a_limit_of_packets_that_lies_behind(self):
        def report(*options):
            self.weft("run", *options, "--json", "r.json")
            return json.loads((self.folder / "r.json").read_text())

        self.record()
        end = report("run.weftrec")
        self.assertGreater(end["packets"]["out"], 5)
        for limit in (["--packets", 3], ["--until", "3 packets"], ["--packets", 3, "--cycles", 90000]):
            self.assertEqual(report("run.weftrec", *limit), dict(end, stop="the run stands behind the limit of 3 packets"), limit)
        self.assertEqual(report("run.weftrec", "--packets", 3, "--cycles", 100)["stop"], "the run stands behind the limit of 100 cycles")
        # What that limit has ended stays there, and a larger one goes on, as in the run.
        self.record("--packets", 3)
        for packets in (3, 4, 30):
            straight = report("a/examples/router", "--packets", packets)
            self.assertEqual(straight["stop"], f"the limit of {packets} packets was reached")
            self.assertEqual(report("run.weftrec", "--packets", packets), straight)

    def test_a_command_that_has_written_a_longword(self):
        """The recording is made in each state of the control processor: before the write, under way, and long after it."""
        self.write("p.uc", "again#:\nbr[again#]\n")
        self.write("weft.json", json.dumps({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}))
        for place in ("scratch[0x100]", "sram0[0x100]", "dram[0x100]"):
            for then in ("", "at 8000: print {" + place + "}\n"):
                with self.subTest(place=place, then=then):
                    self.write("c.txt", f"at 3000: write {place} = 5\n{then}")
                    for cycles in (1000, 3300, 20000):
                        ran = self.weft("run", ".", "--control", "c.txt", "--cycles", cycles, "--record", "w.weftrec")
                        self.assertEqual(ran.stdout, self.weft("run", "w.weftrec").stdout)
                        on = self.weft("run", "w.weftrec", "--cycles", 30000, "--json", "on.json").stderr.decode()
                        self.weft("run", ".", "--control", "c.txt", "--cycles", 30000, "--json", "straight.json")
                        straight, on_json = (json.loads((self.folder / n).read_text()) for n in ("straight.json", "on.json"))
                        self.assertEqual(straight, on_json)
                        if then and cycles < 8000:
                            self.assertIn("5\n", on)

    def test_what_has_ended_by_itself_stays_ended(self):
        """It ends in the same cycle for the same reason as the run would have with that limit."""
        loop = ".reg n\nimmed[n, 50]\nagain#:\nalu[n, n, -, 1]\nbne[again#]\n"
        project = {"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]}
        ends = {"quiet": "", "killed": "ctx_arb[kill]\n", "halted": "ctx_arb[bpt]\nbr[again#]\n", "faulted": "nop\n"}
        for name, end in ends.items():
            with self.subTest(end=name):
                if name == "quiet":
                    more = ["--set", "ports.0.in.generate.count=20", "--set", "ports.1.in.generate.count=20", "--set", "limits.quiet=6000"]
                    run = "a/examples/router"
                else:
                    self.write(name + "/p.uc", loop + end)
                    self.write(name + "/weft.json", json.dumps(project))
                    more, run = [], name
                status = 1 if name == "faulted" else 0
                self.weft("run", run, *more, "--record", "end.weftrec", expect=status)
                for limit in (["--cycles", 900000], ["--until", "800000 cycles"], ["--until", "cycle >= 700000"], ["--packets", 900]):
                    self.weft("run", run, *more, *limit, "--json", "straight.json", expect=status)
                    self.weft("run", "end.weftrec", *limit, "--json", "on.json", expect=status)
                    straight, on = (json.loads((self.folder / n).read_text()) for n in ("straight.json", "on.json"))
                    self.assertEqual(straight, on, limit)
                    self.assertLess(on["cycles"], 600000)
                self.assertIn(b"the run stands behind the limit of 100 cycles", self.weft("run", "end.weftrec", "--cycles", 100).stdout)

    def test_descriptions_are_those_that_were_read(self):
        """A chip that lies in no folder for chips, and its base; nothing that lies beside them."""
        board, chip = ((SOURCE / "emulator" / name).read_text() for name in ("boards/generic-2400.json", "chips/ixp2400.json"))
        self.write("d/p/p.uc", "again#:\nbr[again#]\n")
        self.write("d/p/weft.json", json.dumps({"version": 1, "board": "../b/board.json", "programs": [{"source": "p.uc", "engines": [0]}]}))
        self.write("d/b/board.json", board.replace('"ixp2400"', '"../ch/c.json"'))
        self.write("d/ch/c.json", json.dumps({"format": "weft-chip", "version": 1, "name": "mine", "summary": "s", "based_on": "base/x.json"}))
        self.write("d/ch/base/x.json", chip)
        for other in ("d/b/private.json", "d/ch/other.json", "d/p/boards/other.json", "d/boards/other.json"):
            self.write(other, '{"password": "hunter2"}')
        ran = self.weft("run", "d/p", "--cycles", 1000, "--record", "d.weftrec")
        named = [name.removeprefix("project/") for name in parts_of((self.folder / "d.weftrec").read_bytes()) if name.startswith("project/")]
        self.assertEqual(sorted(named), ["b/board.json", "ch/base/x.json", "ch/c.json", "p/p.uc", "p/weft.json"])
        shutil.rmtree(self.folder / "d")
        self.assertEqual(ran.stdout, self.weft("run", "d.weftrec").stdout)

    def test_descriptions_of_weft_stay_where_they_are(self):
        self.record()
        for name in parts_of((self.folder / "run.weftrec").read_bytes()):
            self.assertNotIn("2400", name)

    def test_two_recordings_of_a_run_are_the_same_file(self):
        self.record()
        first = (self.folder / "run.weftrec").read_bytes()
        self.record()
        self.assertEqual(first, (self.folder / "run.weftrec").read_bytes())

    def test_limits(self):
        said = self.record("--record-limit", "100K").stderr.decode()
        self.assertIn("run.weftrec: the history begins at cycle", said)
        said = self.weft("run", "run.weftrec").stderr.decode()
        self.assertIn("run.weftrec: the history begins at cycle", said)
        for wrong in ("0", "many", "5X", "-1", "99999999999G"):
            self.assertIn("a size is expected", self.weft("run", "a/examples/router", "--record", "x", f"--record-limit={wrong}", expect=2).stderr.decode())
        self.assertIn("is for --record", self.weft("run", "a/examples/router", "--record-limit", "1M", expect=2).stderr.decode())

    def test_what_is_refused(self):
        self.record()
        for options in (["--seed", 1], ["--set", "seed=1"], ["--in", "0=x.pcap"], ["--out", "0=x.pcap"], ["--control", "x"], ["--check", "warn"], ["--record", "y"]):
            self.assertIn("is a recording", self.weft("run", "run.weftrec", *options, expect=2).stderr.decode())
        self.assertIn("no profile was made", self.weft("run", "run.weftrec", "--profile", "p.txt", expect=1).stderr.decode())
        self.assertIn("--json", self.weft("run", "run.weftrec", "--json", "run.weftrec", expect=1).stderr.decode())
        whole = (self.folder / "run.weftrec").read_bytes()
        self.write("cut.weftrec", whole[: len(whole) // 2])
        said = self.weft("run", "cut.weftrec", expect=1).stderr.decode()
        self.assertIn("cut.weftrec", said)
        self.assertIn("cut off or damaged", said)
        self.assertIn("recording-damaged", said)

    def test_a_manifest_that_is_not_what_was_written(self):
        """Also where nothing else in the file would tell, as in a name."""
        self.record()
        whole = (self.folder / "run.weftrec").read_bytes()
        for was, is_now in ((b'"name": "', b'"name": "other '), (b'"cycle": 3', b'"cycle": 4'), (b'"stop": "', b'"stop": "?')):
            self.write("other.weftrec", changed(whole, "manifest.json", lambda text: text.replace(was, is_now, 1), sum_is_right=False))
            said = self.weft("run", "other.weftrec", expect=1).stderr.decode()
            self.assertIn("other.weftrec: error: the recording is cut off or damaged", said)
            self.assertIn("its manifest is not what was recorded", said)
        self.write("same.weftrec", changed(whole, "manifest.json", lambda text: text.replace(b'"stop": "', b'"stop": "?', 1)))
        self.weft("run", "same.weftrec")

    def test_a_mistake_in_a_file_of_it(self):
        """The file is in no folder of the reader's: a note says where it is."""
        self.record()
        whole = (self.folder / "run.weftrec").read_bytes()
        source = "project/examples/router/forward.uc"
        self.write("same.weftrec", changed(whole, source, lambda text: text))
        self.weft("run", "same.weftrec")
        self.write("wrong.weftrec", changed(whole, source, lambda text: text + b"frobnicate[1]\n"))
        said = self.weft("run", "wrong.weftrec", expect=1).stderr.decode()
        self.assertRegex(said, r"forward\.uc:\d+:1: error: there is no instruction or macro 'frobnicate'")
        self.assertIn("note: the file is part of the recording 'wrong.weftrec'", said)

    def test_captures_of_the_run_are_not_written_again(self):
        self.weft("run", "a/examples/router", "--cycles", 30000, "--out", "0=out.pcap", "--record", "run.weftrec")
        (self.folder / "out.pcap").unlink()
        self.weft("run", "run.weftrec")
        self.assertFalse((self.folder / "out.pcap").exists())


if __name__ == "__main__":
    unittest.main()
