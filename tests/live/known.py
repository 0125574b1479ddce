"""Where Linux and a router of ours differ, and which standard says who is right. A row is as narrow as it can be told."""
import ipaddress
import struct

REFUSED_SOURCES = [ipaddress.ip_network(n) for n in ("0.0.0.0/8", "240.0.0.0/4", "169.254.0.0/16")]
REFUSED_DESTINATIONS = [ipaddress.ip_network(n) for n in ("0.0.0.0/8", "240.0.0.0/4")]
CIPSO = 134


class Ip4:
    def __init__(self, data):
        self.data, self.size = data, (data[0] & 15) * 4
        self.source, self.destination = (ipaddress.ip_address(data[n:n + 4]) for n in (12, 16))
        self.protocol, self.ttl = data[9], data[8]
        self.options = list(self._options(data[20:self.size]))

    @staticmethod
    def _options(octets):
        """(kind, octets) of each option before the end of the list."""
        at = 0
        while at < len(octets) and octets[at] != 0:
            length = 1 if octets[at] == 1 else octets[at + 1] if at + 1 < len(octets) else 0
            if length == 0 or at + length > len(octets) or (octets[at] != 1 and length < 2):
                yield octets[at], octets[at:]
                return
            yield octets[at], octets[at:at + length]
            at += length

    def error(self):
        """(type, code) of the ICMP message inside."""
        return (self.data[self.size], self.data[self.size + 1]) if self.protocol == 1 else None


class Ip6:
    def __init__(self, data):
        self.data = data
        self.source, self.destination = (ipaddress.ip_address(data[n:n + 16]) for n in (8, 24))
        self.hops, self.next = data[7], data[6]
        self.upper = self._upper()

    def _upper(self):
        at, kind = 40, self.next
        self.headers, self.part = [], False
        while kind in (0, 43, 44, 60) and at + 8 <= len(self.data):
            self.headers.append(kind)
            if kind == 44:
                self.part = bool(struct.unpack_from(">H", self.data, at + 2)[0] & 0xFFF9)
            at, kind = at + 8 + (self.data[at + 1] * 8 if kind != 44 else 0), self.data[at]
        return kind

    def error(self):
        return (self.data[40], self.data[41]) if self.next == 58 else None


def network_layer(frame):
    at, kind = 14, struct.unpack_from(">H", frame, 12)[0]
    if kind == 0x8100:
        at, kind = 18, struct.unpack_from(">H", frame, 16)[0]
    data = frame[at:]
    if kind == 0x0800 and len(data) >= 20 and data[0] >> 4 == 4:
        return Ip4(data)
    return Ip6(data) if kind == 0x86DD and len(data) >= 40 and data[0] >> 4 == 6 else None


def name_of(frame, theirs, ours, config):
    """The name of the difference, with its standard, or None."""
    packet = network_layer(frame)
    if packet is None:
        return None
    if frame[0] & 1 and not ours and not getattr(packet.destination, "is_multicast"):
        return "what comes by a link's broadcast is not for one station (RFC 1122 3.3.6)"
    one = lambda rows: network_layer(rows[0][1]) if len(rows) == 1 else None  # noqa: E731
    return (of_ipv4 if isinstance(packet, Ip4) else of_ipv6)(packet, one(theirs), one(ours), theirs, ours, config)


