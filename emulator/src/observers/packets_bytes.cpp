// The packet tracker: who wrote which byte of a packet. Bytes are followed from the receive element to the buffer, from
// the buffer to the transmit element, and onto the wire; what instructions write in between is noted with its place and
// time.
#include <algorithm>

#include "observers/access.h"
#include "weft/emulator/observers/packets.h"
#include "weft/isa/effects.h"

namespace weft::emulator {
namespace {

using Kind = CommandAccess::Kind;

constexpr uint32_t kTxControl = 0x04, kTbufControl = 0x1800;
constexpr int64_t kNear = 256;                // bytes before and after a stored mpacket that are still of its buffer
constexpr uint64_t kInMemory = 0xffffffffff;  // longword number within a cell

uint64_t address_of(uint64_t cell) { return (cell & kInMemory) * 4; }

/// SDRAM of the IXP1200 takes a byte mask from the indirect word (src/units/sdram1200.cpp).
uint32_t byte_mask_of(const Command& command) {
  const bool masked = isa::effects(command.op).byte_mask && command.indirect && (command.indirect_word >> 20 & 1) != 0;
  return masked ? command.indirect_word >> 12 & 0xff : 0xff;
}

}  // namespace

int32_t PacketTracker::note_write(PacketBytes& bytes, const PacketWrite& write) const {
  if (bytes.writes.size() >= limits_.writes) {
    ++bytes.missing;
    return PacketPiece::kUnknown;
  }
  bytes.writes.push_back(write);
  return static_cast<int32_t>(bytes.writes.size() - 1);
}

/// Which byte of the frame lies there, or would: counted from the nearest mpacket that was stored. None: far from all
/// of them.
std::optional<int32_t> PacketTracker::frame_offset(const Live& live, uint64_t address) const {
  std::optional<int32_t> best;
  int64_t distance = kNear + 1;
  for (const Live::Stored& stored : live.stored) {
    const auto at = static_cast<int64_t>(address), begin = static_cast<int64_t>(stored.address),
               end = begin + stored.length;
    const int64_t away = at < begin ? begin - at : at >= end ? at - end : -1;
    if (away >= distance) continue;
    distance = away;
    best = static_cast<int32_t>(at - begin + stored.offset);
  }
  return best;
}

void PacketTracker::bytes_served(const Command& command, const CommandAccess& access, uint32_t packet) {
  const bool in_dram = access.space == MemorySpace::dram;
  if (access.count == 0) return;
  PacketWrite write;
  write.engine = command.from.engine;
  write.context = command.from.context;
  write.cycle = now_cycle();
  if (const auto open = open_.find(command.sequence); open != open_.end()) write.pc = open->second.pc;
  if (const auto& words = words_[write.engine]; write.pc < words.size()) write.place = words[write.pc].place;
  switch (access.kind) {
    case Kind::media_in: return bytes_stored(access, write);
    case Kind::media_out: return bytes_copied(access, write);
    case Kind::write:
    case Kind::media_write: {
      Live* live = find(packet);
      if (live == nullptr || (access.kind == Kind::write && !in_dram)) return;
      pulling_ = {packet, write, access.buffer, 0, 0xff};
      pulling_.write.kind = PacketWrite::Kind::element;
      if (access.kind == Kind::media_write) return;
      pulling_.write.kind = PacketWrite::Kind::buffer;
      pulling_.at = address_of(access.cells[0]);
      pulling_.byte_mask = byte_mask_of(command);
      // Tables and notes elsewhere in memory are not of the packet.
      const auto offset = frame_offset(*live, pulling_.at);
      if (!offset)
        pulling_.packet = 0;
      else
        pulling_.write.offset = *offset;
      return;
    }
    default: return;
  }
}

void PacketTracker::bytes_stored(const CommandAccess& access, PacketWrite write) {
  const unsigned size = std::max(64u, units_.mpacket_bytes());
  const size_t element = access.buffer / size % rbuf_.size();
  Live* live = find(rbuf_[element]);
  if (live == nullptr || element >= held_.size()) return;
  const Element& held = held_[element];
  const uint32_t within = access.buffer % size;
  if (within >= held.length) return;
  const uint32_t length = std::min<uint32_t>(4 * access.count, held.length - within);
  const uint64_t address = address_of(access.cells[0]);
  live->buffer.set({address, length, live->record.number, PacketPiece::kReceived, held.first + within});
  live->stored.push_back({address, held.first + within, length});
  write.kind = PacketWrite::Kind::stored;
  write.offset = static_cast<int32_t>(held.first + within);
  write.length = length;
  note_write(live->record.bytes_of, write);
}

void PacketTracker::bytes_copied(const CommandAccess& access, PacketWrite write) {
  // The longwords have the number of the packet by now; padding after it may have another one.
  const uint32_t packet = tbuf_[access.buffer / 4 % tbuf_.size()];
  Live* live = find(packet);
  const uint64_t from = address_of(access.cells[0]);
  const uint32_t length = 4 * access.count;
  if (live == nullptr) return elements_.set({access.buffer, length});
  for (const ByteSources::Run& run : live->buffer.look(from, length))
    elements_.set({access.buffer + (run.at - from), run.length, packet,
                   run.packet == packet ? run.source : PacketPiece::kUnknown, run.from});
  write.kind = PacketWrite::Kind::copied;
  write.offset = frame_offset(*live, from).value_or(0);
  write.length = length;
  note_write(live->record.bytes_of, write);
}

/// A longword of a write. Bytes that a mask leaves out stay as they are, so that such a write falls into several.
void PacketTracker::bytes_pulled(uint32_t value) {
  Live* live = find(pulling_.packet);
  if (live == nullptr) return;
  PacketBytes& bytes = live->record.bytes_of;
  const unsigned index = pulling_.done++, mask = pulling_.byte_mask >> (index % 2 == 0 ? 4 : 0) & 15;
  ByteSources& there = pulling_.write.kind == PacketWrite::Kind::buffer ? live->buffer : elements_;
  for (unsigned byte = 0; byte < 4;) {
    if ((mask >> (3 - byte) & 1) == 0) {
      ++byte;
      continue;
    }
    unsigned length = 1;
    while (byte + length < 4 && (mask >> (3 - byte - length) & 1) != 0) ++length;
    const uint32_t at = 4 * index + byte;
    PacketWrite write = pulling_.write;
    write.offset += static_cast<int32_t>(at);
    write.length = length;
    write.first = static_cast<uint32_t>(bytes.written.size());
    PacketWrite* last = bytes.writes.empty() ? nullptr : &bytes.writes.back();
    const bool goes_on = last != nullptr && at != 0 && last->kind == write.kind && last->cycle == write.cycle &&
                         last->pc == write.pc && last->engine == write.engine && last->context == write.context &&
                         last->first + last->length == write.first &&
                         last->offset + static_cast<int32_t>(last->length) == write.offset;
    uint32_t from = 0;
    int32_t source = PacketPiece::kUnknown;
    if (goes_on) {
      from = last->length;
      last->length += length;
      source = static_cast<int32_t>(bytes.writes.size() - 1);
    } else {
      source = note_write(bytes, write);
    }
    for (unsigned i = byte; source != PacketPiece::kUnknown && i < byte + length; ++i)
      bytes.written.push_back(static_cast<uint8_t>(value >> (24 - 8 * i)));
    there.set({pulling_.at + at, length, pulling_.packet, source, from});
    byte += length;
  }
}

// What of an element goes onto the wire: Msf::tbuf_fields (src/media/transmit.cpp). On an IXP1200 all of it, from its
// first byte.
void PacketTracker::bytes_taken(const MediaEvent& event, uint32_t packet, PortShadow& port) {
  if (event.sop) port.pieces.clear();
  const uint32_t carried = event.sop || port.gathering == 0 ? packet : port.gathering;
  Live* live = find(carried);
  if (live == nullptr) return;
  uint32_t at = 0;
  for (const PacketPiece& piece : port.pieces) at += piece.length;
  const auto add = [&](uint64_t first, uint32_t length) {
    for (const ByteSources::Run& run : elements_.look(first, length)) {
      PacketPiece piece{run.length, run.packet == carried ? run.source : PacketPiece::kUnknown, run.from};
      if (piece.source >= 0) {
        PacketWrite& write = live->record.bytes_of.writes[static_cast<size_t>(piece.source)];
        if (write.kind == PacketWrite::Kind::element)
          write.offset = static_cast<int32_t>(at) - static_cast<int32_t>(run.from);
      }
      at += run.length;
      PacketPiece* last = port.pieces.empty() ? nullptr : &port.pieces.back();
      if (last != nullptr && last->source == piece.source &&
          (piece.source == PacketPiece::kUnknown || last->from + last->length == piece.from))
        last->length += piece.length;
      else
        port.pieces.push_back(piece);
    }
  };
  if (machine_.timing().profile == isa::Profile::me1) return add(event.element * 64u, event.length);
  const uint32_t size = 64u << std::min(2u, units_.host().read_msf(kTxControl) >> 2 & 3);
  const uint32_t control = units_.host().read_msf(kTbufControl + 8u * event.element);
  const uint32_t prepend = control >> 16 & 31, prepend_first = control >> 21 & 7;
  const uint32_t behind = prepend == 0 ? 0 : (prepend_first + prepend + 7) & ~7u;
  add(event.element * size + prepend_first, prepend);
  add(event.element * size + behind + (control >> 13 & 7), event.length - std::min(event.length, prepend));
}

/// What was worked out is checked against the wire: where they differ the wire is right, and the writer is not known.
void PacketTracker::bytes_sent(PacketRecord& record, std::vector<PacketPiece> pieces,
                               const std::vector<uint8_t>* frame) const {
  PacketBytes& bytes = record.bytes_of;
  bytes.sent = std::move(pieces);
  if (frame == nullptr) {  // over a link
    for (const PacketPiece& piece : bytes.sent)
      if (piece.source == PacketPiece::kUnknown) bytes.unexplained += piece.length;
    return;
  }
  const FrameState found = sent_state(record.data, bytes);
  const bool same = found.bytes == *frame &&
                    std::find(found.source.begin(), found.source.end(), PacketPiece::kUnknown) == found.source.end();
  if (same) return;
  std::vector<PacketPiece> out;
  for (uint32_t i = 0; i < frame->size(); ++i) {
    const bool known =
        i < found.bytes.size() && found.source[i] != PacketPiece::kUnknown && found.bytes[i] == (*frame)[i];
    const ByteOrigin origin =
        known ? origin_of(bytes, i) : ByteOrigin{PacketPiece::kUnknown, static_cast<uint32_t>(bytes.written.size())};
    if (!known) {
      bytes.written.push_back((*frame)[i]);
      ++bytes.unexplained;
    }
    if (!out.empty() && out.back().source == origin.source && out.back().from + out.back().length == origin.from)
      ++out.back().length;
    else
      out.push_back({1, origin.source, origin.from});
  }
  bytes.sent = std::move(out);
}

}  // namespace weft::emulator
