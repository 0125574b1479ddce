// Which commands may have their effect when they are sent: little programs whose answer is clear by reading them.
#include "weft/isa/at_once.h"

#include <catch2/catch.hpp>

#include "little_programs.h"

namespace weft::isa_test {
namespace {

constexpr auto kDone = SignalMode::sig_done, kSwap = SignalMode::ctx_swap;
const Operand kS1 = op(OperandKind::xfer_s, 1), kS5 = op(OperandKind::xfer_s, 5), kD1 = op(OperandKind::xfer_d, 1);

Instruction read(uint32_t first, uint32_t count, uint32_t signal, SignalMode mode = kDone) {
  return command(InsnId::sram_read, first, count, signal, mode);
}
Instruction write(uint32_t first, uint32_t count, uint32_t signal, SignalMode mode = kDone) {
  return command(InsnId::sram_write, first, count, signal, mode);
}
Witness first_of(const Little& p, Profile profile = Profile::me2, unsigned transfers = 16) {
  return CommandWitnesses(profile, p, transfers).of(0);
}
/// Cycles for which nothing can tell whether the first word, a command, has had its effect.
unsigned slack_of(const Little& p, unsigned transfers = 16) {
  return CommandWitnesses(Profile::me2, p, transfers).slack(0);
}
Instruction deferred(Instruction insn, uint32_t slots) {
  insn[Role::defer] = slots;
  return insn;
}

}  // namespace

TEST_CASE("a command that swaps on its own signal may act at once") {
  CHECK(first_of({read(0, 4, 3, kSwap), move(a(0), kS1), kill()}) == Witness::nothing);
  // In its deferred slots the data has not come.
  CHECK(first_of({deferred(read(0, 4, 3, kSwap), 1), move(a(0), kS1), kill()}) == Witness::registers);
  CHECK(first_of({deferred(read(0, 4, 3, kSwap), 1), move(a(0), kS5), kill()}) == Witness::nothing);
  CHECK(first_of({deferred(read(0, 4, 3, kSwap), 1), move(a(0), a(1)), move(a(0), kS1), kill()}) == Witness::nothing);
  // A branch in a slot takes the place of the swap: the words after it come without the data.
  CHECK(first_of({deferred(read(0, 4, 3, kSwap), 2), move(a(0), a(1)), br(4), kill(), move(a(0), kS1), kill()}) ==
        Witness::unknown);
  // The write half of the name is another register.
  CHECK(first_of({deferred(read(0, 4, 3, kSwap), 1), move(kS1, a(0)), kill()}) == Witness::nothing);
  CHECK(first_of({deferred(write(0, 4, 3, kSwap), 1), move(kS1, a(0)), kill()}) == Witness::registers);
}

TEST_CASE("between a command and its wait nobody may touch its registers") {
  CHECK(first_of({read(0, 4, 3), move(a(0), a(1)), arb(8), move(a(0), kS1), kill()}) == Witness::nothing);
  CHECK(first_of({read(0, 4, 3), move(a(0), kS1), arb(8), kill()}) == Witness::registers);
  CHECK(first_of({read(0, 4, 3), move(a(0), kS5), arb(8), kill()}) == Witness::nothing);
  CHECK(first_of({read(0, 4, 3), move(a(0), kD1), arb(8), kill()}) == Witness::nothing);
  CHECK(first_of({write(0, 4, 3), move(kS1, a(0)), arb(8), kill()}) == Witness::registers);
  // The last register counts: two longwords for each quadword, three hashes of two.
  Instruction dram = command(InsnId::dram_read, 0, 2, 4, kDone, OperandKind::xfer_d);
  CHECK(first_of({dram, move(a(0), op(OperandKind::xfer_d, 3)), arb(0x30), kill()}) == Witness::registers);
  CHECK(first_of({dram, move(a(0), op(OperandKind::xfer_d, 4)), arb(0x30), kill()}) == Witness::nothing);
  Instruction hash = command(InsnId::hash_64, 2, 3, 3, kDone);
  CHECK(first_of({hash, move(a(0), op(OperandKind::xfer_s, 7)), arb(8), kill()}) == Witness::registers);
  CHECK(first_of({hash, move(op(OperandKind::xfer_s, 7), a(0)), arb(8), kill()}) == Witness::registers);
  // ld_field reads what it changes, on the side of the sources.
  Instruction field;
  field.id = InsnId::ld_field;
  field.dest = kS1;
  field[Role::mask] = 1;
  CHECK(first_of({read(0, 4, 3), field, arb(8), kill()}) == Witness::registers);
  // An address operand is a source.
  Instruction other = write(9, 1, 5);
  other.left = kS1;
  CHECK(first_of({read(0, 4, 3), other, arb(0x28), kill()}) == Witness::registers);
}

TEST_CASE("another command on the same registers") {
  CHECK(first_of({read(0, 4, 3), read(3, 1, 4), arb(0x18), kill()}) == Witness::registers);
  CHECK(first_of({read(0, 4, 3), read(4, 1, 4), arb(0x18), kill()}) == Witness::nothing);
  // Both take the same values.
  CHECK(first_of({write(0, 4, 3), write(0, 4, 4), arb(0x18), kill()}) == Witness::nothing);
  CHECK(first_of({write(0, 4, 3), read(0, 4, 4), arb(0x18), kill()}) == Witness::nothing);
}

TEST_CASE("the slots of the wait come before it") {
  CHECK(first_of({read(0, 4, 3), arb(8, 1), move(a(0), kS1), kill()}) == Witness::registers);
  CHECK(first_of({read(0, 4, 3), arb(8, 1), move(a(0), a(1)), move(a(0), kS1), kill()}) == Witness::nothing);
}

TEST_CASE("every way must wait for all of it") {
  // Word 4 waits, word 3 goes on without.
  CHECK(first_of({read(0, 1, 3), beq(4), nop(), kill(), arb(8), kill()}) == Witness::no_wait);
  CHECK(first_of({read(0, 1, 3), beq(4), arb(8), kill(), arb(8), kill()}) == Witness::nothing);
  CHECK(first_of({read(0, 1, 3), nop(), br(1)}) == Witness::no_wait);
  CHECK(first_of({read(0, 1, 3), nop()}) == Witness::unknown);  // runs off
  CHECK(first_of({read(0, 1, 3), halt()}) == Witness::no_wait);
  CHECK(first_of({read(0, 1, 0, SignalMode::none), kill()}) == Witness::no_wait);
  // Two signals: one of them says nothing about the other.
  const Instruction swap = command(InsnId::sram_swap, 0, 1, 4, kDone);
  CHECK(first_of({swap, arb(0x10), arb(0x20), kill()}) == Witness::signal);
  CHECK(first_of({swap, arb(0x30), kill()}) == Witness::nothing);
  // Somebody else's signal ends this wait.
  CHECK(first_of({read(0, 1, 3), arb_any(0x18), kill()}) == Witness::signal);
  CHECK(first_of({read(0, 1, 3), arb(0x10), arb(8), kill()}) == Witness::nothing);
}

TEST_CASE("a command that takes registers has slack until a word may write one of them") {
  constexpr unsigned kAlways = CommandWitnesses::kAlways, kMost = CommandWitnesses::kMost;
  const Instruction takes = write(0, 4, 0, SignalMode::none);
  CHECK(slack_of({takes, kill()}) == kMost);  // nothing awaits it, and nothing writes
  CHECK(slack_of({takes, move(kS1, a(0)), kill()}) == 1);
  CHECK(slack_of({takes, nop(), nop(), move(kS1, a(0)), kill()}) == 3);
  CHECK(slack_of({takes, nop(), move(kS5, a(0)), kill()}) == kMost);
  CHECK(slack_of({takes, nop(), move(kD1, a(0)), kill()}) == kMost);
  CHECK(slack_of({takes, nop(), move(a(0), kS1), kill()}) == kMost);              // that reads the other side
  CHECK(slack_of({takes, beq(4), nop(), kill(), move(kS1, a(0)), kill()}) == 2);  // the shortest way
  CHECK(slack_of({takes, arb(2), move(kS1, a(0)), kill()}) == 2);                 // it may come back at once
  CHECK(slack_of({takes, nop(), nop(), br(0)}) == kMost);
  CHECK(slack_of({takes, br(5, 2), br(6, 2), nop(), move(kS1, a(0)), kill(), kill()}) == 4);
  CHECK(slack_of({takes, nop(), nop()}) == 2);  // runs off
  CHECK(slack_of({takes}) == 0);
  // The wait comes first, or the word does.
  CHECK(slack_of({write(0, 4, 3), arb(8), move(kS1, a(0)), kill()}) == kAlways);
  CHECK(slack_of({write(0, 4, 3), nop(), move(kS1, a(0)), arb(8), kill()}) == 2);
  CHECK(slack_of({deferred(write(0, 4, 3, kSwap), 1), move(kS1, a(0)), kill()}) == 1);
  // Other reasons, and reads, leave no slack.
  CHECK(slack_of({write(0, 4, 3), nop(), nop(), br(1)}) == 0);
  CHECK(slack_of({read(0, 4, 3), nop(), move(a(0), kS1), arb(8), kill()}) == 0);
  CHECK(slack_of({read(0, 4, 0, SignalMode::none), kill()}) == 0);
  const Operand indexed = op(OperandKind::xfer_s_index, 0);
  CHECK(slack_of({takes, nop(), move(indexed, a(0)), kill()}) == 0);
  CHECK(slack_of({takes, nop(), move(a(0), indexed), kill()}) == kMost);
}

TEST_CASE("words that ask for the signal") {
  const Instruction asks = [] {
    Instruction insn = branch(InsnId::br_not_signal, 1);
    insn[Role::signal] = 3;
    return insn;
  }();
  CHECK(first_of({read(0, 1, 3), asks, arb(8), kill()}) == Witness::signal);
  CHECK(first_of({read(0, 1, 4), asks, arb(0x10), kill()}) == Witness::nothing);
  CHECK(first_of({read(0, 1, 3), csr(InsnId::local_csr_rd, Csr::active_ctx_sig_events), arb(8), kill()}) ==
        Witness::signal);
  CHECK(first_of({read(0, 1, 3), csr(InsnId::local_csr_rd, Csr::active_ctx_sts), arb(8), kill()}) == Witness::nothing);
  // After the wait it does not matter, unless another context may be asked for, which can happen at any time.
  CHECK(first_of({read(0, 1, 3), arb(8), csr(InsnId::local_csr_rd, Csr::active_ctx_sig_events), kill()}) ==
        Witness::nothing);
  for (const Csr c : {Csr::indirect_ctx_sts, Csr::indirect_ctx_sig_events, Csr::indirect_ctx_wakeup_events})
    CHECK(first_of({read(0, 1, 3), arb(8), csr(InsnId::local_csr_rd, c), kill()}) == Witness::signal);
  Instruction mask = arb(0);
  mask[Role::current_mask] = 1;
  CHECK(first_of({read(0, 1, 3), mask, kill()}) == Witness::signal);
}

TEST_CASE("registers of other contexts, and those behind T_INDEX, may be anyone's") {
  const Instruction indexed = move(a(0), op(OperandKind::xfer_s_index));
  CHECK(first_of({read(0, 1, 3, kSwap), kill(), indexed}) == Witness::index);
  CHECK(first_of({write(0, 1, 3, kSwap), kill(), indexed}) == Witness::nothing);
  CHECK(first_of({read(0, 1, 3, kSwap), kill(), move(a(0), op(OperandKind::xfer_d_index))}) == Witness::nothing);
  CHECK(first_of({write(0, 1, 3, kSwap), kill(), move(op(OperandKind::xfer_s_index), a(0))}) == Witness::index);
  // $16 of a context with 16 registers is $0 of the next one.
  const Instruction next = move(a(0), op(OperandKind::xfer_s, 16));
  CHECK(first_of({read(0, 1, 3, kSwap), kill(), next}) == Witness::index);
  CHECK(first_of({read(0, 1, 3, kSwap), kill(), next}, Profile::me2, 32) == Witness::nothing);
  CHECK(first_of({read(14, 3, 3, kSwap), kill()}) == Witness::index);
  CHECK(first_of({read(14, 2, 3, kSwap), kill()}) == Witness::nothing);
}

TEST_CASE("two commands under one signal, and what nobody knows") {
  const Little two{read(0, 1, 3), read(1, 1, 3), arb(8), kill()};
  const CommandWitnesses both(Profile::me2, two, 16);
  CHECK(both.of(0) == Witness::shared);
  CHECK(both.of(1) == Witness::shared);
  // It comes again before it is awaited.
  CHECK(first_of({write(0, 1, 3), beq(0), arb(8), kill()}) == Witness::shared);
  CHECK(first_of({read(0, 1, 3), rtn(), arb(8), kill()}) == Witness::unknown);
  Little hole{read(0, 1, 3), nop(), arb(8), kill()};
  hole.words[1] = std::nullopt;
  CHECK(first_of(hole) == Witness::unknown);
  CHECK(CommandWitnesses(Profile::me2, hole, 16).of(1) == Witness::unknown);
  CHECK(CommandWitnesses(Profile::me2, hole, 16).of(2) == Witness::unknown);
  Instruction indirect = read(0, 1, 3);
  indirect[Role::indirect] = 1;
  CHECK(first_of({indirect, arb(8), kill()}) == Witness::indirect);
  // Whoever has no effect at once itself may still raise the signal before another one's answer is there.
  const auto second_of = [](const Little& p) { return CommandWitnesses(Profile::me2, p, 16).of(1); };
  CHECK(second_of({indirect, read(1, 1, 3, kSwap), kill()}) == Witness::shared);
  CHECK(second_of({indirect, read(1, 1, 4, kSwap), kill()}) == Witness::nothing);
  CHECK(CommandWitnesses(Profile::me2, Little{indirect, arb(8), read(1, 1, 3, kSwap), kill()}, 16).of(2) ==
        Witness::nothing);
  const Little returns{read(0, 1, 3), rtn(), read(1, 1, 3, kSwap), kill(), read(2, 1, 4, kSwap), kill()};
  CHECK(CommandWitnesses(Profile::me2, returns, 16).of(2) == Witness::shared);
  CHECK(CommandWitnesses(Profile::me2, returns, 16).of(4) == Witness::nothing);
  // The branch in its slot takes the place of its swap, so nobody waits for it.
  const Little branches{deferred(read(0, 4, 3, kSwap), 2), nop(), br(4), kill(), read(5, 1, 3, kSwap), kill()};
  CHECK(CommandWitnesses(Profile::me2, branches, 16).of(4) == Witness::shared);
  // Where data goes between memory and a buffer there is no register to be another one.
  Instruction buffer = command(InsnId::dram_rbuf_rd, 0, 4, 4, kDone);
  buffer.xfer = none();
  buffer[Role::indirect] = 1;
  CHECK(first_of({buffer, arb(0x30), kill()}) == Witness::nothing);
}

TEST_CASE("without a signal and without registers there is nothing to see") {
  Instruction enqueue = command(InsnId::sram_enqueue, 0, 1, 0, SignalMode::none);
  enqueue.xfer = none();
  CHECK(first_of({enqueue, nop(), br(1)}) == Witness::nothing);
}

TEST_CASE("me1: the event is the unit's, whichever of its commands raised it") {
  const auto sdram = [](SignalMode mode) { return command(InsnId::sdram_read, 0, 2, 0, mode, OperandKind::xfer_d); };
  const uint32_t sram = 1u << 1, dram = 1u << 2;  // bits of the events (lib/isa/me1_registers.td)
  CHECK(first_of({read(0, 1, 0, kSwap), move(a(0), kS1), kill()}, Profile::me1, 8) == Witness::nothing);
  CHECK(first_of({read(0, 1, 0), sdram(kDone), arb(sram | dram), kill()}, Profile::me1, 8) == Witness::nothing);
  CHECK(first_of({read(0, 1, 0), arb(dram), kill()}, Profile::me1, 8) == Witness::no_wait);
  // The write is not awaited, so its answer may end the wait of the read.
  const Little early{write(0, 1, 0), read(0, 1, 0, kSwap), kill()};
  const CommandWitnesses both(Profile::me1, early, 8);
  CHECK(both.of(0) != Witness::nothing);
  CHECK(both.of(1) == Witness::shared);
  CHECK(first_of({read(6, 3, 0, kSwap), kill()}, Profile::me1, 8) == Witness::index);
}

}  // namespace weft::isa_test
