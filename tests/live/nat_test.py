#!/usr/bin/env python3
"""Linux with nftables and examples/firewall-napt are given the same random conversations; what leaves must be the same.

    nat_test.py REPOSITORY WEFT [--frames N] [--seed N] [--any-kernel] [--verbose]

See live_test.py; the rules that Linux gets say what firewall.conf and firewall.rules say.
"""
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from conversations import Conversations, PUBLIC, packed  # noqa: E402
from known import network_layer  # noqa: E402
from linux_router import LinuxRouter, NoNamespace, enter_namespace, sysctl  # noqa: E402
from live_test import command_line, compare, run_weft  # noqa: E402
from router_config import RouterConfig  # noqa: E402

RULES = """
table ip nat {
  chain pre {
    type nat hook prerouting priority -100;
    iifname "wB" ip daddr 192.0.2.1 tcp dport 8080 dnat to 10.0.0.2:80
    iifname "wB" ip daddr 192.0.2.1 udp dport 5353 dnat to 10.0.0.2:53
  }
  chain post { type nat hook postrouting priority 100; oifname "wB" snat to 192.0.2.1; }
}
table ip filter {
  chain forward {
    type filter hook forward priority 0; policy drop;
    ct state invalid drop
    ct state established,related accept
    iifname "wA" accept
    iifname "wB" ct status dnat accept
  }
}
"""


def name_of(frame, theirs, ours):
    """The difference's name and standard, or None (docs/firewall.md, Departures)."""
    packet = network_layer(frame)
    if packet.protocol != 6:
        return None
    left = [network_layer(row[1]) for row in theirs]
    reset = len(left) == 1 and left[0].protocol == 6 and left[0].data[left[0].size + 13] & 4
    length = int.from_bytes(packet.data[2:4], "big")
    if (not theirs or reset) and len(ours) == 1 and length == packet.size + (packet.data[packet.size + 12] >> 4) * 4:
        return "a segment without data is judged by its ack alone (van Rooij 2000); its end answers (RFC 9293 3.10.7.4)"
    if not ours and reset:
        return "Linux resets what its own stack does not know (RFC 5382 REQ-4: a translator may be silent)"
    return None


def main():
    options = command_line(frames=800, full_frames=3000).parse_args()
    repository = os.path.abspath(options.repository)
    with open(os.path.join(repository, "examples", "firewall-napt", "firewall.conf"), encoding="utf-8") as file:
        config = RouterConfig(file.read())
    inputs = Conversations(random.Random(options.seed)).make(options.frames)
    with tempfile.TemporaryDirectory() as folder:
        weft = run_weft(repository, os.path.abspath(options.weft), "firewall-napt", inputs, folder, "firewall.conf")
    try:
        enter_namespace(options.any_kernel)
        linux = LinuxRouter(config)
        subprocess.run(["nft", "-f", "-"], input=RULES.encode(), check=True)
    except (NoNamespace, OSError, subprocess.CalledProcessError) as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    sysctl("netfilter/nf_conntrack_tcp_loose", 0)
    sysctl("netfilter/nf_conntrack_tcp_be_liberal", 0)
    own = {packed(PUBLIC), packed("10.0.0.1")}
    equal, silent = compare(linux, inputs, weft, own, name_of, options)
    if equal - silent < len(inputs) // 2:
        sys.exit("less than half of the frames left alike: the two systems are not set up alike")


if __name__ == "__main__":
    main()
