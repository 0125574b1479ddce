// ICMP errors (RFC 792, RFC 1812 4.3.2) and IPv4 headers that the router writes itself.
#include "parts.h"
#include "weft/packet/checksum.h"

namespace weft::control::answers {

namespace {

constexpr uint8_t kInternetworkControl = 0xc0;  ///< precedence 6 (4.3.2.5)
constexpr uint8_t kTosBits = 0x1e;  ///< of the type of service (RFC 1349), which an error takes over (4.3.2.5)
constexpr size_t kLongest = 576;    ///< of an error with its headers (4.3.2.3)

bool is_error(uint8_t type) { return type == 3 || type == 4 || type == 5 || type == 11 || type == 12; }

/// No single host, or none that could be answered (4.3.2.7, 5.3.7).
bool unanswerable(const RouterView& router, uint32_t source) {
  const uint32_t top = source >> 24;
  return top == 0 || top == 127 || top >= 224 || router.lookup(source).reason == uint8_t(Reason::directed_broadcast) ||
         own_address(router, source);
}

}  // namespace

uint32_t address_at(const LinkView& link, uint32_t peer) {
  for (const auto& p : link.addresses) {
    if (p.contains(peer)) return p.address;
  }
  return link.addresses.empty() ? 0 : link.addresses.front().address;
}

bool own_address(const RouterView& router, uint32_t address) {
  return std::ranges::any_of(router.links(), [address](const LinkView& link) {
    return std::ranges::any_of(link.addresses, [address](const auto& p) { return p.address == address; });
  });
}

bool udp_right4(ByteView packet) {
  const ByteView message = packet.subspan(header4(packet));
  if (message.size() < 8) return false;
  const size_t length = packet::get16(message, 4);
  if (length < 8 || length > message.size()) return false;
  if (packet::get16(message, 6) == 0) return true;  // sent without one (RFC 768)
  packet::ChecksumSum sum;
  sum.add(packet.subspan(12, 8));
  sum.add16(kUdp);
  sum.add16(static_cast<uint16_t>(length));
  sum.add(message.first(length));
  return sum.checksum() == 0;
}

void set_checksum4(Bytes& packet) {
  packet::set16(packet, 10, 0);
  packet::set16(packet, 10, packet::internet_checksum(ByteView(packet).first(header4(packet))));
}

Bytes packet4(uint8_t tos, uint16_t identification, uint8_t protocol, uint32_t source, uint32_t destination,
              ByteView payload, ByteView options) {
  Bytes out;
  packet::put8(out, static_cast<uint8_t>(0x45 + options.size() / 4));
  packet::put8(out, tos);
  packet::put16(out, static_cast<uint32_t>(20 + options.size() + payload.size()));
  packet::put16(out, identification);
  packet::put16(out, 0);
  packet::put8(out, kTtl);
  packet::put8(out, protocol);
  packet::put16(out, 0);
  packet::put32(out, source);
  packet::put32(out, destination);
  append(out, options);
  append(out, payload);
  set_checksum4(out);
  return out;
}

HopView way_back4(const Incoming& in, uint32_t address) {
  const HopView hop = in.router.lookup(address);
  const bool here = hop.port == in.link.port && hop.vlan == in.link.vlan &&
                    std::ranges::any_of(in.link.addresses, [address](const auto& p) { return p.contains(address); });
  if (hop.reason == uint8_t(Reason::unresolved) && here && (in.from[0] & 1) == 0) return station(in.link, in.from);
  return hop;
}

Answer error4(const Incoming& in, const Error4& error) {
  const ByteView p = in.packet;
  const size_t header = header4(p);
  const uint32_t source = packet::get32(p, 12), destination = packet::get32(p, 16);
  if ((packet::get16(p, 6) & 0x1fff) != 0) return silent(Outcome::error_about_fragment);
  if (p[9] == kIcmp && (p.size() == header || is_error(p[header]))) return silent(Outcome::error_about_error);
  // Class E is not a group: with the martian filter off such a destination is an address like others.
  if (in.group || destination >> 28 == 0xe || destination == 0xffffffff ||
      in.router.lookup(destination).reason == uint8_t(Reason::directed_broadcast)) {
    return silent(Outcome::error_about_group);
  }
  if (unanswerable(in.router, source)) return silent(Outcome::error_about_source);
  const HopView hop = way_back4(in, source);
  const LinkView* out_link = link_of(in.router, hop);
  // 4.3.2.4: an address of the link that the error leaves by.
  uint32_t from = error.source;
  if (from == 0 && out_link) from = address_at(*out_link, source);
  if (from == 0) from = address_at(in.link, source);
  if (hop.reason != 0 || from == 0) return silent(Outcome::no_way_back);
  if (!in.state.errors.take(in.nanoseconds)) return silent(Outcome::rate_limited);

  Bytes message = error_header(error.type, error.code, error.rest);
  const size_t max = std::min<size_t>(kLongest, std::max<uint32_t>(hop.mtu, 68)) - 28;
  append(message, p.first(std::min(p.size(), max)));
  packet::set16(message, 2, packet::internet_checksum(message));
  const uint8_t tos = kInternetworkControl | (p[1] & kTosBits);
  const Bytes packet = packet4(tos, in.state.identification++, kIcmp, from, source, message);
  return {error.outcome, {framed(hop, kTypeIpv4, packet)}, {}};
}

}  // namespace weft::control::answers
