// The parts behind Units.
#pragma once

#include "units/chip_units.h"

namespace weft::emulator {

struct Units::Impl {
  Impl(Units& owner, std::unique_ptr<ChipUnits> of_chip, Bus& bus_of_chip)
      : bus(bus_of_chip), parts(std::move(of_chip)), host(owner) {}

  Bus& bus;
  std::unique_ptr<ChipUnits> parts;
  HostPort host;
};

}  // namespace weft::emulator
