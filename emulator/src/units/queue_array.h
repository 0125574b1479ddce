// The queue array of an SRAM channel: 64 entries, each a linked list of buffers, a ring or a journal whose body lies in
// the channel's memory.
//
// Addresses in entries are longword addresses in bits 23:0. In memory a descriptor has three longwords: head, tail,
// count. The upper bits of the head longword are, for a queue, those of the first buffer (bit 31 end of packet, 30:24
// cell count) and, for a ring, its size code in 31:29.
#pragma once

#include <array>
#include <cstdint>

#include "weft/base/fields.h"
#include "weft/emulator/memory.h"

namespace weft::emulator {

struct QueueEntry {
  uint32_t head = 0;   ///< whole longword 0
  uint32_t tail = 0;   ///< bits 23:0
  uint32_t count = 0;  ///< bits 23:0
  /// rd_qdesc_head has been here and rd_qdesc_other still has to load the tail (1), or the reverse (2).
  uint8_t missing = 0;
  WEFT_FIELDS(QueueEntry, head, tail, count, missing)
};

class QueueArray {
 public:
  static constexpr uint32_t kAddress = 0xffffff;

  explicit QueueArray(PagedMemory& memory, std::array<QueueEntry, 64>& entries) : memory_(memory), entries_(entries) {}

  QueueEntry& entry(unsigned number) { return entries_[number & 63]; }

  // Linked lists. `link` is what a link longword holds: address, and cell count and end-of-packet bit of that buffer.
  void enqueue(unsigned number, uint32_t link);
  void enqueue_tail(unsigned number, uint32_t address);
  /// The head link, 0 when the queue is empty. With `cells` the buffer leaves when its cell count is used up.
  uint32_t dequeue(unsigned number, bool cells);

  // Rings and journals.
  static uint32_t ring_size(const QueueEntry& entry) { return 512u << (entry.head >> 29); }
  bool put(unsigned number, uint32_t word);
  bool has_room(unsigned number, uint32_t words);
  bool get(unsigned number, uint32_t& word);
  void journal(unsigned number, uint32_t word);

  // Descriptors in memory.
  void load_head(unsigned number, uint32_t descriptor);
  void load_tail(unsigned number, uint32_t descriptor);
  void load_other(unsigned number, uint32_t descriptor);
  void store(unsigned number, uint32_t descriptor);
  void store_count(unsigned number, uint32_t descriptor);

 private:
  uint32_t read(uint32_t longword) const { return memory_.read(uint64_t{longword} * 4); }
  void write(uint32_t longword, uint32_t value) { memory_.write(uint64_t{longword} * 4, value); }
  PagedMemory& memory_;
  std::array<QueueEntry, 64>& entries_;
};

}  // namespace weft::emulator
