// The stages between tokens and allocation as text, for --dump and for tests.
#include "output/dump.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::assembler {
namespace {

using isa::ArgClass;
using isa::Role;

// --- syntax tree ---

std::string expr_text(const ast::Expr& e) {
  using Kind = ast::Expr::Kind;
  const auto list = [&](size_t from) {
    std::string out;
    for (size_t i = from; i < e.args.size(); ++i) out += (i > from ? ", " : "") + expr_text(e.args[i]);
    return out;
  };
  switch (e.kind) {
    case Kind::number: return std::to_string(e.value);
    case Kind::name:
    case Kind::label:
    case Kind::quoted: return std::string(e.text);
    case Kind::element: return fmt::format("{}[{}]", e.text, list(0));
    case Kind::deref: {
      std::string out = fmt::format("*{}", e.text);
      if (!e.args.empty()) out += "[" + list(0) + "]";
      if (e.step == ast::Expr::Step::increment) out += "++";
      if (e.step == ast::Expr::Step::decrement) out += "--";
      return out;
    }
    case Kind::address: return fmt::format("&{}{}", e.text, e.args.empty() ? "" : "[" + list(0) + "]");
    case Kind::remote: return fmt::format("&{}({})", e.text, list(0));
    case Kind::call: return fmt::format("{}({})", e.text, list(0));
    case Kind::unary: return fmt::format("({} {})", e.text, expr_text(e.args[0]));
    case Kind::binary: return fmt::format("({} {} {})", e.text, expr_text(e.args[0]), expr_text(e.args[1]));
    case Kind::conditional: return fmt::format("(? {})", list(0));
    case Kind::code_test: return fmt::format("(codes {} {})", e.text, e.value);
  }
  return {};
}

std::string operand_text(const ast::Operand& o) {
  switch (o.kind) {
    case ast::Operand::Kind::absent: return "--";
    case ast::Operand::Kind::operation: return o.text;
    case ast::Operand::Kind::shift: return o.text + expr_text(o.expr);
    case ast::Operand::Kind::value: break;
  }
  return expr_text(o.expr);
}

std::string operand_list(const std::vector<ast::Operand>& operands) {
  std::string out;
  for (const ast::Operand& o : operands) out += (out.empty() ? "" : ", ") + operand_text(o);
  return out;
}

std::string directive_text(const ast::Directive& d) {
  std::string out = d.name;
  if (!d.rest.empty()) out += " \"" + d.rest + "\"";
  for (const ast::DirectiveArg& a : d.args) {
    out += ' ';
    if (a.kind == ast::DirectiveArg::Kind::constant) {
      out += expr_text(a.value);
      continue;
    }
    if (a.address) out += '&';
    out += a.text;
    if (a.index) out += "[" + expr_text(*a.index) + "]";
    if (a.offset) out += "+" + expr_text(*a.offset);
  }
  return out;
}

// --- program ---

std::string late_text(const Program& p, const LateExpr& e) {
  using Op = LateExpr::Op;
  const auto two = [&](std::string_view op) {
    return fmt::format("({} {} {})", late_text(p, e.args[0]), op, late_text(p, e.args[1]));
  };
  switch (e.op) {
    case Op::number: return fmt::format("{:#x}", e.number);
    case Op::xfer_number: return "&" + p.vregs[static_cast<size_t>(e.symbol)].name;
    case Op::signal_number: return "&" + p.signals[static_cast<size_t>(e.symbol)].name;
    case Op::signal_mask: return "mask(" + p.signals[static_cast<size_t>(e.symbol)].name + ")";
    case Op::label_address: return p.labels[static_cast<size_t>(e.symbol)].name;
    case Op::import_value: return e.import;
    case Op::neg: return "-" + late_text(p, e.args[0]);
    case Op::bit_not: return "~" + late_text(p, e.args[0]);
    case Op::log_not: return "!" + late_text(p, e.args[0]);
    case Op::add: return two("+");
    case Op::sub: return two("-");
    case Op::mul: return two("*");
    case Op::div: return two("/");
    case Op::mod: return two("%");
    case Op::shl: return two("<<");
    case Op::shr: return two(">>");
    case Op::bit_and: return two("&");
    case Op::bit_or: return two("|");
    case Op::bit_xor: return two("^");
  }
  return {};
}

std::string place_text(const Program& p, const IrInsn& i, Role role) {
  const auto index = static_cast<size_t>(role);
  if (i.vreg[index] >= 0) return p.vregs[static_cast<size_t>(i.vreg[index])].name;
  if (i.late[index]) return "(" + late_text(p, *i.late[index]) + ")";
  return isa::print_operand(i.insn.operand(role));
}

std::string signal_text(const Program& p, const SignalRef& s) {
  if (s.id < 0) return fmt::format("s{}", s.number);
  std::string out = p.signals[static_cast<size_t>(s.id)].name;
  if (s.half == SignalRef::Half::first) out += "[0]";
  if (s.half == SignalRef::Half::second) out += "[1]";
  return out;
}

std::string label_text(const Program& p, LabelId id) { return id < 0 ? "?" : p.labels[static_cast<size_t>(id)].name; }

std::string_view name_of(std::span<const isa::NamedValue> values, uint32_t value) {
  for (const isa::NamedValue& v : values) {
    if (v.value == value) return v.name;
  }
  return "?";
}

std::string shift_text(const Program& p, const IrInsn& i) {
  using isa::ShiftKind;
  const auto kind = static_cast<ShiftKind>(i.insn[Role::shift]);
  std::string amount = i.late_value && i.late_value->first == Role::amount
                           ? "(" + late_text(p, i.late_value->second) + ")"
                           : std::to_string(i.insn[Role::amount]);
  switch (kind) {
    case ShiftKind::none: return {};
    case ShiftKind::left: return "<<" + amount;
    case ShiftKind::right: return ">>" + amount;
    case ShiftKind::rotate_left: return "<<rot" + amount;
    case ShiftKind::rotate_right: return ">>rot" + amount;
    case ShiftKind::left_indirect: return "<<indirect";
    case ShiftKind::right_indirect: return ">>indirect";
  }
  return {};
}

std::string signals_text(const Program& p, const IrInsn& i) {
  if (i.insn[Role::current_mask] != 0) return "--";
  if (i.insn[Role::breakpoint] != 0) return "bpt";
  std::string out;
  if (i.insn[Role::signals] & 1) out = "voluntary";
  for (const SignalRef& s : i.signals) out += (out.empty() ? "" : ", ") + signal_text(p, s);
  return out.empty() && i.insn[Role::any] != 0 ? "kill" : out;
}

std::string arg_text(const Program& p, const IrInsn& i, const isa::Arg& arg) {
  if (i.late_value && i.late_value->first == arg.role) return "(" + late_text(p, i.late_value->second) + ")";
  const uint32_t value = arg.role > Role::xfer ? i.insn[arg.role] : 0;
  switch (arg.cls) {
    case ArgClass::none_only: return "--";
    case ArgClass::alu_op:
    case ArgClass::shf_op: return std::string(name_of(isa::alu_ops(), value));
    case ArgClass::shift:
    case ArgClass::right_shift: return shift_text(p, i);
    case ArgClass::byte_shift: return value ? fmt::format("<<{}", value) : "";
    case ArgClass::byte_mask: return fmt::format("{:04b}", value);
    case ArgClass::immediate: return fmt::format("{}{:#x}", i.insn[Role::invert] ? "~" : "", value);
    case ArgClass::label: return label_text(p, i.target);
    case ArgClass::signal: return i.signal ? signal_text(p, *i.signal) : "?";
    case ArgClass::signal_list: return signals_text(p, i);
    case ArgClass::input_state: return std::string(name_of(isa::input_states(p.profile), value));
    case ArgClass::local_csr: {
      const isa::CsrInfo* csr = isa::find_csr(p.profile, value);
      return csr ? std::string(csr->name) : fmt::format("{:#x}", value);
    }
    case ArgClass::cap_csr: return fmt::format("{:#x}", value);
    case ArgClass::count: return i.max_count ? fmt::format("max_{}", value) : std::to_string(value);
    case ArgClass::crc_type: return std::string(name_of(isa::crc_types(), value));
    case ArgClass::alu_output: return "alu";
    case ArgClass::constant:
    case ArgClass::context: return std::to_string(value);
    case ArgClass::mul_step: return fmt::format("size {} step {}", i.insn[Role::mul_size], i.insn[Role::mul_step]);
    default: return place_text(p, i, arg.role);
  }
}

std::string tokens_text(const Program& p, const IrInsn& i, const isa::InsnInfo& info) {
  std::string out;
  const auto mode = static_cast<isa::SignalMode>(i.insn[Role::signal_mode]);
  if (i.signal && mode != isa::SignalMode::none) {
    out +=
        fmt::format(", {}[{}]", mode == isa::SignalMode::ctx_swap ? "ctx_swap" : "sig_done", signal_text(p, *i.signal));
  }
  if (info.group == isa::Group::context && i.insn[Role::any] != 0 && !i.signals.empty()) out += ", any";
  if (i.insn[Role::has_target]) out += fmt::format(", br[{}]", label_text(p, i.target));
  if (i.insn[Role::indirect]) out += ", indirect_ref";
  if (i.insn[Role::ignore_error]) out += ", ignore_data_error";
  if (i.insn[Role::load_cc]) out += ", load_cc";
  if (isa::effects(info.id).has(Role::crc_type)) {
    out += fmt::format(", bytes code {}", i.insn[Role::crc_bytes]);
    if (i.insn[Role::bit_swap]) out += ", bit_swap";
  }
  if (i.insn[Role::lm_select])
    out += fmt::format(", lm_addr{}[{}]", i.insn[Role::lm_select] - 1, i.insn[Role::lm_constant]);
  if (!i.jump_targets.empty()) {
    out += ", targets[";
    for (size_t t = 0; t < i.jump_targets.size(); ++t) out += (t ? ", " : "") + label_text(p, i.jump_targets[t]);
    out += "]";
  }
  if (i.insn[Role::defer]) out += fmt::format(", defer[{}]", i.insn[Role::defer]);
  return out;
}

std::string_view hint_name(Hint::Kind kind) {
  switch (kind) {
    case Hint::Kind::set: return ".set";
    case Hint::Kind::set_read: return ".set_rd";
    case Hint::Kind::set_write: return ".set_wr";
    case Hint::Kind::use: return ".use";
    case Hint::Kind::use_read: return ".use_rd";
    case Hint::Kind::use_write: return ".use_wr";
    case Hint::Kind::io_completed: return ".io_completed";
    case Hint::Kind::set_signal: return ".set_sig";
  }
  return {};
}

std::string scope_text(uint32_t begin, uint32_t end) {
  return end == UINT32_MAX ? fmt::format("[{}, end)", begin) : fmt::format("[{}, {})", begin, end);
}

void dump_symbols(const Program& p, std::string& out) {
  for (const Vreg& v : p.vregs) {
    out += fmt::format("reg {} {}", v.name, scope_text(v.scope_begin, v.scope_end));
    const bool transfer = v.cls == VregClass::xfer_s || v.cls == VregClass::xfer_d;
    if (transfer) out += v.read_side ? (v.write_side ? " read write" : " read") : " write";
    if (v.is_volatile) out += " volatile";
    if (v.is_global) out += " global";
    if (v.is_visible) out += " visible";
    if (v.is_remote) out += " remote";
    if (v.pinned)
      out += fmt::format(" at {}{}",
                         v.pinned_bank == isa::Bank::a   ? "a"
                         : v.pinned_bank == isa::Bank::b ? "b"
                                                         : "",
                         *v.pinned);
    if (v.initial) out += fmt::format(" = {:#x}", *v.initial);
    out += v.used ? "\n" : " unused\n";
  }
  for (const Signal& s : p.signals) {
    out += fmt::format("sig {} {}{}{}", s.name, scope_text(s.scope_begin, s.scope_end), s.doubled ? " doubled" : "",
                       s.is_volatile ? " volatile" : "");
    out += s.pinned ? fmt::format(" at {}\n", *s.pinned) : "\n";
  }
  for (const XferGroup& g : p.groups) {
    out += g.side == XferGroup::Side::both ? "order" : g.side == XferGroup::Side::read ? "order read" : "order write";
    for (VregId v : g.members) out += " " + p.vregs[static_cast<size_t>(v)].name;
    out += '\n';
  }
  for (const image::MemoryBlock& m : p.memory) {
    out += fmt::format("memory {} region {} {} size {} align {}\n", m.name, static_cast<int>(m.region),
                       m.global ? "global" : "local", m.size, m.align);
  }
}

}  // namespace

