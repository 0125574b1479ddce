#include "experiments/arrivals.h"

#include <algorithm>

namespace weft::workbench {

Result<bool> Arrivals::fill(const std::vector<Port>& ports) {
  entries_.resize(ports.size());
  for (size_t p = 0; p < ports.size(); ++p) {
    auto generator = packet::TrafficGenerator::create(ports[p].spec);
    if (!generator) return tl::unexpected(std::move(generator.error()));
    const uint32_t first = ports[p].spec.first_flow;
    ports_.emplace(first, p);
    entries_[p].resize(generator->flows().size());
    const uint64_t per_microsecond = ports[p].ticks_per_second / 1'000'000;
    const packet::SpecialPackets& special = ports[p].spec.special;
    const uint64_t permille = special.kind == packet::SpecialPackets::Kind::none ? 0 : special.permille;
    for (uint64_t n = 0; auto packet = generator->next(); ++n) {
      // Whatever is generated has a stamp.
      auto& flow = entries_[p][packet::read_stamp(packet->bytes)->flow - first];
      const packet::WireOverhead& on_wire = ports[p].spec.wire;
      const size_t octets = packet->bytes.size() + on_wire.check_sequence;
      // The generator's time is that of the first bit of the preamble.
      const emulator::Tick wire =
          (octets + on_wire.preamble) * 8 * ports[p].ticks_per_second / ports[p].spec.bits_per_second;
      const bool is_special = (n + 1) * permille / 1000 != n * permille / 1000;
      flow.push_back({packet->nanoseconds * per_microsecond / 1000 + wire, is_special});
      last_ = std::max(last_, flow.back().last_bit);
      special_ += is_special;
      octets_ += octets;
      wire_octets_ += packet->bytes.size() + on_wire.sum();
      ++frames_;
    }
  }
  return true;
}

std::optional<Arrivals::Seen> Arrivals::find(packet::ByteView frame) const {
  const auto stamp = packet::read_stamp(frame);
  if (!stamp) return std::nullopt;
  const auto behind = ports_.upper_bound(stamp->flow);
  if (behind == ports_.begin()) return std::nullopt;
  const auto [first, port] = *std::prev(behind);
  const auto& flows = entries_[port];
  const uint32_t flow = stamp->flow - first;
  if (flow >= flows.size() || stamp->sequence >= flows[flow].size()) return std::nullopt;
  const Entry& entry = flows[flow][stamp->sequence];
  return Seen{port, entry.last_bit, entry.special, flow, stamp->sequence};
}

}  // namespace weft::workbench
