// Programs that several tests assemble, and what a program leaves behind when it runs.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "weft/assembler/assembler.h"
#include "weft/base/render.h"
#include "weft/emulator/machine.h"
#include "weft/isa/isa.h"

namespace weft::assembler::test {

/// What the program leaves in `$out`, the first transfer register that it writes.
inline uint32_t result(const Assembly& a) {
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  emulator::Machine machine{emulator::MachineDescription{}};
  machine.load(0, a.image->words);
  machine.start(0, 1);
  machine.run_until(10000 * machine.timing().period);
  for (uint64_t word : a.image->words) {
    const auto insn = isa::decode(isa::Profile::me2, word);
    if (insn->dest.kind == isa::OperandKind::xfer_s) return machine.pull({0, 0}, false, insn->dest.value);
  }
  FAIL("nothing was written");
  return 0;
}

/// A command of scratch from $x, whose signal s nothing awaits.
constexpr const char* kUnawaitedWrite =
    ".reg zero write $x\n.sig s\nimmed[zero, 0]\nalu[$x, --, B, zero]\nscratch[write, $x, zero, 0, 1], sig_done[s]\n";

/// Uses sixteen transfer registers, so that there is none left for one that is still held.
inline std::string sixteen_in_use() {
  std::string out = ".begin\n.reg write $y[16]\n.sig t\n";
  for (int k = 0; k < 16; ++k) out += "alu[$y[" + std::to_string(k) + "], --, B, zero]\n";
  return out +
         "scratch[write, $y[0], zero, 0, 8], ctx_swap[t]\nscratch[write, $y[8], zero, 0, 8], "
         "ctx_swap[t]\n.end\nctx_arb[kill]\n";
}

}  // namespace weft::assembler::test
