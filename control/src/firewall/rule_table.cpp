#include "weft/control/firewall/rule_table.h"

#include <algorithm>

namespace weft::control::firewall {

namespace {

using classify::Field;

constexpr uint32_t fields(uint32_t port, uint32_t middle, uint32_t low, uint32_t lowest) {
  return port << 15 | middle << 6 | low << 3 | lowest;
}

}  // namespace

RuleWords rule_words(const Rule& rule, bool last) {
  const auto& m = rule.match;
  const auto width = [](const classify::Range& r) { return r.high - r.low; };
  const uint32_t verdict = (rule.accept ? kAccept : 0) | (last ? kLastRule : 0);
  return {m[Field::source].low,
          width(m[Field::source]),
          m[Field::destination].low,
          width(m[Field::destination]),
          fields(m[Field::source_port].low, m[Field::protocol].low, rule.state.low, verdict),
          kGuards | fields(m[Field::source_port].high, m[Field::protocol].high, rule.state.high, 0),
          fields(m[Field::destination_port].low, m[Field::dscp].low, rule.in.low, rule.out.low),
          kGuards | fields(m[Field::destination_port].high, m[Field::dscp].high, rule.in.high, rule.out.high)};
}

std::vector<uint32_t> table_words(const RuleSet& rules) {
  std::vector<uint32_t> out;
  out.reserve(rules.entries() * kRuleLongwords);
  const auto add = [&](const Rule& rule, bool last) {
    const RuleWords words = rule_words(rule, last);
    out.insert(out.end(), words.begin(), words.end());
  };
  for (const Rule& rule : rules.rules) add(rule, false);
  Rule others;
  others.accept = rules.accept_others;
  add(others, true);
  return out;
}

}  // namespace weft::control::firewall
