#include "weft/workbench/dissect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "weft/packet/decode.h"

namespace weft::workbench {
namespace {

using packet::DecodedField;
using packet::DecodedFrame;
using packet::DecodedLayer;

constexpr size_t kSummary = 128;  // bytes

std::string_view title_of(std::string_view layer) {
  static const std::map<std::string_view, std::string_view> kTitles{{"ethernet", "Ethernet"},
                                                                    {"vlan", "VLAN"},
                                                                    {"mpls", "MPLS"},
                                                                    {"arp", "ARP"},
                                                                    {"ipv4", "IPv4"},
                                                                    {"ipv6", "IPv6"},
                                                                    {"udp", "UDP"},
                                                                    {"tcp", "TCP"},
                                                                    {"icmp", "ICMP"},
                                                                    {"icmpv6", "ICMPv6"},
                                                                    {"payload", "Payload"},
                                                                    {"padding", "Padding"},
                                                                    {"hop_by_hop", "IPv6 hop-by-hop options"},
                                                                    {"destination_options", "IPv6 destination options"},
                                                                    {"routing", "IPv6 routing header"},
                                                                    {"fragment", "IPv6 fragment header"}};
  const auto at = kTitles.find(layer);
  return at != kTitles.end() ? at->second : layer;
}

// Numbers of the registries of IANA.
/// Empty: it has none.
std::string_view name_in(const std::map<std::string_view, std::string_view>& names, std::string_view number) {
  const auto at = names.find(number);
  return at != names.end() ? at->second : std::string_view();
}
std::string_view protocol_name(std::string_view number) {
  static const std::map<std::string_view, std::string_view> kNames{{"0", "hop-by-hop options"},
                                                                   {"1", "ICMP"},
                                                                   {"2", "IGMP"},
                                                                   {"4", "IPv4"},
                                                                   {"6", "TCP"},
                                                                   {"17", "UDP"},
                                                                   {"41", "IPv6"},
                                                                   {"43", "routing"},
                                                                   {"44", "fragment"},
                                                                   {"47", "GRE"},
                                                                   {"50", "ESP"},
                                                                   {"51", "AH"},
                                                                   {"58", "ICMPv6"},
                                                                   {"59", "nothing"},
                                                                   {"60", "destination options"},
                                                                   {"89", "OSPF"}};
  return name_in(kNames, number);
}
std::string_view type_name(std::string_view number) {
  static const std::map<std::string_view, std::string_view> kNames{
      {"0x0800", "IPv4"}, {"0x86dd", "IPv6"}, {"0x0806", "ARP"},           {"0x8100", "VLAN"},
      {"0x88a8", "VLAN"}, {"0x8847", "MPLS"}, {"0x8848", "MPLS multicast"}};
  return name_in(kNames, number);
}
std::string_view icmp_name(std::string_view type) {
  static const std::map<std::string_view, std::string_view> kNames{
      {"0", "echo reply"},   {"3", "destination unreachable"}, {"5", "redirect"},
      {"8", "echo request"}, {"11", "time exceeded"},          {"12", "parameter problem"}};
  return name_in(kNames, type);
}
std::string_view icmpv6_name(std::string_view type) {
  static const std::map<std::string_view, std::string_view> kNames{
      {"1", "destination unreachable"}, {"2", "packet too big"},         {"3", "time exceeded"},
      {"4", "parameter problem"},       {"128", "echo request"},         {"129", "echo reply"},
      {"133", "router solicitation"},   {"134", "router advertisement"}, {"135", "neighbor solicitation"},
      {"136", "neighbor advertisement"}};
  return name_in(kNames, type);
}

std::string note_of(const DecodedLayer& layer, const DecodedField& field) {
  if (field.name == "type" && (layer.name == "ethernet" || layer.name == "vlan"))
    return std::string(type_name(field.text));
  if (field.name == "protocol" && layer.name == "ipv4") return std::string(protocol_name(field.text));
  if (field.name == "next_header") return std::string(protocol_name(field.text));
  if (field.name == "type" && layer.name == "icmp") return std::string(icmp_name(field.text));
  if (field.name == "type" && layer.name == "icmpv6") return std::string(icmpv6_name(field.text));
  if (field.name == "operation" && layer.name == "arp")
    return field.text == "1" ? "request" : field.text == "2" ? "reply" : "";
  if (field.name == "header_length" || field.name == "data_offset") return "longwords";
  if (field.name == "fragment_offset" || (field.name == "offset" && layer.name == "fragment"))
    return "in units of 8 octets";
  if (field.name == "checksum" && layer.name == "udp" && field.text == "0x0000") return "none";
  return {};
}

std::string summary_of(const DecodedLayer& l) {
  if (l.name == "ethernet" || l.name == "ipv4" || l.name == "ipv6")
    return fmt::format("{} > {}", l["source"], l["destination"]);
  if (l.name == "vlan") return fmt::format("{}", l["id"]);
  if (l.name == "mpls") return fmt::format("label {}, TTL {}", l["label"], l["ttl"]);
  if (l.name == "udp") return fmt::format("{} > {}", l["source"], l["destination"]);
  if (l.name == "tcp") return fmt::format("{} > {} {}", l["source"], l["destination"], l["flags"]);
  if (l.name == "arp")
    return l["operation"] == "1" ? fmt::format("who has {}, tell {}", l["target"], l["sender"])
                                 : fmt::format("{} is at {}", l["sender"], l["sender_mac"]);
  if (l.name == "icmp" || l.name == "icmpv6") {
    const auto name = l.name == "icmp" ? icmp_name(l["type"]) : icmpv6_name(l["type"]);
    return name.empty() ? fmt::format("type {}, code {}", l["type"], l["code"])
                        : fmt::format("{}, code {}", name, l["code"]);
  }
  if (l.name == "payload" || l.name == "padding") return fmt::format("{} octets", l.length);
  return {};
}

// ---- options: kind, length, value; two kinds have neither length nor value

struct OptionNames {
  std::map<unsigned, std::string_view> names;
  unsigned end, nothing;  ///< kinds of one octet
};
const OptionNames& option_names(std::string_view layer) {
  static const OptionNames kIpv4{{{0, "end"},
                                  {1, "no operation"},
                                  {7, "record route"},
                                  {68, "timestamp"},
                                  {130, "security"},
                                  {131, "loose source route"},
                                  {137, "strict source route"},
                                  {148, "router alert"}},
                                 0,
                                 1};
  static const OptionNames kTcp{{{0, "end"},
                                 {1, "no operation"},
                                 {2, "maximum segment size"},
                                 {3, "window scale"},
                                 {4, "SACK permitted"},
                                 {5, "SACK"},
                                 {8, "timestamps"}},
                                0,
                                1};
  static const OptionNames kIpv6{{{0, "Pad1"}, {1, "PadN"}, {5, "router alert"}, {194, "jumbo payload"}}, 256, 0};
  return layer == "ipv4" ? kIpv4 : layer == "tcp" ? kTcp : kIpv6;
}

void options(std::span<const uint8_t> frame, const DecodedLayer& layer, const DecodedField& field,
             DissectedLayer& out) {
  const OptionNames& known = option_names(layer.name);
  const bool version6 = layer.name != "ipv4" && layer.name != "tcp";  // the length is that of the value alone
  size_t at = field.bit / 8;
  const size_t end = std::min(at + field.bits / 8, frame.size());
  while (at < end) {
    const unsigned kind = frame[at];
    const auto name = known.names.find(kind);
    DissectedField f;
    f.name = "option";
    f.text = name != known.names.end() ? std::string(name->second) : fmt::format("kind {}", kind);
    f.bit = at * 8;
    f.bits = 8;
    const bool single = kind == known.nothing || kind == known.end;
    size_t length = 1;
    if (!single) {
      length = at + 1 < end ? frame[at + 1] + (version6 ? 2u : 0u) : 0;
      if (length < 2 || at + length > end) {
        f.wrong = true;
        f.note = at + 1 < end ? fmt::format("its length {} does not fit", frame[at + 1]) : "its length is missing";
        f.bits = (end - at) * 8;
        out.faults.push_back(fmt::format("option {}: {}", f.text, f.note));
        out.fields.push_back(std::move(f));
        return;
      }
      for (size_t i = at + 2; i < at + length; ++i) f.note += fmt::format("{:02x}", frame[i]);
      f.bits = length * 8;
    }
    out.fields.push_back(std::move(f));
    at += length;
    if (kind == known.end) return;
  }
}

/// Which field of a layer a fault of the decoder speaks of.
std::string_view field_of_fault(std::string_view layer, std::string_view text) {
  if (text.find("checksum") != std::string_view::npos) return "checksum";
  if (text.starts_with("version")) return "version";
  if (text.starts_with("data offset")) return "data_offset";
  if (text.starts_with("header length")) return "header_length";
  if (text.starts_with("total length") || (layer == "ipv4" && text.starts_with("is "))) return "total_length";
  if (layer == "ipv6" && text.starts_with("is ")) return "payload_length";
  if (layer == "udp" && text.starts_with("length")) return "length";
  return {};
}

/// True when a wrong value at this checksum would have been found: then the one that is there is right.
bool is_checked(std::span<const uint8_t> frame, const DecodedField& checksum, size_t faults) {
  std::vector<uint8_t> other(frame.begin(), frame.end());
  other[checksum.bit / 8] ^= 0x55;
  return packet::decode(other).faults.size() > faults;
}

}  // namespace

Dissection dissect(std::span<const uint8_t> frame) {
  const DecodedFrame decoded = packet::decode(frame);
  Dissection out;
  out.wrong = decoded.faults.size();
  for (const DecodedLayer& layer : decoded.layers) {
    DissectedLayer to{std::string(layer.name),
                      std::string(title_of(layer.name)),
                      summary_of(layer),
                      layer.offset,
                      layer.length,
                      {},
                      {}};
    for (const DecodedField& field : layer.fields) {
      if (field.bits == 0) continue;  // what is worked out, such as the length of the payload
      to.fields.push_back({std::string(field.name), field.text, note_of(layer, field), field.bit, field.bits, false});
      if (field.name == "options") options(frame, layer, field, to);
      if (field.name == "checksum" && to.fields.back().note.empty() && is_checked(frame, field, decoded.faults.size()))
        to.fields.back().note = "correct";
    }
    out.wrong += to.faults.size();
    out.layers.push_back(std::move(to));
  }
  for (const std::string& fault : decoded.faults) {
    const size_t colon = fault.find(": ");
    const std::string name = fault.substr(0, colon),
                      text = colon == std::string::npos ? fault : fault.substr(colon + 2);
    const auto field_name = field_of_fault(name, text);
    DissectedLayer* layer = nullptr;
    for (DissectedLayer& l : out.layers)
      if (l.name == name) layer = &l;
    if (layer == nullptr) {
      out.faults.push_back(fault);
      continue;
    }
    layer->faults.push_back(text);
    for (DissectedField& f : layer->fields)
      if (f.name == field_name) {
        f.wrong = true;
        const size_t should = text.find("should be ");
        f.note = should != std::string::npos ? text.substr(should) : text;
      }
  }
  return out;
}

std::string packet_summary(std::span<const uint8_t> frame) {
  const DecodedFrame decoded = packet::decode(frame.first(std::min(frame.size(), kSummary)));
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : " ") + text; };
  for (const DecodedLayer& l : decoded.layers) {
    if (l.name == "ethernet" || l.name == "payload" || l.name == "padding") continue;
    if (l.name == "mpls")
      add(fmt::format("MPLS {}", l["label"]));
    else
      add(fmt::format("{}{}{}", title_of(l.name), summary_of(l).empty() ? "" : " ", summary_of(l)));
    if (l.name == "ipv4" && l["fragment_offset"] != "0") add("fragment");
  }
  if (!out.empty()) return out;
  const DecodedLayer* link = decoded.find("ethernet");
  return link == nullptr ? fmt::format("{} octets", frame.size())
                         : fmt::format("Ethernet {} type {}", summary_of(*link), (*link)["type"]);
}

std::string hex_rows(std::span<const uint8_t> frame) {
  std::string out;
  for (size_t row = 0; row < frame.size(); row += 16) {
    out += fmt::format("{:04x}  ", row);
    for (size_t i = row; i < row + 16; ++i) out += i < frame.size() ? fmt::format("{:02x} ", frame[i]) : "   ";
    out += ' ';
    for (size_t i = row; i < std::min(row + 16, frame.size()); ++i)
      out += frame[i] >= 0x20 && frame[i] < 0x7f ? static_cast<char>(frame[i]) : '.';
    out += '\n';
  }
  return out;
}

}  // namespace weft::workbench
