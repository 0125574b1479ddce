// Signals given again too early, and registers touched while a command still works on them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "checker/checker.h"
#include "checker/support.h"
#include "flow/accesses.h"
#include "flow/waits.h"

namespace weft::assembler {
namespace {

using isa::Role;
using isa::SignalMode;

class SignalChecks : CheckBase {
 public:
  SignalChecks(const Program& program, const Flow& flow, const Liveness& liveness, const Sources& sources,
               Diagnostics& out)
      : CheckBase(program, flow, sources, out),
        live_(liveness),
        taken_(address_taken_signals(program)),
        calls_(program, flow),
        waits_(program, flow, calls_),
        accesses_(program.insns.size()) {
    for (const Access& a : live_.accesses) accesses_[a.insn].push_back(&a);
  }

  void run() {
    // Where signals belong to the units, they come again and again; what matters is that none is lost.
    const bool of_units = !isa::signal_names(program_.profile).empty();
    for (uint32_t i = 0; i < size() && !of_units; ++i) {
      if (raw_[i] || !flow_.reached(i)) continue;
      reuse(i);
    }
    of_units ? pending() : given();
    whole_tests();
    under_way();
    without_signal();
  }

 private:
  bool same(const SignalRef& a, const SignalRef& b) const {
    return a.id >= 0 ? a.id == b.id : b.id < 0 && a.number == b.number;
  }
  std::string name(const SignalRef& s) const {
    if (s.id >= 0) return program_.signals[static_cast<size_t>(s.id)].name;
    for (const isa::NamedValue& unit : isa::signal_names(program_.profile)) {
      if (unit.value == s.number) return std::string(unit.name);
    }
    return fmt::format("s{}", s.number);
  }

  /// A signal that was just consumed must not be given again within two cycles (br_signal) or three (ctx_arb).
  void reuse(uint32_t i) {
    const bool tests = effects(i).condition == isa::Condition::signal;
    std::vector<SignalRef> consumed = program_.insns[i].signals;
    if (tests && program_.insns[i].signal) consumed.push_back(*program_.insns[i].signal);
    const isa::Hazards late = hazards(i);
    if (consumed.empty() || late.count == 0) return;
    const unsigned distance = late.items[0].cycles;
    const uint32_t from = flow_.last_slot(i);
    within_cycles(from, distance, [&](uint32_t n, unsigned cycles) {
      if (tests && n == from + 1) return false;  // the signal was not there
      if (!is_command(n) || !program_.insns[n].signal) return true;
      for (const SignalRef& s : consumed) {
        if (!same(s, *program_.insns[n].signal)) continue;
        Diagnostic d =
            sources_.diagnostic(Severity::warning, "asm-signal-reuse", program_.insns[n].origin,
                                fmt::format("'{}' is given again {} cycle{} after it was awaited; {} must lie between",
                                            name(s), cycles, cycles == 1 ? "" : "s", distance),
                                "use another signal, or put other work between");
        d.notes.push_back({sources_.range(program_.insns[i].origin), "it is awaited here"});
        out_.add(std::move(d));
      }
      return true;
    });
  }

  /// A unit has one signal for a context: of two commands under way the first answer wakes it.
  void pending() {
    std::set<uint32_t> told;
    for (uint32_t i = 0; i < size(); ++i) {
      if (!gives_later(i)) continue;
      for (const auto& [n, answers] : given_again(i, waits_.answers_under_way(i, {}))) {
        if (!told.insert(n).second) continue;
        const bool stale = any_set(answers);
        Diagnostic d = sources_.diagnostic(
            Severity::warning, "asm-signal-pending", program_.insns[n].origin,
            stale ? still_set(*program_.insns[i].signal)
                  : "another command of this unit is under way, and the signal does not tell which of the two is done",
            stale ? kClearFirst : "await the first one before, or give only the last of them a signal");
        d.notes.push_back({sources_.range(program_.insns[i].origin), "the other command is issued here"});
        out_.add(std::move(d));
      }
    }
  }

  using Answers = std::vector<Answer>;

  static bool any_set(const Answers& answers) {
    return std::any_of(answers.begin(), answers.end(), [](const Answer& a) { return a.set != 0; });
  }
  static constexpr const char* kClearFirst =
      "clear it before: test it with br_signal, which does when it branches, or await it with ctx_arb";
  std::string still_set(const SignalRef& s) const {
    return fmt::format("'{}' is given again while it may still be set: br_!signal has found it and does not clear it",
                       name(s));
  }

  /// Issues with sig_done: the answer comes while the context goes on.
  bool gives_later(uint32_t i) const {
    return !raw_[i] && gives(i) && flow_.reached(i) &&
           static_cast<SignalMode>(at(i)[Role::signal_mode]) == SignalMode::sig_done;
  }

