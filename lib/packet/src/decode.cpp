// The walk through the headers. One function per header; each says what comes next.
#include "weft/packet/decode.h"

#include <fmt/format.h>

#include <algorithm>

#include "weft/packet/address.h"
#include "weft/packet/checksum.h"

namespace weft::packet {
namespace {

enum class Next {
  ethernet,
  by_type,
  mpls,
  ip_by_version,
  arp,
  ipv4,
  ipv6,
  options6,
  routing6,
  fragment6,
  udp,
  tcp,
  icmp,
  icmpv6,
  payload
};

Mac mac_at(ByteView bytes, size_t at) {
  Mac mac;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), 6, mac.octets.begin());
  return mac;
}

Ipv6Address ipv6_at(ByteView bytes, size_t at) {
  Ipv6Address address;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), 16, address.octets.begin());
  return address;
}

std::string hex(ByteView bytes) { return fmt::format("{:02x}", fmt::join(bytes, "")); }

std::string tcp_flags(uint8_t flags) {
  static constexpr std::string_view names = "FSRPAUEC";
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    if (flags >> i & 1) text += names[i];
  return text.empty() ? "none" : text;
}

class Decoder {
 public:
  explicit Decoder(ByteView frame) : frame_(frame), end_(frame.size()) {}

  DecodedFrame run() {
    Next next = Next::ethernet;
    while (at_ < end_ && next != Next::payload) next = step(next);
    if (at_ < end_) rest("payload", end_);
    if (end_ < frame_.size()) {
      at_ = end_;
      rest("padding", frame_.size());
    }
    return std::move(out_);
  }

 private:
  Next step(Next next) {
    switch (next) {
      case Next::ethernet: return ethernet();
      case Next::by_type: return by_type();
      case Next::mpls: return mpls();
      case Next::ip_by_version: return frame_[at_] >> 4 == 6 ? Next::ipv6 : Next::ipv4;
      case Next::arp: return arp();
      case Next::ipv4: return ipv4();
      case Next::ipv6: return ipv6();
      case Next::options6:
      case Next::routing6: return extension();
      case Next::fragment6: return fragment();
      case Next::udp: return udp();
      case Next::tcp: return tcp();
      case Next::icmp: return icmp("icmp", false);
      case Next::icmpv6: return icmp("icmpv6", true);
      case Next::payload: break;
    }
    return Next::payload;
  }

  bool room(std::string_view name, size_t size) {
    if (end_ - at_ >= size) return true;
    fault(name, fmt::format("header needs {} octets, {} are left", size, end_ - at_));
    return false;
  }

  void fault(std::string_view layer, const std::string& text) {
    out_.faults.push_back(fmt::format("{}: {}", layer, text));
  }

  void begin(std::string_view name, size_t length) { out_.layers.push_back({name, at_, length, {}}); }

  void field(std::string_view name, size_t octet, size_t bit, size_t bits, std::string text) {
    out_.layers.back().fields.push_back({name, (at_ + octet) * 8 + bit, bits, std::move(text)});
  }
  template <class T>
  void number(std::string_view name, size_t octet, size_t bit, size_t bits, T value) {
    field(name, octet, bit, bits, fmt::format("{}", value));
  }
  void hexadecimal(std::string_view name, size_t octet, size_t octets, unsigned value) {
    field(name, octet, 0, octets * 8, fmt::format("0x{:0{}x}", value, octets * 2));
  }
  uint8_t u8(size_t octet) const { return frame_[at_ + octet]; }
  uint16_t u16(size_t octet) const { return get16(frame_, at_ + octet); }
  uint32_t u32(size_t octet) const { return get32(frame_, at_ + octet); }
  ByteView from(size_t octet, size_t size) const { return frame_.subspan(at_ + octet, size); }

  void rest(std::string_view name, size_t stop) {
    begin(name, stop - at_);
    field("length", 0, 0, 0, fmt::format("{}", stop - at_));
    field("octets", 0, 0, (stop - at_) * 8, hex(from(0, stop - at_)));
    at_ = stop;
  }

