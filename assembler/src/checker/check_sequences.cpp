// Instructions that belong together, and CSRs that need time: pop_count, mul_step, pointers, latencies.
#include <fmt/format.h>

#include "checker/checker.h"
#include "checker/support.h"

namespace weft::assembler {
namespace {

using isa::Csr;
using isa::InsnId;
using isa::OperandKind;
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
      cam_pointer(i);
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
    InsnId before;
    switch (at(i).id) {
      case InsnId::pop_count2: before = InsnId::pop_count1; break;
      case InsnId::pop_count3: before = InsnId::pop_count2; break;
      case InsnId::pop_count1:
        for (uint32_t n : flow_.next(i)) {
          if (!raw_[n] && at(n).id != InsnId::pop_count2)
            warning("asm-pop-count", i, "pop_count1 alone counts nothing: pop_count2 must follow directly",
                    "write pop_count1, pop_count2 and pop_count3 one after the other, with one source");
        }
        return;
      default: return;
    }
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
    if (at(i).id != InsnId::mul_step) return;
    const auto step = static_cast<MulStep>(at(i)[Role::mul_step]);
    if (step == MulStep::start || step == MulStep::last || step == MulStep::last2) return;
    for (uint32_t p : flow_.previous(i)) {
      if (raw_[p] || at(p).id != InsnId::mul_step) continue;  // said elsewhere
      if (same_operand(p, i, Role::left) && same_operand(p, i, Role::right)) continue;
      warning("asm-mul-operands", i, "this step of a multiplication has other operands than the step before it",
              "give all steps the operands of the first");
      return;
    }
  }

  void csr_write(uint32_t i) {
    if (at(i).id != InsnId::local_csr_wr) return;
    const isa::CsrInfo* csr = isa::find_csr(program_.profile, at(i)[Role::csr]);
    if (!csr) return;
    const auto latency =
        static_cast<unsigned>(std::max<int>(0, csr->use_latency >= 0 ? csr->use_latency : csr->write_latency));
    if (latency == 0) return;
    const auto id = static_cast<Csr>(csr->offset);
    soon_after(i, latency, [&](uint32_t n, unsigned cycles) {
      if (at(n).id == InsnId::local_csr_wr && at(n)[Role::csr] == at(i)[Role::csr]) return false;
      const bool reads = at(n).id == InsnId::local_csr_rd && at(n)[Role::csr] == at(i)[Role::csr];
      const bool transfer_pointer = id == Csr::t_index || id == Csr::t_index_byte_index;
      const bool uses = (transfer_pointer && has(n, {OperandKind::xfer_s_index, OperandKind::xfer_d_index})) ||
                        (id == Csr::nn_get && reads_neighbor_ring(n));
      if (reads || uses) {
        warning(
            "asm-csr-too-soon", n,
            fmt::format("{} still has its old value here: {} of {} instructions stand between its write and this {}",
                        csr->name, cycles - 1, latency, reads ? "read" : "use"),
            "put other work or nops between them");
      }
      return true;
    });
  }

  bool has(uint32_t n, std::initializer_list<OperandKind> kinds) const {
    for (const Role role : {Role::dest, Role::left, Role::right, Role::xfer}) {
      if (std::find(kinds.begin(), kinds.end(), at(n).operand(role).kind) != kinds.end()) return true;
    }
    return false;
  }
  bool reads_neighbor_ring(uint32_t n) const {
    return at(n).left.kind == OperandKind::neighbor_index || at(n).right.kind == OperandKind::neighbor_index;
  }

  /// cam_lookup loads a local-memory pointer with the same delay as a CSR write.
  void cam_pointer(uint32_t i) {
    const uint32_t pointer = at(i)[Role::lm_select];
    if (at(i).id != InsnId::cam_lookup || pointer == 0) return;
    const OperandKind kind = pointer == 1 ? OperandKind::local_mem0 : OperandKind::local_mem1;
    soon_after(i, 3, [&](uint32_t n, unsigned cycles) {
      if (has(n, {kind})) {
        warning("asm-local-memory-too-soon", n,
                fmt::format(
                    "*l$index{} still points to the old place here: {} of 3 instructions stand between the cam_lookup "
                    "that loads it and this use",
                    pointer - 1, cycles - 1),
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
