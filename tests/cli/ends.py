"""weft run: packets without an end, faults of units, --strict."""
import json
import struct
import unittest

from weft_cli import SOURCE, CliTest

FORWARDER = SOURCE / "examples" / "ipv4-forwarder"

# Takes every mpacket, counts it where told to, and gives the element back.
SWALLOW = """.reg volatile read $s0 $s1
.xfer_order $s0 $s1
.sig volatile mpacket
.set_rd $s0 $s1
.reg claim temp status element at
br=ctx[0, begin#]
ctx_arb[kill]
begin#:
local_csr_rd[ACTIVE_CTX_STS]
immed[status, 0]
alu_shf[temp, 3, AND, status, >>3]
alu_shf[claim, --, B, temp, <<23]
immed[temp, (&$s0 | (&mpacket << 12)), <<16]
alu[claim, claim, OR, temp]
alu[claim, claim, OR, 0x30]
immed[at, 0x3f00]
again#:
msf[fast_wr, --, claim, 0]
ctx_arb[mpacket]
.use_rd $s1
scratch[incr, --, at, 0]
alu_shf[element, 0x7f, AND, $s0, >>24]
alu_shf[element, 0x44, OR, element, <<16]
msf[fast_wr, --, element, 0]
br[again#]
"""

# The same, with a count that each packet reads and writes.
TALLY = ".reg read $seen\n.reg write $sum\n.sig turn\n" + SWALLOW.replace("scratch[incr, --, at, 0]\n", """scratch[read, $seen, at, 0, 1], ctx_swap[turn]
alu[$sum, $seen, +, 1]
scratch[write, $sum, at, 0, 1], ctx_swap[turn]
""")


