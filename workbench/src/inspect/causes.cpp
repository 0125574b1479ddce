#include "weft/workbench/causes.h"

#include <fmt/format.h>

#include <algorithm>

#include "inspect/history_walk.h"

namespace weft::workbench {

using emulator::Activity;
using emulator::ContextRef;
using emulator::History;
using emulator::kNever;
using emulator::RaisedSignal;
using emulator::Reference;
using emulator::Tick;

namespace {

constexpr uint64_t kUsual = 4096;         // cycles that a command takes, nearly always
constexpr size_t kMaxLooked = 2'000'000;  // commands that are looked at for one that took longer

std::string cause_text(const Reference& r) {
  return fmt::format("{} at {:#x}, {} of them", isa::info(r.op).name, r.address, r.count);
}

ContextId id_of(unsigned chip, ContextRef who) { return {chip, who.engine, who.context}; }

/// The command of the context whose last signal came last, not after `end`; among those that were accepted in
/// [from, to).
std::optional<Reference> last_signalled(const History& history, ContextRef who, size_t from, size_t to, Tick begin,
                                        Tick end) {
  std::optional<Reference> best;
  for (size_t i = from; i < to; ++i) {
    if (history.issuer(i) != who) continue;
    const Reference r = history.reference(i);
    if (r.signalled == kNever || r.signalled < begin || r.signalled >= end) continue;
    if (!best || r.signalled >= best->signalled) best = r;
  }
  return best;
}

void add_queue(const History& history, unsigned chip, SleepCause& out) {
  const Reference& mine = *out.command;
  if (mine.served == kNever) return;
  const Tick period = history.machine().timing().period, arrived = mine.queued == kNever ? mine.accepted : mine.queued;
  const Inlet inlet = inlet_of(mine);
  const size_t from = first_accepted(history, arrived > kUsual * period ? arrived - kUsual * period : 0),
               to = first_accepted(history, mine.served + 1);
  for (size_t i = from; i < to; ++i) {
    const Reference r = history.reference(i);
    if (r.sequence == mine.sequence || inlet_of(r) != inlet || r.served == kNever) continue;
    if (r.served <= arrived || r.served > mine.served || (r.served == mine.served && r.sequence > mine.sequence))
      continue;
    ++out.before_count;
    out.before.push_back({r, id_of(chip, r.from)});
  }
  std::ranges::stable_sort(out.before, {}, [](const QueuedBefore& b) { return b.command.served; });
  if (out.before.size() > SleepCause::kMaxBefore)
    out.before.erase(out.before.begin(), out.before.end() - SleepCause::kMaxBefore);
}

void add_steps(const History& history, SleepCause& out, std::optional<uint16_t> left_at) {
  const Tick period = history.machine().timing().period;
  using Kind = CauseStep::Kind;
  out.steps.push_back({Kind::slept, out.begin, out.who, left_at, "gave up the engine"});
  if (out.command) {
    const Reference& r = *out.command;
    out.steps.push_back({Kind::issued, r.accepted / period, out.from, r.pc, cause_text(r)});
    const std::string unit = to_text(inlet_of(r));
    const Tick queued = r.queued == kNever ? r.accepted : r.queued;
    if (r.served != kNever) {
      out.steps.push_back({Kind::queued,
                           queued / period,
                           out.from,
                           {},
                           out.before_count == 0 ? fmt::format("in the queue of {}, nothing before it", unit)
                           : out.before_count == 1
                               ? fmt::format("in the queue of {}, behind 1 command", unit)
                               : fmt::format("in the queue of {}, behind {} commands", unit, out.before_count)});
      out.steps.push_back({Kind::served, r.served / period, out.from, {}, fmt::format("served by {}", unit)});
    }
  }
  if (out.by != SleepCause::By::lasts) {
    const bool csr = out.by == SleepCause::By::engine;
    std::string raised = out.signal == 0 ? std::string("a signal") : fmt::format("signal {}", out.signal);
    if (csr) raised += " by a write of a CSR";
    if (out.by == SleepCause::By::unit) raised += " by a unit itself (an mpacket has come)";
    if (out.by == SleepCause::By::unknown) raised += " from where nobody has recorded";
    out.steps.push_back({Kind::raised, out.end, csr ? out.from : out.who, {}, raised});
    out.steps.push_back({Kind::woke, out.end, out.who, {}, "could go on"});
  }
  std::ranges::stable_sort(out.steps, {}, &CauseStep::cycle);
}

}  // namespace

Inlet inlet_of(const Reference& r) {
  const isa::Unit unit = isa::info(r.op).unit;
  return {unit, unit == isa::Unit::sram ? r.address >> 30 : 0};
}

std::string to_text(const Inlet& inlet) {
  switch (inlet.unit) {
    case isa::Unit::sram: return fmt::format("sram{}", inlet.channel);
    case isa::Unit::scratch: return "scratch";
    case isa::Unit::dram: return "dram";
    case isa::Unit::msf: return "msf";
    case isa::Unit::hash: return "hash";
    case isa::Unit::cap: return "cap";
    default: return fmt::format("unit {}", static_cast<unsigned>(inlet.unit));
  }
}

std::optional<SleepCause> cause_of(const Inspector& machine, ContextId id, uint64_t cycle) {
  const History* history = machine.history(id.chip);
  const uint64_t now = machine.observed_cycle();
  if (history == nullptr || id.engine >= history->engines() || id.context >= emulator::kContexts) return std::nullopt;
  if (cycle < history->from_cycle() || cycle >= now) return std::nullopt;
  const ContextRef who{static_cast<uint8_t>(id.engine), static_cast<uint8_t>(id.context)};
  const auto stretch = stretch_at(*history, who, cycle);
  if (!stretch || stretch->activity != Activity::sleep) return std::nullopt;
  SleepCause out;
  out.who = id;
  out.begin = std::max(stretch->begin, history->from_cycle());
  out.end = std::min(stretch->end, now);
  const Tick period = history->machine().timing().period;
  // A signal of a tick within a cycle is seen in that cycle, or in the one after it.
  const Tick begin = out.begin > 0 ? (out.begin - 1) * period : 0, end = (out.end + 1) * period;
  const bool lasts = stretch->end >= now;

  const Tick usual = kUsual * period;
  const size_t to = first_accepted(*history, end);
  size_t from = first_accepted(*history, begin > usual ? begin - usual : 0);
  std::optional<Reference> own;
  std::optional<RaisedSignal> raised;
  if (lasts) {
    // The last one that was asked for and has not come.
    for (size_t i = to; i-- > from && !own;)
      if (history->issuer(i) == who)
        if (const Reference r = history->reference(i); r.signal != 0 && r.signalled == kNever) own = r;
    out.by = SleepCause::By::lasts;
  } else {
    own = last_signalled(*history, who, from, to, begin, end);
    const auto& all = history->raised();
    auto at = std::ranges::lower_bound(all, end, {}, &RaisedSignal::at);
    while (at != all.begin() && (--at)->at >= begin)
      if (at->to == who) {
        raised = *at;
        break;
      }
    if (!own && !raised && from > 0)
      own = last_signalled(*history, who, from - std::min(from, kMaxLooked), from, begin, end);
  }
  if (raised && (!own || raised->at > own->signalled)) {
    out.signal = raised->number;
    out.from = id_of(id.chip, raised->from);
    out.by = raised->by == RaisedSignal::By::command  ? SleepCause::By::command
             : raised->by == RaisedSignal::By::engine ? SleepCause::By::engine
             : raised->by == RaisedSignal::By::unit   ? SleepCause::By::unit
                                                      : SleepCause::By::unknown;
    if (out.by == SleepCause::By::command)
      if (const auto index = history->index_of(raised->sequence)) out.command = history->reference(*index);
  } else if (own) {
    if (!lasts) out.by = SleepCause::By::reference;
    out.command = own;
    out.from = id;
    out.signal = own->signal;
  }
  if (out.command) add_queue(*history, id.chip, out);
  add_steps(*history, out, stretch->left_at);
  if (out.by == SleepCause::By::engine) {
    for (CauseStep& step : out.steps)
      if (step.kind == CauseStep::Kind::raised) step.pc = raised->pc;
  }
  return out;
}

std::string to_text(const SleepCause& cause) {
  const uint64_t cycles = cause.end - cause.begin;
  std::string out = fmt::format("slept {} cycles ({} to {})", cycles, cause.begin, cause.end - 1);
  const auto from = [&] { return fmt::format("me{}.ctx{}", cause.from.engine, cause.from.context); };
  const auto command = [&] { return cause.command ? cause_text(*cause.command) : std::string("a command"); };
  switch (cause.by) {
    case SleepCause::By::reference: out += fmt::format(": its {} came back", command()); break;
    case SleepCause::By::command: out += fmt::format(": signal {} by {} of {}", cause.signal, command(), from()); break;
    case SleepCause::By::engine: out += fmt::format(": signal {}, written by {}", cause.signal, from()); break;
    case SleepCause::By::unit: out += fmt::format(": signal {} by a unit itself", cause.signal); break;
    case SleepCause::By::lasts:
      out += cause.command ? fmt::format(" and sleeps still: its {} has not come back", command())
                           : std::string(" and sleeps still");
      break;
    case SleepCause::By::unknown: out += ": what woke it is not recorded"; break;
  }
  if (cause.before_count == 1) out += "; 1 command was before it in the queue";
  if (cause.before_count > 1) out += fmt::format("; {} commands were before it in the queue", cause.before_count);
  return out;
}

}  // namespace weft::workbench
