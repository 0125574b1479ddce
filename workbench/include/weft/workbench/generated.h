// What the assembler made of a line of source: the words of an Image that a macro call, a structured block or an
// instruction stands for, as people read them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "weft/assembler/cycles.h"
#include "weft/image/image.h"

namespace weft::workbench {

struct GeneratedLine {
  unsigned words = 0;
  bool calls = false;  ///< some of them come through a macro that the line calls
};
/// Lines of a file that words come from, also through macros. `file` as the assembler read it (Image::files).
std::map<uint32_t, GeneratedLine> generated_lines(const image::Image& image, const std::string& file);
/// Addresses of a line's words, in their order.
std::vector<uint32_t> generated_at(const image::Image& image, const std::string& file, uint32_t line);

/// A name and the place that it was allocated: "total" and "a3", "done" and "s4".
struct GeneratedName {
  std::string name, place;
  bool operator==(const GeneratedName&) const = default;
};

struct GeneratedWord {
  uint32_t address = 0;
  uint64_t word = 0;
  std::string label;  ///< labels of the address, "again#"
  std::string text;   ///< "alu[a3, a3, +, 1]"; of a word that no instruction has, ".word 0x..."
  assembler::Cycles cycles;
  std::vector<GeneratedName> names;  ///< of the registers and signals in `text`, where the program names them
  std::string macro;                 ///< the innermost one; empty: it is written in the program itself
  std::string file;                  ///< where it is written
  uint32_t line = 0;
};
/// `words`: as loaded, linked; those of the Image where there are none. `address` must be one of the Image's.
GeneratedWord generated_word(const image::Image& image, std::span<const uint64_t> words, uint32_t address,
                             const assembler::LostCycles& lost);

}  // namespace weft::workbench
