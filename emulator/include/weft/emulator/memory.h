// A memory of 32-bit longwords that exists only where it was written. Copies share pages, and the tables that name
// them, until one of them writes, so a snapshot of a large DRAM is cheap.
//
// Byte order: byte address 4n is bits 31:24 of longword n. Packet data therefore reads in network order.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "weft/base/fields.h"

namespace weft::emulator {

/// In a loop of few rounds: vectors would take longer to set up than the rounds.
inline void keep_plain_loop() { asm volatile(""); }

class PagedMemory {
 public:
  static constexpr uint64_t kPageLongwords = 4096;

  PagedMemory() = default;
  explicit PagedMemory(uint64_t bytes);
  PagedMemory(const PagedMemory& other);
  PagedMemory(PagedMemory&& other) noexcept;
  PagedMemory& operator=(const PagedMemory& other);
  PagedMemory& operator=(PagedMemory&& other) noexcept;
  ~PagedMemory() = default;

  /// It is read and written much: 16 bytes for each page say from now on where it is. That stays so when another memory
  /// is assigned; what is made of this one, by copy or move, does not have it.
  void keep_index();

  uint64_t bytes() const { return bytes_; }
  bool contains(uint64_t byte_address, uint64_t length = 4) const {
    return length <= bytes_ && byte_address <= bytes_ - length;
  }

  // --- where longwords are, one after the other; the address is a multiple of 4
  /// To be read; null where that is not known so quickly, or they are not on one page.
  const uint32_t* readable(uint64_t byte_address, unsigned count) const {
    const uint64_t longword = byte_address / 4, offset = longword % kPageLongwords;
    if (longword + count > indexed_ || offset + count > kPageLongwords) [[unlikely]]
      return nullptr;
    return index_[longword / kPageLongwords].readable + offset;
  }
  /// To be written; the same, and null where a copy shares them.
  uint32_t* writable(uint64_t byte_address, unsigned count) {
    const uint64_t longword = byte_address / 4, offset = longword % kPageLongwords;
    if (longword + count > indexed_ || offset + count > kPageLongwords) [[unlikely]]
      return nullptr;
    uint32_t* const page = index_[longword / kPageLongwords].own;
    return page != nullptr ? page + offset : nullptr;
  }
  /// Few of them.
  static void copy(uint32_t* to, const uint32_t* from, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      to[i] = from[i];
      keep_plain_loop();
    }
  }

  /// The longword that holds the byte; 0 where nothing was written or there is no memory.
  uint32_t read(uint64_t byte_address) const {
    if (const uint32_t* at = readable(byte_address, 1)) return *at;
    if (byte_address >= bytes_) return 0;
    const Page* page = page_of(byte_address / 4);
    return page != nullptr ? (*page)[byte_address / 4 % kPageLongwords] : 0;
  }
  /// Tells the host's cache that it will be read. Always inlined: g++ leaves out the call of a function that does nothing
  /// else, and that of one which does nothing but call it.
  [[gnu::always_inline]] void prefetch(uint64_t byte_address) const {
    if (const uint32_t* at = readable(byte_address, 1)) __builtin_prefetch(at);
  }
  /// Ignored where there is no memory.
  void write(uint64_t byte_address, uint32_t value) {
    uint32_t* const at = writable(byte_address, 1);
    if (at == nullptr) return write_elsewhere(byte_address, value);
    *at = value;
  }
  /// Longwords one after the other, as with read() and write(); the address is a multiple of 4.
  void read_longwords(uint64_t byte_address, uint32_t* out, unsigned count) const {
    if (const uint32_t* const from = readable(byte_address, count)) return copy(out, from, count);
    for (unsigned i = 0; i < count; ++i) out[i] = read(byte_address + 4 * uint64_t{i});
  }
  /// The sum of longwords one after the other; the address is a multiple of 4.
  uint64_t sum(uint64_t byte_address, unsigned count) const;
  void write_longwords(uint64_t byte_address, const uint32_t* values, unsigned count) {
    if (uint32_t* const to = writable(byte_address, count)) return copy(to, values, count);
    for (unsigned i = 0; i < count; ++i) write(byte_address + 4 * uint64_t{i}, values[i]);
  }

  void read_bytes(uint64_t byte_address, std::span<uint8_t> out) const;
  void write_bytes(uint64_t byte_address, std::span<const uint8_t> in);

  /// Pages that hold something, in order of address: fn(byte_address, longwords).
  template <class Fn>
  void for_each_page(Fn&& fn) const {
    for (uint64_t t = 0; t < tables_.size(); ++t) {
      if (!tables_[t]) continue;
      for (uint64_t p = 0; p < kTablePages; ++p)
        if (const auto& page = (*tables_[t])[p])
          fn((t * kTablePages + p) * kPageLongwords * 4, std::span<const uint32_t>(*page));
    }
  }

  /// What memories are compared as: pages that hold only zeros count like pages that do not exist.
  struct Contents {
    uint64_t bytes = 0;
    std::map<uint64_t, std::span<const uint32_t>> pages;  ///< by byte address
    WEFT_FIELDS(Contents, bytes, pages)
  };
  Contents compared_as() const;

 private:
  static constexpr uint64_t kTablePages = 128;
  using Page = std::array<uint32_t, kPageLongwords>;
  using Table = std::array<std::shared_ptr<Page>, kTablePages>;
  const Page* page_of(uint64_t longword) const {
    const Table* table = tables_[longword / (kTablePages * kPageLongwords)].get();
    return table != nullptr ? (*table)[longword / kPageLongwords % kTablePages].get() : nullptr;
  }
  /// As write(), wherever the page is.
  void write_elsewhere(uint64_t byte_address, uint32_t value);
  /// Where a page is.
  struct Indexed {
    const uint32_t* readable;  ///< zeros where it does not exist
    uint32_t* own = nullptr;   ///< null: a copy shares it, or it does not exist
  };
  void index_again();
  /// A copy is made, which shares all pages.
  void share() const;
  uint64_t bytes_ = 0;
  std::vector<std::shared_ptr<Table>> tables_;
  bool keeps_index_ = false;
  uint64_t indexed_ = 0;                ///< longwords of pages in `index_`: all or none
  mutable std::vector<Indexed> index_;  ///< by number of the page
  std::vector<uint64_t> touched_;       ///< pages that exist, of those in `index_`
};

}  // namespace weft::emulator