  Next ethernet() {
    if (!room("ethernet", 14)) return Next::payload;
    begin("ethernet", 14);
    field("destination", 0, 0, 48, to_string(mac_at(frame_, at_)));
    field("source", 6, 0, 48, to_string(mac_at(frame_, at_ + 6)));
    hexadecimal("type", 12, 2, type_ = u16(12));
    at_ += 14;
    return Next::by_type;
  }

  Next by_type() {
    switch (type_) {
      case 0x0800: return Next::ipv4;
      case 0x86dd: return Next::ipv6;
      case 0x0806: return Next::arp;
      case 0x8847:
      case 0x8848: return Next::mpls;
      case 0x8100:
      case 0x88a8: return vlan();
      default: return Next::payload;
    }
  }

  Next vlan() {
    if (!room("vlan", 4)) return Next::payload;
    begin("vlan", 4);
    number("priority", 0, 0, 3, u8(0) >> 5);
    number("drop_eligible", 0, 3, 1, u8(0) >> 4 & 1);
    number("id", 0, 4, 12, u16(0) & 0xfff);
    hexadecimal("type", 2, 2, type_ = u16(2));
    at_ += 4;
    return Next::by_type;
  }

  Next mpls() {
    if (!room("mpls", 4)) return Next::payload;
    begin("mpls", 4);
    const uint32_t entry = u32(0);
    const bool bottom = (entry & 0x100) != 0;
    number("label", 0, 0, 20, entry >> 12);
    number("traffic_class", 2, 4, 3, entry >> 9 & 7);
    number("bottom", 2, 7, 1, bottom ? 1 : 0);
    number("ttl", 3, 0, 8, entry & 0xff);
    at_ += 4;
    if (!bottom) return Next::mpls;
    const bool ip = at_ < end_ && (frame_[at_] >> 4 == 4 || frame_[at_] >> 4 == 6);
    return ip ? Next::ip_by_version : Next::payload;
  }

  Next arp() {
    if (!room("arp", 28)) return Next::payload;
    begin("arp", 28);
    hexadecimal("hardware", 0, 2, u16(0));
    hexadecimal("protocol", 2, 2, u16(2));
    number("operation", 6, 0, 16, u16(6));
    field("sender_mac", 8, 0, 48, to_string(mac_at(frame_, at_ + 8)));
    field("sender", 14, 0, 32, to_string(Ipv4Address{u32(14)}));
    field("target_mac", 18, 0, 48, to_string(mac_at(frame_, at_ + 18)));
    field("target", 24, 0, 32, to_string(Ipv4Address{u32(24)}));
    if (u16(0) != 1 || u16(2) != 0x0800 || u8(4) != 6 || u8(5) != 4) fault("arp", "is not for IPv4 over Ethernet");
    at_ += 28;
    end_ = at_;  // Ethernet pads ARP
    return Next::payload;
  }

  /// Whatever lies beyond the length that IP gives is padding of the link.
  void cut(std::string_view name, size_t length) {
    if (at_ + length <= end_) {
      end_ = at_ + length;
    } else {
      fault(name, fmt::format("is {} octets long, but only {} are here", length, end_ - at_));
      whole_ = false;
    }
  }

