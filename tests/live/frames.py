"""Random Ethernet frames for a router: most of them well formed, many with one thing that is at or beyond a limit."""
import ipaddress
import struct


def checksum(data):
    """RFC 1071."""
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def octets(mac):
    return bytes(int(part, 16) for part in mac.split(":"))


UNREACHED = ("203.0.112.9", "8.8.8.8", "11.0.0.1", "169.254.9.9")


class Frames:
    def __init__(self, config, random):
        self.config, self.random = config, random
        self.links = config.interfaces
        self.near, self.own, self.routed = {4: [], 6: []}, {4: [], 6: []}, {4: [], 6: []}
        for link, address, _ in config.neighbours:
            self.near[6 if ":" in address else 4].append((link, ipaddress.ip_address(address)))
        for link, address in config.addresses:
            self.own[6 if ":" in address else 4].append(ipaddress.ip_interface(address))
        for prefix, _ in config.routes:
            self.routed[6 if ":" in prefix else 4].append(ipaddress.ip_network(prefix))

    def one(self):
        """(port, frame)."""
        r = self.random
        link = r.choice(self.links)
        family = r.choice((4, 4, 6) if self.routed[6] else (4,))
        packet, group = (self.ipv4 if family == 4 else self.ipv6)(link)
        to = octets(link.mac)
        chance = r.random()
        if group and chance < 0.9:
            to = group
        elif chance < 0.02:
            to = r.choice((b"\xff" * 6, octets("02:00:00:00:99:99"), octets("01:00:5e:00:00:01"), octets("33:33:00:00:00:01")))
        near = [mac for at, address, mac in self.config.neighbours if at is link]
        frame = to + octets(r.choice(near) if near else "02:00:00:00:00:77")
        vlan = link.vlan
        if vlan is None and r.random() < 0.02:
            vlan = r.choice((0, 200, 4095))
        if vlan is not None:
            frame += struct.pack(">HH", 0x8100, vlan | r.choice((0, 0, 0xA000)))
        frame += struct.pack(">H", 0x0800 if family == 4 else 0x86DD) + packet
        return link.port, frame.ljust(60, b"\0")

    # ---- addresses
    def within(self, network):
        return network[self.random.randrange(network.num_addresses)]

    def destination(self, family):
        r, chance = self.random, self.random.random()
        if chance < 0.62:
            return self.within(r.choice(self.routed[family]))
        if chance < 0.72:
            return r.choice(self.near[family])[1]
        if chance < 0.82:
            return r.choice(self.own[family]).ip
        if chance < 0.90:
            return ipaddress.ip_address(r.choice(UNREACHED[:3] if family == 4 else ("2001:db8:ffff::1", "2600::1", "fd00::9")))
        return ipaddress.ip_address(r.choice(
            ("0.0.0.0", "0.1.2.3", "127.0.0.1", "224.0.0.5", "239.1.2.3", "240.0.0.1", "255.255.255.255", "10.0.0.255",
             "10.0.2.0", "169.254.9.9") if family == 4 else
            ("::", "::1", "ff02::1", "ff0e::1:2", "fe80::1", "::ffff:10.0.0.2", "2001:db8:b::")))

    def source(self, family, link):
        r, chance = self.random, self.random.random()
        here = [address for at, address in self.near[family] if at is link]
        if chance < 0.6 and here:
            return r.choice(here)
        if chance < 0.88:
            return self.within(r.choice(self.routed[family]))
        if chance < 0.92:
            return ipaddress.ip_address("9.9.9.9" if family == 4 else "2600::9")  # no way back
        return ipaddress.ip_address(r.choice(
            ("0.0.0.0", "0.1.2.3", "127.0.0.1", "224.0.0.5", "240.0.0.1", "255.255.255.255", "10.0.0.255", "169.254.1.1",
             str(r.choice(self.own[4]).ip)) if family == 4 else
            ("::", "::1", "ff02::5", "fe80::9", "::ffff:10.0.0.2", str(r.choice(self.own[6]).ip))))

    # ---- IPv4
    def ipv4(self, link):
        r = self.random
        source, destination = self.source(4, link), self.destination(4)
        if str(destination) in UNREACHED and r.random() < 0.9:
            source = self.within(r.choice(self.routed[4]))  # Linux tells one sender five times, then once a second
        options = self.options() if r.random() < 0.12 else b""
        payload, protocol = self.transport(4, source, destination)
        ttl = r.choice((0, 1, 2, 64, 64, 64, 64, 128, 255))
        fragment = 0
        if r.random() < 0.12:
            fragment = r.choice((0x4000, 0x4000, 0x2000, 0x2001, 1, 5, 185, 0x1FFF, 0x8000))
        length = 20 + len(options) + len(payload)
        identification = r.randrange(1, 65536)
        head = bytearray(struct.pack(">BBHHHBBH4s4s", 0x45 + len(options) // 4, r.choice((0, 0, 0x10, 0xB8, 0xC0, 1, 3)), length,
                                     identification, fragment, ttl, protocol, 0, source.packed, destination.packed) + options)
        wrong = r.random()
        if wrong < 0.01:
            head[0] = r.choice((0x44, 0x55, 0x40, 0x65, 0x4F))
        elif wrong < 0.02:
            struct.pack_into(">H", head, 2, r.choice((0, 19, length + 1, 1500, 65535, max(20, length - 3))))
        struct.pack_into(">H", head, 10, checksum(bytes(head)))
        if r.random() < 0.015:
            head[10 + r.randrange(2)] ^= 1 << r.randrange(8)
        group = None
        if destination.is_multicast:
            group = b"\x01\x00\x5e" + bytes((destination.packed[1] & 0x7F,)) + destination.packed[2:]
        elif str(destination) == "255.255.255.255":
            group = b"\xff" * 6
        return (bytes(head) + payload)[:self.room(link)], group

    def options(self):
        r = self.random
        made = b""
        for _ in range(r.choice((1, 1, 1, 2))):
            kind = r.randrange(9)
            slots = r.randrange(0, 4)
            if kind == 0:
                made += b"\x01" * r.randrange(1, 4)
            elif kind in (1, 2):  # record route
                made += bytes((7, 3 + 4 * slots, r.choice((4, 4, 4, 4 * slots + 4, 8, 3, 5)))) + b"\0" * (4 * slots)
            elif kind == 3:  # source routes
                made += bytes((r.choice((0x83, 0x89)), 3 + 4 * slots, r.choice((4, 4 * slots + 4)))) + b"\x0a\0\0\x02" * slots
            elif kind == 4:
                made += bytes((0x94, 4, 0, r.choice((0, 0, 1))))  # router alert
            elif kind == 5:
                made += bytes((r.choice((0x1E, 0x5E, 0x9E)), 4, 1, 2))  # unknown
            elif kind == 6:
                made += bytes((7, r.choice((0, 1, 2, 39, 3)), 4, 0))  # lengths that cannot be
            elif kind == 7:
                made += bytes((0x86, 8, 0, 0, 0, 1, 0, 0))  # CIPSO, long out of use
            else:
                made += b"\0"
        return made.ljust((len(made) + 3) // 4 * 4, b"\0")[:40]

    # ---- IPv6
    def ipv6(self, link):
        r = self.random
        source, destination = self.source(6, link), self.destination(6)
        payload, following = self.transport(6, source, destination)
        if r.random() < 0.1:
            body = r.choice((b"\x01\x04\0\0\0\0", b"\x05\x02\0\0\x01\0", b"\x1e\x04\0\0\0\0", b"\x5e\x04\0\0\0\0",
                             b"\x9e\x04\0\0\0\0", b"\xde\x04\0\0\0\0", b"\0\0\0\0\0\0"))
            payload, following = bytes((following, 0)) + body + payload, 0
        elif r.random() < 0.06:
            kind = r.randrange(3)
            head = (bytes((following, 0)) + b"\x01\x04\0\0\0\0", bytes((following, 0)) + struct.pack(">HI", r.choice((0, 1, 0x100)), 7),
                    bytes((59, 0)) + b"\x01\x04\0\0\0\0")[kind]
            payload, following = head + payload, (60, 44, 60)[kind]
        hops = r.choice((0, 1, 2, 64, 64, 64, 64, 255))
        length = len(payload)
        version = 6
        wrong = r.random()
        if wrong < 0.01:
            version = r.choice((0, 4, 5, 7))
        elif wrong < 0.02:
            length = r.choice((0, length + 1, 65535, max(0, length - 3)))
        head = struct.pack(">IHBB16s16s", version << 28 | r.choice((0, 0, 0xB8, 3)) << 20 | r.choice((0, 0x12345)), length, following,
                           hops, source.packed, destination.packed)
        group = b"\x33\x33" + destination.packed[12:] if destination.is_multicast else None
        return (head + payload)[:self.room(link)], group

    # ---- after them
    @staticmethod
    def room(link):
        return 1500

    def transport(self, family, source, destination):
        r = self.random
        data = bytes(r.randrange(256) for _ in range(r.choice((0, 1, 8, 18, 31, 64, 100, 512, 1300, 1400, 1432))))
        kind = r.randrange(6)

        def summed(protocol, segment, at):
            if family == 4:
                pseudo = source.packed + destination.packed + struct.pack(">BBH", 0, protocol, len(segment))
            else:
                pseudo = source.packed + destination.packed + struct.pack(">IHBB", len(segment), 0, 0, protocol)
            value = checksum(pseudo + segment) or 0xFFFF
            return segment[:at] + struct.pack(">H", value) + segment[at + 2:], protocol

        if kind < 3:
            return summed(17, struct.pack(">HHHH", r.randrange(1024, 65536), r.choice((53, 33434, 7, 4444)), 8 + len(data), 0) + data, 6)
        if kind == 3:
            return summed(6, struct.pack(">HHIIBBHHH", r.randrange(1024, 65536), 80, r.getrandbits(32), 0, 0x50, 2, 8192, 0, 0) + data, 16)
        if kind == 4:
            echo = struct.pack(">BBHHH", 8 if family == 4 else 128, 0, 0, r.randrange(65536), 1) + data
            if family == 4:
                return echo[:2] + struct.pack(">H", checksum(echo)) + echo[4:], 1
            return summed(58, echo, 2)
        number = r.choice((47, 50, 89, 132))
        return data or b"\0\0\0\0", number
