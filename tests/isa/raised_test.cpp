// Which signals words raise without a command: little programs whose answer is clear by reading them.
#include "weft/isa/raised.h"

#include <catch2/catch.hpp>

#include "little_programs.h"

namespace weft::isa_test {
namespace {

Instruction constant(Operand dest, uint32_t value) {
  Instruction insn = nop();
  insn.dest = dest;
  insn[Role::value] = value;
  return insn;
}
Instruction alu(Operand dest, Operand left, AluOp of, Operand right) {
  Instruction insn = move(dest, right);
  insn.left = left;
  insn[Role::op] = static_cast<uint32_t>(of);
  return insn;
}
Instruction shifted(Operand dest, Operand left, AluOp of, Operand right, ShiftKind kind, uint32_t amount) {
  Instruction insn = alu(dest, left, of, right);
  insn.id = InsnId::alu_shf;
  insn[Role::shift] = static_cast<uint32_t>(kind);
  insn[Role::amount] = amount;
  return insn;
}
Instruction write(Csr to, Operand value) {
  Instruction insn = csr(InsnId::local_csr_wr, to);
  insn.left = value;
  return insn;
}
Operand number(uint32_t value) { return op(OperandKind::constant, value); }
Instruction raise(Operand value) { return write(Csr::same_me_signal, value); }
RaisedSignals of(const Little& p, unsigned gprs = 16) { return raised_signals(Profile::me2, p, gprs); }
uint16_t own(const Little& p) { return of(p).own; }
constexpr uint16_t bit(unsigned n) { return static_cast<uint16_t>(1u << n); }

}  // namespace

TEST_CASE("the number of a signal is a constant, or one that a register holds") {
  CHECK(own({raise(number(5 << 3)), kill()}) == bit(5));
  CHECK(own({raise(number(5 << 3 | 0x80 | 7)), kill()}) == bit(5));
  CHECK(own({constant(a(1), 6 << 3), raise(a(1)), kill()}) == bit(6));
  CHECK(own({raise(a(1)), kill()}) == RaisedSignals::kAll);
  CHECK(own({constant(a(1), 0), raise(a(1)), kill()}) == 0);  // number 0 is none
}

TEST_CASE("a context in other bits does not matter") {
  // Seven known bits of a register of which nothing is known but that three of them are left.
  CHECK(own({alu(a(1), a(2), AluOp::and_, number(7)), constant(b(1), 9 << 3), alu(a(1), a(1), AluOp::or_, b(1)),
             raise(a(1)), kill()}) == bit(9));
  CHECK(own({alu(a(1), a(2), AluOp::and_, number(15)), constant(b(1), 9 << 3), alu(a(1), a(1), AluOp::or_, b(1)),
             raise(a(1)), kill()}) == (bit(9)));
  CHECK(own({alu(a(1), a(2), AluOp::and_, number(15)), constant(b(1), 8 << 3), alu(a(1), a(1), AluOp::or_, b(1)),
             raise(a(1)), kill()}) == (bit(8) | bit(9)));
  CHECK(own({constant(b(1), 3), shifted(a(1), op(OperandKind::absent, 0), AluOp::b, b(1), ShiftKind::left, 3),
             raise(a(1)), kill()}) == bit(3));
  CHECK(own({constant(b(1), 0x70), shifted(a(1), number(1), AluOp::or_, b(1), ShiftKind::right, 1), raise(a(1)),
             kill()}) == bit(7));
  CHECK(own({constant(b(1), 0x18), alu(a(1), number(8), AluOp::add, b(1)), raise(a(1)), kill()}) == bit(4));
  CHECK(own({constant(b(1), 0x18), alu(a(1), b(1), AluOp::and_not, number(8)), raise(a(1)), kill()}) == bit(2));
  // 9 << 3, plus 0 to 7: nothing is carried. Plus 0 to 15: it may be.
  CHECK(own({alu(a(1), a(2), AluOp::and_, number(7)), constant(b(1), 9 << 3), alu(a(1), a(1), AluOp::add, b(1)),
             raise(a(1)), kill()}) == bit(9));
  CHECK(own({alu(a(1), a(2), AluOp::and_, number(15)), constant(b(1), 8 << 3), alu(a(1), a(1), AluOp::add, b(1)),
             raise(a(1)), kill()}) == (bit(8) | bit(9)));
  // 16 to 23 less 8 is 8 to 15.
  CHECK(own({alu(a(1), a(2), AluOp::and_, number(7)), alu(a(1), a(1), AluOp::or_, number(16)),
             alu(a(1), a(1), AluOp::sub, number(8)), raise(a(1)), kill()}) == bit(1));
}

TEST_CASE("where ways meet a register holds what it holds on each of them") {
  CHECK(own({beq(3), constant(a(1), 4 << 3), br(4), constant(a(1), 5 << 3), raise(a(1)), kill()}) == (bit(4) | bit(5)));
  CHECK(own({beq(3), constant(a(1), 4 << 3), br(4), nop(), raise(a(1)), kill()}) == RaisedSignals::kAll);
  // In a loop, what it makes of itself.
  CHECK(own({constant(a(1), 4 << 3), raise(a(1)), alu(a(1), a(1), AluOp::or_, number(8)), br(1)}) == (bit(4) | bit(5)));
}

TEST_CASE("a register that others may change, or of another context, is not known") {
  const Operand absolute{OperandKind::gpr_absolute, Bank::a, Post::none, 0x21};
  CHECK(own({constant(a(1), 4 << 3), raise(a(1)), constant(absolute, 1), kill()}) == RaisedSignals::kAll);
  CHECK(own({constant(absolute, 4 << 3), raise(absolute), kill()}) == RaisedSignals::kAll);
  // What the word before has read takes the place of the constant.
  CHECK(own({csr(InsnId::local_csr_rd, Csr::active_ctx_sts), constant(a(1), 0), raise(a(1)), kill()}) ==
        RaisedSignals::kAll);
  // A return may go anywhere.
  CHECK(own({constant(a(1), 4 << 3), raise(a(1)), rtn(), constant(a(1), 2 << 3), br(1)}) != bit(4));
}

TEST_CASE("what a context that comes from outside must have in its registers") {
  const auto stands = [](const RaisedSignals& raised, uint32_t at, uint32_t in_a1, uint32_t in_b1) {
    const std::vector<uint32_t> a{0, in_a1}, b{0, in_b1};
    return raised.may_stand_at(at, a, b);
  };
  const RaisedSignals raised =
      of({constant(a(1), 4 << 3), constant(b(1), 1), alu(a(1), a(1), AluOp::or_, b(1)), raise(a(1)), br(1)});
  REQUIRE(raised.own == bit(4));
  CHECK(stands(raised, 0, 77, 77));
  CHECK(stands(raised, 1, 4 << 3, 77));
  CHECK(!stands(raised, 1, 5 << 3, 77));
  CHECK(stands(raised, 2, 4 << 3, 1));
  CHECK(!stands(raised, 2, 4 << 3, 8));
  CHECK(!stands(raised, 3, 4 << 3 | 8, 1));
  CHECK(stands(raised, 9, 77, 77));  // nothing is there
  // Behind the last word that asks for it a register may be anything.
  const RaisedSignals once = of({constant(a(1), 4 << 3), raise(a(1)), move(b(1), a(1)), kill()});
  CHECK(stands(once, 2, 77, 77));
  CHECK(!stands(once, 1, 77, 77));
  // The numbers do not count on registers of which nothing is known; and no context comes to word 3.
  CHECK(stands(of({raise(a(1)), br(0)}), 1, 77, 77));
  const RaisedSignals skipped = of({constant(a(1), 4 << 3), br(4), nop(), nop(), raise(a(1)), br(1)});
  REQUIRE(skipped.own == bit(4));
  CHECK(!stands(skipped, 3, 4 << 3, 0));
}

TEST_CASE("with another number of contexts registers are others") {
  const auto all = [](const RaisedSignals& r) {
    return r.own == RaisedSignals::kAll && r.next == RaisedSignals::kAll && r.previous == RaisedSignals::kAll;
  };
  const Little eight{write(Csr::ctx_enables, number(0xff00)), kill()};
  CHECK(of(eight).own == 0);
  CHECK(all(of(eight, 32)));
  const Little four{constant(a(1), 0), alu(a(1), a(1), AluOp::or_, number(0x80000000)), write(Csr::ctx_enables, a(1)),
                    kill()};
  CHECK(all(of(four)));
  CHECK(of(four, 32).own == 0);
  CHECK(all(of({write(Csr::ctx_enables, a(1)), kill()})));
}

TEST_CASE("neighbors, future counts and events") {
  const RaisedSignals next = of({write(Csr::next_neighbor_signal, number(5 << 3)), kill()});
  CHECK((next.own == 0 && next.next == bit(5) && next.previous == 0));
  const RaisedSignals previous = of({write(Csr::prev_neighbor_signal, number(5 << 3)), kill()});
  CHECK((previous.own == 0 && previous.next == 0 && previous.previous == bit(5)));
  CHECK(own({write(Csr::active_future_count_signal, number(7)), kill()}) == bit(7));
  CHECK(own({write(Csr::active_ctx_sig_events, number(0)), kill()}) == RaisedSignals::kAll);
  CHECK(own({write(Csr::indirect_ctx_wakeup_events, number(0)), kill()}) == RaisedSignals::kAll);
  CHECK(own({write(Csr::ctx_enables, number(0)), kill()}) == 0);
  CHECK(own({write(Csr::active_lm_addr_0, a(1)), kill()}) == 0);
}

}  // namespace weft::isa_test
