// Directives and constants whose meaning shows in the Image or in the allocation, on both profiles; and what a profile
// does not have.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "program_support.h"
#include "weft/image/link.h"

using namespace weft;
using namespace weft::assembler;

namespace {

Assembly run(const std::string& text, const std::string& chip = "ixp2400") {
  Options options;
  options.chip = chip;
  if (chip == "ixp1200") {
    options.profile = isa::Profile::me1;
    options.control_store = isa::sizes(isa::Profile::me1).control_store;
  }
  return assemble(make_source("d.uc", text), options);
}
image::Image good(const std::string& text, const std::string& chip = "ixp2400") {
  Assembly a = run(text, chip);
  INFO(text << render_text(a.diagnostics));
  REQUIRE(a.image);
  return std::move(*a.image);
}
/// "code: text" of the only error.
std::string refusal(const std::string& text, const std::string& chip = "ixp2400") {
  const Assembly a = run(text, chip);
  INFO(text << render_text(a.diagnostics));
  std::string out;
  for (const Diagnostic& d : a.diagnostics) {
    if (d.severity != Severity::error) continue;
    CHECK(out.empty());
    out = d.code + ": " + d.text;
  }
  return out;
}

}  // namespace

TEST_CASE(".io_completed_type ends what commands of a unit hold") {
  const std::string before = test::kUnawaitedWrite, after = test::sixteen_in_use();
  CHECK_FALSE(run(before + after).image);
  CHECK(run(before + ".io_completed_type scratch\n" + after).image);
  CHECK(run(before + ".io_completed_type sram scratch\n" + after).image);
  // Another unit is still at work.
  CHECK_FALSE(run(before + ".io_completed_type sram\n" + after).image);
  CHECK(refusal(".io_completed_type flash\nctx_arb[kill]\n") ==
        "asm-directive: .io_completed_type takes units, the first words of commands");
  CHECK(refusal(".io_completed_type\nctx_arb[kill]\n") == "asm-directive: .io_completed_type has too few arguments");
  CHECK(good(".io_completed_type sdram r_fifo_rd\nctx_arb[kill]\n", "ixp1200").words.size() == 1);
}

TEST_CASE("The number of the microengine is a constant of the linker that needs no declaration") {
  for (const char* name : {"__UENGINE_ID", "__MEID", "__meid"}) {
    const image::Image i = good(std::string(".reg me\nimmed[me, ") + name + "]\n.use me\nctx_arb[kill]\n");
    REQUIRE(i.uses.size() == 1);
    CHECK(i.uses[0].address == 0);
    CHECK(i.uses[0].name == (std::string(name) == "__UENGINE_ID" ? "i$__uengine_id" : "i$__meid"));
    CHECK(i.imports == std::vector<std::string>{i.uses[0].name});
  }
  // immed, compare, branch, nop, kill.
  const image::Image i = good(".reg x\nimmed[x, 3]\n.if (x == __MEID)\nnop\n.endif\nctx_arb[kill]\n");
  CHECK(i.uses.size() == 2);
}

TEST_CASE("Initial values of blocks, elements and arrays") {
  const image::Image i = good(
      ".alloc_mem table sram0 global 64 64\n.init table 1 (2 + 3) -1\n.init table+8 0x10\n.init table+(4 * 4) 7 8\n"
      ".reg one list[3] @all\n.init one 9\n.init list 1 2 3\n.init @all 4\n.init_ctx 5 one 6\n"
      "alu[list[0], list[1], +, list[2]]\nalu[@all, @all, +, one]\n.use list[0]\nctx_arb[kill]\n");
  REQUIRE(i.memory.size() == 1);
  CHECK(i.memory[0].size == 64);
  CHECK(i.memory[0].align == 64);
  CHECK(i.memory[0].global);
  struct Row {
    const char* name;
    uint32_t offset;
    int32_t context;
    std::vector<uint32_t> values;
  };
  const std::vector<Row> rows{{"table", 0, -1, {1, 5, 0xffffffff}},
                              {"table", 8, -1, {0x10}},
                              {"table", 16, -1, {7, 8}},
                              {"one", 0, -1, {9}},
                              {"list[0]", 0, -1, {1}},
                              {"list[1]", 0, -1, {2}},
                              {"list[2]", 0, -1, {3}},
                              {"@all", 0, -1, {4}},
                              {"one", 0, 5, {6}}};
  // Element 0 of the list is never read, so its value is of no use; the others must be there in this order.
  size_t at = 0;
  for (const image::Init& init : i.inits) {
    while (at < rows.size() && rows[at].name != init.name) ++at;
    REQUIRE(at < rows.size());
    CHECK(init.offset == rows[at].offset);
    CHECK(init.context == rows[at].context);
    CHECK(init.values == rows[at].values);
    ++at;
  }
  CHECK(i.inits.size() >= rows.size() - 1);
}

