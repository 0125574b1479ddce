// Instructions as text in physical notation, by the first written form of each.
#include <algorithm>
#include <cstdio>

#include "tables.h"

namespace weft::isa {
namespace {

/// Small numbers in decimal, others in hexadecimal.
std::string number(uint32_t value) {
  if (value < 10) return std::to_string(value);
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "0x%x", value);
  return buffer;
}

std::string_view name_of(std::span<const NamedValue> names, uint32_t value) {
  for (const NamedValue& n : names)
    if (n.value == value) return n.name;
  return {};
}

std::string shift_text(const Instruction& insn) {
  const std::string n = std::to_string(insn[Role::amount]);
  switch (static_cast<ShiftKind>(insn[Role::shift])) {
    case ShiftKind::none: return "";
    case ShiftKind::left: return "<<" + n;
    case ShiftKind::right: return ">>" + n;
    case ShiftKind::rotate_left: return "<<rot" + n;
    case ShiftKind::rotate_right: return ">>rot" + n;
    case ShiftKind::left_indirect: return "<<indirect";
    case ShiftKind::right_indirect: return ">>indirect";
  }
  return "";
}

/// Signals with a fixed meaning have a name of their own.
std::string signal_text(Profile profile, uint32_t number, const PrintNames& names) {
  const std::string_view fixed = name_of(signal_names(profile), number);
  return fixed.empty() ? names.signal(number) : std::string(fixed);
}

std::string signal_list(Profile profile, const Instruction& insn, const PrintNames& names) {
  const uint32_t mask = insn[Role::signals];
  if (insn[Role::breakpoint]) return "bpt";
  if (insn[Role::current_mask]) return "--";
  if (mask == 0) return "kill";
  if (mask & 1) return "voluntary";
  std::string out;
  for (uint32_t s = 1; s < 16; ++s)
    if (mask >> s & 1) out += (out.empty() ? "" : ", ") + signal_text(profile, s, names);
  return out;
}

std::string mul_text(const Instruction& insn) {
  const std::string size(name_of(mul_sizes(), insn[Role::mul_size]));
  const std::string step(name_of(mul_steps(), insn[Role::mul_step]));
  return size.empty() ? step : size + "_" + step;
}

std::string mask_text(uint32_t mask) {
  std::string out;
  for (int b = 3; b >= 0; --b) out += mask >> b & 1 ? '1' : '0';
  return out;
}

std::string csr_text(const CsrInfo* csr, uint32_t offset) { return csr ? std::string(csr->name) : number(offset); }

/// An argument as text; empty = left out.
std::string arg_text(Profile profile, const Arg& arg, const Instruction& insn, const PrintNames& names) {
  const uint32_t value = arg.role <= Role::xfer ? 0 : insn[arg.role];
  auto named = [&](std::span<const NamedValue> list) {
    const std::string_view n = name_of(list, value);
    return n.empty() ? number(value) : std::string(n);
  };
  switch (arg.cls) {
    case ArgClass::alu_op:
    case ArgClass::shf_op: return named(alu_ops());
    case ArgClass::shift:
    case ArgClass::right_shift: return shift_text(insn);
    case ArgClass::byte_shift:
      // With an explicit shift the reader takes value and complement as they stand.
      return insn[Role::amount] || insn[Role::invert] ? "<<" + std::to_string(value) : "";
    case ArgClass::immediate: return number(insn[Role::invert] ? ~value : value);
    case ArgClass::byte_mask: return mask_text(value);
    case ArgClass::label: return names.label(value);
    case ArgClass::signal: return signal_text(profile, value, names);
    case ArgClass::signal_list: return signal_list(profile, insn, names);
    case ArgClass::input_state: return named(input_states(profile));
    case ArgClass::local_csr: return csr_text(find_csr(profile, value), value);
    case ArgClass::cap_csr: return named(cap_csrs(profile));
    case ArgClass::count:
      if (arg.optional) return value == 1 ? "" : std::to_string(value);
      return (insn[Role::indirect] ? "max_" : "") + std::to_string(value);
    case ArgClass::crc_type: return named(crc_types());
    case ArgClass::alu_output: return "alu";
    case ArgClass::none_only: return "--";
    case ArgClass::mul_step: return mul_text(insn);
    case ArgClass::context:
    case ArgClass::constant: return number(value);
    default: return print_operand(insn.operand(arg.role));
  }
}

std::string token_text(Profile profile, TokenId token, const Instruction& insn, const PrintNames& names) {
  const std::string name(token_name(token));
  auto with = [&](const std::string& argument) { return name + "[" + argument + "]"; };
  switch (token) {
    case TokenId::defer: return insn[Role::defer] ? with(std::to_string(insn[Role::defer])) : "";
    case TokenId::ctx_swap:
    case TokenId::sig_done: {
      const auto mode = token == TokenId::ctx_swap ? SignalMode::ctx_swap : SignalMode::sig_done;
      if (insn[Role::signal_mode] != static_cast<uint32_t>(mode)) return "";
      return unit_signal(profile, insn.id) ? name : with(names.signal(insn[Role::signal]));
    }
    case TokenId::indirect_ref: return insn[Role::indirect] ? name : "";
    case TokenId::ignore_data_error: return insn[Role::ignore_error] ? name : "";
    case TokenId::any: return insn[Role::any] && insn[Role::signals] ? name : "";
    case TokenId::br: return insn[Role::has_target] ? with(names.label(insn[Role::target])) : "";
    case TokenId::guess_branch: return insn[Role::guess] ? name : "";
    case TokenId::ordered: return "";  // what is meant when nothing is said
    case TokenId::optimize_mem:
      return insn[Role::queue] == static_cast<uint32_t>(MemoryQueue::optimize_mem) ? name : "";
    case TokenId::priority: return insn[Role::queue] == static_cast<uint32_t>(MemoryQueue::priority) ? name : "";
    case TokenId::load_cc: return insn[Role::load_cc] ? name : "";
    case TokenId::bit_swap: return insn[Role::bit_swap] ? name : "";
    case TokenId::lm_addr0: return insn[Role::lm_select] == 1 ? with(std::to_string(insn[Role::lm_constant])) : "";
    case TokenId::lm_addr1: return insn[Role::lm_select] == 2 ? with(std::to_string(insn[Role::lm_constant])) : "";
    case TokenId::bytes_0_3: return "";  // what is meant when nothing is said
    case TokenId::bytes_1_3:
    case TokenId::bytes_2_3:
    case TokenId::bytes_3:
    case TokenId::bytes_0_2:
    case TokenId::bytes_0_1:
    case TokenId::bytes_0: {
      const uint32_t code = static_cast<uint32_t>(token) - static_cast<uint32_t>(TokenId::bytes_0_3);
      return insn[Role::crc_bytes] == code ? name : "";
    }
    default: return "";
  }
}

/// The form that the instruction's parts fit; mul_step has one for the last steps.
const Form& form_of(const InsnInfo& facts, const Instruction& insn) {
  const bool last = facts.id == InsnId::mul_step && insn[Role::mul_step] >= static_cast<uint32_t>(MulStep::last);
  return facts.forms[last ? 1 : 0];
}

std::string post_text(Post post) { return post == Post::increment ? "++" : post == Post::decrement ? "--" : ""; }

}  // namespace

