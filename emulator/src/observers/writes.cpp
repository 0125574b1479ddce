#include "weft/emulator/writes.h"

#include <algorithm>

#include "observers/access.h"
#include "weft/isa/effects.h"

namespace weft::emulator {
namespace {

using isa::Access;
using Kind = CommandAccess::Kind;

constexpr uint32_t kAddress = 0xffffff;    // longword addresses in the queue array
constexpr uint32_t kBufferData = 0x2000;   // MSF address of TBUF data
constexpr uint32_t kFastAddress = 0xfffc;  // of msf[fast_wr]

void sram_longwords(std::vector<Extent>& out, unsigned channel, uint64_t longword, unsigned count) {
  out.push_back({false, MemorySpace::sram, channel, {}, longword * 4, (longword + count) * 4});
}

/// IXP1200: the byte mask of a write to SDRAM, bit 7 for the first byte of each quadword, lets nothing of the longword
/// through.
bool masks_out(const Command& c, unsigned longword) {
  if (!isa::effects(c.op).byte_mask || !c.indirect || (c.indirect_word >> 20 & 1) == 0) return false;
  return (c.indirect_word >> (longword % 2 == 0 ? 16 : 12) & 15) == 0;
}

/// Ring, journal and queue bodies, and descriptors: what access_of() does not follow.
void queue_array(std::vector<Extent>& out, const Command& c, Units& units, unsigned n) {
  const unsigned channel = c.address >> 30, number = c.address >> 24 & 63;
  const QueueView q = units.host().queue(channel, number);
  const uint32_t size = 512u << q.ring_size_code, tail = q.tail & kAddress;
  switch (isa::effects(c.op).access) {
    case Access::journal: {
      const unsigned count = std::max(1u, n);
      for (unsigned i = 0; i < count; ++i)
        sram_longwords(out, channel, (tail & ~(size - 1)) | ((tail + i) & (size - 1)), 1);
      return;
    }
    case Access::enqueue:  // the link of the last buffer; the first one's is the entry itself
      if ((q.head & kAddress) != 0) sram_longwords(out, channel, tail, 1);
      return;
    case Access::queue_store: return sram_longwords(out, channel, c.address & kAddress, 3);
    case Access::queue_store_count: return sram_longwords(out, channel, (c.address & kAddress) + 2, 1);
    default: return;
  }
}

}  // namespace

std::vector<Extent> writes_of(const Command& c, Units& units) {
  std::vector<Extent> out;
  const isa::Effects& effects = isa::effects(c.op);
  const unsigned n = isa::longwords_moved(c.op, c.count);
  const bool hardware_list = effects.has(isa::Role::list);
  const UnitInspector look(units);
  const bool fifos = look.buffer_bytes(MediaBuffer::tfifo) != 0;
  const auto buffer = [&](uint32_t first, unsigned longwords) {
    const MediaBuffer which = fifos ? MediaBuffer::tfifo : MediaBuffer::tbuf;
    const uint32_t bytes = look.buffer_bytes(which);
    const uint64_t begin = first % bytes, end = begin + uint64_t{4} * longwords;
    out.push_back({true, {}, 0, which, begin, std::min<uint64_t>(end, bytes)});
    if (end > bytes) out.push_back({true, {}, 0, which, 0, end - bytes});  // after the last byte the first one follows
  };
  const CommandAccess access = access_of(c, units);
  switch (access.kind) {
    case Kind::write:
    case Kind::atomic:
    case Kind::ring_put:
    case Kind::media_in:
      for (unsigned i = 0; i < access.count; ++i) {
        if (access.cells[i] == kNoCell) continue;
        if (masks_out(c, i)) continue;
        const uint64_t byte = (access.cells[i] & 0xffffffffff) * 4;
        if (!out.empty() && out.back().end == byte)
          out.back().end += 4;
        else
          out.push_back({false, access.space, access.channel, {}, byte, byte + 4});
      }
      break;
    case Kind::media_out:
    case Kind::media_write: buffer(access.buffer, access.count); break;
    case Kind::enqueue:
      if (hardware_list) sram_longwords(out, access.channel, access.link, 1);
      break;
    default: break;
  }
  if (c.unit == isa::Unit::sram && !hardware_list) queue_array(out, c, units, n);
  if (effects.access == Access::media_write && isa::info(c.op).xfer == isa::XferUse::none &&
      (c.address & kFastAddress) >= kBufferData)
    buffer((c.address & kFastAddress) - kBufferData, 1);
  return out;
}

Moved moved_by(const Command& c, Units& units) {
  const CommandAccess access = access_of(c, units);
  Moved out;
  out.space = access.space;
  out.channel = access.channel;
  out.count = access.count;
  const bool fifos = UnitInspector(units).buffer_bytes(MediaBuffer::tfifo) != 0;
  switch (access.kind) {
    case Kind::read:
    case Kind::ring_get: out.reads = true; break;
    case Kind::write:
    case Kind::ring_put: out.writes = true; break;
    case Kind::atomic: out.reads = out.writes = true; break;
    case Kind::media_in:
    case Kind::media_read:
      out.writes = access.kind == Kind::media_in;
      out.buffer = fifos ? MediaBuffer::rfifo : MediaBuffer::rbuf;
      out.from_buffer = true;
      break;
    case Kind::media_out:
    case Kind::media_write:
      out.reads = access.kind == Kind::media_out;
      out.buffer = fifos ? MediaBuffer::tfifo : MediaBuffer::tbuf;
      break;
    default: out.count = 0; return out;
  }
  if (out.buffer) out.first = access.buffer % std::max(1u, UnitInspector(units).buffer_bytes(*out.buffer));
  if (out.reads || out.writes)
    for (unsigned i = 0; i < access.count; ++i)
      out.bytes.push_back(access.cells[i] == kNoCell ? Moved::kElsewhere : (access.cells[i] & 0xffffffffff) * 4);
  return out;
}

std::vector<Extent> ring_put_of(unsigned ring, unsigned before, Units& units) {
  const RingView r = units.host().ring(ring);
  if (r.size == 0 || r.count + before >= r.size) return {};
  const uint64_t byte = r.base + uint64_t{4} * ((r.tail + before) % r.size);
  return {{false, MemorySpace::scratch, 0, {}, byte, byte + 4}};
}

}  // namespace weft::emulator
