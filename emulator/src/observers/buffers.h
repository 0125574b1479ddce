// Buffers of declared pools: who took each one, who gave it back, and whether anybody still knows it.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "observers/access.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/observers/pools.h"

namespace weft::emulator {

class Buffers {
 public:
  static constexpr size_t kMaxCells = size_t{1} << 20;  ///< longwords that are known to hold handles

  /// What a program did with a buffer, and where; `known` is false for what happened before the run or outside
  /// programs.
  struct Event {
    bool known = false;
    ContextRef who;
    uint16_t pc = 0;
    uint64_t cycle = 0;
    isa::InsnId op{};
  };
  struct Twice {
    size_t pool = 0;
    uint32_t handle = 0;
    bool foreign = false;  ///< no buffer of the pool at all
    Event before;          ///< who gave it back the first time
  };
  struct Leak {
    size_t pool = 0;
    uint32_t handle = 0;
    Event taken;
  };

  /// Scratch rings are read now: what lies on a free list is free.
  Buffers(std::vector<BufferPool> pools, Units& units);
  bool any() const { return !pools_.empty(); }
  const BufferPool& pool(size_t index) const { return pools_[index]; }

  /// A command is served; true: handles come with its answer.
  bool serve(const CommandAccess& access, uint64_t sequence, const Event& by);
  /// The index-th longword that the command in service takes from its context.
  std::optional<Twice> pulled(const CommandAccess& access, unsigned index, uint32_t value, const Event& by);
  /// The command's answer has arrived.
  void answered(uint64_t sequence);
  std::optional<Twice> host_ring(unsigned ring, bool put, uint32_t word);
  std::optional<Twice> enqueued(const CommandAccess& access, const Event& by);

  /// Buffers in use whose handle is not one of `held` and stands in no register, next-neighbor register, local memory,
  /// ring, queue or memory longword.
  std::vector<Leak> leaks(const Machine& machine, std::span<const uint32_t> held) const;

 private:
  enum class State : uint8_t { unknown, free, used };
  struct Buffer {
    State state = State::unknown;
    Event taken, freed;
  };
  std::optional<size_t> pool_of(const CommandAccess& access) const;
  std::optional<Twice> give_back(size_t pool, uint32_t handle, const Event& by);
  void take(size_t pool, uint32_t handle, const Event& by);
  bool is_handle(uint32_t value) const;
  uint32_t handle_of(size_t pool, uint64_t buffer) const {
    return static_cast<uint32_t>((pools_[pool].base + buffer * pools_[pool].size) >> pools_[pool].shift);
  }

  std::vector<BufferPool> pools_;
  Units& units_;
  std::vector<std::vector<Buffer>> buffers_;
  std::unordered_set<Cell> cells_;                                ///< that were written with a handle
  std::unordered_set<uint64_t> links_;                            ///< channel and link of buffers in queues
  std::unordered_map<uint64_t, std::vector<uint32_t>> arriving_;  ///< handles on their way to a context
};

}  // namespace weft::emulator
