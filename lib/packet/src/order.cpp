// Stamps, and the check of order that they allow.
#include <algorithm>

#include "weft/packet/decode.h"
#include "weft/packet/generator.h"

namespace weft::packet {

std::optional<Stamp> read_stamp(ByteView frame) {
  const auto payload = udp_payload(frame);
  if (!payload || payload->size() < kStampSize || get16(*payload, 0) != 0x5766) return {};
  return Stamp{get32(*payload, 2), get32(*payload, 6)};
}

void OrderChecker::note(ByteView frame) {
  const auto stamp = read_stamp(frame);
  if (!stamp) {
    ++unstamped_;
    return;
  }
  FlowCount& flow = flows_[stamp->flow];
  if (stamp->sequence >= flow.seen.size()) flow.seen.resize(stamp->sequence + size_t{1}, false);
  if (flow.seen[stamp->sequence]) {
    ++flow.duplicated;
  } else {
    flow.seen[stamp->sequence] = true;
    if (flow.received > 0 && stamp->sequence < flow.highest) ++flow.reordered;
    flow.highest = std::max(flow.highest, stamp->sequence);
  }
  ++flow.received;
}

uint64_t OrderChecker::FlowCount::missing() const {
  return static_cast<uint64_t>(std::count(seen.begin(), seen.end(), false));
}

uint64_t OrderChecker::received() const {
  uint64_t sum = 0;
  for (const auto& [number, flow] : flows_) sum += flow.received;
  return sum;
}

uint64_t OrderChecker::reordered() const {
  uint64_t sum = 0;
  for (const auto& [number, flow] : flows_) sum += flow.reordered;
  return sum;
}

uint64_t OrderChecker::duplicated() const {
  uint64_t sum = 0;
  for (const auto& [number, flow] : flows_) sum += flow.duplicated;
  return sum;
}

uint64_t OrderChecker::missing() const {
  uint64_t sum = 0;
  for (const auto& [number, flow] : flows_) sum += flow.missing();
  return sum;
}

}  // namespace weft::packet
