#include "allocator_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "weft/base/render.h"

namespace weft::assembler::test {

using isa::InsnId;
using isa::Role;

PlacedProgram placed_program(const Program& program, const Sources& sources, Diagnostics& out) {
  const auto allocation = allocate(program, Flow(program), sources, out);
  INFO(render_text(out));
  REQUIRE(allocation);
  return {*allocation, with_places(program, *allocation)};
}

Builder::Builder() {
  sources.add_file(make_source("test.uc", ""));
  program.signals.reserve(64);
}
VregId Builder::reg(std::string name, VregClass cls) {
  Vreg v;
  v.name = std::move(name);
  v.cls = cls;
  v.used = true;
  program.vregs.push_back(std::move(v));
  return static_cast<VregId>(program.vregs.size() - 1);
}
SignalId Builder::sig(std::string name) {
  Signal s;
  s.name = std::move(name);
  program.signals.push_back(std::move(s));
  return static_cast<SignalId>(program.signals.size() - 1);
}
LabelId Builder::label(std::string name) {
  program.labels.push_back({std::move(name), UINT32_MAX, {}, false});
  return static_cast<LabelId>(program.labels.size() - 1);
}
void Builder::place(LabelId label) {
  program.labels[static_cast<size_t>(label)].index = static_cast<uint32_t>(program.insns.size());
}
void Builder::group(std::vector<VregId> members) {
  program.groups.push_back({XferGroup::Side::both, std::move(members), {}});
}

IrInsn& Builder::add(InsnId id) {
  program.insns.emplace_back();
  IrInsn& insn = program.insns.back();
  insn.insn.id = id;
  insn.origin = {0, static_cast<uint32_t>(program.insns.size()), 1, 1, 0};
  return insn;
}
IrInsn& Builder::immed(VregId dest, uint32_t value) {
  IrInsn& insn = add(InsnId::immed);
  insn.vreg[static_cast<size_t>(Role::dest)] = dest;
  insn.insn[Role::value] = value;
  return insn;
}
IrInsn& Builder::alu(VregId dest, VregId left, isa::AluOp op, VregId right) {
  IrInsn& insn = add(InsnId::alu);
  insn.vreg = {dest, left, right, -1};
  insn.insn[Role::op] = static_cast<uint32_t>(op);
  return insn;
}
IrInsn& Builder::branch(InsnId id, LabelId target, unsigned defer) {
  IrInsn& insn = add(id);
  insn.target = target;
  insn.insn[Role::defer] = defer;
  return insn;
}
IrInsn& Builder::command(InsnId id, VregId xfer, VregId address, unsigned count, SignalId signal,
                         isa::SignalMode mode) {
  IrInsn& insn = add(id);
  insn.vreg = {-1, address, -1, xfer};
  insn.insn.right = {isa::OperandKind::constant, isa::Bank::none, isa::Post::none, 0};
  insn.insn[Role::count] = count;
  insn.insn[Role::signal_mode] = static_cast<uint32_t>(mode);
  if (signal >= 0) insn.signal = SignalRef{signal, 0, SignalRef::Half::whole};
  return insn;
}
IrInsn& Builder::wait(std::vector<SignalId> signals) {
  IrInsn& insn = add(InsnId::ctx_arb);
  for (SignalId s : signals) insn.signals.push_back({s, 0, SignalRef::Half::whole});
  return insn;
}
IrInsn& Builder::halt() {
  IrInsn& insn = add(InsnId::ctx_arb);
  insn.insn[Role::breakpoint] = 1;
  return insn;
}

namespace {

/// A place in the machine, as a text: "a3", "@b16", "$4 in", "$4 out".
std::string place_of(const isa::Operand& operand, bool out) {
  const bool xfer = operand.kind == isa::OperandKind::xfer_s || operand.kind == isa::OperandKind::xfer_d;
  return isa::print_operand(operand) + (xfer ? (out ? " out" : " in") : "");
}

bool is_transfer(const Program& program, VregId v) {
  const VregClass cls = program.vregs[static_cast<size_t>(v)].cls;
  return cls == VregClass::xfer_s || cls == VregClass::xfer_d;
}

class Simulation {
 public:
  Simulation(const Program& program, const Program& placed, Random& random, const std::vector<int64_t>& numbers)
      : p_(program),
        placed_(placed),
        random_(random),
        numbers_(numbers),
        pushed_(address_taken_vregs(program)),
        outside_(address_taken_signals(program)) {
    find_volatile();
  }

