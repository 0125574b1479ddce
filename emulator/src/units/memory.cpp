#include "weft/emulator/memory.h"

#include <algorithm>
#include <utility>

#include "weft/packet/bytes.h"

namespace weft::emulator {

PagedMemory::PagedMemory(uint64_t bytes)
    : bytes_(bytes), tables_((bytes + kTablePages * kPageLongwords * 4 - 1) / (kTablePages * kPageLongwords * 4)) {}

PagedMemory::PagedMemory(const PagedMemory& other) : bytes_(other.bytes_), tables_(other.tables_) { other.share(); }

PagedMemory::PagedMemory(PagedMemory&& other) noexcept
    : bytes_(std::exchange(other.bytes_, 0)), tables_(std::move(other.tables_)) {
  other.tables_.clear();
  other.index_again();
}

PagedMemory& PagedMemory::operator=(const PagedMemory& other) {
  if (this == &other) return *this;
  bytes_ = other.bytes_;
  tables_ = other.tables_;
  other.share();
  index_again();
  return *this;
}

PagedMemory& PagedMemory::operator=(PagedMemory&& other) noexcept {
  if (this == &other) return *this;
  bytes_ = std::exchange(other.bytes_, 0);
  tables_ = std::move(other.tables_);
  other.tables_.clear();
  other.index_again();
  index_again();
  return *this;
}

// --- where pages are

void PagedMemory::keep_index() {
  keeps_index_ = true;
  index_again();
}

void PagedMemory::index_again() {
  static constexpr Page kZeros{};
  if (!keeps_index_) return;
  const uint64_t pages = (bytes_ / 4 + kPageLongwords - 1) / kPageLongwords;
  for (const uint64_t page : touched_)
    if (page < index_.size()) index_[page] = {kZeros.data()};
  touched_.clear();
  index_.resize(pages + 1, {kZeros.data()});  // no longwords may be asked for behind the last page
  indexed_ = bytes_ / 4;
  for (uint64_t t = 0; t < tables_.size(); ++t) {
    if (!tables_[t]) continue;
    for (uint64_t p = 0; p < kTablePages; ++p) {
      const auto& page = (*tables_[t])[p];
      if (!page) continue;
      touched_.push_back(t * kTablePages + p);
      index_[touched_.back()] = {page->data(),
                                 tables_[t].use_count() == 1 && page.use_count() == 1 ? page->data() : nullptr};
    }
  }
}

void PagedMemory::share() const {
  for (const uint64_t page : touched_) index_[page].own = nullptr;
}

// --- reading and writing

void PagedMemory::write_elsewhere(uint64_t byte_address, uint32_t value) {
  if (byte_address >= bytes_) return;
  const uint64_t longword = byte_address / 4;
  auto& table = tables_[longword / (kTablePages * kPageLongwords)];
  // What a snapshot holds too is copied before it is written: first the table, which then shares its pages, then the
  // page.
  if (!table) {
    if (value == 0) return;
    table = std::make_shared<Table>();
  } else if (table.use_count() > 1) {
    table = std::make_shared<Table>(*table);
  }
  auto& page = (*table)[longword / kPageLongwords % kTablePages];
  const bool fresh = !page;
  if (!page) {
    if (value == 0) return;
    page = std::make_shared<Page>();
  } else if (page.use_count() > 1) {
    page = std::make_shared<Page>(*page);
  }
  (*page)[longword % kPageLongwords] = value;
  if (!keeps_index_) return;
  const uint64_t number = longword / kPageLongwords;
  Indexed& indexed = index_[number];
  if (fresh) touched_.push_back(number);
  indexed = {page->data(), page->data()};
}

uint64_t PagedMemory::sum(uint64_t byte_address, unsigned count) const {
  if (count == 1) return read(byte_address);
  uint64_t out = 0;
  if (const uint32_t* const from = readable(byte_address, count)) {
    for (unsigned i = 0; i < count; ++i) out += from[i];
    return out;
  }
  for (unsigned i = 0; i < count; ++i) out += read(byte_address + 4 * uint64_t{i});
  return out;
}

void PagedMemory::read_bytes(uint64_t byte_address, std::span<uint8_t> out) const {
  for (size_t i = 0; i < out.size(); ++i) {
    const uint64_t at = byte_address + i;
    out[i] = static_cast<uint8_t>(read(at) >> (24 - 8 * (at % 4)));
  }
}

void PagedMemory::write_bytes(uint64_t byte_address, std::span<const uint8_t> in) {
  // Few longwords at once, so that most lie within a page that the ones before have made.
  std::array<uint32_t, 64> longwords;
  for (size_t i = 0; i < in.size();) {
    const uint64_t at = byte_address + i;
    const auto whole = static_cast<unsigned>(std::min<size_t>(longwords.size(), (in.size() - i) / 4));
    if (at % 4 == 0 && whole != 0) {
      for (unsigned k = 0; k < whole; ++k) longwords[k] = packet::load32(&in[i + 4 * k]);
      write_longwords(at, longwords.data(), whole);
      i += 4 * whole;
      continue;
    }
    const unsigned shift = static_cast<unsigned>(24 - 8 * (at % 4));
    write(at, (read(at) & ~(0xffu << shift)) | static_cast<uint32_t>(in[i]) << shift);
    ++i;
  }
}

PagedMemory::Contents PagedMemory::compared_as() const {
  Contents out{bytes_, {}};
  for_each_page([&](uint64_t address, std::span<const uint32_t> longwords) {
    if (std::any_of(longwords.begin(), longwords.end(), [](uint32_t v) { return v != 0; }))
      out.pages.emplace(address, longwords);
  });
  return out;
}

}  // namespace weft::emulator
