// The resolver: from source to the program of symbols.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "middle_support.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::middle_test;
using isa::InsnId;
using isa::OperandKind;
using isa::Role;

namespace {

/// Resolves without complaints and gives the program.
Program good(const std::string& text) {
  Resolved r = resolve_text(text);
  INFO(text << messages(r.diagnostics));
  CHECK(r.diagnostics.empty());
  return std::move(r.program);
}

/// The only instruction after the usual declarations, as text.
std::string one(const std::string& line) {
  const Program p = good(".reg a b c @g $x $y[4] $$d $$e[8] n$n\n.sig s t\n" + line + "\nnop\nl#: nop\nm#: nop\n");
  if (p.insns.empty()) return "";
  return dump_insn(p, p.insns[0]);
}

std::string physical(const std::string& line) {
  const Program p = good(".registers physical\n" + line + "\nnop\nl#: nop\n");
  if (p.insns.empty()) return "";
  return dump_insn(p, p.insns[0]);
}

}  // namespace

TEST_CASE("Instructions reach the program with virtual registers") {
  CHECK(one("alu[a, --, B, b]") == "alu[a, --, B, b]");
  CHECK(one("ALU[A, b, and~, $X]") == "alu[a, b, AND~, $x]");
  CHECK(one("alu[$x, a, +16, 0xff]") == "alu[$x, a, +16, 0xff]");
  CHECK(one("alu[a, b, -carry, c]") == "alu[a, b, -carry, c]");
  CHECK(one("alu[a, b, B-A, c]") == "alu[a, b, B-A, c]");
  CHECK(one("alu[a, b, OR, c, <<3]") == "alu_shf[a, b, OR, c, <<3]");
  CHECK(one("alu_shf[a, --, ~B, c, >>rot9]") == "alu_shf[a, --, ~B, c, >>rot9]");
  CHECK(one("alu_shf[a, --, B, c, <<indirect]") == "alu_shf[a, --, B, c, <<indirect]");
  CHECK(one("alu_shf[a, b, AND~, c]") == "alu_shf[a, b, AND~, c]");
  // A macro that is given the amount writes a blank before it.
  CHECK(one("alu_shf[a, --, B, c, >>rot 9]") == "alu_shf[a, --, B, c, >>rot9]");
  CHECK(one("ld_field[a, 0110, b, << ROT 0x1f]") == "ld_field[a, 0110, b, <<rot31]");
  // Without a shift it may be what an alu can.
  CHECK(one("alu_shf[a, b, +, 1]") == "alu[a, b, +, 1]");
  CHECK(one("alu_shf[a, b, xor, c]") == "alu[a, b, XOR, c]");
  CHECK(one("dbl_shf[a, b, c, >>(log2(16))]") == "dbl_shf[a, b, c, >>4]");
  CHECK(one("asr[a, b, >>3]") == "asr[a, b, >>3]");
  CHECK(one("alu[*l$index0[5], a, +, *l$index1++]") == "alu[*l$index0[5], a, +, *l$index1++]");
  CHECK(one("alu[*n$index++, --, B, n$n]") == "alu[*n$index++, --, B, n$n]");
  CHECK(one("alu[$y[2], --, B, @g]") == "alu[$y[2], --, B, @g]");
  CHECK(one("ffs[a, b]") == "ffs[a, b]");
  CHECK(one("pop_count1[b]") == "pop_count1[b]");
  CHECK(one("byte_align_be[--, $y[0]]") == "byte_align_be[--, $y[0]]");
  CHECK(one("ld_field[a, 0110, b, <<8], load_cc") == "ld_field[a, 0110, b, <<8], load_cc");
  CHECK(one("ld_field_w_clr[a, 1000, b]") == "ld_field_w_clr[a, 1000, b]");
  CHECK(one("mul_step[a, b], 32x32_step3") == "mul_step[a, b, size 3 step 3]");
  CHECK(one("mul_step[a, --], 16x16_last") == "mul_step[a, --, size 2 step 5]");
  CHECK(one("crc_le[crc_32, --, b], bytes_1_3, bit_swap") == "crc_le[crc_32, --, b], bytes code 1, bit_swap");
  CHECK(one("cam_clear") == "cam_clear[]");
  CHECK(one("cam_lookup[a, b], lm_addr1[2]") == "cam_lookup[a, b], lm_addr1[2]");
  CHECK(one("cam_write[a, b, 7]") == "cam_write[a, b, 7]");
  CHECK(one("immed_b2[a, 0x77]") == "immed_b2[a, 119]");
  CHECK(one("immed_w1[a, 0xffff]") == "immed_w1[a, 65535]");
  CHECK(one("nop") == "immed[--, 0x0]");
  CHECK(one("halt") == "ctx_arb[bpt]");
  CHECK(one("local_csr_rd[active_ctx_sts]") == "local_csr_rd[ACTIVE_CTX_STS]");
  CHECK(one("local_csr_wr[same_me_signal, 8]") == "local_csr_wr[SAME_ME_SIGNAL, 8]");
  CHECK(one("local_csr_wr[t_index, a]") == "local_csr_wr[T_INDEX, a]");
}