  std::string run(unsigned steps) {
    uint32_t pc = 0;
    bool branching = false;  // a taken branch waits for its deferred slots
    unsigned slots = 0;
    uint32_t target = 0;
    for (unsigned step = 0; step < steps && pc < p_.insns.size(); ++step) {
      const IrInsn& insn = p_.insns[pc];
      for (const Hint& hint : p_.hints) {
        if (hint.index == pc && hint.vreg >= 0 && hint.kind <= Hint::Kind::set_write) {
          virtual_.erase({hint.vreg, false});
          virtual_.erase({hint.vreg, true});
        }
      }
      execute(pc);
      if (!wrong_.empty()) return wrong_;
      const Transfer t = transfer_of(insn);
      bool stop = false;
      if (!branching && (t.jumps || !t.falls_through)) {
        const bool taken = !t.falls_through || random_.chance(1, 2);
        if (!t.jumps)
          stop = true;  // halt, kill
        else if (insn.insn.id == InsnId::rtn) {
          const auto to = returns_.find(insn.vreg[static_cast<size_t>(Role::left)]);
          if (to == returns_.end()) return {};  // an address from elsewhere
          branching = true;
          slots = t.defer;
          target = p_.labels[static_cast<size_t>(to->second)].index;
        } else if (taken) {
          branching = true;
          slots = t.defer;
          const LabelId label = insn.insn.id == InsnId::jump && !insn.jump_targets.empty()
                                    ? insn.jump_targets[random_.below(insn.jump_targets.size())]
                                    : insn.target;
          target = p_.labels[static_cast<size_t>(label)].index;
        }
        const bool arrived =
            (insn.insn.id == InsnId::br_signal && taken) || (insn.insn.id == InsnId::br_not_signal && !taken);
        if (arrived && insn.signal) complete(pc, insn.signal->id);
      } else if (branching && slots > 0) {
        --slots;
      }
      if (stop) return {};
      if (branching && slots == 0) {
        pc = target;
        branching = false;
      } else {
        ++pc;
      }
    }
    return {};
  }

 private:
  struct UnderWay {
    uint32_t insn;
    std::vector<std::pair<std::string, uint64_t>> taken;   ///< places and the serials they must still hold
    std::vector<std::pair<std::string, uint64_t>> filled;  ///< places and the serials they will get
  };

  void fail(uint32_t pc, const std::string& name, const std::string& place) {
    if (wrong_.empty()) wrong_ = fmt::format("at {}: '{}' in {} holds something else", pc, name, place);
  }
  const std::string& name(VregId v) const { return p_.vregs[static_cast<size_t>(v)].name; }

  void read(uint32_t pc, VregId v, bool out, const std::string& place) {
    const auto value = virtual_.find({v, out});
    if (value == virtual_.end()) return;  // never written on this path
    if (physical_[place] != value->second) fail(pc, name(v), place);
  }
  /// Registers that someone unseen may read at any time: nobody else may have their place inside their scope.
  void find_volatile() {
    for (uint32_t i = 0; i < p_.insns.size(); ++i) {
      for (const Role role : {Role::dest, Role::left, Role::right}) {
        const VregId v = p_.insns[i].vreg[static_cast<size_t>(role)];
        if (v < 0 || !p_.vregs[static_cast<size_t>(v)].is_volatile) continue;
        owners_[place_of(placed_.insns[i].insn.operand(role), role == Role::dest)] = v;
      }
    }
  }
  void check_owner(uint32_t pc, VregId v, const std::string& place) {
    const auto owner = owners_.find(place);
    if (owner == owners_.end() || owner->second == v) return;
    const Vreg& r = p_.vregs[static_cast<size_t>(owner->second)];
    if (pc >= r.scope_begin && pc < r.scope_end) fail(pc, r.name + "' (volatile), overwritten by '" + name(v), place);
  }

  void write(VregId v, bool out, const std::string& place) {
    virtual_[{v, out}] = ++serial_;
    physical_[place] = serial_;
  }

  void push() {
    for (size_t v = 0; v < pushed_.size() && !numbers_.empty(); ++v) {
      if (!pushed_[v] || numbers_[v] < 0) continue;
      isa::Operand operand;
      operand.kind = p_.vregs[v].cls == VregClass::xfer_d ? isa::OperandKind::xfer_d : isa::OperandKind::xfer_s;
      operand.value = static_cast<uint32_t>(numbers_[v]);
      write(static_cast<VregId>(v), false, place_of(operand, false));
    }
  }

  VregId member(VregId first, unsigned k) const {
    if (k == 0) return first;
    for (const XferGroup& g : p_.groups) {
      const auto at = std::find(g.members.begin(), g.members.end(), first);
      if (at != g.members.end()) return *(at + k);
    }
    return -1;
  }

