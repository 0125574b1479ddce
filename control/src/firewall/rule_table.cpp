#include "weft/control/firewall/rule_table.h"

namespace weft::control::firewall {

namespace {

using classify::Field;

constexpr uint32_t fields(uint32_t port, uint32_t middle, uint32_t low, uint32_t lowest) {
  return port << 15 | middle << 6 | low << 3 | lowest;
}

/// What is said of state and status, as ranges of the tracking number: one, or two.
std::vector<classify::Range> tracking(const Rule& rule) {
  const bool fresh = rule.state.low == 0, old = rule.state.high == 1, plain = rule.status.low == 0,
             dnat = rule.status.high == 1;
  if (fresh && old) {
    if (plain && dnat) return {{0, 3}};
    if (dnat) return {{1, 2}};
    return {{0, 0}, {3, 3}};
  }
  if (fresh) return {{plain ? 0u : 1u, dnat ? 1u : 0u}};
  return {{dnat ? 2u : 3u, plain ? 3u : 2u}};
}

void add_words(std::vector<uint32_t>& out, const Rule& rule, const classify::Range& tracking, bool last) {
  const auto& m = rule.match;
  const auto width = [](const classify::Range& r) { return r.high - r.low; };
  const uint32_t verdict = (rule.accept ? kAccept : 0) | (last ? kLastRule : 0);
  out.insert(out.end(),
             {m[Field::source].low, width(m[Field::source]), m[Field::destination].low, width(m[Field::destination]),
              fields(m[Field::source_port].low, m[Field::protocol].low, tracking.low, verdict),
              kGuards | fields(m[Field::source_port].high, m[Field::protocol].high, tracking.high, 0),
              fields(m[Field::destination_port].low, m[Field::dscp].low, rule.in.low, rule.out.low),
              kGuards | fields(m[Field::destination_port].high, m[Field::dscp].high, rule.in.high, rule.out.high)});
}

}  // namespace

std::vector<uint32_t> table_words(const RuleSet& rules) {
  std::vector<uint32_t> out;
  out.reserve(rules.entries() * kRuleLongwords);
  for (const Rule& rule : rules.rules) {
    for (const classify::Range& range : tracking(rule)) add_words(out, rule, range, false);
  }
  Rule others;
  others.accept = rules.accept_others;
  add_words(out, others, {0, 3}, true);
  return out;
}

}  // namespace weft::control::firewall
