#include "weft/control/diffserv/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "weft/base/json.h"

namespace weft::control::diffserv {

namespace {

constexpr uint64_t kMaxRate = 10'000'000'000;
constexpr uint32_t kMaxBurst = 1u << 24;
constexpr std::string_view kShape =
    "class EF police 8M burst 3000, class AF1 srtcm 8M 4096 8192, class AF2 trtcm 4M 4096 8M 8192, class BE dscp keep";

class ActionReader {
 public:
  ActionReader(const classify::Rule& rule, Diagnostics& out) : words_(rule.action), end_(rule.range), out_(out) {}

  std::optional<Action> read() {
    if (word() != "class")
      return wrong("an action begins with its class", fmt::format("write one such as: {}", kShape));
    ++at_;
    const auto cls = std::ranges::find(kClassNames, word());
    if (cls == kClassNames.end())
      return wrong(fmt::format("'{}' is not a class", word()), "the classes are EF, AF1, AF2, AF3, AF4 and BE");
    action_.cls = static_cast<Class>(cls - kClassNames.begin());
    mark(action_.cls);
    for (++at_; at_ < words_.size() && !failed_;) {
      const std::string_view what = word();
      ++at_;
      static constexpr std::pair<std::string_view, void (ActionReader::*)()> kParts[] = {
          {"dscp", &ActionReader::dscp},       {"police", &ActionReader::police}, {"srtcm", &ActionReader::single_rate},
          {"trtcm", &ActionReader::two_rates}, {"aware", &ActionReader::aware},   {"drop", &ActionReader::drop},
          {"largest", &ActionReader::largest}};
      const auto part = std::ranges::find(kParts, what, [](const auto& p) { return p.first; });
      if (part != std::end(kParts)) {
        (this->*part->second)();
      } else {
        --at_;
        const auto close = nearest(what, {"dscp", "police", "srtcm", "trtcm", "aware", "drop", "largest"});
        return wrong(fmt::format("'{}' does not belong to an action", what),
                     close ? fmt::format("did you mean '{}'?", *close) : fmt::format("write one such as: {}", kShape));
      }
    }
    if (failed_) return std::nullopt;
    return action_;
  }

 private:
  std::string_view word() const { return at_ < words_.size() ? words_[at_].text : std::string_view{}; }

  std::nullopt_t wrong(std::string text, std::string remedy) {
    out_.error("edge-action",
               at_ < words_.size() ? words_[at_].range
               : words_.empty()    ? end_
                                   : words_.back().range,
               std::move(text), std::move(remedy));
    failed_ = true;
    return std::nullopt;
  }

  void mark(Class cls) {
    if (cls == Class::ef) return action_.dscp.fill(46);
    if (cls == Class::be) return action_.dscp.fill(0);
    for (uint8_t colour = 0; colour < 3; ++colour)
      action_.dscp[colour] = static_cast<uint8_t>(8 * static_cast<unsigned>(cls) + 2 * (colour + 1u));
  }

  void dscp() {
    if (word() == "keep") {
      action_.dscp.fill(kKeepDscp);
    } else {
      const classify::ParsedRange value = classify::parse_range(classify::Field::dscp, word());
      if (!value.value || value.value->low != value.value->high) {
        wrong(fmt::format("'{}' is not a DSCP", word()), "write a number from 0 to 63, a name such as af11, or keep");
        return;
      }
      action_.dscp.fill(static_cast<uint8_t>(value.value->low));
    }
    ++at_;
  }

  uint64_t rate(std::string_view what) {
    const auto bits = parse_rate(word());
    if (!bits || *bits < 8 || *bits > kMaxRate) {
      wrong(fmt::format("the {} '{}' is not a rate from 8 to 10G", what, word()),
            "write bits a second, such as 64000, 800k or 8M");
      return 0;
    }
    ++at_;
    return *bits;
  }
  uint32_t bytes(std::string_view what, uint32_t min) {
    uint32_t value = 0;
    const std::string_view text = word();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < min || value > kMaxBurst) {
      wrong(fmt::format("the {} '{}' is not a number of bytes from {} to {}", what, text, min, kMaxBurst),
            "write bytes of IP packets, such as 3000: a packet that is larger than its bucket never passes");
      return 0;
    }
    ++at_;
    return value;
  }
  bool first(Meter::Kind kind) {
    if (action_.meter.kind != Meter::Kind::none) {
      --at_;
      wrong("the rule has two meters", "write one of police, srtcm and trtcm");
      return false;
    }
    action_.meter.kind = kind;
    return true;
  }
  void police() {
    if (!first(Meter::Kind::police)) return;
    action_.meter.committed_rate = rate("rate");
    if (failed_) return;
    if (word() != "burst") return void(wrong("after the rate comes the burst", "write police 8M burst 3000"));
    ++at_;
    action_.meter.committed_burst = bytes("burst", kShortestPacket);
  }
  void single_rate() {
    if (!first(Meter::Kind::srtcm)) return;
    action_.meter.committed_rate = rate("rate");
    if (!failed_) action_.meter.committed_burst = bytes("committed burst", 0);
    if (!failed_) action_.meter.excess_burst = bytes("excess burst", 0);
    if (!failed_ && action_.meter.committed_burst == 0 && action_.meter.excess_burst == 0)
      wrong("one of the bursts must be larger than 0", "write srtcm 8M 4096 8192 (RFC 2697)");
  }
  void two_rates() {
    if (!first(Meter::Kind::trtcm)) return;
    action_.meter.committed_rate = rate("committed rate");
    if (!failed_) action_.meter.committed_burst = bytes("committed burst", kShortestPacket);
    if (!failed_) action_.meter.peak_rate = rate("peak rate");
    if (!failed_ && action_.meter.peak_rate < action_.meter.committed_rate) {
      --at_;
      wrong("the peak rate is below the committed rate", "write trtcm 4M 4096 8M 8192 (RFC 2698)");
    }
    if (!failed_) action_.meter.excess_burst = bytes("peak burst", kShortestPacket);
  }
  void aware() {
    if (action_.meter.kind == Meter::Kind::srtcm || action_.meter.kind == Meter::Kind::trtcm) {
      action_.meter.aware = true;
      return;
    }
    --at_;
    wrong("only srtcm and trtcm can be aware of colours", "write it after one of them");
  }
  void largest() {
    if (action_.meter.kind == Meter::Kind::none) {
      --at_;
      return void(wrong("only a meter asks how large packets are", "write it after police, srtcm or trtcm"));
    }
    action_.largest = bytes("largest packet", kShortestPacket);
  }
  void drop() {
    if (word() != "red") return void(wrong("only red packets can be dropped", "write drop red"));
    if (action_.meter.kind != Meter::Kind::srtcm && action_.meter.kind != Meter::Kind::trtcm)
      return void(wrong("there is no meter that colours packets red",
                        "write drop red after srtcm or trtcm; police drops by itself"));
    action_.drop_red = true;
    ++at_;
  }

