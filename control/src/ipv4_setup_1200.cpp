// From a router configuration to the memory of an IXP1200: a trie in its one SRAM, and the ports in scratch. Buffers
// and queues are 0 at the start; the microcode fills the list of free buffers.
#include <fmt/format.h>

#include <algorithm>

#include "ipv4_1200.h"
#include "tables.h"
#include "weft/control/layout_1200.h"

namespace weft::control::ixp1200 {

namespace {

uint32_t word(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return uint32_t{a} << 24 | uint32_t{b} << 16 | uint32_t{c} << 8 | d;
}

/// The tables as one piece of the chip's one SRAM.
std::vector<uint32_t> table_words(const RouterTables& tables) {
  std::vector<uint32_t> words;
  for (const image::MemoryWrite& w : tables.image()) {
    if (w.region != image::Region::sram0) continue;  // the root of IPv6, which this chip does not look at
    const size_t begin = w.address / 4;
    if (words.size() < begin + w.values.size()) words.resize(begin + w.values.size(), 0);
    std::ranges::copy(w.values, words.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return words;
}

/// What the microcode of this chip knows nothing of.
Diagnostics unsupported(const RouterConfig& config) {
  Diagnostics out;
  for (const Interface& i : config.interfaces) {
    if (i.vlan != 0)
      out.error("control-interface", i.range, "the IXP1200 forwarder knows no VLANs",
                "give the interface a port of its own");
    if (i.has_v6())
      out.error("control-family", i.v6_range, fmt::format("the interface {} has an IPv6 address", i.name),
                "the IXP1200 forwarder routes IPv4 only");
  }
  if (config.mpls.used)
    out.error("control-labels", config.mpls.where,
              "the configuration has labels, which the IXP1200 forwarder does not switch",
              "remove its lines with mpls, label and push; the program 'mpls' of the IXP2400 switches labels");
  if (!out.has_errors() && std::ranges::any_of(config.routes, [](const Route& r) { return r.prefix.address.is_v6(); }))
    out.error("control-family", whole_file(config.path), "there are IPv6 routes",
              "the IXP1200 forwarder routes IPv4 only");
  return out;
}

Result<std::vector<image::MemoryWrite>> scratch(const RouterConfig& config) {
  image::MemoryWrite ports{image::Region::scratch, kPortConfig, std::vector<uint32_t>(kPorts * 4, 0)};
  std::vector<uint32_t> broadcasts, own;
  uint32_t mask = ~0u, differ = 0;
  for (const Interface& i : config.interfaces) {
    uint32_t* entry = &ports.values[i.port * 4];
    entry[0] = word(i.mac[0], i.mac[1], i.mac[2], i.mac[3]);
    entry[1] = word(i.mac[4], i.mac[5], 0, 0);
    entry[2] = (config.martians ? kFlagMartians : 0) | (i.any_mac ? kFlagAnyMac : 0);
    for (const Prefix& p : i.addresses) {
      own.push_back(p.address.v4());
      differ |= own.back() ^ own.front();
      if (p.length >= 31) continue;  // RFC 3021: no broadcast address
      broadcasts.push_back(last_in(p.address, p.length).v4());
      mask &= broadcasts.back();
    }
    if (broadcasts.size() > kBroadcastEntries)
      return fail("control-networks", i.range,
                  fmt::format("more than {} connected networks with a broadcast address", kBroadcastEntries),
                  "the source filter keeps their broadcasts in a list of 16: remove some networks");
    if (own.size() > kOwnEntries)
      return fail("control-networks", i.range, fmt::format("the router has more than {} addresses", kOwnEntries),
                  "the source filter keeps them in a list of 16: remove some");
  }
  const uint32_t first = own.empty() ? ~0u : own.front();
  own.resize(kOwnEntries, ~0u);
  broadcasts.resize(kBroadcastEntries, ~0u);  // never a source: dropped before the list is looked at
  return std::vector<image::MemoryWrite>{std::move(ports),
                                         {image::Region::scratch, kBroadcasts, std::move(broadcasts)},
                                         {image::Region::scratch, kBroadcastMask, {mask}},
                                         {image::Region::scratch, kOwn, std::move(own)},
                                         {image::Region::scratch, kOwnCommon, {first, ~differ}}};
}

}  // namespace

Result<ControlSetup> setup_of(const RouterConfig& config, const ControlOptions& options, const SramNeeds& sram) {
  const SourceRange blame = whole_file(config.path);
  if (options.sram_bytes[0] < sram.bytes ||
      options.dram_bytes < frame_of((kBuffers + kBufferCount * kBufferDescriptorBytes) / 4))
    return fail("control-buffers", blame,
                "the queues and buffers of the IXP1200 forwarder do not fit into the memories of this board",
                "use a board with 2 MB of SRAM and 256 MB of SDRAM, such as nctu-1200");
  if (auto problems = unsupported(config); problems.has_errors()) return tl::unexpected(std::move(problems));
  const auto tables = RouterTables::build(config, {sram.trie_end, kRootEntries * 4});
  const bool full = !tables && tables.error().begin()->code == "control-trie-full";
  if (!tables && !full) return tl::unexpected(tables.error());
  if (full)
    return fail(
        "control-trie-full", blame,
        fmt::format("{} routes do not fit into {} bytes of SRAM", config.routes.size(), sram.trie_end),
        "use fewer routes, or shorter ones: each network of 16 and of 24 bits with longer routes takes 1,024 bytes");
  std::vector<uint32_t> words = table_words(*tables);
  auto ports = scratch(config);
  if (!ports) return tl::unexpected(std::move(ports.error()));

  ControlSetup setup;
  setup.summary = fmt::format("{} interfaces, {} routes, {} next hops, tables {} KB", config.interfaces.size(),
                              config.routes.size(), tables->next_hops(), words.size() * 4 / 1024);
  setup.memory = std::move(*ports);
  setup.memory.push_back({image::Region::sram0, kTrieRoot, std::move(words)});
  for (const Interface& i : config.interfaces) setup.ports.push_back({i.port, i.name, i.mac, i.mtu});
  std::ranges::sort(setup.ports, {}, &PortSetup::port);
  for (const ReasonName& r : kReasonNames)
    for (unsigned port = 0; port < kPorts; ++port)
      setup.counters.push_back({is_drop(r.reason) ? CounterSetup::Kind::dropped : CounterSetup::Kind::to_core,
                                std::string(r.name), port, image::Region::scratch,
                                ixp1200::counter_address(port, r.reason)});
  setup.files = config.files;
  return setup;
}

Result<ControlSetup> load_ipv4_control(const std::string& path, const ControlOptions& options) {
  ConfigExtension lines;
  lines.labels = false;
  const auto config = read_router_config(path, std::min(options.ports, kPorts), options.switches, &lines);
  if (!config) return tl::unexpected(config.error());
  auto setup = setup_of(*config, options, {kTableEnd, kSramBytes});
  if (setup) setup->program = make_ipv4_program(options);
  return setup;
}

}  // namespace weft::control::ixp1200
