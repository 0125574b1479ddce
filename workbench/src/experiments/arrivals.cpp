#include "experiments/arrivals.h"

#include <algorithm>

namespace weft::workbench {

namespace {

constexpr size_t kTag = 4;

/// The network-layer source address of a frame, in as many octets as its family has; empty for others.
std::string source_of(packet::ByteView frame) {
  size_t at = 12;
  const auto type = [&] { return frame.size() < at + 2 ? 0u : unsigned{frame[at]} << 8 | frame[at + 1]; };
  if (type() == 0x8100) at += kTag;
  bool six = type() == 0x86dd;
  if (type() == 0x8847) {
    for (at += 4; at < frame.size() && (frame[at] & 1) == 0;) at += 4;  // the bottom of the stack
    if (frame.size() < at + 3) return {};
    six = frame[at + 2] >> 4 == 6;
  } else if (type() != 0x0800 && !six) {
    return {};
  }
  const size_t begin = at + 2 + (six ? 8 : 12), count = six ? 16 : 4;
  if (frame.size() < begin + count) return {};
  return {frame.begin() + static_cast<ptrdiff_t>(begin), frame.begin() + static_cast<ptrdiff_t>(begin + count)};
}

}  // namespace

bool Arrivals::fill(const std::vector<Port>& ports) {
  entries_.resize(ports.size());
  for (size_t p = 0; p < ports.size(); ++p) {
    auto generator = packet::TrafficGenerator::create(ports[p].spec);
    if (!generator) return false;
    entries_[p].resize(generator->flows().size());
    const uint64_t per_microsecond = ports[p].ticks_per_second / 1'000'000;
    const packet::SpecialPackets& special = ports[p].spec.special;
    const uint64_t permille = special.kind == packet::SpecialPackets::Kind::none ? 0 : special.permille;
    for (uint64_t n = 0; auto packet = generator->next(); ++n) {
      const auto stamp = packet::read_stamp(packet->bytes);
      if (!stamp) return false;
      const auto [known, fresh] = ports_.try_emplace(source_of(packet->bytes), p);
      if (known->second != p) return false;
      const size_t octets = packet->bytes.size() + packet::kCheckSequence;
      // The generator's time is that of the first bit of the preamble (8 octets).
      const emulator::Tick wire = (octets + 8) * 8 * ports[p].ticks_per_second / ports[p].spec.bits_per_second;
      const bool is_special = (n + 1) * permille / 1000 != n * permille / 1000;
      entries_[p][stamp->flow].push_back({packet->nanoseconds * per_microsecond / 1000 + wire, is_special});
      last_ = std::max(last_, entries_[p][stamp->flow].back().last_bit);
      special_ += is_special;
      octets_ += octets;
      ++frames_;
    }
  }
  return true;
}

std::optional<Arrivals::Seen> Arrivals::find(packet::ByteView frame) const {
  const auto port = ports_.find(source_of(frame));
  const auto stamp = packet::read_stamp(frame);
  if (port == ports_.end() || !stamp) return std::nullopt;
  const auto& flows = entries_[port->second];
  if (stamp->flow >= flows.size() || stamp->sequence >= flows[stamp->flow].size()) return std::nullopt;
  const Entry& entry = flows[stamp->flow][stamp->sequence];
  return Seen{port->second, entry.last_bit, entry.special, stamp->flow, stamp->sequence};
}

}  // namespace weft::workbench
