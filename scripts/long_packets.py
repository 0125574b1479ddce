#!/usr/bin/env python3
"""Many packets through every application: each is accounted for, and memory does not grow with their number.

  long_packets.py --weft PROGRAM --packets N [--seed S] [APPLICATION...]

An application runs twice, with a twentieth of the packets (at least 2,000) and with all. What went in must be what went out, was
dropped, was handed to the control processor or was lost at ports, with none without an end; and the second run may not take more
than 1.25 times the memory of the first and 20 MB. Figures are printed, and the status is 1 when one does not hold.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
APPLICATIONS = ["ipv4-forwarder", "dual-stack-router", "mpls-router", "firewall-filter", "firewall-napt", "ipv4-forwarder-1200",
                "diffserv-edge-1200", "two-chips"]


def project(name):
    text = (ROOT / "examples" / name / "weft.json").read_text()
    return json.loads(re.sub(r"(?m)^\s*//.*$", "", text))


def run(weft, name, packets, seed):
    """The counts of ports keep their proportion. Gives the report, bytes of memory at most, and seconds."""
    ports = project(name)["ports"]
    counts = [port["in"]["generate"]["count"] if "in" in port and "generate" in port["in"] else 0 for port in ports]
    words = [weft, "run", ROOT / "examples" / name, "--seed", str(seed), "--progress", "off"]
    for i, count in enumerate(counts):
        if count:
            words += ["--set", f"ports.{i}.in.generate.count={max(count * packets // sum(counts), 1)}"]
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        began = time.monotonic()
        process = subprocess.Popen([*map(str, words), "--json", str(report)], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - began
        if process.returncode != 0:
            raise SystemExit(f"long: packets: {name}: weft run ended with {process.returncode}")
        return json.loads(report.read_text()), used.ru_maxrss * 1024, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", required=True)
    parser.add_argument("--packets", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("applications", nargs="*", default=APPLICATIONS)
    options = parser.parse_args()
    wrong = []
    for name in options.applications:
        few, memory_few, _ = run(options.weft, name, min(max(options.packets // 20, 2000), options.packets), options.seed)
        many, memory, seconds = run(options.weft, name, options.packets, options.seed)
        p = many["packets"]
        ends = p["out"] + p["dropped"] + p["handed-to-core"] + p["lost"] - p["made"]
        problems = []
        if p["in"] < options.packets * 0.99:
            problems.append(f"{p['in']} came in")
        if p["without-end"] != 0:
            problems.append(f"{p['without-end']} without an end")
        if ends != p["in"]:
            problems.append(f"{ends} ends of {p['in']}")
        if memory > 1.25 * memory_few + 20e6:
            problems.append(f"memory grew from {memory_few / 1e6:.0f} to {memory / 1e6:.0f} MB")
        print(f"{name}: {p['in']} in, {p['out']} out, {p['dropped']} dropped, {p['handed-to-core']} to the core, {p['lost']} lost at ports, "
              f"{p['made']} made, {p['without-end']} without an end; {memory_few / 1e6:.0f} MB with {few['packets']['in']}, {memory / 1e6:.0f} MB with all; "
              f"{seconds:.0f} s{': ' + ', '.join(problems) if problems else ''}", flush=True)
        wrong += [name] if problems else []
    print(f"long: packets: {options.packets} through each of {len(options.applications)} applications, seed {options.seed}: "
          f"{'wrong in ' + ', '.join(wrong) if wrong else 'all accounted for, memory flat'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
