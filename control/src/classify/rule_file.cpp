#include "weft/control/classify/rule_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include "weft/base/files.h"
#include "weft/control/address.h"

namespace weft::control::classify {

namespace {

constexpr size_t kEnough = 20;  // a file of the wrong kind is told by its first lines

class Reader {
 public:
  explicit Reader(const SourceFilePtr& file) { rules_.file = file; }

  Result<RuleFile> read() {
    for (line_ = 1; line_ <= rules_.file->line_count() && problems_ < kEnough; ++line_) {
      words_ = split_words(rules_.file->line(line_));
      if (words_.empty()) continue;
      if (rules_.rules.empty() && problems_ == 0) {
        rules_.format = words_[0].text[0] == '@' ? RuleFormat::classbench : RuleFormat::text;
      }
      auto rule = rules_.format == RuleFormat::classbench ? classbench() : text();
      if (rule)
        rules_.rules.push_back(std::move(*rule));
      else
        ++problems_;
    }
    if (out_.has_errors()) return tl::unexpected(std::move(out_));
    return std::move(rules_);
  }

 private:
  SourceRange at(size_t index) const {
    return range_of(rules_.file, line_, words_[std::min(index, words_.size() - 1)]);
  }
  SourceRange whole_line() const { return {rules_.file, at(0).begin, at(words_.size()).end}; }
  std::nullopt_t bad(size_t index, std::string text, std::string remedy) {
    out_.error("classify-rule", at(index), std::move(text), std::move(remedy));
    return std::nullopt;
  }

  std::optional<Rule> text() {
    if (words_[0].text != "match") {
      return bad(0, fmt::format("a line of rules cannot begin with '{}'", words_[0].text),
                 "write: match source 10.0.0.0/8 protocol tcp : ACTION");
    }
    MatchReader reader(rules_.file, line_, words_, out_);
    size_t next = 1;
    if (words_.size() > 1 && words_[1].text == "any") {
      next = 2;
    } else {
      while (reader.take(next)) {
      }
    }
    if (reader.failed()) return std::nullopt;
    if (next == 1 && words_.size() > 1 && words_[1].text == ":")
      return bad(1, "the rule does not say which packets it is for",
                 "write match any, or fields: match source 10.0.0.0/8 protocol tcp");
    if (next >= words_.size())
      return bad(next, "the rule has no action", "write a colon and what is to be done after the fields");
    if (words_[next].text != ":") {
      return bad(next, fmt::format("'{}' is not a field of a rule", words_[next].text),
                 "the fields are source, destination, source-port, destination-port, protocol and dscp; a colon with a "
                 "blank on both sides ends them");
    }
    Rule rule{reader.match(), {}, whole_line()};
    for (size_t i = next + 1; i < words_.size(); ++i) rule.action.push_back({words_[i].text, at(i)});
    if (rule.action.empty()) return bad(next, "the rule has no action", "write what is to be done after the colon");
    return rule;
  }

  /// @source destination low : high low : high protocol/mask [flags/mask]
  std::optional<Rule> classbench() {
    if (words_[0].text[0] != '@' || words_.size() < 9 || words_.size() > 10 || words_[3].text != ":" ||
        words_[6].text != ":") {
      return bad(0, "this is not a line of a ClassBench filter set",
                 "write: @10.0.0.0/8 192.0.2.0/24 0 : 65535 80 : 80 0x06/0xFF 0x0000/0x0000");
    }
    Rule rule{{}, {}, whole_line()};
    const bool good = field(0, Field::source, words_[0].text.substr(1), rule) &&
                      field(1, Field::destination, words_[1].text, rule) &&
                      field(2, Field::source_port, fmt::format("{}-{}", words_[2].text, words_[4].text), rule) &&
                      field(5, Field::destination_port, fmt::format("{}-{}", words_[5].text, words_[7].text), rule) &&
                      protocol(8, rule);
    if (!good) return std::nullopt;
    return rule;  // the flags of TCP, tenth, are not a field of the classifier
  }

  bool field(size_t index, Field field, std::string_view text, Rule& rule) {
    ParsedRange parsed = parse_range(field, text);
    if (!parsed.value) {
      bad(index, std::move(parsed.problem), std::move(parsed.remedy));
      return false;
    }
    rule.match[field] = *parsed.value;
    return true;
  }

  bool protocol(size_t index, Rule& rule) {
    const std::string_view text = words_[index].text;
    const size_t slash = text.find('/');
    const auto value = hex_byte(text.substr(0, slash));
    const auto mask = slash == std::string_view::npos ? std::nullopt : hex_byte(text.substr(slash + 1));
    if (!value || !mask) {
      bad(index, fmt::format("'{}' is not a protocol with a mask", text), "write 0x06/0xFF for TCP, 0x00/0x00 for any");
      return false;
    }
    if (std::countl_one(*mask) != std::popcount(*mask)) {
      bad(index, fmt::format("the mask {} has a one after a zero, so it is not a range", text.substr(slash + 1)),
          "write 0xFF, or 0x00 for any protocol");
      return false;
    }
    const uint32_t low = *value & *mask;
    rule.match[Field::protocol] = {low, low | (0xffu ^ *mask)};
    return true;
  }

  static std::optional<uint8_t> hex_byte(std::string_view text) {
    uint8_t value = 0;
    if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
  }

  RuleFile rules_;
  Diagnostics out_;
  std::vector<Word> words_;
  uint32_t line_ = 0;
  size_t problems_ = 0;
};

}  // namespace

std::vector<Match> RuleFile::matches() const {
  std::vector<Match> out;
  for (const Rule& r : rules) out.push_back(r.match);
  return out;
}

Result<RuleFile> read_rules(const SourceFilePtr& file) { return Reader(file).read(); }

Result<RuleFile> read_rule_file(const std::string& path) {
  auto source = read_source(path);
  if (!source) return tl::unexpected(source.error());
  return read_rules(*source);
}

}  // namespace weft::control::classify
