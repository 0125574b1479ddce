#include "output/linked_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "resolver/physical.h"
#include "weft/base/paths.h"
#include "weft/image/link.h"
#include "weft/image/region.h"
#include "weft/isa/effects.h"

namespace weft::assembler {
namespace {

using image::RegisterKind;
using Part = image::ImportUse::Part;

/// An Image may come from anywhere: other names would be other text.
bool is_plain(std::string_view name) {
  if (name.starts_with("i$")) name.remove_prefix(2);
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

/// The name that `.registers physical` gives it; nothing where it has none.
std::optional<std::string> register_text(const image::Register& r) {
  const char* bank = r.bank == isa::Bank::b ? "b" : "a";
  std::string name;
  switch (r.kind) {
    case RegisterKind::gpr: name = fmt::format("{}{}", bank, r.number); break;
    case RegisterKind::gpr_absolute: name = fmt::format("@{}{}", bank, r.number); break;
    case RegisterKind::xfer_s_read:
    case RegisterKind::xfer_s_write: name = fmt::format("${}", r.number); break;
    case RegisterKind::xfer_d_read:
    case RegisterKind::xfer_d_write: name = fmt::format("$${}", r.number); break;
    case RegisterKind::neighbor: name = fmt::format("n${}", r.number); break;
  }
  if (!physical_register(name)) return std::nullopt;
  return name;
}

std::string block_text(const image::MemoryBlock& block) {
  if (!is_plain(block.name)) return fmt::format("; a memory block with the name '{}'\n", printable(block.name));
  const std::string at = block.address ? fmt::format("+{:#x}", *block.address) : "";
  return fmt::format(".alloc_mem {} {}{} {} {} {}\n", block.name, image::region_name(block.region), at,
                     block.global ? "global" : "local", block.size, block.align);
}

std::string init_text(const image::Image& image, const image::Init& init) {
  const bool of_block = std::any_of(image.memory.begin(), image.memory.end(),
                                    [&](const image::MemoryBlock& block) { return block.name == init.name; });
  if (of_block && is_plain(init.name) && !init.values.empty()) {
    const std::string at = init.offset != 0 ? fmt::format("+{}", init.offset) : "";
    return fmt::format(".init {}{} {}\n", init.name, at, fmt::join(init.values, " "));
  }
  std::string out;
  for (size_t i = 0; i < init.values.size(); ++i) {
    const image::Register* r = of_block ? nullptr : image::initial_register(image, init, i);
    const auto name = r != nullptr ? register_text(*r) : std::nullopt;
    if (!name)
      out += fmt::format("; the initial value {} of '{}' has no register at the start\n", init.values[i],
                         printable(init.name));
    else if (init.context >= 0 && r->kind != RegisterKind::gpr_absolute)
      out += fmt::format(".init_ctx {} {} {}  ; {}\n", init.context, *name, init.values[i], printable(init.name));
    else
      out += fmt::format(".init {} {}  ; {}\n", *name, init.values[i], printable(init.name));
  }
  return out;
}

/// The part of a constant that an instruction takes if the source does not say which.
Part usual_part(const isa::Instruction& insn) {
  const uint8_t bytes = isa::bytes_written(insn);
  return bytes == 0b0011 ? Part::low16 : bytes == 0b1100 ? Part::high16 : Part::whole16;
}

std::optional<std::string> constant_text(const isa::Instruction& insn, const image::ImportUse& use) {
  constexpr int64_t most = UINT32_MAX;
  if (!is_plain(use.name) || use.addend < -most || use.addend > most) return std::nullopt;
  const std::string sum = use.addend == 0
                              ? use.name
                              : fmt::format("({} {} {})", use.name, use.addend < 0 ? '-' : '+', std::abs(use.addend));
  if (use.part == usual_part(insn)) return sum;
  switch (use.part) {
    case Part::low16: return fmt::format("({} & 0xffff)", sum);
    case Part::high16: return fmt::format("({} >> 16)", sum);
    case Part::whole16: break;
  }
  return std::nullopt;
}

}  // namespace

std::string linked_directives(const image::Image& image) {
  std::string out;
  for (const std::string& name : image.imports)
    out += is_plain(name) && name.starts_with("i$")
               ? fmt::format(".import_var {}\n", name)
               : fmt::format("; an import variable with the name '{}'\n", printable(name));
  for (const image::MemoryBlock& block : image.memory) out += block_text(block);
  for (const image::Init& init : image.inits) out += init_text(image, init);
  return out;
}

std::string with_import(const isa::Instruction& insn, std::string text, const image::ImportUse& use) {
  constexpr std::string_view alone = ", 0]", shifted = ", 0, <<";  // the Image has 0 where the constant will be
  const auto constant = isa::info(insn.id).mnemonic.starts_with("immed") ? constant_text(insn, use) : std::nullopt;
  size_t at = text.find(alone);
  if (at == std::string::npos) at = text.find(shifted);
  if (constant && at != std::string::npos)
    text.replace(at + 2, 1, *constant);
  else
    text += fmt::format("  ; the linker puts '{}' here", printable(use.name));
  return text;
}

}  // namespace weft::assembler