TEST_CASE("Branches, jumps and context arbitration") {
  CHECK(one("br[l#]") == "br[l#]");
  CHECK(one("br[L#], defer[2]") == "br[l#], defer[2]");
  CHECK(one("beq[l#], defer[3]") == "beq[l#], defer[3]");
  CHECK(one("bcs[l#]") == "bhs[l#]");
  CHECK(one("br=0[l#]") == "beq[l#]");
  CHECK(one("br<=0[l#]") == "ble[l#]");
  CHECK(one("br!=cout[l#]") == "blo[l#]");
  CHECK(one("br_bset[a, 31, l#]") == "br_bset[a, 31, l#]");
  CHECK(one("br=byte[a, 3, 0x40, l#]") == "br=byte[a, 3, 64, l#]");
  CHECK(one("br!=byte[$x, 0, 1, l#]") == "br!=byte[$x, 0, 1, l#]");
  CHECK(one("br!=ctx[0, l#]") == "br!=ctx[0, l#]");
  CHECK(one("br_signal[s, l#]") == "br_signal[s, l#]");
  CHECK(one("br_!signal[s, l#]") == "br_!signal[s, l#]");
  CHECK(one("br_inp_state[scr_ring1_status, l#]") == "br_inp_state[SCR_RING1_STATUS, l#]");
  CHECK(one("br_!inp_state[nn_empty, l#]") == "br_!inp_state[NN_EMPTY, l#]");
  CHECK(one("jump[a, l#], targets[l#, m#], defer[3]") == "jump[a, l#], targets[l#, m#], defer[3]");
  CHECK(one("rtn[a], defer[1]") == "rtn[a], defer[1]");
  CHECK(one("load_addr[a, l#]") == "immed[a, (l#)]");
  CHECK(one("ctx_arb[s, t], any, defer[2]") == "ctx_arb[s, t], any, defer[2]");
  CHECK(one("ctx_arb[s], br[l#]") == "ctx_arb[s], br[l#]");
  CHECK(one("ctx_arb[voluntary]") == "ctx_arb[voluntary]");
  CHECK(one("ctx_arb[kill]") == "ctx_arb[kill]");
  CHECK(one("ctx_arb[bpt]") == "ctx_arb[bpt]");
  CHECK(one("ctx_arb[--]") == "ctx_arb[--]");
}

TEST_CASE("Commands") {
  CHECK(one("sram[read, $y, a, 0, 4], ctx_swap[s]") == "sram[read, $y[0], a, 0, 4], ctx_swap[s]");
  CHECK(one("sram[write, $y[1], a, b, 3], sig_done[s], ignore_data_error") ==
        "sram[write, $y[1], a, b, 3], sig_done[s], ignore_data_error");
  CHECK(one("sram[test_and_set, $x, a, 0], sig_done[s]") == "sram[test_and_set, $x, a, 0, 1], sig_done[s]");
  CHECK(one("sram[incr, --, a, 0]") == "sram[incr, --, a, 0, 1]");
  CHECK(one("scratch[put, $x, a, 0, 1], ctx_swap[s], defer[1]") == "scratch[put, $x, a, 0, 1], ctx_swap[s], defer[1]");
  CHECK(one("dram[read, $$e[0], a, 0, 2], sig_done[s]") == "dram[read, $$e[0], a, 0, 2], sig_done[s]");
  CHECK(one("dram[rbuf_rd, --, a, b, max_8], indirect_ref, sig_done[s]") ==
        "dram[rbuf_rd, --, a, b, max_8], sig_done[s], indirect_ref");
  CHECK(one("msf[fast_wr, --, a, 0]") == "msf[fast_wr, --, a, 0]");
  CHECK(one("msf[read, $x, a, 0x60, 1], ctx_swap[s]") == "msf[read, $x, a, 0x60, 1], ctx_swap[s]");
  CHECK(one("hash_48[$y, 2], ctx_swap[s]") == "hash_48[$y[0], 2], ctx_swap[s]");
  CHECK(one("cap[fast_wr, 0, xscale_int_a]") == "cap[fast_wr, 0, 0x4b20]");
  CHECK(one("cap[fast_wr, alu, (0x4b20)]") == "cap[fast_wr, alu, 0x4b20]");
  CHECK(one("cap[read, $x, xscale_int_a, 1], ctx_swap[s]") == "cap[read, $x, 0x4b20, 1], ctx_swap[s]");
  CHECK(one("cap[read, $x, a, 0, 1], ctx_swap[s]") == "cap[read, $x, a, 0, 1], ctx_swap[s]");
}

