#include "units/queue_array.h"

namespace weft::emulator {

void QueueArray::enqueue(unsigned number, uint32_t link) {
  QueueEntry& q = entry(number);
  if ((q.head & kAddress) == 0)
    q.head = link;
  else
    write(q.tail & kAddress, link);
  q.tail = link & kAddress;
  q.count = (q.count + 1) & kAddress;
}

void QueueArray::enqueue_tail(unsigned number, uint32_t address) { entry(number).tail = address & kAddress; }

uint32_t QueueArray::dequeue(unsigned number, bool cells) {
  QueueEntry& q = entry(number);
  const uint32_t out = q.head;
  const uint32_t address = out & kAddress;
  if (address == 0) return 0;
  if (cells && (out >> 24 & 0x7f) > 1) {
    q.head = out - (1u << 24);
    return out;
  }
  q.head = address == q.tail ? 0 : read(address);
  // In cell mode the count is of packets, otherwise of whatever was enqueued.
  if (q.count > 0 && (!cells || (out >> 31) != 0)) --q.count;
  return out;
}

bool QueueArray::has_room(unsigned number, uint32_t words) {
  const QueueEntry& q = entry(number);
  return q.count + words <= ring_size(q);
}

bool QueueArray::put(unsigned number, uint32_t word) {
  if (!has_room(number, 1)) return false;
  QueueEntry& q = entry(number);
  const uint32_t mask = ring_size(q) - 1;
  write(q.tail & kAddress, word);
  q.tail = (q.tail & ~mask) | ((q.tail + 1) & mask);
  ++q.count;
  return true;
}

bool QueueArray::get(unsigned number, uint32_t& word) {
  QueueEntry& q = entry(number);
  if (q.count == 0) return false;
  const uint32_t mask = ring_size(q) - 1;
  word = read(q.head & kAddress);
  q.head = (q.head & ~mask) | ((q.head + 1) & mask);
  --q.count;
  return true;
}

void QueueArray::journal(unsigned number, uint32_t word) {
  QueueEntry& q = entry(number);
  const uint32_t mask = ring_size(q) - 1;
  write(q.tail & kAddress, word);
  q.tail = (q.tail & ~mask) | ((q.tail + 1) & mask);
  if (q.count <= mask) ++q.count;
}

void QueueArray::load_head(unsigned number, uint32_t descriptor) {
  QueueEntry& q = entry(number);
  q.head = read(descriptor);
  q.count = read(descriptor + 2) & kAddress;
  q.missing = 1;
}

void QueueArray::load_tail(unsigned number, uint32_t descriptor) {
  QueueEntry& q = entry(number);
  q.tail = read(descriptor + 1) & kAddress;
  q.count = read(descriptor + 2) & kAddress;
  q.missing = 2;
}

void QueueArray::load_other(unsigned number, uint32_t descriptor) {
  QueueEntry& q = entry(number);
  if (q.missing == 2)
    q.head = read(descriptor);
  else
    q.tail = read(descriptor + 1) & kAddress;
  q.missing = 0;
}

void QueueArray::store(unsigned number, uint32_t descriptor) {
  const QueueEntry& q = entry(number);
  write(descriptor, q.head);
  write(descriptor + 1, q.tail);
  write(descriptor + 2, q.count);
}

void QueueArray::store_count(unsigned number, uint32_t descriptor) { write(descriptor + 2, entry(number).count); }

}  // namespace weft::emulator
