// A session that looks through its recording, for those who ask who wrote or reads something.
#pragma once

#include "session/impl.h"
#include "session/write_watch.h"

namespace weft::workbench {

tl::unexpected<Diagnostics> not_recorded();
tl::unexpected<Diagnostics> interrupted();

/// The session while it looks: it comes back to where it stood, and nobody hears of it.
struct Session::Impl::Search {
  Impl& self;
  const RunControl& control;
  Snapshot present;
  emulator::Position high_water;
  std::string last_stop;

  static constexpr uint64_t kSlice = 5'000;  ///< engine cycles between two looks at the interrupt flag

  Search(Impl& impl, const RunControl& how)
      : self(impl),
        control(how),
        present(impl.save(true)),
        high_water(impl.recording.high_water),
        last_stop(impl.progress.last_stop) {
    self.read_checkpoints();
    self.guard.repeating = true;
    self.each_debugger([](Debugger& d) { d.set_active(false); });
  }
  ~Search() {
    (void)self.owner->restore(present);
    self.recording.high_water = high_water;
    self.progress.last_stop = last_stop;
    self.each_debugger([](Debugger& d) { d.set_active(true); });
    self.guard.repeating = false;
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  bool stopped() const { return control.interrupt != nullptr && *control.interrupt; }

  /// To the last checkpoint that is not after a moment, and from there to it. False: interrupted, or it lies before
  /// the recording.
  bool reach(emulator::Position moment) {
    auto from = self.recording.checkpoints.upper_bound(moment);
    if (from == self.recording.checkpoints.begin()) return false;
    --from;
    if (!self.owner->restore(from->second)) return false;
    return replay(
               0, {}, moment, [] { return false; }, [](const Recording::Edit&) {}) &&
           self.board->position() == moment;
  }

  /// Goes to `end` while observers watch a chip; `edited` is told of what the user wrote on the way. Ends early
  /// when `enough` says so. False: interrupted.
  bool replay(unsigned chip, const std::vector<emulator::Observer*>& observers, emulator::Position end,
              const std::function<bool()>& enough, const std::function<void(const Recording::Edit&)>& edited) {
    using emulator::Position;
    emulator::Machine& machine = *self.chips[chip]->machine;
    for (emulator::Observer* observer : observers) machine.attach(*observer);
    bool whole = true;
    while (self.board->position() < end && !enough()) {
      if (stopped()) {
        whole = false;
        break;
      }
      const Position before = self.board->position();
      Position slice = std::min(end, Position{before.now + kSlice * self.period(), 0});
      if (const auto edit = self.recording.edits.upper_bound(before); edit != self.recording.edits.end())
        slice = std::min(slice, edit->first);
      self.move(
          slice, [&](Position halt) { return self.board->run_to(halt); }, enough);
      if (const auto edit = self.recording.edits.find(self.board->position()); edit != self.recording.edits.end())
        for (const Recording::Edit& e : edit->second)
          if (e.chip == chip) edited(e);
      if (self.board->position() == before) break;  // it stands at a fault
      if (control.progress) control.progress(self.cycles(), 0);
    }
    for (emulator::Observer* observer : observers) machine.detach(*observer);
    return whole;
  }
};

}  // namespace weft::workbench
