// Images plus a memory map to loaded programs: places memory blocks, resolves import variables, patches words.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/image/image.h"

namespace weft::image {

/// A stretch of a memory that the linker may place blocks in.
struct Space {
  Region region = Region::scratch;
  uint64_t begin = 0, end = 0;  ///< byte addresses [begin, end)
};

/// Why an import variable has no value, when whoever gives them knows it: told in place of a guess.
struct Withheld {
  std::string why, remedy;
};

struct LinkInput {
  struct Assignment {
    const Image* image = nullptr;
    std::vector<unsigned> engines;  ///< microengine numbers in chip order, 0-7 on ixp2400
  };
  std::vector<Assignment> programs;
  /// The number by which each microengine of the chip knows itself (__UENGINE_ID, isa.md 2.3), in chip order.
  std::vector<uint8_t> engine_numbers;
  std::vector<Space> spaces;
  std::map<std::string, uint64_t> constants;  ///< import variables given by the project, without "i$"
  std::map<std::string, Withheld> withheld;   ///< likewise, of those that have none
};

struct MemoryWrite {
  Region region = Region::scratch;
  uint64_t address = 0;
  std::vector<uint32_t> values;
  int engine = -1;  ///< local memory: whose
};
struct Placement {
  std::string name;
  Region region = Region::scratch;
  uint64_t address = 0, size = 0;
  int engine = -1;  ///< -1: global
};
struct RegisterWrite {
  RegisterKind kind = RegisterKind::gpr;
  isa::Bank bank = isa::Bank::none;
  uint32_t number = 0;
  int32_t context = -1;
  uint32_t value = 0;
};

struct LoadedProgram {
  unsigned engine = 0;
  const Image* image = nullptr;
  std::vector<uint64_t> words;  ///< imports resolved
  std::vector<RegisterWrite> registers;
};

struct Linked {
  std::vector<LoadedProgram> programs;
  std::vector<MemoryWrite> memory;
  std::vector<Placement> placements;
};

Result<Linked> link(const LinkInput& input);

/// The register that takes a value of an initial value's list when the program starts. None where the name has no
/// register there: what a later life of it begins with is set by the program.
const Register* initial_register(const Image& image, const Init& init, size_t value);

}  // namespace weft::image
