#include "checker/checker.h"

#include <fmt/format.h>

#include "checker/support.h"

namespace weft::assembler {
namespace {

using isa::Group;
using isa::OperandKind;
using isa::Role;
using isa::ShiftKind;
using isa::State;

class Checker : CheckBase {
 public:
  using CheckBase::CheckBase;

  void run() {
    for (uint32_t i = 0; i < size(); ++i) {
      if (raw_[i]) continue;
      ends(i);
      defer(i);
      sides(i);
      signals(i);
      after_what(i);
      csrs(i);
      crc(i);
      local_memory(i);
      local_memory_steps(i);
      multiply(i);
    }
    condition_codes();
  }

 private:
  void error(std::string code, uint32_t i, std::string text, std::string remedy = {}) {
    out_.add(sources_.diagnostic(program_.physical ? Severity::warning : Severity::error, std::move(code),
                                 program_.insns[i].origin, std::move(text), std::move(remedy)));
  }

  void ends(uint32_t i) {
    if (!flow_.runs_off(i) || !flow_.reached(i)) return;
    warning("asm-runs-off", i, "the program runs on after this instruction, but nothing follows",
            "end it with a branch, ctx_arb[kill] or halt");
  }

  /// Both come from one line of the program, such as an assignment that takes two words.
  bool is_of_one_line(uint32_t a, uint32_t b) const {
    const Origin &x = program_.insns[a].origin, &y = program_.insns[b].origin;
    const auto pass = [&](uint32_t expansion) {  // the call of a macro or pass of a loop in which the line stands
      while (expansion != 0 && sources_.expansion(expansion).kind >= Expansion::Kind::define)
        expansion = sources_.expansion(expansion).call.expansion;
      return expansion;
    };
    return x.file == y.file && x.line == y.line && pass(x.expansion) == pass(y.expansion);
  }

  void defer(uint32_t i) {
    const uint32_t amount = at(i)[Role::defer];
    if (i + amount >= size()) {
      error("asm-defer-end", i, fmt::format("defer[{}] reaches beyond the last instruction", amount),
            "add the deferred instructions, or lower the number");
      return;
    }
    if (amount > 0 && i + amount + 1 < size() && is_of_one_line(i + amount, i + amount + 1))
      error("asm-defer-content", i + amount, "this line takes more words than the deferred slots that are left",
            "defer more words, or move the line before the branch");
    for (uint32_t s = i + 1; s <= i + amount; ++s) {
      if (raw_[s]) continue;
      const Group group = info(s).group;
      if (group == Group::branch || group == Group::context || swaps(s)) {
        error("asm-defer-content", s, fmt::format("{} cannot stand in a deferred slot", info(s).mnemonic),
              "move it out of the slots of the branch before it");
      } else if (group == Group::command) {
        error("asm-defer-content", s, "a memory or I/O command cannot stand in a deferred slot",
              "move it before the branch");
      } else if (effects(s).csr == isa::CsrUse::write && swaps(i)) {
        error("asm-defer-content", s, "a CSR write cannot stand in a deferred slot of a context swap",
              "move it before the swap");
      }
    }
  }

  /// `.reg read $x` is filled by commands only, `.reg write $x` is only handed to them.
  void sides(uint32_t i) {
    const IrInsn& insn = program_.insns[i];
    const auto vreg = [&](Role role) -> const Vreg* {
      const VregId v = insn.vreg[static_cast<size_t>(role)];
      if (v < 0) return nullptr;
      const Vreg& r = program_.vregs[static_cast<size_t>(v)];
      return r.cls == VregClass::xfer_s || r.cls == VregClass::xfer_d ? &r : nullptr;
    };
    if (const Vreg* r = vreg(Role::dest); r && !r->write_side) {
      error("asm-write-read-register", i,
            fmt::format("'{}' is declared as a read register, so an instruction cannot write it", r->name),
            "declare it without 'read'");
    }
    for (const Role role : {Role::left, Role::right}) {
      if (const Vreg* r = vreg(role); r && !r->read_side) {
        error("asm-read-write-register", i,
              fmt::format("'{}' is declared as a write register, so an instruction cannot read it", r->name),
              "declare it without 'write'; note that the two halves hold different values");
      }
    }
    if (const Vreg* r = vreg(Role::xfer)) {
      const isa::XferUse use = info(i).xfer;
      if ((use == isa::XferUse::read || use == isa::XferUse::both) && !r->read_side) {
        error("asm-read-write-register", i,
              fmt::format("this command fills '{}', which is declared as a write register", r->name),
              "declare it without 'write'");
      }
      if ((use == isa::XferUse::write || use == isa::XferUse::both) && !r->write_side) {
        error("asm-write-read-register", i,
              fmt::format("this command takes '{}', which is declared as a read register", r->name),
              "declare it without 'read'");
      }
    }
  }

