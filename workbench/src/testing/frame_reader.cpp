#include "testing/frame_reader.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "testing/fields.h"
#include "weft/packet/layers.h"

namespace weft::workbench::testing {
namespace {

using packet::Bytes;

/// Reads the fields of one layer.
class Fields {
 public:
  Fields(const JsonNode& node, const Row& row, Diagnostics& out) : node_(node), row_(row), out_(out) {}

  template <class T>
  void number(const char* name, T& to, uint64_t max = std::numeric_limits<T>::max()) {
    if (node_.has(name)) to = static_cast<T>(row_.number(node_.get(name), out_, 0, max));
  }
  template <class T>
  void number(const char* name, std::optional<T>& to, uint64_t max = std::numeric_limits<T>::max()) {
    if (node_.has(name)) to = static_cast<T>(row_.number(node_.get(name), out_, 0, max));
  }
  void flag(const char* name, bool& to) {
    if (node_.has(name)) to = row_.boolean(node_.get(name), out_);
  }
  void flag(const char* name, std::optional<bool>& to) {
    if (node_.has(name)) to = row_.boolean(node_.get(name), out_);
  }
  template <class T>
  void address(const char* name, T& to, std::optional<T> (*parse)(std::string_view), const char* like) {
    if (!node_.has(name)) return;
    const JsonNode node = node_.get(name);
    const std::string text = row_.text(node, out_);
    if (const auto value = parse(text))
      to = *value;
    else
      out_.error("test-frame", node.range(), fmt::format("'{}' is no such address", text),
                 fmt::format("write one like {}", like));
  }
  void mac(const char* name, packet::Mac& to) { address(name, to, packet::parse_mac, "02:00:00:00:00:01"); }
  void ipv4(const char* name, packet::Ipv4Address& to) { address(name, to, packet::parse_ipv4, "192.0.2.1"); }
  void ipv6(const char* name, packet::Ipv6Address& to) { address(name, to, packet::parse_ipv6, "2001:db8::1"); }
  void octets(const char* name, Bytes& to);
  void tcp_flags(const char* name, uint8_t& to);

 private:
  const JsonNode& node_;
  const Row& row_;
  Diagnostics& out_;
};

std::optional<Bytes> from_hex(std::string_view text) {
  Bytes bytes;
  int high = -1;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) || c == ':' || c == '_') continue;
    if (!std::isxdigit(static_cast<unsigned char>(c))) return std::nullopt;
    const int digit = std::isdigit(static_cast<unsigned char>(c)) ? c - '0' : std::tolower(c) - 'a' + 10;
    if (high < 0) {
      high = digit;
    } else {
      bytes.push_back(static_cast<uint8_t>(high << 4 | digit));
      high = -1;
    }
  }
  if (high >= 0) return std::nullopt;
  return bytes;
}

Bytes hex_octets(const JsonNode& node, const Row& row, Diagnostics& out) {
  const std::string text = row.text(node, out);
  if (auto bytes = from_hex(text)) return std::move(*bytes);
  out.error("test-frame", node.range(), "these are not octets in hexadecimal",
            "write two digits for each octet; blanks between them are free");
  return {};
}

void Fields::octets(const char* name, Bytes& to) {
  if (node_.has(name)) to = hex_octets(node_.get(name), row_, out_);
}

void Fields::tcp_flags(const char* name, uint8_t& to) {
  if (!node_.has(name)) return;
  const JsonNode node = node_.get(name);
  if (node.is_number()) return number(name, to);
  std::string unknown;
  const auto flags = testing::tcp_flags_of(row_.text(node, out_), unknown);
  to = flags.value_or(0);
  if (!flags)
    out_.error("test-frame", node.range(), fmt::format("'{}' is not a flag of TCP", unknown),
               "the flags are fin syn rst psh ack urg ece cwr, with blanks between them");
}