TEST_CASE("Constants that fit one immed in some way") {
  const auto fields = [](const std::string& value) {
    const Program p = good(".reg a\nimmed[a, " + value + "]\n");
    return std::array<uint32_t, 3>{p.insns[0].insn[Role::value], p.insns[0].insn[Role::amount],
                                   p.insns[0].insn[Role::invert]};
  };
  CHECK(fields("0x1234") == std::array<uint32_t, 3>{0x1234, 0, 0});
  CHECK(fields("0x123400") == std::array<uint32_t, 3>{0x1234, 8, 0});
  CHECK(fields("0x12340000") == std::array<uint32_t, 3>{0x1234, 16, 0});
  CHECK(fields("-1") == std::array<uint32_t, 3>{0, 0, 1});
  CHECK(fields("0xffff1234") == std::array<uint32_t, 3>{0xedcb, 0, 1});
  CHECK(fields("0x12, <<8") == std::array<uint32_t, 3>{0x12, 8, 0});
  CHECK(fields("(1 << 31)") == std::array<uint32_t, 3>{0x8000, 16, 0});
  CHECK(fields("(3 * 4 + 2 == 14 ? 7 % 4 : 9)") == std::array<uint32_t, 3>{3, 0, 0});
}

TEST_CASE("Constants that come with allocation or loading") {
  CHECK(one("immed[a, (&$x << 2)]") == "immed[a, ((&$x << 0x2))]");
  CHECK(one("immed[a, (&s)]") == "immed[a, (&s)]");
  CHECK(one("immed[a, (mask(s) | 0x80)]") == "immed[a, ((mask(s) | 0x80))]");
  CHECK(one("immed[a, (l# + 1)]") == "immed[a, ((l# + 0x1))]");
  CHECK(one("alu_shf[a, --, B, b, <<&s]") == "alu_shf[a, --, B, b, <<(&s)]");
  CHECK(one("local_csr_wr[same_me_signal, (&s << 3)]") == "local_csr_wr[SAME_ME_SIGNAL, ((&s << 0x3))]");
  CHECK(one("immed[a, &$y[2]]") == "immed[a, (&$y[2])]");
  const Program p = good(
      ".reg a\n.import_var i$base\n.alloc_mem table sram1 global 64 8\nimmed[a, i$base]\n"
      "immed_w1[a, (table >> 16)]\n");
  CHECK(dump_insn(p, p.insns[0]) == "immed[a, (i$base)]");
  CHECK(dump_insn(p, p.insns[1]) == "immed_w1[a, ((table >> 0x10))]");
  REQUIRE(p.memory.size() == 1);
  CHECK(p.memory[0].region == image::Region::sram1);
  CHECK(p.memory[0].size == 64);
  CHECK(p.memory[0].align == 8);
  CHECK(p.memory[0].global);
}

