// Builds frames from the innermost layer outward, so that every length and checksum is known when its header is made.
// The frame grows toward the front of its room, so that nothing of it moves.
#include <algorithm>

#include "weft/packet/checksum.h"
#include "weft/packet/layers.h"

namespace weft::packet {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 14 does not deduce aggregates

/// What a layer says about its next layer: the Ethernet type, or the IP protocol number. Zero when nothing is known.
uint16_t ether_type(const Layer* next) {
  if (!next) return 0;
  return std::visit(
      Overloaded{[](const Vlan&) -> uint16_t { return 0x8100; }, [](const Mpls&) -> uint16_t { return 0x8847; },
                 [](const Arp&) -> uint16_t { return 0x0806; }, [](const Ipv4&) -> uint16_t { return 0x0800; },
                 [](const Ipv6&) -> uint16_t { return 0x86dd; }, [](const auto&) -> uint16_t { return 0; }},
      *next);
}

uint8_t ip_protocol(const Layer* next, bool version6) {
  if (!next) return version6 ? 59 : 255;  // No Next Header; Reserved
  return std::visit(
      Overloaded{[](const Udp&) -> uint8_t { return 17; }, [](const Tcp&) -> uint8_t { return 6; },
                 [&](const Icmp&) -> uint8_t { return version6 ? 58 : 1; },
                 [](const Options6& o) -> uint8_t { return o.destination ? 60 : 0; },
                 [](const Routing6&) -> uint8_t { return 43; }, [](const Fragment6&) -> uint8_t { return 44; },
                 [](const Ipv4&) -> uint8_t { return 4; }, [](const Ipv6&) -> uint8_t { return 41; },
                 [&](const auto&) -> uint8_t { return version6 ? 59 : 255; }},
      *next);
}

bool is_extension(const Layer& layer) {
  return std::holds_alternative<Options6>(layer) || std::holds_alternative<Routing6>(layer) ||
         std::holds_alternative<Fragment6>(layer);
}

Bytes padded_options(const Bytes& options) {
  Bytes out = options;
  while (out.size() % 4 != 0) out.push_back(0);
  return out;
}

class Builder {
 public:
  explicit Builder(const std::vector<Layer>& layers) : layers_(layers) { header_.reserve(kHeaders / 4); }

  Bytes run() {
    for (index_ = layers_.size(); index_-- > 0;)
      std::visit([this](const auto& layer) { prepend(layer); }, layers_[index_]);
    const ByteView whole = body();
    return {whole.begin(), whole.end()};
  }

 private:
  const Layer* next() const { return index_ + 1 < layers_.size() ? &layers_[index_ + 1] : nullptr; }
  /// What the layer at index_ holds.
  ByteView body() const { return ByteView(room_).subspan(first_); }

  /// An empty one, which take() puts before the body.
  Bytes& header() {
    header_.clear();
    return header_;
  }
  void take(ByteView header) {
    if (header.size() > first_) {
      const size_t more = header.size() + room_.size() + kHeaders;
      room_.insert(room_.begin(), more, 0);
      first_ += more;
    }
    first_ -= header.size();
    std::copy(header.begin(), header.end(), room_.begin() + static_cast<std::ptrdiff_t>(first_));
  }

  /// The layer that a transport segment lies in, past extension headers.
  const Layer* network_layer() const {
    size_t at = index_;
    while (at > 0 && is_extension(layers_[at - 1])) --at;
    return at > 0 ? &layers_[at - 1] : nullptr;
  }

