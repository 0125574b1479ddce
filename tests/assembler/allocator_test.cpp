// The allocator: hand-built cases, and random programs judged by the independent simulation.
#include <catch2/catch.hpp>
#include <chrono>

#include "allocator_support.h"
#include "checker/checker.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::test;
using isa::AluOp;
using isa::Bank;
using isa::InsnId;
using isa::Role;
using isa::SignalMode;

namespace {

struct Outcome {
  std::optional<Allocation> allocation;
  std::optional<Program> placed;
  Diagnostics diagnostics;
};

Outcome run(Builder& b) {
  Outcome o;
  mark_doubled_signals(b.program);
  const Flow flow(b.program);
  o.allocation = allocate(b.program, flow, b.sources, o.diagnostics);
  if (o.allocation) o.placed = with_places(b.program, *o.allocation);
  return o;
}

std::string first_code(const Outcome& o) { return o.diagnostics.empty() ? "" : o.diagnostics.list().front().code; }
std::string first_text(const Outcome& o) { return o.diagnostics.empty() ? "" : o.diagnostics.list().front().text; }

/// Random but sound: labels anywhere, sources from two classes (so that banks exist), commands awaited a little later.
void random_program(Builder& b, Random& random, unsigned size, unsigned names) {
  std::vector<VregId> even, odd, all;
  for (unsigned i = 0; i < names; ++i) {
    all.push_back(b.reg("r" + std::to_string(i)));
    (i % 2 == 0 ? even : odd).push_back(all.back());
  }
  for (unsigned i = 0; i < 3; ++i) {
    const VregId v = b.reg("@g" + std::to_string(i), VregClass::gpr_absolute);
    (i % 2 == 0 ? even : odd).push_back(v);
    all.push_back(v);
  }
  std::vector<std::vector<VregId>> groups;
  for (unsigned g = 0; g < 5; ++g) {
    std::vector<VregId> members;
    const unsigned width = 1 + static_cast<unsigned>(random.below(4));
    const VregClass cls = g < 3 ? VregClass::xfer_s : VregClass::xfer_d;
    const unsigned longwords = cls == VregClass::xfer_d ? 2 * ((width + 1) / 2) : width;
    for (unsigned k = 0; k < longwords; ++k) {
      members.push_back(
          b.reg((cls == VregClass::xfer_s ? "$g" : "$$g") + std::to_string(g) + "_" + std::to_string(k), cls));
    }
    b.group(members);
    groups.push_back(members);
  }
  std::vector<SignalId> signals;
  for (unsigned i = 0; i < 6; ++i) signals.push_back(b.sig("s" + std::to_string(i)));
  std::vector<LabelId> labels;
  for (unsigned i = 0; i < size / 8 + 1; ++i) labels.push_back(b.label("l" + std::to_string(i) + "#"));
  std::vector<uint32_t> at;
  for (size_t i = 0; i < labels.size(); ++i) at.push_back(static_cast<uint32_t>(random.below(size)));
  std::sort(at.begin(), at.end());

  const auto pick = [&](const std::vector<VregId>& from) { return from[random.below(from.size())]; };
  const auto compute = [&] {
    switch (random.below(4)) {
      case 0: b.immed(pick(all), 7); break;
      case 1: b.alu(pick(all), -1, AluOp::b, pick(all)); break;
      default: b.alu(pick(all), pick(even), AluOp::add, pick(odd)); break;
    }
  };
  for (VregId v : all) b.immed(v, 1);
  size_t next_label = 0;
  const auto start = static_cast<uint32_t>(b.program.insns.size());
  while (b.program.insns.size() - start < size) {
    const auto here = static_cast<uint32_t>(b.program.insns.size()) - start;
    while (next_label < labels.size() && at[next_label] <= here) b.place(labels[next_label++]);
    switch (random.below(8)) {
      case 0: {
        const unsigned defer = static_cast<unsigned>(random.below(3));
        b.branch(random.chance(1, 6) ? InsnId::br : InsnId::beq, labels[random.below(labels.size())], defer);
        for (unsigned k = 0; k < defer; ++k) compute();
        break;
      }
      case 1: {  // read, await, use
        const auto& group = groups[random.below(groups.size())];
        const bool d = b.program.vregs[static_cast<size_t>(group[0])].cls == VregClass::xfer_d;
        const auto count = static_cast<unsigned>(d ? group.size() / 2 : group.size());
        const SignalId s = signals[random.below(3) + (d ? 3 : 0)];
        b.command(d ? InsnId::dram_read : InsnId::sram_read, group[0], pick(even), count, s, SignalMode::sig_done);
        for (uint64_t k = random.below(3); k > 0; --k) compute();
        b.wait({s});
        if (random.chance(3, 4)) b.alu(pick(all), -1, AluOp::b, pick(group));
        break;
      }
      case 2: {  // fill, write, await
        const auto& group = groups[random.below(3)];
        for (VregId v : group) b.alu(v, -1, AluOp::b, pick(all));
        const SignalId s = signals[random.below(3)];
        b.command(InsnId::scratch_write, group[0], pick(even), static_cast<unsigned>(group.size()), s,
                  random.chance(1, 2) ? SignalMode::sig_done : SignalMode::ctx_swap);
        if (b.program.insns.back().insn[Role::signal_mode] == static_cast<uint32_t>(SignalMode::sig_done)) {
          for (uint64_t k = random.below(4); k > 0; --k) compute();
          b.wait({s});
        }
        break;
      }
      default: compute(); break;
    }
  }
  while (next_label < labels.size()) b.place(labels[next_label++]);
  b.halt();
}

/// It is placed, and the operands fit.
Outcome run_checked(Builder& b) {
  Outcome o = run(b);
  REQUIRE(o.placed);
  CHECK(check_static(b.program, *o.placed) == "");
  return o;
}

/// A program that holds so many registers at once.
void use_at_once(Builder& b, int count) {
  std::vector<VregId> regs;
  for (int i = 0; i < count; ++i) regs.push_back(b.reg("r" + std::to_string(i)));
  for (VregId v : regs) b.immed(v);
  for (VregId v : regs) b.alu(-1, -1, AluOp::b, v);
  b.halt();
}

}  // namespace

