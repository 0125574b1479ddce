#include "weft/packet/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <cstring>

namespace weft::packet {

std::optional<Mac> parse_mac(std::string_view text) {
  if (text.size() != 17) return {};
  Mac mac;
  for (size_t i = 0; i < 17; ++i) {
    if (i % 3 == 2) {
      if (text[i] != ':') return {};
      continue;
    }
    const char c = static_cast<char>(text[i] | 0x20);
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (!digit && (c < 'a' || c > 'f')) return {};
    const unsigned value = digit ? static_cast<unsigned>(text[i] - '0') : static_cast<unsigned>(c - 'a' + 10);
    mac.octets[i / 3] = static_cast<uint8_t>(mac.octets[i / 3] << 4 | value);
  }
  return mac;
}

std::optional<Ipv4Address> parse_ipv4(std::string_view text) {
  in_addr address{};
  if (inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) return {};
  return Ipv4Address{ntohl(address.s_addr)};
}

std::optional<Ipv6Address> parse_ipv6(std::string_view text) {
  Ipv6Address address;
  if (inet_pton(AF_INET6, std::string(text).c_str(), address.octets.data()) != 1) return {};
  return address;
}

std::string to_string(const Mac& mac) { return fmt::format("{:02x}", fmt::join(mac.octets, ":")); }

std::string to_string(const Ipv4Address& address) {
  const uint32_t v = address.value;
  return fmt::format("{}.{}.{}.{}", v >> 24, v >> 16 & 0xff, v >> 8 & 0xff, v & 0xff);
}

std::string to_string(const Ipv6Address& address) {
  std::array<unsigned, 8> groups{};
  for (size_t i = 0; i < 8; ++i) groups[i] = address.octets[2 * i] << 8U | address.octets[2 * i + 1];
  size_t best = 8;
  size_t best_length = 1;  // a single zero group is written out
  for (size_t i = 0; i < 8; ++i) {
    size_t length = 0;
    while (i + length < 8 && groups[i + length] == 0) ++length;
    if (length > best_length) {
      best = i;
      best_length = length;
    }
  }
  std::string text;
  for (size_t i = 0; i < 8; ++i) {
    if (i == best) {
      text += "::";
      i += best_length - 1;
      continue;
    }
    if (!text.empty() && text.back() != ':') text += ':';
    text += fmt::format("{:x}", groups[i]);
  }
  return text;
}

}  // namespace weft::packet
