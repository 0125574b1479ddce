#include "table_memory.h"

#include <algorithm>

namespace weft::control {

std::vector<TableWrite> TableChange::publish_runs() const {
  auto sorted = publish;
  std::ranges::stable_sort(sorted, {}, &std::pair<uint32_t, uint32_t>::first);
  std::vector<TableWrite> out;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const auto [address, value] = sorted[i];
    if (i + 1 < sorted.size() && sorted[i + 1].first == address) continue;
    if (!out.empty() && out.back().address + 4 * out.back().values.size() == address)
      out.back().values.push_back(value);
    else
      out.push_back({address, {value}});
  }
  return out;
}

TableMemory::TableMemory(const std::array<uint64_t, 2>& sram_bytes)
    : used_{byte_of(kTrieRoot) + kRootEntries * 4, byte_of(kTrieRoot6) + kRootEntries * 4}, limit_(sram_bytes) {}

bool TableMemory::has_room(size_t nodes, size_t hops) const {
  constexpr size_t kOnPage = kNodeBytes / kNextHopBytes;
  const size_t more_hops = hops > free_hops_.size() ? hops - free_hops_.size() : 0;
  const size_t more_nodes = nodes > free_nodes_.size() ? nodes - free_nodes_.size() : 0;
  return (more_hops + kOnPage - 1) / kOnPage + more_nodes <= pages_left(0) + pages_left(1);
}

std::optional<uint32_t> TableMemory::take_page(unsigned channel) {
  if (pages_left(channel) == 0) return std::nullopt;
  const auto address = static_cast<uint32_t>(used_[channel]) | channel << 30;
  used_[channel] += kNodeBytes;
  return address;
}

std::optional<uint32_t> TableMemory::take_node() {
  std::optional<uint32_t> out;
  if (!free_nodes_.empty()) {
    out = free_nodes_.back();
    free_nodes_.pop_back();
  } else {
    out = take_page(1);
    if (!out) out = take_page(0);
  }
  if (out) ++nodes_;
  return out;
}

std::optional<uint32_t> TableMemory::take_hop() {
  if (free_hops_.empty()) {
    auto page = take_page(0);
    if (!page) page = take_page(1);
    if (!page) return std::nullopt;
    for (uint32_t at = kNodeBytes; at > 0; at -= kNextHopBytes) free_hops_.push_back(*page + at - kNextHopBytes);
  }
  const uint32_t address = free_hops_.back();
  free_hops_.pop_back();
  return address;
}

void TableMemory::age() {
  ++generation_;
  const auto old = [&](const Retired& r) { return r.generation + kGenerations <= generation_; };
  const auto rest = std::find_if_not(retired_.begin(), retired_.end(), old);  // in order of generations
  nodes_ -= static_cast<uint64_t>(rest - retired_.begin());
  std::for_each(retired_.begin(), rest, [&](const Retired& r) { free_nodes_.push_back(r.address); });
  retired_.erase(retired_.begin(), rest);
}

}  // namespace weft::control
