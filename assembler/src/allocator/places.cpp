// Puts the allocation into the program, and prints it.

#include <fmt/format.h>

#include <algorithm>

#include "allocator/allocator.h"
#include "flow/accesses.h"

namespace weft::assembler {

using isa::Bank;
using isa::OperandKind;
using isa::Role;

namespace {

OperandKind kind_of(RegisterFile file) {
  switch (file) {
    case RegisterFile::gpr: return OperandKind::gpr;
    case RegisterFile::gpr_absolute: return OperandKind::gpr_absolute;
    case RegisterFile::s_read:
    case RegisterFile::s_write: return OperandKind::xfer_s;
    case RegisterFile::d_read:
    case RegisterFile::d_write: return OperandKind::xfer_d;
    case RegisterFile::neighbor: return OperandKind::neighbor;
    case RegisterFile::signal: break;
  }
  return OperandKind::absent;
}

isa::Operand operand_of(const Web& web, const Place& place) {
  isa::Operand operand;
  operand.kind = kind_of(web.file);
  operand.bank = place.bank;
  operand.value = place.number;
  return operand;
}

constexpr std::string_view file_name(RegisterFile file) {
  constexpr std::array<std::string_view, kRegisterFiles> names = {"gpr",     "gpr absolute", "$ read",   "$ write",
                                                                  "$$ read", "$$ write",     "neighbor", "signal"};
  return names[static_cast<size_t>(file)];
}

/// How full each file gets, and where first: "; bank A: at most 12 at once, at instruction 35".
std::string summary(const Program& program, const Allocation& allocation) {
  std::string out;
  const auto line = [&](const std::string& what, const auto& belongs) {
    std::vector<uint32_t> load(allocation.liveness.points + 1, 0);
    for (size_t w = 0; w < allocation.places.size(); ++w) {
      const Web& web = allocation.liveness.webs[w];
      if (!belongs(web, allocation.places[w])) continue;
      const bool two = web.file == RegisterFile::signal && program.signals[static_cast<size_t>(web.symbol)].doubled;
      for (const Span& span : web.spans) {
        for (uint32_t p = span.begin; p < span.end; ++p) load[p] += two ? 2 : 1;
      }
    }
    const auto peak = std::max_element(load.begin(), load.end());
    if (*peak != 0)
      out += fmt::format("; {}: at most {} at once, first at instruction {}\n", what, *peak, (peak - load.begin()) / 2);
  };
  for (const Bank bank : {Bank::a, Bank::b}) {
    line(bank == Bank::a ? "bank A" : "bank B",
         [&](const Web& web, const Place& place) { return web.file == RegisterFile::gpr && place.bank == bank; });
  }
  for (size_t f = 0; f < kRegisterFiles; ++f) {
    const auto file = static_cast<RegisterFile>(f);
    if (file == RegisterFile::gpr) continue;
    line(std::string(file_name(file)), [&](const Web& web, const Place&) { return web.file == file; });
  }
  return out;
}

}  // namespace

Program with_places(const Program& program, const Allocation& allocation) {
  Program out = program;
  for (const Access& access : allocation.liveness.accesses) {
    if (access.web < 0) continue;
    const Web& web = allocation.liveness.webs[static_cast<size_t>(access.web)];
    const Place& place = allocation.places[static_cast<size_t>(access.web)];
    IrInsn& insn = out.insns[access.insn];
    switch (access.slot) {
      case Slot::dest: insn.insn.dest = operand_of(web, place); break;
      case Slot::left: insn.insn.left = operand_of(web, place); break;
      case Slot::right: insn.insn.right = operand_of(web, place); break;
      case Slot::xfer:
        if (access.member == 0) insn.insn.xfer = operand_of(web, place);
        break;
      case Slot::signal:
        insn.signal->number = place.number;
        insn.insn[Role::signal] = place.number + (insn.signal->half == SignalRef::Half::second ? 1 : 0);
        break;
      case Slot::wait: {
        SignalRef& ref = insn.signals[access.member];
        ref.number = place.number;
        const bool doubled = program.signals[static_cast<size_t>(web.symbol)].doubled;
        if (ref.half != SignalRef::Half::second) insn.insn[Role::signals] |= 1u << place.number;
        if (doubled && ref.half != SignalRef::Half::first) insn.insn[Role::signals] |= 2u << place.number;
        break;
      }
      case Slot::kept:  // the number is that of the destination
      case Slot::hint:
      case Slot::address: break;
    }
  }
  return out;
}

std::string dump_allocation(const Program& program, const Allocation& allocation) {
  std::vector<size_t> order(allocation.liveness.webs.size());
  for (size_t w = 0; w < order.size(); ++w) order[w] = w;
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) {
    const Web& a = allocation.liveness.webs[x];
    const Web& b = allocation.liveness.webs[y];
    const auto start = [](const Web& w) { return w.spans.empty() ? 0u : w.spans.front().begin; };
    return std::pair(a.file, start(a)) < std::pair(b.file, start(b));
  });
  std::string out = "; file, name, place, live range in instructions\n";
  for (size_t w : order) {
    const Web& web = allocation.liveness.webs[w];
    const Place& place = allocation.places[w];
    const bool signal = web.file == RegisterFile::signal;
    const std::string& name = signal ? program.signals[static_cast<size_t>(web.symbol)].name
                                     : program.vregs[static_cast<size_t>(web.symbol)].name;
    const std::string where = signal ? fmt::format("s{}", place.number) : isa::print_operand(operand_of(web, place));
    out += fmt::format("{:<13} {:<24} {:<6}", file_name(web.file), name, where);
    if (web.everywhere) out += " everywhere";
    for (const Span& span : web.spans) {
      if (web.everywhere) break;
      out += fmt::format(" {}-{}", span.begin / 2, (span.end - 1) / 2);
    }
    out += '\n';
  }
  out += summary(program, allocation);
  for (const SpilledRange& range : program.spilled) {
    out += fmt::format("{:<13} {:<24} {:<6}", "local memory", program.vregs[static_cast<size_t>(range.vreg)].name,
                       isa::print_operand(range.place));
    for (const auto& [first, last] : range.insns) out += fmt::format(" {}-{}", first, last);
    out += '\n';
  }
  return out;
}

}  // namespace weft::assembler
