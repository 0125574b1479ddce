// From the configuration of a DiffServ edge router to the memory of an IXP1200: what the forwarder has
// (ipv4_setup_1200), the table of rules, a record for each rule, and the settings of the classes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "diffserv/program.h"
#include "ipv4_1200.h"

namespace weft::control::diffserv {

namespace {

/// Frames that may wait before a green, yellow or red one, a byte each.
uint32_t limits_word(const Settings& settings, Class cls) {
  uint32_t word = 0;
  for (size_t colour = 0; colour < settings.precedence.size(); ++colour)
    word |= std::min(settings.classes[static_cast<size_t>(cls)].queue, settings.precedence[colour]) << (8 * colour);
  return word;
}

}  // namespace

Diagnostics meter_problems(const std::vector<Rule>& rules, uint64_t engine_hz, const BurstNeeds& needs) {
  Diagnostics out;
  for (const Rule& r : rules) {
    const Meter& meter = r.action.meter;
    if (meter.kind == Meter::Kind::none) continue;
    if (const std::string why = meter_problem(meter, engine_hz); !why.empty()) {
      out.error("edge-action", r.range, "the meter of this rule cannot be: " + why, "change its rates or bursts");
      continue;
    }
    BurstNeeds own = needs;
    if (r.action.largest != 0) own.largest = r.action.largest;
    if (const std::string why = small_burst(meter, own); !why.empty())
      out.error("edge-action", r.range, "the meter of this rule cannot be: " + why,
                "write a larger burst or a shorter tick, or, when all packets of this rule are small, how large they "
                "are: largest 200");
  }
  return out;
}

Result<classify::TableImage> rule_table(const std::vector<Rule>& rules, Classifier classifier, uint32_t at,
                                        uint32_t room, const SourceRange& where) {
  std::vector<classify::Match> matches;
  for (const Rule& r : rules) matches.push_back(r.match);
  if (classifier == Classifier::linear) return classify::build_linear(matches, at, room, where);
  auto table = classify::build_vectors(matches, at, room, where);
  if (!table) return tl::unexpected(std::move(table.error()));
  return std::move(table->image);
}

std::vector<uint32_t> record_words(const std::vector<Rule>& rules, const Settings& settings, uint32_t root,
                                   uint64_t engine_hz, uint64_t now) {
  std::vector<uint32_t> words(kBankBytes / 4, 0);
  const auto record = [&](size_t number) {
    return words.begin() + static_cast<std::ptrdiff_t>(number * (kRecordBytes / 4));
  };
  for (size_t i = 0; i < rules.size(); ++i) {
    std::ranges::copy(meter_record(rules[i].action.meter, engine_hz, now), record(i));
    *record(i) = action_word(rules[i].action);
  }
  *record(kDefaultRecord) = action_word({});
  for (size_t i = 0; i <= kDefaultRecord; ++i)
    record(i)[1] = limits_word(settings, i < rules.size() ? rules[i].action.cls : Class::be);
  *record(kRootRecord) = root;
  return words;
}

namespace {

/// Of each queue what was put and taken, of each class its drops.
void add_figures(ControlSetup& setup) {
  for (unsigned port = 0; port < kPorts; ++port) {
    for (size_t c = 0; c < kClasses; ++c) {
      for (const bool sent : {false, true})
        setup.counters.push_back({CounterSetup::Kind::figure, sent ? "sent" : "queued", port, image::Region::sram0,
                                  queue_address(port, static_cast<Class>(c)) + (sent ? 4 : 0),
                                  std::string(kClassNames[c])});
    }
  }
  for (size_t c = 0; c < kClasses; ++c) {
    for (const bool full : {false, true})
      setup.counters.push_back({CounterSetup::Kind::figure, full ? "queue_full" : "policed", CounterSetup::kAllPorts,
                                image::Region::scratch, class_drop_address(static_cast<Class>(c), full),
                                std::string(kClassNames[c])});
  }
}

/// The word that says which rules count has the name of the search that their table is for; a program for the other one
/// asks for another name.
void add_search(const DiffservConfig& config, ControlSetup& setup) {
  const bool range = config.settings.classifier == Classifier::range;
  const char* const names[]{"linear search", "range matching"};
  setup.constants[range ? "rules_range" : "rules_linear"] = kRuleSet / 4;
  setup.withheld[range ? "rules_linear" : "rules_range"] = {
      fmt::format(
          "it searches rules by {}, and {}", names[!range],
          config.settings.classifier_said.empty()
              ? fmt::format("{} has no line 'classifier', so their table is for {}", config.router.path, names[range])
              : fmt::format("{} says {}", config.settings.classifier_said, names[range])),
      fmt::format("build the receivers with \"define\": {{\"RANGE\": {}}} in the project (--set "
                  "programs.N.define.RANGE={} for each "
                  "of them), or choose their search: --set control.options.classifier={}",
                  range ? 1 : 0, range ? 1 : 0, range ? "linear" : "range")};
}

/// The clock is written each tick, but what the control processor does in between is done first: a packet that was
/// handed to it, or a piece of a command.
BurstNeeds burst_needs(const DiffservConfig& config, const ControlOptions& options) {
  constexpr uint64_t kPieceNanoseconds = 1000;
  BurstNeeds out{config.settings.tick + kPieceNanoseconds, 0};
  if (options.control_kilohertz != 0)
    out.step += (options.cycles_per_interrupt + options.cycles_per_packet) * 1'000'000 / options.control_kilohertz;
  for (const Interface& i : config.router.interfaces) out.largest = std::max(out.largest, i.mtu);
  return out;
}

/// The quanta in the records of the queues.
void add_queues(const Settings& settings, ControlSetup& setup) {
  image::MemoryWrite out{image::Region::sram0, kClassQueues,
                         std::vector<uint32_t>(kPorts * kQueuesOfPort * kQueueBytes / 4, 0)};
  for (unsigned port = 0; port < kPorts; ++port)
    for (size_t c = 0; c < kClasses; ++c)
      out.values[(queue_address(port, static_cast<Class>(c)) - kClassQueues + kQueueQuantum) / 4] =
          settings.classes[c].quantum;
  setup.memory.push_back(std::move(out));
}

}  // namespace

Result<ControlSetup> load_diffserv_control(const std::string& path, const ControlOptions& options) {
  auto config = read_diffserv_config(path, std::min(options.ports, kPorts), options.switches);
  if (!config) return tl::unexpected(std::move(config.error()));
  auto setup = ixp1200::setup_of(config->router, options, {kTableEnd, kSramBytes});
  if (!setup) return setup;
  const SourceRange where = whole_file(path);
  const BurstNeeds needs = burst_needs(*config, options);
  if (auto problems = meter_problems(config->rules, options.engine_kilohertz * 1000, needs); problems.has_errors())
    return tl::unexpected(std::move(problems));
  auto table = rule_table(config->rules, config->settings.classifier, kRules, kRulesEnd - kRules, where);
  if (!table) return tl::unexpected(std::move(table.error()));

  setup->summary += fmt::format(", {} rules ({}) in {} KB", config->rules.size(),
                                config->settings.classifier == Classifier::range ? "range matching" : "linear search",
                                (table->bytes() + 1023) / 1024);
  setup->memory.push_back(
      {image::Region::sram0, kBanks[0],
       record_words(config->rules, config->settings, table->root, options.engine_kilohertz * 1000)});
  setup->memory.push_back({image::Region::scratch, kRuleSet, {kBanks[0] / 4}});
  ProgramSetup program;
  program.first_fits_half = table->bytes() <= kRuleHalves[1] - kRuleHalves[0];
  setup->memory.push_back({image::Region::sram0, table->at, std::move(table->words)});
  add_queues(config->settings, *setup);
  add_search(*config, *setup);
  add_figures(*setup);
  for (const CounterSetup& c : setup->counters)
    if (c.kind == CounterSetup::Kind::figure) program.figures.push_back(c);
  setup->files = config->router.files;
  program.options = options;
  program.folder = std::filesystem::path(path).parent_path().string();
  program.settings = config->settings;
  program.rules = std::move(config->rules);
  program.needs = needs;
  program.tick_cycles = config->settings.tick * options.control_kilohertz / 1'000'000;
  setup->program = make_diffserv_program(std::move(program));
  return setup;
}

}  // namespace weft::control::diffserv
