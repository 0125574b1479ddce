// Data races on shared memory: two accesses to one longword from different contexts, one of them a write, with nothing
// that orders them. Vector clocks as in "FastTrack" (Flanagan and Freund, PLDI 2009), adapted: memory commands of one
// context are ordered by their issue, because a unit serves them in that order.
//
// What orders two contexts: a signal from one to the other; a scratch, SRAM or next-neighbor ring, or a queue, through
// which something went (any put comes before any later get); an atomic command on a longword, which makes the longword
// a lock: its plain accesses order as well and never race; a lock of an IXP1200's SRAM (read_lock, write_unlock,
// unlock); an absolute register, a longword of local memory, or the CAM, that one context wrote and the other read.
// Contexts do not interrupt each other: who reads what another context of its engine wrote, or runs on its signal, runs
// after all that the other one did up to its swap. Where the order is not known exactly, more is taken for ordered than
// is: no false alarm comes of it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "observers/access.h"
#include "weft/emulator/machine.h"

namespace weft::emulator {

class Races {
 public:
  static constexpr size_t kMaxPages = 4096;   ///< of 256 longwords, 12 KB each; then the oldest is forgotten
  static constexpr size_t kMaxLocks = 16384;  ///< longwords with atomics; those beyond are not looked at

  using Clock = std::vector<uint32_t>;
  using Snapshot = std::shared_ptr<const Clock>;

  explicit Races(unsigned engines) : threads_(engines * kContexts + 1), clocks_(threads_), shared_(engines) {
    for (unsigned t = 0; t < threads_; ++t) {
      clocks_[t].resize(threads_);
      clocks_[t][t] = 1;
    }
  }
  static unsigned thread(ContextRef who) { return who.engine * kContexts + who.context; }
  unsigned host() const { return threads_ - 1; }

  /// Another access that is not ordered before the present one.
  struct Other {
    ContextRef who;
    uint16_t pc = 0;
    uint64_t cycle = 0;
    isa::InsnId op{};
    bool wrote = false;
  };
  struct Race {
    Cell cell = kNoCell;
    Other other;
  };

  // --- what a context knows, passed on and taken over
  Snapshot release(unsigned from);
  void acquire(unsigned to, const Snapshot& what);
  /// From a context of the same engine that has given it away: all that it has done.
  void follow(ContextRef who, unsigned other);

  static Snapshot both(const Clock& a, const Clock& b);

  // --- memory commands, when they are served
  /// What a command carries from its issue to its service: the place of its issue among the deeds of its context.
  uint32_t issued(ContextRef from) const { return clocks_[thread(from)][thread(from)]; }
  void command(const CommandAccess& access, ContextRef from, uint32_t issued, uint16_t pc, uint64_t cycle,
               isa::InsnId op);
  const std::vector<Race>& found() const { return found_; }  ///< by the last command, at most one for each other party
  /// The answer is back: what a ring or a lock has told counts from here.
  void answered(const CommandAccess& access, ContextRef from);
  void host_ring(unsigned ring, bool put);

  // --- what contexts of an engine share; `object` is below kObjects and stands for it
  static constexpr unsigned kObjects = 2048;
  void write_shared(ContextRef who, unsigned object);
  void read_shared(ContextRef who, unsigned object);
  void next_neighbor_put(ContextRef who, unsigned reader);
  void next_neighbor_get(ContextRef who);

  uint64_t pages_forgotten() const { return forgotten_; }

 private:
  struct Entry {
    uint32_t clock = 0;
    uint16_t thread = 0;  ///< + 1; 0 = nothing
    uint16_t pc = 0;
    uint64_t cycle : 48 = 0;
    uint64_t op : 16 = 0;
  };
  struct Shadow {
    Entry write;
    std::array<Entry, 2> reads;  ///< of two contexts; a third takes the place of the older one
  };
  using Page = std::array<Shadow, 256>;

  void access_memory(const CommandAccess& access, unsigned thread, uint32_t issued, uint16_t pc, uint64_t cycle,
                     isa::InsnId op);
  void touch(Cell cell, bool write, unsigned thread, uint32_t issued, uint16_t pc, uint64_t cycle, isa::InsnId op);
  void check(const Entry& entry, unsigned thread, Cell cell, bool wrote);
  bool ordered(const Entry& entry, unsigned thread) const {
    return entry.thread == 0 || entry.thread == thread + 1 || entry.clock <= clocks_[thread][entry.thread - 1u];
  }
  Shadow& shadow(Cell cell);
  static void join(Clock& into, const Clock& from);
  Clock& sync(uint64_t object);
  static uint64_t ring_object(const CommandAccess& access) {
    return uint64_t{1} << 56 | static_cast<uint64_t>(access.space) << 16 | access.channel << 8 | access.list;
  }

  Clock& lock_clock(Cell cell);

  unsigned threads_;
  std::vector<Clock> clocks_;
  std::unordered_map<uint64_t, Clock> syncs_;  ///< rings and queues
  std::unordered_map<Cell, Clock> locks_;
  std::vector<std::array<uint8_t, kObjects>> shared_;  ///< per engine: context that wrote last, + 1
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  std::deque<uint64_t> order_;  ///< pages, oldest first
  uint64_t forgotten_ = 0;
  std::vector<Race> found_;
};

}  // namespace weft::emulator
