#include "weft/workbench/history_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "inspect/history_walk.h"

namespace weft::workbench {

using emulator::Activity;
using emulator::ContextRef;
using emulator::History;
using emulator::kContexts;
using emulator::kNever;
using emulator::Reference;
using emulator::Tick;
using What = HistoryQuery::What;

namespace {

constexpr Tick kSettled = 4096;  // cycles after which a command has ended, nearly always

/// "dir/forward.uc" is meant by "forward.uc".
bool is_file(const std::string& path, const std::string& name) {
  return path == name ||
         (path.size() > name.size() && path.ends_with(name) && path[path.size() - name.size() - 1] == '/');
}

uint32_t short_length(uint64_t cycles) { return static_cast<uint32_t>(std::min<uint64_t>(cycles, UINT32_MAX)); }

}  // namespace

bool HistorySearch::is_asked(const Inspector& machine, unsigned chip, unsigned engine, unsigned context) const {
  if (query_.engine && *query_.engine != engine) return false;
  if (query_.context && *query_.context != context) return false;
  return query_.chip.empty() || machine.machine().chips.at(chip) == query_.chip;
}

// Words of the programs that a label or a line stands for, as ranges by address.
void HistorySearch::find_ranges(const Inspector& machine) {
  const size_t chips = machine.machine().chips.size();
  bool any = false;
  ranges_.assign(chips, {});
  for (unsigned chip = 0; chip < chips; ++chip) {
    const History* history = machine.history(chip);
    if (history == nullptr) continue;
    ranges_[chip].resize(history->engines());
    for (unsigned engine = 0; engine < history->engines(); ++engine) {
      const image::Image* image = machine.program(chip, engine);
      if (image == nullptr) continue;
      std::vector<uint32_t> words;
      if (query_.what == What::label) {
        for (const image::Label& label : image->labels)
          if (label.name == query_.name || written_label(label.name) == query_.name) words.push_back(label.address);
      } else {
        for (uint32_t pc = 0; pc < image->lines.size(); ++pc) {
          const image::LineRow& row = image->lines[pc];
          const auto here = [&](const image::Line& at) {
            return at.line == query_.number && at.file < image->files.size() &&
                   is_file(image->files[at.file], query_.name);
          };
          if (here(row.place) || std::ranges::any_of(row.macros, [&](const auto& m) { return here(m.second); }))
            words.push_back(pc);
        }
      }
      std::ranges::sort(words);
      for (const uint32_t word : words) {
        any = true;
        auto& ranges = ranges_[chip][engine];
        if (query_.what == What::line && !ranges.empty() && ranges.back().end == word)
          ++ranges.back().end;
        else if (ranges.empty() || ranges.back().end <= word)
          ranges.push_back({word, word + 1});
      }
    }
  }
  if (!any)
    problem_ = query_.what == What::label ? fmt::format("no program has the label '{}'", query_.name)
                                          : fmt::format("no program has words of {}:{}", query_.name, query_.number);
}

void HistorySearch::add(const HistoryHit& hit) {
  ++count_;
  while (hit.begin / bucket_ >= kBuckets) {
    for (size_t i = 0; i < density_.size(); i += 2)
      density_[i / 2] = density_[i] + (i + 1 < density_.size() ? density_[i + 1] : 0);
    density_.resize((density_.size() + 1) / 2);
    bucket_ *= 2;
  }
  if (density_.size() <= hit.begin / bucket_) density_.resize(hit.begin / bucket_ + 1);
  ++density_[hit.begin / bucket_];
  if (hits_.size() < kMax) hits_.push_back(hit);
}

/// Those of the words from `pc` on, one a cycle, that are asked for.
void HistorySearch::add_words(uint32_t pc, uint64_t begin, uint64_t length, const std::vector<Range>& ranges,
                              HistoryHit who, HistorySearch& out) {
  auto range = std::ranges::upper_bound(ranges, pc, {}, [](const Range& r) { return r.end; });
  for (; range != ranges.end() && range->begin < pc + length; ++range) {
    const uint64_t from = std::max(range->begin, pc), to = std::min<uint64_t>(range->end, pc + length);
    who.begin = begin + (from - pc);
    who.length = static_cast<uint32_t>(to - from);
    out.add(who);
  }
}

// Only words that are complete: the last one may still grow.
bool HistorySearch::look_at_words(const Inspector& machine, unsigned number, uint64_t& budget) {
  const History& history = *machine.history(number);
  Chip& chip = chips_[number];
  const bool activity = query_.what == What::activity;
  for (unsigned engine = 0; engine < history.engines(); ++engine) {
    if (!activity && ranges_[number][engine].empty()) continue;
    for (unsigned context = 0; context < kContexts; ++context) {
      if (!is_asked(machine, number, engine, context)) continue;
      const auto past = history.past({static_cast<uint8_t>(engine), static_cast<uint8_t>(context)});
      Cursor& at = chip.cursors[engine * kContexts + context];
      if (at.word < past.dropped_words || at.word == 0) at = {past.dropped_words, past.begin, past.dropped_places, 0};
      HistoryHit hit{0, 0, static_cast<uint8_t>(number), static_cast<uint8_t>(engine), static_cast<uint8_t>(context)};
      const uint64_t end = past.dropped_words + past.words.size();
      for (; at.word + 1 < end; ++at.word) {
        if (budget == 0) return false;
        --budget;
        const uint32_t word = past.words[at.word - past.dropped_words];
        const Activity is = activity_of(word);
        const uint64_t length = length_of(word);
        if (activity && is == query_.activity) {
          // Executing words follow each other without a pause where a branch costs nothing.
          const bool goes_on = activity_of(past.words[at.word + 1 - past.dropped_words]) == is;
          at.run += static_cast<uint32_t>(length);
          if (!goes_on) {
            if (at.run >= query_.min && at.run <= query_.max) {
              hit.begin = at.begin + length - at.run;
              hit.length = at.run;
              add(hit);
            }
            at.run = 0;
          }
        } else if (!activity && is == Activity::executing) {
          add_words(past.places[at.place - past.dropped_places], at.begin, length, ranges_[number][engine], hit, *this);
        }
        at.begin += length;
        if (is == Activity::executing) ++at.place;
      }
    }
  }
  return true;
}

bool HistorySearch::passes(const Reference& r, Tick period, HistoryHit& hit, uint64_t now) const {
  const Inlet inlet = inlet_of(r);
  if (query_.unit && inlet.unit != *query_.unit) return false;
  if (query_.channel && inlet.channel != *query_.channel) return false;
  uint64_t begin = r.issued / period, end = r.done == kNever ? now : (r.done + period - 1) / period;
  if (r.signalled != kNever) end = std::max(end, (r.signalled + period - 1) / period);
  if (query_.what == What::queued) {
    begin = (r.queued == kNever ? r.accepted : r.queued) / period;
    end = r.served == kNever ? now : r.served / period;
  }
  const uint64_t length = end > begin ? end - begin : 0;
  if (length < query_.min || length > query_.max) return false;
  hit.begin = begin;
  hit.length = short_length(std::max<uint64_t>(length, 1));
  hit.engine = r.from.engine;
  hit.context = r.from.context;
  return true;
}

bool HistorySearch::look_at_references(const Inspector& machine, unsigned number, uint64_t& budget) {
  const History& history = *machine.history(number);
  Chip& chip = chips_[number];
  const size_t count = history.reference_count();
  if (count == 0) return true;
  const Tick period = history.machine().timing().period;
  const uint64_t first = history.reference(0).sequence, now = machine.observed_cycle();
  if (chip.next_reference < first || chip.next_reference > first + count) chip.next_reference = first;
  for (; chip.next_reference < first + count; ++chip.next_reference) {
    if (budget == 0) return false;
    --budget;
    const Reference r = history.reference(chip.next_reference - first);
    if (r.accepted / period + kSettled >= now) break;  // it may not have ended: hits() looks at these
    HistoryHit hit;
    hit.chip = static_cast<uint8_t>(number);
    if (is_asked(machine, number, r.from.engine, r.from.context) && passes(r, period, hit, now)) add(hit);
  }
  return true;
}

void HistorySearch::look_at_packet(const Inspector& machine) {
  hits_.clear();
  density_.clear();
  count_ = 0;
  bucket_ = 1;
  bool known = false;
  for (unsigned chip = 0; chip < machine.machine().chips.size(); ++chip) {
    const emulator::PacketTracker* tracker = machine.packets(chip);
    if (tracker == nullptr) continue;
    const auto take = [&](const emulator::PacketRecord& r) {
      if (r.number != query_.number) return;
      known = true;
      for (const emulator::PacketStep& s : r.steps)
        if (is_asked(machine, chip, s.engine, s.context))
          add({s.from, short_length(std::max<uint64_t>(s.to > s.from ? s.to - s.from : 0, 1)),
               static_cast<uint8_t>(chip), s.engine, s.context});
    };
    for (const emulator::PacketRecord& r : tracker->records()) take(r);
    for (const emulator::PacketRecord* r : tracker->under_way()) take(*r);
  }
  problem_ = known ? std::string() : fmt::format("packet {} is not recorded", query_.number);
}

bool HistorySearch::look(const Inspector& machine, uint64_t budget) {
  const size_t chips = machine.machine().chips.size();
  if (query_.what == What::packet) {
    look_at_packet(machine);
    share_ = 1;
    return true;
  }
  if (!prepared_) {
    prepared_ = true;
    chips_.resize(chips);
    for (unsigned c = 0; c < chips; ++c)
      if (const History* history = machine.history(c)) chips_[c].cursors.resize(size_t{history->engines()} * kContexts);
    if (query_.what == What::label || query_.what == What::line) find_ranges(machine);
  }
  bool all = true;
  const bool references = query_.what == What::reference || query_.what == What::queued;
  for (unsigned c = 0; c < chips && all && problem_.empty(); ++c) {
    if (machine.history(c) == nullptr) continue;
    all = references ? look_at_references(machine, c, budget) : look_at_words(machine, c, budget);
  }
  uint64_t seen = 0, there = 0;
  for (unsigned c = 0; c < chips; ++c) {
    const History* history = machine.history(c);
    if (history == nullptr) continue;
    if (references) {
      const uint64_t first = history->reference_count() == 0 ? 0 : history->reference(0).sequence;
      there += history->reference_count();
      seen += chips_[c].next_reference - std::min(chips_[c].next_reference, first);
      continue;
    }
    for (unsigned t = 0; t < chips_[c].cursors.size(); ++t) {
      const auto past = history->past({static_cast<uint8_t>(t / kContexts), static_cast<uint8_t>(t % kContexts)});
      there += past.words.size();
      seen += chips_[c].cursors[t].word - std::min(chips_[c].cursors[t].word, past.dropped_words);
    }
  }
  share_ = all || there == 0 ? 1 : static_cast<double>(seen) / static_cast<double>(there);
  return all;
}

// The last word and the present stretch, which are one when they are of one activity.
void HistorySearch::add_present_stretches(const Inspector& machine, unsigned chip, HistorySearch& out) const {
  const History& history = *machine.history(chip);
  const uint64_t now = machine.observed_cycle();
  for (unsigned t = 0; t < chips_[chip].cursors.size(); ++t) {
    const ContextRef who{static_cast<uint8_t>(t / kContexts), static_cast<uint8_t>(t % kContexts)};
    if (!is_asked(machine, chip, who.engine, who.context)) continue;
    const auto past = history.past(who);
    const Cursor& at = chips_[chip].cursors[t];
    const bool fresh = at.word < past.dropped_words || at.word == 0;
    uint64_t cycle = fresh ? past.begin : at.begin, begin = fresh ? past.begin : at.begin - at.run;
    bool open = !fresh && at.run > 0;
    const auto close = [&](uint64_t end) {
      if (std::exchange(open, false) && end > begin && end - begin >= query_.min && end - begin <= query_.max)
        out.add({begin, short_length(end - begin), static_cast<uint8_t>(chip), who.engine, who.context});
    };
    for (uint64_t w = fresh ? 0 : at.word - past.dropped_words; w < past.words.size(); ++w) {
      const bool is = activity_of(past.words[w]) == query_.activity;
      if (is && !std::exchange(open, true)) begin = cycle;
      if (!is) close(cycle);
      cycle += length_of(past.words[w]);
    }
    if (past.now != query_.activity) {
      close(cycle);
    } else {
      if (!std::exchange(open, true)) begin = cycle;
      close(now);
    }
  }
}

void HistorySearch::add_present_references(const Inspector& machine, unsigned chip, HistorySearch& out) const {
  const History& history = *machine.history(chip);
  const size_t count = history.reference_count();
  if (count == 0) return;
  const Tick period = history.machine().timing().period;
  const uint64_t first = history.reference(0).sequence, now = machine.observed_cycle();
  for (uint64_t s = std::max(chips_[chip].next_reference, first); s < first + count; ++s) {
    const Reference r = history.reference(s - first);
    HistoryHit hit;
    hit.chip = static_cast<uint8_t>(chip);
    if (is_asked(machine, chip, r.from.engine, r.from.context) && passes(r, period, hit, now)) out.add(hit);
  }
}

void HistorySearch::add_present_words(const Inspector& machine, unsigned chip, HistorySearch& out) const {
  const History& history = *machine.history(chip);
  const uint64_t now = machine.observed_cycle();
  for (unsigned t = 0; t < chips_[chip].cursors.size(); ++t) {
    const ContextRef who{static_cast<uint8_t>(t / kContexts), static_cast<uint8_t>(t % kContexts)};
    if (ranges_[chip][who.engine].empty() || !is_asked(machine, chip, who.engine, who.context)) continue;
    const auto past = history.past(who);
    const Cursor& at = chips_[chip].cursors[t];
    const bool fresh = at.word < past.dropped_words || at.word == 0;
    uint64_t cycle = fresh ? past.begin : at.begin;
    size_t place = fresh ? 0 : at.place - past.dropped_places;
    const auto take = [&](uint32_t pc, uint64_t begin, uint64_t length) {
      add_words(pc, begin, length, ranges_[chip][who.engine],
                {0, 0, static_cast<uint8_t>(chip), who.engine, who.context}, out);
    };
    for (uint64_t w = fresh ? 0 : at.word - past.dropped_words; w < past.words.size(); ++w) {
      if (activity_of(past.words[w]) == Activity::executing)
        take(past.places[place++], cycle, length_of(past.words[w]));
      cycle += length_of(past.words[w]);
    }
    if (past.now == Activity::executing && now > past.since) take(past.place, past.since, now - past.since);
  }
}

HistoryHits HistorySearch::hits(const Inspector& machine) const {
  HistorySearch whole = *this;
  for (unsigned c = 0; c < chips_.size() && problem_.empty(); ++c) {
    if (machine.history(c) == nullptr) continue;
    if (query_.what == What::activity)
      add_present_stretches(machine, c, whole);
    else if (query_.what == What::reference || query_.what == What::queued)
      add_present_references(machine, c, whole);
    else
      add_present_words(machine, c, whole);
  }
  std::ranges::stable_sort(whole.hits_, {}, [](const HistoryHit& h) { return std::pair(h.begin, h.id()); });
  return {std::move(whole.hits_), whole.count_, whole.bucket_, std::move(whole.density_), problem_};
}

}  // namespace weft::workbench
