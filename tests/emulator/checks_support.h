// Runs programs with checks on, for the tests of checks.
#pragma once

#include <catch2/catch.hpp>
#include <deque>
#include <functional>
#include <optional>

#include "found.h"
#include "observers_support.h"
#include "weft/emulator/observers/checks.h"

namespace weft::test {

using namespace weft::emulator;

/// Runs programs on the engines of a board with every check on, to a halt or to `ticks`.
struct Run : Found {
  using Programs = std::vector<std::vector<Instruction>>;
  explicit Run(const Programs& programs, unsigned contexts = 1, CheckMode mode = CheckMode::warn, Tick ticks = 300'000,
               const std::function<void(Run&)>& prepare = {}, const std::string& on = "generic-2400")
      : board(*load_board(on, {WEFT_SOURCE_DIR "/emulator"})),
        machine(MachineDescription(board.chips[0].chip)),
        units(board.chips[0], machine) {
    machine.attach(units);
    for (unsigned e = 0; e < programs.size(); ++e) {
      machine.load(e, encode(programs[e]));
      if (!programs[e].empty()) machine.start(e, contexts);
      image::Image image;
      image.files = {"p.uc"};
      image.signals = {{"answer", 3, false, 0, 100}};
      for (uint32_t pc = 0; pc < programs[e].size(); ++pc) image.lines.push_back({{0, pc + 1, 1}, {}});
      owned.push_back(image);
    }
    if (prepare) prepare(*this);
    Images images;
    for (const image::Image& image : owned) images.push_back(&image);
    CheckModes modes = all_checks(mode);
    for (const Check check : named) modes[static_cast<size_t>(check)] = mode;
    if (alone) {
      modes = all_checks(CheckMode::off);
      modes[static_cast<size_t>(*alone)] = mode;
    }
    checks = std::make_unique<Checks>(machine, images, modes, &units, pools);
    machine.attach(*checks);
    stop = machine.run_until(ticks);
    checks->finish(held);
  }

  BoardDescription board;
  Machine machine;
  Units units;
  std::vector<BufferPool> pools;  ///< set by `prepare`
  std::vector<uint32_t> held;     ///< handles that are held outside of the chip; set by `prepare`
  std::vector<Check> named;       ///< checks that only their name turns on; set by `prepare`
  std::optional<Check> alone;     ///< the only check that gets the mode, all others are off; set by `prepare`
  std::deque<image::Image> owned;
  StopReason stop;
};

/// b15 = 0, the base of all addresses here.
inline Instruction base(uint32_t value = 0) { return immed(b(15), value); }
inline Instruction read(uint32_t xfer, uint32_t signal, bool swap, uint32_t address = 16) {
  return memory(InsnId::scratch_read, s(xfer), address, 1, signal, swap);
}
inline Instruction write(uint32_t xfer, uint32_t signal, bool swap) {
  return memory(InsnId::scratch_write, s(xfer), 16, 1, signal, swap);
}

}  // namespace weft::test
