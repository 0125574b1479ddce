#include <utility>

#include "units/units_impl.h"

namespace weft::emulator {

PagedMemory* HostPort::locate(MemorySpace space, uint32_t& address) const {
  Units::Impl& parts = *units_->impl_;
  switch (space) {
    case MemorySpace::scratch: return &parts.scratch.memory();
    case MemorySpace::dram: return &parts.dram.memory();
    case MemorySpace::sram: {
      SramChannel* channel = parts.channel(SramChannel::channel_of(address));
      address &= 0x3fffffff;
      return channel ? &channel->memory() : nullptr;
    }
  }
  return nullptr;
}

uint64_t HostPort::size(MemorySpace space, unsigned channel) const {
  uint32_t address = space == MemorySpace::sram ? channel << 30 : 0;
  const PagedMemory* memory = channel < 4 ? locate(space, address) : nullptr;
  return memory ? memory->bytes() : 0;
}

uint32_t HostPort::read(MemorySpace space, uint32_t address) const {
  const PagedMemory* memory = locate(space, address);
  return memory ? memory->read(address) : 0;
}

void HostPort::write(MemorySpace space, uint32_t address, uint32_t value) {
  if (PagedMemory* memory = locate(space, address)) memory->write(address, value);
}

void HostPort::read_bytes(MemorySpace space, uint32_t address, std::span<uint8_t> out) const {
  if (const PagedMemory* memory = locate(space, address)) memory->read_bytes(address, out);
}

void HostPort::write_bytes(MemorySpace space, uint32_t address, std::span<const uint8_t> in) {
  if (PagedMemory* memory = locate(space, address)) memory->write_bytes(address, in);
}

bool HostPort::set_ring(unsigned ring, uint32_t base, uint32_t size, bool status_is_empty) {
  return units_->impl_->scratch.set_ring(ring, base, size, status_is_empty);
}

RingView HostPort::ring(unsigned ring) const {
  const ScratchRing& r = units_->impl_->scratch.ring(ring);
  return {r.base, r.size, r.head, r.tail, r.count, r.status_is_empty};
}

bool HostPort::ring_put(unsigned ring, std::span<const uint32_t> words) {
  Scratch& scratch = units_->impl_->scratch;
  if (scratch.ring(ring).count + words.size() > scratch.ring(ring).size) return false;
  for (const uint32_t word : words) {
    if (CommandWatcher* watcher = units_->impl_->bus.watcher) watcher->on_host_ring(ring, true, word);
    scratch.put(ring, word);
  }
  return true;
}

std::optional<uint32_t> HostPort::ring_get(unsigned ring) {
  Scratch& scratch = units_->impl_->scratch;
  if (CommandWatcher* watcher = units_->impl_->bus.watcher; watcher != nullptr && scratch.ring(ring).count != 0)
    watcher->on_host_ring(ring, false, scratch.memory().read(scratch.ring(ring).base + 4 * scratch.ring(ring).head));
  return scratch.get(ring);
}

QueueView HostPort::queue(unsigned channel, unsigned entry) const {
  SramChannel* sram = units_->impl_->channel(channel);
  if (!sram) return {};
  QueueArray array = sram->queues();
  const QueueEntry& q = array.entry(entry);
  return {q.head, q.tail, q.count, q.head >> 29};
}

void HostPort::set_queue(unsigned channel, unsigned entry, const QueueView& value) {
  SramChannel* sram = units_->impl_->channel(channel);
  if (!sram) return;
  QueueArray array = sram->queues();
  uint32_t head = value.head;
  if (value.ring_size_code != 0) head = (head & 0x1fffffff) | value.ring_size_code << 29;
  array.entry(entry) = {head, value.tail & QueueArray::kAddress, value.count & QueueArray::kAddress, 0};
}

void HostPort::enqueue(unsigned channel, unsigned entry, uint32_t buffer) {
  if (SramChannel* sram = units_->impl_->channel(channel)) sram->queues().enqueue(entry, buffer);
}

uint32_t HostPort::dequeue(unsigned channel, unsigned entry) {
  SramChannel* sram = units_->impl_->channel(channel);
  return sram ? sram->queues().dequeue(entry, sram->cell_mode()) : 0;
}

uint32_t HostPort::read_msf(uint32_t address) const { return units_->impl_->msf.read_register(address & 0x3ffc); }

void HostPort::write_msf(uint32_t address, uint32_t value, Tick now) {
  units_->impl_->msf.write_register(address & 0x3ffc, value, now);
  units_->impl_->msf.pump(now);
}

uint32_t HostPort::read_tbuf(uint32_t offset) const { return units_->impl_->msf.state().tbuf[offset / 4 & 2047]; }

uint32_t HostPort::read_cap(uint32_t csr) const { return units_->impl_->cap.read_csr(csr); }
void HostPort::write_cap(uint32_t csr, uint32_t value) { units_->impl_->cap.write_csr(csr, value, std::nullopt); }

uint64_t HostPort::interrupts(unsigned line, unsigned group) const { return units_->impl_->cap.interrupts(line, group); }

uint64_t HostPort::take_interrupts(unsigned line, unsigned group) {
  return std::exchange(units_->impl_->cap.interrupts(line, group), 0);
}

}  // namespace weft::emulator
