#include "observers/access.h"

#include <algorithm>

#include "units/atomic.h"

namespace weft::emulator {
namespace {

using isa::InsnId;
using Kind = CommandAccess::Kind;

constexpr uint32_t kBufferData = 0x2000;  // MSF addresses of RBUF and TBUF data
constexpr uint32_t kFifoData = 1024;      // bytes of RFIFO and TFIFO of the IXP1200

void block(CommandAccess& out, Kind kind, uint64_t address, unsigned longwords) {
  out.kind = kind;
  out.count = std::min(32u, longwords);
  for (unsigned i = 0; i < out.count; ++i) out.cells[i] = cell_of(out.space, out.channel, address + 4 * i);
}

/// `base` and positions in longwords; positions wrap at `size`.
void ring(CommandAccess& out, Kind kind, unsigned number, unsigned longwords, uint64_t base, uint64_t position,
          uint64_t size, uint64_t available) {
  out.kind = kind;
  out.list = number;
  out.count = std::min(32u, longwords);
  for (unsigned i = 0; i < out.count; ++i)
    out.cells[i] =
        i < available && size != 0 ? cell_of(out.space, out.channel, (base + (position + i) % size) * 4) : kNoCell;
}

void scratch(CommandAccess& out, const Command& c, Units& units, unsigned n) {
  out.space = MemorySpace::scratch;
  const uint32_t address = c.address & ~3u;
  switch (c.op) {
    case InsnId::scratch_read: return block(out, Kind::read, address, n);
    case InsnId::scratch_write: return block(out, Kind::write, address, n);
    case InsnId::scratch_get:
    case InsnId::scratch_put: {
      const unsigned number = address / 4 % 16;
      const RingView r = units.host().ring(number);
      if (c.op == InsnId::scratch_get) return ring(out, Kind::ring_get, number, n, r.base / 4, r.head, r.size, r.count);
      return ring(out, Kind::ring_put, number, n, r.base / 4, r.tail, r.size, r.size - r.count);
    }
    default: return;
  }
}

void sram(CommandAccess& out, const Command& c, Units& units, unsigned n) {
  out.space = MemorySpace::sram;
  out.channel = c.address >> 30;
  const uint32_t address = c.address & 0x3ffffffc;
  const unsigned number = c.address >> 24 & 63;
  constexpr uint32_t kAddress = 0xffffff;
  switch (c.op) {
    case InsnId::sram_read: return block(out, Kind::read, address, n);
    case InsnId::sram_write: return block(out, Kind::write, address, n);
    case InsnId::sram_read_lock:
    case InsnId::sram_write_unlock:
    case InsnId::sram_unlock:
      if (c.op == InsnId::sram_read_lock) block(out, Kind::read, address, n);
      if (c.op == InsnId::sram_write_unlock) block(out, Kind::write, address, n);
      out.lock = c.op == InsnId::sram_read_lock ? CommandAccess::Lock::take : CommandAccess::Lock::give;
      out.locked = cell_of(out.space, out.channel, address);
      return;
    case InsnId::sram_push:
      out.kind = Kind::enqueue;
      out.list = c.list;
      out.link = address / 4;
      return;
    case InsnId::sram_pop: {
      const auto list = units.host().list(c.list);
      out.kind = Kind::dequeue;
      out.list = c.list;
      out.link = list.empty() ? 0 : list.front();
      out.count = 1;
      return;
    }
    case InsnId::sram_get:
    case InsnId::sram_put: {
      const QueueView q = units.host().queue(out.channel, number);
      const uint32_t size = 512u << q.ring_size_code,
                     base = (c.op == InsnId::sram_get ? q.head : q.tail) & kAddress & ~(size - 1);
      if (c.op == InsnId::sram_get)
        return ring(out, Kind::ring_get, number, n, base, q.head & (size - 1), size, q.count);
      // All or nothing.
      return ring(out, Kind::ring_put, number, n, base, q.tail & (size - 1), size,
                  q.count + n <= size ? size - q.count : 0);
    }
    case InsnId::sram_enqueue:
      out.kind = Kind::enqueue;
      out.list = number;
      out.link = c.address & kAddress;
      return;
    case InsnId::sram_dequeue:
      out.kind = Kind::dequeue;
      out.list = number;
      out.link = units.host().queue(out.channel, number).head & kAddress;
      out.count = 1;
      return;
    default: return;
  }
}

void dram(CommandAccess& out, const Command& c) {
  out.space = MemorySpace::dram;
  const unsigned n = 2 * std::clamp(unsigned{c.count}, 1u, 16u);
  const uint64_t address = c.address & ~7u;
  switch (c.op) {
    case InsnId::sdram_read: return block(out, Kind::read, address, std::min(n, 16u));
    case InsnId::sdram_write: return block(out, Kind::write, address, std::min(n, 16u));
    case InsnId::sdram_r_fifo_rd:
    case InsnId::sdram_t_fifo_wr:
      if (!c.indirect) return;  // refused
      out.buffer = (c.indirect_word & 127) * 8;
      return block(out, c.op == InsnId::sdram_r_fifo_rd ? Kind::media_in : Kind::media_out, address, std::min(n, 16u));
    case InsnId::dram_read: return block(out, Kind::read, address, n);
    case InsnId::dram_write: return block(out, Kind::write, address, n);
    case InsnId::dram_rbuf_rd:
    case InsnId::dram_tbuf_wr:
      if (!c.indirect || (c.indirect_word >> 4 & 1) == 0) return;  // refused
      out.buffer = c.indirect_word >> 5 & 0x1fff;
      return block(out, c.op == InsnId::dram_rbuf_rd ? Kind::media_in : Kind::media_out, address, n);
    default: return;
  }
}

}  // namespace

CommandAccess access_of(const Command& c, Units& units) {
  CommandAccess out;
  const unsigned n = std::min(32u, unsigned{c.count} * isa::info(c.op).longwords_per_count);
  if (const auto atomic = atomic_of(c.op)) {
    const bool in_sram = c.unit == isa::Unit::sram;
    out.space = in_sram ? MemorySpace::sram : MemorySpace::scratch;
    out.channel = in_sram ? c.address >> 30 : 0;
    out.answers = atomic->returns_old;
    block(out, Kind::atomic, in_sram ? c.address & 0x3ffffffc : c.address & ~3u, 1);
    return out;
  }
  switch (c.unit) {
    case isa::Unit::scratch: scratch(out, c, units, n); break;
    case isa::Unit::sram: sram(out, c, units, n); break;
    case isa::Unit::dram: dram(out, c); break;
    case isa::Unit::msf: {
      if (c.op == InsnId::r_fifo_rd || c.op == InsnId::t_fifo_wr) {
        if (c.address >= kFifoData) break;  // control words of the TFIFO
        out.kind = c.op == InsnId::r_fifo_rd ? Kind::media_read : Kind::media_write;
        out.buffer = c.address;
        out.count = std::max(1u, n);
        break;
      }
      const uint32_t address = c.address & 0x3ffc;
      const bool reads = c.op == InsnId::msf_read || c.op == InsnId::msf_read64;
      const bool writes = c.op == InsnId::msf_write || c.op == InsnId::msf_write64;
      if (address < kBufferData || (!reads && !writes)) break;
      out.kind = reads ? Kind::media_read : Kind::media_write;
      out.buffer = address - kBufferData;
      out.count = std::max(1u, n);
      break;
    }
    default: break;
  }
  return out;
}

}  // namespace weft::emulator
