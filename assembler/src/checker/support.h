// What the checks between instructions share: the program, its flow, and walks over it.
#pragma once

#include <algorithm>
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
  bool swaps(uint32_t i) const { return flow_.transfer(i).swaps; }
  bool is_command(uint32_t i) const { return isa::is_command(at(i)); }

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

  /// Calls `visit(n, cycles)` for every instruction that may issue at most `limit` cycles after `i` before the context
  /// leaves the engine; visit says whether the walk goes on after it.
  template <class Visit>
  void within_cycles(uint32_t i, unsigned limit, Visit visit) const {
    flow_.within_cycles(i, limit, [&](uint32_t n, unsigned cycles) { return !raw_[n] && visit(n, cycles); });
  }
  isa::Hazards hazards(uint32_t i) const { return isa::hazards(program_.profile, at(i)); }
  bool uses(uint32_t i, isa::State what) const {
    return (isa::states_used(program_.profile, at(i)) & isa::states(what)) != 0;
  }
  bool has(uint32_t n, std::initializer_list<isa::OperandKind> kinds) const {
    return std::any_of(kinds.begin(), kinds.end(), [&](isa::OperandKind kind) {
      const isa::Instruction& insn = at(n);
      return insn.dest.kind == kind || insn.left.kind == kind || insn.right.kind == kind || insn.xfer.kind == kind;
    });
  }
  const isa::Effects& effects(uint32_t i) const { return isa::effects(at(i).id); }

  const Program& program_;
  const Flow& flow_;
  const Sources& sources_;
  Diagnostics& out_;
  std::vector<bool> raw_;  ///< words given by .word
};

}  // namespace weft::assembler
