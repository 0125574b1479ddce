#include "observers/buffers.h"

#include <algorithm>

namespace weft::emulator {
namespace {

using Kind = CommandAccess::Kind;

uint32_t read_cell(HostPort& host, Cell cell) {
  const auto space = static_cast<MemorySpace>((cell >> 48) - 1);
  const auto channel = static_cast<uint32_t>(cell >> 40 & 0xff);
  const auto address = static_cast<uint32_t>((cell & 0xffffffffff) * 4);
  return host.read(space, space == MemorySpace::sram ? address | channel << 30 : address);
}

}  // namespace

Buffers::Buffers(std::vector<BufferPool> pools, Units& units) : pools_(std::move(pools)), units_(units) {
  HostPort& host = units_.host();
  for (size_t p = 0; p < pools_.size(); ++p) {
    const BufferPool& pool = pools_[p];
    buffers_.emplace_back(pool.count);
    if (pool.list != BufferPool::List::scratch_ring) continue;
    const RingView ring = host.ring(pool.list_number);
    for (uint32_t i = 0; i < ring.count; ++i) {
      const uint32_t handle = host.read(MemorySpace::scratch, ring.base + 4 * ((ring.head + i) % ring.size));
      if (const auto buffer = pool.buffer_of_handle(handle)) buffers_[p][*buffer].state = State::free;
    }
  }
}

std::optional<size_t> Buffers::pool_of(const CommandAccess& access) const {
  using List = BufferPool::List;
  switch (access.kind) {
    case Kind::ring_get:
    case Kind::ring_put:
      return find_pool(pools_, access.space == MemorySpace::scratch ? List::scratch_ring : List::sram_ring,
                       access.channel, access.list);
    case Kind::enqueue:
    case Kind::dequeue: return find_pool(pools_, List::sram_queue, access.channel, access.list);
    default: return std::nullopt;
  }
}

bool Buffers::is_handle(uint32_t value) const {
  return std::any_of(pools_.begin(), pools_.end(),
                     [value](const BufferPool& pool) { return pool.buffer_of_handle(value).has_value(); });
}

std::optional<Buffers::Twice> Buffers::give_back(size_t pool, uint32_t handle, const Event& by) {
  const auto number = pools_[pool].buffer_of_handle(handle);
  if (!number) return Twice{pool, handle, true, {}};
  Buffer& buffer = buffers_[pool][*number];
  std::optional<Twice> out;
  if (buffer.state == State::free) out = Twice{pool, handle, false, buffer.freed};
  buffer.state = State::free;
  buffer.freed = by;
  return out;
}

void Buffers::take(size_t pool, uint32_t handle, const Event& by) {
  const auto number = pools_[pool].buffer_of_handle(handle);
  if (!number) return;  // 0: the list was empty
  Buffer& buffer = buffers_[pool][*number];
  buffer.state = State::used;
  buffer.taken = by;
}

bool Buffers::serve(const CommandAccess& access, uint64_t sequence, const Event& by) {
  switch (access.kind) {
    case Kind::ring_get: {
      const auto pool = pool_of(access);
      bool any = false;
      for (unsigned i = 0; i < access.count; ++i) {
        if (access.cells[i] == kNoCell) continue;
        const uint32_t value = read_cell(units_.host(), access.cells[i]);
        cells_.erase(access.cells[i]);
        if (!is_handle(value)) continue;
        arriving_[sequence].push_back(value);
        any = true;
        if (pool) take(*pool, value, by);
      }
      return any;
    }
    case Kind::dequeue:
      if (access.link == 0) return false;
      links_.erase(uint64_t{access.channel} << 32 | access.link);
      if (is_handle(access.link)) arriving_[sequence].push_back(access.link);
      if (const auto pool = pool_of(access)) take(*pool, access.link, by);
      return is_handle(access.link);
    case Kind::read: {
      if (cells_.empty()) return false;
      bool any = false;
      for (unsigned i = 0; i < access.count; ++i) {
        if (!cells_.contains(access.cells[i])) continue;
        arriving_[sequence].push_back(read_cell(units_.host(), access.cells[i]));
        any = true;
      }
      return any;
    }
    default: return false;
  }
}

[[gnu::noinline]] void Buffers::answered(uint64_t sequence) { arriving_.erase(sequence); }

std::optional<Buffers::Twice> Buffers::enqueued(const CommandAccess& access, const Event& by) {
  if (const auto pool = pool_of(access)) return give_back(*pool, access.link, by);
  if (is_handle(access.link) && links_.size() < kMaxCells) links_.insert(uint64_t{access.channel} << 32 | access.link);
  return std::nullopt;
}

std::optional<Buffers::Twice> Buffers::pulled(const CommandAccess& access, unsigned index, uint32_t value,
                                              const Event& by) {
  if (access.kind == Kind::ring_put)
    if (const auto pool = pool_of(access)) return give_back(*pool, value, by);
  const bool scratch_ring =
      access.kind == Kind::ring_put && access.space == MemorySpace::scratch;  // leaks() looks at those
  if ((access.kind == Kind::write || access.kind == Kind::ring_put) && !scratch_ring && index < access.count &&
      access.cells[index] != kNoCell && is_handle(value) && cells_.size() < kMaxCells)
    cells_.insert(access.cells[index]);
  return std::nullopt;
}

std::optional<Buffers::Twice> Buffers::host_ring(unsigned ring, bool put, uint32_t word) {
  const auto pool = find_pool(pools_, BufferPool::List::scratch_ring, 0, ring);
  if (!pool) return std::nullopt;
  if (put) return give_back(*pool, word, {});
  take(*pool, word, {});
  return std::nullopt;
}

std::vector<Buffers::Leak> Buffers::leaks(const Machine& machine, std::span<const uint32_t> held) const {
  std::vector<std::vector<bool>> known;
  for (const BufferPool& pool : pools_) known.emplace_back(pool.count);
  const auto see = [&](uint32_t value) {
    for (size_t p = 0; p < pools_.size(); ++p)
      if (const auto buffer = pools_[p].buffer_of_handle(value)) known[p][*buffer] = true;
  };
  for (const uint32_t handle : held) see(handle);
  for (unsigned e = 0; e < machine.engine_count(); ++e) {
    const EngineState& s = machine.state(e);
    for (const auto* file : {&s.a, &s.b, &s.s_in, &s.s_out, &s.d_in, &s.d_out, &s.nn})
      for (const uint32_t value : *file) see(value);
    for (const uint32_t value : s.local_memory) see(value);
  }
  for (unsigned number = 0; number < 16; ++number) {
    const RingView ring = units_.host().ring(number);
    for (uint32_t i = 0; i < ring.count && ring.size != 0; ++i)
      see(units_.host().read(MemorySpace::scratch, ring.base + 4 * ((ring.head + i) % ring.size)));
  }
  for (const Cell cell : cells_) see(read_cell(units_.host(), cell));
  for (const uint64_t link : links_) see(static_cast<uint32_t>(link));
  for (const auto& [sequence, handles] : arriving_)
    for (const uint32_t handle : handles) see(handle);
  std::vector<Leak> out;
  for (size_t p = 0; p < pools_.size(); ++p)
    for (size_t i = 0; i < buffers_[p].size(); ++i)
      if (buffers_[p][i].state == State::used && buffers_[p][i].taken.known && !known[p][i])
        out.push_back({p, handle_of(p, i), buffers_[p][i].taken});
  return out;
}

}  // namespace weft::emulator
