// Numbers that must hold: absolute registers, pins of every class, doubled signals, groups in a row. And the judge of
// these rules says no to each of them broken.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "allocator_support.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::test;
using isa::InsnId;
using isa::Role;
using isa::SignalMode;

namespace {

struct Placed {
  std::optional<Program> program;
  Diagnostics out;
};

Placed place(Builder& b) {
  Placed p;
  mark_doubled_signals(b.program);
  const auto allocation = allocate(b.program, Flow(b.program), b.sources, p.out);
  if (allocation) p.program = with_places(b.program, *allocation);
  return p;
}

/// Twenty absolute registers in a random program that fills both banks otherwise.
void shared_program(Builder& b, Random& random) {
  std::vector<VregId> even, odd;
  for (unsigned k = 0; k < 20; ++k)
    (k % 2 ? odd : even).push_back(b.reg(fmt::format("@s{}", k), VregClass::gpr_absolute));
  for (unsigned k = 0; k < 28; ++k) (k % 2 ? odd : even).push_back(b.reg(fmt::format("r{}", k)));
  std::vector<VregId> all = even;
  all.insert(all.end(), odd.begin(), odd.end());
  for (VregId v : all) b.immed(v);
  for (unsigned k = 0; k < 150; ++k) {
    // One after the other: the order in which arguments are evaluated differs between compilers.
    const VregId right = odd[random.below(odd.size())];
    const VregId left = even[random.below(even.size())];
    b.alu(all[random.below(all.size())], left, isa::AluOp::add, right);
  }
  for (VregId v : all) b.alu(-1, -1, isa::AluOp::b, v);
  b.halt();
}

}  // namespace

TEST_CASE("absolute registers hold one number each, and no context's relative register is on it") {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Builder b;
    Random random(seed);
    shared_program(b, random);
    const Placed p = place(b);
    INFO("seed " << seed << render_text(p.out));
    REQUIRE(p.program);
    REQUIRE(check_static(b.program, *p.program) == "");
    REQUIRE(simulate(b.program, *p.program, random, 400) == "");
  }
}

TEST_CASE("the judge says no to shared registers in wrong places") {
  Builder b;
  Random random(1);
  shared_program(b, random);
  const Placed p = place(b);
  REQUIRE(p.program);
  const auto broken = [&](const std::function<bool(isa::Operand&)>& change) {
    Program bad = *p.program;
    for (IrInsn& insn : bad.insns) {
      for (const Role role : {Role::dest, Role::left, Role::right}) {
        if (change(insn.insn.operand(role))) return check_static(b.program, bad);
      }
    }
    return std::string("nothing was changed");
  };
  using isa::OperandKind;
  // One use of an absolute register elsewhere; one on another's number; a relative one on its slot.
  CHECK(broken([&](isa::Operand& o) { return o.kind == OperandKind::gpr_absolute && (o.value += 16, true); }) != "");
  std::optional<isa::Operand> first;
  Program same = *p.program;
  for (IrInsn& insn : same.insns) {
    isa::Operand& o = insn.insn.dest;
    if (o.kind != OperandKind::gpr_absolute) continue;
    if (!first)
      first = o;
    else if (o.bank == first->bank)
      o = *first;
  }
  CHECK(check_static(b.program, same) != "");
  const auto slot = [&](isa::Operand& o) {
    return o.kind == OperandKind::gpr && (o.value = first->value % 16, o.bank = first->bank, true);
  };
  CHECK(broken(slot).find("is relative") != std::string::npos);
}

TEST_CASE("pins of every class hold, and impossible ones are refused") {
  Builder b;
  const VregId shared = b.reg("@shared", VregClass::gpr_absolute), near = b.reg("n$near", VregClass::neighbor);
  const VregId d0 = b.reg("$$d0", VregClass::xfer_d), d1 = b.reg("$$d1", VregClass::xfer_d), address = b.reg("address");
  const SignalId s = b.sig("s");
  b.group({d0, d1});
  const auto pin = [&](VregId v, uint32_t number, isa::Bank bank = isa::Bank::none) {
    b.program.vregs[static_cast<size_t>(v)].pinned = number;
    b.program.vregs[static_cast<size_t>(v)].pinned_bank = bank;
  };
  pin(shared, 69, isa::Bank::b);
  pin(address, 2, isa::Bank::a);
  pin(near, 7);
  pin(d0, 10);
  b.program.signals[0].pinned = 6;
  b.immed(shared);
  b.immed(address);
  b.immed(near);
  b.command(InsnId::dram_read, d0, address, 1, s, SignalMode::sig_done);
  b.wait({s});
  b.alu(address, d1, isa::AluOp::add, shared);
  b.alu(-1, near, isa::AluOp::add, address);
  b.halt();
  const Placed p = place(b);
  INFO(render_text(p.out));
  REQUIRE(p.program);
  CHECK(check_static(b.program, *p.program) == "");
  CHECK(p.program->insns[5].insn.left.value == 11);  // after the pinned first of its group
  CHECK(p.program->insns[5].insn.right ==
        isa::Operand{isa::OperandKind::gpr_absolute, isa::Bank::b, isa::Post::none, 69});
  CHECK(p.program->insns[4].insn[Role::signals] == 0b11000000);
  const auto code = [&] {
    const Placed bad = place(b);
    return bad.out.empty() ? std::string() : bad.out.list().front().code;
  };
  // A relative register on the slot of the shared one (69 = 5 + 4 x 16), an odd number for a doubled signal.
  pin(address, 5, isa::Bank::b);
  CHECK(code() != "");
  pin(address, 2, isa::Bank::a);
  b.program.signals[0].pinned = 7;
  CHECK(code() == "asm-pin-conflict");
  b.program.signals[0].pinned = 6;
  pin(d1, 12);
  CHECK(code() == "asm-pin-conflict");
  Builder wrong;  // the judge sees a pin that does not hold
  const VregId v = wrong.reg("v");
  wrong.immed(v);
  wrong.halt();
  const Placed q = place(wrong);
  REQUIRE(q.program);
  wrong.program.vregs[0].pinned = 9;
  CHECK(check_static(wrong.program, *q.program).find("pinned") != std::string::npos);
}

