// Operand codes by table, and the rules about pairs of sources.
#include "operand_codes.h"

#include <algorithm>

namespace weft::isa {
namespace {

#include "operands.inc"

std::span<const CodeRange> file(Profile profile, Width width) {
  for (const OperandFile& f : kOperandFiles)
    if (f.profile == profile) return width == Width::re ? f.re : f.ur;
  return {};
}

/// Two operands of one sort cannot be fetched together.
enum class Sort : uint8_t { none, bank_a, bank_b, transfer, neighbor, local_memory, constant };

Sort sort_of(const Operand& o) {
  switch (o.kind) {
    case OperandKind::absent: return Sort::none;
    case OperandKind::constant: return Sort::constant;
    case OperandKind::gpr:
    case OperandKind::gpr_absolute: return o.bank == Bank::a ? Sort::bank_a : Sort::bank_b;
    case OperandKind::xfer_s:
    case OperandKind::xfer_d:
    case OperandKind::xfer_s_index:
    case OperandKind::xfer_d_index: return Sort::transfer;
    case OperandKind::neighbor:
    case OperandKind::neighbor_index: return Sort::neighbor;
    case OperandKind::local_mem0:
    case OperandKind::local_mem1: return Sort::local_memory;
  }
  return Sort::none;
}

}  // namespace

std::optional<uint32_t> operand_code(Profile profile, Width width, Side side, const Operand& o) {
  for (const CodeRange& r : file(profile, width)) {
    if (r.kind != o.kind || r.post != o.post) continue;
    if (r.bank != Bank::none && r.bank != o.bank) continue;
    if (side == Side::source ? !r.source : !r.dest) continue;
    if (o.kind == OperandKind::absent) return r.first;
    if (o.value >= r.value && o.value - r.value <= static_cast<uint32_t>(r.last - r.first))
      return r.first + (o.value - r.value);
  }
  return std::nullopt;
}

std::optional<Operand> operand_of(Profile profile, Width width, Side side, uint32_t code, Bank bank) {
  for (const CodeRange& r : file(profile, width)) {
    if (code < r.first || code > r.last) continue;
    if (side == Side::source ? !r.source : !r.dest) continue;
    Operand o{r.kind, Bank::none, r.post, r.kind == OperandKind::absent ? 0 : r.value + (code - r.first)};
    if (o.is_gpr()) o.bank = r.bank == Bank::none ? bank : r.bank;
    return o;
  }
  return std::nullopt;
}

EncodeError not_expressible(Profile profile, Role role, Width width, Side side, const Operand& o) {
  const std::string name = print_operand(o);
  const bool restricted = width == Width::re;
  const ProfileSizes& has = sizes(profile);
  auto up_to = [](const char* what, uint32_t count) {
    return std::string(what) + " are 0 to " + std::to_string(count - 1);
  };
  switch (o.kind) {
    case OperandKind::absent: return {role, "this operand cannot be left out", "name a register or a constant"};
    case OperandKind::constant:
      if (side == Side::dest) return {role, "a constant cannot be a destination", "name a register or `--`"};
      return {role, "the constant " + name + " does not fit; here it may be 0 to " + (restricted ? "127" : "255"),
              "load it into a register with immed"};
    case OperandKind::gpr:
      if (o.bank == Bank::none) return {role, "the register has no bank", "registers are a0, b0, a1, b1 and so on"};
      return {
          role, "there is no register " + name,
          up_to("relative registers", has.relative_gprs) + (has.contexts == 8 ? " (0 to 15 with eight contexts)" : "")};
    case OperandKind::gpr_absolute:
      if (restricted)
        return {role, "an absolute register cannot stand in a restricted operand",
                "copy it to a relative register with alu first"};
      return {role, "there is no register " + name, up_to("absolute registers", has.absolute_gprs)};
    case OperandKind::xfer_s:
    case OperandKind::xfer_d: return {role, "there is no register " + name, up_to("transfer registers", has.transfers)};
    case OperandKind::neighbor:
      if (has.neighbors == 0) return {role, "this part has no neighbor registers", "use a ring in scratch or SRAM"};
      if (restricted)
        return {role, "a neighbor register cannot stand in a restricted operand",
                "use *n$index, or copy it to a GPR with alu first"};
      return {role, "there is no register " + name, "neighbor registers are 0 to 31"};
    case OperandKind::neighbor_index:
      if (has.neighbors == 0) return {role, "this part has no neighbor registers", "use a ring in scratch or SRAM"};
      return {role, name + " is not a form of the neighbor index",
              side == Side::dest ? "as a destination it is *n$index++" : "as a source it is *n$index or *n$index++"};
    case OperandKind::local_mem0:
    case OperandKind::local_mem1:
      if (!has.local_memory) return {role, "this part has no local memory", "use scratch, or absolute registers"};
      if (o.post != Post::none)
        return {role,
                restricted ? "local memory with post-modify cannot stand in a restricted operand"
                           : "an offset and post-modify exclude each other",
                restricted ? "copy it to a GPR with alu first" : "leave out the offset"};
      return {role, "the offset of " + name + " is too large; here it may be 0 to " + (restricted ? "7" : "15"),
              "move the pointer"};
    default: return {role, name + " cannot stand here", "name a GPR"};
  }
}

tl::expected<void, EncodeError> check_sources(Profile, const Operand& left, const Operand& right) {
  const Sort sort = sort_of(left);
  if (sort == Sort::none || sort != sort_of(right)) return {};
  const std::string both = ": " + print_operand(left) + " and " + print_operand(right);
  switch (sort) {
    case Sort::bank_a:
      return tl::unexpected(EncodeError{Role::right, "both sources are in bank A" + both,
                                        "put one of them in bank B, or copy it to a bank B register first"});
    case Sort::bank_b:
      return tl::unexpected(EncodeError{Role::right, "both sources are in bank B" + both,
                                        "put one of them in bank A, or copy it to a bank A register first"});
    case Sort::constant:
      return tl::unexpected(EncodeError{Role::right, "both sources are constants" + both,
                                        "compute the result by hand, or load one constant with immed"});
    case Sort::transfer:
      return tl::unexpected(
          EncodeError{Role::right, "both sources are transfer registers" + both, "copy one of them to a GPR first"});
    case Sort::neighbor:
      return tl::unexpected(
          EncodeError{Role::right, "both sources are neighbor registers" + both, "copy one of them to a GPR first"});
    default:
      return tl::unexpected(
          EncodeError{Role::right, "both sources are local memory" + both, "copy one of them to a GPR first"});
  }
}

}  // namespace weft::isa