std::string dump_ast(const ast::Program& program) {
  std::string out;
  for (const ast::Line& l : program.lines) {
    if (l.wrong) continue;
    for (const ast::LabelDefinition& label : l.labels) out += fmt::format("{}:\n", label.name);
    if (l.directive) out += directive_text(*l.directive) + "\n";
    if (l.assignment) out += expr_text(l.assignment->dest) + " = " + expr_text(l.assignment->value);
    if (l.structured) {
      out += std::string(ast::keyword_text(l.structured->keyword));
      if (l.structured->condition) out += " " + expr_text(*l.structured->condition);
      out += '\n';
    }
    if (l.instruction) {
      out += fmt::format("{}[{}]", l.instruction->mnemonic, operand_list(l.instruction->operands));
      for (const ast::Modifier& m : l.instruction->modifiers) {
        out += fmt::format(", {}", m.name);
        if (m.has_arguments) out += "[" + operand_list(m.arguments) + "]";
      }
      out += '\n';
    }
  }
  return out;
}

std::string dump_insn(const Program& p, const IrInsn& i) {
  const isa::InsnInfo& info = isa::info(i.insn.id);
  std::string args;
  if (!info.subcommand.empty()) args = info.subcommand;
  const isa::Form* form = &info.forms[0];
  // mul_step has one form for sources and one for the destination.
  if (info.forms.size() > 1 && (i.insn.dest.present() || i.vreg[0] >= 0) && isa::effects(info.id).has(Role::mul_step))
    form = &info.forms[1];
  for (const isa::Arg& arg : form->args) {
    const std::string text = arg_text(p, i, arg);
    if (text.empty()) continue;
    args += (args.empty() ? "" : ", ") + text;
  }
  return fmt::format("{}[{}]{}", info.mnemonic, args, tokens_text(p, i, info));
}

std::string dump_ir(const Program& p) {
  std::string out;
  for (uint32_t index = 0; index <= p.insns.size(); ++index) {
    for (const image::Mark& m : p.marks) {
      if (m.address == index) out += fmt::format("  mark {} {}\n", static_cast<int>(m.kind), m.text);
    }
    for (const Label& l : p.labels) {
      if (l.index == index) out += l.name + ":\n";
    }
    for (const Hint& h : p.hints) {
      if (h.index != index) continue;
      out += fmt::format(
          "  {} {}\n", hint_name(h.kind),
          h.vreg >= 0 ? p.vregs[static_cast<size_t>(h.vreg)].name : p.signals[static_cast<size_t>(h.signal)].name);
    }
    if (index == p.insns.size()) break;
    const auto raw =
        std::find_if(p.raw_words.begin(), p.raw_words.end(), [&](const auto& r) { return r.first == index; });
    out += raw != p.raw_words.end() ? fmt::format("{:4} .word {:#012x}\n", index, raw->second)
                                    : fmt::format("{:4} {}\n", index, dump_insn(p, p.insns[index]));
  }
  dump_symbols(p, out);
  return out;
}

}  // namespace weft::assembler
