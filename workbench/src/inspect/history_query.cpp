// What people write to find something in a history.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "weft/base/json.h"
#include "weft/workbench/history_search.h"

namespace weft::workbench {

using emulator::Activity;

namespace {

constexpr std::array<std::pair<std::string_view, Activity>, 11> kActivities{{{"stall", Activity::stalled},
                                                                             {"stalled", Activity::stalled},
                                                                             {"sleep", Activity::sleep},
                                                                             {"asleep", Activity::sleep},
                                                                             {"ready", Activity::ready},
                                                                             {"abort", Activity::aborted},
                                                                             {"aborted", Activity::aborted},
                                                                             {"executing", Activity::executing},
                                                                             {"execute", Activity::executing},
                                                                             {"inactive", Activity::inactive},
                                                                             {"busy", Activity::executing}}};
constexpr std::array<std::pair<std::string_view, isa::Unit>, 6> kUnits{{{"sram", isa::Unit::sram},
                                                                        {"dram", isa::Unit::dram},
                                                                        {"scratch", isa::Unit::scratch},
                                                                        {"msf", isa::Unit::msf},
                                                                        {"hash", isa::Unit::hash},
                                                                        {"cap", isa::Unit::cap}}};

std::optional<uint64_t> query_number(std::string_view text) {
  uint64_t out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (wrong != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

/// Words, with operators apart: "stall>20" is "stall", ">", "20".
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out;
  const auto is_operator = [](char c) { return c == '<' || c == '>' || c == '='; };
  for (size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    size_t end = at;
    if (is_operator(text[at]))
      while (end < text.size() && is_operator(text[end])) ++end;
    else
      while (end < text.size() && !is_operator(text[end]) && !std::isspace(static_cast<unsigned char>(text[end])))
        ++end;
    out.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

/// "me2", "me2.ctx3", "me2.3".
bool read_context(std::string_view word, HistoryQuery& out) {
  if (!word.starts_with("me")) return false;
  word.remove_prefix(2);
  const size_t dot = word.find('.');
  const auto engine = query_number(word.substr(0, dot));
  if (!engine || *engine > 255) return false;
  std::optional<uint64_t> context;
  if (dot != std::string_view::npos) {
    std::string_view rest = word.substr(dot + 1);
    if (rest.starts_with("ctx")) rest.remove_prefix(3);
    context = query_number(rest);
    if (!context || *context > 7) return false;
  }
  out.engine = static_cast<unsigned>(*engine);
  if (context) out.context = static_cast<unsigned>(*context);
  return true;
}

/// "sram", "sram1".
bool read_unit(std::string_view word, HistoryQuery& out) {
  for (const auto& [name, unit] : kUnits) {
    if (!word.starts_with(name)) continue;
    const std::string_view rest = word.substr(name.size());
    if (!rest.empty() && (unit != isa::Unit::sram || rest.size() > 1 || rest[0] < '0' || rest[0] > '3')) continue;
    out.unit = unit;
    if (!rest.empty()) out.channel = static_cast<unsigned>(rest[0] - '0');
    return true;
  }
  return false;
}

/// Sets the bounds by an operator and a number; false: no operator.
bool read_bound(const std::string& op, uint64_t n, HistoryQuery& out) {
  if (op == ">")
    out.min = n + 1;
  else if (op == ">=")
    out.min = n;
  else if (op == "<")
    out.max = n == 0 ? 0 : n - 1, out.min = n == 0 ? 1 : out.min;
  else if (op == "<=")
    out.max = n;
  else if (op == "=" || op == "==")
    out.min = out.max = n;
  else
    return false;
  return true;
}

tl::unexpected<std::string> wrong_query(std::string text) { return tl::unexpected<std::string>(std::move(text)); }

std::string unknown(const std::string& word) {
  std::vector<std::string> known{"packet", "label", "queue", "reference"};
  for (const auto& [name, activity] : kActivities) known.emplace_back(name);
  for (const auto& [name, unit] : kUnits) known.emplace_back(name);
  const auto near = nearest(word, known);
  return fmt::format("'{}' is not understood: {}", word,
                     near ? fmt::format("did you mean '{}'?", *near)
                          : "write a state (stall > 20), a unit (sram > 300), a label (next#), a line "
                            "(forward.uc:60) or a packet (#12)");
}

}  // namespace

const std::vector<std::string>& history_query_examples() {
  static const std::vector<std::string> examples{"stall > 20",      "sleep > 500",  "me0.ctx2 ready > 10", "sram > 300",
                                                 "dram queue > 50", "next_packet#", "forward.uc:60",       "#12"};
  return examples;
}

tl::expected<HistoryQuery, std::string> parse_history_query(std::string_view text) {
  HistoryQuery out;
  std::vector<std::string> words = split(text);
  if (words.empty()) return wrong_query(std::string("write what is to be found: ") + history_query_examples()[0]);
  bool what = false, queue = false;
  const auto once = [&](HistoryQuery::What kind) {
    if (what && out.what != kind) return false;
    what = true;
    out.what = kind;
    return true;
  };
  const std::string twice = "two things at once: one state, unit, label, line or packet at a time";
  for (size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    const auto next = [&]() -> std::string { return i + 1 < words.size() ? words[i + 1] : std::string(); };
    if (word.size() > 1 && word.back() == ':' && word.find(':') == word.size() - 1) {
      out.chip = word.substr(0, word.size() - 1);
      continue;
    }
    if (read_context(word, out)) continue;
    if (word == "<" || word == ">" || word[0] == '<' || word[0] == '>' || word[0] == '=') {
      const auto n = query_number(next());
      if (!what && !queue)
        return wrong_query(fmt::format("'{}' stands after what is to be compared: stall > 20", word));
      if (!n) return wrong_query(fmt::format("a number of cycles is missing after '{}'", word));
      if (out.what != HistoryQuery::What::activity && out.what != HistoryQuery::What::reference && !queue)
        return wrong_query("only states and commands have a length to compare");
      if (!read_bound(word, *n, out)) return wrong_query(fmt::format("'{}' is none of > >= < <= =", word));
      ++i;
      continue;
    }
    if (word == "packet" || (word[0] == '#' && word.size() > 1)) {
      const auto n = word[0] == '#' ? query_number(std::string_view(word).substr(1)) : query_number(next());
      if (!n || *n == 0 || *n > UINT32_MAX) return wrong_query("a packet has a number: packet 12");
      if (word[0] != '#') ++i;
      if (!once(HistoryQuery::What::packet)) return wrong_query(twice);
      out.number = static_cast<uint32_t>(*n);
      continue;
    }
    if (word == "label" || word == "line") {
      if (next().empty()) return wrong_query(fmt::format("what {}? {} next_packet#", word, word));
      word = words[++i];
      if (!once(HistoryQuery::What::label)) return wrong_query(twice);
      out.name = word;
      if (const size_t colon = word.rfind(':'); colon != std::string::npos) {
        const auto n = query_number(std::string_view(word).substr(colon + 1));
        if (!n) return wrong_query(fmt::format("'{}' is not a place: forward.uc:60", word));
        out.what = HistoryQuery::What::line;
        out.name = word.substr(0, colon);
        out.number = static_cast<uint32_t>(*n);
      }
      continue;
    }
    if (word == "queue" || word == "queued") {
      queue = true;
      if (!once(HistoryQuery::What::reference)) return wrong_query(twice);
      continue;
    }
    if (word == "reference" || word == "references" || word == "command") {
      if (!once(HistoryQuery::What::reference)) return wrong_query(twice);
      continue;
    }
    const auto state = std::ranges::find(kActivities, std::string_view(word), [](const auto& a) { return a.first; });
    if (state != kActivities.end()) {
      if (what) return wrong_query(twice);
      once(HistoryQuery::What::activity);
      out.activity = state->second;
      continue;
    }
    if (read_unit(word, out)) {
      if (!once(HistoryQuery::What::reference)) return wrong_query(twice);
      continue;
    }
    if (word.back() == '#' || word.find('#') != std::string::npos) {
      if (what) return wrong_query(twice);
      once(HistoryQuery::What::label);
      out.name = word;
      continue;
    }
    if (const size_t colon = word.rfind(':');
        colon != std::string::npos && query_number(std::string_view(word).substr(colon + 1))) {
      if (what) return wrong_query(twice);
      once(HistoryQuery::What::line);
      out.name = word.substr(0, colon);
      out.number = static_cast<uint32_t>(*query_number(std::string_view(word).substr(colon + 1)));
      continue;
    }
    return wrong_query(unknown(word));
  }
  if (queue) out.what = HistoryQuery::What::queued;
  if (!what) return wrong_query("what of it? " + std::string(text) + " stall > 20");
  if (out.min > out.max) return wrong_query("no length is so short and so long");
  return out;
}

}  // namespace weft::workbench
