// From a router configuration to the memory of a machine.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "weft/control/ipv4.h"
#include "weft/control/layout.h"

namespace weft::control {

namespace {

class TableMaker {
 public:
  explicit TableMaker(const RouterConfig& config) : config_(config) { hop({uint8_t(Reason::no_route), 0, 0, {}, {}}); }

  ForwardingTable make() {
    for (const Interface& i : config_.interfaces) connected(i);
    for (const Neighbour& n : config_.neighbours) add({n.address, 32}, neighbour(n));
    for (const Route& r : config_.routes) {
      add(r.prefix, r.discard ? special(Reason::discard_route, 0, 0) : via(r.via));
    }
    for (const Interface& i : config_.interfaces) {  // last: nothing may hide the router's own addresses
      for (const Prefix& p : i.addresses) add({p.address, 32}, special(Reason::local, i.port, i.mtu));
    }
    return std::move(table_);
  }

 private:
  uint32_t hop(const NextHop& h) {
    const auto [place, fresh] = index_.try_emplace(h, static_cast<uint32_t>(table_.next_hops.size()));
    if (fresh) table_.next_hops.push_back(h);
    return place->second;
  }
  uint32_t special(Reason reason, unsigned port, uint32_t mtu) {
    return hop({static_cast<uint8_t>(reason), static_cast<uint8_t>(port), static_cast<uint16_t>(mtu), {}, {}});
  }
  uint32_t neighbour(const Neighbour& n) {
    const Interface* i = config_.on_port(n.port);
    return hop({0, static_cast<uint8_t>(n.port), static_cast<uint16_t>(i->mtu), n.mac, i->mac});
  }
  uint32_t via(uint32_t address) {
    if (const auto known = vias_.find(address); known != vias_.end()) return known->second;
    const auto n = std::ranges::find(config_.neighbours, address, &Neighbour::address);
    const Interface* i = config_.connected(address);
    const uint32_t h = n != config_.neighbours.end() ? neighbour(*n) : special(Reason::unresolved, i->port, i->mtu);
    vias_.emplace(address, h);
    return h;
  }
  void connected(const Interface& i) {
    for (const Prefix& p : i.addresses) {
      const uint32_t network = p.address & netmask(p.length);
      add({network, p.length}, special(Reason::unresolved, i.port, i.mtu));
      if (p.length >= 31) continue;  // RFC 3021: no broadcast address
      add({network, 32}, special(Reason::directed_broadcast, i.port, i.mtu));
      add({network | ~netmask(p.length), 32}, special(Reason::directed_broadcast, i.port, i.mtu));
    }
  }
  void add(const Prefix& prefix, uint32_t next_hop) { table_.routes.push_back({prefix, next_hop}); }

