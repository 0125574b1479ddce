#include "testing/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "testing/row.h"
#include "weft/packet/layers.h"

namespace weft::workbench::testing {
namespace {

/// The octets of the frame say it: the text of some fields is for people ("SA").
uint64_t value_in(const packet::Bytes& frame, const packet::DecodedField& field) {
  uint64_t value = 0;
  for (size_t bit = field.bit; bit < field.bit + field.bits && bit / 8 < frame.size(); ++bit)
    value = value << 1 | (frame[bit / 8] >> (7 - bit % 8) & 1u);
  return value;
}

bool is_tcp_flags(const ExpectedField& wanted) { return wanted.layer == "tcp" && wanted.field == "flags"; }

/// Frames that have each layer between them, and all parts of a layer that may be missing.
std::vector<packet::Bytes> specimens() {
  using namespace packet;
  const Bytes octets(8);
  const Ethernet ethernet{};
  const Ipv4 ipv4{.source = {}, .destination = {}, .options = octets};
  return {
      packet::build({ethernet, Vlan{}, Mpls{}, ipv4, Tcp{.options = octets}, Payload{octets}}),
      padded(packet::build({ethernet, Arp{}})),
      packet::build({ethernet, ipv4, Udp{}}),
      packet::build({ethernet, ipv4, Icmp{}}),
      packet::build(
          {ethernet, Ipv6{}, Options6{}, Options6{.destination = true}, Routing6{.data = octets}, Fragment6{}, Icmp{}}),
  };
}

/// All fields that packet::decode() knows, as "layer.field".
std::vector<std::string> known_fields() {
  std::vector<std::string> names;
  for (const packet::Bytes& frame : specimens())
    for (const packet::DecodedLayer& layer : packet::decode(frame).layers)
      for (const packet::DecodedField& field : layer.fields)
        names.push_back(fmt::format("{}.{}", layer.name, field.name));
  return names;
}

}  // namespace

std::optional<ExpectedField> read_field_name(const std::string& name, const JsonNode& place, Diagnostics& out) {
  const size_t dot = name.find('.'), hash = std::min(name.find('#'), dot);
  const auto nth =
      hash < dot ? parse_number(std::string_view(name).substr(hash + 1, dot - hash - 1)) : std::optional<uint64_t>(1);
  if (dot == std::string::npos || dot + 1 == name.size() || !nth || *nth == 0) {
    place.wrong(out, fmt::format("'{}' names no field", name),
                "write a layer and its field: \"ipv4.ttl\", \"mpls#2.label\"");
    return std::nullopt;
  }
  ExpectedField field;
  field.layer = name.substr(0, hash);
  field.nth = *nth;
  field.field = name.substr(dot + 1);
  const std::string plain = field.layer + "." + field.field;
  static const std::vector<std::string> known = known_fields();  // the same for all tests of a process
  if (std::find(known.begin(), known.end(), plain) != known.end()) return field;
  const auto near = may_guess(out) ? nearest(plain, known) : std::nullopt;
  place.wrong(out, fmt::format("no frame has a field '{}'", plain),
              near ? fmt::format("did you mean '{}'?", *near)
                   : "write a layer and its field as failing tests show them: \"ipv4.ttl\", \"mpls#2.label\"");
  return std::nullopt;
}

std::string name_of(const ExpectedField& field) {
  return field.nth == 1 ? fmt::format("{}.{}", field.layer, field.field)
                        : fmt::format("{}#{}.{}", field.layer, field.nth, field.field);
}

std::optional<uint8_t> tcp_flags_of(std::string_view text, std::string& unknown) {
  static constexpr std::array<std::string_view, 8> kNames{"fin", "syn", "rst", "psh", "ack", "urg", "ece", "cwr"};
  uint8_t flags = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    bool known = word.empty();
    for (unsigned bit = 0; bit < kNames.size(); ++bit) {
      if (word != kNames[bit]) continue;
      flags = static_cast<uint8_t>(flags | 1u << bit);
      known = true;
    }
    if (known) continue;
    unknown = word;
    return std::nullopt;
  }
  return flags;
}

bool matches(const ExpectedField& wanted, const packet::DecodedField* found, const packet::Bytes& frame) {
  if (found == nullptr) return wanted.value.empty();
  if (found->text == wanted.value) return true;
  auto number_wanted = parse_number(wanted.value), number_found = parse_number(found->text);
  if (is_tcp_flags(wanted)) {
    std::string unknown;
    number_found = value_in(frame, *found);
    if (!number_wanted) number_wanted = tcp_flags_of(wanted.value, unknown);
  }
  if (found->bits == 1 && (wanted.value == "true" || wanted.value == "false")) number_wanted = wanted.value == "true";
  return number_wanted && number_found && ((*number_found ^ *number_wanted) & wanted.mask.value_or(UINT64_MAX)) == 0;
}

}  // namespace weft::workbench::testing
