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
        self.live = []

    def make(self, count):
        r = self.random
        begin = (self.udp, self.udp, self.tcp, self.tcp, self.tcp, self.echo, self.forwarded_tcp, self.forwarded_udp)
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

    def datagram(self, source, sport, destination, dport, **more):
        data = self.data()
        return self.summed(source, destination, 17, struct.pack(">HHHH", sport, dport, 8 + len(data), 0) + data, 6, **more)

    def segment(self, source, sport, destination, dport, sequence, acknowledged, flags, data=b"", **more):
        head = struct.pack(">HHIIBBHHH", sport, dport, sequence & 0xFFFFFFFF, acknowledged & 0xFFFFFFFF, 0x50, flags, 8192, 0, 0)
        return self.summed(source, destination, 6, head + data, 16, **more)

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
