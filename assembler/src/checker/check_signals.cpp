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
      : CheckBase(program, flow, sources, out), live_(liveness) {}

  void run() {
    // Where signals belong to the units, they come again and again; what matters is that none is lost.
    const bool of_units = !isa::signal_names(program_.profile).empty();
    for (uint32_t i = 0; i < size() && !of_units; ++i) {
      if (raw_[i] || !flow_.reached(i)) continue;
      reuse(i);
    }
    of_units ? pending() : given_twice();
    under_way();
  }

 private:
  bool same(const SignalRef& a, const SignalRef& b) const {
    return a.id >= 0 ? a.id == b.id : b.id < 0 && a.number == b.number;
  }
  std::string name(const SignalRef& s) const {
    return s.id >= 0 ? program_.signals[static_cast<size_t>(s.id)].name : fmt::format("s{}", s.number);
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
    const Calls calls(program_, flow_);
    Waits waits(program_, flow_, calls);
    std::set<uint32_t> told;
    for (uint32_t i = 0; i < size(); ++i) {
      if (raw_[i] || !is_command(i) || !flow_.reached(i) || !program_.insns[i].signal) continue;
      if (static_cast<SignalMode>(at(i)[Role::signal_mode]) != SignalMode::sig_done) continue;
      for (uint32_t point : waits.points_under_way(i, {})) {
        const uint32_t n = point / 2;
        if (point % 2 != 0 || raw_[n] || !is_command(n) || !program_.insns[n].signal) continue;
        if (static_cast<SignalMode>(at(n)[Role::signal_mode]) == SignalMode::none) continue;
        if (!same(*program_.insns[i].signal, *program_.insns[n].signal) || !told.insert(n).second) continue;
        Diagnostic d = sources_.diagnostic(
            Severity::warning, "asm-signal-pending", program_.insns[n].origin,
            "another command of this unit is under way, and the signal does not tell which of the two is done",
            "await the first one before, or give only the last of them a signal");
        d.notes.push_back({sources_.range(program_.insns[i].origin), "the other command is issued here"});
        out_.add(std::move(d));
      }
    }
  }

  /// A signal is one bit. Of two commands under way that both give it the first answer wakes the context, and the data
  /// of the other are not there yet.
  void given_twice() {
    const Calls calls(program_, flow_);
    Waits waits(program_, flow_, calls);
    const std::vector<bool> taken = address_taken_signals(program_);
    std::map<std::pair<int32_t, uint32_t>, std::vector<bool>> looked_at;
    std::set<uint32_t> told;
    for (uint32_t i = 0; i < size(); ++i) {
      if (raw_[i] || !gives(i) || !flow_.reached(i)) continue;
      if (static_cast<SignalMode>(at(i)[Role::signal_mode]) != SignalMode::sig_done) continue;
      const SignalRef& signal = *program_.insns[i].signal;
      std::vector<uint32_t> others;
      for (uint32_t point : waits.points_under_way(i, {})) {
        const uint32_t n = point / 2;
        if (point % 2 == 0 && !raw_[n] && gives(n) && same(signal, *program_.insns[n].signal)) others.push_back(n);
      }
      if (others.empty()) continue;
      // What is sure: nobody has looked at the signal on the way. A program that looks at the bits by itself, or asks
      // with `any` and finds out otherwise which command is done, may be right.
      auto [stop, fresh] = looked_at.try_emplace({signal.id, signal.number});
      if (fresh) stop->second = looks_at(signal);
      std::set<uint32_t> sure;
      for (uint32_t point : waits.points_under_way(i, {.stop = &stop->second})) sure.insert(point / 2);
      const bool unseen = signal.id >= 0 && (taken[static_cast<size_t>(signal.id)] ||
                                             program_.signals[static_cast<size_t>(signal.id)].is_volatile);
      for (uint32_t n : others) {
        if (!told.insert(n).second) continue;
        const bool wrong = sure.contains(n) && !unseen && !program_.physical;
        Diagnostic d = sources_.diagnostic(
            wrong ? Severity::error : Severity::warning, "asm-signal-pending", program_.insns[n].origin,
            i == n ? fmt::format("this command {} give '{}' again before its last answer was awaited",
                                 wrong ? "can" : "may", name(signal))
                   : fmt::format("'{}' {} given by two commands at once: the first answer wakes the context, and the "
                                 "other command may still be under way",
                                 name(signal), wrong ? "is" : "may be"),
            "give each command a signal of its own and await both, or await the first one before");
        if (i != n) d.notes.push_back({sources_.range(program_.insns[i].origin), "the other command is issued here"});
        out_.add(std::move(d));
      }
    }
  }

  bool gives(uint32_t i) const {
    return is_command(i) && program_.insns[i].signal &&
           static_cast<SignalMode>(at(i)[Role::signal_mode]) != SignalMode::none;
  }

  /// By instruction: whether it waits for the signal, perhaps among others, or tests it.
  std::vector<bool> looks_at(const SignalRef& signal) const {
    std::vector<bool> out(size(), false);
    for (uint32_t i = 0; i < size(); ++i) {
      const IrInsn& insn = program_.insns[i];
      const isa::Condition condition = isa::effects(insn.insn.id).condition;
      const bool tests = condition == isa::Condition::signal || condition == isa::Condition::not_signal;
      out[i] =
          (tests && insn.signal && same(signal, *insn.signal)) ||
          (isa::info(insn.insn.id).cycles == isa::CycleClass::swap &&
           (insn.insn[Role::current_mask] != 0 || std::any_of(insn.signals.begin(), insn.signals.end(),
                                                              [&](const SignalRef& s) { return same(signal, s); })));
    }
    return out;
  }

  /// What a command fills must not be read, and what it takes must not be written, before its signal was awaited.
  void under_way() {
    std::vector<std::vector<const Access*>> by_insn(size());
    for (const Access& a : live_.accesses) by_insn[a.insn].push_back(&a);
    const Calls calls(program_, flow_);
    Waits waits(program_, flow_, calls);
    std::set<std::pair<uint32_t, uint32_t>> told;
    for (uint32_t i = 0; i < size(); ++i) {
      if (raw_[i] || !is_command(i) || !flow_.reached(i)) continue;
      const auto mode = static_cast<SignalMode>(at(i)[Role::signal_mode]);
      if (mode == SignalMode::ctx_swap && at(i)[Role::defer] == 0) continue;
      // Without a signal only hints say when it is done: such code is taken at its word.
      if (mode == SignalMode::none) continue;
      std::set<uint32_t> filled, taken;
      for (const Access* a : by_insn[i]) {
        if (a->slot != Slot::xfer) continue;
        (a->def ? filled : taken).insert(a->variable);
      }
      if (filled.empty() && taken.empty()) continue;
      std::set<uint32_t> seen;
      for (uint32_t point : waits.points_under_way(i, {})) {
        const uint32_t n = point / 2;
        if (point % 2 != 0 || !seen.insert(n).second) continue;
        for (const Access* a : by_insn[n]) touch(i, n, *a, filled, taken, told);
      }
    }
  }

  void touch(uint32_t i, uint32_t n, const Access& a, const std::set<uint32_t>& filled, const std::set<uint32_t>& taken,
             std::set<std::pair<uint32_t, uint32_t>>& told) {
    const bool reads =
        (a.slot == Slot::left || a.slot == Slot::right || a.slot == Slot::kept) && filled.contains(a.variable);
    const bool writes = a.slot == Slot::dest && taken.contains(a.variable);
    if ((!reads && !writes) || !told.insert({n, a.variable}).second) return;
    const auto symbol = static_cast<size_t>(Variables(program_).symbol(a.variable));
    if (program_.vregs[symbol].is_volatile) return;
    const std::string& reg = program_.vregs[symbol].name;
    Diagnostic d = sources_.diagnostic(
        Severity::warning, "asm-wait-missing", program_.insns[n].origin,
        reads ? fmt::format("'{}' is read here, but the command that fills it may still be under way", reg)
              : fmt::format("'{}' is written here, but the command that takes it may still be under way", reg),
        program_.insns[i].signal ? fmt::format("await '{}' first: ctx_arb[{}]", name(*program_.insns[i].signal),
                                               name(*program_.insns[i].signal))
                                 : "await the command first");
    d.notes.push_back({sources_.range(program_.insns[i].origin), "the command is issued here"});
    out_.add(std::move(d));
  }

  const Liveness& live_;
};

}  // namespace

void check_signals(const Program& program, const Flow& flow, const Liveness& liveness, const Sources& sources,
                   Diagnostics& out) {
  SignalChecks(program, flow, liveness, sources, out).run();
}

}  // namespace weft::assembler
