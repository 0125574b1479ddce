// The encoder on hand-built programs: late constants, imports, ranges, raw words.
#include "output/encoder.h"

#include <catch2/catch.hpp>

#include "allocator_support.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::test;
using isa::InsnId;
using isa::Role;
using Op = LateExpr::Op;
using Part = image::ImportUse::Part;

namespace {

LateExpr number(int64_t n) {
  LateExpr e;
  e.number = n;
  return e;
}
LateExpr import_of(std::string name) {
  LateExpr e;
  e.op = Op::import_value;
  e.import = std::move(name);
  return e;
}
LateExpr make(Op op, std::vector<LateExpr> args) {
  LateExpr e;
  e.op = op;
  e.args = std::move(args);
  return e;
}

struct Outcome {
  Encoded encoded;
  Diagnostics diagnostics;
};

/// One instruction with this late value, then halt.
Outcome encode_late(InsnId id, Role role, LateExpr value) {
  Builder b;
  IrInsn& insn = b.add(id);
  insn.insn.dest = {isa::OperandKind::gpr, isa::Bank::a, isa::Post::none, 5};
  insn.late_value.emplace(role, std::move(value));
  b.halt();
  Outcome o;
  o.encoded = encode(b.program, Numbers(b.program, Allocation{}), b.sources, o.diagnostics);
  return o;
}

uint64_t word_of(LateExpr value) {
  const Outcome o = encode_late(InsnId::immed, Role::value, std::move(value));
  CHECK(o.diagnostics.empty());
  return o.encoded.words.at(0);
}

std::string code_of(const Outcome& o) { return o.diagnostics.empty() ? "" : o.diagnostics.list()[0].code; }

}  // namespace

TEST_CASE("late expressions are evaluated like written ones") {
  const uint64_t immed_0x30 = 0xf0000cc005;  // immed[a5, 0x30], isa.md 4.1
  CHECK(word_of(number(0x30)) == immed_0x30);
  CHECK(word_of(make(Op::add, {number(0x31), number(-1)})) == immed_0x30);
  CHECK(word_of(make(Op::shl, {number(3), number(4)})) == immed_0x30);
  CHECK(word_of(make(Op::shr, {number(0x300), number(4)})) == immed_0x30);
  CHECK(word_of(make(Op::bit_or, {number(0x10), number(0x20)})) == immed_0x30);
  CHECK(word_of(make(Op::bit_and, {number(0xf0), number(0x3f)})) == immed_0x30);
  CHECK(word_of(make(Op::bit_xor, {number(0xff), number(0xcf)})) == immed_0x30);
  CHECK(word_of(make(Op::mul, {number(6), number(8)})) == immed_0x30);
  CHECK(word_of(make(Op::div, {number(97), number(2)})) == immed_0x30);
  CHECK(word_of(make(Op::mod, {number(148), number(100)})) == immed_0x30);
  CHECK(word_of(make(Op::bit_not, {make(Op::neg, {number(0x31)})})) == immed_0x30);
  CHECK(word_of(make(Op::add, {make(Op::log_not, {number(0)}), number(0x2f)})) == immed_0x30);
}

TEST_CASE("an immed takes every value that shift and complement reach") {
  for (const uint32_t value :
       {0u, 0xffffu, 0xabcd00u, 0xabcd0000u, 0xffffffffu, 0xffff1234u, 0xff1234ffu, 0x1234ffffu}) {
    isa::Instruction insn;
    insn.id = InsnId::immed;
    REQUIRE(set_immediate(insn, value));
    const uint32_t made = insn[Role::value] << insn[Role::amount];
    CHECK((insn[Role::invert] != 0 ? ~made : made) == value);
    CHECK(insn[Role::value] <= 0xffff);
    CHECK(isa::encode(isa::Profile::me2, insn));
  }
  isa::Instruction insn;
  insn.id = InsnId::immed;
  CHECK_FALSE(set_immediate(insn, 0x12345678));
  CHECK(code_of(encode_late(InsnId::immed, Role::value, number(0x12345678))) == "asm-constant-range");
}

TEST_CASE("import variables become uses with part and addend") {
  const auto use = [](InsnId id, LateExpr e) {
    const Outcome o = encode_late(id, Role::value, std::move(e));
    REQUIRE(o.diagnostics.empty());
    REQUIRE(o.encoded.uses.size() == 1);
    return o.encoded.uses[0];
  };
  const image::ImportUse whole = use(InsnId::immed, import_of("i$x"));
  CHECK(whole.name == "i$x");
  CHECK(whole.part == Part::whole16);
  const image::ImportUse low =
      use(InsnId::immed, make(Op::bit_and, {make(Op::add, {import_of("i$x"), number(8)}), number(0xffff)}));
  CHECK(low.part == Part::low16);
  CHECK(low.addend == 8);
  const image::ImportUse high =
      use(InsnId::immed_w1, make(Op::shr, {make(Op::sub, {import_of("i$x"), number(4)}), number(16)}));
  CHECK(high.part == Part::high16);
  CHECK(high.addend == -4);
  CHECK(
      use(InsnId::immed_w1, make(Op::bit_and, {make(Op::shr, {import_of("i$x"), number(16)}), number(0xffff)})).part ==
      Part::high16);
  CHECK(use(InsnId::immed_w0, import_of("i$x")).part == Part::low16);
}

TEST_CASE("what the linker cannot compute is refused") {
  for (const LateExpr& e :
       {make(Op::shl, {import_of("i$x"), number(2)}), make(Op::add, {import_of("i$x"), import_of("i$y")}),
        make(Op::shr, {import_of("i$x"), number(8)}), make(Op::sub, {number(1), import_of("i$x")}),
        make(Op::bit_not, {import_of("i$x")}), make(Op::div, {number(1), number(0)}),
        make(Op::shl, {number(1), number(64)})}) {
    CHECK(code_of(encode_late(InsnId::immed, Role::value, e)) == "asm-late-constant");
  }
  CHECK(code_of(encode_late(InsnId::immed_b0, Role::value, number(256))) == "asm-constant-range");
  CHECK(code_of(encode_late(InsnId::immed_w0, Role::value, number(-1))) == "asm-constant-range");
}

TEST_CASE("a late source must fit its eight bits") {
  Builder b;
  IrInsn& insn = b.add(InsnId::alu);
  insn.insn.dest = {isa::OperandKind::gpr, isa::Bank::a, isa::Post::none, 5};
  insn.late[static_cast<size_t>(Role::right)] = number(256);
  b.halt();
  Diagnostics out;
  encode(b.program, Numbers(b.program, Allocation{}), b.sources, out);
  REQUIRE(out.size() == 1);
  CHECK(out.list()[0].code == "asm-constant-range");
}

TEST_CASE("raw words stand as they are, targets become addresses") {
  Builder b;
  const LabelId end = b.label("end#");
  b.branch(InsnId::beq, end);
  b.add(InsnId::immed);
  b.program.raw_words = {{1, 0x123456789a}};
  b.place(end);
  b.halt();
  Diagnostics out;
  const Encoded e = encode(b.program, Numbers(b.program, Allocation{}), b.sources, out);
  CHECK(out.empty());
  CHECK(e.words == std::vector<uint64_t>{0xd800800100, 0x123456789a, 0xe000020000});
}