  /// Commands that give the signal of `i` again while it is still its, and what the signal may be there.
  std::map<uint32_t, Answers> given_again(uint32_t i, const Waits::Steps& steps) const {
    std::map<uint32_t, Answers> out;
    const SignalRef& signal = *program_.insns[i].signal;
    for (const auto& [point, answer] : steps) {
      const uint32_t n = point / 2;
      if (point % 2 == 0 && !raw_[n] && gives(n) && same(signal, *program_.insns[n].signal)) out[n].push_back(answer);
    }
    return out;
  }

  /// A signal is one bit. Of two commands under way that both give it the first answer wakes the context, and the data
  /// of the other are not there yet. And someone must look at it.
  void given() {
    std::map<std::pair<int32_t, uint32_t>, std::vector<bool>> looked_at;
    std::set<uint32_t> told;
    for (uint32_t i = 0; i < size(); ++i) {
      if (!gives_later(i)) continue;
      const Waits::Steps steps = waits_.answers_under_way(i, {});
      never_awaited(i, steps);
      const std::map<uint32_t, Answers> others = given_again(i, steps);
      if (others.empty()) continue;
      const SignalRef& signal = *program_.insns[i].signal;
      // What is sure: nobody has looked at the signal on the way. A program that looks at the bits by itself, or asks
      // with `any` and finds out otherwise which command is done, may be right.
      auto [stop, fresh] = looked_at.try_emplace({signal.id, signal.number});
      if (fresh) stop->second = looks_at(signal);
      std::set<uint32_t> sure;
      for (uint32_t point : waits_.points_under_way(i, {.stop = &stop->second})) sure.insert(point / 2);
      const bool unseen = signal.id >= 0 && (taken_[static_cast<size_t>(signal.id)] ||
                                             program_.signals[static_cast<size_t>(signal.id)].is_volatile);
      for (const auto& [n, answers] : others) {
        if (!told.insert(n).second) continue;
        const bool stale = any_set(answers);
        const bool wrong = (stale || sure.contains(n)) && !unseen && !program_.physical;
        out_.add(stale ? stale_again(i, n, wrong) : twice(i, n, wrong));
      }
    }
  }

  Diagnostic twice(uint32_t i, uint32_t n, bool wrong) const {
    const SignalRef& signal = *program_.insns[i].signal;
    Diagnostic d = sources_.diagnostic(
        wrong ? Severity::error : Severity::warning, "asm-signal-pending", program_.insns[n].origin,
        i == n ? fmt::format("this command {} give '{}' again before its last answer was awaited",
                             wrong ? "can" : "may", name(signal))
               : fmt::format("'{}' {} given by two commands at once: the first answer wakes the context, and the "
                             "other command may still be under way",
                             name(signal), wrong ? "is" : "may be"),
        "give each command a signal of its own and await both, or await the first one before");
    if (i != n) d.notes.push_back({sources_.range(program_.insns[i].origin), "the other command is issued here"});
    return d;
  }

  Diagnostic stale_again(uint32_t i, uint32_t n, bool wrong) const {
    Diagnostic d = sources_.diagnostic(wrong ? Severity::error : Severity::warning, "asm-signal-pending",
                                       program_.insns[n].origin, still_set(*program_.insns[i].signal), kClearFirst);
    if (i != n) d.notes.push_back({sources_.range(program_.insns[i].origin), "it was given here before"});
    return d;
  }

  bool gives(uint32_t i) const {
    return is_command(i) && program_.insns[i].signal &&
           static_cast<SignalMode>(at(i)[Role::signal_mode]) != SignalMode::none;
  }

  /// By instruction: whether it waits for the signal, perhaps among others, or tests it.
  std::vector<bool> looks_at(const SignalRef& signal) const {
    std::vector<bool> out(size(), false);
    for (uint32_t i = 0; i < size(); ++i) out[i] = looks_at(i, signal);
    return out;
  }
  bool looks_at(uint32_t i, const SignalRef& signal) const {
    const IrInsn& insn = program_.insns[i];
    if (tests_signal(insn)) return same(signal, *insn.signal);
    return info(i).cycles == isa::CycleClass::swap &&
           (insn.insn[Role::current_mask] != 0 ||
            std::any_of(insn.signals.begin(), insn.signals.end(), [&](const SignalRef& s) { return same(signal, s); }));
  }

  /// A branch looks at one number. The whole of a doubled signal would be its first half, with the second one unheard.
  void whole_tests() {
    for (uint32_t i = 0; i < size(); ++i) {
      const IrInsn& insn = program_.insns[i];
      if (raw_[i] || !tests_signal(insn) || insn.signal->id < 0 || insn.signal->half != SignalRef::Half::whole)
        continue;
      if (!program_.signals[static_cast<size_t>(insn.signal->id)].doubled) continue;
      const std::string s = name(*insn.signal);
      out_.add(sources_.diagnostic(Severity::error, "asm-two-signals", insn.origin,
                                   fmt::format("'{}' is two signals, and a branch tests one", s),
                                   fmt::format("name its halves, each in its turn: {}[0] and {}[1]", s, s)));
    }
  }

