// IPv4 addresses, prefixes and MAC addresses: text to value and back.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::control {

using Mac = std::array<uint8_t, 6>;

/// The `length` most significant bits set; length 0-32.
constexpr uint32_t netmask(unsigned length) { return length == 0 ? 0 : ~uint32_t{0} << (32 - length); }

struct Prefix {
  uint32_t address = 0;
  uint8_t length = 0;
  bool contains(uint32_t a) const { return ((a ^ address) & netmask(length)) == 0; }
  bool operator==(const Prefix&) const = default;
  auto operator<=>(const Prefix&) const = default;
};

std::optional<uint32_t> parse_address(std::string_view text);
std::optional<Mac> parse_mac(std::string_view text);

/// "address/length" or "address/mask". Bits beyond the mask are kept: the caller decides whether they are an error.
struct ParsedPrefix {
  std::optional<Prefix> value;
  std::string problem;  ///< when there is no value: one clause, lower case
  std::string remedy;
};
ParsedPrefix parse_prefix(std::string_view text);

std::string to_text(uint32_t address);
std::string to_text(const Prefix& prefix);
std::string to_text(const Mac& mac);

}  // namespace weft::control
