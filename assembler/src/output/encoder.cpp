#include "output/encoder.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::assembler {
namespace {

using isa::InsnId;
using isa::Role;
using Part = image::ImportUse::Part;

/// 4321 as "4,321".
std::string grouped(uint64_t number) {
  if (number < 1000) return std::to_string(number);
  return fmt::format("{},{:03}", grouped(number / 1000), number % 1000);
}

class Encoder {
 public:
  Encoder(const Program& program, const Numbers& numbers, const Sources& sources, Diagnostics& out)
      : program_(program), numbers_(numbers), sources_(sources), out_(out) {}

  Encoded run() {
    check_size(program_, sources_, out_);
    result_.insns.reserve(program_.insns.size());
    result_.words.reserve(program_.insns.size());
    raw_.assign(program_.insns.size(), false);
    for (const auto& [index, word] : program_.raw_words) {
      if (index < raw_.size()) raw_[index] = true;
    }
    for (uint32_t i = 0; i < program_.insns.size(); ++i) instruction(i);
    for (const auto& [index, word] : program_.raw_words) {
      if (index < result_.words.size()) result_.words[index] = word;
    }
    return std::move(result_);
  }

 private:
  void error(std::string code, const Origin& origin, std::string text, std::string remedy = {}) {
    out_.add(sources_.diagnostic(Severity::error, std::move(code), origin, std::move(text), std::move(remedy)));
  }

  void instruction(uint32_t i) {
    const IrInsn& ir = program_.insns[i];
    isa::Instruction insn = ir.insn;
    const bool good = operands(ir, insn) && value(i, ir, insn);
    if (ir.target >= 0) {
      insn[Role::target] = program_.labels[static_cast<size_t>(ir.target)].index;
      if (isa::info(insn.id).group == isa::Group::context) insn[Role::has_target] = 1;
    }
    result_.insns.push_back(insn);
    result_.words.push_back(0);
    if (raw_[i] || !good) return;
    const auto word = isa::encode(program_.profile, insn);
    if (word)
      result_.words.back() = *word;
    else
      error(code_of(word.error().role), ir.origin, word.error().text, word.error().remedy);
  }

  /// The code under which the resolver would refuse the same part: what only a profile's encoding knows comes up here.
  static std::string code_of(Role role) {
    switch (role) {
      case Role::dest:
      case Role::left:
      case Role::right:
      case Role::xfer: return "asm-operand";
      case Role::op: return "asm-operator";
      case Role::shift:
      case Role::amount: return "asm-shift";
      case Role::defer: return "asm-defer";
      case Role::signals:
      case Role::any:
      case Role::breakpoint:
      case Role::current_mask:
      case Role::has_target: return "asm-ctx-arb";
      case Role::load_cc:
      case Role::indirect:
      case Role::ignore_error:
      case Role::guess:
      case Role::bit_swap:
      case Role::crc_bytes:
      case Role::lm_select:
      case Role::signal_mode:
      case Role::mul_size:
      case Role::mul_step: return "asm-token";
      case Role::role_count: return "asm-encode";
      default: return "asm-range";
    }
  }

  /// Late constants in place of sources.
  bool operands(const IrInsn& ir, isa::Instruction& insn) {
    for (const Role role : {Role::dest, Role::left, Role::right, Role::xfer}) {
      const auto& late = ir.late[static_cast<size_t>(role)];
      if (!late) continue;
      const auto v = evaluate(*late, program_, numbers_);
      if (!v) return error("asm-late-constant", ir.origin, v.error()), false;
      if (!v->import.empty()) {
        error("asm-import-place", ir.origin,
              fmt::format("the import variable '{}' can only be the value of an immed", v->import),
              "load it into a register first: immed[r, (i$x & 0xffff)], immed_w1[r, (i$x >> 16)]");
        return false;
      }
      if (role == Role::right && isa::effects(insn.id).right_is_cam_entry &&
          (v->number < 0 || v->number >= kCamEntries)) {
        error("asm-range", ir.origin,
              fmt::format("the CAM has entries 0 to {}; {} is none of them", kCamEntries - 1, v->number));
        return false;
      }
      if (v->number < 0 || v->number > 255) {
        error("asm-constant-range", ir.origin, fmt::format("the constant is {}, but only 0 to 255 fit here", v->number),
              "load it into a register with immed first");
        return false;
      }
      insn.operand(role) = {isa::OperandKind::constant, isa::Bank::none, isa::Post::none,
                            static_cast<uint32_t>(v->number)};
    }
    return true;
  }

