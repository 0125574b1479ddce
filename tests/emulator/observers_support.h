// A board with its units, and programs on its first engines.
#pragma once

#include "engine_support.h"
#include "weft/emulator/units.h"

namespace weft::test {

struct Board {
  explicit Board(const std::vector<Instruction>& program, unsigned contexts = 1) : Board() {
    load(0, program, contexts);
  }
  Board()
      : board(*emulator::load_board("generic-2400", {WEFT_SOURCE_DIR "/emulator"})),
        machine(MachineDescription(board.chips[0].chip)),
        units(board.chips[0], machine) {
    machine.attach(units);
  }
  void load(unsigned engine, const std::vector<Instruction>& program, unsigned contexts = 1) {
    machine.load(engine, encode(program));
    machine.start(engine, contexts);
  }
  const emulator::ChipOnBoard& chip() const { return board.chips[0]; }

  emulator::BoardDescription board;
  Machine machine;
  emulator::Units units;
};

/// A command whose address is b15 + `address`; b15 stays 0 in these tests.
inline Instruction memory(InsnId op, Operand xfer, uint32_t address, uint32_t count, uint32_t signal, bool swap) {
  Instruction i = make(op);
  i.xfer = xfer, i.left = b(15), i.right = k(address);
  i[Role::count] = count, i[Role::signal] = signal;
  i[Role::signal_mode] = static_cast<uint32_t>(swap ? isa::SignalMode::ctx_swap : isa::SignalMode::sig_done);
  return i;
}

/// One number in S transfer registers from `xfer` on.
inline Instruction hash_command(InsnId op, uint32_t xfer, uint32_t signal) {
  Instruction i = make(op);
  i.xfer = s(xfer);
  i[Role::count] = 1, i[Role::signal] = signal;
  i[Role::signal_mode] = static_cast<uint32_t>(isa::SignalMode::ctx_swap);
  return i;
}

}  // namespace weft::test