TEST_CASE("Initial values that only the linker knows are refused with the way around") {
  const std::string head = ".alloc_mem t sram0 global 64\n.alloc_mem u sram0 global 64\n.import_var i$x\n";
  for (const char* name : {"i$x", "u", "__MEID"})
    CHECK(refusal(head + ".init t " + name + "\nctx_arb[kill]\n") ==
          std::string("asm-directive: the initial value must be known when assembling; only the linker knows '") +
              name + "'");
  CHECK(refusal(head + ".init t (u + 4)\nctx_arb[kill]\n") ==
        "asm-directive: the initial value must be known when assembling");
  CHECK(refusal(head + ".init t \"abc\"\nctx_arb[kill]\n") == "asm-directive: expected a number for the initial value");
}

TEST_CASE("Attributes of memory blocks are refused, the block is known all the same") {
  const std::string use = ".reg r\nimmed[r, (t & 0xffff)]\n.use r\nctx_arb[kill]\n";
  CHECK(refusal(".alloc_mem t sram0 global 64 64 reserved\n" + use) ==
        "asm-directive: memory blocks of ixp2400 have no attributes such as 'reserved'");
  CHECK(refusal(".alloc_mem t sram0 global 64 addr40\n" + use) ==
        "asm-directive: memory blocks of ixp2400 have no attributes such as 'addr40'");
  CHECK(refusal(".global_mem t sram0 64 64 reserved\n" + use) ==
        "asm-directive: memory blocks of ixp2400 have no attributes such as 'reserved'");
  CHECK(good(".alloc_mem t sdram global 64 8\n" + use).memory.at(0).region == image::Region::dram);
}

TEST_CASE(".init and .init_ctx mean the element that their index names") {
  const std::string head = ".reg a[3]\n.set a[0] a[1] a[2]\n",
                    end = "alu[a[0], a[0], +, 1]\nalu[a[1], a[0], +, 1]\nalu[--, --, B, a[2]]\nctx_arb[kill]\n";
  const auto named = [&](const std::string& text, size_t which) {
    const image::Image i = good(head + text + end);
    REQUIRE(i.inits.size() > which);
    return i.inits[which].name;
  };
  CHECK(named(".init a 1 2 3\n", 2) == "a[2]");
  CHECK(named(".init a[1] 50\n", 0) == "a[1]");
  CHECK(named(".init a[1] 50 60\n", 1) == "a[2]");
  CHECK(named(".init_ctx 0 a[1] 50\n", 0) == "a[1]");
  CHECK(named(".init_ctx 0 a 50\n", 0) == "a[0]");
  CHECK(refusal(head + ".init a[7] 50\n" + end) == "asm-index: 'a' has elements 0 to 2, not 7");
  CHECK(refusal(".alloc_mem m sram0 local 64\n.init m+0x100000000 50\nctx_arb[kill]\n") ==
        "asm-constant-width: 0x100000000 does not fit into 32 bits");
  CHECK(refusal(".alloc_mem m sram0 local 64\n.init m[1] 50\nctx_arb[kill]\n") ==
        "asm-directive: the memory block 'm' has no elements");
}

TEST_CASE(".addr of an element puts that element there and no other") {
  const Assembly a = run(".reg a[2]\n.addr a[1] 9 b\nimmed[a[1], 1]\nalu[--, --, B, a[1]]\nctx_arb[kill]\n");
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  const auto insn = isa::decode(isa::Profile::me2, a.image->words[0]);
  REQUIRE(insn);
  CHECK(insn->operand(isa::Role::dest).bank == isa::Bank::b);
  CHECK(insn->operand(isa::Role::dest).value == 9);
}

TEST_CASE("log2 knows the address of a memory block that stands at a fixed one") {
  const std::string use = "immed[x, (log2(q))]\n.use x\nctx_arb[kill]\n";
  const image::Image fixed = good(".reg x\n.alloc_mem q sram0+0x100 local 64\n" + use);
  CHECK(fixed.uses.empty());
  CHECK(fixed.words == good(".reg x\nimmed[x, 8]\n.use x\nctx_arb[kill]\n").words);
  CHECK(good(".reg x\n.alloc_mem q sram0+0x100 local 64\nimmed[x, (log2(q + 0x100))]\n.use x\nctx_arb[kill]\n").words ==
        good(".reg x\nimmed[x, 9]\n.use x\nctx_arb[kill]\n").words);
  CHECK(refusal(".reg x\n.alloc_mem q sram0 local 64\n" + use) ==
        "asm-constant: the arguments of log2 must be known when assembling");
}

