// Numbers that microcode and C++ must have in common: the #define lines of a .uc file whose value is one number.
#pragma once

#include <cctype>
#include <map>
#include <sstream>
#include <string>

#include "must.h"
#include "weft/base/files.h"

namespace weft::test {

/// `file` as seen from the top of the repository.
inline std::map<std::string, uint32_t> microcode_defines(const std::string& file) {
  std::map<std::string, uint32_t> found;
  std::istringstream lines(must(read_file(std::string(WEFT_SOURCE_DIR) + "/" + file)));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string hash, key, value;
    if (!(words >> hash >> key >> value) || hash != "#define" || !std::isdigit(static_cast<unsigned char>(value[0])))
      continue;
    found[key] = static_cast<uint32_t>(std::stoul(value, nullptr, 0));
  }
  return found;
}

}  // namespace weft::test
