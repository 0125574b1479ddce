#include "testing/fields.h"

#include <algorithm>
#include <array>

#include "testing/row.h"

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

}  // namespace

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