def of_ipv4(packet, linux, here, theirs, ours, config):
    own = [ipaddress.ip_interface(address) for _, address in config.addresses if ":" not in address]
    addresses = [interface.ip for interface in own]
    kinds = [kind for kind, _ in packet.options]
    if not ours and (any(packet.source in net for net in REFUSED_SOURCES) or
                     packet.source in [interface.network.broadcast_address for interface in own]):
        return "a source that is not a host's is dropped here (RFC 1812 5.3.7)"
    if not ours and any(packet.destination in net for net in REFUSED_DESTINATIONS) and linux and linux.error():
        return "a destination that is not a host's is dropped here, Linux sends an error (RFC 1812 5.3.7)"
    if not ours and packet.destination in [interface.network.network_address for interface in own]:
        return "the network's own address is an old broadcast here (RFC 1812 4.2.3.1, RFC 2644)"
    if packet.destination in addresses and packet.protocol == 6 and not ours and linux and linux.protocol == 6:
        return "no TCP here; Linux has one and resets (RFC 9293 3.10.7.1)"
    if not theirs and here and here.error() == (3, 0) and here.destination == packet.source:
        return "Linux tells one sender of no route five times, then once a second (RFC 1812 4.3.2.8 leaves the limit open)"
    if CIPSO in kinds and (not theirs or (linux and linux.error() == (12, 0) and
                                          linux.data[linux.size + 8:][:20] == packet.data[:20])):
        return "Linux knows the security option 134 and finds this one wrong; unknown options pass (RFC 1812 4.2.2.6)"
    if not theirs and here and here.error() and any(kind == 7 and octets[2:3] and octets[2] % 4 for kind, octets in packet.options):
        return "Linux sends no error about a record route whose pointer is between two slots (RFC 1812 5.3.1: 11/0)"
    if linux and here and linux.error() and linux.error() == here.error() and {0x83, 0x89} & set(kinds):
        return "an error goes straight back here, not by the reversed source route (RFC 1812 4.3.2.6: should)"
    if linux and here and linux.error() and linux.error() == here.error():
        # What both say is the same: the messages, but for what follows from the header's length.
        if linux.size == here.size == 20 and len(packet.data) > 20 and linux.source == here.source and packet.size > 20:
            if agree(linux.data[20:], here.data[20:]):
                return "Linux quotes the options as it has changed them (RFC 1812 4.3.2.3: the packet as it came)"
        if linux.size > 20 and here.size == 20 and not {0x83, 0x89} & set(kinds) and linux.source == here.source:
            if agree(linux.data[linux.size:], here.data[20:]):
                return "Linux sends record route back in an error; asked for are source routes (RFC 1812 4.3.2.6)"
        if linux.source == packet.destination in addresses and here.source != linux.source:
            if agree(linux.data[linux.size:], here.data[20:]):
                return "an error has the address of the link by which it leaves (RFC 1812 4.3.2.4)"
    if linux and here and linux.error() == here.error() == (3, 3) and len(linux.data) < len(here.data):
        if linux.size == here.size and agree(linux.data[linux.size:], here.data[here.size:]):
            return "Linux quotes a datagram cut to UDP's own length (RFC 1812 4.3.2.3: as much as there is room for)"
    if linux and here and linux.error() == here.error() == (0, 0) and {7, 68} & set(kinds):
        # Linux adds itself when the request comes and again when the reply goes.
        if linux.data[linux.size:] == here.data[here.size:] and linux.size >= here.size > 20:
            return "the router stands once in the record of an echo reply (RFC 1812 4.3.3.6)"
    if linux and here and len(linux.data) == len(here.data) and linux.data[20:linux.size].rstrip(b"\0") != here.data[20:here.size]:
        used = sum(len(octets) for _, octets in packet.options)
        same = linux.data[:10] == here.data[:10] and linux.data[12:20 + used] == here.data[12:20 + used]
        if same and linux.data[linux.size:] == here.data[here.size:] and not any(linux.data[20 + used:linux.size]):
            return "Linux clears what stands after the end of the options (RFC 791 3.1: padding)"
    return None


def agree(one, other):
    """Two ICMP messages that are equal as far as both go: the longer header of one leaves less room for what it quotes.

    In the quoted header Linux has filled record route in and cleared what stands after the end of the options, where RFC
    1812 4.3.2.3 wants the packet as it came; so its options and its checksum are not compared.
    """
    length, behind = min(len(one), len(other)), 8 + (one[8] & 15) * 4
    return all(one[a:b] == other[a:b] for a, b in ((0, 2), (4, 8 + 10), (8 + 12, 8 + 20), (behind, length)))


def of_ipv6(packet, linux, here, theirs, ours, config):
    own = [ipaddress.ip_interface(address) for _, address in config.addresses if ":" in address]
    addresses = [interface.ip for interface in own]
    anycast = [interface.network[0] for interface in own]
    if packet.destination in addresses and packet.upper == 6 and not ours and linux and linux.next == 6:
        return "no TCP here; Linux has one and resets (RFC 9293 3.10.7.1)"
    if packet.destination in anycast and not theirs and here and here.error() == (129, 0):
        return "an echo request to an anycast address is answered from a unicast one (RFC 4443 4.2); Linux does not by default"
    if packet.source.is_link_local and here and here.error() == (1, 2):
        return "a link-local source stays on its link and is told so (RFC 4291 2.5.6, RFC 4443 3.1)"
    if int(packet.source) == 0 and not ours:
        return ":: is not a source of what a router forwards (RFC 4291 2.5.2)"
    if linux and here and linux.error() == here.error() == (1, 4) and len(linux.data) < len(here.data):
        if linux.data[8:40] == here.data[8:40] and linux.data[48:] == here.data[48:len(linux.data)]:
            return "Linux quotes a datagram cut to UDP's own length (RFC 4443 3.1: as much as there is room for)"
    if linux and here and packet.destination in addresses and here.source == packet.destination != linux.source:
        if linux.error() and linux.error() == here.error() and linux.data[48:] == here.data[48:]:
            return "an error about a packet to the router has the address it was sent to (RFC 4443 2.2 a)"
    if packet.next == 0 and packet.data[4:6] == b"\0\0" and not ours and linux:
        # Linux neither cuts such a packet nor wants the jumbo payload option in it: it forwards what came, or answers.
        return "a length of 0 before options is a jumbogram's, and there are none here (RFC 2675 1: an option)"
    if packet.part and packet.upper == 58 and not ours and linux and linux.error():
        return "a part of an ICMPv6 message may be one of an error, about which none is sent (RFC 4443 2.4 e.1)"
    if packet.destination in addresses and 44 in packet.headers and packet.part and not ours:
        return "no packet for the router itself is put together here (docs/router.md); RFC 8200 4.5 asks it of a host"
    if packet.destination in anycast and linux and linux.source == packet.destination:
        return "the anycast address of a network's routers is nobody's source (RFC 4443 2.2 b)"
    if int(packet.destination) == 0 and not ours:
        return ":: is not a destination (RFC 4291 2.5.2)"
    if packet.destination.is_link_local and not ours:
        return "a link-local destination stays on its link (RFC 4291 2.5.6)"
    return None
