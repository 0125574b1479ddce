#include "weft/isa/flow.h"

namespace weft::isa {

unsigned LostCycles::of(CycleClass cycles) const {
  switch (cycles) {
    case CycleClass::single: return 0;
    case CycleClass::branch: return branch;
    case CycleClass::branch_cc: return branch_cc;
    case CycleClass::branch_test: return branch_test;
    case CycleClass::swap:
    case CycleClass::command: return swap;
  }
  return 0;
}

LostCycles default_lost(Profile profile) {
  LostCycles lost;
  for (const InsnInfo& info : all_instructions()) {
    if (!enabled(profile, info.id)) continue;
    unsigned* max = info.cycles == CycleClass::branch        ? &lost.branch
                    : info.cycles == CycleClass::branch_cc   ? &lost.branch_cc
                    : info.cycles == CycleClass::branch_test ? &lost.branch_test
                    : info.cycles == CycleClass::swap        ? &lost.swap
                                                             : nullptr;
    if (max) *max = std::max(*max, max_deferred(profile, info));
  }
  return lost;
}

Cost cost_of(const Instruction& insn, const LostCycles& lost) {
  const unsigned slots = insn[Role::defer];
  const auto not_filled = [&](unsigned cycles) { return cycles > slots ? cycles - slots : 0; };
  if (!is_branch(insn) && !swaps(insn)) return {};
  const unsigned aborted = lost.of(info(insn.id).cycles);
  if (insn[Role::guess] == 0) return {not_filled(aborted), 0};
  return {not_filled(std::min(aborted, lost.branch)), not_filled(aborted)};
}

Transfer transfer_of(const Instruction& insn) {
  Transfer t;
  t.defer = insn[Role::defer];
  t.swaps = swaps(insn);
  t.falls_through = continues(insn);
  t.jumps = is_branch(insn) || (info(insn.id).cycles == CycleClass::swap && insn[Role::has_target] != 0);
  t.anywhere = goes_by_register(insn.id);
  return t;
}

Flow::Flow(std::vector<Step> steps, const std::vector<uint32_t>& entries, const std::vector<bool>& labelled)
    : steps_(std::move(steps)) {
  build(entries, labelled);
}

Flow::Flow(std::span<const std::optional<Instruction>> words, const LostCycles& lost,
           const std::vector<uint32_t>& entries)
    : steps_(words.size()) {
  std::vector<bool> labelled(words.size());
  bool anywhere = false;
  const auto enter = [&](uint32_t word) {
    if (word < labelled.size()) labelled[word] = true;
  };
  for (uint32_t entry : entries) enter(entry);
  for (size_t i = 0; i < words.size(); ++i) {
    if (!words[i]) {
      steps_[i].transfer = {true, false, false, true, 0};
      steps_[i].no_instruction = true;
      continue;
    }
    Step& step = steps_[i];
    step.transfer = transfer_of(*words[i]);
    step.cost = cost_of(*words[i], lost);
    anywhere |= step.transfer.anywhere;
    if (!step.transfer.jumps || step.transfer.anywhere) continue;
    step.targets.push_back((*words[i])[Role::target]);
    enter(step.targets.back());
  }
  if (anywhere) labelled.assign(words.size(), true);
  build(entries, labelled);
}

void Flow::build(const std::vector<uint32_t>& entries, const std::vector<bool>& labelled) {
  const uint32_t count = size();
  runs_off_.assign(count, false);
  anywhere_.assign(count, false);
  reached_.assign(count, false);
  shadow_of_.assign(count, -1);
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  edges.reserve(size_t{count} * 2);
  const auto edge = [&](uint32_t from, uint32_t to) {
    if (to < count)
      edges.emplace_back(from, to);
    else
      runs_off_[from] = true;
  };
  std::vector<bool> cut(count, false);  // the next word does not follow, because a branch takes effect there
  for (uint32_t i = 0; i < count; ++i) {
    const Transfer& t = steps_[i].transfer;
    const uint32_t last = last_slot(i);
    bool slots_entered = false, replaced = false;
    for (uint32_t s = i + 1; s <= last; ++s) {
      shadow_of_[s] = static_cast<int32_t>(i);
      slots_entered = slots_entered || labelled[s];
      replaced = replaced || steps_[s].transfer.jumps || steps_[s].transfer.swaps;  // what a slot decides comes instead
    }
    if (!t.falls_through && !slots_entered && !replaced) cut[last] = true;
    if (t.anywhere) anywhere_[last] = true;
    for (uint32_t target : steps_[i].targets) edge(last, target);
  }
  for (uint32_t i = 0; i < count; ++i)
    if (!cut[i]) edge(i, i + 1);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());

  begin_next_.assign(count + 1, 0);
  begin_previous_.assign(count + 1, 0);
  for (const auto& [from, to] : edges) {
    ++begin_next_[from + 1];
    ++begin_previous_[to + 1];
  }
  for (uint32_t i = 0; i < count; ++i) {
    begin_next_[i + 1] += begin_next_[i];
    begin_previous_[i + 1] += begin_previous_[i];
  }
  next_.resize(edges.size());
  previous_.resize(edges.size());
  std::vector<uint32_t> at_next(begin_next_), at_previous(begin_previous_);
  for (const auto& [from, to] : edges) {
    next_[at_next[from]++] = to;
    previous_[at_previous[to]++] = from;
  }

  std::vector<uint32_t> work;
  const auto reach = [&](uint32_t index) {
    if (index >= count || reached_[index]) return;
    reached_[index] = true;
    work.push_back(index);
  };
  for (uint32_t entry : entries) reach(entry);
  while (!work.empty()) {
    const uint32_t index = work.back();
    work.pop_back();
    for (uint32_t to : next(index)) reach(to);
  }
}

int32_t Flow::decides_behind(uint32_t index) const {
  const int32_t shadow = shadow_of_[index];
  if (shadow >= 0) return last_slot(static_cast<uint32_t>(shadow)) == index ? shadow : -1;
  const Transfer& t = steps_[index].transfer;
  return t.defer == 0 && (t.jumps || t.swaps || !t.falls_through) ? static_cast<int32_t>(index) : -1;
}

bool Flow::stops(uint32_t index) const {
  const int32_t by = decides_behind(index);
  return by >= 0 && !transfer(static_cast<uint32_t>(by)).jumps && !transfer(static_cast<uint32_t>(by)).falls_through;
}

bool Flow::leaves(uint32_t index) const {
  const int32_t by = decides_behind(index);
  return by >= 0 && transfer(static_cast<uint32_t>(by)).swaps;
}

unsigned Flow::cycles(uint32_t from, uint32_t to) const {
  const int32_t by = decides_behind(from);
  if (by < 0) return 1;
  const Step& step = steps_[static_cast<uint32_t>(by)];
  // An unconditional branch may lead to the next word, too.
  const bool jumps = std::find(step.targets.begin(), step.targets.end(), to) != step.targets.end();
  const bool goes_on = to == from + 1 && (step.transfer.falls_through || !jumps);
  return 1 + (goes_on ? step.cost.not_taken : step.cost.taken);
}

}  // namespace weft::isa
