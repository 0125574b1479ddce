// The two public IXP2400 programs, read from the folder that WEFT_IXP2000 names. They are not part of this project.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::test {

struct InitialRegister {
  bool bank_b = false, absolute = false;
  uint32_t number = 0, value = 0;
};

/// What a .ucode file says (isa.md 11.2).
struct PublicProgram {
  uint32_t ctx_enables = 0;  ///< mode bits: contexts, NN, LM_ADDR, pseudo-random numbers
  std::vector<InitialRegister> registers;
  std::vector<uint64_t> words;
};

/// The folder, or nothing: then the test says that it is skipped.
std::optional<std::string> public_folder();

/// Throws std::runtime_error when the file is missing or says something unknown.
PublicProgram read_public(const std::string& folder, const std::string& name);

}  // namespace weft::test
