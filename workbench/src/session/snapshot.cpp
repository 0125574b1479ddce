// Snapshots. The mutable state of a session, member by member:
//
//   Board         the following two for each chip                                                 BoardState
//   Machine       now, turn, sequence, at_breakpoint, EngineState of each engine, control stores  MachineState
//                 stop reason and last word of an engine                                          of the last call only
//                 breakpoints, observers                                                          not state
//                 next-event cache                                                                made again
//   Units         queues, memories, rings, queue arrays, hash, CAP, MSF, ports with MAC buffers   UnitsState
//   FrameSource   frames given                                                                    PortState::given
//   FrameSink     frames taken                                                                    CaptureSink::State
//   Control       program, task, accesses under way, timers, next command ControlProcessor::State run loop      last
//   progress, why it stopped                                                   Progress breakpoints   how often each
//   was hit; those that a session does not have are forgotten        hits observers     of checkpoints, what counts: so
//   that figures go back with the machine           counts
//                 histories, packets and checks: they keep what they have seen
#include "weft/workbench/snapshot.h"

#include "session/impl.h"
#include "session/snapshot_data.h"
#include "weft/emulator/unit_inspector.h"

namespace weft::workbench {

emulator::Position Snapshot::position() const { return data_ ? data_->position : emulator::Position{}; }
uint64_t Snapshot::executed(unsigned engine, int context, unsigned chip) const {
  if (!data_ || chip >= data_->board.machines.size() || engine >= data_->board.machines[chip].engines.size()) return 0;
  const emulator::EngineState& state = data_->board.machines[chip].engines[engine];
  return context < 0 ? state.instructions
                     : state.contexts[static_cast<size_t>(context) % emulator::kContexts].executing;
}
uint64_t Snapshot::packets() const { return data_ ? data_->packets : 0; }

const void* Session::Impl::page_of(const Snapshot& at, unsigned chip, emulator::MemorySpace space, unsigned channel,
                                   uint64_t address) {
  return at ? emulator::memory_page(*at.data_->board.units.at(chip), space, channel, address) : nullptr;
}

Snapshot Session::save() const { return impl_->save(false); }

Snapshot Session::Impl::save(bool with_counts) const {
  auto data = std::make_shared<Snapshot::Data>();
  data->fingerprint = fingerprint;
  data->packets = frame_totals().done();
  data->position = board->position();
  data->board = board->save();
  for (const auto& [port, sink] : sinks) data->sinks.push_back(sink->save());
  for (const auto& chip : chips) {
    Snapshot::Data::Control& control = data->control.emplace_back();
    if (chip->control) control = {chip->control->save(), chip->control->commands().size()};
    data->hits.merge(chip->debugger->hits());
    if (!with_counts || !chip->observers.any()) continue;
    chip->machine->tell_counts();
    data->counts.resize(chips.size());
    data->counts[static_cast<size_t>(&chip - chips.data())] = chip->observers.counts();
  }
  data->progress = progress;
  Snapshot out;
  out.data_ = std::move(data);
  return out;
}

Result<bool> Session::restore(const Snapshot& snapshot) { return impl_->restore(snapshot, false); }

Result<bool> Session::Impl::restore(const Snapshot& snapshot, bool again) {
  bool same = snapshot && snapshot.data_->fingerprint == fingerprint && snapshot.data_->sinks.size() == sinks.size() &&
              snapshot.data_->control.size() == chips.size();
  for (size_t c = 0; same && c < chips.size(); ++c) {
    const auto& control = chips[c]->control;
    const Snapshot::Data::Control& saved = snapshot.data_->control[c];
    same =
        saved.state.has_value() == (control != nullptr) && (!control || saved.commands == control->commands().size());
  }
  if (!same)
    return fail("snapshot-other", {}, "the snapshot is of another machine",
                "restore it into a session of the same project, board, seed and commands");
  const Snapshot::Data& data = *snapshot.data_;
  // What observers have seen they do not see again, and they must not miss anything.
  const emulator::Position seen = observers_paused ? high_water : board->position();
  if (observed() && data.position > seen)
    return fail("snapshot-unseen", {}, "the snapshot is of a moment that the observers of this session have not seen",
                "run up to it, or make the session without coverage, history and checks");
  board->restore(data.board);
  for (size_t i = 0; i < sinks.size(); ++i) sinks[i].second->restore(data.sinks[i]);
  for (unsigned c = 0; c < chips.size(); ++c) {
    if (chips[c]->control) chips[c]->control->restore(*data.control[c].state);
    find_images(c);
  }
  board->wake();
  progress = data.progress;
  each_debugger([&](Debugger& d) {
    d.set_hits(data.hits);
    d.look();
  });
  if (!observed()) return true;
  const auto counts = [&](unsigned c) {
    return c < data.counts.size() ? std::string_view(data.counts[c]) : std::string_view();
  };
  if (again) {
    for (unsigned c = 0; c < chips.size(); ++c) chips[c]->observers.go_back(counts(c));
    return true;
  }
  high_water = seen;
  pause_observers(data.position < seen);
  for (unsigned c = 0; observers_paused && c < chips.size(); ++c)
    chips[c]->observers.set_past(*chips[c]->machine, counts(c));
  return true;
}

}  // namespace weft::workbench
