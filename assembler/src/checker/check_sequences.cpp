// Instructions that belong together, and CSRs that need time: pop_count, mul_step, pointers, latencies.
#include <fmt/format.h>

#include "checker/checker.h"
#include "checker/support.h"

namespace weft::assembler {
namespace {

using isa::Role;

class SequenceChecks : CheckBase {
 public:
  using CheckBase::CheckBase;

  void run() {
    for (uint32_t i = 0; i < size(); ++i) {
      if (raw_[i] || !flow_.reached(i)) continue;
      pop_count(i);
      multiply(i);
      csr_write(i);
    }
  }

 private:
  /// The same register in the source and, as far as already chosen, in the program.
  bool same_operand(uint32_t i, uint32_t k, Role role) const {
    const auto r = static_cast<size_t>(role);
    const VregId a = program_.insns[i].vreg[r], b = program_.insns[k].vreg[r];
    if (a != b) return false;
    if (a >= 0) return true;
    isa::Operand x = at(i).operand(role), y = at(k).operand(role);
    x.post = y.post = isa::Post::none;
    return x == y;
  }

  void pop_count(uint32_t i) {
    const isa::Effects& own = effects(i);
    if ((own.reads & isa::states(isa::State::pop_count)) == 0) return;
    if (!own.behind) {
      for (uint32_t n : flow_.next(i)) {
        if (!raw_[n] && at(n).id != own.before)
          warning("asm-pop-count", i, "pop_count1 alone counts nothing: pop_count2 must follow directly",
                  "write pop_count1, pop_count2 and pop_count3 one after the other, with one source");
      }
      return;
    }
    const isa::InsnId before = *own.behind;
    if (!always_after(i, [&](uint32_t p) { return at(p).id == before; })) {
      warning("asm-pop-count", i,
              fmt::format("{} must directly follow {}", info(i).mnemonic, isa::info(before).mnemonic),
              "write pop_count1, pop_count2 and pop_count3 one after the other, with one source");
    } else if (!always_after(i, [&](uint32_t p) { return same_operand(p, i, Role::right); })) {
      warning("asm-pop-count", i, "the three steps of a pop_count must have the same source");
    }
  }

  void multiply(uint32_t i) {
    using isa::MulStep;
    if (!effects(i).has(Role::mul_step)) return;
    const auto step = static_cast<MulStep>(at(i)[Role::mul_step]);
    if (step == MulStep::start || step == MulStep::last || step == MulStep::last2) return;
    for (uint32_t p : flow_.previous(i)) {
      if (raw_[p] || !effects(p).has(Role::mul_step)) continue;  // said elsewhere
      if (same_operand(p, i, Role::left) && same_operand(p, i, Role::right)) continue;
      warning("asm-mul-operands", i, "this step of a multiplication has other operands than the step before it",
              "give all steps the operands of the first");
      return;
    }
  }

  void csr_write(uint32_t i) {
    if (effects(i).csr != isa::CsrUse::write) return;
    const uint32_t csr = at(i)[Role::csr];
    const isa::CsrEffects& written = isa::csr_effects(program_.profile, csr);
    if (written.visible_after == 0) return;
    // Local memory has a check of its own.
    constexpr isa::States kElsewhere = isa::states(isa::State::lm_addr_0) | isa::states(isa::State::lm_addr_1);
    const isa::States late = written.indirect ? 0 : written.holds & ~kElsewhere;
    within_cycles(i, written.visible_after, [&](uint32_t n, unsigned cycles) {
      if (effects(n).csr == isa::CsrUse::write && at(n)[Role::csr] == csr) return false;
      const bool asks = effects(n).csr == isa::CsrUse::read;
      const bool reads = asks && at(n)[Role::csr] == csr;
      const bool uses = !asks && (isa::states_used(program_.profile, at(n)) & late) != 0;
      if (reads || uses) {
        warning("asm-csr-too-soon", n,
                fmt::format("{} still has its old value here: {} of {} cycles lie between its write and this {}",
                            isa::find_csr(program_.profile, csr)->name, cycles - 1, written.visible_after,
                            reads ? "read" : "use"),
                "put other work or nops between them");
      }
      return true;
    });
  }
};

}  // namespace

void check_sequences(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out) {
  SequenceChecks(program, flow, sources, out).run();
}

}  // namespace weft::assembler
