// Tokens after the operands: ctx_swap[s], defer[n], indirect_ref and the rest.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "resolver/instructions.h"
#include "resolver/matching.h"
#include "source/suggest.h"

namespace weft::assembler {
namespace {

/// Slots that are lost when the branch is taken or the context swaps, and the name of the figure in a chip file.
std::pair<unsigned, std::string_view> lost_slots(isa::CycleClass cycles, const isa::LostCycles& lost) {
  switch (cycles) {
    case isa::CycleClass::single: break;
    case isa::CycleClass::branch: return {lost.branch, "abort_branch"};
    case isa::CycleClass::branch_cc: return {lost.branch_cc, "abort_branch_cc"};
    case isa::CycleClass::branch_test: return {lost.branch_test, "abort_branch_test"};
    case isa::CycleClass::swap:
    case isa::CycleClass::command: return {lost.swap, "abort_swap"};
  }
  return {UINT32_MAX, ""};
}

}  // namespace

bool Instructions::mul_step_name(const ast::Modifier& m, IrInsn& out) {
  const std::string name = folded(m.name);
  if (name == "start") return true;  // the word of a start step does not hold the size, so printed words lack it
  for (const isa::NamedValue& size : isa::mul_sizes()) {
    if (size.name.empty() || !name.starts_with(size.name)) continue;
    for (const isa::NamedValue& step : isa::mul_steps()) {
      if (name.substr(size.name.size()) != "_" + std::string(step.name)) continue;
      role(out, Role::mul_size) = size.value;
      role(out, Role::mul_step) = step.value;
      return true;
    }
  }
  return false;
}

bool Instructions::modifiers(const ast::Instruction& i, const isa::InsnInfo& info, bool has_mul_step, IrInsn& out) {
  bool right = true, step_given = false;
  std::vector<std::string> seen;
  for (const ast::Modifier& m : i.modifiers) {
    const std::string name = folded(m.name);
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      report_.error("asm-token", m.origin, fmt::format("the token '{}' stands twice", m.name));
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
    report_.error("asm-token", i.origin, "mul_step needs its step",
                  "24x8_, 16x16_ or 32x32_ with start, step1 to step4, last or last2");
    return false;
  }
  const auto has = [&](std::string_view name) { return std::find(seen.begin(), seen.end(), name) != seen.end(); };
  if (has("ctx_swap") && has("sig_done")) {
    report_.error("asm-token", i.origin, "ctx_swap and sig_done exclude each other");
    return false;
  }
  if (has("ordered") + has("optimize_mem") + has("priority") > 1) {
    report_.error("asm-token", i.origin, "a command goes to one queue: ordered, optimize_mem or priority");
    return false;
  }
  if (has("all") && has("any")) {
    report_.error("asm-token", i.origin, "all and any exclude each other");
    return false;
  }
  if (has("any") && info.group == isa::Group::context && out.signals.empty()) {
    report_.error("asm-token", i.origin, "any needs signals to choose from");
    return false;
  }
  if (has("defer") && info.group == isa::Group::command && !has("ctx_swap")) {
    report_.error("asm-defer", i.origin, "a command defers only together with ctx_swap");
    return false;
  }
  return right;
}

bool Instructions::modifier_number(const ast::Modifier& m, int64_t max, uint32_t& out) {
  if (m.arguments.size() != 1 || m.arguments[0].kind != OperandForm::value) {
    report_.error("asm-token", m.origin, fmt::format("write {}[number]", m.name));
    return false;
  }
  const auto value = operands_.constant(m.arguments[0].expr);
  if (!value) return false;
  if (!is_known(*value) || value->number < 0 || value->number > max) {
    report_.error("asm-range", m.arguments[0].origin, fmt::format("the number of {} must be 0 to {}", m.name, max));
    return false;
  }
  out = static_cast<uint32_t>(value->number);
  return true;
}

bool Instructions::modifier(const ast::Modifier& m, const isa::InsnInfo& info, IrInsn& out) {
  const std::string name = folded(m.name);
  // The guess of a branch and the queues of memory units exist in the older parts only.
  const auto takes_token = [&](isa::TokenId t) {
    const bool older = t == isa::TokenId::guess_branch || t == isa::TokenId::ordered ||
                       t == isa::TokenId::optimize_mem || t == isa::TokenId::priority;
    return !older || program_.profile == isa::Profile::me1;
  };
  const bool known = std::any_of(info.tokens.begin(), info.tokens.end(),
                                 [&](isa::TokenId t) { return takes_token(t) && isa::token_name(t) == name; });
  if (!known) {
    if (name == "ctx_swap" && info.signal == isa::SignalUse::doubled) {
      report_.error("asm-two-signals", m.origin,
                    fmt::format("{} {} raises two signals and cannot take ctx_swap", info.mnemonic, info.subcommand),
                    "write sig_done[s] and ctx_arb[s]");
      return false;
    }
    std::string list;
    std::vector<std::string> names;
    for (isa::TokenId t : info.tokens) {
      if (!takes_token(t)) continue;
      names.emplace_back(isa::token_name(t));
      list += (list.empty() ? "" : ", ") + names.back();
    }
    const auto near = suggestions(name, names);
    fix_name(report_.error("asm-token", m.origin,
                           fmt::format("{}{}{} takes no token '{}'", info.mnemonic, info.subcommand.empty() ? "" : " ",
                                       info.subcommand, m.name),
                           near           ? did_you_mean(near)
                           : list.empty() ? "it takes none"
                                          : "it takes " + list),
             sources_, m.origin, name, near);
    return false;
  }
  // Where the unit decides on the signal it need not be named.
  if ((name == "ctx_swap" || name == "sig_done") && m.arguments.empty()) {
    if (const uint32_t number = isa::unit_signal(program_.profile, info.id)) {
      out.signal = SignalRef{-1, number};
      role(out, Role::signal) = number;
      role(out, Role::signal_mode) =
          static_cast<uint32_t>(name == "ctx_swap" ? isa::SignalMode::ctx_swap : isa::SignalMode::sig_done);
      return true;
    }
  }
  const bool wants = name == "ctx_swap" || name == "sig_done" || name == "defer" || name == "br" || name == "targets" ||
                     name.starts_with("lm_addr");
  if (wants != (m.has_arguments && !m.arguments.empty())) {
    report_.error("asm-token", m.origin,
                  wants ? fmt::format("the token '{}' needs something in brackets", m.name)
                        : fmt::format("the token '{}' takes nothing in brackets", m.name));
    return false;
  }
  if (name == "ctx_swap" || name == "sig_done") {
    if (m.arguments.size() != 1) {
      report_.error("asm-token", m.origin, fmt::format("{} takes one signal", m.name));
      return false;
    }
    const auto ref = operands_.signal(m.arguments[0], name);
    if (!ref) return false;
    out.signal = *ref;
    role(out, Role::signal_mode) =
        static_cast<uint32_t>(name == "ctx_swap" ? isa::SignalMode::ctx_swap : isa::SignalMode::sig_done);
    if (ref->id < 0) {
      role(out, Role::signal) = ref->number;
    } else if (info.signal == isa::SignalUse::doubled) {
      if (ref->half != SignalRef::Half::whole) {
        report_.error("asm-two-signals", m.origin, "a command with two signals names the whole signal, not a half");
        return false;
      }
      program_.signals[static_cast<size_t>(ref->id)].doubled = true;
    }
    return true;
  }
  if (name == "defer") {
    uint32_t slots = 0;
    if (!modifier_number(m, INT32_MAX, slots)) return false;
    const unsigned max = isa::max_deferred(program_.profile, info);
    if (slots > max) {
      report_.error(
          "asm-defer", m.origin,
          fmt::format("{} defers at most {} instruction{}, not {}", info.mnemonic, max, max == 1 ? "" : "s", slots));
      return false;
    }
    // The language allows what the words can say; a chip whose file says fewer executes the rest for nothing.
    if (lost_of_chip_) {
      const auto [lost, name_of_cost] = lost_slots(info.cycles, *lost_of_chip_);
      if (slots > lost)
        report_.warning("asm-defer-chip", m.origin,
                        fmt::format("{} of {} loses {} slot{} when taken, and {} are deferred", info.mnemonic,
                                    program_.chip, lost, lost == 1 ? "" : "s", slots),
                        fmt::format("the chip file says so ({}); write defer[{}] at most", name_of_cost, lost));
    }
    role(out, Role::defer) = slots;
    return true;
  }
  if (name == "br" || name == "targets") {
    bool right = true;
    for (const ast::Operand& o : m.arguments) {
      if (o.kind != OperandForm::value || o.expr.kind != ast::Expr::Kind::label) {
        report_.error("asm-operand", o.origin, fmt::format("{} takes labels", m.name), "labels end in '#'");
        return false;
      }
      const auto id = labels_.use(o.expr.text, o.origin);
      if (!id)
        right = false;
      else if (name == "br")
        out.target = *id;
      else
        out.jump_targets.push_back(*id);
    }
    if (name == "br") {
      if (m.arguments.size() != 1) {
        report_.error("asm-token", m.origin, "br takes one label");
        return false;
      }
      role(out, Role::has_target) = 1;
    }
    return right;
  }
  if (name.starts_with("lm_addr")) {
    if (role(out, Role::lm_select) != 0) {
      report_.error("asm-token", m.origin, "a lookup loads lm_addr0 or lm_addr1, not both");
      return false;
    }
    uint32_t value = 0;
    if (!modifier_number(m, 3, value)) return false;
    role(out, Role::lm_select) = name == "lm_addr0" ? 1 : 2;
    role(out, Role::lm_constant) = value;
    return true;
  }
  if (name == "indirect_ref")
    role(out, Role::indirect) = 1;
  else if (name == "ignore_data_error")
    role(out, Role::ignore_error) = 1;
  else if (name == "load_cc")
    role(out, Role::load_cc) = 1;
  else if (name == "bit_swap")
    role(out, Role::bit_swap) = 1;
  else if (name == "guess_branch")
    role(out, Role::guess) = 1;
  else if (name == "optimize_mem")
    role(out, Role::queue) = static_cast<uint32_t>(isa::MemoryQueue::optimize_mem);
  else if (name == "priority")
    role(out, Role::queue) = static_cast<uint32_t>(isa::MemoryQueue::priority);
  else if (name == "any")
    role(out, Role::any) = 1;
  else if (name.starts_with("bytes_")) {
    static constexpr std::array<std::string_view, 7> ranges{"bytes_0_3", "bytes_1_3", "bytes_2_3", "bytes_3",
                                                            "bytes_0_2", "bytes_0_1", "bytes_0"};
    const auto at = std::find(ranges.begin(), ranges.end(), name);
    role(out, Role::crc_bytes) = static_cast<uint32_t>(at - ranges.begin());
  }
  return true;
}

}  // namespace weft::assembler
