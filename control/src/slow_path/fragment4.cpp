// IPv4 fragmentation (RFC 791 2.3 and 3.2): on the grid of 8 octets, also of what is a fragment already. The first
// piece keeps all options, later ones those whose copy flag is set.
#include "parts.h"

namespace weft::control::answers {

namespace {

/// The header of the pieces after the first.
Bytes later_header(ByteView packet) {
  Bytes header(packet.begin(), packet.begin() + 20);
  for (size_t at = 20; at < header4(packet);) {
    const uint8_t kind = packet[at];
    if (kind == 0) break;
    if (kind == 1) {
      ++at;
      continue;
    }
    if (at + 2 > header4(packet)) break;
    const size_t length = packet[at + 1];
    if (length < 2 || at + length > header4(packet)) break;
    if ((kind & 0x80) != 0) append(header, packet.subspan(at, length));
    at += length;
  }
  while (header.size() % 4 != 0) header.push_back(0);
  header[0] = static_cast<uint8_t>(0x40 | header.size() / 4);
  return header;
}

}  // namespace

std::vector<Bytes> fragments4(ByteView packet, uint32_t mtu) {
  const size_t header = header4(packet);
  const uint16_t flags = packet::get16(packet, 6);
  const Bytes later = later_header(packet);
  const ByteView payload = packet.subspan(header);
  if (mtu < header + 8 || (flags & 0x1fffu) + payload.size() / 8 > 0x1fff) return {};

  std::vector<Bytes> pieces;
  for (size_t at = 0; at < payload.size();) {
    Bytes piece = at == 0 ? Bytes(packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(header)) : later;
    size_t size = payload.size() - at;
    const bool last = piece.size() + size <= mtu;
    if (!last) size = (mtu - piece.size()) / 8 * 8;
    append(piece, payload.subspan(at, size));
    packet::set16(piece, 2, static_cast<unsigned>(piece.size()));
    packet::set16(piece, 6,
                  (flags & 0xe000u) | (last ? 0 : 0x2000u) | ((flags & 0x1fffu) + static_cast<unsigned>(at / 8)));
    set_checksum4(piece);
    pieces.push_back(std::move(piece));
    at += size;
  }
  return pieces;
}

}  // namespace weft::control::answers

namespace weft::control {

Answer fragment(const RouterView& router, packet::ByteView frame) {
  using namespace answers;
  const size_t network = frame.size() > 14 && packet::get16(frame, 12) == kTypeVlan ? 18 : 14;
  if (frame.size() < network + 20 || packet::get16(frame, network - 2) != kTypeIpv4) return silent(Outcome::malformed);
  const ByteView all = frame.subspan(network);
  const size_t total = packet::get16(all, 2);
  if (header4(all) < 20 || total < header4(all) || total > all.size()) return silent(Outcome::malformed);
  const HopView hop = router.lookup(packet::get32(all, 16));
  if (hop.reason != 0) return silent(Outcome::discard_route);  // another route since the engines have looked
  Answer out{Outcome::fragmented, {}, {}};
  for (const Bytes& piece : fragments4(all.first(total), hop.mtu)) {
    Bytes bytes(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(network));
    append(bytes, piece);
    out.frames.push_back({hop.port, std::move(bytes)});
  }
  return out.frames.empty() ? silent(Outcome::malformed) : out;
}

}  // namespace weft::control
