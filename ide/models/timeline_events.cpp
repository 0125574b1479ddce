// Of the index over the history: references of a stretch, labels over what is executed, and the next event of a kind.
#include <fmt/format.h>

#include <algorithm>

#include "timeline_index.h"

namespace weft::ide {

using emulator::Activity;
using emulator::ContextRef;
using emulator::History;
using emulator::kContexts;
using emulator::kNever;
using emulator::Reference;
using emulator::Tick;
using workbench::ContextId;
using workbench::Inspector;

namespace {

constexpr uint32_t kLength = (1u << 29) - 1;
constexpr Tick kUsual = 4096;  // cycles that a reference takes at most; those that take longer are noted one by one
constexpr size_t kMaxLongOnes = 4096;

/// kNever: not finished.
Tick last_of(const Reference& r) {
  if (r.done == kNever) return kNever;
  Tick last = r.accepted;
  for (const Tick t : {r.queued, r.served, r.done, r.signalled})
    if (t != kNever) last = std::max(last, t);
  return last;
}

/// Index of the first reference that was accepted at a tick or later. They stand in this order.
size_t first_from(const History& history, Tick at, uint64_t& touched) {
  size_t low = 0, high = history.reference_count();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    ++touched;
    if (history.reference(middle).accepted < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool works(Activity a) { return a == Activity::executing || a == Activity::aborted || a == Activity::stalled; }

bool begins(TimelineEvent event, Activity before, Activity now) {
  switch (event) {
    case TimelineEvent::stall: return now == Activity::stalled && before != now;
    case TimelineEvent::abort: return now == Activity::aborted && before != now;
    case TimelineEvent::swap: return !works(now) && works(before);
    case TimelineEvent::wake: return works(now) && !works(before);
    default: return false;
  }
}

bool is_of(TimelineEvent event, const Reference& r) {
  const isa::Unit unit = isa::info(r.op).unit;
  switch (event) {
    case TimelineEvent::reference: return true;
    case TimelineEvent::sram: return unit == isa::Unit::sram;
    case TimelineEvent::scratch: return unit == isa::Unit::scratch;
    case TimelineEvent::dram: return unit == isa::Unit::dram;
    case TimelineEvent::msf: return unit == isa::Unit::msf;
    case TimelineEvent::cap: return unit == isa::Unit::cap;
    case TimelineEvent::hash: return unit == isa::Unit::hash;
    default: return false;
  }
}

/// Names by the address from which they hold.
std::vector<std::pair<uint32_t, const std::string*>> names_of(const image::Image& image, TimelineLabels which) {
  std::vector<std::pair<uint32_t, const std::string*>> out;
  const auto marks = [&](image::Mark::Kind kind) {
    for (const image::Mark& mark : image.marks)
      if (mark.kind == kind) out.emplace_back(mark.address, &mark.text);
  };
  if (which == TimelineLabels::stages) {
    marks(image::Mark::Kind::stage);
    if (out.empty()) marks(image::Mark::Kind::block);
  } else {
    for (const image::Label& label : image.labels) out.emplace_back(label.address, &label.name);
  }
  std::ranges::stable_sort(out, {}, [](const auto& name) { return name.first; });
  return out;
}

}  // namespace

// Those that finished late, or not yet, are noted as soon as they are so old that nobody would look for them otherwise.
void TimelineIndex::settle(const History& history, Chip& chip, Tick now) {
  const size_t count = history.reference_count();
  const Tick usual = kUsual * history.machine().timing().period;
  if (count == 0) return;
  const uint64_t first = history.reference(0).sequence;
  if (chip.first_settled < first || chip.first_settled > first + count) {
    if (chip.first_settled > first + count) chip.long_ones.clear();
    chip.first_settled = first;
  }
  for (; chip.first_settled < first + count; ++chip.first_settled) {
    const Reference r = history.reference(chip.first_settled - first);
    if (r.accepted + usual >= now) break;
    const Tick last = last_of(r);
    if ((last == kNever || last > r.accepted + usual) && chip.long_ones.size() < kMaxLongOnes)
      chip.long_ones.push_back(r.sequence);
  }
}

void TimelineIndex::references(const Inspector& machine, unsigned chip_number, TimelineAnswer& answer) {
  const History* history = machine.history(chip_number);
  if (history == nullptr || history->reference_count() == 0) return;
  Chip& chip = chips_[chip_number];
  const Tick period = history->machine().timing().period;
  settle(*history, chip, machine.observed_cycle() * period);
  const Tick begin = answer.question.begin * period, end = answer.question.end * period, usual = kUsual * period;
  const uint64_t first = history->reference(0).sequence;
  std::vector<bool> wanted(size_t{history->engines()} * kContexts);
  for (const TimelineRow& row : answer.question.rows)
    if (row.kind == TimelineRow::Kind::context && row.id.chip == chip_number)
      wanted[row.id.engine * kContexts + row.id.context] = true;
  const auto take = [&](const Reference& r) {
    ++answer.touched;
    if (!wanted[r.from.engine * kContexts + r.from.context] || r.issued >= end || last_of(r) < begin) return;
    answer.references.push_back({{chip_number, r.from.engine, r.from.context}, r});
  };
  const size_t from = first_from(*history, begin > usual ? begin - usual : 0, answer.touched);
  // A stretch that stalls before its acceptance may be accepted after the end.
  const size_t to = first_from(*history, end + usual, answer.touched);
  if (to - from > 4 * kMaxReferences) {
    answer.references_left_out = true;
    return;
  }
  for (const uint64_t sequence : chip.long_ones)
    if (sequence >= first && sequence - first < from) take(history->reference(sequence - first));
  for (size_t i = from; i < to; ++i) take(history->reference(i));
  if (answer.references.size() > kMaxReferences) {
    answer.references.clear();
    answer.references_left_out = true;
  }
}

void TimelineIndex::spans(const Inspector& machine, const TimelineRow& row, uint64_t& budget, TimelineAnswer& answer) {
  const History* history = machine.history(row.id.chip);
  const image::Image* image = machine.program(row.id.chip, row.id.engine);
  if (history == nullptr || image == nullptr) return;
  const auto names = names_of(*image, answer.question.labels);
  if (names.empty()) return;
  const ContextRef who{static_cast<uint8_t>(row.id.engine), static_cast<uint8_t>(row.id.context)};
  const History::Past past = history->past(who);
  TrackIndex::Walk walk(chips_[row.id.chip].tracks[who.engine * kContexts + who.context], past, answer.touched);
  const uint64_t begin = answer.question.begin, end = answer.question.end;
  walk.to(begin);
  TimelineSpan open;
  const std::string* name = nullptr;
  const auto close = [&] {
    if (name != nullptr && open.end - open.begin >= answer.question.least_label) {
      open.id = row.id;
      open.text = *name;
      answer.spans.push_back(open);
    }
    name = nullptr;
  };
  do {
    if (walk.begin() >= end || budget-- == 0) break;
    uint64_t at = std::max(walk.begin(), begin);
    const uint64_t stop = std::min(walk.end(), end);
    if (!works(walk.activity())) {
      close();
    } else if (walk.activity() != Activity::executing) {
      open.end = stop;
    } else {
      uint32_t pc = static_cast<uint32_t>(walk.place() + (at - walk.begin()));
      auto after = std::ranges::upper_bound(names, pc, {}, [](const auto& n) { return n.first; });
      while (at < stop) {
        const std::string* here = after == names.begin() ? nullptr : std::prev(after)->second;
        const uint64_t until = after == names.end() ? stop : std::min(stop, at + (after->first - pc));
        if (here != name) {
          close();
          open.begin = at;
          name = here;
        }
        open.end = until;
        pc += static_cast<uint32_t>(until - at);
        at = until;
        while (after != names.end() && after->first <= pc) ++after;
      }
    }
  } while (walk.next());
  close();
  if (budget == ~uint64_t{0}) budget = 0;
}

std::optional<uint64_t> TimelineIndex::find(const Inspector& machine, ContextId id, TimelineEvent event, uint64_t cycle,
                                            bool forward) {
  const History* history = update(machine, id.chip);
  if (history == nullptr) return std::nullopt;
  const ContextRef who{static_cast<uint8_t>(id.engine), static_cast<uint8_t>(id.context)};
  const uint64_t from = history->from_cycle(), to = machine.observed_cycle();
  cycle = std::clamp(cycle, from, std::max(from, to));
  uint64_t touched = 0;
  if (event >= TimelineEvent::reference) {
    const Tick period = history->machine().timing().period;
    const size_t at = first_from(*history, (forward ? cycle + 1 : cycle) * period, touched);
    if (forward) {
      for (size_t i = at; i < history->reference_count(); ++i)
        if (const Reference r = history->reference(i); r.from == who && is_of(event, r)) return r.accepted / period;
    } else {
      for (size_t i = at; i-- > 0;)
        if (const Reference r = history->reference(i); r.from == who && is_of(event, r)) return r.accepted / period;
    }
    return std::nullopt;
  }
  const History::Past past = history->past(who);
  TrackIndex::Walk walk(chips_[id.chip].tracks[who.engine * kContexts + who.context], past, touched);
  walk.to(cycle);
  if (forward) {
    Activity before = walk.activity();
    while (walk.next()) {
      if (walk.begin() >= to) break;
      if (walk.begin() > cycle && begins(event, before, walk.activity())) return walk.begin();
      before = walk.activity();
    }
    return std::nullopt;
  }
  uint64_t word = walk.word() - past.dropped_words, begin = walk.begin();
  Activity now = walk.activity();
  while (word-- > 0) {
    const Activity before = static_cast<Activity>(past.words[word] >> 29);
    if (begin < cycle && begin >= from && begins(event, before, now)) return begin;
    begin -= past.words[word] & kLength;
    now = before;
  }
  return std::nullopt;
}

std::string timeline_place(const Inspector& machine, ContextId id, uint32_t pc, const FileNames& names) {
  const image::Image* image = machine.program(id.chip, id.engine);
  if (image == nullptr) return fmt::format("0x{:x}", pc);
  std::string out = workbench::label_of(*image, pc);
  if (pc < image->lines.size() && image->lines[pc].place.line != 0) {
    const image::Line& at = image->lines[pc].place;
    if (!out.empty()) out += ", ";
    out += names.place(image->files.at(at.file), at.line).toStdString();
  }
  return out;
}

}  // namespace weft::ide
