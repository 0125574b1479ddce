// Checks of signals: who is to get one, who has raised it, and who has taken it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "media/msf.h"
#include "observers/races.h"
#include "units/cap.h"
#include "units/fbi.h"
#include "weft/emulator/observers/checks.h"
#include "weft/emulator/unit_inspector.h"

namespace weft::emulator {
/// RCV_REQ: the thread in 20:16 will hear of an mpacket.
void Checks::expect_receive(uint32_t request) {
  const unsigned contexts = machine_.timing().contexts, thread = request >> 16 & 31;
  if (contexts == 0 || thread / contexts >= engines_.size()) return;
  engines_[thread / contexts].contexts[thread % contexts].media |=
      static_cast<uint16_t>(1u << fbi_event::kStartReceive);
}

/// A context waits on a thread free list.
void Checks::expect_mpacket(uint32_t value) {
  const FreelistEntry entry = freelist_entry(value, static_cast<unsigned>(engines_.size()));
  if (entry.context.engine >= engines_.size()) return;
  engines_[entry.context.engine].contexts[entry.context.context].media |= static_cast<uint16_t>(1u << entry.signal);
}

bool Checks::is_broadcast(unsigned signal) const { return is_me1_ && fbi_event::to_every_thread(signal); }

/// Events for other threads come later than their command is served, so that it is remembered until all have got them.
void Checks::expect_event(Open& open, uint32_t csr) const {
  open.event = static_cast<uint8_t>(fbi_event::raised_by(csr));
  if (open.event == 0) return;
  open.raises =
      is_broadcast(open.event) ? static_cast<uint16_t>(engines_.size() * machine_.timing().contexts) : uint16_t{1};
}

/// A number that stands there already is no news, and raises nothing.
void Checks::settle_event(Open& open, uint32_t value) const {
  if (!is_broadcast(open.event)) return;
  const uint32_t csr = open.event == fbi_event::kSequence1 ? fbi_csr::kEnqueueSeq1 : fbi_csr::kEnqueueSeq2;
  if (units_ == nullptr || UnitInspector(*units_).csr(csr) == value) open.raises = 0;
}

/// What a unit has refused was to be a signal.
bool Checks::to_nobody(const Command& command) const {
  if (writes_fbi_csr(command.op)) return command.csr == fbi_csr::kInterThreadSignal;
  return command.unit == isa::Unit::cap && isa::effects(command.op).access == isa::Access::csr_write &&
         cap_csr::of(command) == cap_csr::kInterthreadSignal && command.count <= 1;
}

/// What the raiser of a signal knew counts for the context that has taken it. One of the same engine did more until it
/// gave up the engine; that is clear when this context runs.
void Checks::take_signal_order(ContextRef who, unsigned number) {
  EngineShadow& e = engines_[who.engine];
  ContextShadow& c = e.contexts[who.context];
  if (Clock& clock = c.raised_clock[number]; !clock.empty()) races_->acquire(Races::thread(who), clock);
  e.now[who.context].follows |= std::exchange(c.raised_by_same[number], uint8_t{0});
}

void Checks::take_signals(ContextRef who, unsigned taken) {
  if (races_)
    for (unsigned rest = taken & 0xfffeu; rest != 0; rest &= rest - 1)
      take_signal_order(who, static_cast<unsigned>(std::countr_zero(rest)));
  uint16_t& pending = engines_[who.engine].now[who.context].pending;
  pending = static_cast<uint16_t>(pending & ~taken);
}

void Checks::on_signal(ContextRef to, unsigned number, Tick at) {
  if (party_.kind == Party::Kind::media) {
    uint16_t& media = engines_[to.engine].contexts[to.context & 7].media;
    media = static_cast<uint16_t>(media & ~(1u << (number & 15)));
  }
  if (races_ && party_.kind == Party::Kind::word && party_.who != to)
    return raise_foreign(to, number & 15, cycle_of(at));
  raise(to, number & 15, cycle_of(at), party_, nullptr);
}

/// Raised for another context through the CSR access proxy: it passes on what its sender knows.
void Checks::raise_foreign(ContextRef to, unsigned number, uint64_t cycle) {
  Clock clock = races_->release(Races::thread(party_.who));
  raise(to, number, cycle, party_, &clock);
}

void Checks::on_signal_sent(ContextRef, uint16_t, int engine, unsigned context, unsigned number, uint64_t) {
  sending_ = {engine, static_cast<uint8_t>(context), static_cast<uint8_t>(number), true};
}

void Checks::on_local_signal(ContextRef to, unsigned number, uint64_t cycle) {
  auto& sent = engines_[to.engine].sent;
  const auto match = std::find_if(sent.begin(), sent.end(),
                                  [&](const checks::Sent& s) { return s.context == to.context && s.number == number; });
  Party by;
  Clock clock;
  uint8_t same = 0;
  if (match != sent.end()) {
    by = match->party;
    clock = std::move(match->clock);
    same = match->same;
    sent.erase(match);
  }
  raise(to, number & 15, cycle, by, &clock, same);
}

void Checks::raise(ContextRef to, unsigned number, uint64_t cycle, const Party& by, Clock* clock, uint8_t same) {
  if (number == 0) return;
  to.context &= 7;
  EngineShadow& e = engines_[to.engine];
  const ContextRecord& record = e.state->contexts[to.context];
  if (record.state == ContextState::inactive && !e.state->stopped) return to_inactive(to, number, by);
  ContextShadow& c = e.contexts[to.context];
  uint16_t& pending = e.now[to.context].pending;
  const bool before = (pending >> number & 1) != 0, still = (record.signals >> number & 1) != 0;
  if (before && still) raised_twice(to, number, cycle, by);
  if (clock != nullptr && !clock->empty()) {
    // Two of a kind that nobody has taken in between: whoever takes the one takes the other.
    if (before && still && !c.raised_clock[number].empty())
      races_->join(c.raised_clock[number], *clock);
    else
      c.raised_clock[number] = std::move(*clock);
  }
  c.raised_by_same[number] |= same;
  c.raised[number] = by;
  c.raised_at[number] = cycle;
  if (still)
    pending = static_cast<uint16_t>(pending | 1u << number);
  else if (races_ && (c.raised_by_same[number] != 0 || !c.raised_clock[number].empty()))
    take_signal_order(to, number);
}

void Checks::to_inactive(ContextRef to, unsigned number, const Party& by) {
  if (!is_broadcast(number))
    lost(by, number, fmt::format("me{} ctx {}, for which it is, is inactive", to.engine, to.context));
}

void Checks::raised_twice(ContextRef to, unsigned number, uint64_t cycle, const Party& by) {
  // A second reference to the same unit is legal where the unit's event has one bit (me1).
  if (by.kind == Party::Kind::word && facts_of(by.op).unit_signal == number) return;
  // So is one in a thread that does not ask for what every thread is told.
  if (is_broadcast(number)) return;
  const ContextShadow& c = engines_[to.engine].contexts[to.context];
  const uint16_t last_pc = engines_[to.engine].last_pc[to.context];
  add(Check::signal_twice, to, last_pc, cycle, number,
      fmt::format("signal {} is raised by {} while it is still set; {} raised it in cycle {} and nothing has taken it",
                  signal_name(to.engine, last_pc, number), describe(by), describe(c.raised[number]),
                  c.raised_at[number]));
}

}  // namespace weft::emulator