  void execute(uint32_t pc) {
    const IrInsn& insn = p_.insns[pc];
    const isa::Instruction& real = placed_.insns[pc].insn;
    for (const Role role : {Role::left, Role::right}) {
      const VregId v = insn.vreg[static_cast<size_t>(role)];
      if (v >= 0) read(pc, v, false, place_of(real.operand(role), false));
    }
    const VregId xfer = insn.vreg[static_cast<size_t>(Role::xfer)];
    if (xfer >= 0) issue(pc, xfer);
    if (insn.insn.id == InsnId::ctx_arb) {
      for (const SignalRef& s : insn.signals) complete(pc, s.id);
      const bool outside = std::any_of(insn.signals.begin(), insn.signals.end(), [&](const SignalRef& s) {
        return s.id >= 0 && outside_[static_cast<size_t>(s.id)];
      });
      if (outside) push();
    }
    if (insn.insn.id == InsnId::ld_field || insn.insn.id == InsnId::immed_w1) {
      const VregId v = insn.vreg[static_cast<size_t>(Role::dest)];
      if (v >= 0 && !is_transfer(p_, v)) read(pc, v, false, place_of(real.dest, false));
    }
    const VregId dest = insn.vreg[static_cast<size_t>(Role::dest)];
    if (dest >= 0) {
      const bool out = is_transfer(p_, dest);
      check_owner(pc, dest, place_of(real.dest, out));
      write(dest, out, place_of(real.dest, out));
      const bool address = insn.late_value && insn.late_value->second.op == LateExpr::Op::label_address;
      if (address)
        returns_[dest] = insn.late_value->second.symbol;
      else
        returns_.erase(dest);
    }
  }

  void issue(uint32_t pc, VregId first) {
    const IrInsn& insn = p_.insns[pc];
    const isa::Instruction& real = placed_.insns[pc].insn;
    const isa::InsnInfo& info = isa::info(insn.insn.id);
    UnderWay u{pc, {}, {}};
    const unsigned longwords = std::max<unsigned>(1, info.longwords_per_count) * insn.insn[Role::count];
    for (unsigned k = 0; k < longwords; ++k) {
      isa::Operand operand = real.xfer;
      operand.value += k;
      const VregId v = member(first, k);
      if (info.xfer != isa::XferUse::read) {
        if (const auto value = virtual_.find({v, true}); value != virtual_.end()) {
          u.taken.emplace_back(place_of(operand, true), value->second);
        }
      }
      if (info.xfer != isa::XferUse::write) {
        u.filled.emplace_back(place_of(operand, false), ++serial_);
        virtual_[{v, false}] = serial_;
        if (random_.chance(1, 2)) physical_[u.filled.back().first] = serial_;  // may also arrive at once
      }
    }
    if (insn.signal && static_cast<isa::SignalMode>(insn.insn[Role::signal_mode]) == isa::SignalMode::sig_done) {
      // A number that is under way must not be given a second time.
      const uint32_t number = real[Role::signal];
      for (uint32_t n = number; n <= number + (p_.signals[static_cast<size_t>(insn.signal->id)].doubled ? 1 : 0); ++n) {
        const SignalId other = signal_owner_.count(n) ? signal_owner_[n] : -1;
        if (other >= 0 && other != insn.signal->id)
          fail(pc, p_.signals[static_cast<size_t>(insn.signal->id)].name, fmt::format("s{}", n));
        signal_owner_[n] = insn.signal->id;
      }
      under_way_[insn.signal->id].push_back(std::move(u));
    } else {
      finish(pc, u);
    }
  }

  void complete(uint32_t pc, SignalId signal) {
    for (const UnderWay& u : under_way_[signal]) finish(pc, u);
    under_way_.erase(signal);
    for (auto it = signal_owner_.begin(); it != signal_owner_.end();)
      it = it->second == signal ? signal_owner_.erase(it) : std::next(it);
  }

  void finish(uint32_t pc, const UnderWay& u) {
    for (const auto& [place, serial] : u.taken) {
      if (physical_[place] != serial) fail(pc, fmt::format("data of the command at {}", u.insn), place);
    }
    for (const auto& [place, serial] : u.filled) physical_[place] = serial;
  }