/// Numbers 0, 1, 2 ... or octets in hexadecimal.
packet::Payload payload(const JsonNode& node, const Row& row, Diagnostics& out) {
  packet::Payload layer;
  if (!row.value(node, out).is_number()) {
    layer.bytes = hex_octets(node, row, out);
    return layer;
  }
  const uint64_t count = row.number(node, out, 0, 65'535);
  for (uint64_t i = 0; i < count; ++i) layer.bytes.push_back(static_cast<uint8_t>(i));
  return layer;
}

class LayerReader {
 public:
  LayerReader(const Row& row, Diagnostics& out) : row_(row), out_(out) {}

  std::optional<packet::Layer> read(const std::string& name, const JsonNode& node) {
    if (name == "payload") return payload(node, row_, out_);
    if (!node.is_object()) {
      node.wrong(out_, fmt::format("the fields of '{}' stand in braces", name), "write {\"field\": value, ...}");
      return std::nullopt;
    }
    Fields f(node, row_, out_);
    if (name == "ethernet") return ethernet(node, f);
    if (name == "vlan") return vlan(node, f);
    if (name == "mpls") return mpls(node, f);
    if (name == "arp") return arp(node, f);
    if (name == "ipv4") return ipv4(node, f);
    if (name == "ipv6") return ipv6(node, f);
    if (name == "hop_by_hop" || name == "destination_options") return options6(node, f, name == "destination_options");
    if (name == "routing") return routing6(node, f);
    if (name == "fragment") return fragment6(node, f);
    if (name == "udp") return udp(node, f);
    if (name == "tcp") return tcp(node, f);
    if (name == "icmp") return icmp(node, f);
    const auto near = nearest(name, {"ethernet", "vlan", "mpls", "arp", "ipv4", "ipv6", "hop_by_hop",
                                     "destination_options", "routing", "fragment", "udp", "tcp", "icmp", "payload"});
    out_.error("test-frame", node.range(), fmt::format("there is no layer '{}'", name),
               near ? fmt::format("did you mean '{}'?", *near)
                    : "layers are ethernet vlan mpls arp ipv4 ipv6 hop_by_hop destination_options routing fragment udp "
                      "tcp icmp payload");
    return std::nullopt;
  }

 private:
  packet::Layer ethernet(const JsonNode& node, Fields& f) {
    node.only({"destination", "source", "type"}, out_);
    packet::Ethernet l;
    f.mac("destination", l.destination);
    f.mac("source", l.source);
    f.number("type", l.type);
    return l;
  }
  packet::Layer vlan(const JsonNode& node, Fields& f) {
    node.only({"id", "priority", "drop_eligible", "type"}, out_);
    packet::Vlan l;
    f.number("id", l.id, 4095);
    f.number("priority", l.priority, 7);
    f.flag("drop_eligible", l.drop_eligible);
    f.number("type", l.type);
    return l;
  }
  packet::Layer mpls(const JsonNode& node, Fields& f) {
    node.only({"label", "traffic_class", "ttl", "bottom"}, out_);
    packet::Mpls l;
    f.number("label", l.label, 0xfffff);
    f.number("traffic_class", l.traffic_class, 7);
    f.number("ttl", l.ttl);
    f.flag("bottom", l.bottom);
    return l;
  }
  packet::Layer arp(const JsonNode& node, Fields& f) {
    node.only({"operation", "sender_mac", "sender", "target_mac", "target"}, out_);
    packet::Arp l;
    f.number("operation", l.operation);
    f.mac("sender_mac", l.sender_mac);
    f.ipv4("sender", l.sender);
    f.mac("target_mac", l.target_mac);
    f.ipv4("target", l.target);
    return l;
  }
  packet::Layer ipv4(const JsonNode& node, Fields& f) {
    node.only({"tos", "identification", "dont_fragment", "more_fragments", "fragment_offset", "ttl", "source",
               "destination", "options", "version", "header_length", "total_length", "protocol", "checksum"},
              out_);
    packet::Ipv4 l;
    f.number("tos", l.tos);
    f.number("identification", l.identification);
    f.flag("dont_fragment", l.dont_fragment);
    f.flag("more_fragments", l.more_fragments);
    f.number("fragment_offset", l.fragment_offset, 8191);
    f.number("ttl", l.ttl);
    f.ipv4("source", l.source);
    f.ipv4("destination", l.destination);
    f.octets("options", l.options);
    f.number("version", l.version, 15);
    f.number("header_length", l.header_length, 15);
    f.number("total_length", l.total_length);
    f.number("protocol", l.protocol);
    f.number("checksum", l.checksum);
    return l;
  }
  packet::Layer ipv6(const JsonNode& node, Fields& f) {
    node.only({"traffic_class", "flow_label", "hop_limit", "source", "destination", "version", "payload_length",
               "next_header"},
              out_);
    packet::Ipv6 l;
    f.number("traffic_class", l.traffic_class);
    f.number("flow_label", l.flow_label, 0xfffff);
    f.number("hop_limit", l.hop_limit);
    f.ipv6("source", l.source);
    f.ipv6("destination", l.destination);
    f.number("version", l.version, 15);
    f.number("payload_length", l.payload_length);
    f.number("next_header", l.next_header);
    return l;
  }
  packet::Layer options6(const JsonNode& node, Fields& f, bool destination) {
    node.only({"options", "next_header", "length"}, out_);
    packet::Options6 l;
    l.destination = destination;
    f.octets("options", l.options);
    f.number("next_header", l.next_header);
    f.number("length", l.length);
    return l;
  }
  packet::Layer routing6(const JsonNode& node, Fields& f) {
    node.only({"type", "segments_left", "data", "next_header", "length"}, out_);
    packet::Routing6 l;
    f.number("type", l.type);
    f.number("segments_left", l.segments_left);
    f.octets("data", l.data);
    f.number("next_header", l.next_header);
    f.number("length", l.length);
    return l;
  }
  packet::Layer fragment6(const JsonNode& node, Fields& f) {
    node.only({"offset", "more", "identification", "next_header"}, out_);
    packet::Fragment6 l;
    f.number("offset", l.offset, 8191);
    f.flag("more", l.more);
    f.number("identification", l.identification);
    f.number("next_header", l.next_header);
    return l;
  }
  packet::Layer udp(const JsonNode& node, Fields& f) {
    node.only({"source", "destination", "length", "checksum"}, out_);
    packet::Udp l;
    f.number("source", l.source);
    f.number("destination", l.destination);
    f.number("length", l.length);
    f.number("checksum", l.checksum);
    return l;
  }
  packet::Layer tcp(const JsonNode& node, Fields& f) {
    node.only({"source", "destination", "sequence", "acknowledgment", "flags", "window", "urgent", "options",
               "data_offset", "checksum"},
              out_);
    packet::Tcp l;
    f.number("source", l.source);
    f.number("destination", l.destination);
    f.number("sequence", l.sequence);
    f.number("acknowledgment", l.acknowledgment);
    f.tcp_flags("flags", l.flags);
    f.number("window", l.window);
    f.number("urgent", l.urgent);
    f.octets("options", l.options);
    f.number("data_offset", l.data_offset, 15);
    f.number("checksum", l.checksum);
    return l;
  }
  packet::Layer icmp(const JsonNode& node, Fields& f) {
    node.only({"type", "code", "rest", "identifier", "sequence", "checksum"}, out_);
    packet::Icmp l;
    f.number("type", l.type);
    f.number("code", l.code);
    f.number("rest", l.rest);
    uint16_t identifier = static_cast<uint16_t>(l.rest >> 16), sequence = static_cast<uint16_t>(l.rest);
    f.number("identifier", identifier);
    f.number("sequence", sequence);
    l.rest = static_cast<uint32_t>(identifier) << 16 | sequence;
    f.number("checksum", l.checksum);
    return l;
  }

  const Row& row_;
  Diagnostics& out_;
};

Bytes read_layers(const JsonNode& list, const Row& row, Diagnostics& out) {
  std::vector<packet::Layer> layers;
  LayerReader reader(row, out);
  for (const JsonNode& node : list.items()) {
    const auto members = node.members();
    if (members.size() != 1) {
      node.wrong(out, "each element of a frame is one layer", "write {\"ipv4\": {...}}");
      continue;
    }
    if (auto layer = reader.read(members[0].first, members[0].second)) layers.push_back(std::move(*layer));
  }
  return packet::padded(packet::build(layers));
}

/// "ipv4.ttl", "mpls#2.label": the JSON pointer of the field below the list of layers, or nothing.
std::optional<std::string> pointer_of(const JsonNode& list, const std::string& field) {
  const size_t dot = field.find('.');
  std::string layer = field.substr(0, dot);
  uint64_t nth = 1;
  if (const size_t hash = layer.find('#'); hash != std::string::npos) {
    const auto number = parse_number(std::string_view(layer).substr(hash + 1));
    if (!number) return std::nullopt;
    nth = *number;
    layer.resize(hash);
  }
  size_t index = 0;
  for (const JsonNode& node : list.items()) {
    if (node.has(layer) && --nth == 0)
      return fmt::format("{}/{}/{}{}", list.path(), index, layer,
                         dot == std::string::npos ? "" : "/" + field.substr(dot + 1));
    ++index;
  }
  return std::nullopt;
}

/// The value at a JSON pointer, which is there.
JsonNode at_pointer(JsonNode node, const std::string& pointer) {
  for (size_t at = 1; at <= pointer.size() && !pointer.empty();) {
    const size_t end = std::min(pointer.find('/', at), pointer.size());
    std::string key = pointer.substr(at, end - at);
    for (const auto& [escape, plain] : {std::pair("~1", "/"), std::pair("~0", "~")})
      for (size_t e = 0; (e = key.find(escape, e)) != std::string::npos; ++e) key.replace(e, 2, plain);
    node = node.is_array() ? node.items()[*parse_number(key)] : node.get(key);
    at = end + 1;
  }
  return node;
}

}  // namespace

