// Files of rules for the classifier (docs/rules.md). The first rule that matches counts, so their order is their
// priority.
//
// Text, one rule a line, `#` begins a comment; what stands after the colon is for the service that uses the rules:
//
//   match source 10.0.0.0/8 protocol udp destination-port 5004-5005 : class EF
//   match any : class BE
//
// Filter sets of ClassBench, known by the `@` that begins their lines; such rules have no action:
//
//   @10.0.0.0/8  192.0.2.0/24  0 : 65535  80 : 80  0x06/0xFF  0x0000/0x0000
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/control/classify/match.h"

namespace weft::control::classify {

/// A word of an action, with its place for messages about it.
struct ActionWord {
  std::string_view text;  ///< in the text of the file, which `range` keeps alive
  SourceRange range;
};

struct Rule {
  Match match;
  std::vector<ActionWord> action;
  SourceRange range;
};

enum class RuleFormat : uint8_t { text, classbench };

struct RuleFile {
  SourceFilePtr file;
  RuleFormat format = RuleFormat::text;
  std::vector<Rule> rules;

  std::vector<Match> matches() const;
};

/// Problems are reported with their lines, those of the first twenty lines that have some.
Result<RuleFile> read_rules(const SourceFilePtr& file);
Result<RuleFile> read_rule_file(const std::string& path);

}  // namespace weft::control::classify
