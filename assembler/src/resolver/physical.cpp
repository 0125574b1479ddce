#include "resolver/physical.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "resolver/matching.h"

namespace weft::assembler {
namespace {

using isa::OperandKind;

constexpr uint32_t kLastSignal = 15;

struct Form {
  std::string_view prefix;
  OperandKind kind;
  isa::Bank bank;
  uint32_t last;  ///< the largest number of any part
};
constexpr std::array<Form, 7> kForms{{{"$$", OperandKind::xfer_d, isa::Bank::none, 31},
                                      {"$", OperandKind::xfer_s, isa::Bank::none, 31},
                                      {"n$", OperandKind::neighbor, isa::Bank::none, 31},
                                      {"@a", OperandKind::gpr_absolute, isa::Bank::a, 127},
                                      {"@b", OperandKind::gpr_absolute, isa::Bank::b, 127},
                                      {"a", OperandKind::gpr, isa::Bank::a, 31},
                                      {"b", OperandKind::gpr, isa::Bank::b, 31}}};

/// The number after the prefix, up to `last`.
std::optional<uint32_t> number_after(std::string_view prefix, std::string_view name, uint32_t last) {
  if (!name.starts_with(prefix)) return std::nullopt;
  return suffix_number(name.substr(prefix.size()), last);
}

/// How many registers of a kind each of four contexts has; 0 for those that contexts share.
uint32_t of_each(isa::Profile profile, OperandKind kind) {
  const isa::ProfileSizes& has = isa::sizes(profile);
  switch (kind) {
    case OperandKind::gpr: return has.relative_gprs;
    case OperandKind::xfer_s:
    case OperandKind::xfer_d: return has.transfers;
    case OperandKind::neighbor: return has.neighbors;
    default: return 0;
  }
}

}  // namespace

std::optional<isa::Operand> physical_register(std::string_view written) {
  const std::string name = folded(written);
  for (const Form& form : kForms) {
    const auto number = number_after(form.prefix, name, form.last);
    if (!number) continue;
    isa::Operand out;
    out.kind = form.kind;
    out.bank = form.bank;
    out.value = *number;
    return out;
  }
  return std::nullopt;
}

std::optional<uint32_t> physical_signal(std::string_view name) {
  const auto number = number_after("s", folded(name), kLastSignal);
  return number && *number > 0 ? number : std::nullopt;
}

bool needs_four_contexts(isa::Profile profile, const isa::Operand& reg) {
  return isa::sizes(profile).contexts == 8 && reg.value >= of_each(profile, reg.kind) / 2 &&
         reg.value < of_each(profile, reg.kind);
}

uint32_t transfer_end(const isa::Instruction& insn) {
  const isa::InsnInfo& info = isa::info(insn.id);
  const bool transfers = insn.xfer.kind == OperandKind::xfer_s || insn.xfer.kind == OperandKind::xfer_d;
  if (info.xfer == isa::XferUse::none || !transfers || insn[isa::Role::indirect] != 0) return 0;
  return insn.xfer.value +
         std::max<uint32_t>(1, info.longwords_per_count) * std::max<uint32_t>(1, insn[isa::Role::count]);
}

std::string physical_range(const Program& program, std::string_view written, Symbol::Kind kind) {
  const std::string name = folded(written);
  if (kind == Symbol::Kind::signal)
    return number_after("s", name, UINT32_MAX) ? fmt::format("there are s1 to s{}", kLastSignal) : "";
  for (const Form& form : kForms) {
    if (!number_after(form.prefix, name, UINT32_MAX)) continue;
    const uint32_t each = of_each(program.profile, form.kind);
    const uint32_t count =
        form.kind == OperandKind::gpr_absolute ? isa::sizes(program.profile).absolute_gprs : program.of_context(each);
    if (count > 0) return fmt::format("there are {0}0 to {0}{1}", form.prefix, count - 1);
  }
  return "";
}

}  // namespace weft::assembler
