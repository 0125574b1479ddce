#include "weft/emulator/memory.h"

namespace weft::emulator {

PagedMemory::PagedMemory(uint64_t bytes)
    : bytes_(bytes), pages_((bytes + kPageLongwords * 4 - 1) / (kPageLongwords * 4)) {}

void PagedMemory::write(uint64_t byte_address, uint32_t value) {
  if (byte_address >= bytes_) return;
  const uint64_t longword = byte_address / 4;
  auto& page = pages_[longword / kPageLongwords];
  if (!page) {
    if (value == 0) return;
    page = std::make_shared<Page>();
  } else if (page.use_count() > 1) {
    page = std::make_shared<Page>(*page);  // a snapshot holds it too
  }
  (*page)[longword % kPageLongwords] = value;
}

void PagedMemory::read_bytes(uint64_t byte_address, std::span<uint8_t> out) const {
  for (size_t i = 0; i < out.size(); ++i) {
    const uint64_t at = byte_address + i;
    out[i] = static_cast<uint8_t>(read(at) >> (24 - 8 * (at % 4)));
  }
}

void PagedMemory::write_bytes(uint64_t byte_address, std::span<const uint8_t> in) {
  for (size_t i = 0; i < in.size(); ++i) {
    const uint64_t at = byte_address + i;
    const unsigned shift = static_cast<unsigned>(24 - 8 * (at % 4));
    write(at, (read(at) & ~(0xffu << shift)) | static_cast<uint32_t>(in[i]) << shift);
  }
}

}  // namespace weft::emulator