TEST_CASE("the two sources of an instruction come from different banks") {
  Builder b;
  const VregId x = b.reg("x"), y = b.reg("y"), z = b.reg("z");
  b.immed(x);
  b.immed(y);
  b.alu(z, x, AluOp::add, y);
  b.alu(z, z, AluOp::add, y);
  b.alu(-1, z, AluOp::sub, y);
  b.halt();
  const Outcome o = run_checked(b);
  CHECK(o.placed->insns[2].insn.left.bank != o.placed->insns[2].insn.right.bank);
  CHECK(o.placed->insns[0].insn.dest == o.placed->insns[2].insn.left);
}

TEST_CASE("a cycle of source pairs is reported with its links and a cure") {
  Builder b;
  const VregId x = b.reg("x"), y = b.reg("y"), z = b.reg("z");
  for (VregId v : {x, y, z}) b.immed(v);
  b.alu(-1, x, AluOp::add, y);
  b.alu(-1, y, AluOp::add, z);
  b.alu(-1, z, AluOp::add, x);
  b.halt();
  const Outcome o = run(b);
  REQUIRE_FALSE(o.placed);
  REQUIRE(o.diagnostics.size() == 1);
  const Diagnostic& d = o.diagnostics.list()[0];
  CHECK(d.code == "asm-bank-conflict");
  CHECK(d.range.begin.line == 6);
  CHECK(d.text.find("'z' and 'x'") != std::string::npos);
  REQUIRE(d.notes.size() == 2);
  CHECK(d.notes[0].range.begin.line + d.notes[1].range.begin.line == 4 + 5);
  CHECK(d.remedy.find("alu[copy, --, B, x]") != std::string::npos);
}

