// Snapshots. The mutable state of a session, member by member:
//
//   Machine       now, turn, sequence, at_breakpoint, EngineState of each engine, control stores  MachineState
//                 stop reason and last word of an engine                                          of the last call only
//                 breakpoints, observers                                                          not state
//                 next-event cache                                                                made again
//   Units         queues, memories, rings, queue arrays, hash, CAP, MSF, ports with MAC buffers   UnitsState
//   FrameSource   frames given                                                                    PortState::given
//   FrameSink     frames taken                                                                    CaptureSink::State
//   Control       program, task, accesses under way, timers, next command                         ControlProcessor::State
//   run loop      last progress, why it stopped                                                   Progress
//   breakpoints   how often each was hit; those that a session does not have are forgotten        hits
#include "weft/workbench/snapshot.h"

#include "session_impl.h"

namespace weft::workbench {

struct Snapshot::Data {
  uint64_t fingerprint = 0;
  uint64_t packets = 0;
  emulator::MachineState machine;
  std::shared_ptr<const emulator::UnitsState> units;
  std::vector<CaptureSink::State> sinks;
  std::optional<ControlProcessor::State> control;
  size_t commands = 0;  ///< that the session had; they are the user's, but must be the same ones
  Session::Impl::Progress progress;
  std::map<unsigned, uint64_t> hits;  ///< of breakpoints
};

emulator::Position Snapshot::position() const { return data_ ? data_->machine.position : emulator::Position{}; }
uint64_t Snapshot::executed(unsigned engine, int context) const {
  if (!data_ || engine >= data_->machine.engines.size()) return 0;
  const emulator::EngineState& state = data_->machine.engines[engine];
  return context < 0 ? state.instructions : state.contexts[static_cast<size_t>(context) % emulator::kContexts].executing;
}
uint64_t Snapshot::packets() const { return data_ ? data_->packets : 0; }

Snapshot Session::save() const {
  auto data = std::make_shared<Snapshot::Data>();
  data->fingerprint = impl_->fingerprint;
  data->packets = impl_->moved().done();
  data->machine = impl_->machine->save();
  data->units = impl_->units->save();
  for (const auto& [port, sink] : impl_->sinks) data->sinks.push_back(sink->save());
  if (impl_->control) {
    data->control = impl_->control->save();
    data->commands = impl_->control->commands().size();
  }
  data->progress = impl_->progress;
  data->hits = impl_->debugger->hits();
  Snapshot out;
  out.data_ = std::move(data);
  return out;
}

Result<bool> Session::restore(const Snapshot& snapshot) {
  if (!snapshot || snapshot.data_->fingerprint != impl_->fingerprint || snapshot.data_->sinks.size() != impl_->sinks.size() ||
      snapshot.data_->control.has_value() != (impl_->control != nullptr) ||
      (impl_->control && snapshot.data_->commands != impl_->control->commands().size()))
    return fail("snapshot-other", {}, "the snapshot is of another machine",
                "restore it into a session of the same project, board, seed and commands");
  const Snapshot::Data& data = *snapshot.data_;
  Impl& self = *impl_;
  // What observers have seen they do not see again, and they must not miss anything.
  const emulator::Position seen = self.muted ? self.furthest : self.machine->position();
  if (self.observers.any() && data.machine.position > seen)
    return fail("snapshot-unseen", {}, "the snapshot is of a moment that the observers of this session have not seen",
                "run up to it, or make the session without coverage, history and checks");
  self.machine->restore(data.machine);
  self.units->restore(*data.units);
  for (size_t i = 0; i < self.sinks.size(); ++i) self.sinks[i].second->restore(data.sinks[i]);
  if (self.control) self.control->restore(*data.control);
  self.find_images();
  self.machine->wake();
  self.progress = data.progress;
  self.debugger->set_hits(data.hits);
  self.debugger->look();
  if (self.observers.any()) {
    self.furthest = seen;
    self.muted = data.machine.position < seen;
    self.observers.set_muted(*self.machine, self.muted);
  }
  return true;
}

}  // namespace weft::workbench
