#include "session/capture_sink.h"

#include <algorithm>

#include "weft/packet/pcap.h"

namespace weft::workbench {

bool CaptureSink::State::is_whole() const {
  return rest != nullptr && rest->size() < kBlock &&
         std::ranges::all_of(full, [](const auto& block) { return block != nullptr && block->size() == kBlock; });
}

void CaptureSink::take(const std::vector<uint8_t>& bytes, unsigned, emulator::Tick sent) {
  rest_.push_back({bytes, sent});
  if (rest_.size() < kBlock) return;
  full_.push_back(std::make_shared<const Block>(std::move(rest_)));
  rest_ = {};
}

void CaptureSink::rewind(uint64_t taken) {
  if (taken >= frames()) return;
  if (taken / kBlock < full_.size()) {
    rest_ = *full_[taken / kBlock];
    full_.resize(taken / kBlock);
  }
  rest_.resize(taken % kBlock);
}

CaptureSink::State CaptureSink::save() const { return {full_, std::make_shared<const Block>(rest_)}; }

void CaptureSink::restore(const State& state) {
  full_ = state.full;
  rest_ = *state.rest;
}

Result<bool> CaptureSink::write_pcap(const std::string& path, uint64_t ticks_per_second) const {
  auto writer = packet::PcapWriter::create(path);
  if (!writer) return tl::unexpected(std::move(writer.error()));
  const auto write = [&](const Block& block) {
    for (const Sent& sent : block) {
      const uint64_t seconds = sent.tick / ticks_per_second;
      const uint64_t rest = sent.tick % ticks_per_second * 1'000'000 / (ticks_per_second / 1000);
      writer->write(seconds * 1'000'000'000 + rest, sent.bytes);
    }
  };
  for (const auto& block : full_) write(*block);
  write(rest_);
  return writer->commit();
}

}  // namespace weft::workbench
