#include "flow/accesses.h"

#include <algorithm>

namespace weft::assembler {
namespace {

using isa::Role;

void symbols_in(const LateExpr& expr, std::vector<int32_t>& vregs, std::vector<int32_t>& signals) {
  if (expr.op == LateExpr::Op::xfer_number) vregs.push_back(expr.symbol);
  if (expr.op == LateExpr::Op::signal_number) signals.push_back(expr.symbol);
  for (const LateExpr& arg : expr.args) symbols_in(arg, vregs, signals);
}

void symbols_of(const IrInsn& insn, std::vector<int32_t>& vregs, std::vector<int32_t>& signals) {
  for (const auto& late : insn.late) {
    if (late) symbols_in(*late, vregs, signals);
  }
  if (insn.late_value) symbols_in(insn.late_value->second, vregs, signals);
}

class Collector {
 public:
  explicit Collector(const Program& program) : program_(program), variables_(program) {}

  std::vector<Access> run() {
    for (uint32_t i = 0; i < program_.insns.size(); ++i) instruction(i);
    for (const Hint& hint : program_.hints) add_hint(hint);
    std::stable_sort(out_.begin(), out_.end(), [](const Access& a, const Access& b) { return a.insn < b.insn; });
    return std::move(out_);
  }

 private:
  void add(uint32_t insn, Slot slot, uint32_t variable, bool use, bool def, unsigned member = 0) {
    out_.push_back({insn, slot, static_cast<uint8_t>(member), variable, use, def, -1});
  }

  void instruction(uint32_t i) {
    const IrInsn& insn = program_.insns[i];
    if (const VregId v = insn.vreg[static_cast<size_t>(Role::left)]; v >= 0) {
      add(i, Slot::left, variables_.read(v), true, false);
    }
    if (const VregId v = insn.vreg[static_cast<size_t>(Role::right)]; v >= 0) {
      add(i, Slot::right, variables_.read(v), true, false);
    }
    if (const VregId v = insn.vreg[static_cast<size_t>(Role::dest)]; v >= 0) {
      const bool xfer = is_xfer(program_.vregs[static_cast<size_t>(v)].cls), keeps = keeps_old_value(program_, i);
      add(i, Slot::dest, xfer ? variables_.write(v) : variables_.read(v), keeps && !xfer, true);
      if (keeps && xfer) add(i, Slot::kept, variables_.read(v), true, false);
    }
    if (const VregId v = insn.vreg[static_cast<size_t>(Role::xfer)]; v >= 0) transfer(i, insn, v);
    if (insn.signal && insn.signal->id >= 0) {
      const bool command = isa::info(insn.insn.id).group == isa::Group::command;
      add(i, Slot::signal, variables_.signal(insn.signal->id), !command, command);
    }
    for (size_t k = 0; k < insn.signals.size(); ++k) {
      if (insn.signals[k].id >= 0) {
        add(i, Slot::wait, variables_.signal(insn.signals[k].id), true, false, static_cast<unsigned>(k));
      }
    }
    std::vector<int32_t> vregs, signals;
    symbols_of(insn, vregs, signals);
    for (int32_t v : vregs) add(i, Slot::address, variables_.read(v), false, false);
    for (int32_t s : signals) add(i, Slot::address, variables_.signal(s), false, true);
  }

  void transfer(uint32_t i, const IrInsn& insn, VregId first) {
    const isa::XferUse use = isa::info(insn.insn.id).xfer;
    const unsigned longwords = xfer_longwords(insn);
    for (unsigned k = 0; k < longwords; ++k) {
      if (use == isa::XferUse::write || use == isa::XferUse::both) {
        const VregId v = group_member(program_, first, k, false);
        if (v >= 0) add(i, Slot::xfer, variables_.write(v), true, false, k);
      }
      if (use == isa::XferUse::read || use == isa::XferUse::both) {
        const VregId v = group_member(program_, first, k, true);
        if (v >= 0) add(i, Slot::xfer, variables_.read(v), false, true, k);
      }
    }
  }

  void add_hint(const Hint& hint) {
    if (program_.insns.empty()) return;
    const uint32_t at = std::min<uint32_t>(hint.index, static_cast<uint32_t>(program_.insns.size()) - 1);
    const bool last = hint.index >= program_.insns.size();
    if (hint.signal >= 0) {
      if (hint.kind != Hint::Kind::io_completed) add(at, Slot::hint, variables_.signal(hint.signal), false, true);
      return;
    }
    if (hint.vreg < 0) return;
    const Vreg& vreg = program_.vregs[static_cast<size_t>(hint.vreg)];
    const bool xfer = is_xfer(vreg.cls);
    const auto both = [&](bool read, bool write, bool use) {
      if ((read && vreg.read_side) || !xfer) add(at, Slot::hint, variables_.read(hint.vreg), use, !use && !last);
      if (write && xfer && vreg.write_side) add(at, Slot::hint, variables_.write(hint.vreg), use, !use && !last);
    };
    switch (hint.kind) {
      case Hint::Kind::set: both(true, true, false); break;
      case Hint::Kind::set_read: both(true, false, false); break;
      case Hint::Kind::set_write: both(false, true, false); break;
      case Hint::Kind::use: both(true, true, true); break;
      case Hint::Kind::use_read: both(true, false, true); break;
      case Hint::Kind::use_write: both(false, true, true); break;
      case Hint::Kind::io_completed:
      case Hint::Kind::set_signal: break;
    }
  }

