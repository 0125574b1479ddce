// lcov tracefiles (geninfo(1)).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::emulator {

/// What a tracefile says of one source file.
struct LcovRecord {
  struct Branch {
    uint32_t line = 0;
    unsigned block = 0;
    uint64_t taken = 0, not_taken = 0;  ///< both 0: never reached
  };
  struct Function {
    std::string name;
    uint32_t line = 0;
    uint64_t executed = 0;
  };
  std::map<uint32_t, uint64_t> lines;
  std::vector<Branch> branches;
  std::vector<Function> functions;
};

/// Appends the record from its SF to its end_of_record.
void append_lcov(std::string& out, const std::string& file, const LcovRecord& record);

}  // namespace weft::emulator
