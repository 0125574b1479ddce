// TCP inspection as published: van Rooij's window rules (SANE 2000) with the states of netfilter. An independent model
// for tests: nothing of it comes from the microcode.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace weft::test {

enum class Tcp : uint8_t {
  none,
  syn_sent,
  syn_received,
  established,
  fin_wait,
  close_wait,
  last_ack,
  time_wait,
  close,
  syn_sent2
};
inline constexpr unsigned kTcpStates = 10;

struct Segment {
  bool syn = false, fin = false, rst = false, psh = false, ack = false, urg = false;
  uint32_t sequence = 0, acknowledgment = 0;
  uint32_t length = 0;  ///< data
  uint16_t window = 0;
  std::optional<uint8_t> scale;        ///< a window scale option
  std::optional<uint32_t> sack_right;  ///< the right edge that reaches farthest
};

/// The six classes of the state table.
enum class SegmentClass : uint8_t { syn, syn_ack, fin, ack, rst, none };
SegmentClass class_of(const Segment& s);
/// Whether its flags may stand together: SYN, SYN+URG, SYN+ACK, RST, RST+ACK, FIN+ACK, FIN+ACK+URG, ACK, ACK+URG.
bool valid_flags(const Segment& s);

struct TcpSide {
  uint32_t begin = 0, syn_end = 0;  ///< after its SYN without and with the data that came in it
  uint32_t end = 0, maxend = 0, maxwin = 0;
  std::optional<uint32_t> maxack;
  bool heard = false;  ///< it has sent something
  bool offers_scale = false;
  uint8_t scale = 0;
};

struct TcpRules {
  bool strict = false;  ///< van Rooij's test a, and whatever fails a test is refused
};

struct TcpConnection {
  Tcp state = Tcp::none;
  std::array<TcpSide, 2> sides;  ///< 0: who opened it
};

enum class TcpVerdict : uint8_t {
  passed,   ///< and the connection follows
  ignored,  ///< passes, and nothing changes
  refused,
};

/// What the table says: the next state, none for "refuse"; `ignore` is set where the segment passes without any change.
struct TableEntry {
  bool refuse = false, ignore = false;
  Tcp next = Tcp::none;
};
TableEntry table_entry(SegmentClass what, unsigned direction, Tcp state);

/// A segment of the initiator (direction 0) or of the responder.
TcpVerdict inspect(TcpConnection& connection, const Segment& segment, unsigned direction, const TcpRules& rules);

}  // namespace weft::test