TEST_CASE("one register cannot be both sources") {
  Builder b;
  const VregId x = b.reg("x");
  b.immed(x);
  b.alu(x, x, AluOp::add, x);
  b.halt();
  CHECK(first_code(run(b)) == "asm-bank-conflict");
}

TEST_CASE("a name with two unrelated lives may sit in two banks") {
  // x pairs with y first, then y and z pair, then a fresh x pairs with z and y's bank: only webs can do this.
  Builder b;
  const VregId x = b.reg("x"), y = b.reg("y"), z = b.reg("z");
  b.immed(x);
  b.immed(y);
  b.alu(-1, x, AluOp::add, y);
  b.immed(z);
  b.alu(-1, y, AluOp::add, z);
  b.immed(x);
  b.alu(-1, x, AluOp::add, z);
  b.halt();
  const Outcome o = run_checked(b);
  CHECK(o.placed->insns[0].insn.dest.bank != o.placed->insns[5].insn.dest.bank);
}

TEST_CASE("too many registers at once: where, who, and how many") {
  Builder b;
  use_at_once(b, 33);
  const Outcome o = run(b);
  REQUIRE_FALSE(o.placed);
  CHECK(first_code(o) == "asm-no-register");
  CHECK(first_text(o).find("17 are needed") != std::string::npos);
  CHECK(first_text(o).find("there are 16") != std::string::npos);
  CHECK(first_text(o).find("r0") != std::string::npos);

  b.program.contexts = 4;  // 32 per bank
  CHECK(run(b).placed);
}

TEST_CASE("32 registers fill both banks to the last") {
  Builder b;
  use_at_once(b, 32);
  const Outcome o = run(b);
  REQUIRE(o.placed);
  Random random(1);
  CHECK(simulate(b.program, *o.placed, random, 1000) == "");
}

TEST_CASE("an absolute register costs one relative slot, eight of them no more") {
  for (const unsigned absolutes : {1u, 16u, 17u}) {
    Builder b;
    std::vector<VregId> regs;
    for (unsigned i = 0; i < absolutes; ++i) regs.push_back(b.reg("@a" + std::to_string(i), VregClass::gpr_absolute));
    const unsigned relative = absolutes == 1 ? 31 : absolutes == 16 ? 30 : 29;
    for (unsigned i = 0; i < relative; ++i) regs.push_back(b.reg("r" + std::to_string(i)));
    for (VregId v : regs) b.immed(v);
    for (VregId v : regs) b.alu(-1, -1, AluOp::b, v);
    b.halt();
    CAPTURE(absolutes);
    const Outcome o = run(b);
    CAPTURE(first_text(o));
    REQUIRE(o.placed);
    CHECK(check_static(b.program, *o.placed) == "");
  }
}

TEST_CASE("deferred slots execute before the branch takes effect") {
  // y is set in the slot and read at the target: it must not share a place with x, which the target reads as well.
  Builder b;
  const VregId x = b.reg("x"), y = b.reg("y");
  const LabelId there = b.label("there#");
  b.immed(x);
  b.branch(InsnId::br, there, 1);
  b.immed(y);
  b.halt();
  b.place(there);
  b.alu(-1, x, AluOp::add, y);
  b.halt();
  const Flow flow(b.program);
  REQUIRE(flow.next(1).size() == 1);
  CHECK(flow.next(1)[0] == 2);
  REQUIRE(flow.next(2).size() == 1);
  CHECK(flow.next(2)[0] == 4);
  CHECK_FALSE(flow.reached(3));
  CHECK(flow.shadow_of(2) == 1);
  const Outcome o = run(b);
  REQUIRE(o.placed);
  CHECK_FALSE(o.placed->insns[0].insn.dest == o.placed->insns[2].insn.dest);
}

