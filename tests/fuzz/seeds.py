#!/usr/bin/env python3
"""The seed corpus of a fuzz target: files of this repository, short texts from here, and everything in findings/.

  seeds.py TARGET --into FOLDER    copies it there, each file under the hash of its bytes
  seeds.py TARGET --run PROGRAM    makes it in a temporary folder and runs PROGRAM TARGET FOLDER
"""
import argparse
import hashlib
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
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
    "rules": ["examples/**/*.rules"],
    "pcap": [],
}

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
    "pcap": [pcap(0xA1B2C3D4, "<"), pcap(0xA1B23C4D, ">"), pcapng()],
}


def corpus(target):
    for text in TEXTS[target]:
        yield "text", text if isinstance(text, bytes) else text.encode()
    for pattern in FILES[target]:
        for path in sorted(ROOT.glob(pattern)):
            if "build" not in path.relative_to(ROOT).parts:
                yield path.stem, path.read_bytes()
    # What one found may be news to another that reads the same language.
    for folder in {"preprocessor": ["assembler", "resolver"], "resolver": ["assembler"], "assembler": ["resolver"]}.get(
            target, []) + [target]:
        for path in sorted((HERE / "findings" / folder).glob("*")):
            yield "found-" + path.stem, path.read_bytes()


def copy(target, folder):
    count = 0
    for name, data in corpus(target):
        (folder / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)
        count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=sorted(FILES))
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--run")
    options = parser.parse_args()
    if options.into:
        options.into.mkdir(parents=True, exist_ok=True)
        copy(options.target, options.into)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        copy(options.target, pathlib.Path(folder))
        return subprocess.run([options.run, options.target, folder]).returncode


sys.exit(main())
