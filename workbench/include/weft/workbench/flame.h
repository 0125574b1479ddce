// A flame graph of cycles: microengine, program, block, macros from the outermost to the innermost, line. Made from a
// profile, of the whole run or of a range.
#pragma once

#include <string>
#include <vector>

#include "weft/emulator/observers/profile.h"
#include "weft/workbench/inspect.h"

namespace weft::workbench {

struct FlameNode {
  enum class Kind : uint8_t { all, engine, program, block, macro, line } kind = Kind::all;
  std::string name;
  emulator::ProfileCycles cycles;  ///< with all that is inside
  unsigned chip = 0, engine = 0;   ///< from Kind::engine on
  std::string file{};              ///< macro: where it is called; line: itself
  uint32_t line = 0;
  std::vector<FlameNode> children{};  ///< those with most cycles first
};

struct FlameOptions {
  bool lines = true;      ///< down to lines
  bool by_engine = true;  ///< else engines with the same program are one
  bool waiting = false;   ///< also what contexts slept and were ready, not only what held an engine
};
/// What its bar stands for.
uint64_t flame_width(const FlameNode& node, const FlameOptions& options);
/// Profiles by chip.
FlameNode flame_of(const Inspector& machine, const std::vector<emulator::ProfileFigures>& profiles,
                   const FlameOptions& options);

}  // namespace weft::workbench