std::string PrintNames::label(uint32_t address) const { return "l" + std::to_string(address) + "#"; }
std::string PrintNames::signal(uint32_t n) const { return "s" + std::to_string(n); }

std::string print_operand(const Operand& o) {
  const std::string bank = o.bank == Bank::a ? "a" : o.bank == Bank::b ? "b" : "?";
  const std::string n = std::to_string(o.value);
  switch (o.kind) {
    case OperandKind::absent: return "--";
    case OperandKind::constant: return number(o.value);
    case OperandKind::gpr: return bank + n;
    case OperandKind::gpr_absolute: return "@" + bank + n;
    case OperandKind::xfer_s: return "$" + n;
    case OperandKind::xfer_d: return "$$" + n;
    case OperandKind::xfer_s_index: return "*$index" + post_text(o.post);
    case OperandKind::xfer_d_index: return "*$$index" + post_text(o.post);
    case OperandKind::neighbor: return "n$" + n;
    case OperandKind::neighbor_index: return "*n$index" + post_text(o.post);
    case OperandKind::local_mem0:
    case OperandKind::local_mem1: {
      const std::string name = o.kind == OperandKind::local_mem0 ? "*l$index0" : "*l$index1";
      return o.post == Post::none ? name + "[" + n + "]" : name + post_text(o.post);
    }
  }
  return "?";
}

std::string print(Profile profile, const Instruction& insn, const PrintNames& names) {
  for (const Alias& a : aliases(profile))
    if (a.printed && a.instruction == insn) return std::string(a.spelling);
  const InsnInfo& facts = info(insn.id);
  std::string args(facts.subcommand), after;
  for (const Arg& arg : form_of(facts, insn).args) {
    const std::string text = arg_text(profile, arg, insn, names);
    if (text.empty()) continue;
    if (arg.cls == ArgClass::mul_step)
      after += ", " + text;
    else
      args += (args.empty() ? "" : ", ") + text;
  }
  for (TokenId t : facts.tokens)
    if (const std::string text = token_text(profile, t, insn, names); !text.empty()) after += ", " + text;
  std::string out(facts.mnemonic);
  if (!args.empty()) out += "[" + args + "]";
  return out + after;
}

}  // namespace weft::isa
