// The control programs that a project can name ("control": {"program": ...}).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "weft/control/control.h"

namespace weft::control {

struct ProgramKind {
  std::string_view name;
  isa::Profile profile;       ///< of the chips that it is for
  std::string_view for_what;  ///< for messages: "the routers on IXP2400"
  Result<ControlSetup> (*load)(const std::string& config, const ControlOptions& options);
};

/// All of them, those that most projects want first.
std::span<const ProgramKind> program_kinds();
/// Nothing when there is none of this name.
const ProgramKind* find_program(std::string_view name);

}  // namespace weft::control