  /// Without anyone who looks at the signal its number and the registers of the command are never free again.
  void never_awaited(uint32_t i, const Waits::Steps& steps) {
    const SignalRef& signal = *program_.insns[i].signal;
    // With indirect_ref another context may be meant; registers that are named by number look after themselves.
    if (signal.id < 0 || at(i)[Role::indirect] != 0 || seen_by_others(program_, taken_, signal.id)) return;
    if (said_completed()) return;
    if (std::any_of(steps.begin(), steps.end(), [&](const auto& s) { return looks_at(s.first / 2, signal); })) return;
    warning("asm-unused-signal", i, fmt::format("'{}' is given here and never awaited", name(signal)),
            fmt::format("await it: ctx_arb[{}], or leave out sig_done", name(signal)));
  }
  bool said_completed() const {
    return std::any_of(program_.hints.begin(), program_.hints.end(),
                       [](const Hint& h) { return h.kind == Hint::Kind::io_completed; });
  }

  /// What a command fills must not be read, and what it takes must not be written, before its signal was awaited.
  void under_way() {
    for (uint32_t i = 0; i < size(); ++i) {
      if (raw_[i] || !is_command(i) || !flow_.reached(i)) continue;
      const auto mode = static_cast<SignalMode>(at(i)[Role::signal_mode]);
      if (mode == SignalMode::none || (mode == SignalMode::ctx_swap && at(i)[Role::defer] == 0)) continue;
      for (const auto held : {Waits::Held::filled, Waits::Held::taken}) {
        const std::set<uint32_t> registers = registers_of(i, held);
        if (registers.empty()) continue;
        std::map<uint32_t, Answers> where;
        for (const auto& [point, answer] : waits_.answers_under_way(i, {.held = held})) {
          if (point % 2 == 0) where[point / 2].push_back(answer);
        }
        for (const auto& [n, answers] : where) touch(i, n, held, registers, await_first(i, answers));
      }
    }
  }

  /// Read registers that the command fills, or write registers that it takes.
  std::set<uint32_t> registers_of(uint32_t i, Waits::Held held) const {
    std::set<uint32_t> out;
    for (const Access* a : accesses_[i]) {
      if (a->slot == Slot::xfer && a->def == (held == Waits::Held::filled)) out.insert(a->variable);
    }
    return out;
  }

  /// What is not awaited yet. A wait for a half that has been awaited before would never end.
  std::string await_first(uint32_t i, const Answers& answers) const {
    if (!program_.insns[i].signal) return "await the command first";
    const SignalRef& signal = *program_.insns[i].signal;
    const std::string s = name(signal);
    if (halves_given(program_, program_.insns[i]) != 3) {
      const std::string one = signal.id >= 0 && signal.half == SignalRef::Half::second ? s + "[1]" : s;
      return fmt::format("await '{}' first: ctx_arb[{}]", one, one);
    }
    const bool number = signal.id < 0;
    const std::string first = number ? s : s + "[0]";
    const std::string second = number ? fmt::format("s{}", signal.number + 1) : s + "[1]";
    const uint8_t open = answers.front().open;
    const bool one_way = std::all_of(answers.begin(), answers.end(), [&](const Answer& a) { return a.open == open; });
    if (!one_way) return fmt::format("await {} and {} first, each of them once on every way to here", first, second);
    if (open != 3) {
      const std::string& left = open == 1 ? first : second;
      return fmt::format("await the other half of '{}' too: ctx_arb[{}]", s, left);
    }
    return fmt::format("await '{}' first: ctx_arb[{}]", s, number ? first + ", " + second : s);
  }

