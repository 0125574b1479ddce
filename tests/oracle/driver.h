// The part of the control processor: starts the MSF, sets up the rings, loads the two public programs, hands out
// receive buffers, collects frames, hands in transmit descriptors, collects completions. Facts:
// isa.md 10.1, 10.5, 10.6, 11.1.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "public_words.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"

namespace weft::test {

struct DriverFrame {
  unsigned channel = 0;
  std::vector<uint8_t> bytes;
  bool operator==(const DriverFrame&) const = default;
};

class Driver {
 public:
  /// The driver gives every ring entry at most this often, so that rings of 256 never show "full".
  static constexpr uint32_t kDescriptors = 192;
  static constexpr uint32_t kBufferBytes = 4096;

  Driver(const emulator::BoardDescription& board, const PublicProgram& receive, const PublicProgram& transmit);

  /// Runs so many engine cycles; the processor looks at its interrupts every `poll_cycles`. False when a program
  /// stopped.
  bool run(uint64_t cycles);
  void send(unsigned channel, std::vector<uint8_t> bytes) { to_send_.push_back({channel, std::move(bytes)}); }

  std::vector<DriverFrame> received;
  std::vector<DriverFrame> completed;  ///< sent frames whose descriptor came back, in that order
  bool collects = true;                ///< false: the processor is busy elsewhere and collects nothing
  uint64_t poll_cycles = 3000;
  emulator::StopReason stop;

  size_t waiting_to_send() const { return to_send_.size() + in_flight_.size(); }
  emulator::Machine& machine() { return machine_; }
  emulator::Units& units() { return units_; }
  emulator::HostPort& host() { return units_.host(); }
  unsigned ports() const { return static_cast<unsigned>(units_.port_count()); }

 private:
  void start_media();
  void start_ring(unsigned ring, uint32_t base);
  void load(unsigned engine, const PublicProgram& program);
  void start_contexts(unsigned engine);
  void service();
  void collect_received();
  void collect_completed();
  void submit();

  emulator::BoardDescription board_;
  emulator::Machine machine_;
  emulator::Units units_;
  std::deque<DriverFrame> to_send_;
  std::map<uint32_t, DriverFrame> in_flight_;  ///< by descriptor address
  std::deque<uint32_t> free_descriptors_;
};

}  // namespace weft::test