  void signals(uint32_t i) {
    if (info(i).group == Group::command && info(i).signal == isa::SignalUse::doubled && swaps(i)) {
      error("asm-two-signals", i,
            fmt::format("{}[{}] raises two signals, so it cannot take ctx_swap", info(i).mnemonic, info(i).subcommand),
            "use sig_done[s], then ctx_arb[s]");
    }
    if (at(i)[Role::indirect] == 0 && effects(i).needs_indirect) {
      warning("asm-needs-indirect", i, "without indirect_ref this command has no buffer address", "add indirect_ref");
    }
  }

  void after_what(uint32_t i) {
    if (!flow_.reached(i)) return;
    const isa::Instruction& insn = at(i);
    if (insn[Role::indirect] != 0 && !always_after(i, [&](uint32_t p) { return info(p).previous_alu; })) {
      error("asm-indirect-without-alu", i,
            "indirect_ref takes the result of the instruction before, which must be an ALU instruction",
            "put alu[--, --, B, word] directly before this command");
    }
    const auto shift = static_cast<ShiftKind>(insn[Role::shift]);
    if ((shift == ShiftKind::left_indirect || shift == ShiftKind::right_indirect) &&
        !always_after(i, [&](uint32_t p) { return isa::holds_shift_amount(at(p)); })) {
      error("asm-indirect-shift", i,
            "an indirect shift takes its amount from the left operand of the instruction before, which must be a "
            "logical alu or alu_shf",
            "put alu[--, amount, B, 0] directly before it");
    }
    if (effects(i).pure && (effects(i).reads & isa::states(isa::State::previous)) != 0 &&
        !always_after(i, [&](uint32_t p) { return info(p).previous_alu; })) {
      error("asm-asr-without-alu", i,
            "asr shifts in the sign of the ALU result before, so an ALU instruction on the same value must precede it",
            "put alu[--, --, B, value] directly before it");
    }
    if (effects(i).csr == isa::CsrUse::read) {
      const auto after = flow_.next(i);
      if (after.empty() ||
          !std::all_of(after.begin(), after.end(), [&](uint32_t n) { return raw_[n] || takes_csr(n, i); })) {
        error("asm-csr-read-lost", i, "the value of local_csr_rd goes to the next instruction, which must be an immed",
              "add immed[dest, 0] after it");
      }
    }
  }

  /// A nop is an immed too, but has nowhere to put the value.
  bool takes_csr(uint32_t n, uint32_t read) const {
    return at(n).id == effects(read).before &&
           (at(n).dest.present() || program_.insns[n].vreg[static_cast<size_t>(Role::dest)] >= 0);
  }

  void csrs(uint32_t i) {
    if (effects(i).csr != isa::CsrUse::write) return;
    for (uint32_t n : flow_.next(i)) {
      if (!raw_[n] && effects(n).csr == isa::CsrUse::write && at(n)[Role::csr] == at(i)[Role::csr]) {
        warning("asm-csr-write-twice", n, "two writes to one CSR need an instruction between them",
                "put a nop between them");
      }
    }
  }

  void crc(uint32_t i) {
    for (const isa::Hazard& h : hazards(i)) {
      const bool busy = h.what == State::crc_unit;
      if (!busy && (h.what != State::crc_remainder || effects(i).csr == isa::CsrUse::write)) continue;
      within_cycles(i, h.cycles, [&](uint32_t n, unsigned cycles) {
        if (busy && uses(n, h.what))
          warning("asm-crc-too-close", n, "CRC instructions need an instruction between them",
                  "put a nop between them");
        if (!busy && uses(n, h.what) && effects(n).csr == isa::CsrUse::read)
          warning("asm-crc-too-close", n,
                  fmt::format("the CRC remainder is read {} cycles after the last CRC instruction; it takes {}", cycles,
                              h.cycles),
                  "put other work or nops between them");
        return true;
      });
    }
  }

  /// A local-memory pointer counts later, whether a CSR write or a cam_lookup loads it.
  void local_memory(uint32_t i) {
    for (const isa::Hazard& h : hazards(i)) {
      if (h.what != State::lm_addr_0 && h.what != State::lm_addr_1) continue;
      const bool looked_up = effects(i).csr == isa::CsrUse::none;
      const OperandKind kind = h.what == State::lm_addr_0 ? OperandKind::local_mem0 : OperandKind::local_mem1;
      within_cycles(i, h.cycles, [&](uint32_t n, unsigned cycles) {
        if (!has(n, {kind})) return true;
        const std::string write =
            looked_up ? "cam_lookup that loads it"
                      : fmt::format("write of {}", isa::find_csr(program_.profile, at(i)[Role::csr])->name);
        warning("asm-local-memory-too-soon", n,
                fmt::format("*l$index{} still points to the old place here: {} of {} cycles lie between the "
                            "{} and this use",
                            kind == OperandKind::local_mem0 ? 0 : 1, cycles - 1, h.cycles, write),
                "put other work or nops between them");
        return true;
      });
    }
  }

