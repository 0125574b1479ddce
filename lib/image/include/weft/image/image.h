// A program as a value: what the assembler makes and everything after it reads.
//
// Addresses are control-store word addresses. The JSON form (schema: docs/schemas/image.schema.json) has a version;
// readers refuse a version they do not know.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/isa/isa.h"

namespace weft::image {

inline constexpr unsigned kVersion = 1;

struct Line {
  uint32_t file = 0;  ///< index into Image::files
  uint32_t line = 0;
  uint32_t column = 0;
};
/// Where a word comes from: the innermost place first, then each macro call outwards.
struct LineRow {
  Line place;
  std::vector<std::pair<std::string, Line>> macros;  ///< macro name, call place
};

struct Label {
  std::string name;  ///< with "#"
  uint32_t address = 0;
};

enum class RegisterKind : uint8_t { gpr, gpr_absolute, xfer_s_read, xfer_s_write, xfer_d_read, xfer_d_write, neighbor };

/// One live range of a named register: the physical place it has in [begin, end).
struct Register {
  std::string name;  ///< as declared, with prefix
  RegisterKind kind = RegisterKind::gpr;
  isa::Bank bank = isa::Bank::none;
  uint32_t number = 0;
  uint32_t begin = 0, end = 0;
};

struct Signal {
  std::string name;
  uint32_t number = 0;
  bool doubled = false;
  uint32_t begin = 0, end = 0;
};

/// Directives that emit no word: .block name, .stage name, .drop reason, .exception reason.
struct Mark {
  enum class Kind : uint8_t { block, stage, drop, exception } kind = Kind::block;
  std::string text;
  uint32_t address = 0;
};

enum class Region : uint8_t { scratch, sram0, sram1, sram2, sram3, dram, local };

/// .alloc_mem: memory that the linker places, or that stands at a fixed address; the name becomes an import constant.
struct MemoryBlock {
  std::string name;
  Region region = Region::scratch;
  bool global = false;  ///< one block for all programs that name it; otherwise one per microengine
  uint64_t size = 0;    ///< bytes
  uint64_t align = 4;
  std::optional<uint64_t> address;  ///< bytes; absent: wherever the linker finds room
};

/// .init: longwords put into a named block, or a register, before the program starts.
struct Init {
  std::string name;
  uint32_t offset = 0;   ///< bytes into a block
  int32_t context = -1;  ///< .init_ctx; -1 = all contexts
  std::vector<uint32_t> values;
};

/// A place in a word that the linker fills with a load-time constant.
struct ImportUse {
  std::string name;  ///< with "i$" for .import_var, or the name of a memory block
  uint32_t address = 0;
  enum class Part : uint8_t { low16, high16, whole16 } part = Part::low16;  ///< into the 16-bit value of an immed
  int64_t addend = 0;
};

struct Image {
  std::string name;
  std::string chip = "ixp2400";
  isa::Profile profile = isa::Profile::me2;
  unsigned contexts = 8;
  bool nn_self = false;
  std::array<bool, 2> lm_absolute{};  ///< .local_memN_mode abs: LM_ADDR_N is one pointer for all contexts
  std::vector<uint64_t> words;
  std::vector<std::string> files;
  std::vector<LineRow> lines;  ///< one per word
  std::vector<Label> labels;
  std::vector<Register> registers;
  std::vector<Signal> signals;
  std::vector<Mark> marks;
  std::vector<MemoryBlock> memory;
  std::vector<Init> inits;
  std::vector<std::string> imports;  ///< declared import variables
  std::vector<ImportUse> uses;
};

std::string to_json(const Image& image);
Result<Image> from_json(SourceFilePtr source);
Result<Image> read_image(const std::string& path);

/// The mark of a kind that an address belongs to: the last one at or before it.
const Mark* mark_at(const Image& image, uint32_t address, Mark::Kind kind);

}  // namespace weft::image
