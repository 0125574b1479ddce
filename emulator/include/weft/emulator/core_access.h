// The control processor's own way to the memories: it competes with the microengines, at lower priority
// (docs/timing.md, K).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "weft/base/fields.h"
#include "weft/emulator/command.h"

namespace weft::emulator {

enum class MemorySpace : uint8_t { scratch, sram, dram };

/// One access of up to eight longwords.
struct CoreRequest {
  static constexpr unsigned kLongwords = 8;
  uint64_t id = 0;  ///< comes back with the answer
  MemorySpace space{};
  bool ring = false;  ///< scratch: get from, or put on, ring `address`
  bool write = false;
  uint32_t address = 0;  ///< byte address of a longword; SRAM: channel in bits 31:30
  uint8_t count = 1;     ///< longwords
  std::array<uint32_t, kLongwords> data{};
  bool hold = false;       ///< after it the controller serves no microengine until the next request has been served
  Tick way = 0;            ///< of the bridge, before the inlet and after the answer
  Tick patience = kNever;  ///< a request that has waited for so long is served before those of microengines
  WEFT_FIELDS(CoreRequest, id, space, ring, write, address, count, data, hold, way, patience)
};

/// Hears of answers, in the run of the unit.
class CoreListener {
 public:
  virtual ~CoreListener() = default;
  virtual void core_answer(uint64_t id, std::span<const uint32_t> data, Tick now) = 0;
};

}  // namespace weft::emulator