  /// The word has one step for a pointer that is source and destination: that of the destination; and no offset with
  /// it.
  void local_memory_steps(uint32_t i) {
    const isa::Operand& dest = at(i).dest;
    if (dest.kind != OperandKind::local_mem0 && dest.kind != OperandKind::local_mem1) return;
    for (const Role role : {Role::left, Role::right}) {
      const isa::Operand& source = at(i).operand(role);
      if (source.kind != dest.kind) continue;
      const int pointer = dest.kind == OperandKind::local_mem0 ? 0 : 1;
      if (source.post != isa::Post::none) {
        error("asm-local-memory-step", i,
              fmt::format("*l$index{} is source and destination here, so only the destination can step it", pointer),
              fmt::format("write the ++ or -- at the destination, *l$index{}", pointer));
      } else if (dest.post != isa::Post::none && source.value != 0) {
        error("asm-local-memory-step", i,
              fmt::format(
                  "*l$index{} has an offset as source and a step as destination; one word has room for one of them",
                  pointer),
              "take the offset away, or step the pointer in another instruction");
      }
    }
  }

  void multiply(uint32_t i) {
    using isa::MulSize;
    using isa::MulStep;
    if (!effects(i).has(Role::mul_step) || !flow_.reached(i)) return;
    const auto step = static_cast<MulStep>(at(i)[Role::mul_step]);
    if (step == MulStep::start) return;
    const auto size = static_cast<MulSize>(at(i)[Role::mul_size]);
    const MulStep final_step = size == MulSize::m24x8    ? MulStep::step1
                               : size == MulSize::m16x16 ? MulStep::step2
                                                         : MulStep::step4;
    const MulStep wanted = step == MulStep::last ? final_step : static_cast<MulStep>(static_cast<uint32_t>(step) - 1);
    if (!always_after(i, [&](uint32_t p) {
          if (!effects(p).has(Role::mul_step) || static_cast<MulStep>(at(p)[Role::mul_step]) != wanted) return false;
          return wanted == MulStep::start || at(p)[Role::mul_size] == at(i)[Role::mul_size];
        })) {
      error("asm-mul-order", i, "the steps of a multiplication must follow each other directly and in order",
            "write start, step1 ..., last (and last2) without anything between them");
    }
  }

  // --- condition codes ---

  /// Walks from every place that makes the codes meaningless (the start, a swap) to the readers it reaches.
  void condition_codes() {
    if (size() == 0) return;
    std::vector<bool> undefined(size(), false);  // on arrival
    std::vector<uint32_t> work;
    const auto mark = [&](uint32_t i) {
      if (!undefined[i]) {
        undefined[i] = true;
        work.push_back(i);
      }
    };
    mark(0);
    for (uint32_t i : program_.reentry) {
      if (i < size()) mark(i);
    }
    for (uint32_t i = 0; i < size(); ++i) {
      if (raw_[i] || !swaps(i) || !flow_.reached(i)) continue;
      for (uint32_t n : flow_.next(flow_.last_slot(i))) mark(n);
    }
    while (!work.empty()) {
      const uint32_t i = work.back();
      work.pop_back();
      if (raw_[i]) continue;
      if (isa::reads_codes(at(i))) {
        warning("asm-undefined-codes", i,
                "the condition codes may be undefined here: no instruction set them since the start or the last "
                "context swap",
                "set them after the swap, for instance alu[--, --, B, r]");
      }
      if (isa::sets_codes(at(i))) continue;
      for (uint32_t n : flow_.next(i)) mark(n);
    }
  }
};

}  // namespace

void check_program(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out) {
  Checker(program, flow, sources, out).run();
}

void check_undefined(const Program& program, const Liveness& liveness, const Sources& sources, Diagnostics& out) {
  for (const UndefinedUse& use : liveness.undefined) {
    const Origin& origin = program.insns[use.insn].origin;
    if (use.file == RegisterFile::signal) {
      if (!use.never_set) continue;
      const Signal& signal = program.signals[static_cast<size_t>(use.symbol)];
      out.add(sources.diagnostic(Severity::warning, "asm-signal-never-given", origin,
                                 fmt::format("'{}' is awaited, but no command on any path here gives it", signal.name),
                                 fmt::format("if something else gives it, say so: .set_sig {}", signal.name)));
      continue;
    }
    const Vreg& vreg = program.vregs[static_cast<size_t>(use.symbol)];
    const bool half = vreg.cls == VregClass::xfer_s || vreg.cls == VregClass::xfer_d;
    const bool write = use.file == RegisterFile::s_write || use.file == RegisterFile::d_write;
    std::string name = fmt::format("'{}'", vreg.name);
    if (half) name = fmt::format("the {} half of '{}'", write ? "write" : "read", vreg.name);
    const std::string set = half ? (write ? ".set_wr" : ".set_rd") : ".set";
    Diagnostic d =
        sources.diagnostic(use.never_set ? Severity::error : Severity::warning,
                           use.never_set ? "asm-never-set" : "asm-maybe-unset", origin,
                           use.never_set ? fmt::format("{} is used, but nothing on any path here sets it", name)
                                         : fmt::format("{} may be used before it is set", name),
                           fmt::format("set it first; if something unseen sets it, say so: {} {}", set, vreg.name));
    d.notes.push_back({sources.range(vreg.declared), fmt::format("'{}' is declared here", vreg.name)});
    out.add(std::move(d));
  }
}

}  // namespace weft::assembler
