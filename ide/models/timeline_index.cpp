#include "timeline_index.h"

#include <algorithm>

namespace weft::ide {

using emulator::Activity;
using emulator::ContextRef;
using emulator::History;
using emulator::kContexts;
using emulator::kNever;
using emulator::Tick;
using workbench::ContextId;
using workbench::Inspector;

namespace {

constexpr uint32_t kLength = (1u << 29) - 1;

Activity activity_of(uint32_t word) { return static_cast<Activity>(word >> 29); }
uint64_t& of(ActivityCycles& cycles, Activity activity) { return cycles[static_cast<size_t>(activity)]; }

ContextRef ref(ContextId id) { return {static_cast<uint8_t>(id.engine), static_cast<uint8_t>(id.context)}; }

}  // namespace

// The last word may still grow, so it is read when there is one after it.
void TrackIndex::update(const Past& past) {
  const uint64_t all = past.dropped_words + past.words.size();
  if (notes_.empty() || all < read_ || past.dropped_words > read_) {
    notes_.clear();
    next_ = {past.dropped_words, past.begin, past.dropped_places, {}};
    read_ = past.dropped_words;
    notes_.push_back(next_);
  }
  for (; read_ + 1 < all; ++read_) {
    if (read_ - notes_.back().word == kStride) notes_.push_back(next_);
    const uint32_t word = past.words[read_ - past.dropped_words];
    next_.begin += word & kLength;
    if (activity_of(word) == Activity::executing) ++next_.place;
    of(next_.sums, activity_of(word)) += word & kLength;
    next_.word = read_ + 1;
  }
  // Notes of words that are gone go; the one that is partly gone begins later, counted back from the next one.
  while (notes_.size() > 1 && notes_[1].word <= past.dropped_words) notes_.pop_front();
  Note& front = notes_.front();
  if (front.word < past.dropped_words) {
    const Note& after = notes_.size() > 1 ? notes_[1] : next_;
    front = {past.dropped_words, past.begin, past.dropped_places, after.sums};
    for (uint64_t w = front.word; w < after.word; ++w) {
      const uint32_t word = past.words[w - past.dropped_words];
      of(front.sums, activity_of(word)) -= word & kLength;
    }
  }
}

TrackIndex::Walk::Walk(const TrackIndex& index, const Past& past, uint64_t& touched)
    : index_(index), past_(past), touched_(touched) {
  jump(0);
}

void TrackIndex::Walk::jump(size_t note) {
  const Note& n = index_.notes_[note];
  note_ = note;
  word_ = n.word;
  begin_ = n.begin;
  place_ = n.place;
  sums_ = n.sums;
}

Activity TrackIndex::Walk::activity() const { return last() ? past_.now : activity_of(stored()); }
uint64_t TrackIndex::Walk::end() const { return last() ? kNever : begin_ + (stored() & kLength); }
uint16_t TrackIndex::Walk::place() const { return last() ? past_.place : past_.places[place_ - past_.dropped_places]; }

bool TrackIndex::Walk::next() {
  if (last()) return false;
  ++touched_;
  const uint32_t word = stored();
  of(sums_, activity_of(word)) += word & kLength;
  begin_ += word & kLength;
  if (activity_of(word) == Activity::executing) ++place_;
  ++word_;
  if (note_ + 1 < index_.notes_.size() && index_.notes_[note_ + 1].word <= word_) ++note_;
  return true;
}

void TrackIndex::Walk::to(uint64_t cycle) {
  const std::deque<Note>& notes = index_.notes_;
  if (note_ + 1 < notes.size() && notes[note_ + 1].begin <= cycle) {
    // Twice as far each time, then the half: what is near is found at once.
    size_t step = 1;
    while (note_ + step < notes.size() && notes[note_ + step].begin <= cycle) {
      step *= 2;
      ++touched_;
    }
    size_t low = note_ + step / 2, high = std::min(note_ + step, notes.size());
    while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      (notes[middle].begin <= cycle ? low : high) = middle;
      ++touched_;
    }
    jump(low);
  }
  while (end() <= cycle && next()) {
  }
}

ActivityCycles TrackIndex::Walk::sums(uint64_t cycle) const {
  ActivityCycles out = sums_;
  if (cycle > begin_) of(out, activity()) += cycle - begin_;
  return out;
}

std::string to_text(TimelineEvent event) {
  switch (event) {
    case TimelineEvent::stall: return "stall";
    case TimelineEvent::abort: return "abort";
    case TimelineEvent::swap: return "swap";
    case TimelineEvent::wake: return "wake";
    case TimelineEvent::reference: return "reference";
    case TimelineEvent::sram: return "sram";
    case TimelineEvent::scratch: return "scratch";
    case TimelineEvent::dram: return "dram";
    case TimelineEvent::msf: return "msf";
    case TimelineEvent::cap: return "cap";
    case TimelineEvent::hash: return "hash";
  }
  return {};
}

const History* TimelineIndex::update(const Inspector& machine, unsigned chip) {
  const History* history = machine.history(chip);
  if (history == nullptr) return nullptr;
  if (chips_.size() <= chip) chips_.resize(chip + 1);
  Chip& c = chips_[chip];
  c.tracks.resize(size_t{history->engines()} * kContexts);
  for (unsigned e = 0; e < history->engines(); ++e)
    for (unsigned n = 0; n < kContexts; ++n)
      c.tracks[e * kContexts + n].update(history->past({static_cast<uint8_t>(e), static_cast<uint8_t>(n)}));
  return history;
}