  /// The checksum of a transport segment, with the pseudo-header of the IP layer before it.
  uint16_t transport_checksum(const Bytes& header, uint8_t protocol) const {
    ChecksumSum sum;
    const auto length = static_cast<uint32_t>(header.size() + body().size());
    if (const Layer* network = network_layer()) {
      if (const auto* ip = std::get_if<Ipv4>(network)) {
        sum.add32(ip->source.value);
        sum.add32(ip->destination.value);
        sum.add16(protocol);
        sum.add32(length);
      } else if (const auto* ip6 = std::get_if<Ipv6>(network)) {
        sum.add(ip6->source.octets);
        sum.add(ip6->destination.octets);
        sum.add16(protocol);
        sum.add32(length);
      }
    }
    sum.add(header);  // even length: all transport headers are multiples of 4
    sum.add(body());
    return sum.checksum();
  }

  void prepend(const Ethernet& e) {
    Bytes& h = header();
    h.insert(h.end(), e.destination.octets.begin(), e.destination.octets.end());
    h.insert(h.end(), e.source.octets.begin(), e.source.octets.end());
    // Without a known next layer the field is a length, as in IEEE 802.3.
    const uint16_t type = ether_type(next());
    put16(h, e.type.value_or(type != 0 ? type : static_cast<uint16_t>(body().size())));
    take(h);
  }

  void prepend(const Vlan& v) {
    Bytes& h = header();
    put16(h, static_cast<unsigned>(v.priority & 7) << 13 | (v.drop_eligible ? 0x1000U : 0U) | (v.id & 0xfffU));
    const uint16_t type = ether_type(next());
    put16(h, v.type.value_or(type != 0 ? type : static_cast<uint16_t>(body().size())));
    take(h);
  }

  void prepend(const Mpls& m) {
    const bool bottom = m.bottom.value_or(!next() || !std::holds_alternative<Mpls>(*next()));
    Bytes& h = header();
    put32(h, m.label << 12 | static_cast<uint32_t>(m.traffic_class & 7) << 9 | (bottom ? 0x100U : 0U) | m.ttl);
    take(h);
  }

  void prepend(const Arp& a) {
    Bytes& h = header();
    put16(h, 1);  // Ethernet
    put16(h, 0x0800);
    put8(h, 6);
    put8(h, 4);
    put16(h, a.operation);
    h.insert(h.end(), a.sender_mac.octets.begin(), a.sender_mac.octets.end());
    put32(h, a.sender.value);
    h.insert(h.end(), a.target_mac.octets.begin(), a.target_mac.octets.end());
    put32(h, a.target.value);
    take(h);
  }

  void prepend(const Ipv4& ip) {
    const Bytes options = padded_options(ip.options);
    const size_t header_size = 20 + options.size();
    Bytes& h = header();
    put8(h, static_cast<unsigned>(ip.version) << 4 |
                (ip.header_length.value_or(static_cast<uint8_t>(header_size / 4)) & 0xfU));
    put8(h, ip.tos);
    put16(h, ip.total_length.value_or(static_cast<uint16_t>(header_size + body().size())));
    put16(h, ip.identification);
    put16(h, (ip.dont_fragment ? 0x4000U : 0U) | (ip.more_fragments ? 0x2000U : 0U) | (ip.fragment_offset & 0x1fffU));
    put8(h, ip.ttl);
    put8(h, ip.protocol.value_or(ip_protocol(next(), false)));
    put16(h, 0);
    put32(h, ip.source.value);
    put32(h, ip.destination.value);
    h.insert(h.end(), options.begin(), options.end());
    set16(h, 10, ip.checksum.value_or(internet_checksum(h)));
    take(h);
  }

  void prepend(const Ipv6& ip) {
    Bytes& h = header();
    put32(h, static_cast<uint32_t>(ip.version & 0xf) << 28 | static_cast<uint32_t>(ip.traffic_class) << 20 |
                 (ip.flow_label & 0xfffff));
    put16(h, ip.payload_length.value_or(static_cast<uint16_t>(body().size())));
    put8(h, ip.next_header.value_or(ip_protocol(next(), true)));
    put8(h, ip.hop_limit);
    h.insert(h.end(), ip.source.octets.begin(), ip.source.octets.end());
    h.insert(h.end(), ip.destination.octets.begin(), ip.destination.octets.end());
    take(h);
  }

