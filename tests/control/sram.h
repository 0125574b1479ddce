// SRAM as the lookup microcode sees it: filled from an image, changed by longwords, walked as the microcode walks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "next_hop.h"
#include "table_memory.h"

namespace weft::test {

class Sram {
 public:
  Sram() = default;
  explicit Sram(const std::vector<image::MemoryWrite>& memory) {
    for (const image::MemoryWrite& w : memory) {
      for (size_t i = 0; i < w.values.size(); ++i)
        at(static_cast<uint32_t>(w.address + 4 * i) | (w.region == image::Region::sram1 ? 1u << 30 : 0)) = w.values[i];
    }
  }
  void write(uint32_t address, uint32_t value) { at(address) = value; }
  void write(const control::TableWrite& w) {
    for (size_t i = 0; i < w.values.size(); ++i) write(w.address + static_cast<uint32_t>(4 * i), w.values[i]);
  }
  void write(const control::TableChange& change) {
    for (const control::TableWrite& w : change.prepare) write(w);
    for (const auto& [address, value] : change.publish) write(address, value);
  }
  uint32_t read(uint32_t address) const { return words_[address >> 30].at((address & 0x3fffffff) / 4); }

  /// One read of a lookup: from the entry of a node on. `bit` is the next one of the address that has not been looked
  /// at.
  uint32_t step(uint32_t node, const control::IpAddress& a, unsigned& bit) const {
    const unsigned stride = bit == 0 ? 16 : 8;
    const uint32_t index = a.slice(bit, stride);
    bit += stride;
    return read((node & ~1u) + 4 * index);
  }
  /// The address of the next hop.
  uint32_t leaf(const control::IpAddress& a, unsigned* reads = nullptr) const {
    unsigned bit = 0, n = 1;
    uint32_t entry = step(a.is_v6() ? control::kTrieRoot6 : control::kTrieRoot, a, bit);
    for (; entry & 1; ++n) entry = step(entry, a, bit);
    if (reads) *reads = n;
    return entry;
  }
  control::NextHop hop(uint32_t leaf) const {
    control::NextHopWords words{};
    for (uint32_t i = 0; i < words.size(); ++i) words[i] = read(leaf + 4 * i);
    return control::hop_of(words);
  }
  control::NextHop find(const control::IpAddress& a) const { return hop(leaf(a)); }

 private:
  uint32_t& at(uint32_t address) {
    auto& channel = words_[address >> 30];
    const size_t index = (address & 0x3fffffff) / 4;
    if (channel.size() <= index) channel.resize(index + 1 + channel.size() / 4);
    return channel[index];
  }
  std::array<std::vector<uint32_t>, 2> words_;
};

}  // namespace weft::test