TEST_CASE("Scopes shadow and end") {
  const Program p = good(
      ".reg a\nalu[a, --, B, 1]\n.begin\n.reg a, b\nalu[a, --, B, b]\n.begin\n.reg b\nalu[a, --, B, b]\n.end\n.end\n"
      "alu[a, --, B, 2]\n");
  REQUIRE(p.vregs.size() == 4);
  CHECK(p.insns[0].vreg[0] == 0);
  CHECK(p.insns[1].vreg[0] == 1);
  CHECK(p.insns[1].vreg[2] == 2);
  CHECK(p.insns[2].vreg[0] == 1);
  CHECK(p.insns[2].vreg[2] == 3);
  CHECK(p.insns[3].vreg[0] == 0);
  CHECK(p.vregs[0].scope_begin == 0);
  CHECK(p.vregs[0].scope_end == 4);
  CHECK(p.vregs[1].scope_begin == 1);
  CHECK(p.vregs[1].scope_end == 3);
  CHECK(p.vregs[3].scope_begin == 2);
}

TEST_CASE("Attributes, sides and doubled signals") {
  const Program p = good(
      ".reg volatile global a\n.reg read $r\n.reg write $w\n.reg $plain $both $$d[2] $unused\n.sig volatile v\n.sig d\n"
      "alu[a, --, B, $r]\nalu[$w, --, B, a]\nalu[$both, $plain, +, a]\nalu[a, --, B, $both]\n"
      "dram[read, $$d, a, 0, 1], sig_done[d]\nctx_arb[d]\nctx_arb[v]\n");
  CHECK(p.vregs[0].is_volatile);
  CHECK(p.vregs[0].is_global);
  CHECK((p.vregs[1].read_side && !p.vregs[1].write_side));
  CHECK((!p.vregs[2].read_side && p.vregs[2].write_side));
  CHECK((p.vregs[3].read_side && !p.vregs[3].write_side));  // by use
  CHECK((p.vregs[4].read_side && p.vregs[4].write_side));
  CHECK((p.vregs[6].read_side && !p.vregs[6].write_side));  // the command fills both of $$d
  CHECK(p.vregs[6].used);
  CHECK_FALSE(p.vregs[7].used);
  CHECK(p.signals[0].is_volatile);
  CHECK_FALSE(p.signals[0].doubled);
  CHECK(p.signals[1].doubled);
}

TEST_CASE("Halves of a doubled signal") {
  const Program p = good(".sig s\nctx_arb[s[read]]\nctx_arb[s[0]]\n");
  CHECK(p.insns[0].signals[0].half == SignalRef::Half::second);
  CHECK(p.insns[1].signals[0].half == SignalRef::Half::first);
  CHECK(p.signals[0].doubled);
}

TEST_CASE("Orders of transfer registers") {
  const Program p = good(
      ".reg $a $b $c[2] $d[3] $e\n.xfer_order $a $b $c\n.xfer_order_rd $d $e\n.reg z\n.sig s\n"
      "sram[write, $a, z, 0, 4], sig_done[s]\nsram[read, $d, z, 0, 4], ctx_swap[s]\n");
  REQUIRE(p.groups.size() == 3);
  CHECK(p.groups[0].side == XferGroup::Side::both);
  CHECK(p.groups[0].members == std::vector<VregId>{0, 1, 2, 3});
  CHECK(p.groups[1].side == XferGroup::Side::read);
  CHECK(p.groups[1].members == std::vector<VregId>{4, 5, 6, 7});
  CHECK(p.groups[2].side == XferGroup::Side::write);  // what is left of the array
  CHECK(p.groups[2].members == std::vector<VregId>{4, 5, 6});
}

