#include "answer_support.h"

#include <catch2/catch.hpp>

namespace weft::test {

using namespace control;

packet::Ipv6Address six(const std::string& text) {
  const auto a = packet::parse_ipv6(text);
  REQUIRE(a);
  return *a;
}
uint32_t four(const std::string& text) {
  const auto a = packet::parse_ipv4(text);
  REQUIRE(a);
  return a->value;
}

HopView ListRouter::lookup(uint32_t address) const {
  HopView best{uint8_t(Reason::no_route), 0, 0, 0, {}, {}};
  int length = -1;
  for (const Entry4& e : routes) {
    const bool covers = e.length == 0 || ((address ^ e.address) >> (32 - e.length)) == 0;
    if (covers && static_cast<int>(e.length) >= length) best = e.hop, length = static_cast<int>(e.length);
  }
  return best;
}

HopView ListRouter::lookup6(const packet::Ipv6Address& address) const {
  HopView best{uint8_t(Reason::no_route), 0, 0, 0, {}, {}};
  int length = -1;
  for (const Entry6& e : routes6) {
    unsigned same = 0;
    while (same < 128 && ((address.octets[same / 8] ^ e.address.octets[same / 8]) >> (7 - same % 8) & 1) == 0) ++same;
    if (same >= e.length && static_cast<int>(e.length) >= length) best = e.hop, length = static_cast<int>(e.length);
  }
  return best;
}

void ListRouter::add(const std::string& prefix, unsigned length, const HopView& hop) {
  if (prefix.find(':') == std::string::npos)
    routes.push_back({four(prefix), length, hop});
  else
    routes6.push_back({six(prefix), length, hop});
}

HopView hop_to(const ListRouter& router, unsigned link, const Mac& mac) {
  const LinkView& l = router.list.at(link);
  return {0, l.port, l.vlan, l.mtu, mac, l.mac};
}

ListRouter router_r(uint32_t egress_mtu) {
  ListRouter r;
  r.list.push_back(
      {0, 0, kMacA, 1500, {{four("10.0.0.1"), 24}}, {{six("2001:db8:a::1"), 64}, {six("fe80::ff:fe00:10a"), 64}}});
  r.list.push_back({1,
                    0,
                    kMacB,
                    egress_mtu,
                    {{four("192.0.2.1"), 24}},
                    {{six("2001:db8:b::1"), 64}, {six("fe80::ff:fe00:10b"), 64}}});
  const auto special = [&](Reason reason, unsigned link) {
    return HopView{uint8_t(reason), link, 0, r.list[link].mtu, {}, {}};
  };
  const HopView a = hop_to(r, 0, kHostA), b = hop_to(r, 1, kHostB);
  r.add("10.0.0.0", 24, special(Reason::unresolved, 0));
  r.add("192.0.2.0", 24, special(Reason::unresolved, 1));
  r.add("2001:db8:a::", 64, special(Reason::unresolved, 0));
  r.add("2001:db8:b::", 64, special(Reason::unresolved, 1));
  for (const char* own : {"10.0.0.1", "192.0.2.1"})
    r.add(own, 32, special(Reason::local, own[0] == '1' && own[1] == '0' ? 0 : 1));
  for (const char* edge : {"10.0.0.0", "10.0.0.255"}) r.add(edge, 32, special(Reason::directed_broadcast, 0));
  for (const char* edge : {"192.0.2.0", "192.0.2.255"}) r.add(edge, 32, special(Reason::directed_broadcast, 1));
  r.add("2001:db8:a::1", 128, special(Reason::local, 0));
  r.add("2001:db8:b::1", 128, special(Reason::local, 1));
  for (const char* host : {"10.0.0.2", "10.0.0.3"}) r.add(host, 32, a);
  r.add("2001:db8:a::2", 128, a);
  r.add("192.0.2.2", 32, b);
  r.add("2001:db8:b::2", 128, b);
  r.add("198.51.100.0", 24, b);
  r.add("198.18.0.0", 15, a);
  r.add("2001:db8:c::", 48, b);
  return r;
}

namespace {

// Bit by bit what the standards say of a frame; sums are made over octets, one at a time.
class Checker {
 public:
  Checker(ByteView frame, bool own) : frame_(frame), own_(own) {}

  std::vector<std::string> run() {
    if (frame_.size() < 14) return {"shorter than a link header"};
    if ((frame_[6] & 1) != 0) bad("link-layer source is a group");
    size_t at = 12;
    if (at16(at) == 0x8100) {
      if (frame_.size() < 18) return {"tag cut off"};
      at += 4;
    }
    const unsigned type = at16(at);
    at += 2;
    if (type == 0x0800)
      ipv4(at);
    else if (type == 0x86dd)
      ipv6(at);
    else if (type != 0x0806)
      bad("unknown type");
    else if (frame_.size() - at != 28)
      bad("ARP of a wrong length");
    return std::move(faults_);
  }

 private:
  void bad(const char* text) { faults_.emplace_back(text); }
  unsigned at16(size_t at) const { return frame_[at] * 256u + frame_[at + 1]; }
  /// Ones' complement sum of the octets, high ones weighing 256.
  uint64_t sum(size_t from, size_t to) const {
    uint64_t total = 0;
    for (size_t i = from; i < to; ++i) total += (i - from) % 2 ? frame_[i] : frame_[i] * 256u;
    return total;
  }
  /// All ones: what a receiver must find.
  static bool right(uint64_t total) { return total != 0 && total % 0xffff == 0; }

  void ipv4(size_t at) {
    const size_t size = frame_.size() - at;
    if (size < 20) return bad("IPv4 header cut off");
    const size_t header = (frame_[at] & 15) * 4u;
    if (frame_[at] >> 4 != 4) bad("version is not 4");
    if (header < 20 || header > size) return bad("header length");
    if (at16(at + 2) != size) bad("total length is not that of the frame");
    if (!right(sum(at, at + header))) bad("header checksum");
    if (frame_[at + 8] == 0) bad("TTL 0 on the wire");
    const unsigned fragment = at16(at + 6);
    if ((fragment & 0x2000) != 0 && (size - header) % 8 != 0)
      bad("a piece that is not the last has a length off the grid");
    if ((fragment & 0x1fff) * 8 + size - header > 65535) bad("reaches beyond the longest packet");
    if (own_ && (fragment & 0x3fff) == 0 && frame_[at + 9] == 1 && !right(sum(at + header, frame_.size())))
      bad("ICMP checksum");
  }

  void ipv6(size_t at) {
    const size_t size = frame_.size() - at;
    if (size < 40) return bad("IPv6 header cut off");
    if (frame_[at] >> 4 != 6) bad("version is not 6");
    if (at16(at + 4) + 40 != size) bad("payload length is not that of the frame");
    if (frame_[at + 7] == 0) bad("hop limit 0 on the wire");
    if (own_ && frame_[at + 6] == 58 && !right(sum(at + 8, frame_.size()) + size - 40 + 58)) bad("ICMPv6 checksum");
  }

  ByteView frame_;
  bool own_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> faults(ByteView frame, bool own) { return Checker(frame, own).run(); }

Bytes from_hex(const std::string& text) {
  Bytes out;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    out.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  return out;
}
std::string to_hex(ByteView bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const uint8_t b : bytes) out += {kDigits[b >> 4], kDigits[b & 15]};
  return out;
}

}  // namespace weft::test