TEST_CASE("Constants are calculated with 64 bits and fit 32") {
  const std::string head = ".reg a\n", end = "\n.use a\nctx_arb[kill]\n";
  const auto words = [&](const std::string& value) { return good(head + "immed[a, " + value + "]" + end).words; };
  CHECK(words("(0xffffffff >> 16)") == words("0xffff"));
  CHECK(words("(0xffffffff + 2 - 0xffffffff)") == words("2"));
  CHECK(words("(0 - 1)") == words("0xffffffff"));
  CHECK(words("(1 << 40 >> 38)") == words("4"));
  CHECK(good(head + ".init a -5\nalu[--, --, B, a]\nctx_arb[kill]\n").inits.at(0).values.at(0) == 0xfffffffb);
  // What the preprocessor calculated with 64 bits stands in the line.
  Options wide;
  wide.wide = true;
  const std::string half = "#define_eval X (1 << 40)\n" + head + "immed[a, (X >> 38)]" + end;
  const Assembly a = assemble(make_source("d.uc", half), wide);
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  CHECK(a.image->words == words("4"));
}

TEST_CASE("Constants that are known late are calculated like others") {
  const std::string head = ".reg a b\n.reg read $x\n.sig s\nimmed[b, 0]\nsram[read, $x, b, 0, 1], ctx_swap[s]\n",
                    end = "\nalu[--, a, -, $x]\nctx_arb[kill]\n";
  // A quotient that the host does not have: the assembler ended with a signal.
  CHECK(refusal(head + "immed[a, (((&s - &s) + (1 << 63)) / (&s - &s - 1))]" + end)
            .starts_with("asm-constant-range: no single immed makes -0x8000000000000000"));
  const image::Image i = good(head + "immed[a, (((&s - &s) + 7) / (&s - &s - 1) + 8)]" + end);
  CHECK(i.words == good(head + "immed[a, 1]" + end).words);
}

TEST_CASE("A mode is said with one value") {
  const std::string end = "ctx_arb[kill]\n";
  CHECK(good(".num_contexts 4\n.num_contexts 4\n.init_nn_mode self\n.init_nn_mode self\n" + end).contexts == 4);
  const Assembly two = run(".num_contexts 4\n.num_contexts 8\n" + end);
  REQUIRE(two.diagnostics.size() == 1);
  const Diagnostic& d = two.diagnostics.list()[0];
  CHECK(d.text == ".num_contexts says otherwise than before");
  CHECK(d.range.begin.line == 2);
  REQUIRE(d.notes.size() == 1);
  CHECK(d.notes[0].range.begin.line == 1);
  CHECK(refusal(".init_nn_mode self\n.init_nn_mode neighbor\n" + end) ==
        "asm-directive: .init_nn_mode says otherwise than before");
  CHECK(refusal(".local_mem0_mode abs\n.local_mem0_mode rel\n" + end) ==
        "asm-directive: .local_mem0_mode says otherwise than before");
}

TEST_CASE("Physical names are those of a context") {
  const std::string head = ".registers physical\n", end = "\nctx_arb[kill]\n";
  for (const char* name : {"a16", "b31", "$16", "n$16"}) {
    const std::string line = std::string("alu[") + name + ", --, B, 1]";
    CHECK(refusal(head + line + end) == fmt::format("asm-range: with 8 contexts there is no register '{}'", name));
    CHECK(run(head + ".num_contexts 4\n" + line + end).image);
    CHECK(run(head + line + "\n.num_contexts 4" + end).image);
  }
  CHECK(run(head + "immed[a15, 1]\nimmed[@b127, 1]" + end).image);
  const auto remedy = [&](const std::string& line) {
    const Assembly a = run(head + line + end);
    REQUIRE(a.diagnostics.has_errors());
    return a.diagnostics.list()[0].remedy;
  };
  CHECK(remedy("immed[a16, 1]") == "there are a0 to a15; .num_contexts 4 gives twice as many");
  CHECK(remedy("immed[b32, 1]") == "there are b0 to b15");
  CHECK(remedy(".num_contexts 4\nimmed[b32, 1]") == "there are b0 to b31");
  CHECK(remedy("immed[@b128, 1]") == "there are @b0 to @b127");
  CHECK(remedy("ctx_arb[s16]") == "there are s1 to s15");
}

