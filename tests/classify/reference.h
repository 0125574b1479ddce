// What the classifier must answer, worked out from the meaning of a rule alone: nothing here comes from
// control/classify.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sweep.h"
#include "weft/base/random.h"

namespace weft::test {

/// Both ends belong to a range; fields in the order of Fields.
struct PlainRule {
  Fields low{}, high{0xffffffff, 0xffffffff, 0xffff, 0xffff, 0xff, 0x3f};
};

/// The first rule that matches, -1 when none does.
int first_match(const std::vector<PlainRule>& rules, const Fields& header);

/// Rules as people write them (prefixes, hosts, ranges, ports, wildcards), which overlap.
std::vector<PlainRule> random_rules(Random& random, size_t count);
/// One of the three: anything; inside of a rule; on the edge of a rule or beside it in some fields.
Fields random_header(Random& random, const std::vector<PlainRule>& rules);
/// For each rule and field: a header inside of the rule, with the field at low - 1, low, high and high + 1.
std::vector<Fields> edge_headers(const std::vector<PlainRule>& rules);

/// A rule file in the text format (docs/rules.md).
std::string as_text(const std::vector<PlainRule>& rules);

/// ClassBench files; empty when they are not there.
std::vector<PlainRule> read_filters(const std::string& path);
std::vector<Fields> read_trace(const std::string& path);
std::vector<int> read_numbers(const std::string& path);

}  // namespace weft::test
