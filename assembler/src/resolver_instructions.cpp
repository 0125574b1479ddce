// Instructions: choosing a form of the ISA, filling its roles, and saying what would have been right.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "resolver_state.h"
#include "weft/base/json.h"

namespace weft::assembler {
namespace {

using isa::ArgClass;
using isa::Role;
using OperandForm = ast::Operand::Kind;

uint32_t& role(IrInsn& i, Role r) { return i.insn[r]; }

bool is_operand_class(ArgClass cls) {
  switch (cls) {
    case ArgClass::ur_dest:
    case ArgClass::ur_source:
    case ArgClass::re_dest:
    case ArgClass::re_source:
    case ArgClass::re_register:
    case ArgClass::ur_register:
    case ArgClass::address:
    case ArgClass::xfer_read:
    case ArgClass::xfer_write:
    case ArgClass::xfer_both:
    case ArgClass::none_only: return true;
    default: return false;
  }
}
bool is_transfer(ArgClass cls) {
  return cls == ArgClass::xfer_read || cls == ArgClass::xfer_write || cls == ArgClass::xfer_both;
}

/// The name an operand consists of, lower case; empty for anything else.
std::string plain_name(const ast::Operand& o) {
  if (o.kind != OperandForm::value || o.expr.kind != ast::Expr::Kind::name || o.expr.grouped) return {};
  return folded(o.expr.text);
}

std::string written(const ast::Operand& o) {
  switch (o.kind) {
    case OperandForm::absent: return "--";
    case OperandForm::operation: return o.text;
    case OperandForm::shift: return o.text + "...";
    case OperandForm::value: break;
  }
  return o.expr.text.empty() ? "the expression" : std::string(o.expr.text);
}

std::string arg_name(const isa::Arg& arg) {
  switch (arg.cls) {
    case ArgClass::ur_dest:
    case ArgClass::re_dest: return "dest";
    case ArgClass::ur_source:
    case ArgClass::re_source: return arg.role == Role::left ? "a" : "b";
    case ArgClass::re_register:
    case ArgClass::ur_register: return "register";
    case ArgClass::address: return arg.role == Role::left ? "address1" : "address2";
    case ArgClass::xfer_read:
    case ArgClass::xfer_write:
    case ArgClass::xfer_both: return "$xfer";
    case ArgClass::alu_op:
    case ArgClass::shf_op: return "OP";
    case ArgClass::shift: return "shift";
    case ArgClass::right_shift: return ">>n";
    case ArgClass::byte_shift: return "<<8|<<16";
    case ArgClass::byte_mask: return "mask";
    case ArgClass::constant: return arg.role == Role::bit ? "bit" : arg.role == Role::byte ? "byte" : "number";
    case ArgClass::immediate: return "value";
    case ArgClass::label: return "label#";
    case ArgClass::signal: return "signal";
    case ArgClass::signal_list: return "signal, ...";
    case ArgClass::context: return "context";
    case ArgClass::input_state: return "state";
    case ArgClass::local_csr:
    case ArgClass::cap_csr: return "CSR";
    case ArgClass::count: return "count";
    case ArgClass::crc_type: return "type";
    case ArgClass::alu_output: return "alu";
    case ArgClass::none_only: return "--";
    case ArgClass::mul_step: return "size_step";
  }
  return "?";
}

std::string form_text(const isa::InsnInfo& info, const isa::Form& form) {
  std::string text = std::string(info.mnemonic) + "[";
  bool first = true;
  std::string after;
  if (!info.subcommand.empty()) {
    text += info.subcommand;
    first = false;
  }
  for (const isa::Arg& arg : form.args) {
    if (arg.cls == ArgClass::mul_step) {
      after = ", " + arg_name(arg);
      continue;
    }
    if (!first) text += ", ";
    text += arg_name(arg);
    first = false;
  }
  return text + "]" + after;
}

size_t form_size(const isa::Form& form) {
  return static_cast<size_t>(std::count_if(form.args.begin(), form.args.end(),
                                           [](const isa::Arg& a) { return a.cls != ArgClass::mul_step; }));
}
size_t form_least(const isa::Form& form) {
  size_t least = form.args.size();
  while (least > 0 && (form.args[least - 1].optional || form.args[least - 1].cls == ArgClass::mul_step)) --least;
  return least;
}
bool takes_list(const isa::Form& form) {
  return !form.args.empty() && form.args.back().cls == ArgClass::signal_list;
}

std::optional<uint32_t> value_of(std::span<const isa::NamedValue> values, std::string_view name) {
  for (const isa::NamedValue& v : values) {
    if (folded(v.name) == name) return v.value;
  }
  return std::nullopt;
}

std::string list_of(std::span<const isa::NamedValue> values) {
  std::string out;
  for (const isa::NamedValue& v : values) out += (out.empty() ? "" : " ") + std::string(v.name);
  return out;
}

}  // namespace

// --- choosing a form ---

void Resolver::instruction(const ast::Instruction& i) {
  if (i.mnemonic == "load_addr") {
    ast::Instruction as_immed = i;
    as_immed.mnemonic = "immed";
    if (i.operands.size() != 2 || i.operands[1].kind != OperandForm::value ||
        i.operands[1].expr.kind != ast::Expr::Kind::label) {
      error("asm-form", i.origin, "load_addr takes a register and a label", "write load_addr[dest, label#]");
      return;
    }
    return instruction(as_immed);
  }
  for (const isa::Alias& alias : isa::aliases(program_.profile)) {
    if (alias.spelling != i.mnemonic) continue;
    IrInsn insn;
    insn.insn = alias.instruction;
    const isa::InsnInfo& info = isa::info(alias.instruction.id);
    bool right = true;
    if (i.mnemonic == "nop" || i.mnemonic == "halt") {
      if (!i.operands.empty()) {
        error("asm-form", i.operands[0].origin, fmt::format("{} takes no operands", i.mnemonic));
        right = false;
      }
    } else {
      const std::array<isa::InsnId, 1> ids{alias.instruction.id};
      const auto chosen = choose(i, ids);
      right = chosen && match(i, *chosen, insn);
    }
    if (modifiers(i, info, false, insn) && right) add(std::move(insn), i.origin);
    return;
  }
  const auto ids = isa::by_mnemonic(program_.profile, i.mnemonic);
  if (ids.empty()) {
    std::vector<std::string> names;
    for (const isa::InsnInfo& info : isa::all_instructions()) names.emplace_back(info.mnemonic);
    for (const isa::Alias& alias : isa::aliases(program_.profile)) names.emplace_back(alias.spelling);
    names.emplace_back("load_addr");
    const auto near = nearest(i.mnemonic, names);
    error("asm-unknown-instruction", i.origin, fmt::format("there is no instruction '{}'", i.mnemonic),
          near ? fmt::format("did you mean '{}'?", *near) : "a macro is called with its arguments in parentheses or brackets");
    return;
  }
  const auto chosen = choose(i, ids);
  if (!chosen) return;
  IrInsn out;
  const isa::InsnInfo& info = isa::info(chosen->id);
  out.insn.id = chosen->id;
  const bool has_mul_step = std::any_of(chosen->form->args.begin(), chosen->form->args.end(),
                                        [](const isa::Arg& a) { return a.cls == ArgClass::mul_step; });
  // Everything is looked at even after a fault, so that one pass shows all faults of an instruction.
  bool right = match(i, *chosen, out);
  right = modifiers(i, info, has_mul_step, out) && right;
  if (!right) return;
  if (out.insn.id == isa::InsnId::alu && chosen->form->args.size() == 5) out.insn.id = isa::InsnId::alu_shf;
  if (!check_pair(i, out) || !check_sequence(i, isa::info(out.insn.id), out)) return;
  use_transfers(i, info, out);
  add(std::move(out), i.origin);
}

bool Resolver::fits(const isa::Arg& arg, const ast::Operand& o) const {
  const std::string name = plain_name(o);
  if (arg.optional && o.kind == OperandForm::absent) return true;
  switch (arg.cls) {
    case ArgClass::alu_op:
    case ArgClass::shf_op:
      return o.kind == OperandForm::operation || value_of(isa::alu_ops(), name).has_value();
    case ArgClass::shift:
    case ArgClass::right_shift:
    case ArgClass::byte_shift: return o.kind == OperandForm::shift;
    case ArgClass::label: return o.kind == OperandForm::value && o.expr.kind == ast::Expr::Kind::label;
    case ArgClass::none_only: return o.kind == OperandForm::absent;
    case ArgClass::alu_output: return name == "alu";
    case ArgClass::cap_csr:
      return o.kind == OperandForm::value &&
             (value_of(isa::cap_csrs(program_.profile), name).has_value() || !names_register(o.expr));
    case ArgClass::constant:
    case ArgClass::count:
      return o.kind == OperandForm::value && (!names_register(o.expr) || name.starts_with("max_"));
    default: return o.kind == OperandForm::value || o.kind == OperandForm::absent;
  }
}

std::optional<Resolver::Candidate> Resolver::choose(const ast::Instruction& i, std::span<const isa::InsnId> ids) {
  std::vector<Candidate> candidates;
  const std::string command = i.operands.empty() ? "" : plain_name(i.operands[0]);
  std::vector<std::string> commands;
  for (isa::InsnId id : ids) {
    const isa::InsnInfo& info = isa::info(id);
    if (!info.subcommand.empty()) {
      commands.emplace_back(info.subcommand);
      if (info.subcommand != command) continue;
    }
    for (const isa::Form& form : info.forms) candidates.push_back({id, &form, info.subcommand.empty() ? 0u : 1u});
  }
  if (candidates.empty()) {
    const auto near = nearest(command, commands);
    std::sort(commands.begin(), commands.end());
    commands.erase(std::unique(commands.begin(), commands.end()), commands.end());
    std::string list;
    for (const std::string& c : commands) list += (list.empty() ? "" : " ") + c;
    error("asm-unknown-command", i.operands.empty() ? i.origin : i.operands[0].origin,
          command.empty() ? fmt::format("{} needs a command first", i.mnemonic)
                          : fmt::format("{} has no command '{}'", i.mnemonic, command),
          near ? fmt::format("did you mean '{}'?", *near) : fmt::format("commands: {}", list));
    return std::nullopt;
  }
  std::string mul_word;
  for (const ast::Modifier& m : i.modifiers) {
    if (const size_t at = m.name.find('_'); at != std::string_view::npos && m.name.find('x') < at) {
      mul_word = folded(m.name.substr(at + 1));
    }
  }
  const Candidate* best = nullptr;
  size_t best_score = 0;
  for (const Candidate& c : candidates) {
    const size_t given = i.operands.size() - std::min(c.skip, i.operands.size());
    if (given < form_least(*c.form) || (given > form_size(*c.form) && !takes_list(*c.form))) continue;
    size_t score = 1;
    size_t position = c.skip;
    for (const isa::Arg& arg : c.form->args) {
      if (arg.cls == ArgClass::mul_step) {
        const bool writes = c.form->args[0].role == Role::dest;
        if (writes == mul_word.starts_with("last")) score += 10;
        continue;
      }
      if (position < i.operands.size() && fits(arg, i.operands[position])) ++score;
      ++position;
    }
    if (score > best_score) {
      best = &c;
      best_score = score;
    }
  }
  if (best) return *best;
  std::string forms;
  for (const Candidate& c : candidates) {
    forms += (forms.empty() ? "" : " or ") + form_text(isa::info(c.id), *c.form);
  }
  const Candidate& first = candidates.front();
  const size_t given = i.operands.size() - std::min(first.skip, i.operands.size());
  error("asm-form", i.origin, fmt::format("{} has too {} operands", i.mnemonic,
                                          given < form_least(*first.form) ? "few" : "many"),
        fmt::format("write {}", forms));
  return std::nullopt;
}

// --- filling roles ---

bool Resolver::match(const ast::Instruction& i, const Candidate& c, IrInsn& out) {
  const isa::InsnInfo& info = isa::info(c.id);
  bool right = true;
  size_t position = c.skip;
  for (const isa::Arg& arg : c.form->args) {
    if (arg.cls == ArgClass::mul_step) continue;  // a token after the bracket
    if (arg.cls == ArgClass::byte_shift && position < i.operands.size()) {  // filled in with the value before it
      ++position;
      continue;
    }
    if (arg.cls == ArgClass::signal_list) return signal_list(i, out) && right;
    if (position >= i.operands.size()) {  // left out at the end
      if (arg.cls == ArgClass::count) role(out, arg.role) = 1;
      continue;
    }
    right = argument(i, info, arg, position, i.operands[position], out) && right;
    ++position;
  }
  return right;
}

bool Resolver::argument(const ast::Instruction& i, const isa::InsnInfo& info, const isa::Arg& arg, size_t position,
                        const ast::Operand& o, IrInsn& out) {
  const std::string where = fmt::format("operand {} of {}", position + 1, i.mnemonic);
  if (arg.optional && o.kind == OperandForm::absent) {
    if (arg.cls == ArgClass::count) role(out, arg.role) = 1;
    return true;
  }
  if (is_operand_class(arg.cls)) return place_operand(info, arg, o, where, out);
  switch (arg.cls) {
    case ArgClass::alu_op:
    case ArgClass::shf_op: return operation(arg, o, out);
    case ArgClass::shift:
    case ArgClass::right_shift:
    case ArgClass::byte_shift: return shift(arg, o, out);
    case ArgClass::immediate: return immediate(i, out, o);
    case ArgClass::constant:
    case ArgClass::count:
    case ArgClass::context:
    case ArgClass::byte_mask: return number_argument(info, arg, o, where, out);
    default: return name_argument(arg, o, where, out);
  }
}

bool Resolver::place_operand(const isa::InsnInfo& info, const isa::Arg& arg, const ast::Operand& o,
                             std::string_view where, IrInsn& out) {
  if (arg.cls == ArgClass::none_only) {
    if (o.kind == OperandForm::absent) return true;
    error("asm-operand", o.origin, fmt::format("{} must be --", where), "this instruction has no register here");
    return false;
  }
  auto resolved = operand(o, where, is_transfer(arg.cls));
  if (!resolved) return false;
  const auto index = static_cast<size_t>(arg.role);
  isa::Operand proto = resolved->operand;
  if (resolved->vreg >= 0) {
    const Vreg& v = program_.vregs[static_cast<size_t>(resolved->vreg)];
    if (proto.is_gpr()) proto.bank = isa::Bank::a;
    const bool dest = arg.role == Role::dest;
    const bool reads = is_transfer(arg.cls) ? arg.cls != ArgClass::xfer_write : !dest;
    const bool writes = is_transfer(arg.cls) ? arg.cls != ArgClass::xfer_read : dest;
    const bool transfer = v.cls == VregClass::xfer_s || v.cls == VregClass::xfer_d;
    // A command fills read registers and takes write registers; an ALU does it the other way round.
    const bool needs_read = transfer && reads, needs_write = transfer && writes;
    if ((needs_read && !v.read_side) || (needs_write && !v.write_side)) {
      error("asm-transfer-side", o.origin,
            fmt::format("'{}' is declared as {} register only, but {} needs its {} register", v.name,
                        v.read_side ? "read" : "write", where, v.read_side ? "write" : "read"),
            "leave out the attribute to have both")
          .notes.push_back({sources_.range(v.declared), "it was declared here"});
      return false;
    }
    if (needs_read) read_used_[static_cast<size_t>(resolved->vreg)] = true;
    if (needs_write) write_used_[static_cast<size_t>(resolved->vreg)] = true;
  }
  if (is_transfer(arg.cls) && proto.present()) {
    const bool dram = info.unit == isa::Unit::dram;
    const isa::OperandKind wanted = dram ? isa::OperandKind::xfer_d : isa::OperandKind::xfer_s;
    if (proto.kind != wanted) {
      error("asm-operand", o.origin,
            fmt::format("{} must be a {} transfer register, not '{}'", where, dram ? "$$" : "$", written(o)),
            dram ? "dram moves data through $$ registers" : "only dram takes $$ registers; GPRs cannot hold data of commands");
      return false;
    }
  }
  if (const auto fit = isa::check_operand(program_.profile, arg, proto); !fit) {
    const bool constant = proto.kind == isa::OperandKind::constant;
    error(constant ? "asm-constant-width" : "asm-operand", o.origin,
          fmt::format("'{}' cannot be {}: {}", constant ? fmt::format("{:#x}", proto.value) : written(o), where,
                      fit.error().text),
          fit.error().remedy);
    return false;
  }
  out.insn.operand(arg.role) = resolved->operand;
  out.vreg[index] = resolved->vreg;
  out.late[index] = std::move(resolved->late);
  return true;
}

bool Resolver::number_argument(const isa::InsnInfo&, const isa::Arg& arg, const ast::Operand& o,
                               std::string_view where, IrInsn& out) {
  int64_t min = arg.min, max = arg.max;
  if (arg.cls == ArgClass::byte_mask) {
    const std::string_view digits = o.kind == OperandForm::value ? o.expr.text : std::string_view();
    uint32_t mask = 0;
    bool right = digits.size() == 4 && o.expr.kind == ast::Expr::Kind::number;
    for (char c : digits) {
      right = right && (c == '0' || c == '1');
      mask = mask * 2 + (c == '1' ? 1 : 0);
    }
    if (!right && o.kind == OperandForm::value && o.expr.grouped) {
      const auto value = constant(o.expr);
      if (!value) return false;
      right = is_known(*value) && value->number >= 0 && value->number <= 15;
      mask = static_cast<uint32_t>(value->number);
    }
    if (!right) {
      error("asm-byte-mask", o.origin, "a byte mask is four binary digits, byte 3 first", "for example 0011");
      return false;
    }
    role(out, arg.role) = mask;
    return true;
  }
  if (arg.cls == ArgClass::count) {
    if (max == 0) max = 8;
    if (min == 0) min = 1;
    if (const std::string name = plain_name(o); name.starts_with("max_")) {
      int64_t value = 0;
      for (char c : name.substr(4)) value = c >= '0' && c <= '9' && value < 1000 ? value * 10 + (c - '0') : 1000;
      if (value < min || value > max) {
        error("asm-range", o.origin, fmt::format("'{}' is no count: it must be max_{} to max_{}", name, min, max));
        return false;
      }
      role(out, arg.role) = static_cast<uint32_t>(value);
      out.max_count = true;
      return true;
    }
  }
  if (o.kind != OperandForm::value && o.kind != OperandForm::operation) {
    error("asm-operand", o.origin, fmt::format("{} must be a number", where));
    return false;
  }
  std::optional<Constant> value;
  if (o.kind == OperandForm::value) {
    value = constant(o.expr);
    if (!value) return false;
  } else {
    const auto resolved = operand(o, where);
    if (!resolved) return false;
    value = Constant{};
    value->number = resolved->operand.value;
  }
  if (!is_known(*value)) {
    if (arg.cls == ArgClass::count) {
      error("asm-constant", o.origin, "a count must be known when assembling");
      return false;
    }
    out.late_value.emplace(arg.role, std::move(*value));
    return true;
  }
  if (value->number < min || value->number > max) {
    error("asm-range", o.origin, fmt::format("{} is {}; it must be {} to {}", where, value->number, min, max),
          arg.cls == ArgClass::count ? "longer transfers take max_n and indirect_ref" : "");
    return false;
  }
  role(out, arg.role) = static_cast<uint32_t>(value->number);
  return true;
}

bool Resolver::name_argument(const isa::Arg& arg, const ast::Operand& o, std::string_view where, IrInsn& out) {
  const std::string name = plain_name(o);
  const auto pick = [&](std::span<const isa::NamedValue> values, std::string_view what, std::string code) {
    if (const auto value = value_of(values, name)) {
      role(out, arg.role) = *value;
      return true;
    }
    std::vector<std::string> names;
    for (const isa::NamedValue& v : values) names.push_back(folded(v.name));
    const auto near = nearest(name, names);
    error(std::move(code), o.origin, fmt::format("'{}' is no {}", written(o), what),
          near ? fmt::format("did you mean '{}'?", *near) : values.size() <= 16 ? list_of(values) : "");
    return false;
  };
  switch (arg.cls) {
    case ArgClass::label: {
      if (o.kind != OperandForm::value || o.expr.kind != ast::Expr::Kind::label) {
        error("asm-operand", o.origin, fmt::format("{} must be a label", where), "labels end in '#'");
        return false;
      }
      const auto id = label(o.expr.text, o.origin);
      if (!id) return false;
      out.target = *id;
      return true;
    }
    case ArgClass::signal: {
      const auto ref = signal(o, where);
      if (!ref) return false;
      out.signal = *ref;
      if (ref->id < 0) role(out, Role::signal) = ref->number;
      return true;
    }
    case ArgClass::input_state: return pick(isa::input_states(program_.profile), "input state", "asm-unknown-state");
    case ArgClass::crc_type: return pick(isa::crc_types(), "CRC type", "asm-crc-type");
    case ArgClass::alu_output:
      if (name == "alu") return true;
      error("asm-operand", o.origin, fmt::format("{} must be the word 'alu'", where));
      return false;
    case ArgClass::local_csr:
    case ArgClass::cap_csr: {
      const bool local = arg.cls == ArgClass::local_csr;
      if (local) {
        if (const isa::CsrInfo* csr = isa::find_csr(program_.profile, std::string_view(name)); csr && !name.empty()) {
          role(out, arg.role) = csr->offset;
          return true;
        }
      } else if (const auto value = value_of(isa::cap_csrs(program_.profile), name)) {
        role(out, arg.role) = *value;
        return true;
      }
      if (name.empty() && o.kind == OperandForm::value) {
        const auto value = constant(o.expr);
        if (!value) return false;
        const int64_t max = local ? 0x7ff * 4 : 0xffff;
        if (!is_known(*value) || value->number < 0 || value->number > max || (local && value->number % 4 != 0)) {
          error("asm-range", o.origin, local ? "a local CSR is named by its byte offset, a multiple of 4 up to 0x1ffc"
                                             : "the address of a CSR has 16 bits");
          return false;
        }
        role(out, arg.role) = static_cast<uint32_t>(value->number);
        return true;
      }
      std::vector<std::string> names;
      if (local) {
        for (const isa::CsrInfo& csr : isa::csrs(program_.profile)) names.push_back(folded(csr.name));
      } else {
        for (const isa::NamedValue& v : isa::cap_csrs(program_.profile)) names.push_back(folded(v.name));
      }
      const auto near = nearest(name, names);
      error("asm-unknown-csr", o.origin, fmt::format("there is no {}CSR '{}'", local ? "local " : "", written(o)),
            near ? fmt::format("did you mean '{}'?", *near) : "");
      return false;
    }
    default: return false;
  }
}

bool Resolver::operation(const isa::Arg& arg, const ast::Operand& o, IrInsn& out) {
  const std::string name = o.kind == OperandForm::operation ? folded(o.text) : plain_name(o);
  const auto value = value_of(isa::alu_ops(), name);
  if (!value) {
    error("asm-operator", o.origin, fmt::format("'{}' is no ALU operator", written(o)), list_of(isa::alu_ops()));
    return false;
  }
  if (arg.cls == ArgClass::shf_op) {
    using isa::AluOp;
    static constexpr std::array logical{AluOp::b, AluOp::not_b, AluOp::and_, AluOp::not_and, AluOp::and_not, AluOp::or_};
    if (std::find(logical.begin(), logical.end(), static_cast<AluOp>(*value)) == logical.end()) {
      error("asm-shift-operator", o.origin, fmt::format("'{}' cannot be combined with a shift", written(o)),
            "with a shift there are B ~B AND ~AND AND~ OR");
      return false;
    }
  }
  role(out, arg.role) = *value;
  return true;
}

bool Resolver::shift(const isa::Arg& arg, const ast::Operand& o, IrInsn& out) {
  using isa::ShiftKind;
  if (o.kind != OperandForm::shift) {
    error("asm-shift", o.origin, fmt::format("'{}' is no shift", written(o)), "write <<n, >>n, <<rotn, >>rotn, "
                                                                               "<<indirect or >>indirect");
    return false;
  }
  const bool left = o.text == "<<";
  ShiftKind kind = left ? ShiftKind::left : ShiftKind::right;
  std::optional<Constant> amount;
  if (o.expr.kind == ast::Expr::Kind::name && !o.expr.grouped) {
    const std::string name = folded(o.expr.text);
    if (name == "indirect") {
      if (arg.cls == ArgClass::byte_shift || (arg.cls == ArgClass::right_shift && left)) {
        error("asm-shift", o.origin, arg.cls == ArgClass::byte_shift ? "an immed shifts by <<0, <<8 or <<16"
                                                                     : "this instruction shifts right only");
        return false;
      }
      role(out, Role::shift) = static_cast<uint32_t>(left ? ShiftKind::left_indirect : ShiftKind::right_indirect);
      return true;
    }
    if (name.starts_with("rot") && name.size() > 3 && name.size() < 6 &&
        std::all_of(name.begin() + 3, name.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      kind = left ? ShiftKind::rotate_left : ShiftKind::rotate_right;
      amount = Constant{};
      amount->number = std::stoi(name.substr(3));
    }
  } else if (o.expr.kind == ast::Expr::Kind::call && folded(o.expr.text) == "rot" && o.expr.args.size() == 1) {
    kind = left ? ShiftKind::rotate_left : ShiftKind::rotate_right;
    amount = constant(o.expr.args[0]);
    if (!amount) return false;
  }
  if (!amount) amount = constant(o.expr);
  if (!amount) return false;
  if (arg.cls == ArgClass::byte_shift) {
    if (kind != ShiftKind::left || !is_known(*amount) ||
        (amount->number != 0 && amount->number != 8 && amount->number != 16)) {
      error("asm-shift", o.origin, "an immed shifts by <<0, <<8 or <<16");
      return false;
    }
    role(out, arg.role) = static_cast<uint32_t>(amount->number);
    return true;
  }
  if (arg.cls == ArgClass::right_shift && kind != ShiftKind::right) {
    error("asm-shift", o.origin, "this instruction shifts right only", "write >>n or >>indirect");
    return false;
  }
  if (!is_known(*amount)) {
    role(out, Role::shift) = static_cast<uint32_t>(kind);
    out.late_value.emplace(Role::amount, std::move(*amount));
    return true;
  }
  const int64_t least = arg.cls == ArgClass::right_shift ? 1 : 0;
  if (amount->number < least || amount->number > 31) {
    error("asm-shift", o.origin, fmt::format("the shift amount is {}; it must be {} to 31", amount->number, least));
    return false;
  }
  if (amount->number == 0) return true;  // no shift
  role(out, Role::shift) = static_cast<uint32_t>(kind);
  role(out, Role::amount) = static_cast<uint32_t>(amount->number);
  return true;
}

bool Resolver::immediate(const ast::Instruction& i, IrInsn& out, const ast::Operand& o) {
  const bool shifted = i.operands.size() > 2;
  if (shifted) {
    const isa::Arg byte_shift{.role = Role::amount, .cls = ArgClass::byte_shift};
    if (!shift(byte_shift, i.operands[2], out)) return false;
  }
  std::optional<Constant> value;
  if (o.kind == OperandForm::value && !names_register(o.expr)) {
    value = constant(o.expr);
    if (!value) return false;
  } else {
    const auto resolved = operand(o, "operand 2 of immed");
    if (!resolved) return false;
    if (resolved->operand.kind != isa::OperandKind::constant) {
      error("asm-operand", o.origin, "immed takes a constant", fmt::format("to copy a register write alu[dest, --, B, {}]",
                                                                           written(o)));
      return false;
    }
    value = Constant{};
    value->number = resolved->operand.value;
  }
  if (!is_known(*value)) {
    out.late_value.emplace(Role::value, std::move(*value));
    return true;
  }
  const int64_t n = value->number;
  if (n < INT32_MIN || n > UINT32_MAX) {
    error("asm-constant-width", o.origin, fmt::format("{} does not fit into 32 bits", n));
    return false;
  }
  const auto v = static_cast<uint32_t>(n);
  std::optional<uint32_t> amount;
  if (shifted) amount = out.insn[Role::amount];
  if (const auto fit = isa::fit_immediate(v, amount)) {
    role(out, Role::value) = fit->value;
    role(out, Role::amount) = fit->shift;
    role(out, Role::invert) = fit->invert ? 1 : 0;
    return true;
  }
  if (shifted) {
    error("asm-constant-width", o.origin, fmt::format("{:#x} does not fit into the 16 bits that immed shifts", v));
    return false;
  }
  const std::string dest = i.operands.empty() ? "dest" : written(i.operands[0]);
  error("asm-constant-width", o.origin, fmt::format("{:#x} needs two words: immed holds 16 bits at bit 0, 8 or 16, "
                                                    "or the complement of that", v),
        fmt::format("write immed[{0}, {1:#x}] and immed_w1[{0}, {2:#x}]", dest, v & 0xffff, v >> 16));
  return false;
}

bool Resolver::signal_list(const ast::Instruction& i, IrInsn& out) {
  bool right = true;
  size_t special = 0;
  for (const ast::Operand& o : i.operands) {
    const std::string name = plain_name(o);
    const bool symbol = !name.empty() && scopes_.find(name) != nullptr;
    if (o.kind == OperandForm::absent) role(out, Role::current_mask) = 1;
    else if (name == "voluntary" && !symbol) role(out, Role::signals) |= 1;
    else if (name == "kill" && !symbol) role(out, Role::any) = 1;
    else if (name == "bpt" && !symbol) role(out, Role::breakpoint) = 1;
    else {
      const auto ref = signal(o, "ctx_arb");
      if (!ref) {
        right = false;
        continue;
      }
      if (ref->id < 0) role(out, Role::signals) |= 1u << ref->number;
      out.signals.push_back(*ref);
      continue;
    }
    ++special;
  }
  if (special > 1 || (special == 1 && i.operands.size() > 1)) {
    error("asm-ctx-arb", i.origin, "voluntary, kill, bpt and -- stand alone",
          "write them in a ctx_arb of their own");
    return false;
  }
  return right;
}

// --- tokens after the operands ---

bool Resolver::mul_step_name(const ast::Modifier& m, IrInsn& out) {
  const std::string name = folded(m.name);
  static constexpr std::array<std::pair<std::string_view, isa::MulSize>, 3> sizes{
      {{"24x8_", isa::MulSize::m24x8}, {"16x16_", isa::MulSize::m16x16}, {"32x32_", isa::MulSize::m32x32}}};
  static constexpr std::array<std::pair<std::string_view, isa::MulStep>, 7> steps{
      {{"start", isa::MulStep::start}, {"step1", isa::MulStep::step1}, {"step2", isa::MulStep::step2},
       {"step3", isa::MulStep::step3}, {"step4", isa::MulStep::step4}, {"last", isa::MulStep::last},
       {"last2", isa::MulStep::last2}}};
  if (name == "start") return true;  // the word of a start step does not hold the size, so printed words lack it
  for (const auto& [prefix, size] : sizes) {
    if (!name.starts_with(prefix)) continue;
    for (const auto& [word, step] : steps) {
      if (name.substr(prefix.size()) != word) continue;
      role(out, Role::mul_size) = static_cast<uint32_t>(size);
      role(out, Role::mul_step) = static_cast<uint32_t>(step);
      return true;
    }
  }
  return false;
}

bool Resolver::modifiers(const ast::Instruction& i, const isa::InsnInfo& info, bool has_mul_step, IrInsn& out) {
  bool right = true, step_given = false;
  std::vector<std::string> seen;
  for (const ast::Modifier& m : i.modifiers) {
    const std::string name = folded(m.name);
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      error("asm-token", m.origin, fmt::format("the token '{}' stands twice", m.name));
      right = false;
      continue;
    }
    seen.push_back(name);
    if (has_mul_step && mul_step_name(m, out)) {
      step_given = true;
      continue;
    }
    right = modifier(m, info, out) && right;
  }
  if (has_mul_step && !step_given) {
    error("asm-token", i.origin, "mul_step needs its step", "24x8_, 16x16_ or 32x32_ with start, step1 to step4, last or last2");
    return false;
  }
  const auto has = [&](std::string_view name) { return std::find(seen.begin(), seen.end(), name) != seen.end(); };
  if (has("ctx_swap") && has("sig_done")) {
    error("asm-token", i.origin, "ctx_swap and sig_done exclude each other");
    return false;
  }
  if (has("all") && has("any")) {
    error("asm-token", i.origin, "all and any exclude each other");
    return false;
  }
  if (has("any") && info.group == isa::Group::context && out.signals.empty()) {
    error("asm-token", i.origin, "any needs signals to choose from");
    return false;
  }
  if (has("defer") && info.group == isa::Group::command && !has("ctx_swap")) {
    error("asm-defer", i.origin, "a command defers only together with ctx_swap");
    return false;
  }
  return right;
}

bool Resolver::modifier_number(const ast::Modifier& m, int64_t max, uint32_t& out) {
  if (m.arguments.size() != 1 || m.arguments[0].kind != OperandForm::value) {
    error("asm-token", m.origin, fmt::format("write {}[number]", m.name));
    return false;
  }
  const auto value = constant(m.arguments[0].expr);
  if (!value) return false;
  if (!is_known(*value) || value->number < 0 || value->number > max) {
    error("asm-range", m.arguments[0].origin, fmt::format("the number of {} must be 0 to {}", m.name, max));
    return false;
  }
  out = static_cast<uint32_t>(value->number);
  return true;
}

bool Resolver::modifier(const ast::Modifier& m, const isa::InsnInfo& info, IrInsn& out) {
  const std::string name = folded(m.name);
  const bool known = std::any_of(info.tokens.begin(), info.tokens.end(),
                                 [&](isa::TokenId t) { return isa::token_name(t) == name; });
  if (!known) {
    if (name == "ctx_swap" && info.signal == isa::SignalUse::doubled) {
      error("asm-two-signals", m.origin,
            fmt::format("{} {} raises two signals and cannot take ctx_swap", info.mnemonic, info.subcommand),
            "write sig_done[s] and ctx_arb[s]");
      return false;
    }
    std::string list;
    std::vector<std::string> names;
    for (isa::TokenId t : info.tokens) {
      names.emplace_back(isa::token_name(t));
      list += (list.empty() ? "" : ", ") + names.back();
    }
    const auto near = nearest(name, names);
    error("asm-token", m.origin, fmt::format("{}{}{} takes no token '{}'", info.mnemonic, info.subcommand.empty() ? "" : " ",
                                             info.subcommand, m.name),
          near ? fmt::format("did you mean '{}'?", *near) : list.empty() ? "it takes none" : "it takes " + list);
    return false;
  }
  const bool wants = name == "ctx_swap" || name == "sig_done" || name == "defer" || name == "br" || name == "targets" ||
                     name.starts_with("lm_addr");
  if (wants != (m.has_arguments && !m.arguments.empty())) {
    error("asm-token", m.origin, wants ? fmt::format("the token '{}' needs something in brackets", m.name)
                                       : fmt::format("the token '{}' takes nothing in brackets", m.name));
    return false;
  }
  if (name == "ctx_swap" || name == "sig_done") {
    if (m.arguments.size() != 1) {
      error("asm-token", m.origin, fmt::format("{} takes one signal", m.name));
      return false;
    }
    const auto ref = signal(m.arguments[0], name);
    if (!ref) return false;
    out.signal = *ref;
    role(out, Role::signal_mode) =
        static_cast<uint32_t>(name == "ctx_swap" ? isa::SignalMode::ctx_swap : isa::SignalMode::sig_done);
    if (ref->id < 0) {
      role(out, Role::signal) = ref->number;
    } else if (info.signal == isa::SignalUse::doubled) {
      if (ref->half != SignalRef::Half::whole) {
        error("asm-two-signals", m.origin, "a command with two signals names the whole signal, not a half");
        return false;
      }
      program_.signals[static_cast<size_t>(ref->id)].doubled = true;
    }
    return true;
  }
  if (name == "defer") {
    uint32_t slots = 0;
    if (!modifier_number(m, INT32_MAX, slots)) return false;
    if (slots > info.defer_max) {
      error("asm-defer", m.origin, fmt::format("{} defers at most {} instructions, not {}", info.mnemonic, info.defer_max,
                                               slots));
      return false;
    }
    role(out, Role::defer) = slots;
    return true;
  }
  if (name == "br" || name == "targets") {
    bool right = true;
    for (const ast::Operand& o : m.arguments) {
      if (o.kind != OperandForm::value || o.expr.kind != ast::Expr::Kind::label) {
        error("asm-operand", o.origin, fmt::format("{} takes labels", m.name), "labels end in '#'");
        return false;
      }
      const auto id = label(o.expr.text, o.origin);
      if (!id) right = false;
      else if (name == "br") out.target = *id;
      else out.jump_targets.push_back(*id);
    }
    if (name == "br") {
      if (m.arguments.size() != 1) {
        error("asm-token", m.origin, "br takes one label");
        return false;
      }
      role(out, Role::has_target) = 1;
    }
    return right;
  }
  if (name.starts_with("lm_addr")) {
    if (role(out, Role::lm_select) != 0) {
      error("asm-token", m.origin, "a lookup loads lm_addr0 or lm_addr1, not both");
      return false;
    }
    uint32_t value = 0;
    if (!modifier_number(m, 3, value)) return false;
    role(out, Role::lm_select) = name == "lm_addr0" ? 1 : 2;
    role(out, Role::lm_constant) = value;
    return true;
  }
  if (name == "indirect_ref") role(out, Role::indirect) = 1;
  else if (name == "ignore_data_error") role(out, Role::ignore_error) = 1;
  else if (name == "load_cc") role(out, Role::load_cc) = 1;
  else if (name == "bit_swap") role(out, Role::bit_swap) = 1;
  else if (name == "any") role(out, Role::any) = 1;
  else if (name.starts_with("bytes_")) {
    static constexpr std::array<std::string_view, 7> ranges{"bytes_0_3", "bytes_1_3", "bytes_2_3", "bytes_3",
                                                            "bytes_0_2", "bytes_0_1", "bytes_0"};
    const auto at = std::find(ranges.begin(), ranges.end(), name);
    role(out, Role::crc_bytes) = static_cast<uint32_t>(at - ranges.begin());
  }
  return true;
}

// --- checks of the whole instruction ---

bool Resolver::check_pair(const ast::Instruction& i, const IrInsn& out) {
  const auto free_bank = [&](Role r) {
    return out.insn.operand(r).is_gpr() && out.vreg[static_cast<size_t>(r)] >= 0;  // the allocator gives the bank
  };
  if (!out.insn.left.present() || !out.insn.right.present() || free_bank(Role::left) || free_bank(Role::right)) return true;
  if (const auto fit = isa::check_sources(program_.profile, out.insn.left, out.insn.right); !fit) {
    error("asm-sources", i.origin, fit.error().text, fit.error().remedy);
    return false;
  }
  return true;
}

bool Resolver::check_sequence(const ast::Instruction& i, const isa::InsnInfo& info, const IrInsn& out) {
  if (out.max_count && out.insn[Role::indirect] == 0) {
    error("asm-indirect", i.origin, "max_n means that indirect_ref gives the count", "add the token indirect_ref");
    return false;
  }
  if ((info.id == isa::InsnId::dram_rbuf_rd || info.id == isa::InsnId::dram_tbuf_wr) && out.insn[Role::indirect] == 0) {
    error("asm-indirect", i.origin, fmt::format("dram {} takes its buffer address from indirect_ref", info.subcommand),
          "add the token indirect_ref");
    return false;
  }
  return true;
}

void Resolver::use_transfers(const ast::Instruction& i, const isa::InsnInfo& info, const IrInsn& out) {
  const VregId first = out.vreg[static_cast<size_t>(Role::xfer)];
  if (first < 0 || info.longwords_per_count == 0 || out.max_count) return;
  const uint32_t longwords = out.insn[Role::count] * info.longwords_per_count;
  if (longwords < 2) return;
  if (info.xfer == isa::XferUse::read || info.xfer == isa::XferUse::both) {
    order_checks_.push_back({first, longwords, true, i.origin});
  }
  if (info.xfer == isa::XferUse::write || info.xfer == isa::XferUse::both) {
    order_checks_.push_back({first, longwords, false, i.origin});
  }
}

void Resolver::add(IrInsn insn, const Origin& origin) {
  insn.origin = origin;
  insn.source_line = line_;
  program_.insns.push_back(std::move(insn));
}

}  // namespace weft::assembler
