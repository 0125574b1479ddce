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
#include <bitset>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "observers/access.h"
#include "observers/clock_rows.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/observers/check_shadows.h"

namespace weft::emulator {

class Races {
 public:
  static constexpr size_t kMaxPages = 4096;   ///< of 256 longwords, up to 12 KB each; then the oldest is forgotten
  static constexpr size_t kMaxLocks = 16384;  ///< longwords with atomics; those beyond are not looked at

  /// What a context knew at a moment; empty: nothing.
  using Snapshot = checks::Clock;
  using AnswerOrder = checks::AnswerOrder;

  explicit Races(unsigned engines);
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
  /// The snapshot is empty behind it.
  void acquire(unsigned to, Snapshot& what);
  /// From a context of the same engine that has given it away: all that it has done.
  void follow(ContextRef who, unsigned other);
  /// Who takes `a` takes `b` as well; `b` is empty behind it.
  void join(Snapshot& a, Snapshot& b);

  // --- memory commands, when they are served
  /// What a command carries from its issue to its service: the place of its issue among the deeds of its context.
  uint32_t issued(ContextRef from) {
    const unsigned t = thread(from);
    ++news_[t];
    return clock(t)[t];
  }
  void command(const CommandAccess& access, ContextRef from, uint32_t issued, uint16_t pc, uint64_t cycle,
               isa::InsnId op);
  const std::vector<Race>& found() const { return found_; }  ///< by the last command, at most one for each other party
  /// What is to be remembered of a command until its answer is back.
  static AnswerOrder order_of(const CommandAccess& access);
  /// The answer is back: what a ring or a lock has told counts from here.
  void answered(const AnswerOrder& order, ContextRef from);
  void host_ring(unsigned ring, bool put);

  // --- what contexts of an engine share; `object` is below kObjects and stands for it
  static constexpr unsigned kObjects = 2048;
  void write_shared(ContextRef who, unsigned object) {
    shared_[who.engine][object % kObjects] = static_cast<uint8_t>(who.context + 1);
  }
  void read_shared(ContextRef who, unsigned object) {
    const unsigned writer = shared_[who.engine][object % kObjects];
    if (writer != 0 && writer != who.context + 1u) follow(who, writer - 1);
  }
  void next_neighbor_put(ContextRef who, unsigned reader);
  void next_neighbor_get(ContextRef who);

  uint64_t pages_forgotten() const { return forgotten_; }

 private:
  using Clock = std::vector<uint32_t>;  ///< a row: threads, then zeros up to a whole number of steps

  /// Without a command it has the clock 0, and is ordered before everything.
  struct Entry {
    uint32_t clock = 0;
    uint16_t thread = 0;
    uint16_t pc = 0;
    uint64_t cycle : 48 = 0;
    uint64_t op : 16 = 0;
  };
  struct Shadow {
    Entry write;
    std::array<Entry, 2> reads;  ///< of two contexts; a third takes the place of the older one
  };
  static constexpr unsigned kPage = 256, kPart = 32;  ///< longwords
  using Part = std::array<Shadow, kPart>;
  struct Block {  ///< of memory
    bool is_page = false;
    std::array<std::unique_ptr<Part>, kPage / kPart> parts;  ///< of its page; made when they are used
    std::bitset<kPage> locks;                                ///< longwords of locks_
  };
  /// A ring or a queue.
  struct Sync {
    Clock clock;
    /// Puts so far, and how many there were when each thread took the clock over: nothing is joined twice.
    uint64_t puts = 0;
    std::vector<uint64_t> taken;
  };

  void access_memory(const CommandAccess& access, unsigned thread, uint32_t issued, uint16_t pc, uint64_t cycle,
                     isa::InsnId op);
  void access_longwords(const CommandAccess& access, bool write, unsigned thread, const Entry& entry);
  void touch(Shadow& shadow, Cell cell, bool write, const Entry& entry, const uint32_t* known);
  void add(const Entry& entry, Cell cell, bool wrote);
  Block* find_block(uint64_t number);
  Block& block(uint64_t number);
  Part& part(Block& block, uint64_t number, unsigned longword);
  void make_page(Block& block, uint64_t number);

  uint32_t* clock(unsigned thread) { return &clocks_[thread * row_]; }
  void join(uint32_t* into, const uint32_t* from) const { join_(into, from, row_); }
  void put(unsigned thread, Sync& sync);
  void get(unsigned thread, Sync& sync);
  void put(unsigned thread, Clock& lock);
  void get(unsigned thread, const Clock& lock);
  Sync& sync(uint64_t object);
  static uint64_t ring_object(MemorySpace space, unsigned channel, unsigned list) {
    return uint64_t{1} << 56 | static_cast<uint64_t>(space) << 16 | channel << 8 | list;
  }
  Clock& sram_lock(Cell cell);

  unsigned threads_;
  size_t row_;
  clock_rows::Join join_ = clock_rows::quickest_join();
  std::vector<uint32_t> clocks_;  ///< a row for each thread
  /// How often a thread has learned something or issued a command: who follows it twice finds nothing new in between.
  std::vector<uint64_t> news_;
  std::vector<std::array<uint64_t, kContexts>> followed_;  ///< by thread and other context of its engine: news then
  std::vector<Snapshot> spare_;                            ///< rows to use again
  std::unordered_map<uint64_t, Sync> syncs_;
  std::unordered_map<Cell, Clock> sram_locks_;
  std::unordered_map<Cell, Clock> locks_;
  std::vector<std::array<uint8_t, kObjects>> shared_;  ///< per engine: context that wrote last, + 1
  std::unordered_map<uint64_t, Block> blocks_;         ///< with a page or with locks
  /// Blocks that were used lately, by the lowest bits of their number: most commands find theirs without a search.
  struct Recent {
    uint64_t number = 0;
    Block* block = nullptr;
  };
  std::array<Recent, 64> recent_{};
  std::deque<uint64_t> order_;  ///< blocks with a page, oldest first
  uint64_t forgotten_ = 0;
  std::vector<Race> found_;
};

}  // namespace weft::emulator