  /// A command without a signal: nothing says that it is over. Data are there at the latest behind a wait for a later
  /// command of the unit, if that is served behind it; we take it so. Programs rely on their writes behind any wait.
  void without_signal() {
    std::vector<bool> asleep(size(), false);
    for (uint32_t i = 0; i < size(); ++i) asleep[i] = sleeps(i);
    std::map<isa::Unit, std::vector<bool>> answered;
    for (uint32_t i = 0; i < size(); ++i) {
      if (raw_[i] || !is_command(i) || !flow_.reached(i) || at(i)[Role::indirect] != 0) continue;
      if (static_cast<SignalMode>(at(i)[Role::signal_mode]) != SignalMode::none) continue;
      if (const auto taken = registers_of(i, Waits::Held::taken); !taken.empty())
        without_signal(i, Waits::Held::taken, taken, asleep);
      const auto filled = registers_of(i, Waits::Held::filled);
      if (filled.empty()) continue;
      auto [unit, fresh] = answered.try_emplace(info(i).unit);
      if (fresh) unit->second = waits_for_unit(info(i).unit);
      without_signal(i, Waits::Held::filled, filled, unit->second);
    }
  }
  /// Until something comes, not only to let others run.
  bool sleeps(uint32_t i) const {
    return !raw_[i] && ((gives(i) && swaps(i)) || !program_.insns[i].signals.empty() ||
                        (swaps(i) && at(i)[Role::current_mask] != 0));
  }
  void without_signal(uint32_t i, Waits::Held held, const std::set<uint32_t>& registers, std::vector<bool> stop) {
    for (uint32_t n = 0; n < size(); ++n) {
      if (n != i && sets_again(n, held, registers)) stop[n] = true;
    }
    const std::string remedy = fmt::format(
        "let the command give a signal and await it: sig_done and ctx_arb, or ctx_swap; if the program "
        "knows otherwise that it is over, write .io_completed {} before this",
        program_.vregs[static_cast<size_t>(Variables(program_).symbol(*registers.begin()))].name);
    std::set<uint32_t> seen;
    for (uint32_t point : waits_.points_under_way(i, {.stop = &stop, .held = held})) {
      const uint32_t n = point / 2;
      if (point % 2 == 0 && seen.insert(n).second && !said_set(n, registers)) touch(i, n, held, registers, remedy);
    }
  }

  /// From there on the register holds something else: one message for a value is enough.
  bool sets_again(uint32_t n, Waits::Held held, const std::set<uint32_t>& registers) const {
    const Slot slot = held == Waits::Held::filled ? Slot::xfer : Slot::dest;
    return said_set(n, registers) || std::any_of(accesses_[n].begin(), accesses_[n].end(), [&](const Access* a) {
             return a->slot == slot && a->def && registers.contains(a->variable);
           });
  }
  /// `.set` before it.
  bool said_set(uint32_t n, const std::set<uint32_t>& registers) const {
    return std::any_of(accesses_[n].begin(), accesses_[n].end(), [&](const Access* a) {
      return a->slot == Slot::hint && a->def && registers.contains(a->variable);
    });
  }

  /// By instruction: whether the context sleeps there until a command of the unit is done.
  std::vector<bool> waits_for_unit(isa::Unit unit) const {
    std::vector<const SignalRef*> given;
    for (uint32_t i = 0; i < size(); ++i) {
      if (!raw_[i] && gives(i) && info(i).unit == unit) given.push_back(&*program_.insns[i].signal);
    }
    std::vector<bool> out(size(), false);
    for (uint32_t i = 0; i < size(); ++i) {
      const bool swapped = !raw_[i] && gives(i) && swaps(i) && info(i).unit == unit;
      const std::vector<SignalRef>& awaited = program_.insns[i].signals;
      out[i] = swapped || std::any_of(awaited.begin(), awaited.end(), [&](const SignalRef& s) {
                 return std::any_of(given.begin(), given.end(), [&](const SignalRef* g) { return same(*g, s); });
               });
    }
    return out;
  }

  void touch(uint32_t i, uint32_t n, Waits::Held held, const std::set<uint32_t>& registers, const std::string& remedy) {
    const bool reads = held == Waits::Held::filled;
    for (const Access* a : accesses_[n]) {
      const bool touches =
          reads ? a->slot == Slot::left || a->slot == Slot::right || a->slot == Slot::kept : a->slot == Slot::dest;
      if (!touches || !registers.contains(a->variable) || !told_touch_.insert({n, a->variable}).second) continue;
      const Vreg& reg = program_.vregs[static_cast<size_t>(Variables(program_).symbol(a->variable))];
      if (reg.is_volatile) continue;
      Diagnostic d = sources_.diagnostic(
          Severity::warning, "asm-wait-missing", program_.insns[n].origin,
          reads ? fmt::format("'{}' is read here, but the command that fills it may still be under way", reg.name)
                : fmt::format("'{}' is written here, but the command that takes it may still be under way", reg.name),
          remedy);
      d.notes.push_back({sources_.range(program_.insns[i].origin), "the command is issued here"});
      out_.add(std::move(d));
    }
  }

  const Liveness& live_;
  const std::vector<bool> taken_;  ///< signals whose number is a value
  const Calls calls_;
  Waits waits_;
  std::vector<std::vector<const Access*>> accesses_;  ///< by instruction
  std::set<std::pair<uint32_t, uint32_t>> told_touch_;
};

}  // namespace

void check_signals(const Program& program, const Flow& flow, const Liveness& liveness, const Sources& sources,
                   Diagnostics& out) {
  SignalChecks(program, flow, liveness, sources, out).run();
}

}  // namespace weft::assembler