Bytes read_frame(const JsonNode& node, const NamedFrames& named, const Row& row, Diagnostics& out) {
  if (node.is_array()) return read_layers(node, row, out);
  if (node.is_string()) return hex_octets(node, row, out);
  if (!node.is_object()) {
    node.wrong(out, "a frame is a list of layers, octets in hexadecimal, or {\"same_as\": NAME}");
    return {};
  }
  node.only({"same_as", "change"}, out);
  const std::string name = row.text(node.require("same_as", out), out);
  const auto found = named.find(name);
  if (found == named.end()) {
    std::vector<std::string> names;
    if (may_guess(out))
      for (const auto& [known, unused] : named) names.push_back(known);
    const auto near = nearest(name, names);
    out.error("test-frame", node.range(), fmt::format("no frame has the name '{}'", name),
              near ? fmt::format("did you mean '{}'?", *near) : "name it below \"frames\"");
    return {};
  }
  const NamedFrame& base = found->second;
  if (!node.has("change")) return read_frame(base.node, {}, row, out);
  if (!base.node.is_array()) {
    node.get("change").wrong(out, fmt::format("'{}' has no layers that could be changed", name),
                             "write its layers instead of octets");
    return {};
  }
  // A copy of the document in which the fields have their new values, which keeps the places for messages.
  JsonDocument changed = *base.document;
  for (const auto& [written, value] : node.get("change").members()) {
    const std::string field = row.name(written, value.range(), out);
    const auto pointer = pointer_of(base.node, field);
    if (!pointer) {
      out.error("test-frame", value.range(), fmt::format("'{}' has no layer for '{}'", name, field),
                "write LAYER.FIELD, or LAYER#2.FIELD for the second layer of a kind");
      continue;
    }
    auto next = changed.with(*pointer, row.value(value, out));
    if (next)
      changed = std::move(*next);
    else
      out.append(std::move(next.error()));
  }
  Diagnostics problems;
  packet::Bytes bytes = read_layers(at_pointer(changed.root(), base.node.path()), row, problems);
  out.append(problems.changed([&](Diagnostic& d) {
    if (d.range.begin.line == 0)
      d.range = node.get("change").range();  // values that were put in have no place of their own
  }));
  return bytes;
}

}  // namespace weft::workbench::testing
