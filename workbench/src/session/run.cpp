// Runs a session to a cut.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "project/commands.h"
#include "session/impl.h"

namespace weft::workbench {

using emulator::Position;
using emulator::Tick;

namespace {

/// Engine cycles between two looks at the limits. They are made at multiples of it, so that a run ends at the same
/// cycle on every host, and whether it was interrupted or not.
constexpr uint64_t kStride = 500;
/// The same while traffic is sure to come, which nothing can end but the limit of cycles and a stop.
constexpr uint64_t kLongStride = 8 * kStride;
/// With all traffic in and nothing moving for so long, a run is over (project file: limits.quiet).
constexpr uint64_t kQuiet = 60'000;
constexpr const char* kNothingLeft = "nothing is left to do: all contexts have ended or wait for what cannot come";

/// After the reason why a run has ended by itself.
std::string without_end(uint64_t held, bool known, uint64_t in) {
  if (!known && held == 0)
    return "whether packets have no end is not known: the programs have made frames that nobody counts";
  return fmt::format("{}{} of {} packet{} ha{} no end{}", known ? "" : "at least ", held, in, in == 1 ? "" : "s",
                     held == 1 ? "s" : "ve", known ? "" : ": the programs have made frames that nobody counts");
}

/// Where a program ends, for one that has gone on after it; `last` is the source line of its last word.
std::string end_of(const image::Image& program, uint32_t pc, const std::string& last) {
  const size_t words = program.words.size();
  return fmt::format(
      "; program {} has {} word{}{}; {}", program.name, words, words == 1 ? "" : "s",
      last.empty() ? "" : fmt::format(", the last from {}", last),
      pc == words ? "end it with ctx_arb[kill] or a branch" : "a branch, a jump or a return leads out of it");
}

}  // namespace

// Looks at the limits in between would find traffic, and nothing else.
uint64_t Session::Impl::next_look(bool closely) const {
  const uint64_t now = cycles(), far = (now / kLongStride + 1) * kLongStride;
  if (closely) return (now / kStride + 1) * kStride;
  Tick lasts = 0;
  for (const auto& chip : chips) lasts = std::max(lasts, chip->units->input_lasts_until());
  return far * period() < lasts ? far : (now / kStride + 1) * kStride;
}

emulator::Position Session::Impl::next_halt(Position target) const {
  const Tick now = board->now();
  const auto next = [&](Tick interval) { return Position{(now / interval + 1) * interval, 0}; };
  const bool closely = under_way.asked != nullptr && under_way.asked->closely;
  target = std::min(target, watches_time() ? next(period()) : Position{next_look(closely) * period(), 0});
  if (observers_paused) target = std::min(target, high_water);
  if (recording.interval != 0) target = std::min(target, next(recording.interval));
  if (const auto edit = recording.edits.upper_bound(board->position()); edit != recording.edits.end())
    target = std::min(target, edit->first);
  return target;
}

bool Session::Impl::watches_time() const {
  return std::any_of(chips.begin(), chips.end(), [](const auto& chip) { return chip->debugger->watches_time(); });
}

bool Session::Impl::decide_by_time(emulator::BoardStop& stop) {
  for (unsigned chip = 0; chip < chips.size() && !decision.stop; ++chip) {
    if (!chips[chip]->debugger->watches_time()) continue;
    decision = chips[chip]->debugger->after_event();
    if (decision.stop) stop.chip = chip;
  }
  return decision.stop;
}

void Session::Impl::after_advance() {
  const Position at = board->position();
  if (at.turn == 0 && at.now % (kStride * period()) == 0) {
    const uint64_t done = frame_totals().done();
    // A long frame on the wire is a move, too: quiet begins when the last one has entered.
    // So is a command for the control processor whose time has not come.
    const bool waiting = std::any_of(chips.begin(), chips.end(), [](const auto& chip) {
      return chip->control && chip->control->works_on_commands();
    });
    if (done != progress.last_done || !input_finished() || waiting) {
      progress.last_done = done;
      progress.last_move = cycles();
    }
  }
  if (observers_paused && at >= high_water) pause_observers(false);
  if (!recording.edits.empty()) repeat_edits();
  if (recording.interval != 0 && at.turn == 0 && at.now % recording.interval == 0) checkpoint();
  recording.high_water = std::max(recording.high_water, at);
}

bool Session::Impl::asked_to_stop() {
  if (under_way.asked == nullptr) return false;
  if (under_way.interrupted || (under_way.asked->interrupt != nullptr && *under_way.asked->interrupt))
    return under_way.interrupted = true;
  const uint64_t stride = cycles() / kStride + 1;
  if (under_way.asked->progress && std::exchange(under_way.told, stride) != stride)
    under_way.asked->progress(cycles(), frame_totals().out);
  return false;
}

emulator::BoardStop Session::Impl::move(Position target, const Advance& go, const std::function<bool()>& enough) {
  using emulator::StopKind;
  decision = {};
  const FallbackHold guarding(*this);
  while (true) {
    ensure_fallback_snapshot();
    emulator::BoardStop stop = go(next_halt(target));
    Chip& there = *chips[stop.chip];
    after_advance();
    switch (stop.reason.kind) {
      case StopKind::limit:
        if (decide_by_time(stop)) return stop;
        if (board->position() >= target || asked_to_stop()) return stop;
        continue;
      case StopKind::idle:
        if (board->now() >= target.now || asked_to_stop()) return stop;
        if (observers_paused) pause_observers(false);  // nothing comes any more that they could miss or see twice
        continue;
      case StopKind::breakpoint:
        decision = there.debugger->at_word(stop.reason);
        if (decision.stop || (enough && enough()) || asked_to_stop()) return stop;
        continue;
      case StopKind::asked: {
        if (there.debugger->wants_stop()) decision = there.debugger->after_event();
        const bool check = there.observers.checks() != nullptr && there.observers.checks()->wants_stop();
        if (decision.stop || check || (enough && enough()) || asked_to_stop()) return stop;
        continue;
      }
      case StopKind::stepped: return stop;
      default: return repeat(stop);
    }
  }
}

emulator::BoardStop Session::Impl::move(Position target) {
  return move(target, [this](Position halt) { return board->run_to(halt); });
}

emulator::BoardStop Session::Impl::step(unsigned chip, unsigned engine, int context, Tick limit, bool pass) {
  // What stops it on the way is not a step of this engine: it still stands where it stood, and may pass.
  return move({limit, 0}, [&](Position halt) { return board->step_instruction(chip, engine, halt, context, pass); });
}

Stop Session::Impl::stop_of(const emulator::BoardStop& at) const {
  using emulator::StopKind;
  const emulator::StopReason& reason = at.reason;
  const emulator::Checks* checks = chips[at.chip]->observers.checks();
  Stop stop;
  stop.chip = at.chip;
  if (decision.stop) {
    stop.kind = Stop::Kind::breakpoint;
    stop.breakpoint = decision.id;
    stop.engine = decision.engine;
    stop.context = decision.context;
    stop.address = decision.address;
    stop.text = decision.text;
    stop.failed = !decision.failed.empty();
    return stop;
  }
  if (under_way.interrupted && reason.kind != StopKind::stepped) {
    stop.kind = Stop::Kind::interrupted;
    stop.text = fmt::format("interrupted at cycle {}", cycles());
    return stop;
  }
  stop.engine = reason.engine;
  stop.context = reason.context;
  stop.address = reason.pc;
  const std::string where = place(at.chip, reason.engine, reason.pc);
  stop.text = prefix(at.chip) + emulator::to_text(reason) + (where.empty() ? "" : fmt::format(" ({})", where));
  if (const image::Image* program = reason.kind == StopKind::outside_store ? image_of(at.chip, reason.engine) : nullptr;
      program != nullptr && !program->words.empty())
    stop.text +=
        end_of(*program, reason.pc, place(at.chip, reason.engine, static_cast<uint32_t>(program->words.size() - 1)));
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
      if (checks != nullptr && checks->wants_stop()) {
        const emulator::Finding& found = checks->findings().back();
        stop.kind = Stop::Kind::check;
        stop.engine = found.who.engine;
        stop.context = found.who.context;
        stop.address = found.pc;
        stop.text = prefix(at.chip) + found.text;
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
  const bool traffic =
      std::any_of(ports.begin(), ports.end(), [](const PortEntry& p) { return p.in.kind != TrafficEntry::Kind::none; });
  // Without traffic a run ends when nothing can happen any more, or at a limit. A control program polls for ever, so
  // then quiet is the end.
  if (!limits.quiet_cycles && (traffic || self.has_control())) limits.quiet_cycles = kQuiet;

  const auto finish = [&](Stop::Kind kind, std::string text) {
    Stop stop;
    stop.kind = kind;
    stop.text = std::move(text);
    self.progress.ended = kind == Stop::Kind::quiet;
    return self.record_stop(std::move(stop));
  };
  Impl::Progress& progress = self.progress;
  // A limit of the project that has ended the run holds up nobody who goes on.
  if (control.beyond_end && !control.limits.packets && limits.packets && progress.last_done >= limits.packets)
    limits.packets = 0;
  const auto packets_are_through = [&] { return limits.packets && progress.last_done >= limits.packets; };
  const std::string packet_limit = fmt::format("limit of {} packet{}", limits.packets, limits.packets == 1 ? "" : "s");
  const std::string packets_reached = "the " + packet_limit + " was reached";
  if (packets_are_through() && !(limits.cycles && self.cycles() > limits.cycles)) {
    const bool ended_by_it = progress.last_stop == packets_reached;
    const bool has_gone_on = progress.last_done > limits.packets || (progress.over && !control.beyond_end);
    return finish(Stop::Kind::packets,
                  ended_by_it || !has_gone_on ? packets_reached : "the run stands behind the " + packet_limit);
  }
  if (progress.over && !control.beyond_end && !(limits.cycles && self.cycles() > limits.cycles)) {
    Stop stop;
    stop.kind = progress.last_kind;
    stop.text = progress.last_stop;
    return self.record_stop(std::move(stop));
  }
  self.acknowledge_checks();
  const Impl::FallbackHold guarding(self);
  if (progress.ended) progress.last_move = self.cycles();  // the user wants more
  progress.ended = false;
  while (true) {
    const uint64_t now = self.cycles();
    if (limits.cycles && now >= limits.cycles) {
      const std::string limit = fmt::format("limit of {} cycle{}", limits.cycles, limits.cycles == 1 ? "" : "s");
      return finish(Stop::Kind::cycles,
                    now > limits.cycles ? "the run stands behind the " + limit : "the " + limit + " was reached");
    }
    const uint64_t look = self.next_look(control.closely || limits.packets);
    const uint64_t next = limits.cycles ? std::min(look, limits.cycles) : look;
    const emulator::BoardStop at = self.move({next * self.period(), 0});
    if (at.reason.kind == emulator::StopKind::idle) {
      const Impl::Ends ends = self.ends();
      return finish(
          Stop::Kind::quiet,
          ends.held == 0 && ends.known
              ? kNothingLeft
              : fmt::format("{}; {}", kNothingLeft,
                            without_end(ends.held, ends.known, self.frame_totals().in + self.frames_of_programs())));
    }
    if (at.reason.kind != emulator::StopKind::limit || self.decision.stop) return self.record_stop(self.stop_of(at));
    if (next == look) {
      if (packets_are_through()) return finish(Stop::Kind::packets, packets_reached);
      const bool over =
          limits.quiet_cycles && self.input_finished() && self.cycles() - progress.last_move >= limits.quiet_cycles;
      if (over) {
        const Impl::Ends ends = self.ends();
        return finish(
            Stop::Kind::quiet,
            ends.held == 0 && ends.known
                ? "all traffic has passed"
                : fmt::format("nothing has moved for {} cycles, and {}", limits.quiet_cycles,
                              without_end(ends.held, ends.known, self.frame_totals().in + self.frames_of_programs())));
      }
    }
    if (control.interrupt && *control.interrupt) return finish(Stop::Kind::interrupted, "interrupted");
    if (control.progress) control.progress(self.cycles(), self.frame_totals().out);
  }
}

Stop Session::Impl::record_stop(Stop stop) {
  using Kind = Stop::Kind;
  progress.last_stop = stop.text;
  progress.last_kind = stop.kind;
  const bool halted = stop.kind == Kind::breakpoint && stop.breakpoint == 0;
  progress.over = stop.kind == Kind::quiet || stop.kind == Kind::fault || stop.kind == Kind::check || halted;
  return stop;
}

/// A number and at most a word, such as '1.5 ms' or '5 cycle': not a condition.
static bool means_limit(std::string_view text) {
  const size_t number = text.find_first_not_of("0123456789.");
  if (number == 0 || text.empty()) return false;
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(std::min(number, text.size())), text.end(),
                     [](char c) { return c == ' ' || std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

Result<Stop> Session::run_until(const std::string& text, const RunControl& control) {
  std::string condition = text;
  const unsigned chip = impl_->take_chip(condition);
  Debugger& debugger = *impl_->chips[chip]->debugger;
  const EvalContext& scene = impl_->chips[chip]->scene;
  if (const auto limits = parse_limits(condition, scene, impl_->period())) {
    if (limits->cycles == 0 && limits->packets == 0)
      return fail("run-limit", {}, fmt::format("'{}' is a run of nothing", condition),
                  "a limit is at least 1; leave it out for a run without one");
    RunControl limited = control;
    const auto min = [](uint64_t a, uint64_t b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); };
    limited.limits.cycles = min(limits->cycles, control.limits.cycles);
    limited.limits.packets = min(limits->packets, control.limits.packets);
    return run(limited);
  }
  // A condition it would not be: nobody waits for a number.
  if (const auto largest = largest_of(condition, scene))
    return fail("run-limit", {}, fmt::format("'{}' is more than a run can hold", condition),
                "the largest is " + *largest);
  Breakpoint b;
  b.kind = Breakpoint::Kind::condition;
  b.target = condition;
  const auto id = debugger.add(b);
  if (!id) {
    if (!means_limit(condition)) return tl::unexpected(id.error());
    return tl::unexpected(id.error().changed([](Diagnostic& d) {
      d.remedy =
          "limits are whole numbers: '5000 cycles', '20us', '5ms', '1s' or '100 packets'; a condition is for example "
          "me0.ctx3.temp == 5";
    }));
  }
  Stop stop;
  if (const auto now = evaluate(text); now && *now != 0) {
    stop.kind = Stop::Kind::condition;
    stop.text = fmt::format("'{}' is true", text);
  } else {
    stop = run(control);
    if (stop.kind == Stop::Kind::breakpoint && stop.breakpoint == *id) {
      stop.kind = Stop::Kind::condition;
      stop.breakpoint = 0;
      stop.text = stop.failed ? fmt::format("'{}' cannot be evaluated at cycle {}: {}", text, impl_->cycles(),
                                            impl_->decision.failed)
                              : fmt::format("'{}' has become true at cycle {}", text, impl_->cycles());
    }
  }
  debugger.remove(*id);
  return impl_->record_stop(std::move(stop));
}

Result<Stop> Session::run_to(const std::string& place, const std::vector<unsigned>& engines, unsigned contexts,
                             const RunControl& control) {
  Breakpoint b;
  b.target = place;
  b.engines = engines;
  b.contexts = contexts;
  return run_to(b, control);
}

Result<Stop> Session::run_to(const Breakpoint& target, const RunControl& control) {
  const auto id = add_breakpoint(target);
  if (!id) return tl::unexpected(id.error());
  Stop stop = run(control);
  remove_breakpoint(*id);
  return stop;
}

Result<unsigned> Session::add_breakpoint(Breakpoint breakpoint) {
  const unsigned chip = impl_->take_chip(breakpoint.target);
  Debugger& debugger = *impl_->chips[chip]->debugger;
  const bool asks_writes = breakpoint.kind == Breakpoint::Kind::uninitialised;
  auto id = debugger.add(std::move(breakpoint));
  if (!id || !asks_writes || debugger.keeps_first_writes()) return id;
  if (auto seen = impl_->see_first_writes(debugger); !seen) {
    debugger.remove(*id);
    return tl::unexpected(std::move(seen.error()));
  }
  return id;
}

Result<bool> Session::check_breakpoint(const Breakpoint& breakpoint) const {
  Breakpoint b = breakpoint;
  const unsigned chip = impl_->take_chip(b.target);
  return impl_->chips[chip]->debugger->check(std::move(b));
}

// What was written before is found by going through the run once more.
Result<bool> Session::Impl::see_first_writes(Debugger& debugger) {
  const emulator::Position here = board->position();
  if (here == emulator::Position{}) {
    debugger.keep_first_writes();
    return true;
  }
  read_checkpoints();
  const auto begin = recording.checkpoints.begin();
  if (begin == recording.checkpoints.end() || begin->first != emulator::Position{})
    return fail("breakpoint-late", {}, "which registers were written before is not known",
                "set it before the run, or call record() before it");
  const Snapshot now = save(true);
  if (auto done = owner->restore(Snapshot(begin->second)); !done) return done;
  debugger.keep_first_writes();
  each_debugger([](Debugger& d) { d.set_active(false); });
  move(here);
  each_debugger([](Debugger& d) { d.set_active(true); });
  return owner->restore(now);
}

bool Session::remove_breakpoint(unsigned id) {
  bool done = false;
  impl_->each_debugger([&](Debugger& d) { done = d.remove(id) || done; });
  return done;
}
bool Session::enable_breakpoint(unsigned id, bool on) {
  bool done = false;
  impl_->each_debugger([&](Debugger& d) { done = d.enable(id, on) || done; });
  return done;
}
std::vector<Breakpoint> Session::breakpoints() const {
  std::vector<Breakpoint> out;
  for (const auto& chip : impl_->chips)
    for (Breakpoint& b : chip->debugger->list()) {
      if (impl_->several()) b.target.insert(0, chip->scene.chip + ": ");
      out.push_back(std::move(b));
    }
  return out;
}
void Session::on_log(std::function<void(const std::string&)> log) {
  impl_->on_log = std::move(log);
  impl_->each_debugger([&](Debugger& d) { d.on_log = impl_->on_log; });
}

}  // namespace weft::workbench
