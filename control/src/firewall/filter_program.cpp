#include "firewall/filter_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "firewall/routed_program.h"
#include "ipv4.h"
#include "refused.h"
#include "weft/base/paths.h"
#include "weft/control/layout.h"

namespace weft::control::firewall {

namespace {

/// Commands of the rules are its own, everything else is the routers' program's. One of the two works at a time.
class FilterProgram : public RoutedProgram {
 public:
  FilterProgram(std::unique_ptr<ControlProgram> router, RuleCommands rules)
      : RoutedProgram(std::move(router), std::move(rules)) {}

  std::unique_ptr<ControlProgram> clone() const override { return std::make_unique<FilterProgram>(*this); }
  std::string name() const override { return "filter"; }
  Reaction on(const Event& event) override {
    if (event.kind == Event::Kind::command && RuleCommands::is_command(event.command)) return rules_.command(event);
    if (event.kind == Event::Kind::results && rules_.busy()) return rules_.results(event);
    return router_->on(event);
  }
  Result<bool> check_command(const std::string& command) const override {
    return RuleCommands::is_command(command) ? rules_.check(command) : router_->check_command(command);
  }
};

}  // namespace

Result<ControlSetup> load_filter_control(const std::string& path, const ControlOptions& given) {
  ControlOptions options = given;
  const auto take = [&](const char* name) {
    const auto found = options.switches.extract(name);
    return found.empty() ? std::string() : found.mapped();
  };
  const std::string file = take("rules");
  const std::string name = take("store");
  const auto store = name.empty() ? std::optional(usual_store(options)) : filter_store(name);
  if (!store)
    return fail("project-control", whole_file(path), fmt::format("there is no rule store '{}'", name),
                "the option 'store' is sram, local or compiled");
  if (file.empty())
    return fail("project-control", whole_file(path), "the control program 'filter' has no rules",
                "add \"options\": {\"rules\": \"FILE\"} to \"control\"");
  if (options.sram_bytes[0] < uint64_t{4} * kFilterTableBytes || options.sram_bytes[1] < options.sram_bytes[0])
    return fail(
        "project-control", whole_file(path), "the board has too little SRAM for rules",
        fmt::format("choose a board with {} KB or more, and as much on channel 1", 4 * kFilterTableBytes / 1024));
  options.sram_bytes[0] -= uint64_t{2} * kFilterTableBytes;
  options.sram_bytes[1] = options.sram_bytes[0];
  const ConfigExtension extension{{}, {}, lines_refused_by("filter"), {}};
  auto config = read_router_config(path, std::min(options.ports, kPorts), options.switches, &extension);
  if (!config) return tl::unexpected(std::move(config.error()));
  config->own = {{{kFiltered, "filtered"}}, "rules, "};
  auto setup = make_ipv4_control(*config, options);
  if (!setup) return setup;

  std::vector<PortName> ports = port_names(setup->ports);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  auto rules = read_rules(tidy(folder / file).string(), ports);
  if (!rules) return tl::unexpected(std::move(rules.error()));
  RulePlaces places;
  places.control = kFilterControl;
  const auto first = static_cast<uint32_t>(options.sram_bytes[0]);
  places.tables = {first, first + kFilterTableBytes};
  places.table_bytes = kFilterTableBytes;
  places.both_channels = true;
  setup->files.push_back(rules->path);
  setup->summary += fmt::format(", {} rules", rules->rules.size());
  auto commands = RuleCommands::make(std::move(*rules), *store, places, std::move(ports), folder.string(),
                                     static_cast<unsigned>(options.rule_engines.size()));
  if (!commands) return tl::unexpected(std::move(commands.error()));
  for (image::MemoryWrite& w : commands->image()) setup->memory.push_back(std::move(w));
  setup->constants["filter_control"] = kFilterControl;
  setup->rules = commands->setup();
  setup->rules->remedy = "--set control.options.rules=FILE";
  // The number is that of a reason which only other programs have.
  for (unsigned port = 0; port < kPorts; ++port)
    std::erase_if(setup->counters, [port](const CounterSetup& c) {
      return c.address == counter_address(port, static_cast<Reason>(kFiltered));
    });
  for (unsigned port = 0; port < kPorts; ++port)
    setup->counters.push_back({CounterSetup::Kind::dropped, "filtered", port, image::Region::scratch,
                               counter_address(port, static_cast<Reason>(kFiltered))});
  setup->program = std::make_unique<FilterProgram>(std::move(setup->program), std::move(*commands));
  return setup;
}

}  // namespace weft::control::firewall
