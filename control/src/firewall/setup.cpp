// From a firewall's configuration to the memory of a machine.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "firewall/filter_program.h"
#include "firewall/firewall.h"
#include "firewall/times.h"
#include "ipv4.h"
#include "table_memory.h"
#include "weft/control/firewall/rule_table.h"

namespace weft::control::firewall {

namespace {

constexpr uint32_t kUsualBuffers = 480;

/// Rings of the router that the firewall uses otherwise are taken out, and its own put in.
void replace_rings(std::vector<RingSetup>& rings) {
  std::erase_if(rings, [](const RingSetup& r) {
    return r.ring == kPreroutingRing || r.ring == kRoutingRing ||
           std::ranges::find(kFilterRings, r.ring) != kFilterRings.end();
  });
  const auto stage = [&](uint32_t ring, uint32_t base, std::string name) {
    rings.push_back({ring, base, kStageRingLongwords, false, {}, std::move(name)});
  };
  const auto resource = [&](uint32_t ring, uint32_t base, std::string name) {
    rings.push_back({ring, base, kResourceRingLongwords, false, {}, std::move(name)});
  };
  stage(kPreroutingRing, kPreroutingRingBase, "to pre-routing");
  stage(kRoutingRing, kRoutingRingBase, "to routing");
  for (unsigned e = 0; e < kFilterRingCount; ++e)
    stage(kFilterRings[e], kFilterRingBases[e], fmt::format("to filter {}", e));
  resource(kFreeEntryRing, kFreeEntryRingBase, "free connections");
  resource(kReleaseRing, kReleaseRingBase, "unused connections");
  resource(kTcpPortRing, kTcpPortRingBase, "TCP port wanted");
  resource(kUdpPortRing, kUdpPortRingBase, "UDP port wanted");
  resource(kIcmpIdRing, kIcmpIdRingBase, "ICMP identifier wanted");
  std::ranges::find(rings, kFreeRing, &RingSetup::ring)->longwords = kBufferRingLongwords;
  std::ranges::sort(rings, {}, &RingSetup::ring);
}

/// Numbers 24 to 31 have reasons of the firewall's.
void replace_counters(std::vector<CounterSetup>& counters) {
  const auto number = [](const CounterSetup& c) { return (c.address - kCountersBase) / 4 % kReasons; };
  const auto first = static_cast<uint32_t>(FirewallReason::filtered),
             last = static_cast<uint32_t>(FirewallReason::filter_ring_full);
  std::erase_if(counters, [&](const CounterSetup& c) { return number(c) >= first && number(c) <= last; });
  const auto behind = std::ranges::find_if(counters, [&](const CounterSetup& c) { return number(c) > last; });
  std::vector<CounterSetup> own;
  for (const FirewallReasonName& r : kFirewallReasonNames) {
    for (unsigned port = 0; port < kPorts; ++port) {
      own.push_back({CounterSetup::Kind::dropped, std::string(r.name), port, image::Region::scratch,
                     counter_address(port, static_cast<Reason>(r.reason))});
    }
  }
  counters.insert(behind, std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
}

/// Cycles of an engine that a packet may be on its way between the lookup of its connection and its last look at that
/// and at its next hop, for each entry of a table in SRAM. Before it stand a ring of messages and the packets of eight
/// contexts; three filter engines share the channel, which needs three cycles for a longword. Twice that, since others
/// use the channel as well.
constexpr uint64_t kCyclesPerEntry =
    uint64_t{2} * (kStageRingLongwords / kStageMessageLongwords + 8) * kFilterRingCount * kRuleLongwords * 3;
constexpr uint64_t kUnitCycles = 16;  ///< of the TIMESTAMP

/// Without a rules line everything is accepted.
Result<RuleSet> first_rules(const FirewallConfig& config, const std::vector<PortName>& ports) {
  if (config.rules) return read_rules(config.rules->path, ports);
  RuleSet rules;
  rules.accept_others = true;
  return rules;
}

Result<RuleCommands> make_rules(RuleSet rules, const FirewallMemory& memory, std::vector<PortName> ports,
                                const std::string& path, const ControlOptions& options, FilterStore store,
                                size_t command_entries) {
  RulePlaces places;
  places.control = kFilterControl;
  places.region = region_of(memory.rules);
  places.tables = {memory.rules, memory.rules + kFilterTableBytes};
  places.table_bytes = kFilterTableBytes;
  places.command_entries = command_entries;
  return RuleCommands::make(std::move(rules), store, places, std::move(ports),
                            std::filesystem::path(path).parent_path().string(),
                            static_cast<unsigned>(options.rule_engines.size()));
}

}  // namespace

Result<ControlSetup> load_firewall_control(const std::string& path, const ControlOptions& given) {
  ControlOptions options = given;
  const auto option = options.switches.extract("store");
  const auto said = option.empty() ? std::nullopt : filter_store(option.mapped());
  if (!option.empty() && !said)
    return fail("project-control", whole_file(path), fmt::format("there is no rule store '{}'", option.mapped()),
                "the option 'store' is sram, local or compiled");
  auto read = read_firewall_config(path, std::min(options.ports, kFirewallPorts), options.switches);
  if (!read) return tl::unexpected(std::move(read.error()));
  const FirewallConfig& config = read->firewall;
  if (auto times = check_times(config, options.engine_kilohertz, path); !times)
    return tl::unexpected(std::move(times.error()));
  const auto memory = FirewallMemory::plan(config, options.sram_bytes, path);
  if (!memory) return tl::unexpected(memory.error());

  if (read->router.buffers >= kBufferRingLongwords) {
    return fail("control-buffers", read->router.buffers_range,
                fmt::format("the firewall has no room for {} buffers", read->router.buffers),
                fmt::format("its list of free buffers takes 1 to {}", kBufferRingLongwords - 1));
  }
  ControlOptions rest = options;
  rest.sram_bytes = memory->left;
  rest.buffers = std::min(rest.buffers, kUsualBuffers);
  read->router.guarded = true;
  read->router.hold_fragments = config.fragment_life;
  read->router.own.commands = "rules, ";

  const auto line = config.rules ? filter_store(config.rules->store) : std::nullopt;
  const FilterStore store = said ? *said : line ? *line : usual_store(options);
  std::vector<PortName> ports = port_names(port_setups(read->router.interfaces));
  auto first = first_rules(config, ports);
  if (!first) return tl::unexpected(std::move(first.error()));
  // The bound for rules in local memory and compiled ones, the replacement of a control store included, is below
  // kGraceUnits.
  const uint64_t longest = store == FilterStore::sram ? first->entries() * kCyclesPerEntry : 0;
  const uint64_t grace = std::max<uint64_t>(kGraceUnits, (longest + kUnitCycles - 1) / kUnitCycles);
  read->router.own.grace_cycles = longest * options.control_kilohertz / options.engine_kilohertz;

  auto router = make_ipv4_control(read->router, rest);
  if (!router) return router;
  ControlSetup& setup = *router;
  uint32_t outside = 0;
  if (config.nat)
    outside = 1u << std::ranges::find(read->router.interfaces, config.nat->interface, &Interface::name)->port;
  std::vector<uint32_t> words = configuration_words(config, outside, options.engine_kilohertz);
  if (memory->mapping_count != 0) words[kConfigurationLongwords + kMappings] = memory->mapping(0);
  setup.memory.push_back({image::Region::scratch, kFirewallConfig, std::move(words)});
  for (image::MemoryWrite& w : memory->image(config)) setup.memory.push_back(std::move(w));
  setup.constants.merge(memory->constants());
  replace_rings(setup.rings);
  replace_counters(setup.counters);
  setup.constants["fw_grace"] = grace;
  auto rules = make_rules(std::move(*first), *memory, std::move(ports), path, options, store,
                          static_cast<size_t>(grace * kUnitCycles / kCyclesPerEntry));
  if (!rules) return tl::unexpected(std::move(rules.error()));
  setup.rules = rules->setup();
  setup.rules->remedy = fmt::format("a line in {}: rules FILE", path);
  if (config.rules) setup.rules->place = config.rules->range;
  for (image::MemoryWrite& w : rules->image()) setup.memory.push_back(std::move(w));
  setup.constants["filter_control"] = kFilterControl;
  if (config.rules) setup.files.push_back(config.rules->path);
  setup.summary += fmt::format(", {} connections, {} rules", config.connections, rules->rules().rules.size());
  setup.program = make_firewall_program(std::move(setup.program), std::move(*rules), *memory);
  return router;
}

}  // namespace weft::control::firewall
