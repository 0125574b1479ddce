// Network addresses of both families, prefixes and MAC addresses: text to value and back.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::control {

using Mac = std::array<uint8_t, 6>;

enum class Family : uint8_t { ipv4, ipv6 };
constexpr unsigned address_bits(Family f) { return f == Family::ipv4 ? 32 : 128; }
constexpr std::string_view family_name(Family f) { return f == Family::ipv4 ? "IPv4" : "IPv6"; }

/// Bits from the left: an IPv4 address fills the upper half of `high`, and everything after is 0.
struct IpAddress {
  Family family = Family::ipv4;
  uint64_t high = 0, low = 0;

  constexpr IpAddress() = default;
  constexpr IpAddress(uint32_t v4) : high(uint64_t{v4} << 32) {}
  constexpr IpAddress(uint64_t upper, uint64_t lower) : family(Family::ipv6), high(upper), low(lower) {}
  static IpAddress from_bytes(const std::array<uint8_t, 16>& bytes);

  constexpr unsigned bits() const { return address_bits(family); }
  constexpr bool is_v6() const { return family == Family::ipv6; }
  constexpr uint32_t v4() const { return static_cast<uint32_t>(high >> 32); }
  std::array<uint8_t, 16> bytes() const;  ///< IPv4: the first four
  /// `count` bits, at most 32, that begin at bit `first` from the left.
  constexpr uint32_t slice(unsigned first, unsigned count) const {
    if (count == 0) return 0;
    const unsigned shift = 128 - first - count;
    const uint64_t value = shift >= 64 ? high >> (shift - 64) : shift == 0 ? low : high << (64 - shift) | low >> shift;
    return static_cast<uint32_t>(value & ((uint64_t{1} << count) - 1));
  }
  constexpr bool operator==(const IpAddress&) const = default;
  constexpr auto operator<=>(const IpAddress&) const = default;
};

/// The same address with zeros, or with ones, after its first `length` bits.
IpAddress first_in(const IpAddress& address, unsigned length);
IpAddress last_in(const IpAddress& address, unsigned length);
/// One more or one less, with wrap-around.
IpAddress next_address(const IpAddress& address);
IpAddress previous_address(const IpAddress& address);

constexpr uint32_t netmask(unsigned length) { return length == 0 ? 0 : ~uint32_t{0} << (32 - length); }

struct Prefix {
  IpAddress address;
  uint8_t length = 0;
  bool contains(const IpAddress& a) const {
    return a.family == address.family && first_in(a, length) == first_in(address, length);
  }
  Prefix network() const { return {first_in(address, length), length}; }
  bool operator==(const Prefix&) const = default;
  auto operator<=>(const Prefix&) const = default;
};

/// fe80::/10.
constexpr bool is_link_local(const IpAddress& a) { return a.is_v6() && a.high >> 54 == 0x3fa; }
/// 224/4 or ff00::/8.
constexpr bool is_multicast(const IpAddress& a) { return a.is_v6() ? a.high >> 56 == 0xff : a.high >> 60 == 0xe; }
/// The link-local address that a station makes of its MAC (RFC 4291, appendix A).
IpAddress link_local_of(const Mac& mac);

std::optional<IpAddress> parse_address(std::string_view text);
std::optional<Mac> parse_mac(std::string_view text);

/// "address/length" or, for IPv4, "address/mask". Bits beyond the mask are kept: the caller decides whether they are an
/// error.
struct ParsedPrefix {
  std::optional<Prefix> value;
  std::string problem;  ///< when there is no value: one clause, lower case
  std::string remedy;
};
ParsedPrefix parse_prefix(std::string_view text);
ParsedPrefix parse_prefix(std::string_view address, std::string_view length);

std::string to_text(const IpAddress& address);
std::string to_text(const Prefix& prefix);
std::string to_text(const Mac& mac);

}  // namespace weft::control
