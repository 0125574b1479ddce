// Going back: the nearest checkpoint before the wanted moment, and a replay up to it. A run has no other input than
// what a snapshot holds, so the replay is the run.
#include <fmt/format.h>

#include <utility>

#include "session/impl.h"
#include "session/snapshot_data.h"

namespace weft::workbench {

using emulator::Position;

namespace {

/// Stops a replay after the instruction that makes the count full.
class CountStop final : public emulator::Observer {
 public:
  CountStop(unsigned engine, int context, uint64_t count) : engine_(engine), context_(context), left_(count) {}
  void on_execute(emulator::ContextRef who, uint16_t, uint64_t) override {
    if (who.engine == engine_ && (context_ < 0 || who.context == context_) && left_ > 0) --left_;
  }
  bool wants_stop() const override { return left_ == 0; }

 private:
  unsigned engine_;
  int context_;
  uint64_t left_;
};

uint64_t executed(const emulator::EngineState& engine, int context) {
  return context < 0 ? engine.instructions : engine.contexts[static_cast<size_t>(context)].executing;
}

tl::unexpected<Diagnostics> not_recorded() {
  return fail("record-off", {}, "there is no earlier moment to go back to", "call record() before the run");
}

}  // namespace

void Session::Impl::checkpoint() {
  if (recording.checkpoints.contains(board->position())) return;
  recording.checkpoints.emplace(board->position(), save(true));
  if (recording.checkpoints.size() <= recording.max) return;
  recording.interval *= 2;
  auto second = std::next(recording.checkpoints.begin());
  for (auto at = second; at != recording.checkpoints.end();)
    at = at->first.now % recording.interval != 0 && !recording.edits.contains(at->first)
             ? recording.checkpoints.erase(at)
             : std::next(at);
}

// Without the file, the first one is left, and the way from there is longer.
void Session::Impl::read_checkpoints() {
  const auto read = std::exchange(recording.rest, nullptr);
  if (read && !read())
    std::erase_if(recording.checkpoints, [](const auto& c) { return c.second.data_->board.machines.empty(); });
}

void Session::record(uint64_t interval, size_t max) {
  impl_->recording = {std::max<uint64_t>(interval, 1) * impl_->period(),
                      std::max<size_t>(max, 2),
                      {},
                      impl_->board->position(),
                      {},
                      {}};
  for (const auto& chip : impl_->chips)
    if (chip->control) chip->control->keep_events();
  impl_->checkpoint();
}

// What was reached before does not follow from this moment any more.
void Session::Impl::note_edit(Recording::Edit edit) {
  if (recording.interval == 0) return;
  const Position here = board->position();
  recording.checkpoints.erase(recording.checkpoints.lower_bound(here), recording.checkpoints.end());
  recording.edits.erase(recording.edits.upper_bound(here), recording.edits.end());
  recording.edits[here].push_back(std::move(edit));
  recording.high_water = here;
  checkpoint();
}

void Session::Impl::repeat_edits() {
  const auto here = recording.edits.find(board->position());
  if (here == recording.edits.end()) return;
  for (const Recording::Edit& edit : here->second)
    (void)workbench::write(chips[edit.chip]->scene, edit.place, edit.where, edit.value);
  board->wake();
  each_debugger([](Debugger& d) { d.look(); });
}

size_t Session::checkpoints() const { return impl_->recording.checkpoints.size(); }
Position Session::observed() const { return impl_->observers_paused ? impl_->high_water : impl_->board->position(); }
Position Session::counted() const {
  const bool now = std::all_of(impl_->chips.begin(), impl_->chips.end(),
                               [](const auto& chip) { return chip->observers.counts_are_of_now(); });
  return now ? impl_->board->position() : observed();
}

Stop Session::replay_to(Position position, const RunControl& control) {
  Impl& self = *impl_;
  const Impl::Controlled controlled(self, control);
  self.each_debugger([](Debugger& d) { d.rehearse(true); });
  emulator::BoardStop reached;
  while (self.board->position() < position) {
    reached = self.move(position);
    if (self.under_way.interrupted) break;
    if (!self.decision.stop && reached.reason.kind != emulator::StopKind::asked) break;
  }
  self.each_debugger([](Debugger& d) { d.rehearse(false); });
  Stop stop;
  stop.text = fmt::format("cycle {}", self.cycles());
  if (self.board->position() < position) {
    self.decision = {};
    stop = self.stop_of(reached);
  }
  return self.record_stop(std::move(stop));
}

Result<Stop> Session::go_to(Position position, const RunControl& control) {
  Impl& self = *impl_;
  const Impl::Controlled controlled(self, control);
  if (position < self.board->position()) {
    self.read_checkpoints();
    auto after = self.recording.checkpoints.upper_bound(position);
    if (after == self.recording.checkpoints.begin()) return not_recorded();
    if (auto done = restore(std::prev(after)->second); !done) return tl::unexpected(done.error());
  }
  self.each_debugger([](Debugger& d) { d.set_active(false); });
  const emulator::BoardStop reached = self.move(position);
  self.each_debugger([](Debugger& d) { d.set_active(true); });
  Stop stop = self.stop_of(reached);
  if (!self.under_way.interrupted) stop.text = fmt::format("cycle {}", self.cycles());
  return self.record_stop(std::move(stop));
}

Result<Stop> Session::step_back(unsigned engine, int context, unsigned chip, const RunControl& control) {
  Impl& self = *impl_;
  const Impl::Controlled controlled(self, control);
  emulator::Machine& machine = *self.chips.at(chip)->machine;
  const Position here = self.board->position();
  const uint64_t count = executed(std::as_const(machine).state(engine), context);
  self.read_checkpoints();
  const Snapshot* from = nullptr;
  uint64_t known = 0;
  for (const auto& [at, snapshot] : self.recording.checkpoints) {
    const uint64_t then = snapshot.executed(engine, context, chip);
    if (at >= here || (from && then + 1 >= count)) break;
    from = &snapshot;
    known = then;
  }
  Stop stop;
  stop.kind = Stop::Kind::begin;
  stop.text = "the recording begins here";
  if (!from && self.recording.checkpoints.contains(here)) return self.record_stop(std::move(stop));
  if (!from) return not_recorded();
  if (auto done = restore(*from); !done) return tl::unexpected(done.error());
  if (known + 1 < count) {
    CountStop counter(engine, context, count - 1 - known);
    self.each_debugger([](Debugger& d) { d.set_active(false); });
    machine.attach(counter);
    // Checks that stop have done so before.
    const emulator::BoardStop reached = self.move(
        here, [&](Position halt) { return self.board->run_to(halt); }, [&] { return counter.wants_stop(); });
    machine.detach(counter);
    self.each_debugger([](Debugger& d) { d.set_active(true); });
    stop = self.stop_of(reached);
    if (self.under_way.interrupted) return self.record_stop(std::move(stop));
    stop.kind = Stop::Kind::stepped;
  } else if (known + 1 == count) {
    stop.kind = Stop::Kind::stepped;
  }
  const emulator::EngineState& state = std::as_const(machine).state(engine);
  stop.chip = chip;
  stop.engine = static_cast<int>(engine);
  stop.context = context >= 0 ? context : state.last_running;
  stop.address = state.contexts[static_cast<size_t>(stop.context)].pc;
  if (stop.kind == Stop::Kind::stepped) {
    const std::string where = self.place(chip, engine, stop.address);
    stop.text = self.prefix(chip) + fmt::format("microengine {}, context {} is back at 0x{:x}{}, cycle {}", engine,
                                                stop.context, stop.address, where.empty() ? "" : " (" + where + ")",
                                                self.cycles());
  }
  return self.record_stop(std::move(stop));
}

Result<Stop> Session::run_back(const RunControl& control) {
  Impl& self = *impl_;
  const Impl::Controlled controlled(self, control);
  self.read_checkpoints();
  Position end = self.board->position();
  auto after = self.recording.checkpoints.lower_bound(end);
  const bool at_begin = after == self.recording.checkpoints.begin();
  if (at_begin && !self.recording.checkpoints.contains(end)) return not_recorded();
  self.each_debugger([](Debugger& d) { d.rehearse(true); });
  Stop found;
  found.kind = Stop::Kind::begin;
  found.text = "no breakpoint was reached before; the recording begins here";
  while (after != self.recording.checkpoints.begin()) {
    const auto from = std::prev(after);
    const auto replay = [&](auto&& at_stop) {
      (void)restore(from->second);
      while (self.board->position() < end) {
        const emulator::BoardStop reached = self.move(end);
        if (self.decision.stop && at_stop(reached)) return true;
        if (self.under_way.interrupted) {
          found = self.stop_of(reached);
          return true;
        }
        if (!self.decision.stop && reached.reason.kind != emulator::StopKind::asked) return false;
      }
      return false;
    };
    std::optional<Position> last;
    replay([&](const emulator::BoardStop&) {
      if (self.board->position() < end) last = self.board->position();
      return false;
    });
    if (self.under_way.interrupted) break;
    if (last) {
      replay([&](const emulator::BoardStop& reached) {
        if (self.board->position() != *last) return false;
        found = self.stop_of(reached);
        return true;
      });
      break;
    }
    end = from->first;
    after = from;
    if (after == self.recording.checkpoints.begin()) (void)restore(from->second);
  }
  self.each_debugger([](Debugger& d) { d.rehearse(false); });
  return self.record_stop(std::move(found));
}

}  // namespace weft::workbench
