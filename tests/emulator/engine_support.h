// Programs for a bare machine, made of instructions and encoded here, so that these tests need no assembler.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "weft/emulator/machine.h"

namespace weft::test {

using emulator::ContextRef;
using emulator::Machine;
using emulator::MachineDescription;
using emulator::StopKind;
using emulator::StopReason;
using emulator::Tick;
using isa::AluOp;
using isa::Bank;
using isa::Csr;
using isa::InsnId;
using isa::Instruction;
using isa::Operand;
using isa::OperandKind;
using isa::Post;
using isa::Role;

inline Operand none() { return {}; }
inline Operand k(uint32_t value) { return {OperandKind::constant, Bank::none, Post::none, value}; }
inline Operand a(uint32_t n) { return {OperandKind::gpr, Bank::a, Post::none, n}; }
inline Operand b(uint32_t n) { return {OperandKind::gpr, Bank::b, Post::none, n}; }
inline Operand abs_a(uint32_t n) { return {OperandKind::gpr_absolute, Bank::a, Post::none, n}; }
inline Operand s(uint32_t n) { return {OperandKind::xfer_s, Bank::none, Post::none, n}; }
inline Operand d(uint32_t n) { return {OperandKind::xfer_d, Bank::none, Post::none, n}; }
inline Operand s_index(Post post = Post::none) { return {OperandKind::xfer_s_index, Bank::none, post, 0}; }
inline Operand n(uint32_t number) { return {OperandKind::neighbor, Bank::none, Post::none, number}; }
inline Operand n_index(Post post = Post::none) { return {OperandKind::neighbor_index, Bank::none, post, 0}; }
inline Operand lm0(uint32_t offset = 0, Post post = Post::none) {
  return {OperandKind::local_mem0, Bank::none, post, offset};
}
inline Operand lm1(uint32_t offset = 0, Post post = Post::none) {
  return {OperandKind::local_mem1, Bank::none, post, offset};
}

inline Instruction make(InsnId id) {
  Instruction i;
  i.id = id;
  return i;
}
inline Instruction alu(Operand dest, Operand left, AluOp op, Operand right) {
  Instruction i = make(InsnId::alu);
  i.dest = dest, i.left = left, i.right = right;
  i[Role::op] = static_cast<uint32_t>(op);
  return i;
}
inline Instruction move(Operand dest, Operand from) { return alu(dest, none(), AluOp::b, from); }
inline Instruction immed(Operand dest, uint32_t value) {
  Instruction i = make(InsnId::immed);
  i.dest = dest;
  i[Role::value] = value;
  return i;
}
inline Instruction nop() { return immed(none(), 0); }
inline Instruction branch(InsnId id, uint32_t target, uint32_t defer = 0) {
  Instruction i = make(id);
  i[Role::target] = target, i[Role::defer] = defer;
  return i;
}
inline Instruction br_signal(InsnId id, uint32_t signal, uint32_t target) {
  Instruction i = branch(id, target);
  i[Role::signal] = signal;
  return i;
}
inline Instruction br_inp_state(InsnId id, uint32_t state, uint32_t target) {
  Instruction i = branch(id, target);
  i[Role::state] = state;
  return i;
}
inline Instruction br_bit(InsnId id, Operand reg, uint32_t bit, uint32_t target) {
  Instruction i = branch(id, target);
  i.left = reg;
  i[Role::bit] = bit;
  return i;
}
inline Instruction csr_wr(Csr csr, Operand value) {
  Instruction i = make(InsnId::local_csr_wr);
  i.left = value;
  i[Role::csr] = static_cast<uint32_t>(csr);
  return i;
}
inline Instruction csr_rd(Csr csr) {
  Instruction i = make(InsnId::local_csr_rd);
  i[Role::csr] = static_cast<uint32_t>(csr);
  return i;
}
inline Instruction ctx_arb(uint32_t signals, bool any = false, uint32_t defer = 0) {
  Instruction i = make(InsnId::ctx_arb);
  i[Role::signals] = signals, i[Role::any] = any, i[Role::defer] = defer;
  return i;
}
inline Instruction voluntary() { return ctx_arb(1); }
inline Instruction kill() { return ctx_arb(0, true); }
inline Instruction halt() {
  Instruction i = make(InsnId::ctx_arb);
  i[Role::breakpoint] = 1;
  return i;
}
/// scratch[read, $n, b15, address, 1] with a signal; b15 stays 0 in these tests.
inline Instruction scratch_read(uint32_t xfer, uint32_t address, uint32_t signal, bool swap) {
  Instruction i = make(InsnId::scratch_read);
  i.xfer = s(xfer), i.left = b(15), i.right = k(address);
  i[Role::count] = 1, i[Role::signal] = signal;
  i[Role::signal_mode] = static_cast<uint32_t>(swap ? isa::SignalMode::ctx_swap : isa::SignalMode::sig_done);
  return i;
}

inline std::vector<uint64_t> encode(const std::vector<Instruction>& program) {
  std::vector<uint64_t> words;
  for (const Instruction& i : program) {
    const auto word = isa::encode(isa::Profile::me2, i);
    if (!word) throw std::runtime_error(std::string(isa::info(i.id).name) + ": " + word.error().text);
    words.push_back(*word);
  }
  return words;
}

inline MachineDescription engines(unsigned count) {
  MachineDescription description;
  description.engine_numbers.resize(count);
  return description;
}

/// A machine of bare engines.
struct Bench : Machine {
  explicit Bench(unsigned count = 1) : Machine(engines(count)) {}

  void program(unsigned engine, const std::vector<Instruction>& instructions, unsigned contexts = 1) {
    load(engine, encode(instructions));
    start(engine, contexts);
  }
  /// Runs to the first stop, at most 100,000 cycles.
  StopReason go() { return run_until(now() + 100000 * timing().period); }
  uint64_t cycle_of(const StopReason& reason) const { return reason.at / timing().period; }
};

/// Answers every command after a fixed time by one pushed word and the command's signal.
class EchoUnit : public emulator::Unit {
 public:
  EchoUnit(emulator::Bus& bus, Tick latency, size_t room = 100) : bus_(bus), latency_(latency), room_(room) {}

  std::string_view name() const override { return "echo"; }
  bool can_accept(const emulator::Command&) const override { return open_.size() < room_; }
  void accept(const emulator::Command& command, Tick now) override {
    open_.push_back({now + latency_, command});
    seen.push_back(command);
  }
  Tick next_event() const override { return open_.empty() ? emulator::kNever : open_.front().first; }
  void run(Tick) override {
    const emulator::Command c = open_.front().second;
    open_.erase(open_.begin());
    if (c.has_xfer) bus_.push(c.from, c.xfer_d, c.xfer, c.address + 0x1000);
    if (c.signal != 0) bus_.signal(c.from, c.signal);
  }
  bool input_state(unsigned number) const override { return number == raised_state; }

  std::vector<emulator::Command> seen;
  unsigned raised_state = 99;

 private:
  emulator::Bus& bus_;
  Tick latency_;
  size_t room_;
  std::vector<std::pair<Tick, emulator::Command>> open_;
};

/// Eight contexts read, take a branch and yield, over and over; the unit has room for two, so that they stall.
struct StallingBench : Bench {
  EchoUnit unit{*this, 400, 2};
  StallingBench() {
    attach(isa::Unit::scratch, unit);
    program(0,
            {scratch_read(0, 4, 3, true), branch(InsnId::br, 3), nop(), voluntary(), branch(InsnId::br, 0, 1), nop()},
            0xff);
  }
};

}  // namespace weft::test
