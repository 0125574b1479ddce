// Empties the exception ring: counts each packet by reason and port, verifies the header checksum of packets with
// options (the engines hand these over unverified), and returns the buffer. Commands go to the tables.
#include <array>

#include <fmt/format.h>

#include "weft/control/ipv4.h"
#include "weft/control/layout.h"

namespace weft::control {

namespace {

constexpr uint32_t kHeaderAt = 12;         // longwords from here hold an IPv4 header, which begins at byte 14
constexpr uint32_t kHeaderLongwords = 16;  // bytes 12 to 75: 14 and the longest header

struct State {
  std::array<std::array<uint64_t, kReasons>, kPorts> taken{};
  std::array<uint64_t, kPorts> bad_checksum{};
  uint64_t packets = 0;
  enum class Waits : uint8_t { nothing, message, header } waits = Waits::nothing;
  std::array<uint32_t, kCoreMessageLongwords> message{};
};

/// One's-complement sum over an IPv4 header whose bytes -2 to 61 are given.
bool header_checksum_right(const std::vector<uint32_t>& longwords, uint32_t frame_bytes) {
  const auto half = [&](uint32_t offset) {  // from the begin of the header
    const uint32_t at = offset + 14 - kHeaderAt;
    const uint32_t word = at / 4 < longwords.size() ? longwords[at / 4] : 0;
    return at & 2 ? word & 0xffff : word >> 16;
  };
  const uint32_t header = (half(0) >> 8 & 0xf) * 4;
  if (14 + header > frame_bytes) return false;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < header; i += 2) sum += half(i);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return sum == 0xffff;
}

class Ipv4Program : public ControlProgram {
 public:
  Ipv4Program(const ControlOptions& options, uint32_t buffer_bytes, TableCommands tables)
      : buffer_bytes_(buffer_bytes), per_packet_(options.cycles_per_packet), per_interrupt_(options.cycles_per_interrupt),
        tables_(std::move(tables)) {}

  std::unique_ptr<ControlProgram> clone() const override { return std::make_unique<Ipv4Program>(*this); }
  std::string name() const override { return "ipv4"; }

  Reaction on(const Event& event) override {
    switch (event.kind) {
      case Event::Kind::interrupt: {
        Reaction out{per_interrupt_, {}, false};
        ask_for_message(out);
        return out;
      }
      case Event::Kind::command: return tables_.command(event.command);
      case Event::Kind::timer: return tables_.timer();
      case Event::Kind::results: break;
    }
    if (tables_.busy()) return tables_.results(event.results);
    const auto waited = state_.waits;
    state_.waits = State::Waits::nothing;
    if (waited == State::Waits::message) return take_message(event.results);
    if (waited == State::Waits::header) return packet_done(header_checksum_right(event.results, state_.message[1] & 0xffff));
    return {};
  }

  Result<bool> check_command(const std::string& command) const override {
    return tables_.check(command);
  }

  std::vector<ControlCount> counts() const override {
    std::vector<ControlCount> list;
    for (const ReasonName& r : kReasonNames) {
      for (unsigned port = 0; port < kPorts; ++port) {
        const uint64_t n = state_.taken[port][static_cast<size_t>(r.reason)];
        if (n) list.push_back({std::string(r.name), port, false, n});
      }
    }
    for (unsigned port = 0; port < kPorts; ++port) {
      if (state_.bad_checksum[port]) list.push_back({"options_checksum", port, true, state_.bad_checksum[port]});
    }
    return list;
  }
  uint64_t packets() const override { return state_.packets; }

 private:
  void ask_for_message(Reaction& out) {
    out.accesses.push_back({Access::Kind::ring_get, image::Region::scratch, kCoreRing, kCoreMessageLongwords, {}});
    state_.waits = State::Waits::message;
  }

  Reaction take_message(const std::vector<uint32_t>& message) {
    if (message.size() < kCoreMessageLongwords || message[0] == 0) return {};  // the ring is empty
    std::copy_n(message.begin(), kCoreMessageLongwords, state_.message.begin());
    if (message[2] % kReasons != static_cast<uint32_t>(Reason::options)) return packet_done(true);
    state_.waits = State::Waits::header;
    return {0, {{Access::Kind::read, image::Region::dram, message[0] + kHeaderAt, kHeaderLongwords, {}}}, false};
  }

  Reaction packet_done(bool good) {
    const unsigned port = (state_.message[1] >> 16 & 0xf) % kPorts;
    if (good) ++state_.taken[port][state_.message[2] % kReasons];
    else ++state_.bad_checksum[port];
    ++state_.packets;
    Reaction out{per_packet_, {{Access::Kind::ring_put, image::Region::scratch, kFreeRing, 0, {buffer_of(state_.message[0], buffer_bytes_)}}}, false};
    ask_for_message(out);
    return out;
  }

  State state_;
  uint32_t buffer_bytes_;
  uint64_t per_packet_, per_interrupt_;
  TableCommands tables_;
};

}  // namespace

std::unique_ptr<ControlProgram> make_ipv4_program(const ControlOptions& options, uint32_t buffer_bytes, TableCommands tables) {
  return std::make_unique<Ipv4Program>(options, buffer_bytes, std::move(tables));
}

}  // namespace weft::control
