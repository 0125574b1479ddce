// What the checks between instructions share: the program, its flow, and walks over it.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "flow/flow.h"
#include "resolver/ir.h"

namespace weft::assembler {

class CheckBase {
 public:
  CheckBase(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out)
      : program_(program), flow_(flow), sources_(sources), out_(out), raw_(program.insns.size(), false) {
    for (const auto& [index, word] : program_.raw_words) {
      if (index < size()) raw_[index] = true;
    }
  }

 protected:
  uint32_t size() const { return static_cast<uint32_t>(program_.insns.size()); }
  const isa::Instruction& at(uint32_t i) const { return program_.insns[i].insn; }
  const isa::InsnInfo& info(uint32_t i) const { return isa::info(at(i).id); }
  bool swaps(uint32_t i) const { return transfer_of(program_.insns[i]).swaps; }
  bool is_command(uint32_t i) const { return info(i).group == isa::Group::command; }

  void warning(std::string code, const Origin& origin, std::string text, std::string remedy = {}) {
    out_.add(sources_.diagnostic(Severity::warning, std::move(code), origin, std::move(text), std::move(remedy)));
  }
  void warning(std::string code, uint32_t i, std::string text, std::string remedy = {}) {
    warning(std::move(code), program_.insns[i].origin, std::move(text), std::move(remedy));
  }

  /// Every instruction that may execute right before `i` satisfies the test, and there is one.
  template <class Test>
  bool always_after(uint32_t i, Test test) const {
    const auto before = flow_.previous(i);
    return !before.empty() && i != 0 &&
           std::all_of(before.begin(), before.end(), [&](uint32_t p) { return raw_[p] || test(p); });
  }

  /// Cycles from the issue of `from` to that of its successor `to`: one, and what a taken branch aborts.
  unsigned cycles_between(uint32_t from, uint32_t to) const {
    if (to == from + 1) return 1;
    const int32_t shadow = flow_.shadow_of(from);
    const uint32_t branch = shadow >= 0 ? static_cast<uint32_t>(shadow) : from;
    const isa::CycleClass cls = info(branch).cycles;
    const unsigned aborts = cls == isa::CycleClass::branch_cc || cls == isa::CycleClass::branch_test ? 3 : 2;
    const unsigned filled = at(branch)[isa::Role::defer];
    return 1 + (aborts > filled ? aborts - filled : 0);
  }

  /// Calls `visit(n, cycles)` for every instruction that may issue at most `limit` cycles behind `i` before the context
  /// swaps again; visit says whether the walk goes on behind it.
  template <class Visit>
  void soon_after(uint32_t i, unsigned limit, Visit visit) const {
    std::map<uint32_t, unsigned> best;
    std::vector<std::pair<uint32_t, unsigned>> work{{i, 0}};
    while (!work.empty()) {
      const auto [n, cycles] = work.back();
      work.pop_back();
      for (uint32_t to : flow_.next(n)) {
        const unsigned there = cycles + cycles_between(n, to);
        if (there > limit) continue;
        const auto [known, added] = best.emplace(to, there);
        if (!added && known->second <= there) continue;
        known->second = there;
        if (raw_[to] || !visit(to, there) || swaps(to)) continue;
        work.emplace_back(to, there);
      }
    }
  }

  const Program& program_;
  const Flow& flow_;
  const Sources& sources_;
  Diagnostics& out_;
  std::vector<bool> raw_;  ///< words given by .word
};

}  // namespace weft::assembler
