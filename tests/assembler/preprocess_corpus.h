// Cases in a text file: "=== name", then files ("+++ name", the main one without a heading or "+++ main"), then "---"
// and what is expected.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "preprocessor/preprocessor.h"

namespace corpus {

struct Case {
  std::string name;
  std::map<std::string, std::string> files;  ///< the main file under "main"
  std::vector<std::string> expected;         ///< lines
};

std::vector<Case> read(const std::string& file_name);

/// Preprocesses the main file; includes see only the other files of the case.
weft::assembler::Preprocessed run(weft::assembler::Sources& sources, const Case& c,
                                  weft::assembler::PreprocessSettings settings = {});
weft::assembler::Preprocessed run(weft::assembler::Sources& sources, const std::string& text,
                                  weft::assembler::PreprocessSettings settings = {});

}  // namespace corpus
