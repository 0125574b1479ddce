#include "reference.h"

namespace weft::test {

namespace {

uint64_t field(const Bytes& b, size_t at, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value = value << 8 | b[at + i];
  return value;
}
void put(Bytes& b, size_t at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) b[at + i] = static_cast<uint8_t>(value >> (8 * (bytes - 1 - i)));
}
uint32_t header_sum(const Bytes& b, size_t bytes) {
  uint32_t sum = 0;
  for (size_t i = 14; i < 14 + bytes; i += 2) sum += static_cast<uint32_t>(field(b, i, 2));
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}
uint32_t host_bits(unsigned length) { return length == 0 ? ~0u : length == 32 ? 0 : (1u << (32 - length)) - 1; }

}  // namespace

ReferenceRouter::Decision ReferenceRouter::decide(unsigned in_port, const Bytes& frame) const {
  const ReferencePort& in = ports[in_port];
  if (frame.size() > 9600) return {"lost", 0, {}};  // by the port
  if (frame.size() > 2040) return {"drop too_long", 0, {}};
  Bytes b = frame;
  if (b.size() < 60) b.resize(60, 0);  // the sender's MAC has padded it
  const uint64_t mac = field(b, 0, 6);
  uint64_t type = field(b, 12, 2);
  const bool group = b[0] & 1;
  if (!group && mac != in.mac && !in.any_mac) return {"drop not_for_us", 0, {}};
  if (type == 0x8100) {  // no port carries VLANs here
    if (b.size() < 18) return {"drop short_packet", 0, {}};
    if ((field(b, 14, 2) & 0xfff) != 0) return {"drop vlan", 0, {}};
    // IEEE 802.1Q: a tag of VLAN 0 says a priority alone, and the frame belongs to no VLAN.
    b.erase(b.begin() + 12, b.begin() + 16);
    type = field(b, 12, 2);
  }
  if (type == 0x0806) return {b.size() < 42 ? "drop short_packet" : "core arp", 0, {}};
  if (type == 0x86dd) return {"core ipv6", 0, {}};
  if (type != 0x0800) return {"drop ethertype", 0, {}};

  const unsigned version = b[14] >> 4, header = (b[14] & 15u) * 4;
  const uint64_t total = field(b, 16, 2);
  if (version != 4) return {"drop version", 0, {}};
  if (header < 20) return {"drop header_length", 0, {}};
  if (total < header || total > b.size() - 14) return {"drop total_length", 0, {}};
  if (header > 20) return {header_sum(b, header) == 0xffff ? "core options" : "core options_checksum", 0, {}};
  if (header_sum(b, 20) != 0xffff) return {"drop checksum", 0, {}};

  const auto source = static_cast<uint32_t>(field(b, 26, 4));
  const auto destination = static_cast<uint32_t>(field(b, 30, 4));
  const unsigned s0 = source >> 24, d0 = destination >> 24;
  // RFC 1122 3.2.1.3: {0, 0} and {127, any} are not a source of a packet that is on its way, groups and {-1, -1} never
  // are; an address of the router's own is nobody else's. RFC 1812 5.3.7 allows a switch for the others alone.
  bool bad = source == 0 || s0 == 127 || (s0 >= 224 && s0 < 240) || source == ~0u;
  for (const ReferencePort& p : ports) bad = bad || source == p.address;
  if (martians) {
    bad = bad || s0 == 0 || s0 >= 240 || source >> 16 == 0xa9fe;
    for (const ReferencePort& p : ports) bad = bad || source == (p.address | host_bits(p.length));
  }
  if (bad) return {"drop source_martian", 0, {}};
  if (d0 == 127 || destination == 0) return {"drop destination_martian", 0, {}};
  if (d0 >= 224 && d0 < 240) return {"core multicast", 0, {}};
  if (destination == ~0u) return {"core limited_broadcast", 0, {}};
  if (martians && (d0 == 0 || d0 >= 240)) return {"drop destination_martian", 0, {}};
  if (group) return {"drop link_broadcast", 0, {}};

  for (const ReferencePort& p : ports) {
    if (destination == p.address) return {"core local", 0, {}};
  }
  std::optional<Hop> hop;
  if (const auto number = routes.find(destination)) hop = hops[*number];
  for (const ReferencePort& p : ports) {
    const uint32_t bits = host_bits(p.length);
    if ((destination ^ p.address) & ~bits) continue;
    if (destination == (p.address | bits) || destination == (p.address & ~bits))
      return {"drop directed_broadcast", 0, {}};
  }
  if (!hop) return {"core no_route", 0, {}};
  if (hop->mac == 0) return {"core unresolved", 0, {}};
  if (b[22] < 2) return {"core ttl", 0, {}};
  const ReferencePort& out = ports[hop->port];
  if (total > out.mtu) return {"core mtu", 0, {}};

  b.resize(14 + total);
  put(b, 0, hop->mac, 6);
  put(b, 6, out.mac, 6);
  --b[22];
  put(b, 24, 0, 2);
  put(b, 24, ~header_sum(b, 20) & 0xffff, 2);
  if (b.size() < 60) b.resize(60, 0);
  return {"sent", hop->port, b};
}

}  // namespace weft::test