TEST_CASE("a label within the deferred slots lets control pass on after them") {
  Builder b;
  const LabelId in = b.label("in#"), there = b.label("there#");
  b.branch(InsnId::br, there, 1);
  b.place(in);
  b.immed(-1);
  b.halt();
  b.place(there);
  b.branch(InsnId::br, in);
  const Flow flow(b.program);
  CHECK(flow.next(1).size() == 2);
}

TEST_CASE("a transfer register belongs to its command until the signal has been awaited") {
  Builder b;
  const VregId in = b.reg("$in", VregClass::xfer_s), other = b.reg("$other", VregClass::xfer_s),
               address = b.reg("address");
  const SignalId s = b.sig("s"), t = b.sig("t");
  b.immed(address);
  b.command(InsnId::sram_read, in, address, 1, s, SignalMode::sig_done);  // never used, but still on its way
  b.command(InsnId::sram_read, other, address, 1, t, SignalMode::sig_done);
  b.wait({t});
  b.alu(-1, -1, AluOp::b, other);
  b.wait({s});
  b.halt();
  const Outcome o = run(b);
  REQUIRE(o.placed);
  CHECK(o.placed->insns[1].insn.xfer.value != o.placed->insns[2].insn.xfer.value);
  CHECK(o.placed->insns[1].insn[Role::signal] != o.placed->insns[2].insn[Role::signal]);
}

TEST_CASE("read and write halves are apart, after the wait a place is free again") {
  Builder b;
  const VregId x = b.reg("$x", VregClass::xfer_s), y = b.reg("$y", VregClass::xfer_s), address = b.reg("address");
  const SignalId s = b.sig("s");
  b.immed(address);
  b.immed(x);
  b.command(InsnId::sram_write, x, address, 1, s, SignalMode::ctx_swap);
  b.immed(y);
  b.command(InsnId::sram_write, y, address, 1, s, SignalMode::ctx_swap);
  b.halt();
  const Outcome o = run(b);
  REQUIRE(o.placed);
  CHECK(o.placed->insns[2].insn.xfer.value == 0);
  CHECK(o.placed->insns[4].insn.xfer.value == 0);
}

TEST_CASE("a command that takes and fills uses one number for both halves") {
  Builder b;
  const VregId pad = b.reg("$pad", VregClass::xfer_s), x = b.reg("$x", VregClass::xfer_s), address = b.reg("address");
  const SignalId s = b.sig("s"), t = b.sig("t");
  b.immed(address);
  b.immed(pad);
  b.immed(x);
  b.command(InsnId::sram_test_and_set, x, address, 1, s, SignalMode::sig_done);
  b.wait({s});
  b.alu(address, -1, AluOp::b, x);
  b.command(InsnId::sram_write, pad, address, 1, t, SignalMode::ctx_swap);
  b.halt();
  const Outcome o = run(b);
  REQUIRE(o.placed);
  CHECK(o.placed->insns[2].insn.dest.value == o.placed->insns[3].insn.xfer.value);
  CHECK(o.placed->insns[5].insn.right.value == o.placed->insns[3].insn.xfer.value);
  CHECK(o.placed->insns[3].insn[Role::signal] % 2 == 0);  // two signals: an even number
  const uint32_t n = o.placed->insns[3].insn[Role::signal];
  CHECK(o.placed->insns[4].insn[Role::signals] == (3u << n));
}

TEST_CASE("a count above one needs an order, and the message offers one") {
  Builder b;
  const VregId x = b.reg("$x", VregClass::xfer_s), address = b.reg("address");
  b.reg("$y", VregClass::xfer_s);
  b.program.vregs[0].declared = b.program.vregs[2].declared = {0, 1, 1, 1, 0};
  std::swap(b.program.vregs[1], b.program.vregs[2]);
  const SignalId s = b.sig("s");
  const VregId addr = 2;
  (void)address;
  b.immed(addr);
  b.command(InsnId::sram_read, x, addr, 2, s, SignalMode::ctx_swap);
  b.halt();
  const Outcome o = run(b);
  REQUIRE_FALSE(o.placed);
  CHECK(first_code(o) == "asm-xfer-order-missing");
  REQUIRE(o.diagnostics.list()[0].fixits.size() == 1);
  CHECK(o.diagnostics.list()[0].fixits[0].replacement == ".xfer_order $x $y\n");
}

