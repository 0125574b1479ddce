#include "weft/control/address.h"

#include <bit>
#include <charconv>

#include <fmt/format.h>

namespace weft::control {

namespace {

std::optional<unsigned> number(std::string_view text, unsigned max) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value > max) return std::nullopt;
  return value;
}

}  // namespace

std::optional<uint32_t> parse_address(std::string_view text) {
  uint32_t value = 0;
  for (int part = 0; part < 4; ++part) {
    const size_t dot = part < 3 ? text.find('.') : text.size();
    if (dot == std::string_view::npos || dot > 3) return std::nullopt;
    const auto byte = number(text.substr(0, dot), 255);
    if (!byte) return std::nullopt;
    value = value << 8 | *byte;
    text.remove_prefix(part < 3 ? dot + 1 : dot);
  }
  return value;
}

std::optional<Mac> parse_mac(std::string_view text) {
  Mac mac{};
  if (text.size() != 17) return std::nullopt;
  for (size_t i = 0; i < 6; ++i) {
    const std::string_view pair = text.substr(i * 3, 2);
    const auto [end, error] = std::from_chars(pair.data(), pair.data() + 2, mac[i], 16);
    if (error != std::errc{} || end != pair.data() + 2) return std::nullopt;
    if (i < 5 && text[i * 3 + 2] != ':') return std::nullopt;
  }
  return mac;
}

ParsedPrefix parse_prefix(std::string_view text) {
  const size_t slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address) {
    return {std::nullopt, fmt::format("'{}' is not an IPv4 prefix", text), "write it as 192.0.2.0/24"};
  }
  if (slash == std::string_view::npos) {
    return {std::nullopt, fmt::format("the prefix {} has no mask", text),
            fmt::format("write {}/32 for one host, or the length of its network", text)};
  }
  const std::string_view mask = text.substr(slash + 1);
  if (const auto dotted = parse_address(mask)) {
    const auto length = static_cast<unsigned>(std::countl_one(*dotted));
    if (*dotted != netmask(length)) {
      return {std::nullopt, fmt::format("the mask {} has a one after a zero", mask),
              "a mask is ones followed by zeros, such as 255.255.255.0, or a length such as /24"};
    }
    return {Prefix{*address, static_cast<uint8_t>(length)}, {}, {}};
  }
  const auto length = number(mask, 32);
  if (!length) {
    return {std::nullopt, fmt::format("the mask '/{}' is not a length from 0 to 32", mask),
            "write the number of leading one bits, such as /24"};
  }
  return {Prefix{*address, static_cast<uint8_t>(*length)}, {}, {}};
}

std::string to_text(uint32_t a) {
  return fmt::format("{}.{}.{}.{}", a >> 24, a >> 16 & 0xff, a >> 8 & 0xff, a & 0xff);
}
std::string to_text(const Prefix& p) { return fmt::format("{}/{}", to_text(p.address), p.length); }
std::string to_text(const Mac& m) {
  return fmt::format("{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}", m[0], m[1], m[2], m[3], m[4], m[5]);
}

}  // namespace weft::control
