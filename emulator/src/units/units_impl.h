// The parts behind Units.
#pragma once

#include "media/msf.h"
#include "units/cap.h"
#include "units/dram.h"
#include "units/hash_unit.h"
#include "units/scratch.h"
#include "units/sram.h"

namespace weft::emulator {

class UnitsState {
 public:
  MsfState msf;
  std::vector<PortState> ports;
  ScratchState scratch;
  std::vector<SramState> sram;
  DramState dram;
  HashState hash;
  CapState cap;
  RefusedState pci, no_sram;
};

struct Units::Impl {
  Impl(Units& owner, const ChipOnBoard& board_chip, Bus& bus);

  SramChannel* channel(unsigned number) { return number < sram.size() ? sram[number].get() : nullptr; }

  Bus& bus;
  Msf msf;
  Scratch scratch;
  std::vector<std::unique_ptr<SramChannel>> sram;
  Dram dram;
  HashUnit hash;
  Cap cap;
  RefusedUnit pci;
  RefusedUnit no_sram;  ///< commands to channels that the board does not have
  std::vector<Unit*> actors;
  std::vector<QueuedUnit*> queued;
  HostPort host;
};

}  // namespace weft::emulator
