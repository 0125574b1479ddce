#include "weft/control/trie.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/control/layout.h"

namespace weft::control {

namespace {

constexpr uint32_t kNodeBytes = kNodeEntries * 4;

uint32_t word(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return uint32_t{a} << 24 | uint32_t{b} << 16 | uint32_t{c} << 8 | d;
}

class Builder {
 public:
  Builder(size_t hops, const std::array<uint64_t, 2>& sram_bytes) : root_(kRootEntries, kNextHopBase) {
    const uint64_t after = kNextHopBase + hops * kNextHopBytes;
    used_ = {(after + kNodeBytes - 1) / kNodeBytes * kNodeBytes, kRootEntries * 4};
    limit_ = sram_bytes;
    if (used_[0] > limit_[0] || used_[1] > limit_[1]) full_ = true;
  }

  /// Routes must come in order of increasing length: a range that is filled then holds no node of its own level.
  void add(const Prefix& p, uint32_t leaf) {
    if (p.length <= 16) return fill(root_.data(), p.address >> 16, 16 - p.length, leaf);
    uint32_t* second = child(root_[p.address >> 16]);
    if (!second) return;
    if (p.length <= 24) return fill(second, p.address >> 8 & 0xff, 24 - p.length, leaf);
    uint32_t* third = child(second[p.address >> 8 & 0xff]);
    if (third) fill(third, p.address & 0xff, 32 - p.length, leaf);
  }

  bool full() const { return full_; }
  const std::array<uint64_t, 2>& used() const { return used_; }
  uint64_t nodes() const { return nodes_.size(); }

  void emit(TrieImage& out) {
    out.memory.push_back({image::Region::sram1, 0, std::vector<uint32_t>(kRootEntries, kNextHopBase)});
    out.memory.push_back({image::Region::sram0, kTrieRoot, std::move(root_)});
    for (Node& n : nodes_) {
      // Nodes of one channel lie one behind the other: join them into one write.
      image::MemoryWrite& last = out.memory.back();
      const uint64_t address = n.address & 0x3fffffff;
      const auto region = n.address >> 30 == 0 ? image::Region::sram0 : image::Region::sram1;
      if (last.region == region && last.address + last.values.size() * 4 == address) {
        last.values.insert(last.values.end(), n.entries.begin(), n.entries.end());
      } else {
        out.memory.push_back({region, address, {n.entries.begin(), n.entries.end()}});
      }
    }
  }

 private:
  struct Node {
    uint32_t address = 0;
    std::array<uint32_t, kNodeEntries> entries{};
  };

  static void fill(uint32_t* entries, uint32_t first, unsigned free_bits, uint32_t leaf) {
    std::fill_n(entries + (first >> free_bits << free_bits), size_t{1} << free_bits, leaf);
  }

  /// The node behind an entry; a leaf there becomes a node full of that leaf. Null when the memory is used up.
  uint32_t* child(uint32_t& entry) {
    if (entry & 1) return nodes_[index_of(entry & ~1u)].entries.data();
    const int channel = used_[1] + kNodeBytes <= limit_[1] ? 1 : 0;
    if (used_[channel] + kNodeBytes > limit_[channel]) {
      full_ = true;
      return nullptr;
    }
    Node node;
    node.address = static_cast<uint32_t>(used_[channel]) | uint32_t(channel) << 30;
    node.entries.fill(entry);
    entry = node.address | 1;
    used_[channel] += kNodeBytes;
    if (channel == 0 && first_in_channel0_ == kNone) {
      first_in_channel0_ = nodes_.size();
      base0_ = node.address;
    }
    nodes_.push_back(node);
    return nodes_.back().entries.data();
  }

  size_t index_of(uint32_t address) const {
    if (address >> 30 == 1) return ((address & 0x3fffffff) - kRootEntries * 4) / kNodeBytes;
    return first_in_channel0_ + (address - base0_) / kNodeBytes;
  }

  static constexpr size_t kNone = ~size_t{0};
  std::vector<uint32_t> root_;
  std::vector<Node> nodes_;  // first all of channel 1, then those of channel 0
  std::array<uint64_t, 2> used_{}, limit_{};
  size_t first_in_channel0_ = kNone;
  uint32_t base0_ = 0;
  bool full_ = false;
};

}  // namespace

Result<TrieImage> build_trie(std::vector<TrieRoute> routes, const std::vector<NextHop>& next_hops,
                             const std::array<uint64_t, 2>& sram_bytes, const SourceRange& blame) {
  std::ranges::stable_sort(routes, {}, [](const TrieRoute& r) { return r.prefix.length; });
  Builder builder(next_hops.size(), sram_bytes);
  for (const TrieRoute& r : routes) {
    builder.add(r.prefix, kNextHopBase + r.next_hop * kNextHopBytes);
    if (builder.full()) break;
  }
  if (builder.full()) {
    return fail("control-trie-full", blame,
                fmt::format("{} routes do not fit into {} + {} bytes of SRAM", routes.size(), sram_bytes[0],
                            sram_bytes[1]),
                "use a board with more SRAM (generic-2400 holds 270,849 routes), or fewer routes");
  }
  TrieImage out;
  out.root = kTrieRoot;
  out.next_hops = kNextHopBase;
  out.nodes = builder.nodes();
  builder.emit(out);
  image::MemoryWrite hops{image::Region::sram0, kNextHopBase, {}};
  for (const NextHop& h : next_hops) {
    const Mac& d = h.destination;
    const Mac& s = h.source;
    hops.values.push_back(uint32_t{h.reason} << 24 | uint32_t{h.port} << 16 | h.mtu);
    hops.values.push_back(word(d[0], d[1], d[2], d[3]));
    hops.values.push_back(word(d[4], d[5], s[0], s[1]));
    hops.values.push_back(word(s[2], s[3], s[4], s[5]));
    hops.values.insert(hops.values.end(), kNextHopLongwords - 4, 0);
  }
  out.memory.push_back(std::move(hops));
  for (const image::MemoryWrite& w : out.memory) out.bytes += w.values.size() * 4;
  return out;
}

}  // namespace weft::control