std::vector<ActivityCycles> TimelineIndex::cells(const History& history, const Chip& chip, ContextRef who,
                                                 TimelineAnswer& answer) const {
  std::vector<ActivityCycles> out(answer.question.cells);
  const History::Past past = history.past(who);
  TrackIndex::Walk walk(chip.tracks[who.engine * kContexts + who.context], past, answer.touched);
  walk.to(answer.question.begin);
  ActivityCycles before = walk.sums(answer.question.begin);
  for (unsigned cell = 0; cell < answer.question.cells; ++cell) {
    const uint64_t end = answer.cell_begin(cell + 1);
    walk.to(end);
    const ActivityCycles after = walk.sums(end);
    for (size_t a = 0; a < kActivities; ++a) out[cell][a] = after[a] - before[a];
    before = after;
  }
  return out;
}

TimelineAnswer TimelineIndex::answer(const Inspector& machine, TimelineQuestion question) {
  TimelineAnswer out;
  out.ticks_per_cycle = machine.ticks_per_cycle();
  out.ticks_per_second = machine.ticks_per_second();
  const History* first = update(machine, 0);
  if (first == nullptr) return out;
  out.recorded = true;
  out.from = first->from_cycle();
  out.to = std::max(machine.observed_cycle(), out.from);
  std::vector<bool> updated{true};
  for (const TimelineRow& row : question.rows) {
    if (row.id.chip >= updated.size()) updated.resize(row.id.chip + 1);
    if (updated[row.id.chip]) continue;
    updated[row.id.chip] = true;
    const History* history = update(machine, row.id.chip);
    if (history != nullptr) out.from = std::max(out.from, history->from_cycle());
  }
  question.begin = std::clamp(question.begin, out.from, out.to);
  question.end = std::clamp(question.end, question.begin, out.to);
  question.cells = static_cast<unsigned>(std::min<uint64_t>(question.cells, question.end - question.begin));
  out.question = std::move(question);
  const workbench::MachineView view = machine.machine();

  const auto add = [](std::vector<ActivityCycles>& to, const std::vector<ActivityCycles>& some) {
    for (size_t i = 0; i < to.size(); ++i)
      for (size_t a = 0; a < kActivities; ++a) to[i][a] += some[i][a];
  };
  // What an engine does is what its contexts do with it; the rest of its cycles nobody uses.
  std::vector<std::pair<ContextId, std::vector<ActivityCycles>>> known;
  const auto of_context = [&](const ContextId& id) -> const std::vector<ActivityCycles>& {
    for (const auto& k : known)
      if (k.first == id) return k.second;
    known.emplace_back(id, cells(*machine.history(id.chip), chips_[id.chip], ref(id), out));
    return known.back().second;
  };
  const auto of_engine = [&](unsigned chip, unsigned engine) {
    std::vector<ActivityCycles> sum(out.question.cells);
    for (const workbench::ContextView& c : view.contexts)
      if (c.id.chip == chip && c.id.engine == engine) add(sum, of_context(c.id));
    for (unsigned cell = 0; cell < out.question.cells; ++cell) {
      ActivityCycles& a = sum[cell];
      const uint64_t used = of(a, Activity::executing) + of(a, Activity::aborted) + of(a, Activity::stalled);
      of(a, Activity::ready) = of(a, Activity::inactive) = 0;
      of(a, Activity::sleep) = out.cell_begin(cell + 1) - out.cell_begin(cell) - used;
    }
    return sum;
  };
  for (const TimelineRow& row : out.question.rows) {
    if (!shows_activity(row)) {
      out.rows.emplace_back();
      continue;
    }
    std::vector<ActivityCycles> sum(out.question.cells);
    if (machine.history(row.id.chip) == nullptr) {
    } else if (row.kind == TimelineRow::Kind::context) {
      sum = of_context(row.id);
    } else if (row.kind == TimelineRow::Kind::engine) {
      sum = of_engine(row.id.chip, row.id.engine);
    } else {
      for (const workbench::EngineView& e : view.engines)
        if (e.chip == row.id.chip) add(sum, of_engine(e.chip, e.engine));
    }
    out.rows.push_back(std::move(sum));
  }
  for (unsigned chip = 0; out.question.references && chip < updated.size(); ++chip)
    if (updated[chip]) references(machine, chip, out);
  uint64_t budget = kMaxLabelWords;
  if (out.question.labels != TimelineLabels::none)
    for (const TimelineRow& row : out.question.rows)
      if (row.kind == TimelineRow::Kind::context) spans(machine, row, budget, out);
  if (out.question.lanes)
    out.lanes = lanes_.answer(machine, out.question.begin, out.question.end, out.question.cells, out.question.rows,
                              out.question.packet);
  return out;
}

TimelineMoment TimelineIndex::moment(const Inspector& machine, ContextId id, uint64_t cycle) {
  TimelineMoment out;
  const History* history = update(machine, id.chip);
  if (history == nullptr || cycle < history->from_cycle() || cycle >= machine.observed_cycle()) return out;
  const History::Past past = history->past(ref(id));
  uint64_t touched = 0;
  TrackIndex::Walk walk(chips_[id.chip].tracks[id.engine * kContexts + id.context], past, touched);
  walk.to(cycle);
  out.known = true;
  out.segment = {walk.activity(), std::max(walk.begin(), history->from_cycle()),
                 std::min(walk.end(), machine.observed_cycle())};
  if (walk.activity() != Activity::executing) return out;
  out.pc = static_cast<uint16_t>(walk.place() + (cycle - walk.begin()));
  if (const image::Image* image = machine.program(id.chip, id.engine)) {
    out.label = workbench::label_of(*image, *out.pc);
    if (*out.pc < image->lines.size() && image->lines[*out.pc].place.line != 0) {
      out.file = image->files.at(image->lines[*out.pc].place.file);
      out.line = image->lines[*out.pc].place.line;
    }
  }
  return out;
}

}  // namespace weft::ide
