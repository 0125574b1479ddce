// Instructions: choosing a form of the ISA, filling its roles, and saying what would have been right.
#include "resolver/instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "resolver/forms.h"
#include "resolver/matching.h"
#include "source/recorder.h"
#include "source/suggest.h"

namespace weft::assembler {
namespace {

constexpr const char* kCamEntryRemedy =
    "the number of an entry may also be in a register, of which the low four bits count";
std::string no_cam_entry(int32_t number) {
  return fmt::format("the CAM has entries 0 to {}; {} is none of them", kCamEntries - 1, number);
}

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
}  // namespace

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

namespace {

size_t form_size(const isa::Form& form) {
  return static_cast<size_t>(
      std::count_if(form.args.begin(), form.args.end(), [](const isa::Arg& a) { return a.cls != ArgClass::mul_step; }));
}
size_t form_min(const isa::Form& form) {
  size_t min = form.args.size();
  while (min > 0 && (form.args[min - 1].optional || form.args[min - 1].cls == ArgClass::mul_step)) --min;
  return min;
}
/// Without a shift an alu_shf is an alu, and may do what that can.
bool is_alu(const ast::Instruction& i) {
  if (i.mnemonic != "alu_shf" || i.operands.size() != 4) return false;
  const ast::Operand& o = i.operands[2];
  const auto operation = value_of(isa::alu_ops(), o.kind == OperandForm::operation ? folded(o.text) : plain_name(o));
  return operation && !shifts(*operation);
}

bool takes_list(const isa::Form& form) { return !form.args.empty() && form.args.back().cls == ArgClass::signal_list; }

}  // namespace

// --- choosing a form ---

void Instructions::resolve(const ast::Instruction& i) {
  if (i.mnemonic == "load_addr") {
    ast::Instruction as_immed = i;
    as_immed.mnemonic = "immed";
    if (i.operands.size() != 2 || i.operands[1].kind != OperandForm::value ||
        i.operands[1].expr.kind != ast::Expr::Kind::label) {
      report_.error("asm-form", i.origin, "load_addr takes a register and a label", "write load_addr[dest, label#]");
      return;
    }
    return resolve(as_immed);
  }
  for (const isa::Alias& alias : isa::aliases(program_.profile)) {
    if (alias.spelling != i.mnemonic) continue;
    IrInsn insn;
    insn.insn = alias.instruction;
    const isa::InsnInfo& info = isa::info(alias.instruction.id);
    bool right = true;
    insn.keep = i.mnemonic == "nop_volatile";
    if (insn.keep || i.mnemonic == "nop" || i.mnemonic == "halt") {
      if (!i.operands.empty()) {
        report_.error("asm-form", i.operands[0].origin, fmt::format("{} takes no operands", i.mnemonic));
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
  const auto ids = isa::by_mnemonic(program_.profile, is_alu(i) ? "alu" : i.mnemonic);
  if (ids.empty()) {
    std::vector<std::string> names;
    for (const isa::InsnInfo& info : isa::all_instructions())
      if (isa::enabled(program_.profile, info.id)) names.emplace_back(info.mnemonic);
    for (const isa::Alias& alias : isa::aliases(program_.profile)) names.emplace_back(alias.spelling);
    names.emplace_back("load_addr");
    std::sort(names.begin(), names.end());
    for (const std::string& macro : macro_names_) names.push_back(folded(macro));
    Origin word = i.origin;  // the whole instruction: point to its name
    word.length = std::min(word.length, static_cast<uint32_t>(i.mnemonic.size()));
    const bool me1 = program_.profile == isa::Profile::me1;
    const bool elsewhere = !isa::by_mnemonic(me1 ? isa::Profile::me2 : isa::Profile::me1, i.mnemonic).empty();
    const auto near = elsewhere ? Suggestions{} : suggestions(i.mnemonic, names);  // then it is not a misspelling
    const std::string text = elsewhere ? fmt::format("{} has no instruction '{}'; {}", program_.chip, i.mnemonic,
                                                     me1 ? "the IXP2400 has" : "the IXP1200 has")
                                       : fmt::format("there is no instruction or macro '{}'", i.mnemonic);
    std::string remedy;
    if (near)
      remedy = did_you_mean(near);
    else if (!elsewhere)
      remedy = "macros must be defined above their first call; is an #include missing?";
    else if (i.mnemonic.starts_with("find_bset"))
      remedy = "ffs finds the lowest set bit of a whole register";
    fix_name(report_.error("asm-unknown-instruction", word, text, std::move(remedy)), sources_, word, i.mnemonic, near);
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

bool Instructions::fits(const isa::Arg& arg, const ast::Operand& o) const {
  const std::string name = plain_name(o);
  if (arg.optional && o.kind == OperandForm::absent) return true;
  switch (arg.cls) {
    case ArgClass::alu_op:
    case ArgClass::shf_op: return o.kind == OperandForm::operation || value_of(isa::alu_ops(), name).has_value();
    case ArgClass::shift:
    case ArgClass::right_shift:
    case ArgClass::byte_shift: return o.kind == OperandForm::shift;
    case ArgClass::label: return o.kind == OperandForm::value && o.expr.kind == ast::Expr::Kind::label;
    case ArgClass::none_only: return o.kind == OperandForm::absent;
    case ArgClass::alu_output: return name == "alu";
    case ArgClass::cap_csr:
      return o.kind == OperandForm::value &&
             (value_of(isa::cap_csrs(program_.profile), name).has_value() || !operands_.names_register(o.expr));
    case ArgClass::constant:
    case ArgClass::count:
      return o.kind == OperandForm::value && (!operands_.names_register(o.expr) || name.starts_with("max_"));
    default: return o.kind == OperandForm::value || o.kind == OperandForm::absent;
  }
}

std::optional<Instructions::Candidate> Instructions::choose(const ast::Instruction& i,
                                                            std::span<const isa::InsnId> ids) {
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
    const auto near = suggestions(command, commands);
    std::sort(commands.begin(), commands.end());
    commands.erase(std::unique(commands.begin(), commands.end()), commands.end());
    std::string list;
    for (const std::string& c : commands) list += (list.empty() ? "" : " ") + c;
    const Origin& place = i.operands.empty() ? i.origin : i.operands[0].origin;
    fix_name(report_.error("asm-unknown-command", place,
                           command.empty() ? fmt::format("{} needs a command first", i.mnemonic)
                                           : fmt::format("{} has no command '{}'", i.mnemonic, command),
                           near ? did_you_mean(near) : fmt::format("commands: {}", list)),
             sources_, place, command, near);
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
    if (given < form_min(*c.form) || (given > form_size(*c.form) && !takes_list(*c.form))) continue;
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
  report_.error("asm-form", i.origin,
                fmt::format("{} has too {} operands", i.mnemonic, given < form_min(*first.form) ? "few" : "many"),
                fmt::format("write {}", forms));
  return std::nullopt;
}

// --- filling roles ---

bool Instructions::match(const ast::Instruction& i, const Candidate& c, IrInsn& out) {
  const isa::InsnInfo& info = isa::info(c.id);
  if (Recorder* recorder = sources_.recorder()) recorder->matched(i, info, *c.form, c.skip);
  bool right = true;
  size_t position = c.skip;
  for (const isa::Arg& arg : c.form->args) {
    if (arg.cls == ArgClass::mul_step) continue;                            // a token after the bracket
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
  return right && keeps_readable(i, out);
}

/// Bytes of a transfer register that an instruction keeps are those of its read register.
bool Instructions::keeps_readable(const ast::Instruction& i, const IrInsn& insn) {
  const VregId id = insn.vreg[static_cast<size_t>(Role::dest)];
  if (id < 0 || !isa::keeps_bytes(insn.insn)) return true;
  const Vreg& v = program_.vregs[static_cast<size_t>(id)];
  if (v.cls != VregClass::xfer_s && v.cls != VregClass::xfer_d) return true;
  transfers_.use(id, true, true);
  if (v.read_side) return true;
  report_
      .error(
          "asm-transfer-side", i.origin,
          fmt::format("{} keeps the other bytes of the read register of '{}', which is declared as write register only",
                      i.mnemonic, v.name),
          "put the value together in a general-purpose register, and move it")
      .notes.push_back({sources_.range(v.declared), "it was declared here"});
  return false;
}

bool Instructions::argument(const ast::Instruction& i, const isa::InsnInfo& info, const isa::Arg& arg, size_t position,
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

bool Instructions::place_operand(const isa::InsnInfo& info, const isa::Arg& arg, const ast::Operand& o,
                                 std::string_view where, IrInsn& out) {
  if (arg.cls == ArgClass::none_only) {
    if (o.kind == OperandForm::absent) return true;
    report_.error("asm-operand", o.origin, fmt::format("{} must be --", where),
                  "this instruction has no register here");
    return false;
  }
  auto resolved = operands_.operand(o, where, is_transfer(arg.cls));
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
      report_
          .error("asm-transfer-side", o.origin,
                 fmt::format("'{}' is declared as {} register only, but {} needs its {} register", v.name,
                             v.read_side ? "read" : "write", where, v.read_side ? "write" : "read"),
                 "leave out the attribute to have both")
          .notes.push_back({sources_.range(v.declared), "it was declared here"});
      return false;
    }
    if (Recorder* recorder = sources_.recorder()) {
      const bool command = is_transfer(arg.cls);  // what it fills is written
      recorder->accessed(o.expr.origin, command ? writes : reads, command ? reads : writes);
    }
    if (transfer) transfers_.use(resolved->vreg, needs_read, needs_write);
  }
  if (is_transfer(arg.cls) && proto.present()) {
    const bool dram = info.unit == isa::Unit::dram;
    const isa::OperandKind wanted = dram ? isa::OperandKind::xfer_d : isa::OperandKind::xfer_s;
    if (proto.kind != wanted) {
      report_.error("asm-operand", o.origin,
                    fmt::format("{} must be a {} transfer register, not '{}'", where, dram ? "$$" : "$", written(o)),
                    dram ? "dram moves data through $$ registers"
                         : "only dram takes $$ registers; GPRs cannot hold data of commands");
      return false;
    }
  }
  if (const auto fit = isa::check_operand(program_.profile, arg, proto); !fit) {
    if (arg.role == Role::right && proto.kind == isa::OperandKind::constant && !program_.physical &&
        isa::effects(info.id).right_is_cam_entry) {
      report_.error("asm-range", o.origin, no_cam_entry(static_cast<int32_t>(proto.value)), kCamEntryRemedy);
      return false;
    }
    // The reason names the operand again, in the notation of words; the source has its own.
    std::string_view reason = fit.error().text;
    const bool constant = proto.kind == isa::OperandKind::constant;
    if (const size_t cut = reason.find("; "); constant && cut != std::string_view::npos) reason.remove_prefix(cut + 2);
    const bool width = constant && reason.size() != fit.error().text.size();
    const auto number = static_cast<int32_t>(proto.value);
    report_.error(width ? "asm-constant-width" : "asm-operand", o.origin,
                  fmt::format("{} cannot be {}: {}",
                              !constant                               ? fmt::format("'{}'", written(o))
                              : number > -100'000 && number < 100'000 ? fmt::format("{}", number)
                                                                      : fmt::format("{:#x}", proto.value),
                              where, reason),
                  fit.error().remedy);
    return false;
  }
  out.insn.operand(arg.role) = resolved->operand;
  out.vreg[index] = resolved->vreg;
  out.late[index] = std::move(resolved->late);
  return true;
}

// --- checks of the whole instruction ---

bool Instructions::check_pair(const ast::Instruction& i, const IrInsn& out) {
  const auto free_bank = [&](Role r) {
    return out.insn.operand(r).is_gpr() && out.vreg[static_cast<size_t>(r)] >= 0;  // the allocator gives the bank
  };
  if (!out.insn.left.present() || !out.insn.right.present() || free_bank(Role::left) || free_bank(Role::right))
    return true;
  if (const auto fit = isa::check_sources(program_.profile, out.insn.left, out.insn.right); !fit) {
    // The reason names physical registers; the names of the source say more.
    std::string text = fit.error().text;
    const VregId left = out.vreg[static_cast<size_t>(Role::left)], right = out.vreg[static_cast<size_t>(Role::right)];
    if (const size_t cut = text.find(": "); cut != std::string::npos && left >= 0 && right >= 0) {
      text = fmt::format("{}: '{}' and '{}'", text.substr(0, cut), program_.vregs[static_cast<size_t>(left)].name,
                         program_.vregs[static_cast<size_t>(right)].name);
    }
    report_.error("asm-sources", i.origin, std::move(text), fit.error().remedy);
    return false;
  }
  return true;
}

bool Instructions::check_sequence(const ast::Instruction& i, const isa::InsnInfo& info, const IrInsn& out) {
  // The engine looks at the low four bits alone: another number would be another entry. A source that says exactly
  // which words it wants may have it.
  const isa::Operand& entry = out.insn.right;
  if (isa::effects(info.id).right_is_cam_entry && entry.kind == isa::OperandKind::constant &&
      entry.value >= kCamEntries && !out.late[static_cast<size_t>(Role::right)] && !program_.physical) {
    const size_t at = isa::effects(info.id).bytes == 0 ? 0 : 1;
    report_.error("asm-range", i.operands[at].origin, no_cam_entry(static_cast<int32_t>(entry.value)), kCamEntryRemedy);
    return false;
  }
  if (out.max_count && out.insn[Role::indirect] == 0) {
    report_.error("asm-indirect", i.origin, "max_n means that indirect_ref gives the count",
                  "add the token indirect_ref");
    return false;
  }
  if (isa::effects(info.id).needs_indirect && out.insn[Role::indirect] == 0) {
    report_.error("asm-indirect", i.origin,
                  fmt::format("dram {} takes its buffer address from indirect_ref", info.subcommand),
                  "add the token indirect_ref");
    return false;
  }
  return true;
}

void Instructions::use_transfers(const ast::Instruction& i, const isa::InsnInfo& info, const IrInsn& out) {
  const VregId first = out.vreg[static_cast<size_t>(Role::xfer)];
  if (first < 0 || info.longwords_per_count == 0 || out.max_count) return;
  const uint32_t longwords = out.insn[Role::count] * info.longwords_per_count;
  if (longwords < 2) return;
  if (info.xfer == isa::XferUse::read || info.xfer == isa::XferUse::both) {
    transfers_.use_consecutive(first, longwords, true, i.origin);
  }
  if (info.xfer == isa::XferUse::write || info.xfer == isa::XferUse::both) {
    transfers_.use_consecutive(first, longwords, false, i.origin);
  }
}

void Instructions::add(IrInsn insn, const Origin& origin) {
  insn.origin = origin;
  insn.source_line = line_;
  program_.insns.push_back(std::move(insn));
}

}  // namespace weft::assembler
