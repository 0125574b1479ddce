// When each generated packet entered, so that its way can be timed when it leaves.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/emulator/command.h"
#include "weft/packet/generator.h"

namespace weft::workbench {

class Arrivals {
 public:
  struct Port {
    packet::TrafficSpec spec;
    uint64_t ticks_per_second = 0;
  };
  /// Generates the traffic of each port once more. Their flows have different numbers, by which what leaves is known
  /// even when addresses and ports were translated.
  Result<bool> fill(const std::vector<Port>& ports);

  struct Seen {
    size_t port = 0;              ///< position in the list of fill()
    emulator::Tick last_bit = 0;  ///< in
    bool special = false;
    uint32_t flow = 0, sequence = 0;
  };
  /// What frame this is; nothing for one that was not generated here.
  std::optional<Seen> find(packet::ByteView frame) const;
  uint64_t frames() const { return frames_; }
  uint64_t octets() const { return octets_; }            ///< with the check sequence of their ports
  uint64_t wire_octets() const { return wire_octets_; }  ///< with preamble and gap, too
  uint64_t special() const { return special_; }
  emulator::Tick last() const { return last_; }  ///< the last bit of all

 private:
  struct Entry {
    emulator::Tick last_bit = 0;
    bool special = false;
  };
  std::map<uint32_t, size_t> ports_;                      ///< by the number of the first flow
  std::vector<std::vector<std::vector<Entry>>> entries_;  ///< [port][flow][sequence]
  uint64_t frames_ = 0, octets_ = 0, wire_octets_ = 0, special_ = 0;
  emulator::Tick last_ = 0;
};

}  // namespace weft::workbench
