#include "allocator/pins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace weft::assembler {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool read_number(std::string_view text, uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

struct Word {
  std::string_view text;
  uint32_t column = 1;
};

std::vector<Word> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<Word> out;
  for (size_t at = 0; at < line.size();) {
    if (std::isspace(static_cast<unsigned char>(line[at]))) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < line.size() && !std::isspace(static_cast<unsigned char>(line[end]))) ++end;
    out.push_back({line.substr(at, end - at), static_cast<uint32_t>(at + 1)});
    at = end;
  }
  return out;
}

SourceRange range_of(const SourceFilePtr& file, uint32_t line, const Word& word) {
  return {file, {line, word.column}, {line, word.column + static_cast<uint32_t>(word.text.size())}};
}

/// Whether the instruction was written in this line, or comes from a macro that was called there.
bool stands_in_line(const Sources& sources, Origin origin, uint32_t line) {
  while (origin.line != line) {
    if (origin.expansion == 0) return false;
    origin = sources.expansion(origin.expansion).call;
  }
  return true;
}

}  // namespace

bool Pins::read_place(std::string_view text, Pin& pin) {
  if (text == "*") return true;
  if (text.starts_with('s') || text.starts_with('S')) pin.side = Side::source;
  if (text.starts_with('d') || text.starts_with('D')) pin.side = Side::dest;
  if (pin.side != Side::any) text.remove_prefix(1);
  pin.by = text.starts_with(':') ? By::line : By::word;
  if (pin.by == By::line) text.remove_prefix(1);
  return read_number(text, pin.at);
}

bool Pins::read_register(std::string_view text, Pin& pin) {
  const std::string name = lower(text);
  std::string_view rest = name;
  const auto skip = [&](std::string_view prefix) {
    if (!rest.starts_with(prefix)) return false;
    rest.remove_prefix(prefix.size());
    return true;
  };
  uint32_t limit = 31;
  if (skip("$$"))
    pin.kind = Kind::xfer_d;
  else if (skip("$"))
    pin.kind = Kind::xfer_s;
  else if (skip("n$"))
    pin.kind = Kind::neighbor, limit = 127;
  else if (skip("s"))
    pin.kind = Kind::signal, limit = 15;
  else {
    if (skip("@")) pin.kind = Kind::gpr_absolute, limit = 127;
    pin.place.bank = rest.starts_with('a') ? isa::Bank::a : isa::Bank::b;
    if (!skip("a") && !skip("b")) return false;
  }
  return read_number(rest, pin.place.number) && pin.place.number <= limit;
}

Pins Pins::parse(const SourceFilePtr& file, Diagnostics& out) {
  Pins pins;
  for (uint32_t line = 1; line <= file->line_count(); ++line) {
    const std::vector<Word> words = words_of(file->line(line));
    if (words.empty()) continue;
    Pin pin;
    if (words.size() != 3) {
      out.error("asm-pin-form", range_of(file, line, words[0]), "a pin is a name, a place and a register",
                "for instance: temp d36 a6");
      continue;
    }
    pin.name = words[0].text;
    pin.range = range_of(file, line, words[0]);
    if (!read_place(words[1].text, pin)) {
      out.error("asm-pin-form", range_of(file, line, words[1]), fmt::format("'{}' is not a place", words[1].text),
                "write *, a word address (12, s12, d12) or a source line (:40, s:40, d:40)");
    } else if (!read_register(words[2].text, pin)) {
      out.error("asm-pin-form", range_of(file, line, words[2]), fmt::format("'{}' is not a register", words[2].text),
                "write a5, b12, @a16, $3, $$3, n$2 or s4");
    } else {
      pins.pins_.push_back(std::move(pin));
    }
  }
  return pins;
}

bool Pins::fits(Kind kind, RegisterFile file) {
  switch (file) {
    case RegisterFile::gpr: return kind == Kind::gpr;
    case RegisterFile::gpr_absolute: return kind == Kind::gpr_absolute;
    case RegisterFile::s_read:
    case RegisterFile::s_write: return kind == Kind::xfer_s;
    case RegisterFile::d_read:
    case RegisterFile::d_write: return kind == Kind::xfer_d;
    case RegisterFile::neighbor: return kind == Kind::neighbor;
    case RegisterFile::signal: return kind == Kind::signal;
  }
  return false;
}

bool Pins::selects(const Pin& pin, const Program& program, const Sources& sources, const Access& access) {
  if (access.slot == Slot::hint) return false;
  if (pin.by == By::word && access.insn != pin.at) return false;
  if (pin.by == By::line && !stands_in_line(sources, program.insns[access.insn].origin, pin.at)) return false;
  return pin.side == Side::any || (pin.side == Side::source ? access.use : access.def && !access.use);
}

void Pins::apply(const Program& program, const Sources& sources, Liveness& liveness, Diagnostics& out) const {
  const auto name_of = [&](const Web& web) -> const std::string& {
    const auto symbol = static_cast<size_t>(web.symbol);
    return web.file == RegisterFile::signal ? program.signals[symbol].name : program.vregs[symbol].name;
  };
  std::vector<const Pin*> given(liveness.webs.size(), nullptr);
  for (const Pin& pin : pins_) {
    std::vector<size_t> chosen;
    bool named = false, wrong_kind = false;
    const auto consider = [&](size_t w) {
      const Web& web = liveness.webs[w];
      if (!sources.names().same(name_of(web), pin.name)) return;
      named = true;
      if (fits(pin.kind, web.file))
        chosen.push_back(w);
      else
        wrong_kind = true;
    };
    if (pin.by == By::all) {
      for (size_t w = 0; w < liveness.webs.size(); ++w) consider(w);
    } else {
      for (const Access& access : liveness.accesses) {
        if (access.web >= 0 && selects(pin, program, sources, access)) consider(static_cast<size_t>(access.web));
      }
    }
    if (chosen.empty()) {
      out.error("asm-pin-unmatched", pin.range,
                named && wrong_kind ? fmt::format("'{}' is of another kind than this register", pin.name)
                                    : fmt::format("no live range of '{}' is mentioned at this place", pin.name),
                "see the live ranges with --dump allocation");
      continue;
    }
    for (size_t w : chosen) {
      if (given[w] && !(given[w]->place == pin.place)) {
        Diagnostic d{"asm-pin-conflict",
                     Severity::error,
                     pin.range,
                     fmt::format("this live range of '{}' is pinned to two registers", pin.name),
                     {},
                     {},
                     {},
                     {}};
        d.notes.push_back({given[w]->range, "it was pinned here before"});
        out.add(std::move(d));
      }
      given[w] = &pin;
      liveness.webs[w].pin = pin.place;
    }
  }
}

}  // namespace weft::assembler