TEST_CASE("Pins, hints, initial values, subroutines, modes, marks, raw words") {
  const Program p = good(
      ".num_contexts 4\n.init_nn_mode self\n.local_mem0_mode abs\n.reg a @b $x\n.sig s\n.addr a 5 b\n.addr @b 48 "
      "a\n.addr $x 3\n"
      ".addr s 4\n.init a 7\n.init_ctx 2 a 9\n.alloc_mem m scratch local 16\n.init m+8 1 2\n.set a\n.use $x\n.set_sig "
      "s\n"
      ".io_completed s\nbr[sub#]\n.subroutine\nsub#: nop\nrtn[a]\n.endsub\n.reentry\n.block \"one two\"\n.drop no "
      "route\n"
      ".word 0xf0000c0300\nhalt\n");
  CHECK(p.contexts == 4);
  CHECK(p.nn_self);
  CHECK(p.lm_absolute[0]);
  CHECK_FALSE(p.lm_absolute[1]);
  CHECK(p.vregs[0].pinned == 5u);
  CHECK(p.vregs[0].pinned_bank == isa::Bank::b);
  CHECK(p.vregs[0].initial == 7u);
  CHECK(p.vregs[1].pinned == 48u);
  CHECK(p.vregs[2].pinned == 3u);
  CHECK(p.signals[0].pinned == 4u);
  REQUIRE(p.inits.size() == 3);
  CHECK(p.inits[1].context == 2);
  CHECK(p.inits[2].name == "m");
  CHECK(p.inits[2].offset == 8);
  CHECK(p.inits[2].values == std::vector<uint32_t>{1, 2});
  REQUIRE(p.hints.size() == 4);
  CHECK(p.hints[0].kind == Hint::Kind::set);
  CHECK(p.hints[2].kind == Hint::Kind::set_signal);
  CHECK(p.hints[3].signal == 0);
  REQUIRE(p.subroutines.size() == 1);
  CHECK(p.subroutines[0].begin == 1);
  CHECK(p.subroutines[0].end == 3);
  CHECK(p.labels[static_cast<size_t>(p.subroutines[0].entry)].name == "sub#");
  CHECK(p.reentry == std::vector<uint32_t>{3});
  REQUIRE(p.marks.size() == 2);
  CHECK(p.marks[0].text == "one two");
  CHECK(p.marks[1].kind == image::Mark::Kind::drop);
  CHECK(p.marks[1].text == "no route");
  CHECK(p.marks[1].address == 3);
  REQUIRE(p.raw_words.size() == 1);
  CHECK(p.raw_words[0] == std::pair<uint32_t, uint64_t>{3, 0xf0000c0300});
  CHECK(p.insns[4].insn[Role::breakpoint] == 1);
}

TEST_CASE("Physical names") {
  CHECK(physical("alu[a5, b12, +, $3]") == "alu[a5, b12, +, $3]");
  CHECK(physical("alu[@b48, @a16, XOR, n$4]") == "alu[@b48, @a16, XOR, n$4]");
  CHECK(physical("sram[read, $2, a1, 0, 8], ctx_swap[s4]") == "sram[read, $2, a1, 0, 8], ctx_swap[s4]");
  CHECK(physical("dram[write, $$14, b1, 0, 1], sig_done[s6]") == "dram[write, $$14, b1, 0, 1], sig_done[s6]");
  CHECK(physical("immed[a1, &$3]") == "immed[a1, 0x3]");
  CHECK(physical("immed[a1, (1 << &s4)]") == "immed[a1, 0x10]");
  const Program p = good(".registers physical\nctx_arb[s4, s5]\nbr_signal[s7, l#]\nl#: nop\n");
  CHECK(p.insns[0].insn[Role::signals] == 0x30);
  CHECK(p.insns[1].insn[Role::signal] == 7);
  CHECK(p.vregs.empty());
  CHECK(p.signals.empty());
}

TEST_CASE("What the ISA prints for a word, the resolver reads back as that word") {
  class Names final : public isa::PrintNames {
   public:
    std::string label(uint32_t) const override { return "t#"; }
  };
  Random random(20);
  std::vector<uint64_t> words;
  std::string text = ".registers physical\n.num_contexts 4\nt#:\n";
  while (words.size() < 4000) {
    // Whole random words are mostly commands; half of them get one of the upper classes.
    uint64_t word = random.next64() & 0xff'ffff'ffff;
    if (random.chance(2, 3)) word |= uint64_t{1} << 39;
    if (random.chance(1, 2)) word &= ~(random.next64() & random.next64() & 0x7f'ffff'ffff);
    const auto insn = isa::decode(isa::Profile::me2, word);
    const auto canonical = insn ? isa::encode(isa::Profile::me2, *insn) : tl::expected<uint64_t, isa::EncodeError>(0);
    if (!insn || !canonical) continue;
    // Where the registers of a context end is not a matter of single words (asm-xfer-order).
    const isa::InsnInfo& info = isa::info(insn->id);
    const bool transfers = insn->xfer.kind == isa::OperandKind::xfer_s || insn->xfer.kind == isa::OperandKind::xfer_d;
    const uint32_t longwords = std::max<uint32_t>(1, info.longwords_per_count) * std::max(1u, (*insn)[Role::count]);
    if (transfers && info.xfer != isa::XferUse::none && (*insn)[Role::indirect] == 0 &&
        insn->xfer.value + longwords > isa::sizes(isa::Profile::me2).transfers)
      continue;
    words.push_back(*canonical);
    text += isa::print(isa::Profile::me2, *isa::decode(isa::Profile::me2, *canonical), Names()) + "\n";
  }
  const Resolved r = resolve_text(text + "nop\n");
  INFO(messages(r.diagnostics));
  CHECK(r.diagnostics.empty());
  REQUIRE(r.program.insns.size() == words.size() + 1);
  std::map<isa::InsnId, size_t> seen;
  for (size_t i = 0; i < words.size(); ++i) {
    const isa::Instruction was = *isa::decode(isa::Profile::me2, words[i]);
    isa::Instruction now = r.program.insns[i].insn;
    if (r.program.insns[i].target >= 0) now[Role::target] = was[Role::target];
    INFO(isa::print(isa::Profile::me2, was, Names()) << fmt::format(" {:#012x}", words[i]));
    const auto word = isa::encode(isa::Profile::me2, now);
    REQUIRE(word);
    CHECK(*word == words[i]);
    ++seen[was.id];
  }
  CHECK(seen.size() > 60);
}

