// From a router configuration to the memory of a machine.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ipv4.h"
#include "mpls/layout.h"
#include "weft/control/layout.h"
#include "weft/control/mpls/mpls.h"

namespace weft::control {

namespace {

/// Per port what the forwarding microcode compares with, then what its CAM holds.
Result<image::MemoryWrite> config_block(const RouterConfig& config) {
  image::MemoryWrite block{image::Region::scratch, kConfigBase, std::vector<uint32_t>(kConfigLongwords, 0)};
  std::vector<uint32_t> values, states;
  const auto add = [&](uint32_t value, uint32_t state) {
    values.push_back(value);
    states.push_back(state);
  };
  for (const Interface& i : config.interfaces) {
    uint32_t* entry = &block.values[i.port * kPortConfigBytes / 4];
    entry[0] = uint32_t{i.mac[0]} << 24 | uint32_t{i.mac[1]} << 16 | uint32_t{i.mac[2]} << 8 | i.mac[3];
    entry[1] = uint32_t{i.mac[4]} << 24 | uint32_t{i.mac[5]} << 16;
    entry[2] = (config.martians ? kFlagMartians : 0) | (i.any_mac ? kFlagAnyMac : 0) |
               (config.offset_1_filter ? kFlagOffset1 : 0) | (config.directed_broadcasts ? kFlagDirected : 0);
    const auto of_port = [&](const Interface& other) { return other.port == i.port && other.mpls; };
    if (std::ranges::any_of(config.interfaces, of_port)) entry[2] |= mpls::kFlagMpls;
    for (const Prefix& p : i.addresses) {
      if (p.address.is_v6()) continue;
      add(p.address.v4(), kCamOwn);
      if (p.length < 31) add(last_in(p.address, p.length).v4(), kCamBroadcast);
    }
    if (i.vlan != 0) add(i.port << 12 | i.vlan, kCamVlan);
    if (values.size() > kCamEntries) {
      return fail(
          "control-networks", i.range,
          fmt::format("more than {} VLANs, IPv4 addresses of the router and broadcast addresses", kCamEntries),
          "they stand in the engines' CAM of 16 entries, an IPv4 network takes two and a VLAN one: remove some");
    }
  }
  values.resize(kCamEntries, 0xffffffff);  // never a source: dropped before the CAM is asked
  states.resize(kCamEntries, 0);
  std::ranges::copy(values, block.values.begin() + 16);
  std::ranges::copy(states, block.values.begin() + 16 + kCamEntries);
  return block;
}

std::vector<RingSetup> rings(uint32_t buffers, uint32_t buffer_bytes) {
  std::vector<RingSetup> list;
  RingSetup free{kFreeRing, kFreeRingBase, kFreeRingLongwords, false, {}, "free buffers"};
  for (uint32_t i = 0; i < buffers; ++i) free.contents.push_back(kBufferBase + i * buffer_bytes);
  list.push_back(std::move(free));
  const auto for_ports = [&](uint32_t first, uint32_t base, std::string_view where) {
    for (unsigned p = 0; p < kPorts; ++p)
      list.push_back(
          {first + p, base + p * kRingLongwords * 4, kRingLongwords, false, {}, fmt::format("to {} {}", where, p)});
  };
  for_ports(kForwardRing, kForwardRingBase, "forward");
  for_ports(kTransmitRing, kTransmitRingBase, "transmit");
  list.push_back({kCoreRing, kCoreRingBase, kRingLongwords, false, {}, "to core"});
  return list;
}

}  // namespace

std::vector<PortSetup> port_setups(const std::vector<Interface>& interfaces) {
  std::vector<PortSetup> ports;
  for (const Interface& i : interfaces) {  // of a port with VLANs the first one speaks
    const auto known = std::ranges::find(ports, i.port, &PortSetup::port);
    if (known == ports.end())
      ports.push_back({i.port, i.name, i.mac, i.mtu, {i.name}});
    else
      known->interfaces.push_back(i.name);
  }
  std::ranges::sort(ports, {}, &PortSetup::port);
  return ports;
}

Result<ControlSetup> make_ipv4_control(const RouterConfig& config, const ControlOptions& options) {
  const uint32_t buffers = config.buffers != 0 ? config.buffers : options.buffers;
  if (buffers == 0 || buffers >= kFreeRingLongwords ||
      kBufferBase + uint64_t{buffers} * config.buffer_bytes > options.dram_bytes) {
    return fail("control-buffers", config.buffers_range ? config.buffers_range : whole_file(config.path),
                fmt::format("{} buffers of {} bytes from {:#x} do not fit", buffers, config.buffer_bytes, kBufferBase),
                fmt::format("choose 1 to {} buffers that fit into the board's DRAM", kFreeRingLongwords - 1));
  }
  mpls::Extra labels{{}, {}, {}, options};
  if (config.mpls.used) {
    auto extra = mpls::make_extra(config, options, buffers);
    if (!extra) return tl::unexpected(std::move(extra.error()));
    labels = std::move(*extra);
  }
  auto tables = RouterTables::build(config, labels.options.sram_bytes);
  if (!tables) return tl::unexpected(std::move(tables.error()));
  auto block = config_block(config);
  if (!block) return tl::unexpected(std::move(block.error()));

  ControlSetup setup;
  setup.memory = tables->image();
  uint64_t bytes = 0;
  for (const image::MemoryWrite& w : setup.memory) bytes += w.values.size() * 4;
  setup.memory.push_back(std::move(*block));
  setup.constants = {{"ipv4_trie", kTrieRoot},
                     {"ipv6_trie", kTrieRoot6},
                     {"ipv4_config", kConfigBase},
                     {"ipv4_counters", kCountersBase},
                     {"buffer_bytes", config.buffer_bytes}};
  setup.constants.merge(labels.constants);
  setup.withheld = std::move(labels.withheld);
  setup.memory.insert(setup.memory.end(), labels.memory.begin(), labels.memory.end());
  setup.rings = rings(buffers, config.buffer_bytes);
  setup.pools.push_back({"packets", kFreeRing, kBufferBase, config.buffer_bytes, buffers});
  setup.ports = port_setups(config.interfaces);
  for (const ReasonName& r : kReasonNames) {
    for (unsigned port = 0; port < kPorts; ++port) {
      setup.counters.push_back({is_drop(r.reason) ? CounterSetup::Kind::dropped : CounterSetup::Kind::to_core,
                                std::string(r.name), port, image::Region::scratch, counter_address(port, r.reason)});
    }
  }
  setup.files = config.files;
  setup.summary = fmt::format("{} interfaces, {} routes, {} next hops, tables {} KB", config.interfaces.size(),
                              config.routes.size(), tables->next_hops(), bytes / 1024);
  if (config.mpls.used)
    setup.summary += fmt::format(", {} of {} labels", tables->labels().used(), tables->labels().labels());
  const std::string folder = std::filesystem::path(config.path).parent_path().string();
  setup.program = make_ipv4_program(options, config,
                                    TableCommands(std::move(*tables), folder, options, config.mpls.mode, config.own));
  return setup;
}

Result<ControlSetup> load_ipv4_control(const std::string& path, const ControlOptions& options) {
  auto config = read_router_config(path, std::min(options.ports, kPorts), options.switches);
  if (!config) return tl::unexpected(std::move(config.error()));
  if (config->mpls.used) {
    return fail("control-labels", whole_file(path),
                "the configuration has labels, which the program 'ipv4' does not switch",
                "name the program 'mpls' in \"control\", or remove the labels");
  }
  return make_ipv4_control(*config, options);
}

}  // namespace weft::control
