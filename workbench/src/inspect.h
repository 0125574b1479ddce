// Machine state by the names that a user writes: registers as the source calls them, CSRs, memories.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "weft/base/diagnostic.h"
#include "weft/emulator/engine.h"
#include "weft/emulator/units.h"
#include "weft/image/image.h"

namespace weft::workbench {

/// What a name can refer to.
struct InspectTarget {
  unsigned engines = 0;
  std::function<const emulator::EngineState&(unsigned engine)> state;
  std::function<const image::Image*(unsigned engine)> image;  ///< null: no program, or raw words
  std::function<uint32_t(unsigned engine, unsigned context, uint32_t offset)> csr;
  const emulator::HostPort* host = nullptr;
};

/// See Session::read for the grammar. Diagnostics: inspect-name (not understood, or unknown), inspect-dead (the register
/// holds nothing at the context's PC).
Result<uint32_t> inspect(const InspectTarget& target, const std::string& name);

}  // namespace weft::workbench
