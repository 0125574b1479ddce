// Frames from lists and captures, and captures of what was sent.
#include <algorithm>

#include "weft/emulator/media.h"
#include "weft/packet/pcap.h"

namespace weft::emulator {

std::optional<Frame> ListSource::next() {
  if (frames_.empty() || given_ >= frames_.size() * repeat_) return std::nullopt;
  return frames_[given_++ % frames_.size()];
}

uint64_t ListSource::left() const { return frames_.size() * repeat_ - std::min(given_, frames_.size() * repeat_); }

namespace {

// ticks = nanoseconds * ticks_per_second / 10^9 without overflow.
Tick to_ticks(uint64_t nanoseconds, uint64_t ticks_per_second) {
  constexpr uint64_t kBillion = 1'000'000'000;
  return nanoseconds / kBillion * ticks_per_second +
         nanoseconds % kBillion * (ticks_per_second / 1000) / (kBillion / 1000);
}

}  // namespace

Result<std::unique_ptr<FrameSource>> pcap_source(const std::string& path, const PcapSourceOptions& options) {
  auto packets = packet::read_pcap(path);
  if (!packets) return tl::unexpected(std::move(packets.error()));
  std::vector<Frame> frames;
  frames.reserve(packets->size());
  const uint64_t first = packets->empty() ? 0 : packets->front().nanoseconds;
  for (packet::CapturedPacket& captured : *packets) {
    Frame& frame = frames.emplace_back();
    frame.bytes = std::move(captured.bytes);
    frame.earliest = options.start;
    // A capture whose clock ran backwards: such a frame follows its predecessor at once.
    if (!options.line_rate && captured.nanoseconds > first)
      frame.earliest += to_ticks(captured.nanoseconds - first, options.ticks_per_second);
  }
  return std::make_unique<ListSource>(std::move(frames), options.line_rate ? options.repeat : 1);
}

Result<bool> RecordingSink::write_pcap(const std::string& path, uint64_t ticks_per_second) const {
  auto writer = packet::PcapWriter::create(path);
  if (!writer) return tl::unexpected(std::move(writer.error()));
  for (const Sent& sent : frames_) {
    const uint64_t seconds = sent.tick / ticks_per_second;
    const uint64_t rest = sent.tick % ticks_per_second * 1'000'000 / (ticks_per_second / 1000);
    writer->write(seconds * 1'000'000'000 + rest, sent.bytes);
  }
  return writer->commit();
}

}  // namespace weft::emulator