  const RouterConfig& config_;
  ForwardingTable table_;
  std::map<NextHop, uint32_t> index_;
  std::map<uint32_t, uint32_t> vias_;
};

/// Per port what the forwarding microcode compares with, then the addresses that no packet may come from.
Result<image::MemoryWrite> config_block(const RouterConfig& config) {
  image::MemoryWrite block{image::Region::scratch, kConfigBase, std::vector<uint32_t>(kConfigLongwords, 0)};
  std::vector<uint32_t> broadcasts;
  for (const Interface& i : config.interfaces) {
    uint32_t* entry = &block.values[i.port * kPortConfigBytes / 4];
    entry[0] = uint32_t{i.mac[0]} << 24 | uint32_t{i.mac[1]} << 16 | uint32_t{i.mac[2]} << 8 | i.mac[3];
    entry[1] = uint32_t{i.mac[4]} << 24 | uint32_t{i.mac[5]} << 16;
    entry[2] = (config.martians ? kFlagMartians : 0) | (i.any_mac ? kFlagAnyMac : 0);
    for (const Prefix& p : i.addresses) {
      if (p.length < 31) broadcasts.push_back(p.address | ~netmask(p.length));
    }
    if (broadcasts.size() > kCamEntries) {
      return fail("control-networks", i.range,
                  fmt::format("more than {} connected networks with a broadcast address", kCamEntries),
                  "the source filter keeps their broadcasts in the engine's CAM of 16 entries: remove some networks");
    }
  }
  broadcasts.resize(kCamEntries, 0xffffffff);  // never a source: dropped before the CAM is asked
  std::ranges::copy(broadcasts, block.values.begin() + 16);
  return block;
}

std::vector<RingSetup> rings(uint32_t buffers, uint32_t buffer_bytes) {
  std::vector<RingSetup> list;
  RingSetup free{kFreeRing, kFreeRingBase, kFreeRingLongwords, false, {}, "free buffers"};
  for (uint32_t i = 0; i < buffers; ++i) free.contents.push_back(kBufferBase + i * buffer_bytes);
  list.push_back(std::move(free));
  for (unsigned p = 0; p < kPorts; ++p) {
    list.push_back({kForwardRing + p, kForwardRingBase + p * kRingLongwords * 4, kRingLongwords, false, {},
                    fmt::format("to forward {}", p)});
  }
  for (unsigned p = 0; p < kPorts; ++p) {
    list.push_back({kTransmitRing + p, kTransmitRingBase + p * kRingLongwords * 4, kRingLongwords, false, {},
                    fmt::format("to transmit {}", p)});
  }
  list.push_back({kCoreRing, kCoreRingBase, kRingLongwords, false, {}, "to core"});
  return list;
}

}  // namespace

ForwardingTable make_forwarding_table(const RouterConfig& config) { return TableMaker(config).make(); }

Result<ControlSetup> make_ipv4_control(const RouterConfig& config, const ControlOptions& options) {
  const uint32_t buffers = config.buffers != 0 ? config.buffers : options.buffers;
  if (buffers == 0 || buffers >= kFreeRingLongwords || kBufferBase + uint64_t{buffers} * config.buffer_bytes > options.dram_bytes) {
    return fail("control-buffers", whole_file(config.path),
                fmt::format("{} buffers of {} bytes from {:#x} do not fit", buffers, config.buffer_bytes, kBufferBase),
                fmt::format("choose 1 to {} buffers that fit into the board's DRAM", kFreeRingLongwords - 1));
  }
  const ForwardingTable table = make_forwarding_table(config);
  auto trie = build_trie(table.routes, table.next_hops, options.sram_bytes, whole_file(config.path));
  if (!trie) return tl::unexpected(std::move(trie.error()));
  auto block = config_block(config);
  if (!block) return tl::unexpected(std::move(block.error()));

  ControlSetup setup;
  setup.program = make_ipv4_program(options, config.buffer_bytes, LiveTable(config, table.routes, table.next_hops, *trie, options.sram_bytes));
  setup.memory = std::move(trie->memory);
  setup.memory.push_back(std::move(*block));
  setup.constants = {{"ipv4_trie", trie->root}, {"ipv6_trie", kTrieRoot6}, {"ipv4_config", kConfigBase}, {"ipv4_counters", kCountersBase}, {"buffer_bytes", config.buffer_bytes}};
  setup.rings = rings(buffers, config.buffer_bytes);
  setup.pools.push_back({"packets", kFreeRing, kBufferBase, config.buffer_bytes, buffers});
  for (const Interface& i : config.interfaces) setup.ports.push_back({i.port, i.name, i.mac, i.mtu});
  std::ranges::sort(setup.ports, {}, &PortSetup::port);
  for (const ReasonName& r : kReasonNames) {
    for (unsigned port = 0; port < kPorts; ++port) {
      setup.counters.push_back({is_drop(r.reason) ? CounterSetup::Kind::dropped : CounterSetup::Kind::to_core,
                                std::string(r.name), port, image::Region::scratch, counter_address(port, r.reason)});
    }
  }
  setup.files = config.files;
  setup.summary = fmt::format("{} interfaces, {} routes, {} next hops, tables {} KB", config.interfaces.size(),
                              config.routes.size(), table.next_hops.size(), trie->bytes / 1024);
  return setup;
}

Result<ControlSetup> load_ipv4_control(const std::string& path, const ControlOptions& options) {
  auto config = read_router_config(path, std::min(options.ports, kPorts), options.switches);
  if (!config) return tl::unexpected(std::move(config.error()));
  return make_ipv4_control(*config, options);
}

}  // namespace weft::control