TEST_CASE("The worked examples of the ISA are source that resolves") {
  REQUIRE_FALSE(isa::examples().empty());
  for (const isa::Example& example : isa::examples()) {
    if (example.profile != isa::Profile::me2) continue;  // me1_test.cpp has the others
    const Resolved r = resolve_text(".registers physical\n" + std::string(example.code) + "\nnop\n");
    INFO(example.code << "\n" << messages(r.diagnostics));
    CHECK(r.diagnostics.empty());
    // alu with a shift is another spelling of alu_shf.
    const bool shifted = example.id == InsnId::alu && example.code.find("<<") != std::string_view::npos;
    CHECK(std::any_of(r.program.insns.begin(), r.program.insns.end(),
                      [&](const IrInsn& i) { return i.insn.id == (shifted ? InsnId::alu_shf : example.id); }));
  }
}

TEST_CASE("Memory blocks at fixed addresses") {
  const Program p =
      good(".reg a\n.alloc_mem m sram1+0x100 global 64 16\n.global_mem n scratch+(4 * 8) 8\nimmed[a, (m & 0xffff)]\n");
  REQUIRE(p.memory.size() == 2);
  CHECK(p.memory[0].address == 0x100u);
  CHECK(p.memory[0].align == 16);
  CHECK(p.memory[1].address == 32u);
  CHECK(p.memory[1].global);
}

TEST_CASE("A memory block may be declared again alike") {
  const std::string first = ".alloc_mem m sram0 global 64 16\n";
  CHECK(good(first + first + ".global_mem m sram 64 16\nnop\n").memory.size() == 1);
  for (const char* other :
       {".alloc_mem m sram1 global 64 16", ".alloc_mem m sram0 local 64 16", ".alloc_mem m sram0 global 32 16",
        ".alloc_mem m sram0 global 64", ".alloc_mem m sram0+64 global 64 16"}) {
    const Resolved r = resolve_text(first + other + "\nnop\n");
    INFO(other << messages(r.diagnostics));
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics.list()[0].code == "asm-redeclared");
  }
}

TEST_CASE("Signals: halves, numbers in shifts, several labels in a line") {
  const Program p = good(
      ".sig s t\n.reg a b\n.reg $x\none#: two#: alu_shf[a, --, B, b, <<&t]\n"
      "ctx_arb[s[0], s[read]]\nbr[one#]\nbr[two#]\n");
  REQUIRE(p.insns.size() == 4);
  REQUIRE(p.insns[0].late_value);
  CHECK(p.insns[0].late_value->second.op == LateExpr::Op::signal_number);
  CHECK(p.insns[1].signals[0].half == SignalRef::Half::first);
  CHECK(p.insns[1].signals[1].half == SignalRef::Half::second);
  CHECK(p.signals[0].doubled);
  CHECK(p.labels[0].index == 0);
  CHECK(p.labels[1].index == 0);
}

