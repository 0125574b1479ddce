// Runs a session to a cut.
#include <fmt/format.h>

#include <algorithm>

#include "session_impl.h"

namespace weft::workbench {

using emulator::Tick;

namespace {

/// Engine cycles between two looks at the limits. They are made at multiples of it, so that a run ends at the same cycle
/// on every host, and whether it was interrupted or not.
constexpr uint64_t kStride = 500;
/// With all traffic in and nothing moving for so long, a run is over (project file: limits.quiet).
constexpr uint64_t kQuiet = 60'000;
/// A step of an engine that sleeps ends after so many cycles: a control program may poll for ever.
constexpr uint64_t kLongestStep = 10'000'000;
constexpr const char* kNothingLeft = "nothing is left to do: all contexts have ended or wait for what cannot come";

}  // namespace

void Session::Impl::unmute_at_furthest() {
  if (!muted || machine->position() < furthest) return;
  observers.set_muted(*machine, false);
  muted = false;
}

emulator::StopReason Session::Impl::advance(Tick limit) {
  if (muted) {
    const emulator::Position target = std::min(furthest, emulator::Position{limit, 0});
    const emulator::StopReason reason = machine->run_to(target);
    unmute_at_furthest();
    if (reason.kind != emulator::StopKind::limit || machine->now() >= limit) return reason;
  }
  return machine->run_until(limit);
}

emulator::StopReason Session::Impl::step(unsigned engine, int context, Tick limit) {
  if (muted) {
    const emulator::Position target = std::min(furthest, emulator::Position{limit, 0});
    const emulator::StopReason reason = machine->step_instruction(engine, target, context);
    unmute_at_furthest();
    if (reason.kind != emulator::StopKind::limit || machine->now() >= limit) return reason;
  }
  return machine->step_instruction(engine, limit, context);
}

Stop Session::Impl::stop_of(const emulator::StopReason& reason) const {
  using emulator::StopKind;
  Stop stop;
  stop.engine = reason.engine;
  stop.context = reason.context;
  stop.address = reason.pc;
  const std::string where = place(reason.engine, reason.pc);
  stop.text = emulator::to_text(reason) + (where.empty() ? "" : fmt::format(" ({})", where));
  switch (reason.kind) {
    case StopKind::stepped: stop.kind = Stop::Kind::stepped; break;
    case StopKind::breakpoint:
    case StopKind::halted: stop.kind = Stop::Kind::breakpoint; break;
    case StopKind::undecodable:
    case StopKind::outside_store:
    case StopKind::local_memory:
    case StopKind::unserved: stop.kind = Stop::Kind::fault; break;
    case StopKind::idle:
      stop.kind = Stop::Kind::quiet;
      stop.engine = stop.context = -1;
      stop.text = kNothingLeft;
      break;
    case StopKind::asked:
      if (observers.checks() != nullptr && observers.checks()->wants_stop()) {
        const emulator::Finding& found = observers.checks()->findings().back();
        stop.kind = Stop::Kind::check;
        stop.engine = found.who.engine;
        stop.context = found.who.context;
        stop.address = found.pc;
        stop.text = found.text;
        break;
      }
      [[fallthrough]];
    case StopKind::limit:
      stop.kind = Stop::Kind::cycles;
      stop.engine = stop.context = -1;
      stop.text = "the cycle limit was reached";
      break;
  }
  return stop;
}

Stop Session::run(const RunControl& control) {
  Impl& self = *impl_;
  Limits limits = self.project.limits;
  if (control.limits.cycles) limits.cycles = control.limits.cycles;
  if (control.limits.packets) limits.packets = control.limits.packets;
  if (control.limits.quiet_cycles) limits.quiet_cycles = control.limits.quiet_cycles;
  const auto& ports = self.project.ports;
  const bool traffic = std::any_of(ports.begin(), ports.end(),
                                   [](const PortEntry& p) { return p.in.kind != TrafficEntry::Kind::none; });
  // Without traffic a run ends when nothing can happen any more, or at a limit. A control program polls for ever, so then
  // quiet is the end.
  if (!limits.quiet_cycles && (traffic || self.control)) limits.quiet_cycles = kQuiet;

  const auto finish = [&](Stop::Kind kind, std::string text) {
    Stop stop;
    stop.kind = kind;
    stop.text = std::move(text);
    self.progress.last_stop = stop.text;
    self.progress.ended = kind == Stop::Kind::quiet || kind == Stop::Kind::packets;
    return stop;
  };
  if (self.observers.checks() != nullptr) self.observers.checks()->acknowledge();
  Impl::Progress& progress = self.progress;
  if (progress.ended) progress.last_move = self.cycles();  // the user wants more
  progress.ended = false;
  while (true) {
    const uint64_t now = self.cycles();
    if (limits.cycles && now >= limits.cycles)
      return finish(Stop::Kind::cycles, fmt::format("the limit of {} cycles was reached", limits.cycles));
    const uint64_t look = (now / kStride + 1) * kStride;
    const uint64_t next = limits.cycles ? std::min(look, limits.cycles) : look;
    const emulator::StopReason reason = self.advance(next * self.period());
    if (reason.kind != emulator::StopKind::limit && reason.kind != emulator::StopKind::idle) {
      Stop stop = self.stop_of(reason);
      progress.last_stop = stop.text;
      return stop;
    }
    if (reason.kind == emulator::StopKind::idle) return finish(Stop::Kind::quiet, kNothingLeft);
    const Impl::Moved moved = self.moved();
    if (next == look) {
      if (moved.done() != progress.last_done) {
        progress.last_done = moved.done();
        progress.last_move = self.cycles();
      }
      if (limits.packets && moved.done() >= limits.packets)
        return finish(Stop::Kind::packets, fmt::format("the limit of {} packets was reached", limits.packets));
      const bool over = limits.quiet_cycles && self.units->input_finished() &&
                        self.cycles() - progress.last_move >= limits.quiet_cycles;
      if (over) return finish(Stop::Kind::quiet, "all traffic has passed");
    }
    if (control.interrupt && *control.interrupt) return finish(Stop::Kind::interrupted, "interrupted");
    if (control.progress) control.progress(self.cycles(), moved.out);
  }
}

Stop Session::step(unsigned engine) {
  if (impl_->observers.checks() != nullptr) impl_->observers.checks()->acknowledge();
  const Tick limit = impl_->machine->now() + kLongestStep * impl_->period();
  Stop stop = impl_->stop_of(impl_->step(engine, -1, limit));
  impl_->progress.last_stop = stop.text;
  return stop;
}

}  // namespace weft::workbench