TEST_CASE("pins are respected, and impossible pins are reported") {
  Builder b;
  const VregId x = b.reg("x"), y = b.reg("y"), t = b.reg("$t", VregClass::xfer_s);
  const SignalId s = b.sig("s");
  b.program.vregs[0].pinned = 7;
  b.program.vregs[0].pinned_bank = Bank::b;
  b.program.vregs[1].pinned = 7;
  b.program.vregs[1].pinned_bank = Bank::a;
  b.program.vregs[2].pinned = 9;
  b.program.signals[0].pinned = 11;
  b.immed(x);
  b.immed(y);
  b.alu(t, x, AluOp::add, y);
  b.command(InsnId::sram_write, t, x, 1, s, SignalMode::ctx_swap);
  b.halt();
  const Outcome o = run(b);
  REQUIRE(o.placed);
  CHECK(o.placed->insns[2].insn.left == isa::Operand{isa::OperandKind::gpr, Bank::b, isa::Post::none, 7});
  CHECK(o.placed->insns[2].insn.right == isa::Operand{isa::OperandKind::gpr, Bank::a, isa::Post::none, 7});
  CHECK(o.placed->insns[2].insn.dest.value == 9);
  CHECK(o.placed->insns[3].insn.xfer.value == 9);
  CHECK(o.placed->insns[3].insn[Role::signal] == 11);
  b.program.vregs[1].pinned_bank = Bank::b;
  CHECK(first_code(run(b)) == "asm-bank-conflict");
  b.program.vregs[1].pinned_bank = Bank::a;
  b.program.vregs[2].pinned = 16;
  CHECK(first_code(run(b)) == "asm-pin-conflict");
}

TEST_CASE("more than fifteen signals at once are reported") {
  Builder b;
  const VregId x = b.reg("$x", VregClass::xfer_s), address = b.reg("address");
  b.immed(address);
  std::vector<SignalId> all;
  for (int i = 0; i < 16; ++i) {
    all.push_back(b.sig("s" + std::to_string(i)));
    b.command(InsnId::sram_read, x, address, 1, all.back(), SignalMode::sig_done);
  }
  b.wait(all);
  b.halt();
  const Outcome o = run(b);
  CHECK(first_code(o) == "asm-no-register");
  CHECK(first_text(o).find("16 are needed") != std::string::npos);
}

TEST_CASE("a volatile register keeps its place in its whole scope") {
  Builder b;
  const VregId v = b.reg("v");
  b.program.vregs[0].is_volatile = true;
  std::vector<VregId> others;
  for (int i = 0; i < 8; ++i) others.push_back(b.reg("r" + std::to_string(i)));
  b.immed(v);
  for (VregId r : others) {
    b.immed(r);
    b.alu(-1, -1, AluOp::b, r);
  }
  b.halt();
  const Outcome o = run(b);
  REQUIRE(o.placed);
  for (size_t i = 1; i + 1 < b.program.insns.size(); i += 2)
    CHECK_FALSE(o.placed->insns[i].insn.dest == o.placed->insns[0].insn.dest);
}