  const Program& program_;
  Variables variables_;
  std::vector<Access> out_;
};

}  // namespace

bool is_xfer(VregClass cls) { return cls == VregClass::xfer_s || cls == VregClass::xfer_d; }

RegisterFile file_of(const Program& program, const Variables& variables, uint32_t variable) {
  if (variables.is_signal(variable)) return RegisterFile::signal;
  const bool write = (variable & 1) != 0;
  switch (program.vregs[variable / 2].cls) {
    case VregClass::gpr: return RegisterFile::gpr;
    case VregClass::gpr_absolute: return RegisterFile::gpr_absolute;
    case VregClass::xfer_s: return write ? RegisterFile::s_write : RegisterFile::s_read;
    case VregClass::xfer_d: return write ? RegisterFile::d_write : RegisterFile::d_read;
    case VregClass::neighbor: return RegisterFile::neighbor;
  }
  return RegisterFile::gpr;
}

std::vector<Access> collect_accesses(const Program& program) { return Collector(program).run(); }

bool keeps_old_value(const Program& program, uint32_t index) {
  if (!isa::keeps_bytes(program.insns[index].insn)) return false;
  unsigned written = isa::bytes_written(program.insns[index].insn);
  if (written == 0) return false;
  // A run of partial writes to one register that together fill it: none of the old value is left. Not of a transfer or
  // neighbor register, whose old bytes are those that it has as a source.
  const VregId dest = program.insns[index].vreg[static_cast<size_t>(Role::dest)];
  if (dest >= 0) {
    const VregClass cls = program.vregs[static_cast<size_t>(dest)].cls;
    if (cls != VregClass::gpr && cls != VregClass::gpr_absolute) return true;
  }
  for (uint32_t back = 1; back <= 3 && back <= index; ++back) {
    if (transfer_of(program.insns[index - back]).defer > 0) return true;  // a shadow: another word may follow
  }
  for (uint32_t i = index + 1; i < program.insns.size(); ++i) {
    const IrInsn& insn = program.insns[i];
    const bool mentions_left = insn.vreg[static_cast<size_t>(Role::left)] == dest;
    const bool mentions_right = insn.vreg[static_cast<size_t>(Role::right)] == dest;
    if (insn.vreg[static_cast<size_t>(Role::dest)] != dest || mentions_left || mentions_right) break;
    const unsigned more = isa::bytes_written(insn.insn);
    if (more == 0 || isa::effects(insn.insn.id).bytes == isa::kAllBytes) break;
    written |= more;
    if (written == isa::kAllBytes) return false;
  }
  return true;
}

unsigned xfer_longwords(const IrInsn& insn) {
  const isa::InsnInfo& info = isa::info(insn.insn.id);
  if (info.xfer == isa::XferUse::none) return 0;
  const unsigned count = std::max<unsigned>(1, insn.insn[Role::count]);
  return std::max<unsigned>(1, info.longwords_per_count) * count;
}

VregId group_member(const Program& program, VregId first, unsigned offset, bool read_side) {
  if (offset == 0) return first;
  for (const XferGroup& group : program.groups) {
    if (group.side == (read_side ? XferGroup::Side::write : XferGroup::Side::read)) continue;
    const auto at = std::find(group.members.begin(), group.members.end(), first);
    if (at == group.members.end()) continue;
    if (static_cast<size_t>(group.members.end() - at) > offset) return *(at + offset);
  }
  return -1;
}

namespace {

/// Registers and signals whose numbers are values in the program.
std::pair<std::vector<int32_t>, std::vector<int32_t>> address_values(const Program& program) {
  std::pair<std::vector<int32_t>, std::vector<int32_t>> out;
  for (const IrInsn& insn : program.insns) symbols_of(insn, out.first, out.second);
  return out;
}

}  // namespace

std::vector<bool> address_taken_vregs(const Program& program) {
  std::vector<bool> taken(program.vregs.size(), false);
  for (const int32_t v : address_values(program).first) taken[static_cast<size_t>(v)] = true;
  for (size_t v = 0; v < program.vregs.size(); ++v) {
    if (is_xfer(program.vregs[v].cls) && program.vregs[v].is_volatile) taken[v] = true;
  }
  // What fills or reads registers unseen goes on through the whole group.
  for (const XferGroup& group : program.groups) {
    if (!std::any_of(group.members.begin(), group.members.end(),
                     [&](VregId v) { return taken[static_cast<size_t>(v)]; }))
      continue;
    for (VregId v : group.members) taken[static_cast<size_t>(v)] = true;
  }
  return taken;
}

std::vector<bool> address_taken_signals(const Program& program) {
  std::vector<bool> taken(program.signals.size(), false);
  for (const int32_t s : address_values(program).second) taken[static_cast<size_t>(s)] = true;
  return taken;
}

}  // namespace weft::assembler
