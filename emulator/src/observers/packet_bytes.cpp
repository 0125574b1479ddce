#include "weft/emulator/observers/packet_bytes.h"

#include <algorithm>

namespace weft::emulator {

// ---- sources by address

void ByteSources::set(const Run& run) {
  if (run.length == 0) return;
  const uint64_t end = run.at + run.length;
  auto at = runs_.upper_bound(run.at);
  if (at != runs_.begin()) --at;
  while (at != runs_.end() && at->second.at < end) {
    const Run old = at->second;
    const uint64_t old_end = old.at + old.length;
    if (old_end <= run.at) {
      ++at;
      continue;
    }
    at = runs_.erase(at);
    const bool known = old.source != PacketPiece::kUnknown;
    if (old.at < run.at)
      runs_[old.at] = {old.at, static_cast<uint32_t>(run.at - old.at), old.packet, old.source, old.from};
    if (old_end > end) {
      const auto gone = static_cast<uint32_t>(end - old.at);
      at = runs_
               .insert_or_assign(end, Run{end, static_cast<uint32_t>(old_end - end), old.packet, old.source,
                                          known ? old.from + gone : 0})
               .first;
    }
  }
  // What goes on where the run before it ends is the same run.
  if (auto before = runs_.lower_bound(run.at); before != runs_.begin()) {
    Run& last = (--before)->second;
    if (last.at + last.length == run.at && last.packet == run.packet && last.source == run.source &&
        run.source != PacketPiece::kUnknown && last.from + last.length == run.from) {
      last.length += run.length;
      return;
    }
  }
  runs_[run.at] = run;
}

std::vector<ByteSources::Run> ByteSources::look(uint64_t at, uint32_t length) const {
  std::vector<Run> out;
  const uint64_t end = at + length;
  auto next = runs_.upper_bound(at);
  if (next != runs_.begin()) --next;
  while (at < end) {
    while (next != runs_.end() && next->second.at + next->second.length <= at) ++next;
    if (next == runs_.end() || next->second.at >= end) {
      out.push_back({at, static_cast<uint32_t>(end - at)});
      break;
    }
    const Run& run = next->second;
    if (run.at > at) {
      out.push_back({at, static_cast<uint32_t>(run.at - at)});
      at = run.at;
    }
    const auto skipped = static_cast<uint32_t>(at - run.at);
    const auto some = static_cast<uint32_t>(std::min<uint64_t>(end - at, run.length - skipped));
    out.push_back({at, some, run.packet, run.source, run.source != PacketPiece::kUnknown ? run.from + skipped : 0});
    at += some;
  }
  return out;
}

// ---- frames

ByteOrigin origin_of(const PacketBytes& bytes, uint32_t offset) {
  for (const PacketPiece& piece : bytes.sent) {
    if (offset < piece.length) return {piece.source, piece.from + offset};
    offset -= piece.length;
  }
  return {};
}

FrameState received_state(const std::vector<uint8_t>& received) {
  return {received, std::vector<int32_t>(received.size(), PacketPiece::kReceived)};
}

FrameState sent_state(const std::vector<uint8_t>& received, const PacketBytes& bytes) {
  FrameState out;
  const auto byte_of = [](const std::vector<uint8_t>& from, size_t at) {
    return at < from.size() ? from[at] : uint8_t{0};
  };
  for (const PacketPiece& piece : bytes.sent) {
    for (uint32_t i = 0; i < piece.length; ++i) {
      uint8_t byte = 0;
      if (piece.source == PacketPiece::kReceived)
        byte = byte_of(received, piece.from + i);
      else if (piece.source == PacketPiece::kUnknown)
        byte = byte_of(bytes.written, piece.from + i);
      else
        byte = byte_of(bytes.written, bytes.writes.at(static_cast<size_t>(piece.source)).first + piece.from + i);
      out.bytes.push_back(byte);
      out.source.push_back(piece.source);
    }
  }
  return out;
}

std::vector<uint8_t> sent_frame(const std::vector<uint8_t>& received, const PacketBytes& bytes) {
  return sent_state(received, bytes).bytes;
}

std::optional<int32_t> start_in_buffer(const PacketBytes& bytes) {
  int32_t before = 0;
  for (const PacketPiece& piece : bytes.sent) {
    if (piece.source == PacketPiece::kReceived) return static_cast<int32_t>(piece.from) - before;
    if (piece.source >= 0) {
      const PacketWrite& write = bytes.writes.at(static_cast<size_t>(piece.source));
      if (write.kind == PacketWrite::Kind::buffer) return write.offset + static_cast<int32_t>(piece.from) - before;
    }
    before += static_cast<int32_t>(piece.length);
  }
  return std::nullopt;
}

FrameState buffer_state(const std::vector<uint8_t>& received, const PacketBytes& bytes, size_t count) {
  constexpr int32_t kHeader = 14;  // Ethernet
  count = std::min(count, bytes.writes.size());
  int32_t first = 0, end = static_cast<int32_t>(received.size());
  for (size_t i = 0; i < count; ++i)
    if (bytes.writes[i].kind == PacketWrite::Kind::buffer) first = std::min(first, bytes.writes[i].offset);
  FrameState out;
  out.bytes.resize(static_cast<size_t>(end - first));
  out.source.assign(out.bytes.size(), PacketPiece::kUnknown);
  std::copy(received.begin(), received.end(), out.bytes.begin() - first);
  std::fill(out.source.begin() - first, out.source.end(), PacketPiece::kReceived);
  for (size_t i = 0; i < count; ++i) {
    const PacketWrite& write = bytes.writes[i];
    if (write.kind != PacketWrite::Kind::buffer) continue;
    for (uint32_t k = 0; k < write.length; ++k) {
      const int64_t at = int64_t{write.offset} + k - first;
      if (at < 0 || at >= static_cast<int64_t>(out.bytes.size())) continue;  // what stands after the frame is not of it
      out.bytes[static_cast<size_t>(at)] = bytes.written[write.first + k];
      out.source[static_cast<size_t>(at)] = static_cast<int32_t>(i);
    }
  }
  int32_t start = start_in_buffer(bytes).value_or(0);
  const auto written = [&](int32_t offset) {
    const int64_t at = int64_t{offset} - first;
    return at >= 0 && at < static_cast<int64_t>(out.source.size()) && out.source[static_cast<size_t>(at)] >= 0;
  };
  for (int32_t i = 0; start != 0 && i < kHeader; ++i)
    if (!written(start + i)) start = 0;
  // Without a frame that left, what is written before the first byte is shown with it.
  if (bytes.sent.empty()) start = first;
  const auto gone = start - first;
  if (gone > 0) {
    out.bytes.erase(out.bytes.begin(), out.bytes.begin() + gone);
    out.source.erase(out.source.begin(), out.source.begin() + gone);
  }
  return out;
}

}  // namespace weft::emulator