TEST_CASE("seven doubled signals and a single one are fifteen numbers") {
  for (const bool single_first : {true, false}) {
    Builder b;
    const VregId address = b.reg("address");
    b.immed(address);
    std::vector<SignalId> all;
    const auto single = [&] {
      all.push_back(b.sig("one"));
      b.command(InsnId::sram_read, b.reg("$x", VregClass::xfer_s), address, 1, all.back(), SignalMode::sig_done);
    };
    if (single_first) single();
    for (unsigned k = 0; k < 7; ++k) {
      const VregId low = b.reg(fmt::format("$$l{}", k), VregClass::xfer_d),
                   high = b.reg(fmt::format("$$h{}", k), VregClass::xfer_d);
      b.group({low, high});
      all.push_back(b.sig(fmt::format("two{}", k)));
      b.command(InsnId::dram_read, low, address, 1, all.back(), SignalMode::sig_done);
    }
    if (!single_first) single();
    b.wait(all);
    b.halt();
    const Placed p = place(b);
    INFO(render_text(p.out));
    REQUIRE(p.program);
    CHECK(check_static(b.program, *p.program) == "");
    CHECK(p.program->insns.end()[-2].insn[Role::signals] == 0xfffe);
    Random random(2);
    CHECK(simulate(b.program, *p.program, random, 100) == "");
    Program odd = *p.program;  // and the judge sees an odd pair
    for (IrInsn& insn : odd.insns) {
      if (insn.insn.id == InsnId::dram_read) insn.insn[Role::signal] ^= 1;
    }
    CHECK(check_static(b.program, odd).find("odd") != std::string::npos);
  }
}

TEST_CASE("groups find room in a row beside long single ranges") {
  // Singles are live over everything; groups of eight, four and three follow each other between them. 16 = 8 + 8.
  for (const unsigned singles : {0u, 5u, 8u}) {
    Builder b;
    const VregId address = b.reg("address");
    const SignalId s = b.sig("s");
    b.immed(address);
    std::vector<VregId> held;
    for (unsigned k = 0; k < singles; ++k) {
      held.push_back(b.reg(fmt::format("$s{}", k), VregClass::xfer_s));
      b.command(InsnId::sram_read, held.back(), address, 1, s, SignalMode::ctx_swap);
      // A group in between, so that the singles do not come in one row by themselves.
      const unsigned width = k % 3 == 0 ? 8 : k % 3 == 1 ? 4 : 3;
      std::vector<VregId> members;
      for (unsigned m = 0; m < width; ++m) members.push_back(b.reg(fmt::format("$g{}_{}", k, m), VregClass::xfer_s));
      b.group(members);
      b.command(InsnId::sram_read, members[0], address, width, s, SignalMode::ctx_swap);
      for (VregId m : members) b.alu(-1, -1, isa::AluOp::b, m);
    }
    std::vector<VregId> last;
    for (unsigned m = 0; m < 8; ++m) last.push_back(b.reg(fmt::format("$z{}", m), VregClass::xfer_s));
    b.group(last);
    b.command(InsnId::sram_read, last[0], address, 8, s, SignalMode::ctx_swap);
    for (VregId m : last) b.alu(-1, -1, isa::AluOp::b, m);
    for (VregId h : held) b.alu(-1, -1, isa::AluOp::b, h);
    b.halt();
    const Placed p = place(b);
    INFO(singles << render_text(p.out));
    REQUIRE(p.program);
    CHECK(check_static(b.program, *p.program) == "");
    Random random(singles + 1);
    CHECK(simulate(b.program, *p.program, random, 400) == "");
    Program apart = *p.program;  // a member read from elsewhere is seen
    apart.insns.end()[-2 - static_cast<std::ptrdiff_t>(held.size())].insn.right.value ^= 1;
    CHECK(simulate(b.program, apart, random, 400) != "");
  }
}
