#!/usr/bin/env python3
"""The seed corpus of a fuzz target: files of this repository, short texts from here, and everything in corpus/ and findings/.

  seeds.py TARGET --into FOLDER    copies it there, each file under the hash of its bytes
  seeds.py TARGET --run PROGRAM    makes it in a temporary folder and runs PROGRAM TARGET FOLDER
  --weft PROGRAM                   the weft command, which makes recordings: they are of one build
  --mutants N                      with --run: N changed inputs of each, too
"""
import argparse
import hashlib
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

MICROCODE = ["examples/**/*.uc", "lib/microblocks/**/*.uc", "tests/**/*.uc"]
CASES = ["tests/assembler/preprocess_cases.txt", "tests/assembler/preprocess_errors.txt"]
FILES = {
    "preprocessor": MICROCODE + CASES,
    "resolver": MICROCODE,
    "assembler": MICROCODE,
    "image": [],
    "project": ["examples/**/weft.json"],
    "description": ["emulator/chips/*.json", "emulator/boards/*.json"],
    "router": ["examples/**/router.conf"],
    "rules": ["examples/firewall*/**/*.rules"],
    "pins": ["examples/first/*.uc", "examples/language/*.uc"],
    "test_file": ["lib/microblocks/**/*.test.json", "examples/**/*.test.json"],
    "routes": [],
    "mpls": ["examples/mpls-router/**/*.conf", "examples/dual-stack-router/*.conf"],
    "diffserv": ["examples/diffserv-edge-1200/**/*.conf"],
    "match_rules": ["examples/diffserv-edge-1200/**/*.rules"],
    "expression": [],
    "commands": [],
    "pcap": ["examples/**/*.pcap"],
    "recording": [],
}
LARGEST = {"test_file": 20_000, "pcap": 20_000}  # bytes; larger ones are slow, and say nothing new

PROGRAM = """.reg a b count
.reg $in0 $in1 $$d
.xfer_order $in0 $in1
.sig done
.begin
    immed[a, 0x1234, <<16]
    alu_shf[b, --, B, a, >>4]
    alu[count, a, +carry, b], no_cc
again#:
    sram[read, $in0, a, 0, 2], ctx_swap[done]
    .while (count > 0)
        alu[count, count, -, 1]
        .if (a == $in0)
            ld_field[a, 0011, b, <<8], load_cc
        .elif (BIT(a, 3))
            .break
        .else
            dbl_shf[b, a, $in1, >>3]
        .endif
    .endw
    br_bclr[a, 3, again#], defer[1]
    nop
    .subroutine
sub#:
    rtn[b]
    .endsub
.end
    ctx_arb[kill]
"""
MACROS = """#define WIDTH 4
#define_eval NEXT (WIDTH + 1)
#macro add_all(out, list_count)
    #define_eval _I 0
    #while (_I < list_count)
        alu[out, out, +, _I]
        #define_eval _I (_I + 1)
    #endloop
    br[end#]
end#:
#endm
#for x [1, 2, (3, 4)]
    immed[a, x]
#endloop
#repeat 3
    nop
#endloop
#if (streq('a', 'b') || isnum(3) && log2(8) == 3)
    alu[a/**/1, --, B, 0]
#elif (strstr('abc', 'b') > 0)
#else
#endif
.reg a a1
add_all(a, NEXT)
"""
IMAGE = """{"format": "weft-image", "version": 1, "name": "x", "chip": "ixp2400", "profile": "me2", "contexts": 8,
"words": ["f0000000", "e000010000"], "files": ["x.uc"], "lines": [], "labels": [], "registers": [], "signals": []}
"""
ROUTER = """interface A port 0 mac 02:00:00:00:01:0a mtu 1500
interface B port 1 mac 02:00:00:00:01:0b any-mac
address A 10.0.0.1/24
address B 192.0.2.1/24
neighbour 10.0.0.2 mac 02:00:00:00:00:0a
route 198.51.100.0/24 via 192.0.2.2   # comment
route 203.0.113.0/24 discard
routes-from table.txt via 10.0.0.2 192.0.2.2
switch martians off
"""


