#include "weft/control/firewall/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "weft/base/files.h"
#include "weft/base/limits.h"

namespace weft::control::firewall {

namespace {

using classify::MatchReader;
using classify::Range;

class Reader {
 public:
  Reader(const SourceFilePtr& file, const std::vector<PortName>& ports) : file_(file), ports_(ports) {
    rules_.path = file->name();
  }

  Result<RuleSet> all() {
    for (uint32_t n = 1; n <= file_->line_count(); ++n) {
      const std::vector<Word> words = split_words(file_->line(n));
      if (words.empty()) continue;
      if (is_enough(out_, range_of(file_, n, words[0]))) break;
      line(n, words);
    }
    if (out_.has_errors()) return tl::unexpected(std::move(out_));
    return std::move(rules_);
  }

 private:
  void wrong(uint32_t n, const Word& word, const std::string& what, const std::string& remedy) {
    out_.error("firewall-rules", range_of(file_, n, word), what, remedy);
  }

  std::optional<bool> verdict(uint32_t n, const Word& word) {
    if (word.text == "accept") return true;
    if (word.text == "drop") return false;
    wrong(n, word, fmt::format("'{}' is not a verdict", word.text),
          "a line begins with accept, drop or default: accept protocol tcp destination-port 443");
    return std::nullopt;
  }

  void line(uint32_t n, const std::vector<Word>& words) {
    if (words[0].text == "default") return default_line(n, words);
    const auto accept = verdict(n, words[0]);
    if (!accept) return;
    if (default_line_ != 0) {
      wrong(n, words[0], fmt::format("a rule after the line 'default', which is line {}", default_line_),
            "move the default to the end of the file");
      return;
    }
    Rule rule;
    rule.accept = *accept;
    rule.range = {
        file_, {n, words[0].column}, {n, words.back().column + static_cast<uint32_t>(words.back().text.size())}};
    MatchReader match(file_, n, words, out_);
    bool has_in = false, has_out = false, has_state = false, has_status = false;
    for (size_t at = 1; at < words.size();) {
      if (match.take(at)) {
        if (match.failed()) return;
        continue;
      }
      bool good = false;
      if (words[at].text == "in")
        good = own(n, words, at, has_in, rule.in, &Reader::port);
      else if (words[at].text == "out")
        good = own(n, words, at, has_out, rule.out, &Reader::port);
      else if (words[at].text == "state")
        good = own(n, words, at, has_state, rule.state, &Reader::state);
      else if (words[at].text == "status")
        good = own(n, words, at, has_status, rule.status, &Reader::status);
      else
        wrong(n, words[at], fmt::format("'{}' is not a match word", words[at].text),
              "they are source, destination, source-port, destination-port, protocol, dscp, in, out, state and status");
      if (!good) return;
    }
    rule.match = match.match();
    rules_.rules.push_back(std::move(rule));
  }

  void default_line(uint32_t n, const std::vector<Word>& words) {
    if (words.size() != 2)
      return wrong(n, words[0], "'default' takes one word", "write: default drop, or: default accept");
    if (default_line_ != 0)
      return wrong(n, words[0], fmt::format("the default is said twice, first in line {}", default_line_),
                   "leave one of the two out");
    default_line_ = n;
    if (const auto accept = verdict(n, words[1])) rules_.accept_others = *accept;
  }

  bool own(uint32_t n, const std::vector<Word>& words, size_t& at, bool& has, Range& out,
           std::optional<Range> (Reader::*value)(uint32_t, const Word&)) {
    if (has)
      return wrong(n, words[at], fmt::format("'{}' is there twice", words[at].text),
                   "leave one of the two out, or make two rules"),
             false;
    has = true;
    if (at + 1 == words.size())
      return wrong(n, words[at], fmt::format("'{}' has no value", words[at].text),
                   words[at].text == "state"    ? "write: state new, or: state established"
                   : words[at].text == "status" ? "write: status dnat, or: status no-dnat"
                                                : "name a port"),
             false;
    const auto range = (this->*value)(n, words[at + 1]);
    at += 2;
    if (range) out = *range;
    return range.has_value();
  }

