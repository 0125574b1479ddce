// Stops: their text, and the commands that set, list and remove them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

#include "debug_console.h"
#include "print.h"

namespace weft::cli::debug {
namespace {

using workbench::Breakpoint;

struct KindName {
  Breakpoint::Kind kind;
  std::string_view name, example;
};
constexpr std::array kKinds = {
    KindName{Breakpoint::Kind::location, "location", "forward.uc:120"},
    KindName{Breakpoint::Kind::read, "read", "me0.ctx3.temp"},
    KindName{Breakpoint::Kind::write, "write", "scratch[0x40]"},
    KindName{Breakpoint::Kind::change, "change", "ring3.count"},
    KindName{Breakpoint::Kind::signal, "signal", "me0.ctx3.done"},
    KindName{Breakpoint::Kind::ring, "ring", "3 full"},
    KindName{Breakpoint::Kind::packet, "packet", "0 in"},
    KindName{Breakpoint::Kind::swap, "swap", "me0.ctx3"},
    KindName{Breakpoint::Kind::stall, "stall", "me0 20"},
    KindName{Breakpoint::Kind::condition, "condition", "me0.ctx3.n == 5"},
    KindName{Breakpoint::Kind::uninitialised, "uninitialised", "me0"},
};

std::string kind_names() {
  std::string out;
  for (const KindName& k : kKinds) out.append(out.empty() ? "" : ", ").append(k.name);
  return out;
}

std::optional<uint64_t> whole(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "0,2" as numbers.
std::optional<std::vector<unsigned>> numbers(std::string_view text) {
  std::vector<unsigned> out;
  while (true) {
    const size_t comma = text.find(',');
    const auto value = whole(text.substr(0, comma));
    if (!value || *value > 255) return std::nullopt;
    out.push_back(static_cast<unsigned>(*value));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

/// What follows the word in the text, as a word of its own; the text ends before it.
std::optional<std::string_view> cut_behind(std::string_view& text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == ' ';
    if (!begins || at + word.size() >= text.size() || text[at + word.size()] != ' ') continue;
    const std::string_view behind = trimmed(text.substr(at + word.size()));
    text = trimmed(text.substr(0, at));
    return behind;
  }
  return std::nullopt;
}

tl::unexpected<Diagnostics> refused(std::string text, std::string remedy) {
  return fail("debug-command", {}, std::move(text), std::move(remedy));
}

/// One of the words behind the target; false and nothing is changed when it has no such value.
bool take_option(Breakpoint& stop, std::string_view name, std::string_view value) {
  if (name == "on") {
    const auto engines = numbers(value);
    if (engines) stop.engines = *engines;
    return engines.has_value();
  }
  if (name == "contexts") {
    const auto contexts = numbers(value);
    if (!contexts || *std::max_element(contexts->begin(), contexts->end()) > 7) return false;
    stop.contexts = 0;
    for (const unsigned c : *contexts) stop.contexts |= 1u << c;
    return true;
  }
  const auto count = whole(value);
  if (!count || *count == 0) return false;
  if (name == "bytes")
    stop.bytes = static_cast<uint32_t>(std::min<uint64_t>(*count, UINT32_MAX));
  else
    stop.from_hit = *count;
  return true;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

Result<Breakpoint> parse_stop(std::string_view text, std::optional<Breakpoint::Kind> kind) {
  Breakpoint out;
  text = trimmed(text);
  if (!kind) {
    const std::string_view word = take_word(text);
    const auto found = std::find_if(kKinds.begin(), kKinds.end(), [&](const KindName& k) { return k.name == word; });
    if (found == kKinds.end())
      return refused(fmt::format("'{}' is not a kind of stop", word), "the kinds are " + kind_names());
    kind = found->kind;
  }
  out.kind = *kind;
  // The text of a message may hold anything, and an expression all but a message.
  if (const auto log = cut_behind(text, "log")) out.log = *log;
  if (out.kind != Breakpoint::Kind::condition)
    if (const auto condition = cut_behind(text, "if")) out.condition = *condition;
  for (bool more = true; more;) {
    more = false;
    if (text.ends_with(" once")) {
      out.once = more = true;
      text = trimmed(text.substr(0, text.size() - 5));
    }
    for (const std::string_view name : {"on", "contexts", "bytes", "after"}) {
      const size_t at = text.rfind(fmt::format(" {} ", name));
      if (at == std::string_view::npos) continue;
      const std::string_view value = trimmed(text.substr(at + name.size() + 2));
      if (value.find(' ') != std::string_view::npos) continue;  // it is not the last one
      if (!take_option(out, name, value))
        return refused(fmt::format("'{}' is not a value of '{}'", value, name),
                       "write numbers, for example: on 0,2 contexts 0,3 bytes 64 after 5");
      text = trimmed(text.substr(0, at));
      more = true;
    }
  }
  if (text.empty()) {
    const auto named =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const KindName& k) { return k.kind == out.kind; });
    return refused("nothing is named to stop at", fmt::format("for example: stop {} {}", named->name, named->example));
  }
  out.target = text;
  return out;
}

std::string to_text(const Breakpoint& stop) {
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const KindName& k) { return k.kind == stop.kind; });
  std::string out = fmt::format("{} {} {}", stop.id, kind->name, stop.target);
  if (!stop.engines.empty()) out += fmt::format(" on {}", fmt::join(stop.engines, ","));
  if (stop.contexts != 0xff) {
    std::vector<unsigned> contexts;
    for (unsigned c = 0; c < 8; ++c)
      if ((stop.contexts >> c & 1) != 0) contexts.push_back(c);
    out += fmt::format(" contexts {}", fmt::join(contexts, ","));
  }
  if (stop.bytes != 4) out += fmt::format(" bytes {}", stop.bytes);
  if (stop.from_hit != 1) out += fmt::format(" after {}", stop.from_hit);
  if (stop.once) out += " once";
  if (!stop.condition.empty()) out += " if " + stop.condition;
  if (!stop.log.empty()) out += " log " + stop.log;
  out += fmt::format(" ({} hit{}{})", stop.hits, stop.hits == 1 ? "" : "s", stop.enabled ? "" : ", off");
  return out;
}

Console::Outcome Console::add_stop(std::string_view rest, std::optional<Breakpoint::Kind> kind) {
  auto stop = parse_stop(rest, kind);
  if (!stop) return wrong(stop.error());
  stop->target = of_chip(stop->target);
  const auto number = session_.add_breakpoint(*stop);
  if (!number) return wrong(number.error());
  for (const Breakpoint& there : session_.breakpoints()) {
    if (there.id != *number) continue;
    print_out("{}\n", shown(to_text(there)));
    const std::vector<std::string> chips = session_.chips();
    unsigned chip = 0;
    for (unsigned c = 0; c < chips.size(); ++c)
      if (!chips[c].empty() && there.target.starts_with(chips[c] + ":")) chip = c;
    for (const auto& [engine, address] : there.words) {
      const std::string place = session_.place(engine, address, chip);
      print_out("  {}{}me{} word {:#x}{}\n", chips[chip], chips[chip].empty() ? "" : ": ", engine, address,
                place.empty() ? "" : ", " + shown(place));
    }
  }
  return Outcome::good;
}

Console::Outcome Console::list_stops(std::string_view) {
  const auto all = session_.breakpoints();
  if (all.empty()) print_out("no stops\n");
  for (const Breakpoint& stop : all) print_out("{}\n", shown(to_text(stop)));
  return Outcome::good;
}

Console::Outcome Console::delete_stops(std::string_view rest) {
  if (rest == "all") {
    for (const Breakpoint& stop : session_.breakpoints()) session_.remove_breakpoint(stop.id);
    return Outcome::good;
  }
  const auto id = whole(rest);
  if (!id || *id > UINT32_MAX || !session_.remove_breakpoint(static_cast<unsigned>(*id)))
    return wrong(fmt::format("there is no stop '{}'", rest), "'stops' lists them; 'delete all' removes all");
  return Outcome::good;
}

Console::Outcome Console::switch_stops(std::string_view rest, bool on) {
  const auto id = whole(rest);
  if (!id || *id > UINT32_MAX || !session_.enable_breakpoint(static_cast<unsigned>(*id), on))
    return wrong(fmt::format("there is no stop '{}'", rest), "'stops' lists them");
  return Outcome::good;
}

}  // namespace weft::cli::debug
