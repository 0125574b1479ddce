// A text with physical registers as an Image.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "weft/assembler/assembler.h"

namespace weft::test {

/// Its first line is line 2.
inline image::Image assembled(const std::string& text, const std::string& chip = "ixp2400") {
  assembler::Options options;
  options.chip = chip;
  if (chip == "ixp1200") options.profile = isa::Profile::me1;
  assembler::Assembly assembly = assembler::assemble(make_source("test.uc", ".registers physical\n" + text), options);
  if (assembly.diagnostics.has_errors() || !assembly.image)
    FAIL(text << ": " << (assembly.diagnostics.empty() ? "" : assembly.diagnostics.list().front().text));
  return std::move(*assembly.image);
}

}  // namespace weft::test
