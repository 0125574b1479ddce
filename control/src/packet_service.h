// What the control program does with the messages of the core ring: reads each frame, answers it, sends what leaves,
// and gives the buffer back. Plain data between two events, so that a program that holds it can be copied.
//
// One message at a time: message, frame, then for each frame that leaves room and buffer, its octets, its message. The
// packet's own buffer carries the first frame; further ones take buffers from the free list. What is not sent goes back
// to the free list before the next message is asked for. The one thing that is kept are later fragments whose first one
// has not come yet (RFC 4787 REQ-14): they go back to the engines after a while, and again after as long as they have
// waited, until the engines know the first one or their time is over.
#pragma once

#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "answer.h"
#include "weft/control/control.h"

namespace weft::control {

struct PacketServiceOptions {
  uint64_t cycles_per_packet = 0;
  uint32_t buffer_bytes = kBufferBytes;
  bool answers = true;  ///< false: packets are counted by their reason, and that is all
  TokenBucket errors;
  /// A firewall's: packets do not pass it here, and longword 3 of a message is the destination after its translation,
  /// or 0.
  bool guarded = false;
  uint32_t transmit_longwords = kMessageLongwords;  ///< of a message for the transmitters; what is too much is 0
  uint64_t hold_nanoseconds = 0;  ///< how long a later fragment waits for its first one; 0: not at all
};

inline constexpr size_t kHeldMost = 64;               ///< fragments that wait at once, a buffer each
inline constexpr uint64_t kHeldFirst = 50'000;        ///< nanoseconds until the first try
inline constexpr uint64_t kHeldLast = 1'000'000'000;  ///< most between two of them
inline constexpr uint64_t kHeldBack = 10'000'000;     ///< in which what was tried in vain is surely back
/// In longword 1 of a message to the engines: this is the last try, after which they drop it.
inline constexpr uint32_t kLastTry = 1u << 31;

class PacketService {
 public:
  PacketService() = default;
  explicit PacketService(const PacketServiceOptions& options) : options_(options) {
    answer_state_.errors = options.errors;
  }

  /// Adds to a reaction the question for the next message.
  void ask_for_message(Reaction& out);
  /// Whether the next results are for the service.
  bool waits() const { return waits_ != Waits::nothing; }
  Reaction results(const Event& event, const RouterView& router);
  /// When fragments that wait want to be tried again, in nanoseconds since cycle 0; none: nothing waits.
  std::optional<uint64_t> due() const;
  Reaction timer();
  /// Stations learnt since the last call.
  std::vector<LearntNeighbour> take_learnt() { return std::exchange(learnt_, {}); }

  std::vector<ControlCount> counts() const;
  uint64_t packets() const { return packets_; }
  /// Fragments that wait.
  uint64_t kept() const { return held_.size(); }
  /// Their buffers, and the one in hand.
  std::vector<uint32_t> kept_buffers() const;

 private:
  enum class Waits : uint8_t { nothing, message, frame, room, written, retry };
  /// Why a frame that should leave does not.
  enum class Lost : uint8_t { sent, no_buffer, transmit_ring_full, too_long };

  Reaction message(const std::vector<uint32_t>& values);
  Reaction frame(const Event& event, const RouterView& router);
  Reaction room(const std::vector<uint32_t>& values);
  Reaction written();
  Reaction hold(const Event& event, const packet::Bytes& bytes);
  void forget_early(uint64_t now);
  Reaction retry(const Event& event);
  void next_frame(Reaction& out);
  void count(std::string_view outcome, bool dropped);
  unsigned port() const { return (message_[1] >> 16 & 0xf) % kPorts; }

  PacketServiceOptions options_;
  AnswerState answer_state_;
  Waits waits_ = Waits::nothing;
  std::array<uint32_t, kCoreMessageLongwords> message_{};
  uint32_t spare_ = 0;  ///< a buffer in hand, its address; 0: none
  std::deque<OutgoingFrame> leaving_;
  std::vector<LearntNeighbour> learnt_;
  uint64_t packets_ = 0;
  struct Datagram {
    uint32_t source = 0, destination = 0, identity = 0;  ///< identification << 16 | protocol
    auto operator<=>(const Datagram&) const = default;
  };
  struct Held {
    std::array<uint32_t, kMessageLongwords> message{};  ///< frame, port << 16 | bytes
    uint64_t again = 0;
    Datagram of;
  };
  struct Early {
    uint64_t since = 0;  ///< when its first fragment came
    uint64_t seen = 0;   ///< when one of them came or was tried, the last time
  };
  std::deque<Held> held_;
  std::map<Datagram, Early> early_;  ///< of which later fragments came first; as long as some are held or being tried
  struct Key {
    uint32_t reason;
    std::string_view outcome;  ///< of a table in the program text
    unsigned port;
    auto operator<=>(const Key&) const = default;
  };
  struct Tally {
    uint64_t packets = 0;
    bool dropped = false;
  };
  std::map<Key, Tally> counts_;
  std::map<std::pair<unsigned, Lost>, uint64_t> frames_;  ///< by the port that they leave by
};

}  // namespace weft::control