  std::optional<Range> port(uint32_t n, const Word& word) {
    if (word.text == "any") return Range{0, kLastPort};
    for (const PortName& p : ports_) {
      if (p.name != word.text && std::ranges::find(p.interfaces, word.text) == p.interfaces.end()) continue;
      if (p.interfaces.size() < 2) return Range{p.port, p.port};
      wrong(
          n, word,
          fmt::format("'{}' is one of the interfaces of port {}: {}", word.text, p.port, fmt::join(p.interfaces, ", ")),
          fmt::format("rules tell ports apart, not the VLANs of one: write {} for all of them, or match addresses",
                      p.port));
      return std::nullopt;
    }
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), number);
    if (error == std::errc{} && end == word.text.data() + word.text.size() && number <= kLastPort)
      return Range{number, number};
    std::string names;
    for (const PortName& p : ports_) names += (names.empty() ? "" : ", ") + p.name;
    wrong(n, word, fmt::format("there is no port '{}'", word.text),
          names.empty() ? fmt::format("write its number, 0 to {}", kLastPort) : fmt::format("the ports are {}", names));
    return std::nullopt;
  }

  /// 0, 1 or both of something that has two values.
  std::optional<Range> either(uint32_t n, const Word& word, std::string_view what,
                              const std::array<std::string_view, 2>& values, const char* remedy) {
    if (word.text == "any") return Range{0, 1};
    for (const uint32_t value : {0u, 1u})
      if (word.text == values[value]) return Range{value, value};
    wrong(n, word, fmt::format("there is no {} '{}'", what, word.text), remedy);
    return std::nullopt;
  }

  std::optional<Range> state(uint32_t n, const Word& word) {
    return either(n, word, "state", {"new", "established"}, "write new, established or any");
  }

  std::optional<Range> status(uint32_t n, const Word& word) {
    return either(n, word, "status", {"no-dnat", "dnat"}, "write dnat, no-dnat or any");
  }

  SourceFilePtr file_;
  const std::vector<PortName>& ports_;
  RuleSet rules_;
  uint32_t default_line_ = 0;
  Diagnostics out_;
};

}  // namespace

std::vector<PortName> port_names(const std::vector<PortSetup>& ports) {
  std::vector<PortName> out;
  out.reserve(ports.size());
  for (const PortSetup& p : ports) out.push_back({p.name, p.port, p.interfaces});
  return out;
}

size_t entries_of(const Rule& rule) { return rule.status == Range{0, 0} && rule.state == Range{0, 1} ? 2 : 1; }

size_t RuleSet::entries() const {
  size_t count = 1;
  for (const Rule& rule : rules) count += entries_of(rule);
  return count;
}

Result<RuleSet> read_rules(const SourceFilePtr& file, const std::vector<PortName>& ports) {
  return Reader(file, ports).all();
}

Result<RuleSet> read_rules(const std::string& path, const std::vector<PortName>& ports) {
  auto file = read_source(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  return read_rules(*file, ports);
}

std::string to_text(const Rule& rule) {
  std::string out = rule.accept ? "accept" : "drop";
  const std::string match = classify::to_text(rule.match);
  if (match != "any") out += " " + match;
  const auto add = [&](std::string_view name, const Range& range, uint32_t max, auto value) {
    if (range.low != 0 || range.high < max) out += fmt::format(" {} {}", name, value(range));
  };
  const auto number = [](const Range& r) { return fmt::to_string(r.low); };
  add("in", rule.in, kLastPort, number);
  add("out", rule.out, kLastPort, number);
  add("state", rule.state, 1, [](const Range& r) { return std::string(r.low == 0 ? "new" : "established"); });
  add("status", rule.status, 1, [](const Range& r) { return std::string(r.low == 0 ? "no-dnat" : "dnat"); });
  return out;
}

}  // namespace weft::control::firewall