  const std::vector<classify::ActionWord>& words_;
  SourceRange end_;
  size_t at_ = 0;
  Diagnostics& out_;
  Action action_;
  bool failed_ = false;
};

std::string rate_text(uint64_t bits) {
  for (const auto& [unit, letter] :
       {std::pair{uint64_t{1'000'000'000}, 'G'}, {uint64_t{1'000'000}, 'M'}, {uint64_t{1000}, 'k'}})
    if (bits >= unit && bits % unit == 0) return fmt::format("{}{}", bits / unit, letter);
  return fmt::format("{}", bits);
}

}  // namespace

std::optional<uint64_t> parse_rate(std::string_view text) {
  uint64_t unit = 1;
  if (!text.empty()) {
    const char last = text.back();
    unit = last == 'k' ? 1000 : last == 'M' ? 1'000'000 : last == 'G' ? 1'000'000'000 : 1;
    if (unit != 1) text.remove_suffix(1);
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value > UINT64_MAX / unit)
    return std::nullopt;
  return value * unit;
}

Result<std::vector<Rule>> read_rules(const std::string& path) {
  auto file = classify::read_rule_file(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  Diagnostics out;
  std::vector<Rule> rules;
  for (const classify::Rule& r : file->rules) {
    if (file->format == classify::RuleFormat::classbench) {  // filter sets say nothing of classes
      rules.push_back({r.match, {}, r.range});
    } else if (const auto action = ActionReader(r, out).read()) {
      rules.push_back({r.match, *action, r.range});
    }
  }
  if (out.has_errors()) return tl::unexpected(std::move(out));
  if (rules.size() > kMaxRules)
    return fail("edge-rules", rules[kMaxRules].range,
                fmt::format("the file has {} rules, and {} are the most", rules.size(), kMaxRules),
                "join rules, or leave some out");
  return rules;
}

std::string to_text(const Action& a) {
  std::string out = fmt::format("class {}", class_name(a.cls));
  if (a.dscp[0] == kKeepDscp)
    out += " dscp keep";
  else if (a.dscp[0] == a.dscp[1] &&
           ((a.cls != Class::ef && a.cls != Class::be) || a.dscp[0] != (a.cls == Class::ef ? 46 : 0)))
    out += fmt::format(" dscp {}", a.dscp[0]);
  const Meter& m = a.meter;
  switch (m.kind) {
    case Meter::Kind::none: break;
    case Meter::Kind::police:
      out += fmt::format(" police {} burst {}", rate_text(m.committed_rate), m.committed_burst);
      break;
    case Meter::Kind::srtcm:
      out += fmt::format(" srtcm {} {} {}", rate_text(m.committed_rate), m.committed_burst, m.excess_burst);
      break;
    case Meter::Kind::trtcm:
      out += fmt::format(" trtcm {} {} {} {}", rate_text(m.committed_rate), m.committed_burst, rate_text(m.peak_rate),
                         m.excess_burst);
      break;
  }
  if (m.aware) out += " aware";
  if (a.drop_red) out += " drop red";
  if (a.largest != 0) out += fmt::format(" largest {}", a.largest);
  return out;
}

uint32_t action_word(const Action& a) {
  return static_cast<uint32_t>(a.meter.kind) | (a.meter.aware ? 4u : 0) | (a.drop_red ? 8u : 0) |
         static_cast<uint32_t>(a.cls) << 4 | uint32_t{a.dscp[0]} << 8 | uint32_t{a.dscp[1]} << 16 |
         uint32_t{a.dscp[2]} << 24;
}

}  // namespace weft::control::diffserv
