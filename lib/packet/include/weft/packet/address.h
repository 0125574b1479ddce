// Link and network addresses, and their text forms.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::packet {

struct Mac {
  std::array<uint8_t, 6> octets{};
  auto operator<=>(const Mac&) const = default;
};

/// An IPv4 address is a number: 10.0.0.1 is 0a000001.
struct Ipv4Address {
  uint32_t value = 0;
  auto operator<=>(const Ipv4Address&) const = default;
};

struct Ipv6Address {
  std::array<uint8_t, 16> octets{};
  auto operator<=>(const Ipv6Address&) const = default;
};

/// "02:00:00:00:00:01". The readers give nothing for text that is not exactly an address.
std::optional<Mac> parse_mac(std::string_view text);
std::optional<Ipv4Address> parse_ipv4(std::string_view text);
std::optional<Ipv6Address> parse_ipv6(std::string_view text);
std::string to_string(const Mac& mac);
std::string to_string(const Ipv4Address& address);
/// The form of RFC 5952: lower case, the longest run of zero groups as "::".
std::string to_string(const Ipv6Address& address);

}  // namespace weft::packet
