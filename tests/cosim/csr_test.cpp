// Local CSRs that are read where the engine is ahead of others (Op::pairs): the value, the cycle, and what takes it.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "compare.h"
#include "weft/isa/isa.h"

using namespace weft;
using namespace weft::test;

// Also while an answer comes, and in slots behind a swap and a branch.
TEST_CASE("every local CSR is read on the fast engine as on the reference") {
  for (const isa::CsrInfo& csr : isa::csrs(isa::Profile::me2)) {
    INFO(csr.name);
    std::string meanwhile = "sram[read, $0, a, 0, 1], sig_done[s]\n";
    for (unsigned i = 0; i < 16; ++i)
      meanwhile += fmt::format("local_csr_rd[{}]\nimmed[c, 0]\nalu[b, b, XOR, c]\nnop\nnop\nnop\n", csr.name);
    compare_engines(board("generic-2400"),
                    assembled(fmt::format(R"(.reg a b c $0
.sig volatile s
immed[a, 0x100]
immed[b, 0]
again#:
{1}ctx_arb[s]
sram[read, $0, a, 0, 1], ctx_swap[s], defer[2]
local_csr_rd[{0}]
immed[c, 0]
alu[b, b, +, c]
br[again#], defer[2]
local_csr_rd[{0}]
immed[c, 0]
)",
                                          csr.name, meanwhile)),
                    7, 1200);
  }
}

// The write register is still to be read by the command before.
TEST_CASE("a local CSR is put into a transfer register that is in flight") {
  for (unsigned words = 0; words < 40; ++words) {
    INFO(words << " words between the command and the CSR");
    std::string between;
    for (unsigned i = 0; i < words; ++i) between += "nop\n";
    compare_engines(
        board("generic-2400"),
        assembled(".reg a $0\n.sig volatile s\nimmed[a, 0x100]\nagain#:\nlocal_csr_rd[PROFILE_COUNT]\n"
                  "immed[$0, 0]\nsram[write, $0, a, 0, 1], sig_done[s]\n" +
                  between + "local_csr_rd[PROFILE_COUNT]\nimmed[$0, 0]\nctx_arb[s]\nalu[a, a, +, 4]\nbr[again#]\n"),
        7, 900);
  }
}
