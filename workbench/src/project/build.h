// From a project to Images, and from Images to what is loaded: assembles sources, reads Images, links.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/control/control.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/observers/pools.h"
#include "weft/image/image.h"
#include "weft/image/link.h"
#include "weft/workbench/project.h"
#include "weft/workbench/sources.h"

namespace weft::workbench {

class ImageStore;

struct BuiltProgram {
  image::Image image;
  std::vector<unsigned> engines;
};

struct BuiltChip {
  std::vector<std::unique_ptr<BuiltProgram>> programs;
  image::Linked linked;
};

struct Built {
  emulator::BoardDescription board;
  std::vector<BuiltChip> chips;  ///< as on the board
  std::optional<control::ControlSetup> control;
  unsigned control_chip = 0;         ///< whose control processor runs it
  std::vector<unsigned> pool_chips;  ///< of Project::pools
  std::vector<unsigned> ring_chips;  ///< of Project::rings
  /// All counters of packets and of services, with their chips: the control program's, then the project's reasons.
  std::vector<std::pair<unsigned, control::CounterSetup>> counters;
  std::vector<std::pair<unsigned, emulator::TableMemory>> tables;  ///< of Project::tables, with their chips
  Diagnostics warnings;
  std::vector<std::string> files;  ///< that were read for it, apart from descriptions of boards and chips
};

Result<emulator::BoardDescription> board_of(const Project& project);
/// The files that board_of() reads, as far as they are there; `all`: also those that Weft brings along.
std::vector<std::string> board_files(const Project& project, bool all);
/// The chip that a part of the project belongs to; 0 with an error when there is none.
unsigned chip_of(const ChipName& name, const char* what, const emulator::BoardDescription& board, Diagnostics& out);
Result<control::ControlSetup> load_control(const Project& project, const emulator::BoardDescription& board,
                                           unsigned chip_number);
/// What a program with "rules" includes as compiled_rules.uc. Ports have the names that the control program gives them.
Result<std::string> compiled_rules(const ProgramEntry& entry, const emulator::ChipDescription& chip,
                                   const std::optional<control::ControlSetup>& control);

/// How a program is assembled for a chip.
assembler::Options assembler_options(const ProgramEntry& entry, const emulator::ChipOnBoard& chip);

/// `read` takes the names of all files that were read for it (Built::files), also when something is wrong.
/// `store` has Images that were made before, and keeps those that are made now; null: all are made.
Result<Built> build(const Project& project, std::vector<std::string>* read = nullptr, ImageStore* store = nullptr);

/// A file that cannot be read at all: says also where the project names it.
Diagnostics named_at(const Diagnostics& problems, const SourceRange& range, const std::string& file);

/// A program of one engine.
struct OneProgram {
  unsigned engine = 0;
  std::vector<uint64_t> words;
  std::shared_ptr<const image::Image> image;
  std::vector<std::string> files;  ///< that were read for it
};
/// A program for one engine of a machine that was built: the Image and its linked words. Diagnostic: project-load.
Result<OneProgram> build_one(const Project& project, const Built& built, unsigned chip,
                             const std::filesystem::path& file, unsigned engine);
/// The programs with "rules" of a chip of a machine that was built, with another text for compiled_rules.uc.
/// Diagnostics: as build_one.
Result<std::vector<OneProgram>> build_rules(const Project& project, const Built& built, unsigned chip,
                                            const std::string& text);

}  // namespace weft::workbench
