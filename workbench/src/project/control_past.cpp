// The control processor's past as files hold it: what its program was told. Its states follow from that, and nothing is
// believed that this program cannot have been told.
#include <algorithm>

#include "project/control_processor.h"

namespace weft::workbench {

ControlProcessor::Task ControlProcessor::Task::of(const control::Reaction& reaction) {
  using Kind = control::Access::Kind;
  Task out;
  out.open = !reaction.accesses.empty() || reaction.load_stores != 0;
  for (const control::Access& access : reaction.accesses) {
    if (access.kind == Kind::ring_count)
      ++out.results;
    else if (access.kind == Kind::read || access.kind == Kind::ring_get)
      out.results += access.count;
  }
  return out;
}

/// Results belong to a task, and there are as many as it asked for; everything else comes when there is no task.
bool ControlProcessor::may_be_told(const control::Event& event, const Task& task) const {
  if (event.kind == control::Event::Kind::results) return task.open && event.results.size() == task.results;
  if (task.open || !event.results.empty()) return false;
  return event.kind != control::Event::Kind::command ||
         std::ranges::any_of(commands_, [&](const ControlCommand& command) {
           return command.what == ControlCommand::What::program && command.line == event.command;
         });
}

bool ControlProcessor::fits(const Moment& moment, const Task& task) const {
  const Work& w = moment.work;
  const bool of_stores = w.phase == Phase::yielding || w.phase == Phase::writing;
  if (w.due < moment.at || w.next_command > commands_.size() || w.issued > w.parts.size() ||
      w.open_reads + uint64_t{w.open_writes} > w.parts.size() || w.next_id < w.first_id ||
      w.next_id - w.first_id < w.parts.size())
    return false;
  if (w.from_program != task.open || (w.from_program && w.phase == Phase::idle)) return false;
  if (w.from_program && w.results.size() != task.results) return false;
  for (const Part& part : w.parts)
    if (part.result != kNoResult &&
        uint64_t{part.result} + std::max<unsigned>(1, part.request.count) > w.results.size())
      return false;
  if (!of_stores && w.wanted == 0) return true;
  // Control stores are those of the command that was begun last.
  if (w.begun >= commands_.size()) return false;
  const size_t stores = commands_[w.begun].stores.size();
  if (!of_stores) return true;
  return w.enables.size() == stores && w.store <= stores && (w.phase != Phase::writing || w.store < stores);
}

std::optional<std::vector<ControlProcessor::State>> ControlProcessor::states_of(std::vector<Moment> moments,
                                                                                std::vector<control::Event> events) {
  std::vector<State> out;
  size_t told = 0;
  Task task;
  for (Moment& moment : moments) {
    if (moment.work.told > events.size() || moment.work.told < told) return std::nullopt;
    for (; program_ && told < moment.work.told; ++told) {
      if (!may_be_told(events[told], task)) return std::nullopt;
      task = Task::of(program_->on(events[told]));
    }
    if (!fits(moment, task)) return std::nullopt;
    out.push_back({program_ ? program_->clone() : nullptr, std::move(moment.work)});
  }
  events_ = std::move(events);
  keeps_events_ = true;
  return out;
}

}  // namespace weft::workbench