TEST_CASE("a register that only hardware writes keeps its place beside its group") {
  // The number of $status0 goes out as a value; $status1 is written after it and never named.
  Builder b;
  const VregId status0 = b.reg("$status0", VregClass::xfer_s), status1 = b.reg("$status1", VregClass::xfer_s);
  const VregId other = b.reg("$other", VregClass::xfer_s), a = b.reg("a");
  b.group({status0, status1});
  const bool is_volatile = GENERATE(true, false);
  b.program.vregs[0].is_volatile = b.program.vregs[1].is_volatile = is_volatile;
  const SignalId s = b.sig("s");
  LateExpr number;
  number.op = LateExpr::Op::xfer_number;
  number.symbol = status0;
  b.immed(a).late_value.emplace(Role::value, number);
  b.command(InsnId::sram_read, other, a, 1, s, SignalMode::ctx_swap);
  b.alu(-1, -1, AluOp::b, other);
  b.alu(-1, -1, AluOp::b, status0);
  b.halt();
  const Outcome o = run(b);
  REQUIRE(o.placed);
  const uint32_t first = o.placed->insns[3].insn.right.value;
  CHECK(o.placed->insns[1].insn.xfer.value != first);
  CHECK(o.placed->insns[1].insn.xfer.value != first + 1);
}

TEST_CASE("reads of what nobody set are found, maybe-unset is a warning") {
  Builder b;
  const VregId x = b.reg("x"), y = b.reg("y");
  const LabelId skip = b.label("skip#");
  b.alu(-1, -1, AluOp::b, x);
  b.branch(InsnId::beq, skip);
  b.immed(y);
  b.place(skip);
  b.alu(-1, -1, AluOp::b, y);
  b.halt();
  const Flow flow(b.program);
  Diagnostics out;
  check_undefined(b.program, analyse_liveness(b.program, flow), b.sources, out);
  REQUIRE(out.size() == 2);
  CHECK(out.list()[0].code == "asm-never-set");
  CHECK(out.list()[0].severity == Severity::error);
  CHECK(out.list()[1].code == "asm-maybe-unset");
  CHECK(out.list()[1].severity == Severity::warning);
}

TEST_CASE("the simulation notices wrong allocations") {
  // The judge must be able to say no: break good allocations and see it protest.
  Random random(99);
  unsigned broken = 0, noticed = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Builder b;
    Random make(seed);
    random_program(b, make, 120, 12);
    Outcome o = run(b);
    if (!o.placed) continue;
    // Two general registers of one bank become one.
    for (IrInsn& insn : o.placed->insns) {
      for (const Role role : {Role::dest, Role::left, Role::right}) {
        isa::Operand& operand = insn.insn.operand(role);
        if (operand.kind == isa::OperandKind::gpr && operand.value == 1) operand.value = 2;
      }
    }
    ++broken;
    bool said_no = false;
    for (int k = 0; k < 20 && !said_no; ++k) said_no = !simulate(b.program, *o.placed, random, 600).empty();
    noticed += said_no;
  }
  REQUIRE(broken >= 10);
  CHECK(noticed >= broken - 2);
}

TEST_CASE("random programs: no two live values ever share a place") {
  unsigned allocated = 0, webs = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Builder b;
    Random random(seed);
    const auto size = static_cast<unsigned>(random.between(10, 200));
    random_program(b, random, size, static_cast<unsigned>(random.between(2, 24)));
    if (seed % 4 == 0) b.program.contexts = 4;
    const Outcome o = run(b);
    CAPTURE(seed);
    if (!o.placed) {
      CHECK(first_code(o) == "asm-no-register");
      continue;
    }
    ++allocated;
    webs += static_cast<unsigned>(o.allocation->liveness.webs.size());
    REQUIRE(check_static(b.program, *o.placed) == "");
    for (int k = 0; k < 8; ++k) REQUIRE(simulate(b.program, *o.placed, random, 800) == "");
  }
  CHECK(allocated >= 250);
  CHECK(webs > 5000);
}

TEST_CASE("8,000 words are allocated fast") {
  Builder b;
  Random random(4711);
  random_program(b, random, 8000, 20);
  const auto start = std::chrono::steady_clock::now();
  const Outcome o = run(b);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CAPTURE(first_text(o));
  CHECK(seconds < 5.0);  // generous: sanitizers and busy machines
  REQUIRE(o.placed);
  for (int k = 0; k < 4; ++k) CHECK(simulate(b.program, *o.placed, random, 20000) == "");
}