TEST_CASE("Registers that stand by number take initial values") {
  const std::string head = ".registers physical\n", end = "alu[a1, --, B, b3]\nctx_arb[kill]\n";
  const image::Image i = good(head + ".init b3 5\n.init_ctx 2 b3 6\n.init @a100 7\n.init $4 8\n" + end);
  REQUIRE(i.inits.size() == 4);
  CHECK(i.inits[1].context == 2);
  const auto place = [&](size_t which) {
    const image::Register* r = image::initial_register(i, i.inits[which], 0);
    REQUIRE(r != nullptr);
    return fmt::format("{} {} {}", static_cast<int>(r->kind), static_cast<int>(r->bank), r->number);
  };
  using image::RegisterKind;
  const auto expected = [](RegisterKind kind, isa::Bank bank, uint32_t number) {
    return fmt::format("{} {} {}", static_cast<int>(kind), static_cast<int>(bank), number);
  };
  CHECK(place(0) == expected(RegisterKind::gpr, isa::Bank::b, 3));
  CHECK(place(2) == expected(RegisterKind::gpr_absolute, isa::Bank::a, 100));
  CHECK(place(3) == expected(RegisterKind::xfer_s_read, isa::Bank::none, 4));
  CHECK(refusal(head + ".init b3 5 6\n" + end) == "asm-directive: 'b3' is one register");
  CHECK(refusal(head + ".init b3[0] 5\n" + end) == "asm-index: 'b3' is one register");
  CHECK(refusal(head + ".init b16 5\n" + end) == "asm-range: with 8 contexts there is no register 'b16'");
  CHECK(refusal(head + ".init_ctx 1 @b16 5\n" + end) == "asm-directive: '@b16' is one register for all contexts");
  CHECK(refusal(".init b3 5\nctx_arb[kill]\n").starts_with("asm-undeclared-register: "));
}

TEST_CASE("Commands stay within the transfer registers of a context") {
  const auto first = [](const std::string& line, const std::string& chip = "ixp2400") {
    const Assembly a = run(".registers physical\n" + line + "\nctx_arb[kill]\n", chip);
    INFO(line << render_text(a.diagnostics));
    CHECK(a.diagnostics.error_count() <= 1);
    for (const Diagnostic& d : a.diagnostics)
      if (d.severity == Severity::error) return d.code + ": " + d.text + " | " + d.remedy;
    return std::string();
  };
  const auto past = [](int longwords, const std::string& from, const std::string& last, const std::string& remedy) {
    return fmt::format("asm-xfer-order: the command uses {} consecutive transfer registers from {} on, ", longwords,
                       from) +
           fmt::format("but the last one of a context is {} | {}", last, remedy);
  };
  const std::string read = "sram[read, $15, a0, 0, 4], ctx_swap[s1]", four = "; .num_contexts 4 gives twice as many";
  CHECK(first(read) == past(4, "$15", "$15", "begin at $12 or before" + four));
  // How many contexts run may be said below.
  CHECK(first(read + "\n.num_contexts 4").empty());
  CHECK(first("sram[write, $12, a0, 0, 4], ctx_swap[s1]").empty());
  CHECK(first("dram[write, $$15, a0, 0, 1], sig_done[s2]") ==
        past(2, "$$15", "$$15", "begin at $$14 or before" + four));
  CHECK(first(".num_contexts 4\nhash_48[$31, 1], ctx_swap[s1]") == past(2, "$31", "$31", "begin at $30 or before"));
  // A first one that is not there is one mistake.
  CHECK(first("sram[read, $16, a0, 0, 4], ctx_swap[s1]").starts_with("asm-range: "));
  // With indirect_ref another instruction says which and how many.
  CHECK(first("alu[--, --, B, a0]\nsram[read, $15, a0, 0, max_4], indirect_ref, ctx_swap[s1]").empty());
  CHECK(first("sram[read, $6, a0, 0, 3], ctx_swap", "ixp1200") == past(3, "$6", "$7", "begin at $5 or before"));
  CHECK(first("sram[read, $6, a0, 0, 2], ctx_swap", "ixp1200").empty());
}

