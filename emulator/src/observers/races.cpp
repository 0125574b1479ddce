#include "observers/races.h"

#include <algorithm>

namespace weft::emulator {
namespace {

constexpr uint64_t kNeighborRing = uint64_t{2} << 56;
constexpr uint64_t kLock = uint64_t{4} << 56;

}  // namespace

void Races::join(Clock& into, const Clock& from) {
  if (into.size() < from.size()) into.resize(from.size());
  uint32_t* const to = into.data();
  const uint32_t* const other = from.data();
  for (size_t i = 0, size = from.size(); i < size; ++i) to[i] = std::max(to[i], other[i]);
}

Races::Clock& Races::sync(uint64_t object) {
  Clock& clock = syncs_[object];
  clock.resize(threads_);
  return clock;
}

Races::Snapshot Races::release(unsigned from) {
  Snapshot out = std::make_shared<const Clock>(clocks_[from]);
  ++clocks_[from][from];
  return out;
}

Races::Snapshot Races::both(const Clock& a, const Clock& b) {
  Clock joined = a;
  join(joined, b);
  return std::make_shared<const Clock>(std::move(joined));
}

void Races::acquire(unsigned to, const Snapshot& what) {
  if (!what) return;
  join(clocks_[to], *what);
}

void Races::command(const CommandAccess& access, ContextRef from, uint32_t issued, uint16_t pc, uint64_t cycle,
                    isa::InsnId op) {
  found_.clear();
  const unsigned t = thread(from);
  if (access.lock == CommandAccess::Lock::take) join(clocks_[t], lock_clock(access.locked));
  access_memory(access, t, issued, pc, cycle, op);
  if (access.lock != CommandAccess::Lock::give) return;
  join(lock_clock(access.locked), clocks_[t]);
  ++clocks_[t][t];
}

// Locks beyond the most that are followed are one lock.
Races::Clock& Races::lock_clock(Cell cell) {
  const uint64_t object = kLock | cell;
  return sync(syncs_.contains(object) || syncs_.size() < kMaxLocks ? object : kLock);
}

void Races::access_memory(const CommandAccess& access, unsigned t, uint32_t issued, uint16_t pc, uint64_t cycle,
                          isa::InsnId op) {
  using Kind = CommandAccess::Kind;
  switch (access.kind) {
    case Kind::ring_put:
    case Kind::enqueue:
      join(sync(ring_object(access)), clocks_[t]);
      ++clocks_[t][t];
      return;
    case Kind::atomic:
      if (!locks_.contains(access.cells[0]) && locks_.size() >= kMaxLocks) return;
      join(locks_[access.cells[0]], clocks_[t]);
      ++clocks_[t][t];
      return;
    case Kind::read:
    case Kind::media_out:
    case Kind::write:
    case Kind::media_in: {
      const bool write = access.kind == Kind::write || access.kind == Kind::media_in;
      for (unsigned i = 0; i < access.count; ++i) {
        const Cell cell = access.cells[i];
        if (cell == kNoCell) continue;
        if (const auto lock = locks_.find(cell); lock != locks_.end()) {
          if (write) join(lock->second, clocks_[t]), ++clocks_[t][t];
          continue;
        }
        touch(cell, write, t, issued, pc, cycle, op);
      }
      return;
    }
    case Kind::none:
    case Kind::ring_get:
    case Kind::dequeue:
    case Kind::media_read:
    case Kind::media_write: return;
  }
}

void Races::answered(const CommandAccess& access, ContextRef from) {
  using Kind = CommandAccess::Kind;
  const unsigned t = thread(from);
  if (access.kind == Kind::ring_get || access.kind == Kind::dequeue) {
    join(clocks_[t], sync(ring_object(access)));
  } else if (access.kind == Kind::atomic || access.kind == Kind::read) {
    for (unsigned i = 0; i < access.count; ++i)
      if (const auto lock = locks_.find(access.cells[i]); lock != locks_.end()) join(clocks_[t], lock->second);
  }
}

void Races::host_ring(unsigned ring, bool put) {
  CommandAccess access;
  access.list = ring;
  Clock& clock = sync(ring_object(access));
  if (put) {
    join(clock, clocks_[host()]);
    ++clocks_[host()][host()];
  } else {
    join(clocks_[host()], clock);
  }
}

Races::Shadow& Races::shadow(Cell cell) {
  const uint64_t number = cell / 256;
  auto at = pages_.find(number);
  if (at == pages_.end()) {
    if (pages_.size() >= kMaxPages) {
      pages_.erase(order_.front());
      order_.pop_front();
      ++forgotten_;
    }
    at = pages_.emplace(number, std::make_unique<Page>()).first;
    order_.push_back(number);
  }
  return (*at->second)[cell % 256];
}

void Races::check(const Entry& entry, unsigned t, Cell cell, bool wrote) {
  if (ordered(entry, t)) return;
  const unsigned other = entry.thread - 1u;
  const ContextRef who{static_cast<uint8_t>(other / kContexts), static_cast<uint8_t>(other % kContexts)};
  const bool known = std::any_of(found_.begin(), found_.end(),
                                 [&](const Race& r) { return r.other.who == who && r.other.pc == entry.pc; });
  if (!known) found_.push_back({cell, {who, entry.pc, entry.cycle, static_cast<isa::InsnId>(entry.op), wrote}});
}

void Races::touch(Cell cell, bool write, unsigned t, uint32_t issued, uint16_t pc, uint64_t cycle, isa::InsnId op) {
  Shadow& s = shadow(cell);
  check(s.write, t, cell, true);
  Entry entry;
  entry.clock = issued;
  entry.thread = static_cast<uint16_t>(t + 1);
  entry.pc = pc;
  entry.cycle = cycle & 0xffffffffffff;
  entry.op = static_cast<uint16_t>(op);
  if (write) {
    for (const Entry& read : s.reads) check(read, t, cell, false);
    s = {};
    s.write = entry;
    return;
  }
  // One place for each context; one that is ordered before this read is not needed any more.
  for (Entry& read : s.reads)
    if (ordered(read, t)) {
      read = entry;
      return;
    }
  s.reads[0] = s.reads[1];
  s.reads[1] = entry;
}

void Races::follow(ContextRef who, unsigned other) {
  const unsigned from = thread({who.engine, static_cast<uint8_t>(other)});
  join(clocks_[thread(who)], clocks_[from]);
  ++clocks_[from][from];
}

void Races::write_shared(ContextRef who, unsigned object) {
  shared_[who.engine][object % kObjects] = static_cast<uint8_t>(who.context + 1);
}

void Races::read_shared(ContextRef who, unsigned object) {
  const unsigned writer = shared_[who.engine][object % kObjects];
  if (writer != 0 && writer != who.context + 1u) follow(who, writer - 1);
}

void Races::next_neighbor_put(ContextRef who, unsigned reader) {
  const unsigned t = thread(who);
  join(sync(kNeighborRing | reader), clocks_[t]);
  ++clocks_[t][t];
}

void Races::next_neighbor_get(ContextRef who) { join(clocks_[thread(who)], sync(kNeighborRing | who.engine)); }

}  // namespace weft::emulator
