// Code that nothing reaches, names that nothing uses, return registers that hold no address.
#include <fmt/format.h>

#include "checker/checker.h"
#include "checker/support.h"
#include "flow/accesses.h"

namespace weft::assembler {
namespace {

using isa::Role;

bool mentions(const LateExpr& expr, LateExpr::Op op, std::vector<bool>& used) {
  bool found = false;
  if (expr.op == op && expr.symbol >= 0 && static_cast<size_t>(expr.symbol) < used.size()) {
    used[static_cast<size_t>(expr.symbol)] = true;
    found = true;
  }
  for (const LateExpr& arg : expr.args) found = mentions(arg, op, used) || found;
  return found;
}

class NameChecks : CheckBase {
 public:
  NameChecks(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out)
      : CheckBase(program, flow, sources, out),
        labels_(program.labels.size(), false),
        label_value_(program.insns.size(), false) {}

  void run() {
    for (uint32_t i = 0; i < size(); ++i) {
      const IrInsn& insn = program_.insns[i];
      const auto use = [&](LabelId label) {
        if (label >= 0) labels_[static_cast<size_t>(label)] = true;
      };
      use(insn.target);
      for (LabelId label : insn.jump_targets) use(label);
      if (insn.late_value) label_value_[i] = mentions(insn.late_value->second, LateExpr::Op::label_address, labels_);
      for (const auto& late : insn.late) {
        if (late) label_value_[i] = mentions(*late, LateExpr::Op::label_address, labels_) || label_value_[i];
      }
    }
    for (const Subroutine& s : program_.subroutines) {
      if (s.entry >= 0) labels_[static_cast<size_t>(s.entry)] = true;
    }
    unreachable();
    return_registers();
    unused_labels();
    unused_registers();
    unused_signals();
  }

 private:
  void unreachable() {
    for (uint32_t i = 0; i < size(); ++i) {
      if (flow_.reached(i) || raw_[i]) continue;
      if (i > 0 && !flow_.reached(i - 1) && !starts_label(i)) continue;  // said already
      warning("asm-unreachable", i, "nothing leads to this instruction",
              "remove it, or mark an entry from outside with .reentry");
    }
  }
  bool starts_label(uint32_t i) const {
    return std::any_of(program_.labels.begin(), program_.labels.end(), [&](const Label& l) { return l.index == i; });
  }

  void return_registers() {
    for (uint32_t i = 0; i < size(); ++i) {
      if (raw_[i] || effects(i).goes != isa::BranchTo::address || !flow_.reached(i)) continue;
      const IrInsn& insn = program_.insns[i];
      const VregId v = insn.vreg[static_cast<size_t>(Role::left)];
      if (v < 0) continue;
      bool loaded = false;
      for (uint32_t k = 0; k < size() && !loaded; ++k) {
        loaded = program_.insns[k].vreg[static_cast<size_t>(Role::dest)] == v && (label_value_[k] || copies(k));
      }
      const Vreg& vreg = program_.vregs[static_cast<size_t>(v)];
      if (loaded || vreg.initial || vreg.is_volatile || is_xfer(vreg.cls)) continue;
      warning("asm-rtn-register", i,
              fmt::format("no load_addr puts an address into '{}', where this rtn goes", vreg.name),
              fmt::format("before the branch to the subroutine: load_addr[{}, return_label#]", vreg.name));
    }
  }
  /// A value that may be an address, taken from somewhere else.
  bool copies(uint32_t k) const {
    const isa::Instruction& insn = at(k);
    if (!effects(k).has(Role::op) || insn[Role::op] != static_cast<uint32_t>(isa::AluOp::b)) return false;
    return insn.right.kind != isa::OperandKind::constant;
  }

  void unused_labels() {
    for (size_t k = 0; k < program_.labels.size(); ++k) {
      const Label& label = program_.labels[k];
      if (labels_[k] || label.generated) continue;
      if (std::find(program_.reentry.begin(), program_.reentry.end(), label.index) != program_.reentry.end()) continue;
      warning("asm-unused-label", label.origin, fmt::format("nothing leads to '{}'", label.name));
    }
  }

  void unused_registers() {
    std::vector<bool> used(program_.vregs.size(), false);
    const Variables variables(program_);
    for (const Access& a : collect_accesses(program_)) {
      if (!variables.is_signal(a.variable)) used[static_cast<size_t>(variables.symbol(a.variable))] = true;
    }
    for (const XferGroup& g : program_.groups) {  // an order names them on purpose
      if (std::any_of(g.members.begin(), g.members.end(), [&](VregId v) { return used[static_cast<size_t>(v)]; }))
        for (VregId v : g.members) used[static_cast<size_t>(v)] = true;
    }
    for (size_t v = 0; v < program_.vregs.size(); ++v) {
      const Vreg& r = program_.vregs[v];
      if (used[v] || r.used || r.is_volatile || r.is_global || r.is_visible || r.is_remote || r.initial) continue;
      warning("asm-unused-register", r.declared, fmt::format("'{}' is declared but not used", r.name));
    }
  }

  void unused_signals() {
    std::vector<bool> used(program_.signals.size(), false);
    const Variables variables(program_);
    for (const Access& a : collect_accesses(program_)) {
      if (variables.is_signal(a.variable)) used[static_cast<size_t>(variables.symbol(a.variable))] = true;
    }
    for (size_t s = 0; s < program_.signals.size(); ++s) {
      const Signal& g = program_.signals[s];
      if (used[s] || g.is_volatile || g.is_visible || g.is_remote || g.is_global) continue;
      warning("asm-unused-signal", g.declared, fmt::format("'{}' is declared but not used", g.name));
    }
  }

  std::vector<bool> labels_;       ///< used
  std::vector<bool> label_value_;  ///< the instruction makes the address of a label
};

}  // namespace

void check_names(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out) {
  NameChecks(program, flow, sources, out).run();
}

}  // namespace weft::assembler
