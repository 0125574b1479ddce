// The assembler warns of a value that comes too late exactly where a run uses the old one, whatever the chip file says
// about the cycles of branches.
#include <algorithm>

#include "checks_support.h"
#include "weft/assembler/assembler.h"
#include "weft/base/render.h"
#include "weft/emulator/lost_cycles.h"

using namespace weft;
using namespace weft::test;
using namespace weft::emulator;

namespace {

std::string nops(unsigned count) {
  std::string out;
  while (count-- > 0) out += "nop\n";
  return out;
}

struct Way {
  const char* name;
  const char* branch;  ///< to t#, always taken; "" = straight on
  unsigned slots;
};

/// Whether a run of the words finds a use of an old value.
bool found(const std::vector<uint64_t>& words, BoardDescription board, isa::LostCycles lost) {
  EngineTiming& timing = board.chips[0].chip.engine;
  timing.abort_branch = lost.branch;
  timing.abort_branch_cc = lost.branch_cc;
  timing.abort_branch_test = lost.branch_test;
  timing.abort_swap = lost.swap;
  Machine machine{MachineDescription(board.chips[0].chip)};
  Units units(board.chips[0], machine);
  machine.attach(units);
  machine.load(0, words);
  machine.start(0, 1);
  CheckModes modes = all_checks(CheckMode::off);
  modes[static_cast<size_t>(Check::csr_latency)] = CheckMode::warn;
  Checks checks(machine, {}, modes, &units, {});
  machine.attach(checks);
  machine.run_until(20'000);
  return !checks.findings().empty();
}

}  // namespace

TEST_CASE("the assembler's distances are those of a run") {
  const auto board = *load_board("generic-2400", {WEFT_SOURCE_DIR "/emulator"});
  const isa::LostCycles chips[] = {{2, 3, 3, 2}, {0, 0, 0, 0}, {1, 1, 1, 1}, {0, 3, 2, 1}};
  const std::pair<const char*, const char*> lates[] = {
      {"local_csr_wr[active_lm_addr_0, p]\n", "alu[x, --, B, *l$index0[0]]\n"},
      {"local_csr_wr[active_lm_addr_1_byte_index, p]\n", "alu[*l$index1[0], --, B, p]\n"},
      {"cam_lookup[x, p], lm_addr0[1]\n", "alu[x, --, B, *l$index0[0]]\n"},
      {"local_csr_wr[t_index, p]\n", "alu[x, --, B, *$index]\n"},
      {"local_csr_wr[active_lm_addr_0, p]\n", "local_csr_rd[active_lm_addr_0]\nimmed[x, 0]\n"}};
  const Way ways[] = {{"straight", "", 0},
                      {"br", "br[t#]", 0},
                      {"br, one slot", "br[t#], defer[1]", 1},
                      {"br, two slots", "br[t#], defer[2]", 2},
                      {"br_bset", "br_bset[p, 2, t#]", 0},
                      {"br_bset, one slot", "br_bset[p, 2, t#], defer[1]", 1},
                      {"beq", "beq[t#]", 0},
                      {"beq, three slots", "beq[t#], defer[3]", 3}};
  unsigned warnings = 0, silent = 0;
  for (const isa::LostCycles& lost : chips)
    for (const auto& [late, use] : lates)
      for (const Way& way : ways)
        for (unsigned gap = 0; gap < 5; ++gap) {
          const bool branches = way.branch[0] != '\0';
          const std::string text = ".reg p x\nimmed[p, 4]\nimmed[x, 0]\nalu[--, p, -, 4]\n" + std::string(late) +
                                   nops(gap) + way.branch + "\n" + nops(way.slots) + (branches ? "br[e#]\nt#:\n" : "") +
                                   use + "alu[--, --, B, x]\ne#:\nctx_arb[bpt]\n";
          assembler::Options options;
          options.lost = lost;
          const auto assembly = assembler::assemble(make_source("p.uc", text), options);
          INFO(way.name << ", lost " << lost.branch << ' ' << lost.branch_cc << ' ' << lost.branch_test << "\n"
                        << text << render_text(assembly.diagnostics));
          REQUIRE(assembly.image);
          const bool warned =
              std::any_of(assembly.diagnostics.begin(), assembly.diagnostics.end(),
                          [](const Diagnostic& d) { return d.code.find("too-soon") != std::string::npos; });
          CHECK(warned == found(assembly.image->words, board, lost));
          ++(warned ? warnings : silent);
        }
  CHECK(warnings > 100);
  CHECK(silent > 100);
}

TEST_CASE("the shipped chips lose what their deferred slots can fill") {
  for (const char* name : {"ixp1200", "ixp2400", "ixp2800"}) {
    const auto chip = load_chip(name, {WEFT_SOURCE_DIR "/emulator"});
    INFO(name);
    REQUIRE(chip);
    const isa::LostCycles said = lost_cycles(chip->engine), known = isa::default_lost(chip->profile);
    CHECK(said.branch == known.branch);
    CHECK(said.branch_cc == known.branch_cc);
    CHECK(said.branch_test == known.branch_test);
    CHECK(said.swap == known.swap);
  }
}