  const Program& p_;
  const Program& placed_;
  Random& random_;
  const std::vector<int64_t>& numbers_;
  std::vector<bool> pushed_, outside_;
  std::map<VregId, LabelId> returns_;     ///< the label whose address a register holds
  std::map<std::string, VregId> owners_;  ///< places of volatile registers
  std::string wrong_;
  uint64_t serial_ = 0;
  std::map<std::pair<VregId, bool>, uint64_t> virtual_;  ///< (register, out half)
  std::map<std::string, uint64_t> physical_;
  std::map<SignalId, std::vector<UnderWay>> under_way_;
  std::map<uint32_t, SignalId> signal_owner_;
};

}  // namespace

std::string simulate(const Program& program, const Program& placed, Random& random, unsigned steps,
                     const std::vector<int64_t>& numbers) {
  return Simulation(program, placed, random, numbers).run(steps);
}

namespace {

/// Registers that other contexts or the neighbor see have one number in the whole program, and nobody else has it;
/// pinned names stand where they are pinned; doubled signals are even, and every mask of a wait has both bits.
std::string check_shared(const Program& program, const Program& placed) {
  std::map<VregId, isa::Operand> place_of_vreg;
  std::map<std::string, VregId> owner;
  for (uint32_t i = 0; i < placed.insns.size(); ++i) {
    for (const Role role : {Role::dest, Role::left, Role::right, Role::xfer}) {
      const VregId v = program.insns[i].vreg[static_cast<size_t>(role)];
      if (v < 0) continue;
      const Vreg& r = program.vregs[static_cast<size_t>(v)];
      const isa::Operand& o = placed.insns[i].insn.operand(role);
      if (r.pinned && o.value != *r.pinned) return fmt::format("at {}: '{}' is not where it is pinned", i, r.name);
      if (r.pinned && r.pinned_bank != isa::Bank::none && o.bank != r.pinned_bank)
        return fmt::format("at {}: '{}' is in the wrong bank", i, r.name);
      if (r.cls != VregClass::gpr_absolute && r.cls != VregClass::neighbor) continue;
      const auto [known, first] = place_of_vreg.emplace(v, o);
      if (known->second != o) return fmt::format("at {}: '{}' has two places", i, r.name);
      const auto [holder, alone] = owner.emplace(isa::print_operand(o), v);
      if (holder->second != v) return fmt::format("at {}: '{}' has the place of another name", i, r.name);
    }
    const IrInsn& insn = placed.insns[i];
    const auto doubled = [&](const SignalRef& s) {
      return s.id >= 0 && program.signals[static_cast<size_t>(s.id)].doubled;
    };
    if (insn.signal && doubled(*insn.signal) && (insn.insn[Role::signal] % 2 != 0 || insn.insn[Role::signal] > 14))
      return fmt::format("at {}: the doubled signal {} is odd", i, insn.insn[Role::signal]);
    for (const SignalRef& s : insn.signals) {
      if (s.half != SignalRef::Half::whole || s.id < 0) continue;
      const uint32_t mask = (doubled(s) ? 3u : 1u) << s.number;
      if ((insn.insn[Role::signals] & mask) != mask)
        return fmt::format("at {}: the wait misses a bit of signal {}", i, s.number);
    }
  }
  return {};
}

}  // namespace

std::string check_static(const Program& program, const Program& placed) {
  const unsigned room = program.contexts == 4 ? 32 : 16;
  std::set<uint32_t> relative[2], absolute[2];
  for (uint32_t i = 0; i < placed.insns.size(); ++i) {
    const isa::Instruction& insn = placed.insns[i].insn;
    if (insn.left.is_gpr() && insn.right.is_gpr() && insn.left.bank == insn.right.bank)
      return fmt::format("at {}: both sources in one bank", i);
    for (const Role role : {Role::dest, Role::left, Role::right}) {
      const isa::Operand& o = insn.operand(role);
      if (program.insns[i].vreg[static_cast<size_t>(role)] >= 0 && !o.present())
        return fmt::format("at {}: an operand has no place", i);
      if (o.kind == isa::OperandKind::gpr_absolute) absolute[o.bank == isa::Bank::b].insert(o.value);
      if (o.kind == isa::OperandKind::gpr) relative[o.bank == isa::Bank::b].insert(o.value);
      if (o.kind != isa::OperandKind::constant && o.kind != isa::OperandKind::gpr_absolute && o.present() &&
          o.value >= room)
        return fmt::format("at {}: number {} is out of range", i, o.value);
    }
    const isa::InsnInfo& info = isa::info(insn.id);
    if (insn.xfer.present() &&
        insn.xfer.value + std::max<unsigned>(1, info.longwords_per_count) * insn[Role::count] > room)
      return fmt::format("at {}: transfer registers out of range", i);
    for (const SignalRef& s : placed.insns[i].signals) {
      if (s.number < 1 || s.number > 15) return fmt::format("at {}: signal {}", i, s.number);
    }
  }
  if (const std::string wrong = check_shared(program, placed); !wrong.empty()) return wrong;
  // A relative register n of context c is the same cell as absolute 16c + n.
  for (int bank = 0; bank < 2; ++bank) {
    for (uint32_t a : absolute[bank]) {
      if (relative[bank].contains(a % room))
        return fmt::format("absolute register {} is relative {} of a context", a, a % room);
    }
  }
  return {};
}

}  // namespace weft::assembler::test
