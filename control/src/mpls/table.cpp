#include "mpls/table.h"

#include <algorithm>

#include "mpls/layout.h"

namespace weft::control::mpls {

namespace {

uint32_t redirect_to(uint32_t number) { return kRedirect << kOperationShift | number; }

}  // namespace

uint64_t table_bytes(uint32_t labels, bool split) {
  const uint64_t entries = uint64_t{labels} + kSpareEntries;
  return entries * kEntryBytes + (split ? uint64_t{labels} * kSplitEntryBytes : 0);
}

LabelTable::LabelTable(uint32_t labels, bool split, uint32_t base)
    : labels_(labels),
      base_(base),
      spare_(base + labels * (split ? kSplitEntryBytes : kEntryBytes)),
      split_(split),
      entries_(std::make_shared<std::vector<EntryWords>>(labels)) {
  const uint32_t count = split ? labels + kSpareEntries : kSpareEntries;
  for (uint32_t i = count; i > 0; --i) free_.push_back(i - 1);
}

uint32_t LabelTable::home(uint32_t label) const { return base_ + label * (split_ ? kSplitEntryBytes : kEntryBytes); }
uint32_t LabelTable::place(uint32_t number) const { return spare_ + number * kEntryBytes; }

EntryWords& LabelTable::own(uint32_t label) {
  if (entries_.use_count() > 1) entries_ = std::make_shared<std::vector<EntryWords>>(*entries_);
  return (*entries_)[label];
}

/// To a spare entry; one longword leads there.
bool LabelTable::move(uint32_t label, const EntryWords& words, TableChange& change) {
  if (free_.empty()) return false;
  const uint32_t number = free_.back();
  free_.pop_back();
  if (const auto before = moved_.find(label); before != moved_.end())
    retired_.push_back({before->second.spare, generation_});
  moved_[label] = {number, generation_};
  change.prepare.push_back({place(number), {words.begin(), words.end()}});
  change.publish.push_back({home(label), redirect_to(number)});
  return true;
}

bool LabelTable::set_split(uint32_t label, const EntryWords& words, TableChange* change) {
  if (free_.empty()) return false;
  const uint32_t number = free_.back();
  free_.pop_back();
  const auto [at, fresh] = places_.try_emplace(label, number);
  if (!fresh) retired_.push_back({std::exchange(at->second, number), generation_});
  if (change) {
    change->prepare.push_back({place(number), {words.begin(), words.end()}});
    change->publish.push_back({home(label), place(number)});
  }
  return true;
}

bool LabelTable::set(uint32_t label, const EntryWords& words, TableChange* change) {
  const EntryWords before = at(label);
  if (before == words) return true;
  if (split_) {
    if (!set_split(label, words, change)) return false;
  } else if (change) {
    const bool pushes = uses_pushes(words);
    const bool rest_same = !pushes || (uses_pushes(before) && before[2] == words[2] && before[3] == words[3]);
    const bool rest_free = rest_same || (!uses_pushes(before) && !resting_.contains(label));
    if (moved_.contains(label)) {
      if (!move(label, words, *change)) return false;
    } else if (before[0] == 0 && (!pushes || !resting_.contains(label))) {
      change->prepare.push_back({home(label) + 4, {words.begin() + 1, words.begin() + (pushes ? 4 : 2)}});
      change->publish.push_back({home(label), words[0]});
    } else if (before[0] != 0 && before[1] == words[1] && rest_free) {
      if (!rest_same) change->prepare.push_back({home(label) + 8, {words[2], words[3]}});
      change->publish.push_back({home(label), words[0]});
      if (uses_pushes(before)) resting_[label] = generation_;
    } else if (before[0] == words[0] && rest_same) {
      change->publish.push_back({home(label) + 4, words[1]});
    } else if (!move(label, words, *change)) {
      return false;
    } else if (uses_pushes(before)) {
      resting_[label] = generation_;
    }
  }
  if (before[0] == 0) ++used_;
  own(label) = words;
  return true;
}

void LabelTable::erase(uint32_t label, TableChange& change) {
  const EntryWords before = at(label);
  if (before[0] == 0) return;
  change.publish.push_back({home(label), 0});
  if (split_) {
    const auto found = places_.find(label);
    retired_.push_back({found->second, generation_});
    places_.erase(found);
  } else {
    if (uses_pushes(before)) resting_[label] = generation_;
    if (const auto found = moved_.find(label); found != moved_.end()) {
      retired_.push_back({found->second.spare, generation_});
      moved_.erase(found);
    }
  }
  own(label) = {};
  --used_;
}

void LabelTable::set_hop(uint32_t label, uint32_t hop, TableChange& change) {
  EntryWords& entry = own(label);
  entry[1] = hop | (entry[1] & ~kHopMask);
  const auto found = moved_.find(label);
  const uint32_t where = split_                  ? place(places_.at(label))
                         : found != moved_.end() ? place(found->second.spare)
                                                 : home(label);
  change.publish.push_back({where + 4, entry[1]});
}

void LabelTable::age(TableChange& change) {
  ++generation_;
  std::erase_if(resting_, [&](const auto& r) { return old(r.second); });
  const auto rest =
      std::find_if_not(retired_.begin(), retired_.end(), [&](const Retired& r) { return old(r.generation); });
  std::for_each(retired_.begin(), rest, [&](const Retired& r) { free_.push_back(r.place); });
  retired_.erase(retired_.begin(), rest);
  for (auto m = moved_.begin(); m != moved_.end();) {
    if (!old(m->second.generation)) {
      ++m;
      continue;
    }
    const EntryWords& words = (*entries_)[m->first];
    change.prepare.push_back({home(m->first) + 4, {words.begin() + 1, words.end()}});
    change.publish.push_back({home(m->first), words[0]});
    retired_.push_back({m->second.spare, generation_});
    m = moved_.erase(m);
  }
}

std::vector<image::MemoryWrite> LabelTable::image() const {
  std::vector<image::MemoryWrite> out;
  const auto add = [&](uint32_t address, const auto& words) {
    const bool joins = !out.empty() && out.back().region == region_of(address) &&
                       out.back().address + out.back().values.size() * 4 == byte_of(address);
    if (!joins) out.push_back({region_of(address), byte_of(address), {}});
    out.back().values.insert(out.back().values.end(), words.begin(), words.end());
  };
  for (uint32_t label = 0; label < labels_; ++label) {
    const EntryWords& words = (*entries_)[label];
    if (words[0] == 0) continue;
    if (split_)
      add(home(label), std::array{place(places_.at(label))});
    else
      add(home(label), words);
  }
  for (const auto& [label, number] : places_) add(place(number), (*entries_)[label]);
  return out;
}

}  // namespace weft::control::mpls
