// Runs a session to a cut.
#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "session_impl.h"

namespace weft::workbench {

using emulator::Position;
using emulator::Tick;

namespace {

/// Engine cycles between two looks at the limits. They are made at multiples of it, so that a run ends at the same cycle
/// on every host, and whether it was interrupted or not.
constexpr uint64_t kStride = 500;
/// With all traffic in and nothing moving for so long, a run is over (project file: limits.quiet).
constexpr uint64_t kQuiet = 60'000;
constexpr const char* kNothingLeft = "nothing is left to do: all contexts have ended or wait for what cannot come";

}  // namespace

emulator::Position Session::Impl::next_halt(Position target) const {
  const Tick now = machine->now();
  const auto next = [&](Tick interval) { return Position{(now / interval + 1) * interval, 0}; };
  target = std::min(target, next(kStride * period()));
  if (muted) target = std::min(target, furthest);
  if (recording.interval != 0) target = std::min(target, next(recording.interval));
  return target;
}

void Session::Impl::arrived() {
  const Position at = machine->position();
  if (at.turn == 0 && at.now % (kStride * period()) == 0) {
    const uint64_t done = moved().done();
    // A long frame on the wire is a move, too: quiet begins when the last one has entered.
    if (done != progress.last_done || !units->input_finished()) {
      progress.last_done = done;
      progress.last_move = cycles();
    }
  }
  if (muted && at >= furthest) {
    observers.set_muted(*machine, false);
    muted = false;
  }
  if (recording.interval != 0 && at.turn == 0 && at.now % recording.interval == 0) checkpoint();
}

emulator::StopReason Session::Impl::move(Position target, const Go& go, const std::function<bool()>& enough) {
  using emulator::StopKind;
  decision = {};
  const Guarding guarding(*this);
  while (true) {
    keep_guard();
    const emulator::StopReason reason = go(next_halt(target));
    arrived();
    switch (reason.kind) {
      case StopKind::limit:
        if (machine->position() >= target) return reason;
        continue;
      case StopKind::idle:
        if (machine->now() >= target.now) return reason;
        if (muted) {  // nothing comes any more that they could miss or see twice
          observers.set_muted(*machine, false);
          muted = false;
        }
        continue;
      case StopKind::breakpoint:
        decision = debugger->at_word(reason);
        if (decision.stop) return reason;
        continue;
      case StopKind::asked: {
        if (debugger->wants_stop()) decision = debugger->after_event();
        const bool check = observers.checks() != nullptr && observers.checks()->wants_stop();
        if (decision.stop || check || (enough && enough())) return reason;
        continue;
      }
      case StopKind::stepped: return reason;
      default: return repeat(reason);
    }
  }
}

emulator::StopReason Session::Impl::move(Position target) {
  return move(target, [this](Position halt) { return machine->run_to(halt); });
}

emulator::StopReason Session::Impl::step(unsigned engine, int context, Tick limit, bool pass) {
  // What stops it on the way is no step of this engine: it still stands where it stood, and may pass.
  return move({limit, 0}, [&](Position halt) { return machine->step_instruction(engine, halt, context, pass); });
}

Stop Session::Impl::stop_of(const emulator::StopReason& reason) const {
  using emulator::StopKind;
  Stop stop;
  if (decision.stop) {
    stop.kind = Stop::Kind::breakpoint;
    stop.breakpoint = decision.id;
    stop.engine = decision.engine;
    stop.context = decision.context;
    stop.address = decision.address;
    stop.text = decision.text;
    return stop;
  }
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
    self.progress.ended = kind == Stop::Kind::quiet || kind == Stop::Kind::packets;
    return self.stand(std::move(stop));
  };
  if (self.observers.checks() != nullptr) self.observers.checks()->acknowledge();
  const Impl::Guarding guarding(self);
  Impl::Progress& progress = self.progress;
  if (progress.ended) progress.last_move = self.cycles();  // the user wants more
  progress.ended = false;
  while (true) {
    const uint64_t now = self.cycles();
    if (limits.cycles && now >= limits.cycles)
      return finish(Stop::Kind::cycles, fmt::format("the limit of {} cycles was reached", limits.cycles));
    const uint64_t look = (now / kStride + 1) * kStride;
    const uint64_t next = limits.cycles ? std::min(look, limits.cycles) : look;
    const emulator::StopReason reason = self.move({next * self.period(), 0});
    if (reason.kind == emulator::StopKind::idle) return finish(Stop::Kind::quiet, kNothingLeft);
    if (reason.kind != emulator::StopKind::limit) return self.stand(self.stop_of(reason));
    if (next == look) {
      if (limits.packets && progress.last_done >= limits.packets)
        return finish(Stop::Kind::packets, fmt::format("the limit of {} packets was reached", limits.packets));
      const bool over = limits.quiet_cycles && self.units->input_finished() &&
                        self.cycles() - progress.last_move >= limits.quiet_cycles;
      if (over) return finish(Stop::Kind::quiet, "all traffic has passed");
    }
    if (control.interrupt && *control.interrupt) return finish(Stop::Kind::interrupted, "interrupted");
    if (control.progress) control.progress(self.cycles(), self.moved().out);
  }
}

Stop Session::Impl::stand(Stop stop) {
  progress.last_stop = stop.text;
  return stop;
}

Result<Stop> Session::run_until(const std::string& condition, const RunControl& control) {
  if (const auto limits = parse_limits(condition, impl_->scene)) {
    RunControl limited = control;
    if (limits->cycles) limited.limits.cycles = limits->cycles;
    if (limits->packets) limited.limits.packets = limits->packets;
    return run(limited);
  }
  Breakpoint b;
  b.kind = Breakpoint::Kind::condition;
  b.target = condition;
  const auto id = impl_->debugger->add(b);
  if (!id) return tl::unexpected(id.error());
  Stop stop;
  if (const auto now = evaluate(condition); now && *now != 0) {
    stop.kind = Stop::Kind::condition;
    stop.text = fmt::format("'{}' is true", condition);
  } else {
    stop = run(control);
    if (stop.kind == Stop::Kind::breakpoint && stop.breakpoint == *id) {
      stop.kind = Stop::Kind::condition;
      stop.breakpoint = 0;
      stop.text = fmt::format("'{}' has become true at cycle {}", condition, impl_->cycles());
    }
  }
  impl_->debugger->remove(*id);
  return impl_->stand(std::move(stop));
}

Result<Stop> Session::run_to(const std::string& place, const std::vector<unsigned>& engines, unsigned contexts, const RunControl& control) {
  Breakpoint b;
  b.target = place;
  b.engines = engines;
  b.contexts = contexts;
  const auto id = impl_->debugger->add(b);
  if (!id) return tl::unexpected(id.error());
  Stop stop = run(control);
  impl_->debugger->remove(*id);
  return stop;
}

Result<unsigned> Session::add_breakpoint(Breakpoint breakpoint) { return impl_->debugger->add(std::move(breakpoint)); }
bool Session::remove_breakpoint(unsigned id) { return impl_->debugger->remove(id); }
bool Session::enable_breakpoint(unsigned id, bool on) { return impl_->debugger->enable(id, on); }
std::vector<Breakpoint> Session::breakpoints() const { return impl_->debugger->list(); }
void Session::on_log(std::function<void(const std::string&)> log) { impl_->debugger->on_log = std::move(log); }

}  // namespace weft::workbench
