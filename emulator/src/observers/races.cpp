#include "observers/races.h"

#include <algorithm>

namespace weft::emulator {
namespace {

using Kind = CommandAccess::Kind;

constexpr uint64_t kNeighborRing = uint64_t{2} << 56;

}  // namespace

Races::Races(unsigned engines)
    : threads_(engines * kContexts + 1),
      row_((threads_ + clock_rows::kStep - 1) / clock_rows::kStep * clock_rows::kStep),
      clocks_(threads_ * row_),
      news_(threads_),
      followed_(threads_),
      shared_(engines) {
  for (unsigned t = 0; t < threads_; ++t) clock(t)[t] = 1;
}

Races::Sync& Races::sync(uint64_t object) {
  Sync& out = syncs_[object];
  if (out.clock.empty()) {
    out.clock.resize(row_);
    out.taken.resize(threads_);
  }
  return out;
}

void Races::put(unsigned t, Sync& sync) {
  if (sync.taken[t] == sync.puts) ++sync.taken[t];  // what it puts it knows
  ++sync.puts;
  put(t, sync.clock);
}

void Races::get(unsigned t, Sync& sync) {
  if (sync.taken[t] == sync.puts) return;
  sync.taken[t] = sync.puts;
  get(t, sync.clock);
}

void Races::put(unsigned t, Clock& lock) {
  join(lock.data(), clock(t));
  ++clock(t)[t];
}

void Races::get(unsigned t, const Clock& lock) {
  join(clock(t), lock.data());
  ++news_[t];
}

Races::Snapshot Races::release(unsigned from) {
  Snapshot out;
  if (!spare_.empty()) {
    out = std::move(spare_.back());
    spare_.pop_back();
  }
  out.assign(clock(from), clock(from) + row_);
  ++clock(from)[from];
  return out;
}

void Races::join(Snapshot& a, Snapshot& b) {
  join(a.data(), b.data());
  spare_.push_back(std::move(b));
  b.clear();
}

void Races::acquire(unsigned to, Snapshot& what) {
  if (what.empty()) return;
  get(to, what);
  spare_.push_back(std::move(what));
  what.clear();
}

// Locks beyond the most that are followed are one lock.
Races::Clock& Races::sram_lock(Cell cell) {
  const bool followed = sram_locks_.contains(cell) || sram_locks_.size() + syncs_.size() < kMaxLocks;
  Clock& out = sram_locks_[followed ? cell : kNoCell];
  out.resize(row_);
  return out;
}

inline void Races::access_memory(const CommandAccess& access, unsigned t, uint32_t issued, uint16_t pc, uint64_t cycle,
                                 isa::InsnId op) {
  switch (access.kind) {
    case Kind::ring_put:
    case Kind::enqueue: return put(t, sync(ring_object(access.space, access.channel, access.list)));
    case Kind::atomic: {
      const Cell cell = access.cells[0];
      auto lock = locks_.find(cell);
      if (lock == locks_.end()) {
        if (locks_.size() >= kMaxLocks) return;
        lock = locks_.emplace(cell, Clock(row_)).first;
        block(cell / kPage).locks.set(cell % kPage);
      }
      return put(t, lock->second);
    }
    case Kind::read:
    case Kind::media_out:
    case Kind::write:
    case Kind::media_in: {
      Entry entry;
      entry.clock = issued;
      entry.thread = static_cast<uint16_t>(t);
      entry.pc = pc;
      entry.cycle = cycle & 0xffffffffffff;
      entry.op = static_cast<uint16_t>(op);
      return access_longwords(access, access.kind == Kind::write || access.kind == Kind::media_in, t, entry);
    }
    case Kind::none:
    case Kind::ring_get:
    case Kind::dequeue:
    case Kind::media_read:
    case Kind::media_write: return;
  }
}

void Races::command(const CommandAccess& access, ContextRef from, uint32_t issued, uint16_t pc, uint64_t cycle,
                    isa::InsnId op) {
  found_.clear();
  const unsigned t = thread(from);
  if (access.lock == CommandAccess::Lock::take) get(t, sram_lock(access.locked));
  access_memory(access, t, issued, pc, cycle, op);
  if (access.lock == CommandAccess::Lock::give) put(t, sram_lock(access.locked));
}

// The longwords of a command follow each other.
void Races::access_longwords(const CommandAccess& access, bool write, unsigned t, const Entry& entry) {
  const uint32_t* const known = clock(t);
  Cell cell = access.cells[0];
  for (const Cell end = cell + access.count; cell < end;) {
    const uint64_t number = cell / kPage;
    Block& in = block(number);
    if (in.locks.any()) {
      for (const Cell stop = std::min(end, (number + 1) * kPage); cell < stop; ++cell)
        if (!in.locks.test(cell % kPage))
          touch(part(in, number, cell % kPage)[cell % kPart], cell, write, entry, known);
        else if (write)
          put(t, locks_.find(cell)->second);
      continue;
    }
    Part& longwords = part(in, number, cell % kPage);
    for (const Cell stop = std::min(end, (cell / kPart + 1) * kPart); cell < stop; ++cell)
      touch(longwords[cell % kPart], cell, write, entry, known);
  }
}

Races::AnswerOrder Races::order_of(const CommandAccess& access) {
  const bool list = access.kind == Kind::ring_get || access.kind == Kind::dequeue;
  if (list) return {AnswerOrder::Kind::list, 0, ring_object(access.space, access.channel, access.list)};
  const bool longwords = access.kind == Kind::read || (access.kind == Kind::atomic && access.answers);
  if (!longwords || access.count == 0) return {};
  return {AnswerOrder::Kind::longwords, static_cast<uint8_t>(access.count), access.cells[0]};
}

void Races::answered(const AnswerOrder& order, ContextRef from) {
  const unsigned t = thread(from);
  if (order.kind == AnswerOrder::Kind::list) return get(t, sync(order.what));
  if (locks_.empty()) return;
  for (Cell cell = order.what; cell < order.what + order.count; ++cell) {
    const Block* in = find_block(cell / kPage);
    if (in != nullptr && in->locks.test(cell % kPage)) get(t, locks_.find(cell)->second);
  }
}

void Races::host_ring(unsigned ring, bool put_on) {
  Sync& on = sync(ring_object(MemorySpace::scratch, 0, ring));
  put_on ? put(host(), on) : get(host(), on);
}

Races::Block* Races::find_block(uint64_t number) {
  Recent& recent = recent_[number % recent_.size()];
  if (recent.block != nullptr && recent.number == number) return recent.block;
  const auto at = blocks_.find(number);
  if (at == blocks_.end()) return nullptr;
  recent = {number, &at->second};
  return recent.block;
}

inline Races::Block& Races::block(uint64_t number) {
  if (Block* known = find_block(number)) return *known;
  return blocks_[number];
}

inline Races::Part& Races::part(Block& block, uint64_t number, unsigned longword) {
  std::unique_ptr<Part>& out = block.parts[longword / kPart];
  if (!out) {
    if (!block.is_page) make_page(block, number);
    out = std::make_unique<Part>();
  }
  return *out;
}

void Races::make_page(Block& block, uint64_t number) {
  if (order_.size() >= kMaxPages) {
    const auto oldest = blocks_.find(order_.front());
    order_.pop_front();
    ++forgotten_;
    oldest->second.is_page = false;
    oldest->second.parts = {};
    if (oldest->second.locks.none()) {
      Recent& recent = recent_[oldest->first % recent_.size()];
      if (recent.number == oldest->first) recent = {};
      blocks_.erase(oldest);
    }
  }
  block.is_page = true;
  order_.push_back(number);
}

void Races::add(const Entry& entry, Cell cell, bool wrote) {
  const unsigned other = entry.thread;
  const ContextRef who{static_cast<uint8_t>(other / kContexts), static_cast<uint8_t>(other % kContexts)};
  const bool known = std::any_of(found_.begin(), found_.end(),
                                 [&](const Race& r) { return r.other.who == who && r.other.pc == entry.pc; });
  if (!known) found_.push_back({cell, {who, entry.pc, entry.cycle, static_cast<isa::InsnId>(entry.op), wrote}});
}

/// `known`: the clock of its thread, which is behind all that the thread has issued itself.
inline void Races::touch(Shadow& s, Cell cell, bool write, const Entry& entry, const uint32_t* known) {
  const auto ordered = [&](const Entry& before) { return before.clock <= known[before.thread]; };
  if (!ordered(s.write)) add(s.write, cell, true);
  if (write) {
    for (const Entry& read : s.reads)
      if (!ordered(read)) add(read, cell, false);
    s = {entry, {}};
    return;
  }
  // One place for each context; one that is ordered before this read is not needed any more.
  for (Entry& read : s.reads)
    if (ordered(read)) {
      read = entry;
      return;
    }
  s.reads[0] = s.reads[1];
  s.reads[1] = entry;
}

void Races::follow(ContextRef who, unsigned other) {
  const unsigned t = thread(who), from = thread({who.engine, static_cast<uint8_t>(other)});
  uint64_t& followed = followed_[t][other];
  if (t == from || followed == news_[from]) return;
  followed = news_[from];
  join(clock(t), clock(from));
  ++news_[t];
  ++clock(from)[from];
}

void Races::next_neighbor_put(ContextRef who, unsigned reader) { put(thread(who), sync(kNeighborRing | reader)); }

void Races::next_neighbor_get(ContextRef who) { get(thread(who), sync(kNeighborRing | who.engine)); }

}  // namespace weft::emulator
