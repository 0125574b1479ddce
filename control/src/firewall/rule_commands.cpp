#include "firewall/rule_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "weft/base/files.h"
#include "weft/base/paths.h"
#include "weft/control/firewall/compiled_rules.h"
#include "weft/control/firewall/rule_table.h"

namespace weft::control::firewall {

namespace {

constexpr std::array<std::string_view, 3> kStoreNames{"sram", "local", "compiled"};

}  // namespace

std::optional<FilterStore> filter_store(std::string_view name) {
  const auto found = std::ranges::find(kStoreNames, name);
  if (found == kStoreNames.end()) return std::nullopt;
  return static_cast<FilterStore>(found - kStoreNames.begin());
}

FilterStore usual_store(const ControlOptions& options) {
  if (options.filter_store == "1") return FilterStore::sram;  // as filter.uc numbers them
  if (options.filter_store == "2") return FilterStore::local;
  return options.filter_store == "3" || !options.rule_engines.empty() ? FilterStore::compiled : FilterStore::sram;
}

RulesSetup RuleCommands::setup() const {
  RulesSetup out;
  out.store = kStoreNames[static_cast<size_t>(store_)];
  out.file = rules_.path;
  if (store_ != FilterStore::compiled) return out;
  if (auto compiled = compile_rules(rules_))
    out.compiled = std::move(compiled->text);  // they fit: make() has seen to that
  return out;
}

Result<RuleCommands> RuleCommands::make(RuleSet rules, FilterStore store, const RulePlaces& places,
                                        std::vector<PortName> ports, std::string folder, unsigned engines) {
  RuleCommands out;
  out.store_ = store;
  out.places_ = places;
  out.ports_ = std::move(ports);
  out.folder_ = std::move(folder);
  out.engines_ = std::min(engines, kFilterEngines);
  if (auto fit = out.fits(rules); !fit) return tl::unexpected(std::move(fit.error()));
  out.rules_ = std::move(rules);
  return out;
}

// The table is there in every case: it costs nothing, and whoever looks at memory sees the rules.
std::vector<image::MemoryWrite> RuleCommands::image() const {
  std::vector<uint32_t> control(kFilterControlLongwords, 0);
  control[kFilterTable] = table_word();
  std::vector<image::MemoryWrite> out{{image::Region::scratch, places_.control, std::move(control)}};
  if (rules_.entries() * kRuleLongwords * 4 <= places_.table_bytes)
    for (const image::Region region : regions()) out.push_back({region, places_.tables[0], table_words(rules_)});
  return out;
}

std::vector<image::Region> RuleCommands::regions() const {
  std::vector<image::Region> out{places_.region};
  if (places_.both_channels)
    out.push_back(places_.region == image::Region::sram0 ? image::Region::sram1 : image::Region::sram0);
  return out;
}

bool RuleCommands::is_command(const std::string& line) {
  const auto words = split_words(line);
  return !words.empty() && words[0].text == "rules";
}

Result<RuleSet> RuleCommands::read(const std::string& line) const {
  const auto words = split_words(line);
  if (words.size() != 2)
    return fail("control-command", SourceRange{}, "'rules' takes the name of a rule file", "write: rules other.rules");
  if (store_ == FilterStore::compiled && engines_ == 0)
    return fail("control-command", SourceRange{},
                "no microengine would get the new rules: they are compiled, and no program has \"rules\"",
                "give the filter programs \"rules\" in the project, or take the rule store sram or local");
  const std::string path = tidy(std::filesystem::path(folder_) / words[1].text).string();
  const auto file = read_source(path);
  if (!file)
    return fail("control-command", SourceRange{}, fmt::format("the rule file {} cannot be read", path),
                "name it relative to the folder of the configuration");
  auto rules = read_rules(*file, ports_);
  if (!rules) return rules;
  if (auto fit = fits(*rules); !fit) return tl::unexpected(std::move(fit.error()));
  if (store_ == FilterStore::sram && rules->entries() > places_.command_entries)
    return fail("firewall-rules-size", whole_file(path),
                fmt::format("{} rules and the default take {}, more than the {} entries for which this run has time",
                            rules->rules.size(), rules->entries(), places_.command_entries),
                "begin the run with a file of as many rules: memory that packets may still use rests longer then");
  return rules;
}

Result<bool> RuleCommands::fits(const RuleSet& rules) const {
  const size_t entries = rules.entries();
  if (store_ == FilterStore::local && entries > kLocalRules)
    return fail("firewall-rules-size", whole_file(rules.path),
                fmt::format("{} rules and the default take {}, more than the {} entries of local memory",
                            rules.rules.size(), entries, kLocalRules),
                fmt::format("use at most {} rules, or the rule store sram or compiled", kLocalRules - 1));
  if (store_ == FilterStore::sram && entries * kRuleLongwords * 4 > places_.table_bytes)
    return fail("firewall-rules-size", whole_file(rules.path),
                fmt::format("{} rules and the default take {}, more than the {} entries that SRAM has room for",
                            rules.rules.size(), entries, places_.table_bytes / (kRuleLongwords * 4)),
                "leave rules out, or put several addresses or ports into one");
  if (store_ == FilterStore::compiled) {
    if (auto compiled = compile_rules(rules); !compiled) return tl::unexpected(std::move(compiled.error()));
  }
  return true;
}

Result<bool> RuleCommands::check(const std::string& line) const {
  auto rules = read(line);
  if (!rules) return tl::unexpected(std::move(rules.error()));
  return true;
}

Result<std::string> RuleCommands::compiled(const std::string& line) const {
  if (store_ != FilterStore::compiled) return std::string();
  auto rules = read(line);
  if (!rules) return tl::unexpected(std::move(rules.error()));
  auto compiled = compile_rules(*rules);
  if (!compiled) return tl::unexpected(std::move(compiled.error()));
  return std::move(compiled->text);
}

Access RuleCommands::control_write(uint32_t longword, std::vector<uint32_t> values) const {
  Access out;
  out.kind = Access::Kind::write;
  out.region = image::Region::scratch;
  out.address = places_.control + longword * 4;
  out.values = std::move(values);
  return out;
}

Reaction RuleCommands::command(const Event& event) {
  auto rules = read(event.command);
  if (!rules) {
    Reaction out;
    out.text = event.command + ": " + rules.error().list().front().text;
    return out;
  }
  const size_t old = rules_.entries();
  rules_ = std::move(*rules);
  if (store_ == FilterStore::compiled) {
    engine_ = 0;
    return engines_ == 0 ? Reaction{} : pause();
  }
  // The area that is written now was read until the publication before this one.
  Reaction out;
  const uint64_t grace = old_entries_ * kRuleGraceCycles;
  const uint64_t passed =
      (event.nanoseconds - published_) * 3 / 5;  // cycles at 600 MHz; a slower processor waits longer
  old_entries_ = old;
  if (grace > passed) {
    phase_ = Phase::grace;
    out.cycles = grace - passed;
    Access nothing;
    nothing.address = places_.control;
    out.accesses.push_back(nothing);  // its result says that the time is over
    return out;
  }
  return write_table();
}

/// One engine stops; the others go on with the rules that they have.
Reaction RuleCommands::pause() {
  phase_ = Phase::pausing;
  Reaction out;
  out.accesses.push_back(control_write(kFilterPause, {1u << engine_}));
  return out;
}

Reaction RuleCommands::write_table() {
  phase_ = Phase::writing;
  ++version_;
  Reaction out;
  for (const image::Region region : regions()) {
    Access table;
    table.kind = Access::Kind::write;
    table.region = region;
    table.address = places_.tables[version_ % 2];
    table.values = table_words(rules_);
    out.accesses.push_back(std::move(table));
  }
  return out;
}

Reaction RuleCommands::results(const Event& event) {
  Reaction out;
  switch (phase_) {
    case Phase::idle: break;
    case Phase::grace: return write_table();
    case Phase::writing:
      phase_ = Phase::publishing;
      out.accesses.push_back(control_write(kFilterTable, {table_word()}));
      break;
    case Phase::publishing:
      phase_ = Phase::idle;
      published_ = event.nanoseconds;
      break;
    case Phase::pausing:
      if (event.results.empty() || event.results[0] != 8) {  // the first results are those of the write, none
        Access stopped;
        stopped.address = places_.control + (kFilterStopped + engine_) * 4;
        out.cycles = event.results.empty() ? 0 : 600;
        out.accesses.push_back(stopped);
        break;
      }
      phase_ = Phase::loading;
      out.accesses.push_back(control_write(kFilterPause, {0}));
      out.accesses.push_back(control_write(kFilterStopped + engine_, {0}));
      out.load_stores = 1u << engine_;
      break;
    case Phase::loading:
      if (++engine_ < engines_) return pause();
      phase_ = Phase::idle;
      break;
  }
  return out;
}

}  // namespace weft::control::firewall