TEST_CASE("A chip has its own SRAM channels only") {
  Options options;
  options.sram_channels = 2;
  const auto with = [&](const std::string& region) {
    return assemble(make_source("m.uc", ".alloc_mem m " + region + " local 64\nctx_arb[kill]\n"), options);
  };
  CHECK(with("sram1").image);
  const Assembly a = with("sram2");
  REQUIRE(a.diagnostics.size() == 1);
  CHECK(a.diagnostics.list()[0].text == "ixp2400 has no memory region 'sram2'");
  CHECK(a.diagnostics.list()[0].remedy == "regions: scratch, sram0 and sram1, dram, local");
}

TEST_CASE("What the IXP1200 does not have is refused by name") {
  const std::string end = "ctx_arb[kill]\n";
  CHECK(refusal(".num_contexts 8\n" + end, "ixp1200") == "asm-directive: a microengine of ixp1200 runs 4 contexts");
  CHECK(good(".num_contexts 4\n" + end, "ixp1200").contexts == 4);
  CHECK(refusal(".num_contexts 6\n" + end) == "asm-directive: a microengine runs 4 or 8 contexts");
  CHECK(refusal(".init_nn_mode self\n" + end, "ixp1200") == "asm-directive: ixp1200 has no neighbor registers");
  CHECK(refusal(".local_mem0_mode abs\n" + end, "ixp1200") == "asm-directive: ixp1200 has no local memory");
  CHECK(refusal(".alloc_mem t local local 64\n" + end, "ixp1200") == "asm-directive: ixp1200 has no local memory");
  CHECK(refusal(".reg n$x\n" + end, "ixp1200") == "asm-declaration: ixp1200 has no neighbor registers");
  CHECK(refusal("cam_clear\n" + end, "ixp1200") ==
        "asm-unknown-instruction: ixp1200 has no instruction 'cam_clear'; the IXP2400 has");
  // A name that is one letter from another, but no misspelling.
  const Assembly asr = run(".reg a\nasr[a, a, >>1]\n" + end, "ixp1200");
  REQUIRE(asr.diagnostics.size() == 1);
  CHECK(asr.diagnostics.list()[0].text == "ixp1200 has no instruction 'asr'; the IXP2400 has");
  CHECK(asr.diagnostics.list()[0].remedy.empty());
  CHECK(asr.diagnostics.list()[0].fixits.empty());
  const std::string find = ".reg m x\nimmed[m, 3]\nimmed[x, 6]\nfind_bset_with_mask[m, x]\n";
  CHECK(refusal(find + end) ==
        "asm-unknown-instruction: ixp2400 has no instruction 'find_bset_with_mask'; the IXP1200 has");
  CHECK(good(find + "nop\nload_bset_result1[x]\nalu[--, --, B, x]\n" + end, "ixp1200").words.size() == 7);
}

TEST_CASE("Every condition assembles on both profiles") {
  // The words of each are in structured_test.cpp; here that nothing in them needs what one of the parts lacks.
  const std::vector<std::string> conditions{"1",
                                            "x == y",
                                            "x != 4",
                                            "x < y",
                                            "x <= 9",
                                            "x > y",
                                            "x >= y",
                                            "5 > x",
                                            "x & 6",
                                            "x & 0x400",
                                            "x & (y << 4)",
                                            "(x >> 3) == y",
                                            "x == (y << 4)",
                                            "x == 1000",
                                            "x == 0x12345678",
                                            "x",
                                            "!x",
                                            "BIT(x, 3)",
                                            "!BIT(x, 31)",
                                            "BYTE(x, 2) == 5",
                                            "BYTE(x, 3) != 0xff",
                                            "COUT()",
                                            "!COUT()",
                                            "CTX() == 3",
                                            "CTX() != 0",
                                            "=0",
                                            "!=0",
                                            ">0",
                                            ">=0",
                                            "<0",
                                            "<=0",
                                            "x == 1 && y == 2",
                                            "x == 1 || y == 2",
                                            "!(x > 9 && !(y <= 3) || z & 4)",
                                            "@x == y",
                                            "$z == y",
                                            "$z & 0x100"};
  for (const std::string chip : {"ixp2400", "ixp1200"}) {
    std::vector<std::string> all = conditions;
    const bool me1 = chip == "ixp1200";
    const std::vector<std::string> own =
        me1 ? std::vector<std::string>{"INP_STATE(rec_req_avail)", "!INP_STATE(push_protect)", "SIGNAL(sram)",
                                       "!SIGNAL(inter_thread)"}
            : std::vector<std::string>{"INP_STATE(nn_empty)",
                                       "!INP_STATE(SCR_RING3_STATUS)",
                                       "SIGNAL(s)",
                                       "!SIGNAL(s)",
                                       "*l$index0[3] == 5",
                                       "*l$index0++ == 5",
                                       "n$q == 5",
                                       "*n$index++ == 5"};
    all.insert(all.end(), own.begin(), own.end());
    for (const std::string& c : all) {
      for (const char* form : {".if (C)\nnop\n.elif_unsigned (C)\nnop\n.else\nalu[x, x, +, 1]\n.endif\n",
                               ".while (C)\nalu[x, x, +, 1]\n.break\n.endw\n",
                               ".repeat\nalu[x, x, +, 1]\n.continue\n.until_unsigned (C)\n"}) {
        std::string text = std::string(".reg x y z @x $z") + (me1 ? "" : " n$q\n.sig s\n.set_sig s") +
                           "\n.set x y z @x $z\nalu[--, x, -, y]\n" + form + "alu[--, --, B, x]\nctx_arb[kill]\n";
        for (size_t at; (at = text.find("(C)")) != std::string::npos;) text.replace(at + 1, 1, c);
        const Assembly a = run(text, chip);
        INFO(chip << "\n" << text << render_text(a.diagnostics));
        CHECK(a.image);
      }
    }
  }
}

