// Text to Image, and back.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/assembler/cancellation.h"
#include "weft/assembler/warnings.h"
#include "weft/base/diagnostic.h"
#include "weft/image/image.h"
#include "weft/isa/flow.h"

namespace weft::assembler {

using isa::LostCycles;

/// What the text with Options::defines, "#define NAME VALUE" in each line, is called in diagnostics.
inline constexpr const char* kCommandLine = "<command line>";

struct Options {
  std::string chip = "ixp2400";
  std::string family;  ///< the chip on which it is based (emulator::ChipDescription::family); empty: itself
  isa::Profile profile = isa::Profile::me2;
  uint32_t control_store = 4096;          ///< words
  uint32_t sram_channels = 4;             ///< that the chip has
  std::vector<std::string> include_dirs;  ///< -I, searched after the including file's own folder
  /// The own folder of a main text that stands in no file; empty: that of its name.
  std::string main_folder;
  std::vector<std::pair<std::string, std::string>> defines;  ///< -D
  bool wide = false;               ///< preprocessor arithmetic with 64 bits, as in tools for later parts
  bool case_sensitive = false;     ///< -C: names that differ by case alone are different names
  bool undefined_is_zero = false;  ///< an undefined name in an #if is 0, as in C, instead of an error
  bool repair_banks = false;       ///< --repair-banks
  bool spill = false;              ///< --spill
  bool optimize = false;           ///< -O
  WarningOptions warnings;         ///< -W
  SourceFilePtr pins;              ///< --pin: forced registers (docs/assembler-options.md); null = none
  /// Of the chip file: for the checks on distances between words, deferred slots that -O fills, and the cycles in the
  /// listing. Absent: the listing has no such column, and the rest uses isa::default_lost().
  std::optional<LostCycles> lost;
  bool listing = false;  ///< make Assembly::listing
  /// Stage to stop after and print: "tokens", "preprocessed" (-E), "ast", "ir", "allocation", "final"; empty = none.
  std::string dump;
  /// Reads a source file; replaced for in-memory use. Default: the file system.
  std::function<Result<SourceFilePtr>(const std::string& path)> read;
  /// Looked at in every stage; null = the work always ends by itself. Must outlive the call.
  const Cancellation* cancellation = nullptr;
};

struct Assembly {
  std::optional<image::Image> image;  ///< absent when there were errors or a dump stage stopped before it
  Diagnostics diagnostics;
  std::string dump;                ///< text of the asked stage
  std::string listing;             ///< addresses, words, cycles, source and macro lines, when it is asked for
  std::vector<std::string> files;  ///< every file read, in order (for -MD)
  bool cancelled = false;          ///< it was asked to stop; then everything else here is empty
};

/// Assembles one program. Never prints, never throws on bad input.
Assembly assemble(const std::string& path, const Options& options);
/// The same from memory.
Assembly assemble(SourceFilePtr source, const Options& options);

/// Source text that assembles to the same words, beginning with `.registers physical`.
std::string disassemble(isa::Profile profile, const std::vector<uint64_t>& words);
/// The same with labels and marks of the Image, and with what the linker does with it: import variables, memory blocks
/// and initial values.
std::string disassemble(const image::Image& image);

}  // namespace weft::assembler