  void prepend(const Options6& o) {
    Bytes& h = header();
    put8(h, o.next_header.value_or(ip_protocol(next(), true)));
    put8(h, 0);
    h.insert(h.end(), o.options.begin(), o.options.end());
    if (const size_t pad = (8 - h.size() % 8) % 8; pad == 1) {
      put8(h, 0);
    } else if (pad > 1) {
      put8(h, 1);
      put8(h, static_cast<unsigned>(pad - 2));
      h.resize(h.size() + pad - 2, 0);
    }
    h[1] = o.length.value_or(static_cast<uint8_t>(h.size() / 8 - 1));
    take(h);
  }

  void prepend(const Routing6& r) {
    Bytes& h = header();
    put8(h, r.next_header.value_or(ip_protocol(next(), true)));
    put8(h, 0);
    put8(h, r.type);
    put8(h, r.segments_left);
    h.insert(h.end(), r.data.begin(), r.data.end());
    h.resize((h.size() + 7) / 8 * 8, 0);
    h[1] = r.length.value_or(static_cast<uint8_t>(h.size() / 8 - 1));
    take(h);
  }

  void prepend(const Fragment6& f) {
    Bytes& h = header();
    put8(h, f.next_header.value_or(ip_protocol(next(), true)));
    put8(h, 0);
    put16(h, static_cast<unsigned>(f.offset & 0x1fff) << 3 | (f.more ? 1U : 0U));
    put32(h, f.identification);
    take(h);
  }

  void prepend(const Udp& udp) {
    Bytes& h = header();
    put16(h, udp.source);
    put16(h, udp.destination);
    put16(h, udp.length.value_or(static_cast<uint16_t>(8 + body().size())));
    put16(h, 0);
    uint16_t checksum = transport_checksum(h, 17);
    if (checksum == 0) checksum = 0xffff;  // 0 says "no checksum" (RFC 768)
    set16(h, 6, udp.checksum.value_or(checksum));
    take(h);
  }

  void prepend(const Tcp& tcp) {
    const Bytes options = padded_options(tcp.options);
    Bytes& h = header();
    put16(h, tcp.source);
    put16(h, tcp.destination);
    put32(h, tcp.sequence);
    put32(h, tcp.acknowledgment);
    put8(h, static_cast<unsigned>(tcp.data_offset.value_or(static_cast<uint8_t>(5 + options.size() / 4))) << 4);
    put8(h, tcp.flags);
    put16(h, tcp.window);
    put16(h, 0);
    put16(h, tcp.urgent);
    h.insert(h.end(), options.begin(), options.end());
    set16(h, 16, tcp.checksum.value_or(transport_checksum(h, 6)));
    take(h);
  }

  void prepend(const Icmp& icmp) {
    Bytes& h = header();
    put8(h, icmp.type);
    put8(h, icmp.code);
    put16(h, 0);
    put32(h, icmp.rest);
    const Layer* network = network_layer();
    const bool version6 = network && std::holds_alternative<Ipv6>(*network);
    ChecksumSum sum;  // version 4 has no pseudo-header
    sum.add(h);
    sum.add(body());
    set16(h, 2, icmp.checksum.value_or(version6 ? transport_checksum(h, 58) : sum.checksum()));
    take(h);
  }

  void prepend(const Payload& payload) { take(payload.bytes); }

  static constexpr size_t kHeaders = 256;  ///< octets, more than most frames have of them
  const std::vector<Layer>& layers_;
  size_t index_ = 0;
  Bytes room_;
  size_t first_ = 0;  ///< of what has been built
  Bytes header_;
};

}  // namespace

Bytes build(const std::vector<Layer>& layers) { return Builder(layers).run(); }

Bytes padded(Bytes frame, size_t size) {
  if (frame.size() < size) frame.resize(size, 0);
  return frame;
}

}  // namespace weft::packet
