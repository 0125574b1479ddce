#include "weft/control/address.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "weft/packet/address.h"

namespace weft::control {

namespace {

std::optional<unsigned> number(std::string_view text, unsigned max) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value > max) return std::nullopt;
  return value;
}

/// The upper half of a mask of `length` bits.
constexpr uint64_t ones(unsigned length) {
  return length == 0 ? 0 : length >= 64 ? ~uint64_t{0} : ~uint64_t{0} << (64 - length);
}
constexpr uint64_t lower_ones(unsigned length) { return length <= 64 ? 0 : ones(length - 64); }

}  // namespace

IpAddress IpAddress::from_bytes(const std::array<uint8_t, 16>& bytes) {
  IpAddress a{uint64_t{0}, uint64_t{0}};
  for (size_t i = 0; i < 8; ++i) {
    a.high = a.high << 8 | bytes[i];
    a.low = a.low << 8 | bytes[i + 8];
  }
  return a;
}

std::array<uint8_t, 16> IpAddress::bytes() const {
  std::array<uint8_t, 16> out{};
  for (size_t i = 0; i < 8; ++i) {
    out[i] = static_cast<uint8_t>(high >> (56 - 8 * i));
    out[i + 8] = static_cast<uint8_t>(low >> (56 - 8 * i));
  }
  return out;
}

IpAddress first_in(const IpAddress& address, unsigned length) {
  IpAddress a = address;
  a.high &= ones(length);
  a.low &= lower_ones(length);
  return a;
}

IpAddress last_in(const IpAddress& address, unsigned length) {
  IpAddress a = address;
  const uint64_t host = ~ones(length);
  a.high |= a.is_v6() ? host : host & ~uint64_t{0xffffffff};
  if (a.is_v6()) a.low |= ~lower_ones(length);
  return a;
}

IpAddress next_address(const IpAddress& address) {
  if (!address.is_v6()) return address.v4() + 1;
  const uint64_t low = address.low + 1;
  return {address.high + (low == 0 ? 1 : 0), low};
}

IpAddress previous_address(const IpAddress& address) {
  if (!address.is_v6()) return address.v4() - 1;
  return {address.high - (address.low == 0 ? 1 : 0), address.low - 1};
}

IpAddress link_local_of(const Mac& m) {
  const uint64_t id = uint64_t{m[0] ^ 2u} << 56 | uint64_t{m[1]} << 48 | uint64_t{m[2]} << 40 | uint64_t{0xfffe} << 24 |
                      uint64_t{m[3]} << 16 | uint64_t{m[4]} << 8 | m[5];
  return {uint64_t{0xfe80} << 48, id};
}

std::optional<IpAddress> parse_address(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  if (const auto v4 = packet::parse_ipv4(text)) return IpAddress(v4->value);
  if (const auto v6 = packet::parse_ipv6(text)) return IpAddress::from_bytes(v6->octets);
  return std::nullopt;
}

std::optional<Mac> parse_mac(std::string_view text) {
  const auto mac = packet::parse_mac(text);
  if (!mac) return std::nullopt;
  return mac->octets;
}

ParsedPrefix parse_prefix(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos) return parse_prefix(text.substr(0, slash), text.substr(slash + 1));
  const auto address = parse_address(text);
  if (!address)
    return {std::nullopt, fmt::format("'{}' is not a prefix", text), "write it as 192.0.2.0/24 or 2001:db8::/32"};
  return {std::nullopt, fmt::format("the prefix {} has no mask", text),
          fmt::format("write {}/{} for one host, or the length of its network", text, address->bits())};
}

ParsedPrefix parse_prefix(std::string_view text, std::string_view mask) {
  const auto address = parse_address(text);
  if (!address) {
    return {std::nullopt, fmt::format("'{}/{}' is not a prefix: '{}' is not an address", text, mask, text),
            "write it as 192.0.2.0/24 or 2001:db8::/32"};
  }
  if (const auto dotted = parse_address(mask); dotted && !dotted->is_v6() && !address->is_v6()) {
    const auto length = static_cast<unsigned>(std::countl_one(dotted->v4()));
    if (dotted->v4() != netmask(length)) {
      return {std::nullopt, fmt::format("the mask {} has a one after a zero", mask),
              "a mask is ones followed by zeros, such as 255.255.255.0, or a length such as /24"};
    }
    return {Prefix{*address, static_cast<uint8_t>(length)}, {}, {}};
  }
  const auto length = number(mask, address->bits());
  if (!length) {
    return {std::nullopt, fmt::format("the mask '/{}' is not a length from 0 to {}", mask, address->bits()),
            fmt::format("write the number of leading one bits, such as /{}", address->is_v6() ? 48 : 24)};
  }
  return {Prefix{*address, static_cast<uint8_t>(*length)}, {}, {}};
}

std::string to_text(const IpAddress& a) {
  if (a.is_v6()) return packet::to_string(packet::Ipv6Address{a.bytes()});
  return packet::to_string(packet::Ipv4Address{a.v4()});
}
std::string to_text(const Prefix& p) { return fmt::format("{}/{}", to_text(p.address), p.length); }
std::string to_text(const Mac& m) { return packet::to_string(packet::Mac{m}); }

}  // namespace weft::control
