// weft rules: a rule file of the firewall as the microcode that is made of it, or as the tables that the engines read.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "commands.h"
#include "console.h"
#include "print.h"
#include "weft/control/firewall/compiled_rules.h"
#include "weft/control/firewall/rule_table.h"

namespace weft::cli {
namespace {

struct RulesOptions {
  std::string file, out = "-";
  std::vector<std::string> ports;
  bool table = false;
};

std::string table_text(const control::firewall::RuleSet& rules) {
  const auto words = control::firewall::table_words(rules);
  std::string out;
  size_t rule = 0, left = rules.rules.empty() ? 1 : entries_of(rules.rules[0]);  // entries of the rule
  for (size_t i = 0; i < words.size(); i += control::firewall::kRuleLongwords) {
    for (size_t w = 0; w < control::firewall::kRuleLongwords; ++w)
      out += fmt::format("{}{:08x}", w == 0 ? "" : " ", words[i + w]);
    out += rule < rules.rules.size() ? fmt::format("   {}: {}\n", rule + 1, to_text(rules.rules[rule]))
                                     : fmt::format("   default {}\n", rules.accept_others ? "accept" : "drop");
    if (--left == 0 && ++rule < rules.rules.size())
      left = entries_of(rules.rules[rule]);
    else if (left == 0)
      left = 1;
  }
  return out;
}

int rules(const RulesOptions& options) {
  std::vector<control::firewall::PortName> ports;
  for (const std::string& text : options.ports) {
    const size_t equals = text.find('=');
    unsigned number = 0;
    const char* end = text.data() + text.size();
    const bool good = equals != std::string::npos && equals > 0 &&
                      std::from_chars(text.data() + equals + 1, end, number).ptr == end &&
                      number <= control::firewall::kLastPort && equals + 1 < text.size();
    if (!good) {
      print_error("weft rules: '{}' is not a port: write NAME=NUMBER, number 0 to {}\n", text,
                  control::firewall::kLastPort);
      return kWrongUsage;
    }
    ports.push_back({text.substr(0, equals), number});
  }
  if (!outputs_are_good({{"-o", options.out}}, {options.file})) return kWrongInput;
  const auto set = control::firewall::read_rules(options.file, ports);
  if (!set) {
    report(set.error());
    return kWrongInput;
  }
  if (options.table) return write_text(options.out, table_text(*set)) ? kDone : kWrongInput;
  const auto compiled = control::firewall::compile_rules(*set);
  if (!compiled) {
    report(compiled.error());
    return kWrongInput;
  }
  return write_text(options.out, compiled->text) ? kDone : kWrongInput;
}

}  // namespace

Command declare_rules(CLI::App& app) {
  auto options = std::make_shared<RulesOptions>();
  app.add_option("FILE", options->file, "the rules")->required();
  app.add_option("--port", options->ports, "NAME=NUMBER: a port by the name that the rules use");
  app.add_flag("--table", options->table,
               "the entries of SRAM and local memory, eight longwords each, instead of microcode");
  app.add_option("-o", options->out, "where to write; - is standard output");
  return [options] { return rules(*options); };
}

}  // namespace weft::cli
