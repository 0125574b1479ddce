"""Random conversations through a translator: what stations inside and outside send, in turn, as one list of frames.

Every connection has ports of its own, so that a translator that keeps ports where it can (RFC 4787 REQ-1) keeps them all,
and what comes back can be written without asking it.
"""
import ipaddress
import struct

from frames import checksum, octets

PUBLIC, ROUTER_INSIDE, ROUTER_OUTSIDE = "192.0.2.1", "02:00:00:00:01:0a", "02:00:00:00:01:0b"
INSIDE, STATION_INSIDE, STATION_OUTSIDE = ("10.0.0.2", "10.0.0.3"), "02:00:00:00:00:0a", "02:00:00:00:00:0b"
SYN, ACK, FIN, RST, PSH = 2, 16, 1, 4, 8


def packed(address):
    return ipaddress.ip_address(address).packed


class Conversations:
    def __init__(self, random):
        self.random, self.sent, self._identification, self._port = random, [], 0, 2000
        self.live, self.pairs = [], set()

    def make(self, count):
        r = self.random
        begin = (self.udp, self.udp, self.tcp, self.tcp, self.tcp, self.echo, self.forwarded_tcp, self.forwarded_udp,
                 self.tcp_and_errors, self.refused_inside, self.without_ports, self.expiring, self.within, self.tcp_with_options)
        while len(self.sent) < count:
            if r.random() < 0.08:
                self.stray()
            elif len(self.live) < 6 or r.random() < 0.2:
                self.live.append(r.choice(begin)())
            else:
                at = r.randrange(len(self.live))
                try:
                    next(self.live[at])
                except StopIteration:
                    self.live.pop(at)
        return self.sent[:count]

    # ---- frames
    def out(self, packet):
        self.sent.append((0, (octets(ROUTER_INSIDE) + octets(STATION_INSIDE) + b"\x08\0" + packet).ljust(60, b"\0")))
        return packet

    def back(self, packet):
        self.sent.append((1, (octets(ROUTER_OUTSIDE) + octets(STATION_OUTSIDE) + b"\x08\0" + packet).ljust(60, b"\0")))
        return packet

    def ip(self, source, destination, protocol, payload, ttl=None):
        self._identification = (self._identification + 1) & 0xFFFF
        r = self.random
        head = struct.pack(">BBHHHBBH4s4s", 0x45, r.choice((0, 0, 0x10, 0xB8)), 20 + len(payload), self._identification,
                           r.choice((0, 0x4000)), ttl or r.choice((2, 17, 64, 128, 255)), protocol, 0, packed(source),
                           packed(destination))
        return head[:10] + struct.pack(">H", checksum(head)) + head[12:] + payload

    def summed(self, source, destination, protocol, segment, at, **more):
        pseudo = packed(source) + packed(destination) + struct.pack(">BBH", 0, protocol, len(segment))
        value = checksum(pseudo + segment)
        if protocol == 17:
            value = value or 0xFFFF
        return self.ip(source, destination, protocol, segment[:at] + struct.pack(">H", value) + segment[at + 2:], **more)

    def datagram(self, source, sport, destination, dport, summed=True, **more):
        data = self.data()
        if not summed:  # RFC 768: 0 is not a checksum
            return self.ip(source, destination, 17, struct.pack(">HHHH", sport, dport, 8 + len(data), 0) + data, **more)
        return self.summed(source, destination, 17, struct.pack(">HHHH", sport, dport, 8 + len(data), 0) + data, 6, **more)

    def segment(self, source, sport, destination, dport, sequence, acknowledged, flags, data=b"", options=b"", window=8192, **more):
        head = struct.pack(">HHIIBBHHH", sport, dport, sequence & 0xFFFFFFFF, acknowledged & 0xFFFFFFFF, 0x50 + (len(options) << 2),
                           flags, window, 0, 0)
        return self.summed(source, destination, 6, head + options + data, 16, **more)

    def message(self, source, destination, kind, code, rest, data, **more):
        body = struct.pack(">BBHI", kind, code, 0, rest) + data
        return self.ip(source, destination, 1, body[:2] + struct.pack(">H", checksum(body)) + body[4:], **more)

    def data(self):
        return bytes(self.random.randrange(256) for _ in range(self.random.choice((0, 1, 10, 31, 100, 700))))

    def port(self):
        self._port += 1
        return self._port

    def remote(self):
        return f"198.51.100.{self.random.randrange(1, 250)}"

    # ---- conversations; each next() sends one frame
    def udp(self):
        r = self.random
        inside, mine, remote, its = r.choice(INSIDE), self.port(), self.remote(), r.choice((53, 4444))
        self.out(self.datagram(inside, mine, remote, its))
        for _ in range(r.randrange(1, 6)):
            yield
            chance = r.random()
            if chance < 0.4:
                self.out(self.datagram(inside, mine, remote, its))
            elif chance < 0.8:
                self.back(self.datagram(remote, its, PUBLIC, mine))
            else:  # an error from the way or the end, about the packet as it left; it is 28 octets of it that matter
                quoted = self.datagram(PUBLIC, mine, remote, its, ttl=1)
                kind, code, rest = r.choice(((3, 3, 0), (11, 0, 0), (3, 4, 1400), (3, 1, 0)))
                self.back(self.message(r.choice((remote, "192.0.2.2")), PUBLIC, kind, code, rest, quoted[:r.choice((28, 548))]))

    def echo(self):
        r = self.random
        inside, mine, remote = r.choice(INSIDE), self.port(), self.remote()
        data = self.data()
        self.out(self.message(inside, remote, 8, 0, mine << 16 | 1, data))
        for number in range(1, r.randrange(2, 5)):
            yield
            self.back(self.message(remote, PUBLIC, 0, 0, mine << 16 | number, data))
            yield
            self.out(self.message(inside, remote, 8, 0, mine << 16 | (number + 1), data))

    def tcp(self):
        r = self.random
        return self.connection(r.choice(INSIDE), self.port(), self.remote(), 80, self.out, self.back, None, PUBLIC)

    def forwarded_tcp(self):
        """Opened by a station outside, to port 80 of one inside."""
        return self.connection(self.remote(), self.port(), PUBLIC, 8080, self.back, self.out, ("10.0.0.2", 80), None)

    def connection(self, client, client_port, server, server_port, to_server, to_client, behind, seen_as):
        """A client opens, both send, one closes. `behind`: where the server really is; `seen_as`: the client's public address."""
        r = self.random
        c, s = r.getrandbits(32), r.getrandbits(32)
        source, sport = behind or (server, server_port)
        target = seen_as or client

        def up(sequence, acknowledged, flags, data=b""):
            to_server(self.segment(client, client_port, server, server_port, sequence, acknowledged, flags, data))

        def down(sequence, acknowledged, flags, data=b""):
            to_client(self.segment(source, sport, target, client_port, sequence, acknowledged, flags, data))

        up(c, 0, SYN)
        yield
        if r.random() < 0.1:
            down(0, c + 1, RST | ACK)
            return
        if r.random() < 0.1:
            up(c, 0, SYN)  # once more
            yield
        down(s, c + 1, SYN | ACK)
        yield
        c, s = c + 1, s + 1
        up(c, s, ACK)
        for _ in range(r.randrange(0, 5)):
            yield
            data = self.data()
            chance = r.random()
            if chance < 0.08:
                up(c + 1_000_000, s, ACK | PSH, data)  # far beyond the window
            elif chance < 0.14:
                down(s, c + 500_000, ACK | PSH, data)  # acknowledges what nobody has sent
            elif chance < 0.2:
                down(s, c, RST | ACK)
                yield
                up(c, s, ACK | PSH, data)  # into what is closed
                return
            elif chance < 0.6:
                up(c, s, ACK | PSH, data)
                c += len(data)
            else:
                down(s, c, ACK | PSH, data)
                s += len(data)
        yield
        if r.random() < 0.2:
            up(c, s, RST | ACK)
            return
        up(c, s, FIN | ACK)
        yield
        down(s, c + 1, FIN | ACK)
        yield
        up(c + 1, s + 1, ACK)

    def forwarded_udp(self):
        r = self.random
        remote, its = self.remote(), self.port()
        self.back(self.datagram(remote, its, PUBLIC, 5353))
        for _ in range(r.randrange(1, 4)):
            yield
            if r.random() < 0.5:
                self.out(self.datagram("10.0.0.2", 53, remote, its))
            else:
                self.back(self.datagram(remote, its, PUBLIC, 5353))

    def tcp_and_errors(self):
        """A connection about whose segments messages come, from its end or from the way."""
        r = self.random
        inside, mine, remote = r.choice(INSIDE), self.port(), self.remote()
        c, s = r.getrandbits(32), r.getrandbits(32)
        self.out(self.segment(inside, mine, remote, 80, c, 0, SYN))
        yield
        self.back(self.segment(remote, 80, PUBLIC, mine, s, c + 1, SYN | ACK))
        yield
        self.out(self.segment(inside, mine, remote, 80, c + 1, s + 1, ACK))
        for _ in range(r.randrange(1, 4)):
            yield
            if r.random() < 0.5:  # about what the station sent, as it left
                quoted = self.segment(PUBLIC, mine, remote, 80, c + 1, s + 1, ACK, self.data(), ttl=1)
                kind, code, rest = r.choice(((3, 3, 0), (11, 0, 0), (3, 4, 1400), (3, 13, 0), (12, 0, 0x14000000)))
                self.back(self.message(r.choice((remote, "192.0.2.2")), PUBLIC, kind, code, rest, quoted[:r.choice((28, 40, 548))]))
            else:  # the station's own, about what came, as the station saw it
                quoted = self.segment(remote, 80, inside, mine, s + 1, c + 1, ACK, self.data(), ttl=1)
                self.out(self.message(inside, remote, 3, r.choice((1, 3, 10)), 0, quoted[:r.choice((28, 40, 548))]))
        yield
        self.out(self.segment(inside, mine, remote, 80, c + 1, s + 1, RST | ACK))

    def refused_inside(self):
        """A datagram to the forwarded port; the station inside has no such service, and says so."""
        r = self.random
        remote, its = self.remote(), self.port()
        self.back(self.datagram(remote, its, PUBLIC, 5353))
        for _ in range(r.randrange(1, 3)):
            yield
            quoted = self.datagram(remote, its, "10.0.0.2", 53, ttl=1)
            self.out(self.message(r.choice(("10.0.0.2", "10.0.0.2", "10.0.0.3")), remote, 3, 3, 0, quoted[:r.choice((28, 548))]))

    def without_ports(self):
        """Protocols that are known by their addresses alone, and datagrams without a checksum."""
        r = self.random
        inside, mine, remote = r.choice(INSIDE), self.port(), f"198.51.100.{250 + r.randrange(4)}"
        number = r.choice((50, 89, 103, 0))
        if number and (inside, remote, number) not in self.pairs:
            self.pairs.add((inside, remote, number))
            if sum(pair[1:] == (remote, number) for pair in self.pairs) > 1:
                return  # two stations with one end and no ports: one of them has to wait
            self.out(self.ip(inside, remote, number, self.data() or b"\1\2\3\4"))
            yield
            self.back(self.ip(remote, PUBLIC, number, self.data() or b"\1\2\3\4"))
            return
        self.out(self.datagram(inside, mine, remote, 4500, summed=False))
        yield
        self.back(self.datagram(remote, 4500, PUBLIC, mine, summed=False))

    def expiring(self):
        """Packets of a flow whose time ends here, in either direction: nobody learns of the other side."""
        r = self.random
        inside, mine, remote = r.choice(INSIDE), self.port(), self.remote()
        if r.random() < 0.3:
            self.out(self.datagram(inside, mine, remote, 53, ttl=1))
            yield
        self.out(self.datagram(inside, mine, remote, 53))
        yield
        self.back(self.datagram(remote, 53, PUBLIC, mine, ttl=1))
        yield
        self.out(self.datagram(inside, mine, remote, 53, ttl=1))
        yield
        self.back(self.datagram(remote, 53, PUBLIC, mine))

    def within(self):
        """From the inside to the inside, and to the router."""
        r = self.random
        inside, mine = r.choice(INSIDE), self.port()
        there = f"198.18.0.{r.randrange(1, 250)}"
        self.out(self.datagram(inside, mine, there, 53))
        yield
        self.out(self.datagram(there, 53, inside, mine))
        yield
        self.out(self.datagram(inside, mine, r.choice(("10.0.0.1", PUBLIC)), 53))
        yield
        self.out(self.message(inside, r.choice(("10.0.0.1", PUBLIC)), 8, 0, mine << 16 | 1, self.data()))

    def tcp_with_options(self):
        """Windows that are scaled, selective acknowledgments, data in both directions until both have ended."""
        r = self.random
        inside, mine, remote = r.choice(INSIDE), self.port(), self.remote()
        c, s = r.choice((0xFFFFFF00, r.getrandbits(32))), r.choice((0xFFFFFFF0, r.getrandbits(32)))
        scale = r.randrange(0, 8)
        offered = b"\x02\x04\x05\xb4\x01\x03\x03" + bytes((scale,)) + b"\x04\x02\x01\x01"

        def up(flags, data=b"", at=0, **more):
            self.out(self.segment(inside, mine, remote, 443, c + at, s if flags & ACK else 0, flags, data, **more))

        def down(flags, data=b"", at=0, **more):
            self.back(self.segment(remote, 443, PUBLIC, mine, s + at, c, flags, data, **more))

        up(SYN, options=offered)
        c += 1
        yield
        down(SYN | ACK, options=r.choice((offered, b"\x02\x04\x05\xb4")))
        s += 1
        yield
        up(ACK)
        for _ in range(r.randrange(1, 6)):
            yield
            data = self.data() or b"x"
            chance = r.random()
            if chance < 0.3:
                up(ACK | PSH, data)
                c += len(data)
            elif chance < 0.6:
                down(ACK | PSH, data)
                s += len(data)
            elif chance < 0.7:
                up(ACK | PSH, data, at=r.choice((100, 1000)))  # a segment before it was lost; it comes again
                yield
                edge = (c + 100) & 0xFFFFFFFF
                down(ACK, options=b"\x01\x01\x05\x0a" + struct.pack(">II", edge, edge))
            elif chance < 0.8:
                down(ACK, window=r.choice((0, 1, 65535)))
            else:
                up(ACK | r.choice((0x20, 0x40, 0x80, 0xC0)), data)  # URG, ECE, CWR
                c += len(data)
        yield
        down(FIN | ACK)
        s += 1
        yield
        up(ACK)
        yield
        data = self.data()
        up(ACK | PSH, data)  # half closed
        c += len(data)
        yield
        up(FIN | ACK)
        c += 1
        yield
        down(ACK)

    def stray(self):
        """What belongs to nothing."""
        r = self.random
        remote, port = self.remote(), self.port()
        kind = r.randrange(11)
        if kind == 0:
            self.back(self.segment(remote, port, "10.0.0.2", 80, 1, 0, SYN))  # straight to the inside
        elif kind == 1:
            self.back(self.datagram(remote, port, "10.0.0.2", 53))
        elif kind == 2:
            self.back(self.datagram(remote, 53, PUBLIC, port))  # the router's own answer: 3/3
        elif kind == 3:
            self.out(self.segment(r.choice(INSIDE), port, remote, 80, 5, 7, ACK, b"abc"))  # the middle of nothing
        elif kind == 4:
            self.back(self.message(remote, PUBLIC, 8, 0, port << 16 | 1, self.data()))  # the router's own echo
        elif kind == 5:
            self.back(self.message(remote, PUBLIC, 0, 0, port << 16 | 1, self.data()))  # a reply to nobody
        elif kind == 6:
            quoted = self.datagram(PUBLIC, port, remote, 53, ttl=1)
            self.back(self.message(remote, PUBLIC, 11, 0, 0, quoted[:28]))  # about nothing known
        elif kind == 7:
            self.back(self.datagram(remote, port, "198.18.0.1", 53))  # to a network inside, by its own address
        elif kind == 8:
            self.back(self.segment(remote, port, PUBLIC, r.choice((22, 80, port)), 1, 0, SYN))  # to a port that nobody has
        elif kind == 9:
            self.back(self.segment(remote, port, PUBLIC, 8080, 1, 1, r.choice((ACK, SYN | ACK, FIN | ACK, RST))))
        else:
            self.out(self.segment(r.choice(INSIDE), port, remote, 80, 5, 7, r.choice((SYN | FIN, SYN | RST, 0, FIN | PSH))))