TEST_CASE("Functions that operands do not have are told apart") {
  const auto of = [](const std::string& call) {
    return refusal(".reg a\nimmed[a, (" + call + ")]\n.use a\nctx_arb[kill]\n");
  };
  CHECK(of("sizeof(a)") == "asm-constant: 'sizeof' exists only in the tools of later parts");
  CHECK(of("__nfp_meid(1)") == "asm-constant: '__nfp_meid' exists only in the tools of later parts");
  CHECK(of("relbase(a)") == "asm-constant: 'relbase' exists only in the tools of later parts");
  CHECK(of("cosine(1)") == "asm-constant: there is no function 'cosine' of that kind in operands");
}

TEST_CASE("The command line may say which revisions are meant") {
  Options options;
  options.defines = {{"__REVISION_MIN", "0x10"}, {"__REVISION_MAX", "0x11"}};
  const Assembly a = assemble(
      make_source("d.uc",
                  "#if (__REVISION_MIN == __REVISION_B0 && __REVISION_MAX == __REVISION_B1)\nctx_arb[kill]\n#endif\n"),
      options);
  INFO(render_text(a.diagnostics));
  CHECK(a.diagnostics.empty());
  REQUIRE(a.image);
  CHECK(a.image->words.size() == 1);
}

TEST_CASE("The listing says what each word costs") {
  Options options;
  options.listing = true;
  options.lost = LostCycles{2, 3, 3, 2};
  const Assembly a = assemble(
      make_source("d.uc",
                  ".reg x base\n.reg $in\n.sig s\nimmed[base, 0]\nscratch[read, $in, base, 0, 1], ctx_swap[s]\n"
                  "scratch[read, $in, base, 0, 1], ctx_swap[s], defer[1]\nnop\nagain#:\nalu[x, $in, -, 1]\n"
                  "beq[again#]\nbne[done#], defer[2]\nnop\nnop\nbr_bset[x, 3, again#]\nbr=ctx[1, again#]\n"
                  "br[again#], defer[1]\nnop\ndone#:\nbr[last#]\nlast#:\nctx_arb[kill]\n"),
      options);
  INFO(render_text(a.diagnostics) << a.listing);
  REQUIRE(a.image);
  std::vector<std::string> cycles;
  size_t at = 0;
  for (size_t i = 0; i < a.image->words.size(); ++i) {
    char word[16];
    std::snprintf(word, sizeof word, "%010llx", static_cast<unsigned long long>(a.image->words[i]));
    at = a.listing.find(word, at);
    REQUIRE(at != std::string::npos);
    at += 12;  // the word and two blanks
    cycles.push_back(a.listing.substr(at, a.listing.find(' ', at) - at));
  }
  // By hand from the figures above: a certain branch 1 + 2, a test 1 + 3 when taken, a swap 1 + 2; each filled slot
  // takes one off.
  CHECK(cycles ==
        std::vector<std::string>{"1", "3", "2", "1", "1", "1+3", "1+1", "1", "1", "1+3", "1+2", "2", "1", "3", "3"});
  // Without figures there is no such column.
  options.lost = std::nullopt;
  CHECK(assemble(make_source("d.uc", "ctx_arb[kill]\n"), options).listing.find("e000010000  ctx_arb") !=
        std::string::npos);
}