  Next ipv4() {
    if (!room("ipv4", 20)) return Next::payload;
    const unsigned version = u8(0) >> 4;
    const size_t header = (u8(0) & 0xfU) * size_t{4};
    if (version != 4) fault("ipv4", fmt::format("version is {}", version));
    if (header < 20 || at_ + header > end_) {
      fault("ipv4", fmt::format("header length {} is impossible", header));
      return Next::payload;
    }
    begin("ipv4", header);
    const unsigned fragment = u16(6);
    number("version", 0, 0, 4, version);
    number("header_length", 0, 4, 4, header / 4);
    hexadecimal("tos", 1, 1, u8(1));
    number("total_length", 2, 0, 16, u16(2));
    hexadecimal("identification", 4, 2, u16(4));
    number("reserved", 6, 0, 1, fragment >> 15);
    number("dont_fragment", 6, 1, 1, fragment >> 14 & 1);
    number("more_fragments", 6, 2, 1, fragment >> 13 & 1);
    number("fragment_offset", 6, 3, 13, fragment & 0x1fff);
    number("ttl", 8, 0, 8, u8(8));
    number("protocol", 9, 0, 8, u8(9));
    hexadecimal("checksum", 10, 2, u16(10));
    field("source", 12, 0, 32, to_string(Ipv4Address{u32(12)}));
    field("destination", 16, 0, 32, to_string(Ipv4Address{u32(16)}));
    if (header > 20) field("options", 20, 0, (header - 20) * 8, hex(from(20, header - 20)));
    check(out_.layers.back().name, "header checksum", from(0, header), 10, ChecksumSum{});
    const size_t total = u16(2);
    whole_ = (fragment & 0x3fff) == 0;
    if (total < header) {
      fault("ipv4", fmt::format("total length {} is less than the header", total));
      whole_ = false;
    } else {
      cut("ipv4", total);
    }
    pseudo_ = ChecksumSum{};
    pseudo_.add(from(12, 8));
    const uint8_t protocol = u8(9);
    at_ += header;
    return (fragment & 0x1fff) != 0 ? Next::payload : by_protocol(protocol, false);
  }

  Next ipv6() {
    if (!room("ipv6", 40)) return Next::payload;
    const uint32_t first = u32(0);
    if (first >> 28 != 6) fault("ipv6", fmt::format("version is {}", first >> 28));
    begin("ipv6", 40);
    number("version", 0, 0, 4, first >> 28);
    field("traffic_class", 0, 4, 8, fmt::format("0x{:02x}", first >> 20 & 0xff));
    field("flow_label", 1, 4, 20, fmt::format("0x{:05x}", first & 0xfffff));
    number("payload_length", 4, 0, 16, u16(4));
    number("next_header", 6, 0, 8, u8(6));
    number("hop_limit", 7, 0, 8, u8(7));
    field("source", 8, 0, 128, to_string(ipv6_at(frame_, at_ + 8)));
    field("destination", 24, 0, 128, to_string(ipv6_at(frame_, at_ + 24)));
    whole_ = true;
    cut("ipv6", 40U + u16(4));
    pseudo_ = ChecksumSum{};
    pseudo_.add(from(8, 32));
    protocol_ = u8(6);
    at_ += 40;
    return by_protocol(protocol_, true);
  }

  /// Hop-by-hop and destination options, and routing headers: next header, length, then what their kind says.
  Next extension() {
    const char* name = protocol_ == 0 ? "hop_by_hop" : protocol_ == 60 ? "destination_options" : "routing";
    if (!room(name, 8)) return Next::payload;
    const size_t length = 8 + size_t{u8(1)} * 8;
    if (!room(name, length)) return Next::payload;
    begin(name, length);
    number("next_header", 0, 0, 8, u8(0));
    number("length", 1, 0, 8, u8(1));
    if (protocol_ == 43) {
      number("type", 2, 0, 8, u8(2));
      number("segments_left", 3, 0, 8, u8(3));
      whole_ = whole_ && u8(3) == 0;  // checksums are over the last destination, which is not in the IPv6 header yet
      field("data", 4, 0, (length - 4) * 8, hex(from(4, length - 4)));
    } else {
      field("options", 2, 0, (length - 2) * 8, hex(from(2, length - 2)));
    }
    protocol_ = u8(0);
    at_ += length;
    return by_protocol(protocol_, true);
  }

  Next fragment() {
    if (!room("fragment", 8)) return Next::payload;
    begin("fragment", 8);
    number("next_header", 0, 0, 8, u8(0));
    number("offset", 2, 0, 13, u16(2) >> 3);
    number("more", 3, 7, 1, u16(2) & 1);
    number("identification", 4, 0, 32, u32(4));
    // Like a fragment of IPv4, it does not hold the segment that a checksum covers.
    whole_ = whole_ && (u16(2) & 0xfff9) == 0;
    const bool first = u16(2) >> 3 == 0;
    protocol_ = u8(0);
    at_ += 8;
    return first ? by_protocol(protocol_, true) : Next::payload;
  }

