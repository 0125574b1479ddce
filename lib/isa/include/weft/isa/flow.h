// Where a program goes from each of its words, and how many cycles that takes: one graph for decoded words and for
// programs whose labels have no address yet. Nothing here knows a chip: the cycles that a branch loses are a parameter.
//
// A branch takes effect after its deferred slots, so the edge to the target leaves the last slot, not the branch.
// A branch or swap in a slot that takes effect comes instead of the one before it.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "weft/isa/effects.h"

namespace weft::isa {

/// Cycles that a taken branch or a change of contexts loses beyond its own; each filled deferred slot takes one off.
/// The figures are those of a chip file (abort_branch, abort_branch_cc, abort_branch_test, abort_swap).
struct LostCycles {
  unsigned branch = 0, branch_cc = 0, branch_test = 0, swap = 0;
  unsigned of(CycleClass cycles) const;
};
/// Without a chip file: as many as the most deferred slots of the class, which is how the shipped chip files choose
/// them.
LostCycles default_lost(Profile profile);

/// Cycles lost after an instruction, its filled slots taken off.
struct Cost {
  unsigned taken = 0;      ///< a branch that is taken, or a swap
  unsigned not_taken = 0;  ///< only with guess_branch (docs/timing.md, E16)
};
Cost cost_of(const Instruction& insn, const LostCycles& lost);

/// How an instruction passes control on.
struct Transfer {
  bool jumps = false;         ///< something other than the next word may follow
  bool falls_through = true;  ///< the next word may follow
  bool swaps = false;         ///< the context gives up the engine here
  bool anywhere = false;      ///< where it jumps to is not known
  unsigned defer = 0;         ///< deferred slots that execute first
};
Transfer transfer_of(const Instruction& insn);

class Flow {
 public:
  struct Step {
    Transfer transfer;
    Cost cost;
    bool no_instruction = false;
    std::vector<uint32_t> targets;  ///< where it may jump to; addresses beyond the program run off it
  };
  /// `entries`: words where control comes in from outside. `labelled`: words that may be entered other than from the
  /// word before them, so that deferred slots among them are also plain words.
  Flow(std::vector<Step> steps, const std::vector<uint32_t>& entries, const std::vector<bool>& labelled);
  /// Of words; nothing stands for a word that is not an instruction.
  Flow(std::span<const std::optional<Instruction>> words, const LostCycles& lost,
       const std::vector<uint32_t>& entries = {0});

  uint32_t size() const { return static_cast<uint32_t>(steps_.size()); }
  std::span<const uint32_t> next(uint32_t index) const { return slice(next_, begin_next_, index); }
  std::span<const uint32_t> previous(uint32_t index) const { return slice(previous_, begin_previous_, index); }
  const Transfer& transfer(uint32_t index) const { return steps_[index].transfer; }
  /// The word may be followed by the end of the control store.
  bool runs_off(uint32_t index) const { return runs_off_[index]; }
  /// The word may be followed by one that nobody knows.
  bool goes_anywhere(uint32_t index) const { return anywhere_[index]; }
  /// Reached from an entry.
  bool reached(uint32_t index) const { return reached_[index]; }
  /// Index of the branch or swap whose deferred slots cover this word, or -1.
  int32_t shadow_of(uint32_t index) const { return shadow_of_[index]; }
  /// The last deferred slot of a word, itself when it has none.
  uint32_t last_slot(uint32_t index) const { return std::min(index + steps_[index].transfer.defer, size() - 1); }
  /// The branch or swap that takes effect after this word, itself when it has no slots; -1 = none.
  int32_t decides_behind(uint32_t index) const;
  /// The context stops after this word: ctx_arb[kill], halt.
  bool stops(uint32_t index) const;
  /// The context gives up the engine after this word.
  bool leaves(uint32_t index) const;
  /// Cycles from the issue of `from` to that of its successor `to`.
  unsigned cycles(uint32_t from, uint32_t to) const;

  /// Calls `visit(n, cycles)`, in the order of time, for every word that may issue at most `limit` cycles after `i`
  /// before the context leaves the engine, or, with `through_swaps`, comes back at once; visit says whether the walk
  /// goes on after it.
  template <class Visit>
  void within_cycles(uint32_t i, unsigned limit, Visit visit, bool through_swaps = false) const {
    std::vector<std::vector<uint32_t>> at(limit + 1);  // by cycle
    std::set<uint32_t> known;
    const auto go_on = [&](uint32_t n, unsigned now) {
      for (uint32_t to : next(n))
        if (const unsigned there = now + cycles(n, to); there <= limit) at[there].push_back(to);
    };
    go_on(i, 0);
    for (unsigned now = 1; now <= limit; ++now)
      for (size_t k = 0; k < at[now].size(); ++k) {
        const uint32_t n = at[now][k];
        if (known.insert(n).second && visit(n, now) && (through_swaps || !leaves(n))) go_on(n, now);
      }
  }

  enum class Walk : uint8_t {
    on,
    past,  ///< not on after this word
    end,   ///< no further at all
  };
  /// What else a walk came to.
  struct Seen {
    bool unknown = false;      ///< words that nobody knows, or the end of the program
    bool by_register = false;  ///< a jump to a place that is not in the word
    bool stop = false;         ///< a place where the context stops
    bool ended = false;        ///< by Walk::end
  };
  /// Calls `visit` for every word that may execute after `from`, once each; `from` itself too when it may come again.
  template <class Visit>
  Seen walk_behind(uint32_t from, Visit visit) const {
    return walk({}, from, visit);
  }
  /// The same from these words on, themselves included.
  template <class Visit>
  Seen walk(const std::vector<uint32_t>& from, Visit visit) const {
    return walk(from, size(), visit);
  }

 private:
  template <class Visit>
  Seen walk(const std::vector<uint32_t>& at_words, uint32_t behind, Visit visit) const {
    Seen seen;
    std::vector<bool> known(size());
    std::vector<uint32_t> work;
    const auto go_to = [&](uint32_t to) {
      if (to >= size()) {
        seen.unknown = true;
      } else if (!known[to]) {
        known[to] = true;
        work.push_back(to);
      }
    };
    const auto leave = [&](uint32_t at) {
      const int32_t by = decides_behind(at);
      seen.by_register |= goes_anywhere(at) && by >= 0 && !steps_[static_cast<uint32_t>(by)].no_instruction;
      seen.unknown |= goes_anywhere(at) || runs_off(at);
      seen.stop |= stops(at);
      for (uint32_t to : next(at)) go_to(to);
    };
    for (uint32_t at : at_words) go_to(at);
    if (behind < size()) leave(behind);
    while (!work.empty()) {
      const uint32_t at = work.back();
      work.pop_back();
      const Walk way = visit(at);
      if (way == Walk::end) return seen.ended = true, seen;
      if (way == Walk::on) leave(at);
    }
    return seen;
  }
  static std::span<const uint32_t> slice(const std::vector<uint32_t>& all, const std::vector<uint32_t>& begin,
                                         uint32_t index) {
    return {all.data() + begin[index], all.data() + begin[index + 1]};
  }
  void build(const std::vector<uint32_t>& entries, const std::vector<bool>& labelled);

  std::vector<Step> steps_;
  std::vector<uint32_t> next_, previous_, begin_next_, begin_previous_;
  std::vector<bool> runs_off_, anywhere_, reached_;
  std::vector<int32_t> shadow_of_;
};

}  // namespace weft::isa
