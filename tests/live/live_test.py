#!/usr/bin/env python3
"""Linux and a router of examples/ are given the same random frames; what leaves must be the same octets.

    live_test.py REPOSITORY WEFT [--frames N] [--seed N] [--example NAME] [--any-kernel] [--verbose]

Linux runs in a network namespace of its own (linux_router.py). The reference is written by nobody here, so it finds what
neither the microcode nor its tests thought of. Where both differ, a row of KNOWN must name the standard that says which
is right; every other difference is a failure. Where no namespace can be made the test is skipped (77).
"""
import argparse
import collections
import ipaddress
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from frames import Frames, checksum  # noqa: E402
from known import name_of  # noqa: E402
from linux_router import LinuxRouter, NoNamespace, enter_namespace  # noqa: E402
from router_config import RouterConfig  # noqa: E402

SPACING = 60_000  # ns between two frames: all that a frame causes has left by then


def write_pcap(path, rows):
    """Nanosecond pcap of (time in ns, frame)."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
        for at, frame in rows:
            file.write(struct.pack("<IIII", at // 10**9, at % 10**9, len(frame), len(frame)) + frame)


def read_pcap(path):
    with open(path, "rb") as file:
        data = file.read()
    at = 24
    while at < len(data):
        seconds, nano, length, _ = struct.unpack_from("<IIII", data, at)
        yield seconds * 10**9 + nano, data[at + 16:at + 16 + length]
        at += 16 + length


def run_weft(repository, weft, example, inputs, folder, config="router.conf"):
    """For each input the list of (port, frame) that left because of it."""
    project = os.path.join(folder, "examples", example)
    os.makedirs(os.path.join(folder, "lib"))
    os.symlink(os.path.join(repository, "lib", "microblocks"), os.path.join(folder, "lib", "microblocks"))
    shutil.copytree(os.path.join(repository, "examples", example), project)
    with open(os.path.join(project, config), "a", encoding="utf-8") as file:
        file.write("\nswitch icmp-rate off\n")
    with open(os.path.join(project, "weft.json"), encoding="utf-8") as file:
        document = json.loads(re.sub(r"^\s*//.*$|(?<=[\],{}\"])\s*//.*$", "", file.read(), flags=re.M))
    ports = sorted({port for port, _ in inputs})
    document["ports"] = []
    for port in ports:
        write_pcap(os.path.join(project, f"in-{port}.pcap"),
                   [(i * SPACING, frame) for i, (at, frame) in enumerate(inputs) if at == port])
        document["ports"].append({"port": port, "in": {"capture": f"in-{port}.pcap", "timing": "capture"}, "out": f"out-{port}.pcap"})
    document["limits"] = {"quiet": 60000}
    with open(os.path.join(project, "weft.json"), "w", encoding="utf-8") as file:
        json.dump(document, file)
    done = subprocess.run([weft, "run", project, "--json", os.path.join(project, "report.json")], capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"weft run ended with {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
    out = [[] for _ in inputs]
    for port in ports:
        path = os.path.join(project, f"out-{port}.pcap")
        for at, frame in read_pcap(path) if os.path.exists(path) else ():
            out[min(at // SPACING, len(out) - 1)].append((port, frame))
    return out


def layers(frame):
    """(offset of the network layer, its type), after a tag."""
    at, kind = 14, struct.unpack_from(">H", frame, 12)[0]
    if kind == 0x8100:
        at, kind = 18, struct.unpack_from(">H", frame, 16)[0]
    return at, kind


def question(frame, own):
    """ARP requests and neighbour solicitations, and 3/1 and 1/3 when nobody has answered: when and how often a router asks
    is its own affair (RFC 1122 2.3.2.1). And redirects, which our routers do not send (docs/router.md)."""
    at, kind = layers(frame)
    if kind == 0x0806:
        return struct.unpack_from(">H", frame, at + 6)[0] == 1
    if kind == 0x0800:
        message = at + (frame[at] & 15) * 4
        return frame[at + 9] == 1 and frame[message:message + 2] == b"\x03\x01" and bytes(frame[at + 12:at + 16]) in own
    return kind == 0x86DD and len(frame) > at + 41 and frame[at + 6] == 58 and (
        frame[at + 40] in (135, 137, 143) or frame[at + 40:at + 42] == b"\x01\x03")


def text_of(frame):
    """A frame for people: addresses and what matters, then the first octets of all of it."""
    at, kind = layers(frame)
    words = f"{kind:04x}"
    if kind == 0x0800 and len(frame) >= at + 20:
        source, destination = (str(ipaddress.ip_address(frame[at + n:at + n + 4])) for n in (12, 16))
        size = (frame[at] & 15) * 4
        words = f"{source} > {destination} length {struct.unpack_from('>H', frame, at + 2)[0]} ttl {frame[at + 8]} " \
                f"fragment {frame[at + 6:at + 8].hex()} protocol {frame[at + 9]} header {size}"
        if frame[at + 9] == 1:
            words += f" icmp {frame[at + size]}/{frame[at + size + 1]}"
        if size > 20:
            words += " options " + frame[at + 20:at + size].hex()
    elif kind == 0x86DD and len(frame) >= at + 40:
        source, destination = (str(ipaddress.ip_address(frame[at + n:at + n + 16])) for n in (8, 24))
        words = f"{source} > {destination} length {struct.unpack_from('>H', frame, at + 4)[0]} hops {frame[at + 7]} next {frame[at + 6]}"
        if frame[at + 6] == 58:
            words += f" icmp {frame[at + 40]}/{frame[at + 41]}"
    return f"{words} [{len(frame)}: {frame[:at + 64].hex()}]"


def comparable(frame, own):
    """The frame without what a sender may choose: the identification of packets that the router makes (RFC 6864)."""
    frame = bytearray(frame.ljust(60, b"\0"))
    at, kind = layers(frame)
    if kind == 0x0800 and bytes(frame[at + 12:at + 16]) in own and frame[at + 9] == 1:
        size = (frame[at] & 15) * 4
        if checksum(bytes(frame[at:at + size])) == 0:  # a wrong one stays, and is a difference
            frame[at + 4:at + 6] = b"\0\0"
            frame[at + 10:at + 12] = b"\0\0"
    return bytes(frame)


def what_counts(frames, own):
    return sorted((port, comparable(frame, own)) for port, frame in frames if not question(frame, own))


def tell(unknown, verbose):
    """What has no name; ends with it."""
    for number, port, frame, theirs, ours in unknown[:None if verbose else 8]:
        print(f"frame {number} into port {port}: {text_of(frame)}")
        for who, rows in (("Linux", theirs), ("here ", ours)):
            for at, left in rows or ((None, None),):
                print(f"  {who}: " + ("nothing" if left is None else f"port {at}: {text_of(left)}"))
    if unknown:
        sys.exit(f"{len(unknown)} frames have another end, and no standard is named for it")


def compare(linux, inputs, weft, own, name_of, options):
    """Sends every frame to Linux and says what became of it in both. (how many ended alike, how many of those were dropped)"""
    equal, silent, known, unknown = 0, 0, collections.Counter(), []
    for number, (port, frame) in enumerate(inputs):
        sent = linux.send(port, frame)
        theirs = what_counts(sent, own)
        ours = what_counts(weft[number], own)
        if theirs != ours:  # a busy machine may take longer
            theirs = what_counts(sent + linux.collect(0.05), own)
        if theirs == ours:
            equal += 1
            silent += not ours
            continue
        name = name_of(frame, theirs, ours)
        if name:
            known[name] += 1
        else:
            unknown.append((number, port, frame, theirs, ours))
    print(f"seed {options.seed}: {len(inputs)} frames, {equal} with the same end, of those {silent} dropped by both")
    for name, count in known.most_common():
        print(f"{count:6} {name}")
    tell(unknown, options.verbose)
    return equal, silent


def command_line(frames, full_frames):
    """What the tests that ask Linux are called with."""
    words = argparse.ArgumentParser()
    words.add_argument("repository")
    words.add_argument("weft")
    words.add_argument("--frames", type=int, default=full_frames if os.environ.get("WEFT_FULL") else frames)
    words.add_argument("--seed", type=int, default=int(os.environ.get("WEFT_SEED", "1")))
    words.add_argument("--any-kernel", action="store_true")
    words.add_argument("--verbose", action="store_true")
    return words


def main():
    words = command_line(frames=1000, full_frames=4000)
    words.add_argument("--example", default="dual-stack-router")
    options = words.parse_args()
    with open(os.path.join(options.repository, "examples", options.example, "router.conf"), encoding="utf-8") as file:
        config = RouterConfig(file.read())
    made = Frames(config, random.Random(options.seed))
    inputs = [made.one() for _ in range(options.frames)]
    with tempfile.TemporaryDirectory() as folder:
        weft = run_weft(os.path.abspath(options.repository), os.path.abspath(options.weft), options.example, inputs, folder)
    try:
        enter_namespace(options.any_kernel)
        linux = LinuxRouter(config)
    except (NoNamespace, OSError, subprocess.CalledProcessError) as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    own = {interface.ip.packed for interface in made.own[4]}
    equal, _ = compare(linux, inputs, weft, own, lambda *row: name_of(*row, config), options)
    if equal < len(inputs) // 2:
        sys.exit("less than half of the frames had the same end: the two systems are not set up alike")


if __name__ == "__main__":
    main()