  Next by_protocol(uint8_t protocol, bool version6) {
    switch (protocol) {
      case 0: return version6 ? Next::options6 : Next::payload;
      case 43: return version6 ? Next::routing6 : Next::payload;
      case 44: return version6 ? Next::fragment6 : Next::payload;
      case 60: return version6 ? Next::options6 : Next::payload;
      case 1: return version6 ? Next::payload : Next::icmp;
      case 4: return Next::ipv4;
      case 6: return Next::tcp;
      case 17: return Next::udp;
      case 41: return Next::ipv6;
      case 58: return version6 ? Next::icmpv6 : Next::payload;
      default: return Next::payload;
    }
  }

  void check(std::string_view layer, std::string_view what, ByteView bytes, size_t place, ChecksumSum sum) {
    const uint16_t found = get16(bytes, place);
    sum.add(bytes.first(place));
    sum.add(bytes.subspan(place + 2));
    uint16_t right = sum.checksum();
    if (layer == "udp" && right == 0) right = 0xffff;
    // 0000 and ffff are the same number in one's complement, and receivers take both.
    if (found == right || (layer != "udp" && (found ^ right) == 0xffff && (found == 0 || right == 0))) return;
    fault(layer, fmt::format("{} is {:04x}, should be {:04x}", what, found, right));
  }

  void check_transport(std::string_view layer, size_t place, uint8_t protocol, size_t length) {
    if (!whole_) return;
    ChecksumSum sum = pseudo_;
    sum.add16(protocol);
    sum.add32(static_cast<uint32_t>(length));
    check(layer, "checksum", from(0, length), place, sum);
  }

  Next udp() {
    if (!room("udp", 8)) return Next::payload;
    begin("udp", 8);
    number("source", 0, 0, 16, u16(0));
    number("destination", 2, 0, 16, u16(2));
    number("length", 4, 0, 16, u16(4));
    hexadecimal("checksum", 6, 2, u16(6));
    const size_t length = u16(4);
    if (whole_ && (length < 8 || length > end_ - at_)) {
      fault("udp", fmt::format("length {} does not fit {} octets", length, end_ - at_));
    } else if (whole_ && u16(6) != 0) {
      check_transport("udp", 6, 17, length);
    }
    at_ += 8;
    return Next::payload;
  }

  Next tcp() {
    if (!room("tcp", 20)) return Next::payload;
    const size_t header = static_cast<size_t>(u8(12) >> 4) * 4;
    const bool fits = header >= 20 && header <= end_ - at_;
    if (!fits) fault("tcp", fmt::format("data offset {} is impossible", header / 4));
    begin("tcp", fits ? header : 20);
    number("source", 0, 0, 16, u16(0));
    number("destination", 2, 0, 16, u16(2));
    number("sequence", 4, 0, 32, u32(4));
    number("acknowledgment", 8, 0, 32, u32(8));
    number("data_offset", 12, 0, 4, header / 4);
    number("reserved", 12, 4, 4, u8(12) & 0xf);
    field("flags", 13, 0, 8, tcp_flags(u8(13)));
    number("window", 14, 0, 16, u16(14));
    hexadecimal("checksum", 16, 2, u16(16));
    number("urgent", 18, 0, 16, u16(18));
    if (fits && header > 20) field("options", 20, 0, (header - 20) * 8, hex(from(20, header - 20)));
    check_transport("tcp", 16, 6, end_ - at_);
    at_ += fits ? header : 20;
    return Next::payload;
  }