  /// The late value of a number role.
  bool value(uint32_t i, const IrInsn& ir, isa::Instruction& insn) {
    if (!ir.late_value) return true;
    const auto& [role, expr] = *ir.late_value;
    const auto v = evaluate(expr, program_, numbers_);
    if (!v) return error("asm-late-constant", ir.origin, v.error()), false;
    const bool immed = isa::info(insn.id).mnemonic.starts_with("immed");
    if (!v->import.empty()) {
      if (!immed || role != Role::value) {
        error("asm-import-place", ir.origin,
              fmt::format("the import variable '{}' can only be the value of an immed", v->import));
        return false;
      }
      const uint8_t bytes = isa::bytes_written(insn);
      const Part otherwise = bytes == 0b0011 ? Part::low16 : bytes == 0b1100 ? Part::high16 : Part::whole16;
      result_.uses.push_back({v->import, i, v->part.value_or(otherwise), v->number});
      insn[Role::value] = 0;
      return true;
    }
    if (immed && role == Role::value && isa::bytes_written(insn) == isa::kAllBytes)
      return immediate(ir, insn, v->number);
    const int64_t max = role_limit(insn.id, role);
    if (v->number < 0 || v->number > max) {
      error("asm-constant-range", ir.origin,
            fmt::format("the constant is {}, but only 0 to {} fit here", v->number, max));
      return false;
    }
    insn[role] = static_cast<uint32_t>(v->number);
    if (role == Role::amount && v->number == 0) insn[Role::shift] = static_cast<uint32_t>(isa::ShiftKind::none);
    return true;
  }

  bool immediate(const IrInsn& ir, isa::Instruction& insn, int64_t number) {
    const bool in_range = number >= INT32_MIN && number <= UINT32_MAX;
    if (insn[Role::amount] != 0) {  // the shift was written: the number is what stands before it
      if (in_range && number >= 0 && number <= 0xffff) {
        insn[Role::value] = static_cast<uint32_t>(number);
        return true;
      }
    } else if (in_range && set_immediate(insn, static_cast<uint32_t>(number))) {
      return true;
    }
    error("asm-constant-range", ir.origin, fmt::format("no single immed makes {:#x}", number),
          "use two: immed[r, low half] and immed_w1[r, high half]");
    return false;
  }

  static int64_t role_limit(InsnId id, Role role) {
    switch (role) {
      case Role::amount: return 31;
      case Role::value:
        for (const isa::Form& form : isa::info(id).forms)
          for (const isa::Arg& arg : form.args)
            if (arg.role == role && arg.max != 0) return arg.max;
        return 0xffff;
      case Role::data: return 0x3fff;
      case Role::bit: return 31;
      case Role::byte: return 3;
      case Role::context: return 7;
      case Role::cam_state: return 15;
      case Role::count: return 8;
      default: return 0xffff;
    }
  }

  const Program& program_;
  const Numbers& numbers_;
  const Sources& sources_;
  Diagnostics& out_;
  std::vector<bool> raw_;  ///< words given by .word
  Encoded result_;
};

}  // namespace

void check_size(const Program& program, const Sources& sources, Diagnostics& out) {
  if (program.insns.size() <= program.control_store) return;
  out.add(sources.diagnostic(
      Severity::error, "asm-control-store", program.insns[program.control_store].origin,
      fmt::format("program has {} words, the control store of {} holds {}", grouped(program.insns.size()), program.chip,
                  grouped(program.control_store)),
      "spread the work over more microengines, or turn repeated macro expansions into a subroutine"));
}

Encoded encode(const Program& placed, const Numbers& numbers, const Sources& sources, Diagnostics& out) {
  return Encoder(placed, numbers, sources, out).run();
}

}  // namespace weft::assembler
