#include "weft/emulator/memory.h"

#include <algorithm>

#include "weft/packet/bytes.h"

namespace weft::emulator {

PagedMemory::PagedMemory(uint64_t bytes)
    : bytes_(bytes), tables_((bytes + kTablePages * kPageLongwords * 4 - 1) / (kTablePages * kPageLongwords * 4)) {}

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
  if (!page) {
    if (value == 0) return;
    page = std::make_shared<Page>();
  } else if (page.use_count() > 1) {
    page = std::make_shared<Page>(*page);
  }
  (*page)[longword % kPageLongwords] = value;
}

uint64_t PagedMemory::sum(uint64_t byte_address, unsigned count) const {
  if (count == 1) return read(byte_address);
  uint64_t out = 0;
  const uint64_t longword = byte_address / 4, offset = longword % kPageLongwords;
  if (contains(byte_address, uint64_t{count} * 4) && offset + count <= kPageLongwords) {
    const Page* page = page_of(longword);
    if (page == nullptr) return 0;
    const uint32_t* const from = page->data() + offset;
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