  Next icmp(std::string_view name, bool version6) {
    if (!room(name, 8)) return Next::payload;
    begin(name, 8);
    number("type", 0, 0, 8, u8(0));
    number("code", 1, 0, 8, u8(1));
    hexadecimal("checksum", 2, 2, u16(2));
    hexadecimal("rest", 4, 4, u32(4));
    if (version6) {
      check_transport(name, 2, 58, end_ - at_);
    } else if (whole_) {
      check(name, "checksum", from(0, end_ - at_), 2, ChecksumSum{});
    }
    at_ += 8;
    return Next::payload;
  }

  ByteView frame_;
  size_t at_ = 0;
  size_t end_;  // of the innermost packet; link padding follows
  uint16_t type_ = 0;
  ChecksumSum pseudo_;    // addresses of the last IP header
  uint8_t protocol_ = 0;  // what the header at at_ was announced as
  bool whole_ = true;     // neither a fragment nor cut off, so transport checksums can be checked
  DecodedFrame out_;
};

}  // namespace

std::string_view DecodedLayer::operator[](std::string_view field) const {
  for (const DecodedField& f : fields)
    if (f.name == field) return f.text;
  return {};
}

const DecodedLayer* DecodedFrame::find(std::string_view layer) const {
  for (const DecodedLayer& l : layers)
    if (l.name == layer) return &l;
  return nullptr;
}

DecodedFrame decode(ByteView frame) { return Decoder(frame).run(); }

std::string one_line(const DecodedFrame& frame) {
  std::string text;
  for (const DecodedLayer& l : frame.layers) {
    if (!text.empty()) text += ' ';
    if (l.name == "ethernet") {
      text += fmt::format("{} > {}", l["source"], l["destination"]);
    } else if (l.name == "vlan") {
      text += fmt::format("vlan {}", l["id"]);
    } else if (l.name == "mpls") {
      text += fmt::format("mpls {} ttl {}", l["label"], l["ttl"]);
    } else if (l.name == "arp") {
      text += l["operation"] == "1" ? fmt::format("arp who has {} tell {}", l["target"], l["sender"])
                                    : fmt::format("arp {} is at {}", l["sender"], l["sender_mac"]);
    } else if (l.name == "ipv4") {
      text += fmt::format("ipv4 {} > {} ttl {}", l["source"], l["destination"], l["ttl"]);
      if (l["fragment_offset"] != "0" || l["more_fragments"] != "0")
        text += fmt::format(" fragment {}", l["fragment_offset"]);
    } else if (l.name == "ipv6") {
      text += fmt::format("ipv6 {} > {} hop limit {}", l["source"], l["destination"], l["hop_limit"]);
    } else if (l.name == "udp") {
      text += fmt::format("udp {} > {}", l["source"], l["destination"]);
    } else if (l.name == "tcp") {
      text += fmt::format("tcp {} > {} {}", l["source"], l["destination"], l["flags"]);
    } else if (l.name == "icmp" || l.name == "icmpv6") {
      text += fmt::format("{} {}/{}", l.name, l["type"], l["code"]);
    } else {
      text += fmt::format("{} {}", l.name, l["length"]);
    }
  }
  if (!frame.faults.empty()) text += fmt::format(" ! {}", fmt::join(frame.faults, "; "));
  return text;
}

std::string describe(const DecodedFrame& frame) {
  std::string text;
  for (const DecodedLayer& l : frame.layers) {
    text += fmt::format("{} ({} octets at {})\n", l.name, l.length, l.offset);
    for (const DecodedField& f : l.fields) text += fmt::format("  {:<16} {}\n", f.name, f.text);
  }
  for (const std::string& fault : frame.faults) text += fmt::format("! {}\n", fault);
  return text;
}

std::optional<ByteView> udp_payload(ByteView frame) {
  const DecodedFrame decoded = decode(frame);
  const DecodedLayer* udp = decoded.find("udp");
  if (!udp) return {};
  const DecodedLayer& last = *(udp + 1 == decoded.layers.data() + decoded.layers.size() ? udp : udp + 1);
  if (last.name != "payload") return ByteView{};
  return frame.subspan(last.offset, last.length);
}

}  // namespace weft::packet
