// Checks at the end of a run: signals that nobody took, and waits that cannot end.
#include <fmt/format.h>

#include <algorithm>

#include "units/cap.h"
#include "units/fbi.h"
#include "weft/emulator/observers/checks.h"

namespace weft::emulator {
namespace {

using isa::Role;
using isa::State;

constexpr uint16_t kAllSignals = 0xffff;

/// Bits of the events that a write of this CSR of the FBI makes for some thread, at once or when an mpacket has come.
/// Those of a unit (sdram, sram, fbi) are not among them: only the thread's own commands raise these.
uint16_t events_of(uint32_t csr) {
  const unsigned event = csr == fbi_csr::kReceiveRequest ? fbi_event::kStartReceive : fbi_event::raised_by(csr);
  return event == 0 ? uint16_t{0} : static_cast<uint16_t>(1u << event);
}

/// A signal that is set for so long counts as forgotten while the machine runs, when its context can come to no word
/// that takes it.
constexpr uint64_t kLong = 10'000;

}  // namespace

void Checks::finish(std::span<const uint32_t> held) {
  check_unawaited(machine_.next_event() == kNever);
  check_waits();
  check_leaks(held);
}

void Checks::check_unawaited(bool idle) {
  if (!on(Check::signal_unawaited)) return;
  for (unsigned e = 0; e < engines_.size(); ++e) {
    for (unsigned n = 0; n < kContexts; ++n) {
      const ContextRef who{static_cast<uint8_t>(e), static_cast<uint8_t>(n)};
      sync(who);
      const ContextShadow& c = engines_[e].contexts[n];
      const unsigned pending = engines_[e].now[n].pending;
      const uint16_t last_pc = engines_[e].last_pc[n];
      const EngineState& state = state_of(e);
      const bool ended = !state.stopped && state.contexts[n].state == ContextState::inactive;
      for (unsigned s = 1; s < 16; ++s) {
        if ((pending >> s & 1) == 0 || is_broadcast(s)) continue;
        const uint64_t cycle = machine_.cycles(e);
        if (!ended && ((!idle && cycle < c.raised_at[s] + kLong) || can_await(who, s))) continue;
        const bool own = c.raised[s].kind == Party::Kind::word && c.raised[s].who == who;
        add(Check::signal_unawaited, who, last_pc, cycle, s,
            fmt::format("signal {} was raised by {} in cycle {}, and this context has never taken it: {}",
                        signal_name(e, own ? c.raised[s].pc : last_pc, s), describe(c.raised[s]), c.raised_at[s],
                        ended ? "it has ended" : "it can come to no word that waits for it"));
      }
    }
  }
}

Checks::Raisers Checks::raisers(unsigned engine) const {
  Raisers r;
  for (unsigned pc = 0; pc < programs_.size(engine); ++pc) {
    const isa::Instruction* insn = programs_.at(engine, pc);
    if (insn == nullptr) continue;
    const uint32_t csr = (*insn)[Role::csr];
    const isa::Effects& effects = isa::effects(insn->id);
    if (effects.csr == isa::CsrUse::write) {
      const isa::States holds = isa::csr_effects(machine_.timing().profile, csr).holds;
      r.same |= (holds & isa::states(State::signal_same)) != 0;
      r.next |= (holds & isa::states(State::signal_next)) != 0;
      r.previous |= (holds & isa::states(State::signal_previous)) != 0;
    }
    if (effects.access != isa::Access::csr_write || isa::info(insn->id).unit != isa::Unit::cap) continue;
    if (writes_fbi_csr(insn->id))
      r.any = static_cast<uint16_t>(r.any | events_of(csr));
    else if (!effects.has(Role::csr) || csr == cap_csr::kInterthreadSignal)
      r.any = kAllSignals;  // what is calculated may be any
  }
  return r;
}

// What may still happen is estimated generously: commands under way, future counts, the receiver, and every signal that
// a context which can still run has words to raise. What remains waits for ever.
void Checks::check_waits() {
  if (!on(Check::endless_wait)) return;
  const unsigned count = static_cast<unsigned>(engines_.size());
  std::vector<Raisers> can(count);
  std::vector<std::array<uint16_t, kContexts>> coming(count);
  for (unsigned e = 0; e < count; ++e) {
    const EngineState& s = state_of(e);
    if (s.stopped) return;  // nobody waits for ever in a run that was cut by a halt or a fault
    can[e] = raisers(e);
    for (unsigned c = 0; c < kContexts; ++c) {
      coming[e][c] = engines_[e].contexts[c].media;
      if (s.contexts[c].future_due != kNever)
        coming[e][c] |= static_cast<uint16_t>(1u << (s.contexts[c].future_signal & 15));
    }
    for (unsigned i = 0; i < s.pending.count; ++i) {
      const PendingWrite& w = s.pending.items[i];
      if (w.kind == PendingWrite::Kind::signal)
        coming[e][w.context & 7] |= static_cast<uint16_t>(1u << (w.number & 15));
    }
  }
  open_.each([&](const Open& open) {
    coming[open.party.who.engine][open.party.who.context] |= open.signals_left;
    if (open.raises == 0) return;
    for (auto& contexts : coming)
      for (uint16_t& signals : contexts) signals |= static_cast<uint16_t>(1u << open.event);
  });

  enum class Fate : uint8_t { out, runs, waits };
  std::vector<std::array<Fate, kContexts>> fate(count);
  for (unsigned e = 0; e < count; ++e)
    for (unsigned c = 0; c < kContexts; ++c) {
      const ContextState state = state_of(e).contexts[c].state;
      fate[e][c] = state == ContextState::inactive ? Fate::out
                   : state == ContextState::sleep  ? Fate::waits
                                                   : Fate::runs;
    }
  const auto may_raise = [&](unsigned from, unsigned to) {
    const bool near =
        (can[from].same && from == to) || (can[from].next && from + 1 == to) || (can[from].previous && from == to + 1);
    return near ? kAllSignals : can[from].any;
  };
  const auto helped = [&](unsigned e) {
    uint16_t signals = 0;
    for (unsigned from = 0; from < count; ++from)
      if (std::find(fate[from].begin(), fate[from].end(), Fate::runs) != fate[from].end())
        signals = static_cast<uint16_t>(signals | may_raise(from, e));
    return signals;
  };
  const auto missing = [&](unsigned e, unsigned c) { return state_of(e).contexts[c].missing(); };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned e = 0; e < count; ++e)
      for (unsigned c = 0; c < kContexts; ++c) {
        if (fate[e][c] != Fate::waits) continue;
        const uint16_t left = missing(e, c);
        const bool any = state_of(e).contexts[c].awaits_any();
        const auto raised = static_cast<uint16_t>((coming[e][c] | helped(e)) & left);
        const bool wakes = left != 0 && (any ? raised != 0 : raised == left);
        if (wakes) fate[e][c] = Fate::runs, changed = true;
      }
  }

  const auto signals = [&](unsigned e, unsigned c) {
    const uint16_t last_pc = engines_[e].last_pc[c];
    std::string out;
    for (unsigned s = 1; s < 16; ++s)
      if (missing(e, c) >> s & 1) out += (out.empty() ? "" : ", ") + signal_name(e, last_pc, s);
    return out.empty() ? std::string("no signal at all") : out;
  };
  for (unsigned e = 0; e < count; ++e)
    for (unsigned c = 0; c < kContexts; ++c) {
      if (fate[e][c] != Fate::waits) continue;
      std::string chain;
      unsigned named = 0;
      for (unsigned from = 0; from < count && named < 3; ++from)
        for (unsigned other = 0; other < kContexts && named < 3; ++other) {
          if (fate[from][other] != Fate::waits || (from == e && other == c)) continue;
          if ((may_raise(from, e) & missing(e, c)) == 0) continue;
          const ContextRef peer{static_cast<uint8_t>(from), static_cast<uint8_t>(other)};
          chain += fmt::format("; {} could raise it and waits itself for {}",
                               place(peer, engines_[from].last_pc[other]), signals(from, other));
          ++named;
        }
      if (named == 0) chain = "; no command is under way for it, and no word of a program that runs could raise it";
      add(Check::endless_wait, {static_cast<uint8_t>(e), static_cast<uint8_t>(c)}, engines_[e].last_pc[c],
          machine_.cycles(e), c,
          fmt::format("waits since cycle {} for {}, which nobody will raise{}", engines_[e].contexts[c].asleep_since,
                      signals(e, c), chain));
    }
}

}  // namespace weft::emulator
