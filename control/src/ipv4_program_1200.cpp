// The slow path of the IXP1200 forwarder. The chip has no rings: a queue is a record of two counts and a ring of slots
// in SRAM, which the program reads and writes as the microengines do. Only this program takes from the core queue, and
// only it puts on the return queue, so it needs no lock.
#include <algorithm>
#include <array>
#include <utility>

#include "ipv4_1200.h"
#include "weft/control/layout_1200.h"

namespace weft::control::ixp1200 {

namespace {

constexpr uint32_t kHeaderAt = 12;         // longwords from here hold an IPv4 header, which begins at byte 14
constexpr uint32_t kHeaderLongwords = 16;  // bytes 12 to 75: 14 and the longest header
constexpr uint64_t kRetryCycles = 1000;    // until the return queue is looked at again when it was full
constexpr size_t kMessageLongwords = 4;

static_assert(kReturnQueue == kCoreQueue + 1, "both records are read at once");

bool header_checksum_right(const std::vector<uint32_t>& longwords, uint32_t frame_bytes) {
  const auto half = [&](uint32_t offset) {  // from the start of the header
    const uint32_t at = offset + 14 - kHeaderAt;
    const uint32_t value = at / 4 < longwords.size() ? longwords[at / 4] : 0;
    return at & 2 ? value & 0xffff : value >> 16;
  };
  const uint32_t header = (half(0) >> 8 & 0xf) * 4;
  if (14 + header > frame_bytes) return false;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < header; i += 2) sum += half(i);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return sum == 0xffff;
}

struct State {
  std::array<std::array<uint64_t, kReasons>, kPorts> taken{};
  std::array<uint64_t, kPorts> bad_checksum{};
  uint64_t packets = 0;
  enum class Waits : uint8_t { nothing, counts, message, header } waits = Waits::nothing;
  uint32_t core_taken = 0, returned = 0;  ///< counts of this side of the queues
  std::array<uint32_t, kMessageLongwords> message{};
};

class Ipv4Program final : public ControlProgram {
 public:
  explicit Ipv4Program(const ControlOptions& options)
      : per_packet_(options.cycles_per_packet), per_interrupt_(options.cycles_per_interrupt) {}

  std::unique_ptr<ControlProgram> clone() const override { return std::make_unique<Ipv4Program>(*this); }
  std::string name() const override { return "ipv4-1200"; }

  Reaction on(const Event& event) override {
    switch (event.kind) {
      case Event::Kind::interrupt: return ask_counts({per_interrupt_, {}, false});
      case Event::Kind::timer: return ask_counts({});
      case Event::Kind::command: return {};
      case Event::Kind::results: break;
    }
    switch (std::exchange(state_.waits, State::Waits::nothing)) {
      case State::Waits::counts: return ask_message(event.results);
      case State::Waits::message: return take_message(event.results);
      case State::Waits::header: return packet_done(header_checksum_right(event.results, state_.message[1] & 0xffff));
      case State::Waits::nothing: break;
    }
    return {};
  }

  Result<bool> check_command(const std::string& command) const override {
    return fail("control-command", {}, "the program ipv4-1200 knows no command '" + command + "'",
                "write its routes into the configuration");
  }

  std::vector<ControlCount> counts() const override {
    std::vector<ControlCount> list;
    for (const ReasonName& r : kReasonNames)
      for (unsigned port = 0; port < kPorts; ++port)
        if (const uint64_t n = state_.taken[port][static_cast<size_t>(r.reason)])
          list.push_back({std::string(r.name), port, false, n});
    for (unsigned port = 0; port < kPorts; ++port)
      if (state_.bad_checksum[port]) list.push_back({"options_checksum", port, true, state_.bad_checksum[port]});
    return list;
  }
  uint64_t packets() const override { return state_.packets; }

 private:
  Reaction ask_counts(Reaction out) {
    out.accesses.push_back(
        {Access::Kind::read, image::Region::sram0, kQueues + kCoreQueue * kQueueBytes, 2 * kQueueBytes / 4, {}});
    state_.waits = State::Waits::counts;
    return out;
  }

  /// Both records: {put, taken, -, -} of the core queue, then of the return queue.
  Reaction ask_message(const std::vector<uint32_t>& counts) {
    if (counts.size() < 6 || counts[0] == state_.core_taken) return {};
    if (state_.returned - counts[5] >= kReturnSlots) {
      Reaction later;
      later.timer_cycles = kRetryCycles;
      return later;
    }
    state_.waits = State::Waits::message;
    const uint32_t slot = state_.core_taken % kCoreSlots;
    return {
        0,
        {{Access::Kind::read, image::Region::sram0, kCoreRing + slot * kMessageLongwords * 4, kMessageLongwords, {}}},
        false};
  }

  Reaction take_message(const std::vector<uint32_t>& message) {
    if (message.size() < kMessageLongwords) return {};
    std::copy_n(message.begin(), kMessageLongwords, state_.message.begin());
    if (message[2] % kReasons != static_cast<uint32_t>(Reason::options)) return packet_done(true);
    state_.waits = State::Waits::header;
    return {
        0, {{Access::Kind::read, image::Region::dram, frame_of(message[0]) + kHeaderAt, kHeaderLongwords, {}}}, false};
  }

  /// The buffer is on the ring before the count says so, and the slot of the message is given up last.
  Reaction packet_done(bool good) {
    const unsigned port = (state_.message[1] >> 16 & 0xf) % kPorts;
    if (good)
      ++state_.taken[port][state_.message[2] % kReasons];
    else
      ++state_.bad_checksum[port];
    ++state_.packets;
    const auto write = [](uint32_t address, uint32_t value) {
      return Access{Access::Kind::write, image::Region::sram0, address, 0, {value}};
    };
    Reaction out{per_packet_, {}, false};
    out.accesses.push_back(write(kReturnRing + state_.returned % kReturnSlots * 4, state_.message[0]));
    out.accesses.push_back(write(kQueues + kReturnQueue * kQueueBytes, ++state_.returned));
    out.accesses.push_back(write(kQueues + kCoreQueue * kQueueBytes + 4, ++state_.core_taken));
    return ask_counts(std::move(out));
  }

  State state_;
  uint64_t per_packet_, per_interrupt_;
};

}  // namespace

std::unique_ptr<ControlProgram> make_ipv4_program(const ControlOptions& options) {
  return std::make_unique<Ipv4Program>(options);
}

}  // namespace weft::control::ixp1200
