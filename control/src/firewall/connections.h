// Connections as they stand in memory, and in words.
#pragma once

#include <span>
#include <string>

#include "weft/control/firewall/layout.h"

namespace weft::control::firewall {

struct Tuple {
  uint32_t source = 0, destination = 0;
  uint16_t source_port = 0, destination_port = 0;
  bool operator==(const Tuple&) const = default;
  auto operator<=>(const Tuple&) const = default;
  Tuple turned() const { return {destination, source, destination_port, source_port}; }
};

struct Connection {
  uint8_t protocol = 0;
  unsigned state = 0;  ///< TcpState; of other protocols 1 one way, 2 both ways
  uint32_t flags = 0;
  uint32_t expires = 0;
  Tuple original, reply;
  unsigned in_port = 0;
  uint32_t packets[2] = {0, 0};

  bool lives = false;
  bool used() const { return lives; }
  bool translated() const { return reply != original.turned(); }
};

/// From the longwords of an entry.
Connection connection_of(std::span<const uint32_t, kEntryLongwords> words);

std::string_view tcp_state_name(unsigned state);

/// "tcp ESTABLISHED 10.0.0.2:1111 > 198.51.100.7:80, 198.51.100.7:80 > 192.0.2.1:1111, 740 ticks left". Without `now`
/// no ticks.
std::string to_text(const Connection& connection, const uint32_t* now = nullptr);

}  // namespace weft::control::firewall
