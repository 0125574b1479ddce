// What a program says about lives of registers and signals: hints, pins, subroutines.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "resolver/directives.h"

namespace weft::assembler {

using Arg = ast::DirectiveArg;

void Directives::hint(const ast::Directive& d, Hint::Kind kind) {
  if (!takes(d, 1, SIZE_MAX, fmt::format("{} name ...", d.name))) return;
  for (const Arg& a : d.args) {
    const std::string name = sources_.names().key(a.text);
    if (a.kind != Arg::Kind::name) {
      report_.error("asm-directive", a.origin, fmt::format("{} takes names of registers or signals", d.name));
      continue;
    }
    // Where a register and a signal have one name: no I/O completes in a GPR, and what else is said of lives is said of
    // registers.
    const Symbol* any =
        symbols_.scopes().find_any(name, kind == Hint::Kind::io_completed ? Symbol::Kind::signal : Symbol::Kind::reg);
    const bool as_signal = kind == Hint::Kind::set_signal || (any && any->kind == Symbol::Kind::signal);
    const Symbol* s = symbols_.find(name, as_signal ? Symbol::Kind::signal : Symbol::Kind::reg, a.origin, d.name);
    if (!s || s->guessed || !has_only_index(a, d.name)) continue;
    if (as_signal) {
      if (a.index) {
        // Lives of signals are those of both numbers of a doubled one.
        report_.error("asm-index", a.origin, fmt::format("{} takes a signal as a whole", d.name),
                      fmt::format("write {} {}; of a doubled signal that is both halves", d.name, a.text));
        continue;
      }
      program_.hints.push_back({kind, program_.next_index(), -1, s->ids[0], a.origin});
      continue;
    }
    const auto ids = registers_of(*s, a);
    if (!ids) continue;
    const bool sided = kind == Hint::Kind::set_read || kind == Hint::Kind::set_write || kind == Hint::Kind::use_read ||
                       kind == Hint::Kind::use_write;
    const VregClass cls = program_.vregs[static_cast<size_t>(ids->front())].cls;
    if (sided && cls != VregClass::xfer_s && cls != VregClass::xfer_d) {
      report_.error("asm-directive", a.origin, fmt::format("'{}' is not a transfer register", a.text));
      continue;
    }
    for (VregId id : *ids) program_.hints.push_back({kind, program_.next_index(), id, -1, a.origin});
  }
}

bool Directives::has_only_index(const Arg& a, std::string_view directive) {
  if (!a.address && !a.offset) return true;
  report_.error("asm-directive", a.origin,
                fmt::format("{} takes '{}' without {}", directive, a.text, a.address ? "'&'" : "an offset"),
                a.address ? "" : "offsets are those of memory blocks; an element of an array is name[index]");
  return false;
}

std::optional<std::vector<VregId>> Directives::registers_of(const Symbol& symbol, const Arg& a) {
  if (!a.index) return symbol.ids;
  const auto index = operands_.constant(*a.index);
  if (!index) return std::nullopt;
  const auto one = symbols_.element(symbol, is_known(*index) ? std::optional(index->number) : std::nullopt, a.origin);
  if (!one) return std::nullopt;
  return std::vector<VregId>{*one};
}

/// .io_completed_type unit ...: every command of the unit that may be under way has ended.
void Directives::unit_completed(const ast::Directive& d) {
  if (!takes(d, 1, SIZE_MAX, ".io_completed_type unit ...")) return;
  std::map<std::string_view, isa::Unit> units;
  for (const isa::InsnInfo& info : isa::all_instructions()) {
    if (info.group == isa::Group::command && isa::enabled(program_.profile, info.id))
      units.emplace(info.mnemonic, info.unit);
  }
  for (const Arg& a : d.args) {
    const auto found = a.kind == Arg::Kind::name ? units.find(folded(a.text)) : units.end();
    if (found == units.end()) {
      std::string names;
      for (const auto& [name, unit] : units) names += (names.empty() ? "" : " ") + std::string(name);
      report_.error("asm-directive", a.origin, fmt::format("{} takes units, the first words of commands", d.name),
                    "units: " + names);
      continue;
    }
    program_.hints.push_back({Hint::Kind::io_completed, program_.next_index(), -1, -1, a.origin, found->second});
  }
}

void Directives::address(const ast::Directive& d) {
  if (!takes(d, 2, 3, ".addr name number [a|b]")) return;
  const Arg& a = d.args[0];
  const std::string name = sources_.names().key(a.text);
  if (a.kind != Arg::Kind::name) {
    report_.error("asm-directive", a.origin, ".addr takes the name of a register or signal first");
    return;
  }
  // A GPR has a bank, a signal has none; that tells them apart where both have the name.
  const Symbol* any = symbols_.scopes().find_any(name, d.args.size() == 3 ? Symbol::Kind::reg : Symbol::Kind::signal);
  const bool as_signal = any && any->kind == Symbol::Kind::signal;
  const Symbol* s = symbols_.find(name, as_signal ? Symbol::Kind::signal : Symbol::Kind::reg, a.origin, d.name);
  if (!s || s->guessed || !has_only_index(a, d.name)) return;
  if (as_signal) {
    if (a.index) {
      report_.error("asm-index", a.origin, "a signal has its number as a whole",
                    fmt::format("write .addr {} number; a doubled signal has the next number, too", a.text));
      return;
    }
    if (const auto value = number(d.args[1], 1, 15, "signal number")) {
      program_.signals[static_cast<size_t>(s->ids[0])].pinned = static_cast<uint32_t>(*value);
    }
    return;
  }
  const auto ids = registers_of(*s, a);
  if (!ids) return;
  const VregClass cls = program_.vregs[static_cast<size_t>(ids->front())].cls;
  const bool gpr = cls == VregClass::gpr || cls == VregClass::gpr_absolute;
  const auto value =
      number(d.args[1], 0, cls == VregClass::gpr_absolute || cls == VregClass::neighbor ? 127 : 31, "register number");
  if (!value) return;
  isa::Bank bank = isa::Bank::none;
  if (gpr) {
    const std::string letter = d.args.size() == 3 ? folded(d.args[2].text) : "";
    if (letter != "a" && letter != "b") {
      report_.error("asm-directive", a.origin, fmt::format("the bank of '{}' is missing", a.text),
                    "write .addr name number a|b");
      return;
    }
    bank = letter == "a" ? isa::Bank::a : isa::Bank::b;
  } else if (d.args.size() == 3) {
    report_.error("asm-directive", d.args[2].origin, "only GPRs have a bank");
    return;
  }
  uint32_t next = static_cast<uint32_t>(*value);
  for (VregId id : *ids) {
    program_.vregs[static_cast<size_t>(id)].pinned = next++;
    program_.vregs[static_cast<size_t>(id)].pinned_bank = bank;
  }
}

void Directives::finish() {
  if (subroutine_) report_.error("asm-subroutine", subroutine_->origin, "this .subroutine has no .endsub");
}

void Directives::subroutine(const ast::Directive& d) {
  if (d.name == ".subroutine") {
    if (subroutine_) {
      report_.error("asm-subroutine", d.origin, "subroutines do not nest")
          .notes.push_back({sources_.range(subroutine_->origin), "this one is still open"});
      return;
    }
    subroutine_ = OpenSubroutine{program_.next_index(), d.origin};
    return;
  }
  if (!subroutine_) {
    report_.error("asm-subroutine", d.origin, ".endsub without .subroutine");
    return;
  }
  const Subroutine s{labels_.at(subroutine_->begin), subroutine_->begin, program_.next_index()};
  if (s.entry < 0 || s.begin == s.end) {
    report_.error("asm-subroutine", subroutine_->origin, "a subroutine begins with a label and holds instructions");
  } else {
    program_.subroutines.push_back(s);
  }
  subroutine_.reset();
}

}  // namespace weft::assembler
