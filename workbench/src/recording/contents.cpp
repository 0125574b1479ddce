#include "recording/contents.h"

#include <algorithm>
#include <array>
#include <future>

#include "session/impl.h"
#include "session/snapshot_data.h"
#include "weft/base/binary.h"
#include "weft/base/valid.h"
#include "weft/emulator/stored.h"

namespace weft::workbench {
namespace {

constexpr size_t kMaxCheckpoints = 64;  // as Session::record() makes

using Works = std::vector<std::optional<ControlProcessor::Work>>;  // by chip

/// What stands after the state of the board.
struct Rest {
  emulator::Position position;
  uint64_t packets = 0;
  std::vector<CaptureSink::State> sinks;
  Works works;
  std::vector<uint64_t> commands;  ///< by chip
  uint64_t last_done = 0, last_move = 0;
  bool ended = false;
  std::string last_stop;
  Stop::Kind last_kind = Stop::Kind::cycles;
  bool over = false;
  std::map<unsigned, uint64_t> hits;
  std::vector<std::string> counts;  ///< by chip
  WEFT_FIELDS(Rest, position, packets, sinks, works, commands, last_done, last_move, ended, last_stop, last_kind, over,
              hits, counts)
};

/// What may stand there when a file brings it: rules for all_valid(). Those of the control processor's work are its own
/// (ControlProcessor::fits), those of the board the emulator's.
struct RestValidation {
  bool valid(Stop::Kind v) const { return v <= Stop::Kind::begin; }
  bool valid(control::Event::Kind v) const { return v <= control::Event::Kind::timer; }
  bool valid(const control::Event&) const { return true; }
  bool valid(emulator::MemorySpace v) const { return v <= emulator::MemorySpace::dram; }
  bool valid(ControlProcessor::Phase v) const { return v <= ControlProcessor::Phase::writing; }
  bool valid(const ControlProcessor::Work&) const { return true; }
  bool valid(const ControlProcessor::Part& v) const {
    return v.request.count <= emulator::CoreRequest::kLongwords && (!v.request.ring || v.request.address < 16);
  }
  bool valid(const emulator::CoreRequest&) const { return true; }
  bool valid(const emulator::Position&) const { return true; }
  bool valid(const CaptureSink::State& v) const { return v.is_whole(); }
  bool valid(const CaptureSink::Sent&) const { return true; }
  bool valid(const Rest&) const { return true; }
};

/// Where the board stands by what its machines say.
bool is_of(const emulator::Position& position, const emulator::BoardState& board) {
  uint64_t turn = 0;
  for (const emulator::MachineState& machine : board.machines) turn += machine.position.turn;
  return position.now == board.machines.front().position.now && position.turn == turn;
}

}  // namespace

const Project& SessionContents::project(const Session& session) { return session.impl_->project; }
const std::vector<std::string>& SessionContents::files(const Session& session) { return session.impl_->built.files; }
const std::vector<SourceFilePtr>& SessionContents::commands(const Session& session) { return session.impl_->commands; }
const Observation& SessionContents::observation(const Session& session) { return session.impl_->observation; }

uint64_t SessionContents::layout() {
  return stored::mix(emulator::stored_layout(), stored::layouts<Rest, std::vector<control::Event>>(11));
}

uint64_t SessionContents::fingerprint(const Session& session) {
  const Session::Impl& self = *session.impl_;
  Hash h;
  h.add(self.fingerprint);
  const auto numbers = [&](const std::vector<emulator::SourcedNumber>& list) {
    for (const emulator::SourcedNumber& n : list) h.add(std::string_view(n.path)), h.add(std::string_view(n.value));
  };
  numbers(self.built.board.numbers);
  for (const emulator::ChipOnBoard& chip : self.built.board.chips) numbers(chip.chip.numbers);
  return h.value();
}

std::set<std::string> SessionContents::reasons(const Session& session, bool to_core) {
  using Kind = control::CounterSetup::Kind;
  std::set<std::string> names;
  for (const auto& [chip, counter] : session.impl_->built.counters)
    if (counter.kind == (to_core ? Kind::to_core : Kind::dropped)) names.insert(counter.reason);
  return names;
}

std::string SessionContents::obstacle(const Session& session) {
  const Session::Impl& self = *session.impl_;
  if (self.recording.checkpoints.empty() || self.recording.checkpoints.begin()->first != emulator::Position{})
    return "recording did not begin before the first cycle";
  for (const auto& chip : self.chips)
    if (chip->control && chip->control->program() != nullptr && chip->control->events() == nullptr)
      return "the control program has worked before the recording began";
  if (!self.recording.edits.empty()) return "the user has changed values on the way, which no replay would do";
  return {};
}

SessionParts SessionContents::put(Session& session, uint64_t max_bytes) {
  Session::Impl& self = *session.impl_;
  self.read_checkpoints();
  const auto put_one = [&](ByteWriter& out, const Snapshot& snapshot) {
    const Snapshot::Data& data = *snapshot.data_;
    Rest rest{data.position,
              data.packets,
              data.sinks,
              {},
              {},
              data.progress.last_done,
              data.progress.last_move,
              data.progress.ended,
              data.progress.last_stop,
              data.progress.last_kind,
              data.progress.over,
              data.hits,
              data.counts};
    for (const Snapshot::Data::Control& control : data.control) {
      rest.works.push_back(control.state ? std::optional(control.state->work) : std::nullopt);
      rest.commands.push_back(control.commands);
    }
    emulator::put_state(out, data.board);
    weft::put(out, rest);
  };
  std::vector<Snapshot> snapshots;
  for (const auto& [position, snapshot] : self.recording.checkpoints)
    if (position < self.board->position()) snapshots.push_back(snapshot);
  snapshots.push_back(session.save());
  SessionParts parts;
  while (true) {
    ByteWriter states;
    weft::put(states, self.recording.interval);
    stored::put_size(states, snapshots.size());
    for (const Snapshot& snapshot : snapshots) put_one(states, snapshot);
    parts.states = states.take();
    if (parts.states.size() <= max_bytes || snapshots.size() <= 2) break;
    // The first and the last one stay.
    std::vector<Snapshot> fewer;
    for (size_t i = 0; i + 1 < snapshots.size(); i += 2) fewer.push_back(snapshots[i]);
    fewer.push_back(snapshots.back());
    snapshots = std::move(fewer);
  }
  parts.checkpoints = snapshots.size() - 1;
  ByteWriter events, observers;
  for (unsigned c = 0; c < self.chips.size(); ++c) {
    Session::Impl::Chip& chip = *self.chips[c];
    std::vector<control::Event> told;
    if (const auto& control = snapshots.back().data_->control[c].state; control && chip.control->events() != nullptr) {
      told = *chip.control->events();
      told.resize(std::min<size_t>(told.size(), control->work.told));
    }
    weft::put(events, told);
    chip.machine->tell_counts();
    chip.observers.each([&](const auto& observer) { put_observer(observers, observer); });
  }
  parts.events = events.take();
  parts.observers = observers.take();
  return parts;
}

/// Checkpoints and the end, in order.
struct SessionContents::States {
  emulator::Tick interval = 0;
  std::vector<std::shared_ptr<Snapshot::Data>> list;
  std::vector<Works> works;
};

std::optional<SessionContents::States> SessionContents::read_states(std::string bytes, const Session& session,
                                                                    bool keep) {
  const Session::Impl& self = *session.impl_;
  States out;
  ByteReader in(std::move(bytes));
  const emulator::BoardState built = emulator::Board(self.built.board).save();
  weft::get(in, out.interval);
  for (size_t left = stored::get_size(in); left > 0 && in.good(); --left) {
    auto data = std::make_shared<Snapshot::Data>();
    Rest rest;
    if (!emulator::get_state(in, data->board)) return std::nullopt;
    weft::get(in, rest);
    if (!in.good() || !emulator::fits(data->board, self.built.board, built) || !is_of(rest.position, data->board) ||
        !all_valid(RestValidation(), rest) || (!out.list.empty() && rest.position <= out.list.back()->position))
      return std::nullopt;
    if (rest.sinks.size() != self.sinks.size() || rest.works.size() != self.chips.size() ||
        rest.commands.size() != self.chips.size())
      return std::nullopt;
    data->fingerprint = self.fingerprint;
    data->packets = rest.packets;
    data->position = rest.position;
    data->sinks = std::move(rest.sinks);
    data->progress = {rest.last_done, rest.last_move, rest.ended, rest.last_stop, rest.last_kind, rest.over};
    data->hits = std::move(rest.hits);
    for (const uint64_t commands : rest.commands) data->control.push_back({std::nullopt, commands});
    const bool middle = !out.list.empty() && left > 1;
    if (keep || !middle)
      data->counts = std::move(rest.counts);
    else
      data->board = {};
    out.works.push_back(std::move(rest.works));
    out.list.push_back(std::move(data));
  }
  if (!in.good() || out.list.empty() || out.list.front()->position != emulator::Position{} || out.interval == 0)
    return std::nullopt;
  return out;
}

bool SessionContents::get(Session& session, SessionParts parts) {
  class Given final : public PartSource {
   public:
    explicit Given(SessionParts parts) : parts_(std::move(parts)) {}
    std::optional<std::string> next() override {
      return std::move(*std::array{&parts_.states, &parts_.events, &parts_.observers}.at(next_++));
    }

   private:
    SessionParts parts_;
    size_t next_ = 0;
  } given(std::move(parts));
  return get(session, given);
}

bool SessionContents::get(Session& session, PartSource& parts) {
  Session::Impl& self = *session.impl_;
  const auto again = parts.states_again();
  auto bytes = parts.next();
  if (!bytes) return false;
  // While states are made, the source reads on. (Without a thread to be had, they are made when they are asked for.)
  auto reading = std::async(std::launch::async | std::launch::deferred,
                            [&session, keep = !again, text = std::move(*bytes)]() mutable {
                              return read_states(std::move(text), session, keep);
                            });
  auto told_bytes = parts.next();
  auto seen_bytes = told_bytes ? parts.next() : std::nullopt;
  auto states = reading.get();
  if (!states || !seen_bytes) return false;
  const auto& list = states->list;

  ByteReader events(std::move(*told_bytes)), observers(std::move(*seen_bytes));
  for (unsigned c = 0; c < self.chips.size(); ++c) {
    Session::Impl::Chip& chip = *self.chips[c];
    std::vector<control::Event> told;
    weft::get(events, told);
    if (!events.good() || !all_valid(RestValidation(), told)) return false;
    if (chip.control) {
      std::vector<ControlProcessor::Moment> moments;
      for (size_t i = 0; i < list.size(); ++i) {
        if (!states->works[i][c]) return false;
        moments.push_back({std::move(*states->works[i][c]), list[i]->position.now});
      }
      auto then = chip.control->states_of(std::move(moments), std::move(told));
      if (!then) return false;
      for (size_t i = 0; i < list.size(); ++i) list[i]->control[c].state = std::move((*then)[i]);
    }
    bool good = true;
    chip.observers.each([&](auto& observer) { good = good && get_observer(observers, observer); });
    if (!good) return false;
  }

  self.recording.interval = states->interval;
  self.recording.checkpoints.clear();
  for (const auto& data : list) {
    Snapshot snapshot;
    snapshot.data_ = data;
    self.recording.checkpoints.emplace(data->position, snapshot);
  }
  self.recording.max = std::max(kMaxCheckpoints, list.size() + 1);
  if (again)
    self.recording.rest = [&session, again, list] {
      auto text = again();
      auto whole = text ? read_states(std::move(*text), session, true) : std::nullopt;
      if (!whole || whole->list.size() != list.size()) return false;
      for (size_t i = 1; i + 1 < list.size(); ++i) {
        if (whole->list[i]->position != list[i]->position) return false;
        list[i]->board = std::move(whole->list[i]->board);
        list[i]->counts = std::move(whole->list[i]->counts);
      }
      return true;
    };
  // As if the session had run up to there.
  const auto& last = *self.recording.checkpoints.rbegin();
  self.high_water = self.recording.high_water = last.first;
  self.observers_paused = true;
  if (!session.restore(last.second)) return false;
  self.pause_observers(false);
  return true;
}

void SessionContents::rename_places(Session& session, const std::map<std::string, std::string>& names) {
  for (const auto& chip : session.impl_->chips)
    chip->observers.each([&]<class T>(T& observer) {
      if constexpr (std::is_same_v<T, emulator::PacketTracker>) emulator::rename_places(observer, names);
    });
}

}  // namespace weft::workbench
