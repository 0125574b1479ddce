// me1 from text to words and back: programs, random words, and the limits of the part.
#include <catch2/catch.hpp>
#include <string>

#include "weft/assembler/assembler.h"
#include "weft/base/random.h"
#include "weft/isa/isa.h"

using namespace weft;
using namespace weft::assembler;

namespace {

Options ixp1200() {
  Options options;
  options.chip = "ixp1200";
  options.profile = isa::Profile::me1;
  options.control_store = 2048;
  return options;
}
Assembly assembled(const std::string& text) { return assemble(make_source("me1.uc", text), ixp1200()); }
std::string messages(const Assembly& a) {
  std::string out;
  for (const Diagnostic& d : a.diagnostics) out += d.code + ": " + d.text + "\n";
  return out;
}
std::string first_error(const std::string& text) {
  const Assembly a = assembled(text);
  for (const Diagnostic& d : a.diagnostics)
    if (d.severity == Severity::error) return d.text;
  return "accepted";
}
/// Assembles, disassembles and assembles again; the words of the first time.
std::vector<uint64_t> round_trip(const std::string& text) {
  const Assembly first = assembled(text);
  INFO(messages(first));
  REQUIRE(first.image);
  const std::string again = disassemble(isa::Profile::me1, first.image->words);
  const Assembly second = assembled(again);
  INFO(again << messages(second));
  REQUIRE(second.image);
  CHECK(second.image->words == first.image->words);
  return first.image->words;
}
size_t count(const std::vector<uint64_t>& words, isa::InsnId id) {
  size_t n = 0;
  for (uint64_t word : words)
    if (const auto insn = isa::decode(isa::Profile::me1, word)) n += insn->id == id;
  return n;
}

// Waits for a packet of a port, moves its first 32 bytes to registers and all of it to SDRAM.
constexpr const char* kReceive = R"(
.reg port request buffer element $rdy $cntl $request
.reg read $h0 $h1 $h2 $h3
.xfer_order $h0 $h1 $h2 $h3
immed[port, 5]
immed[buffer, 0x100]
poll#:
  csr[read, $rdy, RCV_RDY_LO], ctx_swap
  br_bclr[$rdy, 5, idle#], guess_branch
  br_inp_state[REC_REQ_AVAIL, ask#]
idle#:
  ctx_arb[voluntary]
  br[poll#]
ask#:
  alu_shf[request, --, B, port, <<16]
  alu[$request, request, OR, 4]
  csr[write, $request, RCV_REQ], sig_done
  ctx_arb[fbi, start_receive]
  csr[read, $cntl, RCV_CNTL], ctx_swap
  alu_shf[element, 0xf, AND, $cntl, >>4]
  alu_shf[element, --, B, element, <<3]
  r_fifo_rd[$h0, element, 0, 2], ctx_swap
  alu[--, --, B, element]
  sdram[r_fifo_rd, --, buffer, 0, 8], indirect_ref, ctx_swap, defer[1]
  alu[buffer, buffer, +, 8]
  br=byte[$h0, 3, 0x45, good#]
  br!=byte[$h1, 0, 6, poll#], guess_branch
good#:
  alu[--, $h2, -, port]
  br=0[poll#]
  alu[port, $h3, XOR, port]
  br[poll#], defer[1]
  nop
)";

// Longest match: 32 bits of a vector of rules, first in the low half, then in the high one.
constexpr const char* kSearch = R"(
.reg base entry result rule @found $vector $entry
immed[base, 0x40]
immed[@found, 0]
next#:
  sram[read, $vector, base, 0, 1], ctx_swap
  find_bset[$vector]
  find_bset[$vector, >>16]
  nop
  load_bset_result2[result]
  load_bset_result1[rule]
  br_bclr[result, 4, hit#]
  alu[result, rule, +, 16]
  br_bset[rule, 4, miss#], defer[2]
  nop
  nop
hit#:
  sram[read, $entry, base, result, 1], ctx_swap
  alu[@found, @found, +, 1]
  ld_field_w_clr[entry, 0011, $entry]
  alu[base, base, +, entry]
  br[next#]
miss#:
  sram[pop, $entry, 3], ctx_swap
  br=ctx[0, done#]
  br[next#]
done#:
  ctx_arb[kill]
)";

// Hash of an address pair, a locked bucket in SRAM, a counter in scratch.
constexpr const char* kHash = R"(
.sig volatile dummy
.reg low high bucket mask $key0 $key1 $old $bits
.xfer_order $key0 $key1
immed[low, 0x1234]
immed[high, 0xabcd, <<16]
again#:
  alu[$key0, --, B, low]
  alu[$key1, --, B, high]
  hash1_64[$key0], ctx_swap
  alu_shf[bucket, 0xff, AND, $key0, >>24]
  dbl_shf[mask, low, $key1, >>7]
  sram[read_lock, $old, bucket, 0, 1], sig_done
  scratch[incr, --, low, 0], sig_done
  ctx_arb[sram, fbi], all
  alu[$old, $old, +, 1]
  sram[write_unlock, $old, bucket, 0, 1], ctx_swap
  immed[$bits, 1]
  sram[test_and_set_bits, $bits, bucket, 4], ctx_swap
  alu[--, $bits, AND, mask]
  br!=0[again#]
  fast_wr[5, INTER_THD_SIG]
  br_!signal[inter_thread, again#]
  local_csr_rd[ACTIVE_CTX_STS]
  immed[low, 0]
  br[again#]
)";

}  // namespace

TEST_CASE("me1: a receive loop") {
  const auto words = round_trip(kReceive);
  CHECK(count(words, isa::InsnId::csr_read) == 2);
  CHECK(count(words, isa::InsnId::sdram_r_fifo_rd) == 1);
  CHECK(count(words, isa::InsnId::br_inp_state) == 1);
}

TEST_CASE("me1: a table search with find_bset") {
  const auto words = round_trip(kSearch);
  CHECK(count(words, isa::InsnId::find_bset) == 2);
  CHECK(count(words, isa::InsnId::sram_pop) == 1);
}

TEST_CASE("me1: a hash and a locked bucket") {
  const auto words = round_trip(kHash);
  CHECK(count(words, isa::InsnId::hash1_64) == 1);
  CHECK(count(words, isa::InsnId::sram_read_lock) == 1);
}

TEST_CASE("me1: random words as text and back") {
  Random random(1201);
  std::vector<uint64_t> words;
  while (words.size() < 1500) {
    const uint64_t word = random.next64() & 0xffffffff;
    auto insn = isa::decode(isa::Profile::me1, word);
    if (insn) (*insn)[isa::Role::target] %= 1500;
    if (!insn || !isa::encode(isa::Profile::me1, *insn)) continue;
    words.push_back(*isa::encode(isa::Profile::me1, *insn));
  }
  const Assembly a = assembled(disassemble(isa::Profile::me1, words));
  INFO(messages(a).substr(0, 2000));
  REQUIRE(a.image);
  CHECK(a.image->words == words);
  // Words that are not instructions stay words.
  const std::vector<uint64_t> odd{0x00000000, 0xffffffff, 0x20020000};
  const Assembly b = assembled(disassemble(isa::Profile::me1, odd));
  INFO(messages(b));
  REQUIRE(b.image);
  CHECK(b.image->words == odd);
}

TEST_CASE("me1: the worked examples assemble, and say again what they say") {
  size_t seen = 0;
  for (const isa::Example& example : isa::examples()) {
    if (example.profile != isa::Profile::me1) continue;
    INFO(example.code);
    const auto words = round_trip(".registers physical\n" + std::string(example.code) + "\nhalt\n");
    CHECK(count(words, example.id) > 0);
    ++seen;
  }
  CHECK(seen > 80);
}

TEST_CASE("me1: what the part does not have is refused with what it has") {
  const std::string head = ".reg x y $t\nimmed[x, 1]\nimmed[y, 2]\n";
  CHECK(first_error(head + "cam_clear\nl#: br[l#]") != "accepted");
  CHECK(first_error(head + "local_csr_wr[ACTIVE_CTX_STS, x]\nl#: br[l#]") != "accepted");
  CHECK(first_error(head + "alu_shf[x, x, OR, y, <<9]\nl#: br[l#]") != "accepted");
  CHECK(first_error(head + "alu_shf[x, x, OR, y, <<8]\nl#: br[l#]") == "accepted");
  CHECK(first_error(head + "l#: br[l#], defer[2]\nnop\nnop") != "accepted");
  CHECK(first_error(head + "sram[read, $t, x, 0, 1], ctx_swap[sdram]\nl#: br[l#]") ==
        "this command raises the signal of its unit, sram");
  CHECK(first_error(head + "sram[read, $t, x, 0, 1], ctx_swap[sram]\nl#: br[l#]") == "accepted");
  // Seventeen values at once are one too many for a bank, and nine longwords for the transfer registers.
  CHECK(first_error(".reg read $t[9]\n.reg x\nimmed[x, 0]\nsram[read, $t[0], x, 0, 9], ctx_swap\nl#: br[l#]") !=
        "accepted");
}

TEST_CASE("me2 has no guess") {
  const Assembly a = assemble(make_source("me2.uc", "l#: beq[l#], guess_branch\n"), Options{});
  CHECK(a.diagnostics.has_errors());
}
