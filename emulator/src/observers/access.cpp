#include "observers/access.h"

#include <algorithm>

#include "weft/isa/effects.h"

namespace weft::emulator {
namespace {

using Kind = CommandAccess::Kind;

constexpr uint32_t kBufferData = 0x2000;                      // MSF addresses of RBUF and TBUF data
constexpr uint32_t kFifoData = 1024;                          // bytes of RFIFO and TFIFO of the IXP1200
constexpr uint32_t kSramByte = 0x3fffffff, kLink = 0xffffff;  // within a channel; longword address of a buffer

/// What is asked of every command, in one place that is quick to reach.
struct Shape {
  isa::Access access{};
  isa::LockUse lock{};
  uint8_t low_bits = 0;                      ///< of addresses: 0 where they are aligned
  uint8_t longwords = 0, max_longwords = 0;  ///< per count, and at most (isa::longwords_moved)
  bool reads = false, in_word = false;       ///< into transfer registers; without any
  bool is_me1 = false;
};

std::array<Shape, isa::kInsnCount> make_shapes() {
  std::array<Shape, isa::kInsnCount> out{};
  for (const isa::InsnInfo& info : isa::all_instructions()) {
    const isa::Effects& effects = isa::effects(info.id);
    Shape& shape = out[static_cast<size_t>(info.id)];
    shape.access = effects.access;
    shape.lock = effects.lock;
    shape.low_bits = static_cast<uint8_t>(effects.alignment - 1);
    shape.longwords = effects.buffer_longwords != 0 ? effects.buffer_longwords : info.longwords_per_count;
    shape.max_longwords = effects.max_longwords;
    shape.reads = info.xfer == isa::XferUse::read || info.xfer == isa::XferUse::both;
    shape.in_word = info.xfer == isa::XferUse::none;
    shape.is_me1 = isa::enabled(isa::Profile::me1, info.id);
  }
  return out;
}
const std::array<Shape, isa::kInsnCount> kShapes = make_shapes();
const Shape& shape_of(isa::InsnId id) { return kShapes[static_cast<size_t>(id)]; }

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

void scratch_ring(CommandAccess& out, const Command& c, Units& units, bool get, unsigned n) {
  const unsigned number = (c.address & ~3u) / 4 % 16;
  const RingView r = units.host().ring(number);
  if (get) return ring(out, Kind::ring_get, number, n, r.base / 4, r.head, r.size, r.count);
  ring(out, Kind::ring_put, number, n, r.base / 4, r.tail, r.size, r.size - r.count);
}

void sram_ring(CommandAccess& out, const Command& c, Units& units, bool get, unsigned n) {
  const unsigned number = c.address >> 24 & 63;
  const QueueView q = units.host().queue(out.channel, number);
  const uint32_t size = 512u << q.ring_size_code, base = (get ? q.head : q.tail) & kLink & ~(size - 1);
  if (get) return ring(out, Kind::ring_get, number, n, base, q.head & (size - 1), size, q.count);
  // All or nothing.
  ring(out, Kind::ring_put, number, n, base, q.tail & (size - 1), size, q.count + n <= size ? size - q.count : 0);
}

/// Of the queue array, or the hardware lists of the IXP1200.
void queue(CommandAccess& out, const Command& c, Units& units, bool enqueue) {
  const bool hardware_list = isa::effects(c.op).has(isa::Role::list);
  out.kind = enqueue ? Kind::enqueue : Kind::dequeue;
  out.list = hardware_list ? c.list : c.address >> 24 & 63;
  if (enqueue) {
    out.link = hardware_list ? (c.address & kSramByte) / 4 : c.address & kLink;
    return;
  }
  out.count = 1;
  if (!hardware_list)
    out.link = units.host().queue(out.channel, out.list).head & kLink;
  else if (const auto list = units.host().list(out.list); !list.empty())
    out.link = list.front();
}

/// Where in the media buffer a transfer with DRAM begins; nothing when the unit will refuse it.
std::optional<uint32_t> buffer_byte(const Command& c) {
  if (!c.indirect) return std::nullopt;
  if (isa::enabled(isa::Profile::me1, c.op)) return (c.indirect_word & 127) * 8;
  if ((c.indirect_word >> 4 & 1) == 0) return std::nullopt;
  return c.indirect_word >> 5 & 0x1fff;
}

/// Between media buffers and transfer registers; registers of the interface are none of it.
void media(CommandAccess& out, const Command& c, Kind kind, unsigned n) {
  const Shape& shape = shape_of(c.op);
  const bool fifo = shape.is_me1;
  const uint32_t address = fifo ? c.address : c.address & 0x3ffc;
  if (fifo ? address >= kFifoData : address < kBufferData) return;
  if (shape.in_word) return;
  out.kind = kind;
  out.buffer = fifo ? address : address - kBufferData;
  out.count = std::max(1u, n);
}

}  // namespace

CommandAccess access_of(const Command& c, Units& units) {
  using isa::Access;
  CommandAccess out;
  out.cells[0] = kNoCell;
  const Shape& shape = shape_of(c.op);
  const auto moved = [&] {
    return std::min<unsigned>(shape.max_longwords, std::max<unsigned>(1, c.count) * shape.longwords);
  };
  const bool sram = c.unit == isa::Unit::sram;
  if (sram) out.space = MemorySpace::sram, out.channel = c.address >> 30;
  if (c.unit == isa::Unit::dram) out.space = MemorySpace::dram;
  const uint32_t address = c.address & (sram ? kSramByte : ~0u) & ~uint32_t{shape.low_bits};
  switch (shape.access) {
    case Access::read: block(out, Kind::read, address, moved()); break;
    case Access::write: block(out, Kind::write, address, moved()); break;
    case Access::atomic:
      out.answers = shape.reads;
      block(out, Kind::atomic, address, 1);
      break;
    case Access::ring_get:
    case Access::ring_put: {
      const bool get = shape.access == Access::ring_get;
      sram ? sram_ring(out, c, units, get, moved()) : scratch_ring(out, c, units, get, moved());
      break;
    }
    case Access::enqueue:
    case Access::dequeue: queue(out, c, units, shape.access == Access::enqueue); break;
    case Access::media_in:
    case Access::media_out:
      if (const auto buffer = buffer_byte(c)) {
        out.buffer = *buffer;
        block(out, shape.access == Access::media_in ? Kind::media_in : Kind::media_out, address, moved());
      }
      break;
    case Access::media_read: media(out, c, Kind::media_read, moved()); break;
    case Access::media_write: media(out, c, Kind::media_write, moved()); break;
    default: break;
  }
  if (shape.lock != isa::LockUse::none) {
    out.lock = shape.lock == isa::LockUse::take ? CommandAccess::Lock::take : CommandAccess::Lock::give;
    out.locked = cell_of(out.space, out.channel, address);
  }
  return out;
}

}  // namespace weft::emulator