TEST_CASE(".local opens a scope of its own kind") {
  const Program p = good(
      ".local a b\nimmed[a, 1]\n.begin\n.reg c\nalu[b, --, B, a]\nalu[c, --, B, b]\n.end\n.endlocal\n"
      ".local a\nimmed[a, 2]\n.endlocal\nnop\n");
  REQUIRE(p.vregs.size() == 4);
  CHECK(p.vregs[0].scope_end == 3);
  CHECK(p.vregs[3].scope_begin == 3);
  CHECK(p.vregs[3].scope_end == 4);
}

TEST_CASE("Global names belong to the outermost scope") {
  const std::string macro = "#macro keep(x)\n.begin\n.reg global x\n.sig global s/**/x\nimmed[x, 1]\n.end\n#endm\n";
  const auto codes = [&](const std::string& text) {
    const Resolved r = resolve_text(macro + text + "halt\n");
    std::vector<std::string> out;
    for (const Diagnostic& d : r.diagnostics) out.push_back(d.code);
    return out;
  };
  using Codes = std::vector<std::string>;
  CHECK(codes("keep(a)\nalu[--, --, B, a]\nctx_arb[sa]\n") == Codes{});
  CHECK(codes(".begin\n.begin\nkeep(a)\n.end\n.end\nalu[--, --, B, a]\n") == Codes{});
  CHECK(codes(".begin\n.reg a\n.end\nalu[--, --, B, a]\n") == Codes{"asm-undeclared-register"});
  // One declaration is enough; `extern` may name what is there.
  CHECK(codes("keep(a)\nkeep(a)\n") == Codes{"asm-redeclared", "asm-redeclared"});
  CHECK(codes("keep(a)\n.begin\n.reg extern a\n.sig extern sa\nalu[--, --, B, a]\n.end\n") == Codes{});
  CHECK(codes(".begin\n.reg extern a\nimmed[a, 1]\n.end\nalu[--, --, B, a]\n") == Codes{});
  // An inner name hides it, and an order may stand where it is declared.
  CHECK(codes("keep(a)\n.begin\n.reg a\nimmed[a, 2]\n.end\nalu[--, --, B, a]\n") == Codes{});
  CHECK(codes(".begin\n.reg global $x $y\n.xfer_order $x $y\n.end\nalu[$x, --, B, 1]\n") == Codes{});
}

TEST_CASE("What belongs to later parts is refused by name, once each") {
  const auto first_code = [](const std::string& text) {
    const Resolved r = resolve_text(".reg a\n" + text + "\nhalt\n");
    CAPTURE(text, messages(r.diagnostics));
    CHECK(r.diagnostics.size() == 1);
    return r.diagnostics.empty() ? std::string() : r.diagnostics.list().front().code;
  };
  for (const char* d :
       {".endian big", ".dram_signals 2", ".indirect_ref_mode 1", ".third_party_addressing_32bit", ".init_csr x 1",
        ".declare_resource r global 4", ".alloc_resource n r global 4", ".load_mu_qdesc a 1", ".init_mu_ring 1 a",
        ".assert 1", ".app_metadata \"x\"", ".reg_addr a 1", ".local_mem2_mode abs", ".local_mem3_mode rel"}) {
    CHECK(first_code(d) == "asm-later-directive");
  }
  // Nor is it a mistake of syntax when what stands after it is not of our grammar.
  for (const char* d :
       {".init_csr mecsr:NNGet 0", ".alloc_resource n i8.emem.r[3] global 4 :", ".assert a <", ".reg_addr"})
    CHECK(first_code(d) == "asm-later-directive");
  // A block in a region of later parts is known all the same.
  CHECK(first_code(".alloc_mem m emem0 global 4 4 reserved\n.init m 1\nimmed[a, (m & 3)]") == "asm-directive");
  CHECK(first_code(".alloc_mem m i8.emem global 4\n.init m+0 1") == "asm-syntax");
  CHECK(first_code(".if (CLS_STATE(3))\nnop\n.endif") == "asm-condition");
  CHECK(first_code(".operand_synonym a b") == "asm-directive");
  CHECK(first_code(".entry 0") == "asm-directive-ignored");
  CHECK(first_code(".ucode_size 4") == "asm-directive-ignored");
  CHECK(first_code(".alloc_mem m sram0 global 4 4 reserved") == "asm-directive");
  CHECK(first_code(".alloc_mem m sram0+2 global 4") == "asm-directive");
  CHECK(first_code(".alloc_mem m sram0+8 global 4 16") == "asm-directive");
}
