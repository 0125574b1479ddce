// Who has which stretch of the memories of a chip: rings, pools, memory blocks, and what the control program keeps
// there.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "project/build.h"

namespace weft::workbench {

/// A stretch of a memory that somebody has.
struct Taken {
  image::Region region{};
  uint64_t begin = 0, end = 0;
  std::string what;
  SourceRange range;  ///< empty: it stands in no file of the project
};

bool overlap(const Taken& a, const Taken& b);

std::string ring_name(const RingEntry& ring);
Taken taken_by(const RingEntry& ring);
Taken taken_by(const PoolEntry& entry);
/// What the control program of a chip has in its memories.
std::vector<Taken> taken_by_control(const Built& built, unsigned chip);
/// Rings and buffers of a chip, those of the control program too.
std::vector<Taken> rings_and_pools(const Project& project, const Built& built, unsigned chip);
/// Rings, buffers and memory blocks of a chip: what changes in them is no count of packets.
std::vector<Taken> taken_by_programs(const Project& project, const Built& built, unsigned chip);

/// Bytes of a memory; 0: the chip has none of it.
uint64_t memory_bytes(image::Region region, const emulator::ChipOnBoard& on);
/// The block of .alloc_mem with this name; null, and an error, when no program of the chip has it in scratch, SRAM or
/// DRAM.
const image::Placement* find_block(const BuiltChip& chip, const std::string& name, const SourceRange& range,
                                   const char* code, Diagnostics& out);

/// False, and an error, when one of `taken` lies there already.
bool check_free(const Taken& mine, const std::vector<Taken>& taken, const char* code, Diagnostics& out);

/// Finds what is at an address among many: a project may have 100,000 counters and as many buffers.
class TakenPlaces {
 public:
  explicit TakenPlaces(std::vector<Taken> taken);
  /// One of those that `mine` lies over; none: null.
  const Taken* under(const Taken& mine) const;

 private:
  std::vector<Taken> taken_;      ///< by region and begin
  std::vector<size_t> furthest_;  ///< of the region, up to each: the one with the highest end
};

}  // namespace weft::workbench
