// Names declared remote: registers and signals of another microengine, which have neither a place nor a number here.
#include <fmt/format.h>

#include "checker/checker.h"
#include "flow/accesses.h"

namespace weft::assembler {

void check_remote(const Program& program, const Sources& sources, Diagnostics& out) {
  const Variables variables(program);
  std::vector<bool> said(program.insns.size(), false);
  for (const Access& a : collect_accesses(program)) {
    const auto symbol = static_cast<size_t>(variables.symbol(a.variable));
    const bool signal = variables.is_signal(a.variable);
    if (!(signal ? program.signals[symbol].is_remote : program.vregs[symbol].is_remote) || said[a.insn]) continue;
    said[a.insn] = true;
    const std::string& name = signal ? program.signals[symbol].name : program.vregs[symbol].name;
    Diagnostic d = sources.diagnostic(
        Severity::error, "asm-remote", program.insns[a.insn].origin,
        fmt::format(
            "'{}' is declared remote: it is a {} of another microengine, whose program this assembler does not see",
            name, signal ? "signal" : "register"),
        "give its number to this program through .import_var; in the program that owns it, declare it visible and pin "
        "it with .addr");
    d.notes.push_back({sources.range(signal ? program.signals[symbol].declared : program.vregs[symbol].declared),
                       fmt::format("'{}' is declared here", name)});
    out.add(std::move(d));
  }
}

}  // namespace weft::assembler