class Ends(CliTest):
    def project(self, source, **more):
        self.write("p.uc", source)
        self.write("weft.json", json.dumps({
            "version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
            "ports": [{"port": 1, "in": {"generate": {"count": 10, "destinations": "198.18.0.0/15",
                                                      "destination-mac": "02:00:00:00:00:02"}}}],
            "limits": {"quiet": 5000}, **more}))

    def test_a_receive_loop_without_a_control_program_is_no_success(self):
        self.project(SWALLOW)
        text = self.weft("run", ".", "--json", "r.json").stdout.decode()
        self.assertNotIn("all traffic has passed", text)
        self.assertRegex(text, r"(?m)^  stopped: .*; 10 of 10 packets have no end$")
        self.assertIn("packets: 10 in, 0 out, 0 dropped, 0 to the core, 0 lost at ports, 10 without an end\n", text)
        self.assertRegex(text, r"(?m)^  last at \S*p\.uc:\d+ \(me0 again#?\) +1 +\d+$")
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(report["packets"]["without-end"], 10)
        self.assertEqual(sum(row["count"] for row in report["without-end"]), 10)
        self.assertIn("p.uc:", report["without-end"][0]["place"])
        strict = self.weft("run", ".", "--strict", expect=1)
        self.assertIn(b"--strict: 10 of 10 packets have no end", strict.stderr)
        for cut in (["--cycles", "3000"], ["--until", "received >= 5"]):
            self.assertRegex(self.weft("run", ".", "--strict", *cut).stderr, rb"--strict: \d+ packets were on their way when the run was cut")
        self.weft("run", ".", "--record", "r.weftrec", "--strict", expect=1)
        self.assertIn(b"--strict: 10 of 10 packets have no end", self.weft("run", "r.weftrec", "--strict", expect=1).stderr)
        self.weft("run", ".", "--strict", "--diagnostics", "json", "--diagnostics-file", "d.json", expect=1)
        row = json.loads((self.folder / "d.json").read_text())["diagnostics"][-1]
        self.assertEqual((row["code"], row["text"]), ("run-not-strict", "10 of 10 packets have no end"))

    def test_a_reason_of_the_project_is_an_end(self):
        self.project(SWALLOW, reasons=[{"name": "swallowed", "memory": "scratch", "address": "0x3f00"}])
        text = self.weft("run", ".", "--strict").stdout.decode()
        self.assertNotIn("no end", text.split("packets:")[0])
        self.assertIn("packets: 10 in, 0 out, 10 dropped, 0 to the core, 0 lost at ports, 0 without an end\n", text)
        self.assertRegex(text, r"(?m)^  swallowed +- +10$")
        self.write("t.test.json", json.dumps({"version": 1, "project": ".", "tests": [
            {"name": "drops", "in": [{"port": 1, "frame": "00" * 60, "times": 3}], "expect": {
                "drops": {"swallowed": 3}, "invariants": ["accounted"]}}]}))
        self.weft("test", "t.test.json")
        self.write("t.test.json", (self.folder / "t.test.json").read_text().replace('"swallowed": 3', '"swallowed": 4'))
        self.assertIn(b"packets dropped for 'swallowed': 3, expected 4", self.weft("test", "t.test.json", expect=1).stdout)

    def test_who_reads_a_table_keeps_its_packet(self):
        def executed(**more):
            self.project(TALLY, **more)
            self.weft("run", ".", "--packets", "p.json")
            packets = json.loads((self.folder / "p.json").read_text())["packets"]
            return [sum(engine["executing"] for engine in p["engines"]) for p in packets]
        unknown = executed()
        self.assertGreater(unknown[0], 2 * max(unknown[1:]))  # the first one is charged for all
        listed = executed(tables=[{"memory": "scratch", "address": "0x3f00", "bytes": 4}])
        self.assertEqual(listed, listed[:1] * 10)
        self.assertEqual(sum(listed), sum(unknown))
        self.assertEqual(executed(tables=[{"memory": "scratch", "address": "0x3f04", "bytes": 4}]), unknown)
        self.project(TALLY.replace("immed[at, 0x3f00]", "immed[at, tally]").replace("br=ctx", ".alloc_mem tally scratch global 4\nbr=ctx", 1),
                     memory={"scratch": [{"begin": "0x1000", "end": "0x1100"}]}, tables=[{"block": "tally"}])
        self.weft("run", ".", "--packets", "p.json")
        costs = [p["engines"] for p in json.loads((self.folder / "p.json").read_text())["packets"]]
        self.assertEqual(costs, costs[:1] * 10)
        wrong = self.weft("run", ".", "--set", "tables.0.block=taly", expect=1).stderr.decode()
        self.assertRegex(wrong, r"weft\.json[:\d]*: error: no program has a memory block 'taly' \[project-table\]")
        self.assertIn("did you mean 'tally'?", wrong)

    def test_frames_that_the_program_makes(self):
        """Each copy hides a packet that is lost: nobody knows how many are, unless the program counts its copies."""
        drop, make = "scratch[incr, --, at, 0]\n", "scratch[incr, --, at, 4]\n"
        dropped = {"name": "swallowed", "memory": "scratch", "address": "0x3f00"}
        made = {"name": "flooded", "fate": "made", "memory": "scratch", "address": "0x3f04"}
        self.project(SWALLOW.replace(drop, drop + drop + make), reasons=[dropped])
        text = self.weft("run", ".", "--json", "r.json").stdout.decode()
        self.assertNotIn("all traffic has passed", text)
        self.assertIn(", at least 0 without an end\n  made: at least 10 of those that left or ended", text)
        self.assertIs(json.loads((self.folder / "r.json").read_text())["packets"]["without-end-known"], False)
        strict = self.weft("run", ".", "--strict", expect=1).stderr.decode()
        self.assertIn("--strict: at least 0 of 10 packets have no end, and how many is not known", strict)
        self.project(SWALLOW.replace(drop, drop + drop + make), reasons=[dropped, made])
        text = self.weft("run", ".", "--strict", "--json", "r.json").stdout.decode()
        self.assertIn(", 0 without an end\n  made: 10 of those that left or ended did not come in by a port\n", text)
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["made"], [{"reason": "flooded", "count": 10}])
        self.write("t.test.json", json.dumps({"version": 1, "project": ".", "tests": [
            {"name": "copies", "in": [{"port": 1, "frame": "00" * 60, "times": 3}], "expect": {"drops": {"swallowed": 6}, "invariants": ["accounted"]}}]}))
        self.weft("test", "t.test.json")
        # As many copies, and a packet is lost for each.
        self.project(SWALLOW.replace(drop, drop + make), reasons=[dropped, made])
        self.assertIn(b"--strict: 10 of 20 packets have no end", self.weft("run", ".", "--strict", expect=1).stderr)

    def test_a_reason_that_nobody_declares_is_no_zero(self):
        """Nothing could ever count it: a misspelt name would be right whatever happens."""
        reasons = [{"name": "swallowed", "memory": "scratch", "address": "0x3f00"}, {"name": "other", "memory": "scratch", "address": "0x3f04"}]
        self.project(SWALLOW, reasons=reasons)
        def says(expect):
            self.write("t.test.json", json.dumps({"version": 1, "project": ".", "tests": [
                {"name": "drops", "in": [{"port": 1, "frame": "00" * 60}], "expect": expect}]}))
            return self.weft("test", "t.test.json", expect=1).stdout
        for number in (0, 1, {"least": 0, "most": 9}):
            self.assertIn(b"t.test.json:1: packets dropped for 'swalowed': no such reason is declared; declared are other, swallowed\n",
                          says({"drops": {"swalowed": number, "swallowed": 1}}))
        self.assertIn(b"packets handed to the control processor for 'swallowed': no reason is declared for which packets are handed to it\n",
                      says({"drops": {"swallowed": 1}, "exceptions": {"swallowed": 0}}))
        self.project(SWALLOW)
        self.assertIn(b"packets dropped for 'swallowed': no reason is declared for which packets are dropped\n", says({"drops": {"swallowed": 0}}))

    def test_faults_name_file_and_line(self):
        self.project(SWALLOW.replace("scratch[incr, --, at, 0]", "immed[at, (6 << 2)]\nscratch[put, $out, at, 0, 1], sig_done[done]\nctx_arb[done]")
                     .replace(".sig volatile mpacket", ".sig volatile mpacket\n.sig done\n.reg write $out\nimmed[$out, 3]"),
                     reasons=[{"name": "none", "memory": "scratch", "address": "0x3f00"}])
        text = self.weft("run", ".", "--json", "r.json").stdout.decode()
        self.assertRegex(text, r"(?m)^  10 at \S*p\.uc:25 \(me0\.ctx0\): engine 0 puts on scratch ring 6, which is not set up$")
        units = {unit["name"]: unit for unit in json.loads((self.folder / "r.json").read_text())["units"]}
        (fault,) = units["scratch"]["fault-places"]
        self.assertEqual((fault["count"], fault["engine"], fault["context"]), (10, 0, 0))
        self.assertTrue(fault["place"].endswith("p.uc:25"))
        strict = self.weft("run", ".", "--strict", expect=1)
        self.assertIn(b"10 faults of units", strict.stderr)

    def test_what_the_control_processor_keeps(self):
        """A later fragment whose first one does not come waits there (RFC 4787 REQ-14)."""
        packet = bytearray.fromhex("4500001e0001000540110000" "0a000002" "c6336407") + b"abcdefghij"
        total = sum(packet[i] << 8 | packet[i + 1] for i in range(0, 20, 2))
        packet[10:12] = (0xFFFF - (total & 0xFFFF) - (total >> 16)).to_bytes(2, "big")
        frame = bytes.fromhex("02000000010a" "02000000000a" "0800") + packet.ljust(46, b"\0")
        self.write("in.pcap", struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1) + struct.pack("<IIII", 0, 0, 60, 60) + frame)
        nat = SOURCE / "examples" / "firewall-napt"
        words = ["run", nat, "--set", "ports=[]", "--set", f"control.config={nat / 'firewall.conf'}", "--in", "0=in.pcap", "--set", "control.commands=[]"]
        text = self.weft(*words).stdout.decode()
        self.assertRegex(text, r"(?m)^without an end .*\n  kept by the control processor +- +1$")
        self.assertNotIn("which say nothing", text)

    def test_a_router_that_does_its_work_is_strict(self):
        text = self.weft("run", FORWARDER, "--strict", "--set", "ports.0.in.generate.count=100", "--set", "ports.1.in.generate.count=100").stdout.decode()
        self.assertIn(", 0 without an end\n", text)
        # Cut in the middle, packets are under way and that is no fault of the program.
        text = self.weft("run", FORWARDER, "--strict", "--cycles", "20000").stdout.decode()
        self.assertRegex(text, r", [1-9]\d* without an end\n")


if __name__ == "__main__":
    unittest.main()
