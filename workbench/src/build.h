// From a project to Images, and from Images to what is loaded: assembles sources, reads Images, links.
#pragma once

#include <memory>
#include <vector>

#include "weft/control/control.h"
#include "weft/emulator/chip.h"
#include "weft/image/image.h"
#include "weft/image/link.h"
#include "weft/workbench/project.h"

namespace weft::workbench {

struct BuiltProgram {
  image::Image image;
  std::vector<unsigned> engines;
};

struct Built {
  emulator::BoardDescription board;
  std::vector<std::unique_ptr<BuiltProgram>> programs;
  std::optional<control::ControlSetup> control;
  image::Linked linked;
  Diagnostics warnings;
};

Result<Built> build(const Project& project);

/// A program for one engine of a machine that was built: the Image and its linked words. Diagnostic: project-load.
Result<std::pair<std::shared_ptr<const image::Image>, std::vector<uint64_t>>> build_one(const Project& project, const Built& built, const std::filesystem::path& file,
                                                                                        unsigned engine);

}  // namespace weft::workbench
