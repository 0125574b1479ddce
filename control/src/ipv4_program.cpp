// Empties the exception ring: counts each packet by reason and port, verifies the header checksum of packets with
// options (the engines hand these over unverified), and returns the buffer.
#include <array>

#include "weft/control/ipv4.h"
#include "weft/control/layout.h"

namespace weft::control {

namespace {

constexpr unsigned kBatch = 8;  // packets per call of the handler: bounds how long one call occupies the processor

struct State {
  std::array<std::array<uint64_t, kReasons>, kPorts> taken{};
  std::array<uint64_t, kPorts> bad_checksum{};
  uint64_t packets = 0;
};

/// One's-complement sum over an IPv4 header that starts at byte 14 of a buffer.
bool header_checksum_right(Host& host, uint32_t buffer, uint32_t frame_bytes) {
  auto half = [&](uint32_t offset) {
    const uint32_t word = host.read(image::Region::dram, (buffer + offset) & ~3u);
    return offset & 2 ? word & 0xffff : word >> 16;
  };
  const uint32_t header = (half(14) >> 8 & 0xf) * 4;
  if (14 + header > frame_bytes) return false;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < header; i += 2) sum += half(14 + i);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return sum == 0xffff;
}

class Ipv4Program : public ControlProgram {
 public:
  explicit Ipv4Program(const ControlOptions& options)
      : per_packet_(options.cycles_per_packet), per_interrupt_(options.cycles_per_interrupt) {}

  std::unique_ptr<ControlProgram> clone() const override { return std::make_unique<Ipv4Program>(*this); }
  std::string name() const override { return "ipv4"; }

  Handled on_interrupt(Host& host) override {
    Handled handled{per_interrupt_, false};
    for (unsigned n = 0; n < kBatch; ++n) {
      const uint32_t buffer = host.ring_get(kCoreRing);
      if (buffer == 0) return handled;
      const uint32_t where = host.ring_get(kCoreRing);
      const uint32_t reason = host.ring_get(kCoreRing) % kReasons;
      host.ring_get(kCoreRing);
      const unsigned port = (where >> 16 & 0xf) % kPorts;
      if (reason == static_cast<uint32_t>(Reason::options) && !header_checksum_right(host, buffer, where & 0xffff)) {
        ++state_.bad_checksum[port];
      } else {
        ++state_.taken[port][reason];
      }
      ++state_.packets;
      host.ring_put(kFreeRing, buffer);
      handled.cycles += per_packet_;
    }
    handled.more = true;
    return handled;
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
  State state_;
  uint64_t per_packet_, per_interrupt_;
};

}  // namespace

std::unique_ptr<ControlProgram> make_ipv4_program(const ControlOptions& options) {
  return std::make_unique<Ipv4Program>(options);
}

}  // namespace weft::control
