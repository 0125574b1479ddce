#include "lines.h"

#include <fmt/format.h>

#include <charconv>

#include "mpls/layout.h"

namespace weft::control::mpls {

namespace {

constexpr std::string_view kLabelShape =
    "write label 33 pop, label 32 swap 33 via 192.0.2.2, or label 34 swap 33 push 44 via 192.0.2.2";
constexpr std::string_view kPushShape = "write route 10.0.0.0/8 push 32 33 via 192.0.2.2";

std::optional<uint32_t> number_of(std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Mode> mode_of(std::string_view text) {
  if (text == "uniform") return Mode{true, true};
  if (text == "pipe") return Mode{false, false};
  if (text == "uniform-ttl") return Mode{true, false};
  if (text == "uniform-tc") return Mode{false, true};
  return std::nullopt;
}

/// What a line or a label says of its mode.
struct Said {
  std::optional<Mode> mode;
  std::optional<uint8_t> ttl, tc;
};

struct Pushed {
  uint32_t label = 0;
  Said own;
};

PushLabel resolved(const Pushed& p, const Said& line, const Mode& mode) {
  const Mode m = p.own.mode.value_or(line.mode.value_or(mode));
  PushLabel out;
  out.label = p.label;
  const Said& said = p.own.mode ? Said{} : line;
  out.ttl = p.own.ttl ? p.own.ttl : said.ttl;
  out.tc = p.own.tc ? p.own.tc : said.tc;
  if (!out.ttl && !m.ttl) out.ttl = kUsualTtl;
  if (!out.tc && !m.tc) out.tc = 0;
  return out;
}

class Reader {
 public:
  Reader(std::span<const Word> words, size_t at) : words_(words), at_(at) {}

  bool more() const { return at_ < words_.size() && !problem; }
  size_t at() const { return at_; }
  std::string_view word() const { return at_ < words_.size() ? words_[at_].text : std::string_view{}; }
  void next() { ++at_; }
  bool take(std::string_view text) {
    if (word() != text || problem) return false;
    next();
    return true;
  }
  void bad(std::string code, std::string text, std::string_view remedy) {
    if (!problem) problem = Problem{at_, std::move(code), std::move(text), std::string(remedy)};
  }
  uint32_t number(uint32_t min, uint32_t max, std::string_view what) {
    const auto value = number_of(word());
    if (!value || *value < min || *value > max) {
      bad("control-number", fmt::format("{} must be a number from {} to {}, not '{}'", what, min, max, word()),
          fmt::format("write a number from {} to {}", min, max));
      return min;
    }
    next();
    return *value;
  }
  std::pair<uint32_t, uint32_t> range(uint32_t max, std::string_view what) {
    const std::string_view text = word();
    const size_t dash = text.find('-');
    const auto first = number_of(text.substr(0, dash)),
               last = dash == std::string_view::npos ? first : number_of(text.substr(dash + 1));
    if (!first || !last || *first > *last || *last > max) {
      bad("control-number",
          fmt::format("{} must be a number up to {}, or two with '-' between them, not '{}'", what, max, text),
          fmt::format("write 16, or 16-31"));
      return {0, 0};
    }
    next();
    return {*first, *last};
  }
  /// A label that leaves on the wire.
  uint32_t out_label() {
    const auto value = number_of(word());
    if (!value || *value > kLabelMask || (*value < kFirstFreeLabel && *value != 0 && *value != 2)) {
      bad("control-label", fmt::format("'{}' is not a label that can be sent", word()),
          "write 0 or 2 (explicit null), or a number from 16 to 1048575");
      return 0;
    }
    next();
    return *value;
  }
  /// `ttl N`, `tc N` or a mode.
  bool said(Said& out) {
    const auto twice = [&](bool has, std::string_view what) {
      if (has)
        bad("control-line", fmt::format("there are two {} for the same label", what),
            fmt::format("leave one of the {} out", what));
      return has;
    };
    if (const auto mode = mode_of(word()); mode && !problem) {
      if (twice(out.mode.has_value(), "modes")) return true;
      out.mode = mode;
      next();
    } else if ((word() == "ttl" && twice(out.ttl.has_value(), "TTLs")) ||
               (word() == "tc" && twice(out.tc.has_value(), "TCs"))) {
      return true;
    } else if (take("ttl")) {
      out.ttl = static_cast<uint8_t>(number(1, 255, "the TTL of a label"));
    } else if (take("tc")) {
      out.tc = static_cast<uint8_t>(number(0, 7, "the TC of a label"));
    } else {
      return false;
    }
    return true;
  }
  std::vector<Pushed> pushes(size_t max, std::string_view remedy) {
    std::vector<Pushed> out;
    while (more() && word() != "via") {
      if (!out.empty() && said(out.back().own)) continue;
      if (out.size() == max) bad("control-label", fmt::format("at most {} labels can be pushed here", max), remedy);
      out.push_back({out_label(), {}});
    }
    if (out.empty()) bad("control-line", "a label is missing after push", remedy);
    return out;
  }
  std::optional<IpAddress> address(std::string_view remedy) {
    const auto a = parse_address(word());
    if (!a || is_multicast(*a)) {
      bad("control-address", fmt::format("'{}' is not the address of a station", word()), remedy);
      return std::nullopt;
    }
    next();
    return a;
  }

  std::optional<Problem> problem;

 private:
  std::span<const Word> words_;
  size_t at_;
};

LabelStack stack_of(const std::vector<Pushed>& pushes, const Said& line, const Mode& mode) {
  LabelStack out;
  for (size_t i = pushes.size(); i > 0; --i) out.words[out.count++] = word_of(resolved(pushes[i - 1], line, mode));
  return out;
}

}  // namespace

LabelWords read_label(std::span<const Word> words, const Mode& mode, uint32_t labels) {
  Reader r(words, 1);
  LabelWords out;
  const auto done = [&]() -> LabelWords& {
    out.problem = std::move(r.problem);
    return out;
  };
  const uint32_t max = labels == 0 ? kLabelMask : labels - 1;
  std::tie(out.line.first, out.line.last) = r.range(max, "a label");
  const uint32_t first = out.line.first;
  Lsp& lsp = out.line.lsp;
  std::vector<Pushed> pushes;
  if (r.take("pop")) {
    lsp.kind = Lsp::Kind::pop;
    if (number_of(r.word())) lsp.pops = static_cast<uint8_t>(r.number(1, kMaxPops, "the labels to take off"));
  } else if (r.take("swap")) {
    if (r.word() == "3" && first >= kFirstFreeLabel) {  // implicit null is never on the wire
      r.next();
      lsp.kind = Lsp::Kind::pop_forward;
    } else {
      lsp.out = r.out_label();
      if (r.take("push")) pushes = r.pushes(kMaxSwapPushes, kLabelShape);
    }
  } else {
    r.bad("control-line", "a label is swapped or popped", kLabelShape);
  }
  if (first < kFirstFreeLabel && !r.problem &&
      (lsp.kind != Lsp::Kind::pop || (first != 0 && first != 2) || out.line.last != first)) {
    out.problem = Problem{1, "control-label", fmt::format("the label {} is reserved", first),
                          "of the labels below 16 only 0 and 2 can be popped here; take one from 16 on"};
    return out;
  }
  if (first == 0 || first == 2) lsp.version = first == 0 ? 4 : 6;
  Said line;
  while (r.more()) {
    if (r.take("via")) {
      out.via = r.at();
      lsp.via = r.address(kLabelShape);
      if (lsp.kind == Lsp::Kind::pop) lsp.kind = Lsp::Kind::pop_forward;
    } else if (lsp.kind != Lsp::Kind::swap && (r.word() == "ipv4" || r.word() == "ipv6")) {
      const uint8_t version = r.word() == "ipv4" ? 4 : 6;
      if (lsp.version != 0 && lsp.version != version)
        r.bad("control-line", fmt::format("after the label is IPv{}, and IPv{}", lsp.version, version),
              "write one of ipv4 and ipv6; after label 0 is IPv4, after 2 IPv6");
      lsp.version = version;
      r.next();
    } else if (r.word() == "bottom" || r.word() == "not-bottom") {
      const auto bottom = r.word() == "bottom" ? Lsp::Bottom::required : Lsp::Bottom::refused;
      if (lsp.bottom != Lsp::Bottom{} && lsp.bottom != bottom)
        r.bad("control-line", "the label is the last one, and is not", "write one of bottom and not-bottom");
      lsp.bottom = bottom;
      r.next();
    } else if (!r.said(line)) {
      r.bad("control-line", fmt::format("'{}' does not belong to a label", r.word()), kLabelShape);
    }
  }
  if (lsp.has_hop() && !lsp.via) r.bad("control-line", "a next hop is missing", kLabelShape);
  if ((line.ttl || line.tc) && pushes.empty())
    r.bad("control-line", "a TTL or TC is given, but no label is pushed", kLabelShape);
  lsp.mode = line.mode.value_or(mode);
  if (lsp.kind == Lsp::Kind::swap) {
    lsp.pushes = stack_of(pushes, line, mode);
    lsp.mode = {};
    if (uint64_t{lsp.out} + (out.line.last - first) > kLabelMask)
      r.bad("control-label", "the last labels of the range have none to be swapped for", "take a shorter range");
    if (lsp.out < kFirstFreeLabel && out.line.last != first)
      r.bad("control-label", "a range cannot be swapped for explicit null", "write a line for each label");
  }
  return done();
}

PushWords read_pushes(std::span<const Word> words, size_t at, const Mode& mode) {
  Reader r(words, at + 1);
  PushWords out;
  const std::vector<Pushed> pushes = r.pushes(kMaxPushes, kPushShape);
  if (!r.take("via")) r.bad("control-line", "a next hop is missing", kPushShape);
  out.via_word = r.at();
  if (const auto via = r.problem ? std::nullopt : r.address(kPushShape)) out.via = *via;
  Said line;
  while (r.more()) {
    if (!r.said(line)) r.bad("control-line", fmt::format("'{}' does not belong to a route", r.word()), kPushShape);
  }
  if (!r.problem) out.labels = stack_of(pushes, line, mode);
  out.problem = std::move(r.problem);
  return out;
}

std::optional<Problem> read_mpls(std::span<const Word> words, Config& config) {
  constexpr std::string_view kShape =
      "lines are mpls labels N, mpls table combined|split, mpls mode uniform|pipe, mpls interface A, mpls tc-map dscp "
      "N tc N, mpls dscp-map tc N dscp N";
  Reader r(words, 1);
  config.used = true;
  if (r.take("labels")) {
    config.labels = r.number(kMinLabels, kMaxLabels, "the size of the label table");
  } else if (r.take("table")) {
    config.split = r.word() == "split";
    if (!r.take("split") && !r.take("combined"))
      r.bad("control-line", fmt::format("a label table is combined or split, not '{}'", r.word()),
            "write mpls table combined");
  } else if (r.take("mode")) {
    const auto mode = mode_of(r.word());
    if (mode)
      config.mode = *mode;
    else
      r.bad("control-line", fmt::format("there is no mode '{}'", r.word()),
            "the modes are uniform, pipe, uniform-ttl and uniform-tc");
    r.next();
  } else if (r.take("tc-map") && r.take("dscp")) {
    const auto [first, last] = r.range(63, "a DSCP");
    if (!r.take("tc")) r.bad("control-line", "the TC is missing", "write mpls tc-map dscp 46 tc 5");
    const auto tc = static_cast<uint8_t>(r.number(0, 7, "a TC"));
    for (uint32_t d = first; !r.problem && d <= last; ++d) config.tc_of_dscp[d] = tc;
  } else if (words.size() > 1 && words[1].text == "dscp-map") {
    r.next();
    if (!r.take("tc")) r.bad("control-line", "the TC is missing", "write mpls dscp-map tc 5 dscp 46");
    const uint32_t tc = r.number(0, 7, "a TC");
    if (!r.take("dscp")) r.bad("control-line", "the DSCP is missing", "write mpls dscp-map tc 5 dscp 46");
    const auto dscp = static_cast<uint8_t>(r.number(0, 63, "a DSCP"));
    if (!r.problem) config.dscp_of_tc[tc] = dscp;
  } else {
    r.bad("control-line",
          words.size() > 1 ? fmt::format("an mpls line cannot go on with '{}'", r.word()) : "an mpls line says nothing",
          kShape);
  }
  if (!r.problem && r.more()) r.bad("control-line", fmt::format("'{}' is too much", r.word()), kShape);
  return std::move(r.problem);
}

}  // namespace weft::control::mpls
