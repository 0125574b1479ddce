#include "units/command_traits.h"

namespace weft::emulator {

namespace {

std::array<CommandTraits, isa::kInsnCount> make_traits() {
  std::array<CommandTraits, isa::kInsnCount> out{};
  for (const isa::InsnInfo& info : isa::all_instructions()) {
    const isa::Effects& effects = isa::effects(info.id);
    CommandTraits& traits = out[static_cast<size_t>(info.id)];
    traits.longwords_per_count = info.longwords_per_count;
    traits.xfer = info.xfer;
    traits.signal = info.signal;
    traits.access = effects.access;
    traits.lock = effects.lock;
    traits.is_atomic = effects.atomic != isa::AtomicOp::none;
    traits.atomic = {effects.atomic, info.xfer == isa::XferUse::read || info.xfer == isa::XferUse::both};
  }
  return out;
}

}  // namespace

const std::array<CommandTraits, isa::kInsnCount> kCommandTraits = make_traits();

}  // namespace weft::emulator
