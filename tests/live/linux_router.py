"""Linux as a router in a network namespace of its own: each interface is a TAP device whose other end this process holds.

A VLAN has a device of its own too, and its tag is put on and taken off here (IEEE 802.1Q: a tag of VLAN 0 is a priority
only): not every kernel has VLANs.
"""
import ctypes
import fcntl
import os
import select
import struct
import subprocess
import time

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000


KERNEL = "6.18"  # what known.py has names for; another Linux may differ in other ways


class NoNamespace(Exception):
    """This machine lets nobody make one, or its Linux is another one."""


def enter_namespace(any_kernel):
    """This process moves into a network of its own; it needs no rights where user namespaces are allowed."""
    if not any_kernel and ".".join(os.uname().release.split(".")[:2]) != KERNEL:
        raise NoNamespace(f"this is Linux {os.uname().release}, not {KERNEL}; compare all the same with --any-kernel")
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if user == 0:
        done = libc.unshare(CLONE_NEWNET)
    else:
        done = libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)
    if done != 0:
        raise NoNamespace(f"unshare: {os.strerror(ctypes.get_errno())}")
    if user != 0:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    if not os.path.exists("/dev/net/tun"):
        raise NoNamespace("no /dev/net/tun")


def sysctl(name, value):
    path = "/proc/sys/net/" + name
    if os.path.exists(path):
        with open(path, "w", encoding="ascii") as file:
            file.write(str(value))


def ip(*words):
    subprocess.run(["ip", *map(str, words)], check=True, stdout=subprocess.DEVNULL)


class LinuxRouter:
    """Set up from the lines of a router.conf. Reverse-path filter, redirects and limits of ICMP are off."""

    def __init__(self, config):
        self.config, self._fds = config, {}
        for name, value in {"ipv4/ip_forward": 1, "ipv4/conf/all/rp_filter": 0, "ipv4/conf/default/rp_filter": 0,
                            "ipv4/conf/all/send_redirects": 0, "ipv4/conf/default/send_redirects": 0,
                            "ipv4/icmp_ratelimit": 0, "ipv4/icmp_msgs_per_sec": 10**6, "ipv4/icmp_msgs_burst": 10**5,
                            "ipv4/icmp_echo_ignore_broadcasts": 1, "ipv6/conf/all/forwarding": 1,
                            "ipv6/conf/default/accept_dad": 0, "ipv6/conf/default/accept_ra": 0,
                            "ipv4/route/error_cost": 0, "ipv6/conf/default/router_solicitations": 0,
                            "ipv6/icmp/ratelimit": 0, "ipv6/auto_flowlabels": 0, "ipv6/icmp/echo_ignore_multicast": 1,
                            "ipv4/neigh/default/mcast_solicit": 1, "ipv6/neigh/default/mcast_solicit": 1}.items():
            sysctl(name, value)
        ip("link", "set", "lo", "up")
        for link in config.interfaces:
            self._fds[(link.port, link.vlan)] = self._tap(link.device)
            ip("link", "set", link.device, "address", link.mac, "mtu", link.mtu)
            ip("link", "set", link.device, "up")
        for link, address in config.addresses:
            ip("address", "add", address, "dev", link.device, *(["nodad"] if ":" in address else ["broadcast", "+"]))
        for link, address, mac in config.neighbours:
            ip("neighbour", "replace", address, "lladdr", mac, "dev", link.device, "nud", "permanent")
            # The station under its link-local address too: Weft answers it where its frame came from.
            ip("neighbour", "replace", "fe80::9", "lladdr", mac, "dev", link.device, "nud", "permanent")
        for prefix, via in config.routes:
            ip("-6" if ":" in prefix else "-4", "route", "add", *([prefix, "via", via] if via else ["blackhole", prefix]))
        time.sleep(1.0)  # what the system says on its own when a link comes up
        self.collect(0.2)

    @staticmethod
    def _tap(name):
        fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
        return fd

    def collect(self, quiet):
        """What has left: (port, frame), until nothing came for `quiet` seconds."""
        links = {fd: link for link, fd in self._fds.items()}
        out = []
        while True:
            ready, _, _ = select.select(list(links), [], [], quiet)
            if not ready:
                return out
            for fd in ready:
                port, vlan = links[fd]
                frame = os.read(fd, 65536)
                if vlan is not None:
                    frame = frame[:12] + struct.pack(">HH", 0x8100, vlan) + frame[12:]
                out.append((port, frame))

    def send(self, port, frame, quiet=0.005):
        """What leaves because of one frame."""
        vlan = None
        if frame[12:14] == b"\x81\x00":
            vlan = (struct.unpack_from(">H", frame, 14)[0] & 0xFFF) or None
            frame = frame[:12] + frame[16:]
        if (port, vlan) not in self._fds:
            return []
        os.write(self._fds[(port, vlan)], frame)
        return self.collect(quiet)
