// From a router configuration to the memory of an IXP1200: a trie in its one SRAM, and the ports in scratch. Buffers and
// queues are 0 at the start; the microcode fills the list of free buffers.
#include <algorithm>

#include <fmt/format.h>

#include "weft/control/ipv4.h"
#include "weft/control/ipv4_1200.h"
#include "weft/control/layout_1200.h"

namespace weft::control::ixp1200 {

namespace {

constexpr uint32_t kNodeBytes = kNodeEntries * 4;

uint32_t word(uint8_t a, uint8_t b, uint8_t c, uint8_t d) { return uint32_t{a} << 24 | uint32_t{b} << 16 | uint32_t{c} << 8 | d; }

/// The trie of layout.h in one memory: root, next hops, and nodes one behind the other. Index i is the longword at byte 4 i.
class Trie {
 public:
  Trie(const std::vector<NextHop>& hops) : words_(kRootEntries, kNextHopBase) {
    for (const NextHop& h : hops) {
      const Mac &d = h.destination, &s = h.source;
      for (const uint32_t value : {uint32_t{h.reason} << 24 | uint32_t{h.port} << 16 | h.mtu, word(d[0], d[1], d[2], d[3]),
                                   word(d[4], d[5], s[0], s[1]), word(s[2], s[3], s[4], s[5]), 0u, 0u, 0u, 0u})
        words_.push_back(value);
    }
    while (words_.size() * 4 % kNodeBytes != 0) words_.push_back(0);
  }
  /// Shorter prefixes first: then a range that is filled holds no node of its level.
  void add(const Prefix& p, uint32_t leaf) {
    size_t table = 0;
    unsigned bits = 16;
    for (; p.length > bits; bits += 8) table = child(table + index(p.address, bits));
    const size_t first = table + (index(p.address, bits) >> (bits - p.length) << (bits - p.length));
    std::fill_n(words_.begin() + static_cast<std::ptrdiff_t>(first), size_t{1} << (bits - p.length), leaf);
  }
  uint64_t bytes() const { return words_.size() * 4; }
  std::vector<uint32_t> take() { return std::move(words_); }

 private:
  /// What the address says in a table behind which `bits` bits are known.
  static size_t index(uint32_t address, unsigned bits) { return bits == 16 ? address >> 16 : address >> (32 - bits) & 0xff; }
  size_t child(size_t entry) {
    if (words_[entry] & 1) return (words_[entry] & ~1u) / 4;
    const size_t node = words_.size();
    words_.resize(node + kNodeEntries, words_[entry]);
    words_[entry] = static_cast<uint32_t>(node * 4) | 1;
    return node;
  }
  std::vector<uint32_t> words_;
};

Result<std::vector<image::MemoryWrite>> scratch(const RouterConfig& config) {
  image::MemoryWrite ports{image::Region::scratch, kPortConfig, std::vector<uint32_t>(kPorts * 4, 0)};
  std::vector<uint32_t> broadcasts;
  uint32_t mask = ~0u;
  for (const Interface& i : config.interfaces) {
    uint32_t* entry = &ports.values[i.port * 4];
    entry[0] = word(i.mac[0], i.mac[1], i.mac[2], i.mac[3]);
    entry[1] = word(i.mac[4], i.mac[5], 0, 0);
    entry[2] = (config.martians ? kFlagMartians : 0) | (i.any_mac ? kFlagAnyMac : 0);
    for (const Prefix& p : i.addresses) {
      if (p.length >= 31) continue;  // RFC 3021: no broadcast address
      broadcasts.push_back(p.address | ~netmask(p.length));
      mask &= broadcasts.back();
    }
    if (broadcasts.size() > kBroadcastEntries)
      return fail("control-networks", i.range, fmt::format("more than {} connected networks with a broadcast address", kBroadcastEntries),
                  "the source filter keeps their broadcasts in a list of 16: remove some networks");
  }
  broadcasts.resize(kBroadcastEntries, ~0u);  // never a source: dropped before the list is looked at
  return std::vector<image::MemoryWrite>{std::move(ports), {image::Region::scratch, kBroadcasts, std::move(broadcasts)},
                                         {image::Region::scratch, kBroadcastMask, {mask}}};
}

}  // namespace

Result<ControlSetup> load_ipv4_control(const std::string& path, const ControlOptions& options) {
  auto config = read_router_config(path, std::min(options.ports, kPorts), options.switches);
  if (!config) return tl::unexpected(std::move(config.error()));
  const SourceRange blame = whole_file(config->path);
  if (options.sram_bytes[0] < kSramBytes || options.dram_bytes < frame_of((kBuffers + kBufferCount * kBufferDescriptorBytes) / 4))
    return fail("control-buffers", blame, "the queues and buffers of the IXP1200 forwarder do not fit into the memories of this board",
                "use a board with 2 MB of SRAM and 256 MB of SDRAM, such as nctu-1200");
  const ForwardingTable table = make_forwarding_table(*config);
  Trie trie(table.next_hops);
  std::vector<TrieRoute> routes = table.routes;
  std::ranges::stable_sort(routes, {}, [](const TrieRoute& r) { return r.prefix.length; });
  for (const TrieRoute& r : routes) {
    trie.add(r.prefix, kNextHopBase + r.next_hop * kNextHopBytes);
    if (trie.bytes() > kTableEnd)
      return fail("control-trie-full", blame, fmt::format("{} routes do not fit into {} bytes of SRAM", routes.size(), kTableEnd),
                  "use fewer routes, or shorter ones: each network of 16 and of 24 bits with longer routes takes 1,024 bytes");
  }
  auto ports = scratch(*config);
  if (!ports) return tl::unexpected(std::move(ports.error()));

  ControlSetup setup;
  setup.program = make_ipv4_program(options);
  setup.summary = fmt::format("{} interfaces, {} routes, {} next hops, tables {} KB", config->interfaces.size(), config->routes.size(),
                              table.next_hops.size(), trie.bytes() / 1024);
  setup.memory = std::move(*ports);
  setup.memory.push_back({image::Region::sram0, kTrieRoot, trie.take()});
  for (const Interface& i : config->interfaces) setup.ports.push_back({i.port, i.name, i.mac, i.mtu});
  std::ranges::sort(setup.ports, {}, &PortSetup::port);
  for (const ReasonName& r : kReasonNames)
    for (unsigned port = 0; port < kPorts; ++port)
      setup.counters.push_back({is_drop(r.reason) ? CounterSetup::Kind::dropped : CounterSetup::Kind::to_core, std::string(r.name), port,
                                image::Region::scratch, ixp1200::counter_address(port, r.reason)});
  setup.files = config->files;
  return setup;
}

}  // namespace weft::control::ixp1200
