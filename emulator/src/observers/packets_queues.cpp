// The packet tracker: how full the rings and queues of the programs are.
#include <fmt/format.h>

#include <algorithm>

#include "observers/access.h"
#include "weft/emulator/observers/packets.h"

namespace weft::emulator {

using Kind = CommandAccess::Kind;

std::string QueueName::name() const {
  switch (kind) {
    case Kind::scratch_ring: return fmt::format("scratch ring {}", number);
    case Kind::sram_ring: return fmt::format("sram{} ring {}", channel, number);
    case Kind::sram_queue: return fmt::format("sram{} queue {}", channel, number);
    case Kind::list: return fmt::format("list {}", number);
  }
  return {};
}

void PacketTracker::note_depth(QueueName queue, uint32_t depth) {
  const auto at = std::find(queues_.begin(), queues_.end(), queue);
  const auto index = static_cast<uint16_t>(at - queues_.begin());
  if (at == queues_.end()) queues_.push_back(queue);
  queue_changes_.push_back({now_cycle(), depth, index});
  if (queue_changes_.size() <= limits_.queue_changes) return;
  queue_changes_.pop_front();
  ++queue_changes_lost_;
}

/// The unit has done nothing yet: what it holds after the command follows from what it holds now.
void PacketTracker::queue_served(const CommandAccess& access) {
  const bool puts = access.kind == Kind::ring_put || access.kind == Kind::enqueue;
  switch (access.kind) {
    case Kind::ring_put:
    case Kind::ring_get: {
      const auto moved = static_cast<uint32_t>(std::count_if(access.cells.begin(), access.cells.begin() + access.count,
                                                             [](Cell cell) { return cell != kNoCell; }));
      if (moved == 0) return;  // no room, or nothing there
      const bool scratch = access.space == MemorySpace::scratch;
      const uint32_t before =
          scratch ? units_.host().ring(access.list).count : units_.host().queue(access.channel, access.list).count;
      return note_depth(
          {scratch ? QueueName::Kind::scratch_ring : QueueName::Kind::sram_ring, access.channel, access.list},
          puts ? before + moved : before - std::min(before, moved));
    }
    case Kind::enqueue:
    case Kind::dequeue: {
      if (!puts && access.link == 0) return;
      const bool list = machine_.timing().profile == isa::Profile::me1;
      const uint32_t before = list ? static_cast<uint32_t>(units_.host().list(access.list).size())
                                   : units_.host().queue(access.channel, access.list).count;
      return note_depth({list ? QueueName::Kind::list : QueueName::Kind::sram_queue, access.channel, access.list},
                        puts ? before + 1 : before - std::min(before, 1u));
    }
    default: return;
  }
}

}  // namespace weft::emulator
