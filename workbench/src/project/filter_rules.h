// Rules of a firewall in filter programs and in the control program: both must have the same ones, in the same store.
#pragma once

#include "weft/control/control.h"
#include "weft/image/image.h"
#include "weft/workbench/project.h"

namespace weft::workbench {

/// FILTER_STORE of the first program that defines it; empty: none does.
std::string defined_store(const Project& project);

/// Of one program with its Image: `number` is its place in the project's list, `compiled` what it includes as
/// compiled_rules.uc. Diagnostic: project-rules.
void check_rules(const Project& project, size_t number, const image::Image& image, const std::string& compiled,
                 const control::RulesSetup& rules, Diagnostics& out);

}  // namespace weft::workbench
