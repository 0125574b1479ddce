// Frames that left by a port, kept in blocks that snapshots share.
#pragma once

#include <memory>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/media.h"

namespace weft::workbench {

class CaptureSink : public emulator::FrameSink {
 public:
  struct Sent {
    std::vector<uint8_t> bytes;
    emulator::Tick tick;
    WEFT_FIELDS(Sent, bytes, tick)
  };
  using Block = std::vector<Sent>;

 private:
  static constexpr size_t kBlock = 256;

 public:
  struct State {
    std::vector<std::shared_ptr<const Block>> full;  ///< kBlock frames each
    std::shared_ptr<const Block> rest;
    WEFT_FIELDS(State, full, rest)
    /// Blocks are there and have as many frames as they should; a file may say anything.
    bool is_whole() const;
  };

  void take(const std::vector<uint8_t>& bytes, unsigned port, emulator::Tick sent) override;
  void rewind(uint64_t taken) override;
  uint64_t frames() const { return full_.size() * kBlock + rest_.size(); }

  /// The frame with this number, from 0.
  const std::vector<uint8_t>& bytes(uint64_t number) const { return at(number).bytes; }
  emulator::Tick tick(uint64_t number) const { return at(number).tick; }

  State save() const;
  void restore(const State& state);
  /// A capture whose time stamps count from tick 0.
  Result<bool> write_pcap(const std::string& path, uint64_t ticks_per_second) const;

 private:
  const Sent& at(uint64_t number) const {
    const uint64_t block = number / kBlock;
    return block < full_.size() ? (*full_[block])[number % kBlock] : rest_[number % kBlock];
  }
  std::vector<std::shared_ptr<const Block>> full_;
  Block rest_;
};

}  // namespace weft::workbench