RULES = """accept source 10.0.0.0-10.0.1.7 destination 192.0.2.1 source-port 1024-65535 destination-port 20-21 protocol 6-17 dscp 3-9 in 1 out 0 state new
drop source-port 7-300 dscp ef
accept destination-port 0-255 protocol 128-255 # half of each
drop in any state any
default accept
"""


PINS = """//pin a * a3
//pin b d12 b4
//pin $x :9 $3
//pin done * s4
//pin @n * @a16
.reg a b @n $x
.sig done
immed[a, 1]
alu[b, a, +, 1]
alu[$x, --, B, b]
alu[@n, @n, +, b]
sram[write, $x, a, 0, 1], ctx_swap[done]
ctx_arb[kill]
"""
ROUTES = """# comment
198.51.100.0/24 192.0.2.2
203.0.113.0 24 1
0.0.0.0/0 0
2001:db8::/32 fe80::1
2001:db8:1:: 48 2
; another
"""
MPLS = """interface A port 0 mac 02:00:00:00:01:0a mtu 1500
interface B port 1 mac 02:00:00:00:01:0b
address A 10.0.0.1/24
address B 192.0.2.1/24
neighbour 192.0.2.2 mac 02:00:00:00:00:0a
mpls labels 4096
mpls table combined
mpls mode pipe
mpls interface A
mpls tc-map dscp 40-46 tc 5
mpls dscp-map tc 5 dscp 46
label 33 pop 2 ipv4
label 34 pop via 192.0.2.2
label 40-47 swap 80 push 44 45 via 192.0.2.2 uniform-ttl bottom
label 35 swap 33 ttl 9 tc 3 via 192.0.2.2 not-bottom
route 198.51.100.0/24 push 32 33 via 192.0.2.2
route 203.0.113.0/24 via 192.0.2.2
"""
DIFFSERV = """interface A port 0 mac 02:00:00:00:01:0a
interface B port 1 mac 02:00:00:00:01:0b
address A 10.0.0.1/24
address B 192.0.2.1/24
neighbour 192.0.2.2 mac 02:00:00:00:00:0a
route 198.51.100.0/24 via 192.0.2.2
rules edge.rules
classifier range
class AF1 quantum 1024 queue 32
class EF quantum 2048 queue 16
precedence 32 24 16
tick 1000
%%
"""
MATCH = """# classes
match protocol udp destination-port 5004 : class EF police 23M burst 3000
match source 10.1.0.0/16 : class AF1 srtcm 8M 4096 8192
match dscp 26 : class AF3 trtcm 4M 4096 8M 8192 aware drop red
match destination 192.0.2.0/24 source-port 1-1023 : class BE dscp keep
match any : class BE
"""
CLASSBENCH = """@10.0.0.0/8\t192.0.2.0/24\t0 : 65535\t80 : 80\t0x06/0xFF\t0x0000/0x0000
@0.0.0.0/0\t198.51.100.7/32\t1024 : 65535\t0 : 65535\t0x00/0x00\t0x0000/0x0000
"""
EXPRESSIONS = ["me0.ctx3.n == 5", "scratch[0x100] & 0xff", "sram0[4 * (2 + 1)] >> 3 != 0 ? 1 : -1", "bits(scratch[0], 7, 0) + popcount(3)", "ring1.count",
               "cycle >= 20000 && !(me1.ctx0.pc < 12 || time > 5ms)", "n is {n}, {scratch[4]:x} {{there}}", "forward.uc:120", "0x1f", "loop#",
               "3 put", "0 in", "dropped no_route", "me0 20", "* 20", "me0.ctx3.done", "cap.XMIT_PTR", "dram[0x1000]", "me0.@next", "me0.$x", "me0.csr.CTX_ENABLES"]
