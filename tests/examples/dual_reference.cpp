#include "dual_reference.h"

#include <catch2/catch.hpp>

#include "weft/packet/address.h"

namespace weft::test {

using packet::Bytes;

namespace {

uint64_t field(const Bytes& b, size_t at, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value = value << 8 | b.at(at + i);
  return value;
}
void put(Bytes& b, uint64_t value, size_t bytes) {
  for (size_t i = bytes; i-- > 0;) b.push_back(static_cast<uint8_t>(value >> (8 * i)));
}
bool all(const Bytes& b, size_t from, size_t to, uint8_t value) {
  for (size_t i = from; i < to; ++i) {
    if (b.at(i) != value) return false;
  }
  return true;
}
/// Of a header without its checksum: the one's-complement sum of its halves, complemented.
uint16_t checksum(const Bytes& p) {
  uint32_t sum = 0;
  for (size_t i = 0; i < 20; i += 2) sum += i == 10 ? 0 : static_cast<uint32_t>(field(p, i, 2));
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

}  // namespace

DualReference::Route& DualReference::add(const std::string& prefix) {
  const size_t slash = prefix.find('/');
  Route r;
  const std::string address = prefix.substr(0, slash);
  if (const auto v4 = packet::parse_ipv4(address)) {
    for (unsigned i = 0; i < 4; ++i) r.address[i] = static_cast<uint8_t>(v4->value >> (24 - 8 * i));
  } else {
    const auto v6 = packet::parse_ipv6(address);
    REQUIRE(v6);
    r.address = v6->octets;
    r.octets = 16;
  }
  r.length = static_cast<unsigned>(std::stoul(prefix.substr(slash + 1)));
  return routes_.emplace_back(r);
}
void DualReference::route(const std::string& prefix, size_t interface, uint64_t mac) {
  Route& r = add(prefix);
  r.interface = interface;
  r.mac = mac;
}
void DualReference::route(const std::string& prefix, const std::string& reason) { add(prefix).reason = reason; }

const DualReference::Route* DualReference::find(const uint8_t* address, unsigned octets) const {
  const Route* best = nullptr;
  for (const Route& r : routes_) {
    if (r.octets != octets) continue;
    bool same = true;
    for (unsigned bit = 0; bit < r.length && same; ++bit)
      same = ((address[bit / 8] ^ r.address[bit / 8]) >> (7 - bit % 8) & 1) == 0;
    if (same && (!best || r.length > best->length)) best = &r;
  }
  return best;
}

/// "" when the packet goes on to `route`.
std::string DualReference::ipv4(const Bytes& p, bool group, const Route** route, size_t* length) const {
  if (p.size() < 20) return "drop short_packet";
  const unsigned header = (p[0] & 15u) * 4;
  *length = field(p, 2, 2);
  if (p[0] >> 4 != 4) return "drop version";
  if (header < 20) return "drop header_length";
  if (*length < header || *length > p.size()) return "drop total_length";
  if (header > 20) return "core options";
  // ffff in the place of 0000 adds up to the same.
  const uint64_t sum = field(p, 10, 2), right = checksum(p);
  if (sum != right && !(right == 0 && sum == 0xffff)) return "drop checksum";
  const uint32_t source = static_cast<uint32_t>(field(p, 12, 4)), to = static_cast<uint32_t>(field(p, 16, 4));
  if (source >> 24 == 0 || source >> 24 == 127 || source >= 0xe0000000 || source >> 16 == 0xa9fe)
    return "drop source_martian";
  for (const uint32_t b : broadcasts) {
    if (source == b) return "drop source_martian";
  }
  // RFC 1122 3.2.1.3 gives an address to one station: from the router's own addresses nobody else sends.
  const Route* of_source = find(&p[12], 4);
  if (of_source && of_source->length == 32 && of_source->reason == "core local") return "drop source_martian";
  if (to == 0xffffffff) return "core limited_broadcast";
  if (to >> 28 == 14) return "core multicast";
  if (to >> 24 == 0 || to >> 24 == 127 || to >> 28 == 15) return "drop destination_martian";
  if (group) return "drop link_broadcast";
  *route = find(&p[16], 4);
  if (!*route) return "core no_route";
  if (!(*route)->reason.empty()) return (*route)->reason;
  if (p[8] < 2) return "core ttl";
  return {};
}

std::string DualReference::ipv6(const Bytes& p, bool group, const Route** route, size_t* length) const {
  if (p.size() < 40) return "drop short_packet";
  *length = 40 + field(p, 4, 2);
  if (p[0] >> 4 != 6) return "drop version";
  if (*length > p.size()) return "drop total_length";
  // RFC 4291 2.5.2: :: is the source of who has no address yet. Such packets are never forwarded, but a question for a
  // group (RFC 4861 4.3, duplicate address detection) is for the router as well.
  const bool nobody = all(p, 8, 24, 0);
  if (p[8] == 0xff || (nobody && p[24] != 0xff) || (all(p, 8, 23, 0) && p[23] == 1)) return "drop source_martian";
  if (p[24] == 0xff) return "core multicast";
  if (all(p, 24, 39, 0) && p[39] < 2) return "drop destination_martian";
  if (p[6] == 0) return "core options";
  if (group) return "drop link_broadcast";
  *route = find(&p[24], 16);
  if (!*route) return "core no_route";
  const std::string& reason = (*route)->reason;
  const bool link_local = p[8] == 0xfe && (p[9] & 0xc0) == 0x80;
  if (link_local && (reason.empty() || reason == "core unresolved")) return "core scope";
  if (!reason.empty()) return reason;
  if (p[7] < 2) return "core ttl";
  return {};
}

DualReference::Decision DualReference::decide(unsigned port, const Bytes& frame) const {
  const Bytes& b = frame;
  const bool group = b[0] & 1;
  bool ours = group;
  for (const Interface& i : interfaces) ours = ours || (i.port == port && (i.any_mac || i.mac == field(b, 0, 6)));
  if (!ours) return {"drop not_for_us", 0, {}};
  size_t behind = 14;
  if (field(b, 12, 2) == 0x8100) {
    if (b.size() < 18) return {"drop short_packet", 0, {}};
    bool carried = (field(b, 14, 2) & 0xfff) == 0;  // IEEE 802.1Q: a priority tag, the frame is untagged
    for (const Interface& i : interfaces)
      carried = carried || (i.port == port && i.vlan != 0 && i.vlan == (field(b, 14, 2) & 0xfff));
    if (!carried) return {"drop vlan", 0, {}};
    behind = 18;
  }
  const uint64_t type = field(b, behind - 2, 2);
  const Bytes p(b.begin() + static_cast<std::ptrdiff_t>(behind), b.end());
  if (type == 0x0806) return {p.size() < 28 ? "drop short_packet" : "core arp", 0, {}};
  if (type != 0x0800 && type != 0x86dd) return {"drop ethertype", 0, {}};
  const Route* route = nullptr;
  size_t length = 0;
  std::string text = type == 0x0800 ? ipv4(p, group, &route, &length) : ipv6(p, group, &route, &length);
  if (!text.empty()) return {text, 0, {}};
  const Interface& out = interfaces[route->interface];
  if (length > out.mtu) return {"core mtu", 0, {}};

  Bytes packet(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(length));
  if (type == 0x0800) {
    --packet[8];
    const uint16_t sum = checksum(packet);
    packet[10] = static_cast<uint8_t>(sum >> 8);
    packet[11] = static_cast<uint8_t>(sum);
  } else {
    --packet[7];
  }
  Bytes sent;
  put(sent, route->mac, 6);
  put(sent, out.mac, 6);
  if (out.vlan != 0) put(sent, 0x81000000u | out.vlan, 4);
  put(sent, type, 2);
  sent.insert(sent.end(), packet.begin(), packet.end());
  if (sent.size() < 60) sent.resize(60, 0);
  return {"sent", out.port, sent};
}

}  // namespace weft::test
