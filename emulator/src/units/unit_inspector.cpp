#include "weft/emulator/unit_inspector.h"

#include <algorithm>

#include "media/msf.h"
#include "units/fbi.h"
#include "units/units_impl.h"
#include "units/units_state.h"

namespace weft::emulator {
namespace {

constexpr uint32_t kMsfBufferBytes = 8192;

}  // namespace

std::vector<UnitQueues> UnitInspector::queues() const {
  units_->impl_->bus.settle();
  std::vector<UnitQueues> out;
  for (const UnitQueue* queue : units_->impl_->parts->queues()) {
    const QueueState& state = queue->queue();
    UnitQueues& view = out.emplace_back();
    view.name = queue->name();
    view.held = state.held;
    view.queues = queue->look();
    CommandQueue core{"control processor", 0, {}};
    for (const CoreCommand& c : state.core) core.commands.push_back({c.command, c.arrival, true});
    if (!core.commands.empty()) view.queues.push_back(std::move(core));
    for (const Reply& r : state.replies)
      view.answers.push_back({r.command, r.to, r.d, r.xfer, r.count, r.signals, r.at});
  }
  return out;
}

unsigned UnitInspector::sram_channels() const {
  unsigned count = 0;
  while (units_->impl_->parts->channel(count) != nullptr) ++count;
  return count;
}
unsigned UnitInspector::scratch_rings() const { return units_->impl_->parts->rings() != nullptr ? 16 : 0; }
bool UnitInspector::ring_shows_full(unsigned ring) const {
  const Scratch* scratch = units_->impl_->parts->rings();
  return scratch != nullptr && scratch->near_full(ring);
}
bool UnitInspector::cell_mode(unsigned channel) const {
  const SramChannel* sram = units_->impl_->parts->channel(channel);
  return sram != nullptr && sram->cell_mode();
}

uint32_t UnitInspector::buffer_bytes(MediaBuffer buffer) const {
  ChipUnits& parts = *units_->impl_->parts;
  const bool fifo = buffer == MediaBuffer::rfifo || buffer == MediaBuffer::tfifo;
  if (fifo) return parts.fbi() != nullptr ? parts.fbi()->fifo_bytes() : 0;
  return parts.msf() != nullptr ? kMsfBufferBytes : 0;
}

uint32_t UnitInspector::read_buffer(MediaBuffer buffer, uint32_t offset) const {
  if (offset >= buffer_bytes(buffer)) return 0;
  const ChipUnits& parts = *units_->impl_->parts;
  ChipUnits& some = const_cast<ChipUnits&>(parts);  // its parts are given without const, for the host
  switch (buffer) {
    case MediaBuffer::rbuf: return some.msf()->state().rbuf[offset / 4];
    case MediaBuffer::tbuf: return some.msf()->state().tbuf[offset / 4];
    case MediaBuffer::rfifo: return some.fbi()->read_rfifo(offset);
    case MediaBuffer::tfifo: return some.fbi()->read_tfifo(offset);
  }
  return 0;
}

unsigned UnitInspector::element_bytes(MediaBuffer buffer) const {
  if (buffer_bytes(buffer) == 0) return 0;
  const Msf* msf = units_->impl_->parts->msf();
  if (buffer == MediaBuffer::rbuf) return msf->rbuf_element_bytes();
  if (buffer == MediaBuffer::tbuf) return msf->tbuf_element_bytes();
  return kFifoElementBytes;
}

std::vector<BufferElement> UnitInspector::elements(MediaBuffer buffer) const {
  using State = BufferElement::State;
  std::vector<BufferElement> out;
  const unsigned bytes = element_bytes(buffer);
  if (bytes == 0) return out;
  const unsigned count = buffer_bytes(buffer) / bytes;
  for (unsigned n = 0; n < count; ++n) {
    BufferElement& e = out.emplace_back();
    e.number = n;
    e.offset = n * bytes;
    e.bytes = bytes;
  }
  if (const Msf* msf = units_->impl_->parts->msf()) {
    const MsfState& state = msf->state();
    const Partitions parts = buffer == MediaBuffer::rbuf ? msf->rbuf_partitions() : msf->tbuf_partitions();
    const size_t control_longwords = 2;  // of each TBUF element
    for (BufferElement& e : out) {
      e.partition = parts.of(e.number, count);
      if (buffer == MediaBuffer::rbuf) {
        e.state = state.rbuf_free[e.number] ? State::free : State::used;
      } else {
        e.state = state.tbuf_valid[e.number] ? State::valid : State::free;
        e.status = state.tbuf_control[(e.number * control_longwords) & 255];
      }
    }
    if (buffer == MediaBuffer::rbuf)
      for (const auto& list : state.full)
        for (const auto& status : list) {
          const uint32_t element = status[0] >> 24;
          if (element >= out.size()) continue;
          out[element].state = State::full;
          out[element].status = status[0];
        }
    return out;
  }
  const IxBusState& state = units_->impl_->parts->fbi()->state().ix;
  for (BufferElement& e : out) {
    if (buffer == MediaBuffer::tfifo) {
      e.state = state.valid[e.number & 15] ? State::valid : State::free;
      e.status = state.control[e.number & 15];
    } else if ((state.filled >> e.number & 1) != 0) {
      e.state = State::used;
    }
  }
  if (buffer == MediaBuffer::rfifo)
    for (const ReceiveStatus& status : state.statuses) {
      const uint32_t element = status.word >> 8 & 15;
      out[element].state = State::full;
      out[element].status = status.word;
    }
  return out;
}

std::vector<WaitingContext> UnitInspector::waiting() const {
  std::vector<WaitingContext> out;
  if (const Msf* msf = units_->impl_->parts->msf()) {
    for (unsigned list = 0; list < msf->state().waiting.size(); ++list)
      for (const FreelistEntry& e : msf->state().waiting[list])
        out.push_back({list, e.context, e.xfer, e.signal, e.since});
  } else if (const Fbi* fbi = units_->impl_->parts->fbi()) {
    for (const ReceiveRequest& r : fbi->state().ix.requests)
      out.push_back({r.port, r.to, r.element, fbi_event::kStartReceive, r.due});
  }
  return out;
}

std::vector<uint32_t> UnitInspector::locks() const {
  std::vector<uint32_t> out;
  if (const Sram1200* sram = units_->impl_->parts->sram1200())
    for (const uint32_t longword : sram->state().locks) out.push_back(longword * 4);
  return out;
}
unsigned UnitInspector::lists() const {
  const Sram1200* sram = units_->impl_->parts->sram1200();
  return sram != nullptr ? static_cast<unsigned>(sram->state().heads.size()) : 0;
}
std::optional<ReadyFlags> UnitInspector::ready() const {
  Fbi* fbi = units_->impl_->parts->fbi();
  if (fbi == nullptr) return std::nullopt;
  const auto both = [&](uint32_t low, uint32_t high) {
    return uint64_t{fbi->read_csr(high)} << 32 | fbi->read_csr(low);
  };
  return ReadyFlags{both(fbi_csr::kReceiveReadyLow, fbi_csr::kReceiveReadyHigh),
                    both(fbi_csr::kTransmitReadyLow, fbi_csr::kTransmitReadyHigh)};
}

uint32_t UnitInspector::csr(uint32_t number) const {
  Fbi* fbi = units_->impl_->parts->fbi();
  if (fbi != nullptr && (number & 0x3fc) == fbi_csr::kSelfDestruct) return fbi->state().csr[fbi_csr::kSelfDestruct / 4];
  return units_->impl_->parts->read_csr(number);
}

const void* memory_page(const UnitsState& state, MemorySpace space, unsigned channel, uint64_t byte_address) {
  const PagedMemory* memory = nullptr;
  if (const auto* later = std::get_if<Ixp2000State>(&state.chip)) {
    memory = space == MemorySpace::scratch  ? &later->scratch.unit.memory
             : space == MemorySpace::dram   ? &later->dram.unit.memory
             : channel < later->sram.size() ? &later->sram[channel].unit.memory
                                            : nullptr;
  } else if (const auto* first = std::get_if<Ixp1200State>(&state.chip)) {
    memory = space == MemorySpace::scratch ? &first->fbi.unit.scratch
             : space == MemorySpace::dram  ? &first->sdram.unit.memory
                                           : &first->sram.unit.memory;
  }
  const void* out = nullptr;
  constexpr uint64_t kPageBytes = PagedMemory::kPageLongwords * 4;
  if (memory != nullptr)
    memory->for_each_page([&](uint64_t address, std::span<const uint32_t> longwords) {
      if (address / kPageBytes == byte_address / kPageBytes) out = longwords.data();
    });
  return out;
}

}  // namespace weft::emulator
