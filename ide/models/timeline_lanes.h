// Rows of the execution history that are not contexts: packets by the port where they came and left, and how full
// queues were. An index that lives where the machine lives, reads on where it left off, and gives values.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weft/emulator/observers/packets.h"
#include "weft/workbench/inspect.h"

namespace weft::ide {

/// What a row of the timeline stands for.
struct TimelineRow {
  enum class Kind : uint8_t {
    chip,
    engine,
    context,
    packets,  ///< heading of the following two
    port_in,
    port_out,  ///< ContextId::engine is the port
    queues,    ///< heading of the following two
    unit,   ///< commands in the inlet of a unit; ContextId::engine is isa::Unit, ContextId::context the channel of SRAM
    queue,  ///< a ring or queue of the programs; ContextId::engine is its index in PacketTracker::queues()
  } kind = Kind::context;
  workbench::ContextId id;
  bool operator==(const TimelineRow&) const = default;
};
/// True of rows that stand for what contexts do.
inline bool shows_activity(const TimelineRow& row) { return row.kind <= TimelineRow::Kind::context; }

struct TimelineLane {
  TimelineRow row;
  std::string name;
  int scratch_ring = -1;  ///< its number, of a row that stands for one
  bool operator==(const TimelineLane&) const = default;
};

using VerdictCounts = std::array<uint32_t, emulator::kVerdicts>;

struct QueueDepth {
  float mean = 0;
  float max = 0;
};

/// A packet from its arrival to its end.
struct TimelinePacket {
  uint32_t id = 0;  ///< packet_id()
  emulator::Verdict verdict = emulator::Verdict::in_flight;
  uint64_t begin = 0, end = 0;
  uint32_t row = 0;   ///< index into the rows of the question
  uint32_t lane = 0;  ///< packets of one lane do not overlap
};

/// A stretch of the chosen packet's way.
struct TimelinePacketStage {
  workbench::ContextId who;
  uint64_t begin = 0, end = 0;
  unsigned place = 0;  ///< the same number for the same stage
  std::string name;
};

struct TimelineLaneAnswer {
  struct Row {
    std::vector<VerdictCounts> packets;  ///< by cell: packets that were on their way
    std::vector<QueueDepth> depths;      ///< by cell
    uint32_t lanes = 0;                  ///< of packets that are drawn one by one; 0: too many, only cells
    float deepest = 0;                   ///< of the whole run
  };
  std::vector<TimelineLane> known;  ///< all rows that there are
  std::vector<Row> rows;            ///< as asked; rows of contexts are empty
  std::vector<TimelinePacket> packets;
  std::vector<TimelinePacketStage> stages;
};

class TimelineLanes {
 public:
  static constexpr size_t kMaxPackets = 2000;  ///< that are drawn one by one
  static constexpr uint32_t kMaxLanes = 6;
  static constexpr uint64_t kBucket = 64;  ///< cycles for which the mean depth of a unit is kept: 4 bytes a unit

  /// Cells cut [begin, end) as TimelineAnswer::cell_begin says.
  TimelineLaneAnswer answer(const workbench::Inspector& machine, uint64_t begin, uint64_t end, unsigned cells,
                            const std::vector<TimelineRow>& rows, uint32_t chosen);

 private:
  struct Entry {
    uint64_t arrived = 0, ended = 0;
    uint32_t number = 0;
    emulator::Verdict verdict{};
    uint8_t port = 0;
    int16_t out_port = -1;
  };
  struct UnitTrack {
    std::vector<uint32_t> area;    ///< by bucket: commands times cycles
    std::vector<uint64_t> before;  ///< sum of all buckets before every kStride-th one, as far as they are final
    size_t settled = 0;            ///< buckets to which nothing comes any more
    float deepest = 0;             ///< mean of a bucket
    static constexpr size_t kStride = 64;
    /// Of the final buckets before this one.
    uint64_t sum_before(size_t bucket) const;
  };
  struct Chip {
    uint64_t records_read = 0, changes_read = 0, references_read = 0;
    std::vector<Entry> entries;                                ///< by arrival
    std::vector<uint64_t> latest;                              ///< of each 64 entries: the last end
    std::map<std::pair<unsigned, unsigned>, UnitTrack> units;  ///< unit, channel
    struct Queue {
      std::vector<std::pair<uint64_t, uint32_t>> changes;  ///< cycle, depth from then on
      uint32_t deepest = 0;
    };
    std::vector<Queue> queues;
  };
  using Depths = std::vector<QueueDepth>;
  void update(const workbench::Inspector& machine, unsigned chip);
  void read_packets(const emulator::PacketTracker& tracker, Chip& chip);
  void read_references(const emulator::History& history, uint64_t now, Chip& chip);
  Depths unit_depths(const emulator::History& history, const Chip& chip, std::pair<unsigned, unsigned> unit,
                     uint64_t begin, uint64_t end, unsigned cells, uint64_t now) const;
  static Depths queue_depths(const Chip::Queue& queue, uint64_t begin, uint64_t end, unsigned cells);
  void packet_rows(const workbench::Inspector& machine, unsigned chip, uint64_t begin, uint64_t end, unsigned cells,
                   const std::vector<TimelineRow>& rows, TimelineLaneAnswer& out) const;
  std::vector<Chip> chips_;
};

/// The inlet in which a command waits: its unit, and the channel of SRAM.
std::pair<unsigned, unsigned> inlet_of(const emulator::Reference& reference);

}  // namespace weft::ide