COMMANDS = """# comment
at 1000: write scratch[0x100] = 5
at 2us: print {scratch[0x100]:x} and {ring1.count}
at 1 packets: print {cycle}
at 2500: route 203.0.113.0/24 via 192.0.2.2
at 3000: withdraw 203.0.113.0/24
at 3us: show routes
at 3ms: load 2 other.uc
"""
TEST = """{"version": 1, "description": "all that a test may say", "include": ["."], "board": "generic-2400", "chip": "ipx", "check": "warn,race=off",
"define": {"N": 3}, "constants": {"M": "0x10"}, "frames": {"plain": {"layers": [{"ethernet": {}}, {"ipv4": {"source": "10.0.0.1"}}, {"udp": {}}, {"octets": "00 11"}]}},
"code": [".reg volatile n r", "alu[r, n, +, N]"], "limit": {"cycles": 500},
"tests": [{"name": "a ${n}", "set": {"n": "${n}", "scratch[0x40]": [1, "2 + 1"]}, "expect": {"values": {"r": "${n} + 3", "scratch[0x40]": {"value": 1, "mask": "0xff"}}, "cycles": {"most": 400}},
"rows": [{"n": 0}, {"n": 4294967295}]}, {"name": "frames", "in": [{"port": 0, "frame": "plain", "at": 10}], "expect": {"out": [], "drops": {}}},
{"name": "known", "fails": "why", "contexts": 3, "expect": {"instructions": 9}}]}
"""


def frame():
    return bytes.fromhex("02000000010a020000000001080045000014000000004011") + bytes(40)


def pcap(magic, order):
    head = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, 1)
    return head + b"".join(struct.pack(order + "IIII", t, 7, 64, 64) + frame() for t in range(3))


def pcapng():
    def block(kind, body):
        body += bytes(-len(body) % 4)
        return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

    section = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    interface = block(1, struct.pack("<HHI", 1, 0, 65535) + struct.pack("<HHB3x", 9, 1, 9) + struct.pack("<HH", 0, 0))
    packet = block(6, struct.pack("<IIIII", 0, 0, 1000, 64, 64) + frame())
    return section + interface + packet


TEXTS = {
    "preprocessor": [MACROS, PROGRAM],
    "resolver": [PROGRAM, MACROS],
    "assembler": [PROGRAM, MACROS],
    "image": [IMAGE],
    "project": [],
    "description": [],
    "router": [ROUTER],
    "rules": [RULES],
    "pins": [PINS],
    "test_file": [TEST],
    "routes": [ROUTES],
    "mpls": [MPLS],
    "diffserv": [DIFFSERV + MATCH],
    "match_rules": [MATCH, CLASSBENCH],
    "expression": EXPRESSIONS,
    "commands": [COMMANDS],
    "recording": [],
    "pcap": [pcap(0xA1B2C3D4, "<"), pcap(0xA1B23C4D, ">"), pcapng()],
}


def recordings(weft):
    """Short runs of small projects; a recording fits the build that made it only."""
    with tempfile.TemporaryDirectory() as folder:
        for example, cycles in ("first", 300), ("two-chips", 1500):
            path = pathlib.Path(folder) / f"{example}.weftrec"
            subprocess.run([weft, "run", ROOT / "examples" / example, "--cycles", str(cycles), "--record", path], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
            yield example, path.read_bytes()


def corpus(target, weft=None):
    if target == "recording":
        if weft is None:
            raise SystemExit("seeds.py: recordings are made by the weft command: --weft PROGRAM")
        yield from recordings(weft)
    for text in TEXTS[target]:
        yield "text", text if isinstance(text, bytes) else text.encode()
    for pattern in FILES[target]:
        for path in sorted(ROOT.glob(pattern)):
            if "build" not in path.relative_to(ROOT).parts and path.stat().st_size <= LARGEST.get(target, 1 << 20):
                yield path.stem, path.read_bytes()
    # What one found may be news to another that reads the same language.
    for folder in {"preprocessor": ["assembler", "resolver"], "resolver": ["assembler"], "assembler": ["resolver"]}.get(
            target, []) + [target]:
        for kept in "findings", "corpus":
            for path in sorted((HERE / kept / folder).glob("*")):
                yield f"{kept}-{path.stem}", path.read_bytes()


def copy(target, folder, weft):
    count = 0
    for name, data in corpus(target, weft):
        (folder / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)
        count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=sorted(FILES))
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--run")
    parser.add_argument("--weft")
    parser.add_argument("--mutants", type=int, default=0)
    options = parser.parse_args()
    if options.into:
        options.into.mkdir(parents=True, exist_ok=True)
        copy(options.target, options.into, options.weft)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        copy(options.target, pathlib.Path(folder), options.weft)
        return subprocess.run([options.run, options.target, "--mutants", str(options.mutants), folder]).returncode


sys.exit(main())
