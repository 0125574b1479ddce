#include <algorithm>
#include <utility>

#include "units/ixp1200.h"
#include "units/ixp2000.h"
#include "units/units_impl.h"

namespace weft::emulator {

PagedMemory* HostPort::locate(MemorySpace space, uint32_t& address) const {
  return units_->impl_->parts->memory(space, address);
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

uint64_t HostPort::sum(MemorySpace space, uint32_t address, unsigned count) const {
  const PagedMemory* memory = locate(space, address);
  return memory != nullptr ? memory->sum(address & ~3u, count) : 0;
}

void HostPort::write(MemorySpace space, uint32_t address, uint32_t value) {
  units_->impl_->bus.settle();
  if (PagedMemory* memory = locate(space, address)) memory->write(address, value);
}

void HostPort::read_bytes(MemorySpace space, uint32_t address, std::span<uint8_t> out) const {
  if (const PagedMemory* memory = locate(space, address)) memory->read_bytes(address, out);
}

void HostPort::write_bytes(MemorySpace space, uint32_t address, std::span<const uint8_t> in) {
  units_->impl_->bus.settle();
  if (PagedMemory* memory = locate(space, address)) memory->write_bytes(address, in);
}

bool HostPort::set_ring(unsigned ring, uint32_t base, uint32_t size, bool status_is_empty) {
  units_->impl_->bus.settle();
  Scratch* scratch = units_->impl_->parts->rings();
  return scratch && scratch->set_ring(ring, base, size, status_is_empty);
}

RingView HostPort::ring(unsigned ring) const {
  const Scratch* scratch = units_->impl_->parts->rings();
  if (!scratch) return {};
  const ScratchRing& r = scratch->ring(ring);
  return {r.base, r.size, r.head, r.tail, r.count, r.status_is_empty};
}

bool HostPort::ring_put(unsigned ring, std::span<const uint32_t> words) {
  units_->impl_->bus.settle();
  Scratch* scratch = units_->impl_->parts->rings();
  if (!scratch || scratch->ring(ring).count + words.size() > scratch->ring(ring).size) return false;
  for (const uint32_t word : words) {
    if (CommandWatcher* watcher = units_->impl_->bus.watcher) watcher->on_host_ring(ring, true, word);
    scratch->put(ring, word);
  }
  return true;
}

bool HostPort::request(const CoreRequest& request, Tick now) {
  units_->impl_->bus.settle();
  UnitQueue* queue = units_->impl_->parts->core_unit(request.space, request.address);
  if (queue == nullptr) return false;
  queue->accept_core(request, now);
  return true;
}

void HostPort::set_listener(CoreListener* listener) { units_->impl_->bus.listener = listener; }

std::optional<uint32_t> HostPort::ring_get(unsigned ring) {
  units_->impl_->bus.settle();
  Scratch* scratch = units_->impl_->parts->rings();
  if (!scratch) return std::nullopt;
  if (CommandWatcher* watcher = units_->impl_->bus.watcher; watcher != nullptr && scratch->ring(ring).count != 0)
    watcher->on_host_ring(ring, false, scratch->memory().read(scratch->ring(ring).base + 4 * scratch->ring(ring).head));
  return scratch->get(ring);
}

QueueView HostPort::queue(unsigned channel, unsigned entry) const {
  units_->impl_->bus.settle();
  SramChannel* sram = units_->impl_->parts->channel(channel);
  if (!sram) return {};
  QueueArray array = sram->queues();
  const QueueEntry& q = array.entry(entry);
  return {q.head, q.tail, q.count, q.head >> 29};
}

void HostPort::set_queue(unsigned channel, unsigned entry, const QueueView& value) {
  units_->impl_->bus.settle();
  SramChannel* sram = units_->impl_->parts->channel(channel);
  if (!sram) return;
  QueueArray array = sram->queues();
  uint32_t head = value.head;
  if (value.ring_size_code != 0) head = (head & 0x1fffffff) | value.ring_size_code << 29;
  array.entry(entry) = {head, value.tail & QueueArray::kAddress, value.count & QueueArray::kAddress, 0};
}

void HostPort::enqueue(unsigned channel, unsigned entry, uint32_t buffer) {
  units_->impl_->bus.settle();
  if (SramChannel* sram = units_->impl_->parts->channel(channel)) sram->queues().enqueue(entry, buffer);
}

uint32_t HostPort::dequeue(unsigned channel, unsigned entry) {
  units_->impl_->bus.settle();
  SramChannel* sram = units_->impl_->parts->channel(channel);
  return sram ? sram->queues().dequeue(entry, sram->cell_mode()) : 0;
}

uint32_t HostPort::read_msf(uint32_t address) const {
  units_->impl_->bus.settle();
  const Msf* msf = units_->impl_->parts->msf();
  return msf ? msf->read_register(address & 0x3ffc) : 0;
}

void HostPort::write_msf(uint32_t address, uint32_t value, Tick now) {
  units_->impl_->bus.settle();
  Msf* msf = units_->impl_->parts->msf();
  if (!msf) return;
  msf->write_register(address & 0x3ffc, value, now);
  msf->pump(now);
}

uint32_t HostPort::read_tbuf(uint32_t offset) const {
  units_->impl_->bus.settle();
  const Msf* msf = units_->impl_->parts->msf();
  return msf ? msf->state().tbuf[offset / 4 & 2047] : 0;
}

uint32_t HostPort::read_cap(uint32_t csr) const {
  units_->impl_->bus.settle();
  return units_->impl_->parts->read_csr(csr);
}
void HostPort::write_cap(uint32_t csr, uint32_t value) {
  units_->impl_->bus.settle();
  units_->impl_->parts->write_csr(csr, value);
}

uint64_t HostPort::interrupts(unsigned line, unsigned group) const {
  return units_->impl_->parts->interrupts(line, group);
}

uint64_t HostPort::take_interrupts(unsigned line, unsigned group) {
  units_->impl_->bus.settle();
  return std::exchange(units_->impl_->parts->interrupts(line, group), 0);
}

bool HostPort::locked(uint32_t address) const {
  const Sram1200* sram = units_->impl_->parts->sram1200();
  return sram && sram->locked(address);
}

bool HostPort::lock(uint32_t address) {
  units_->impl_->bus.settle();
  Sram1200* sram = units_->impl_->parts->sram1200();
  return sram && sram->lock(address);
}

void HostPort::unlock(uint32_t address, Tick now) {
  units_->impl_->bus.settle();
  if (Sram1200* sram = units_->impl_->parts->sram1200()) sram->unlock(address, now);
}

std::vector<uint32_t> HostPort::list(unsigned number) const {
  const Sram1200* sram = units_->impl_->parts->sram1200();
  return sram ? sram->list(number) : std::vector<uint32_t>{};
}

void HostPort::set_list(unsigned number, std::span<const uint32_t> addresses) {
  units_->impl_->bus.settle();
  if (Sram1200* sram = units_->impl_->parts->sram1200()) sram->set_list(number, addresses);
}

uint32_t HostPort::read_rfifo(uint32_t offset) const {
  const Fbi* fbi = units_->impl_->parts->fbi();
  return fbi ? fbi->read_rfifo(offset) : 0;
}

void HostPort::write_rfifo(uint32_t offset, uint32_t value) {
  units_->impl_->bus.settle();
  if (Fbi* fbi = units_->impl_->parts->fbi()) fbi->write_rfifo(offset, value);
}

uint32_t HostPort::read_tfifo(uint32_t offset) const {
  const Fbi* fbi = units_->impl_->parts->fbi();
  return fbi ? fbi->read_tfifo(offset) : 0;
}

}  // namespace weft::emulator
