// Mutations of instructions, and which of them are known to change nothing.
#include "testing/mutants.h"

#include <catch2/catch.hpp>

#include "assembled.h"
#include "testing/equivalence.h"
#include "weft/image/places.h"

using namespace weft;
using namespace weft::workbench::testing;
using weft::test::assembled;

namespace {

/// By its name; fails the test when the instruction has no such mutation.
Mutation named(const std::vector<Mutation>& all, const std::string& name) {
  for (const Mutation& m : all)
    if (m.name == name) return m;
  FAIL("no mutation is called " << name);
  return {};
}

std::vector<std::string> names(const std::vector<Mutation>& all) {
  std::vector<std::string> out;
  for (const Mutation& m : all) out.push_back(m.name);
  return out;
}

/// Why the mutant of the word at an address is equivalent; "" when that is not known.
std::string proof(const std::string& source, size_t address, const std::string& mutation) {
  const image::Image image = assembled(source);
  const ProgramFlow flow(image.profile, image.words);
  const auto m =
      named(mutations_of(image.profile, *flow.instructions().at(address), RegisterUse(flow.instructions())), mutation);
  REQUIRE(mutated_word(image.profile, m, image.words[address]));
  return flow.proof(address, m.instruction).value_or("");
}

}  // namespace

TEST_CASE("mutations give the words of the changed instructions") {
  // Words of tests/model/words.py, which was written from the description of the encoding alone.
  struct Row {
    uint64_t word;
    const char* mutation;
    uint64_t mutated;
  };
  const Row rows[] = {
      {0xa080100c02, "+ becomes -", 0xaa80100c02},  // alu[a1, a2, +, b3]
      {0xa080100c02, "+ becomes XOR", 0xac00100c02},
      {0xa080100c02, "swap sources", 0xa0c0100c02},
      {0xa080100c02, "drop", 0xf0000c0300},
      {0xa080100c02, "other dest", 0xa080200c02},   // a2
      {0xa080100c02, "other left", 0xa080100c05},   // a5, which the program names
      {0xa080100c02, "other right", 0xa080101802},  // b6
      {0xaab00c4002, "right +1", 0xaab00c4402},     // alu[--, a2, -, 16]
      {0xaab00c4002, "right -1", 0xaab00c3c02},
      {0xa018400c00, "B becomes ~B", 0xa218400c00},  // alu[$4, --, B, b3]
      {0x8b80100e02, "shift +1", 0x8b70100e02},      // alu_shf[a1, a2, OR, b3, <<8]
      {0x8b80100e02, "shift -1", 0x8b90100e02},
      {0x8b80100e02, "OR becomes AND", 0x8580100e02},
      {0x8a10100d02, "shift -1", 0x8a00100c02},              // >>1: no shift is left
      {0x8500140da8, "left +1", 0x8500140da9},               // alu_shf[a1, 200, AND, b3, >>16]
      {0xc103000d01, "mask +1", 0xc104000d01},               // ld_field[a1, 0011, b3, >>16]
      {0xf0000ffc05, "value +1", 0xf0001c0005},              // immed[a5, 0xff]
      {0xf0000ffc05, "shift +1", 0xf2000ffc05},              // <<8
      {0xd802400100, "invert the condition", 0xd802400101},  // beq
      {0xd802500104, "invert the condition", 0xd802500105},  // bhs, defer[1]
      {0xd802400108, "invert the condition", 0xd802400109},  // bge
      {0xd80240010a, "invert the condition", 0xd80240010b},  // ble
      {0xd802600100, "drop", 0xf0000c0300},                  // beq, defer[2]
      {0xd00244e402, "bit +1", 0xd00244e802},                // br_bset[a2, 24]
      {0xd00244e402, "invert the condition", 0xd00240e402},
      {0xc802400da5, "value -1", 0xc802400da4},  // br!=byte[b3, 1, 0x45]
      {0xc802400da5, "byte +1", 0xc802400ea5},
      {0xc802400da5, "invert the condition", 0xc802480da5},
      {0xd802400010, "context +1", 0xd802404010},  // br=ctx[0]
      {0xd802400010, "invert the condition", 0xd802400011},
  };
  // Names a1, a2, a5, b3, b6.
  const std::vector<std::optional<isa::Instruction>> program{isa::decode(isa::Profile::me2, 0xa080100c02),
                                                             isa::decode(isa::Profile::me2, 0xa080101805)};
  const RegisterUse registers(program);
  for (const Row& row : rows) {
    CAPTURE(row.word, row.mutation);
    const auto insn = isa::decode(isa::Profile::me2, row.word);
    REQUIRE(insn);
    const Mutation m = named(mutations_of(isa::Profile::me2, *insn, registers), row.mutation);
    CHECK(mutated_word(isa::Profile::me2, m, row.word) == row.mutated);
  }
}

TEST_CASE("every branch that can go both ways has an opposite") {
  size_t conditional = 0;
  for (const isa::InsnInfo& info : isa::all_instructions()) {
    if (info.group != isa::Group::branch || !info.falls_through) {
      CHECK_FALSE(opposite(info.id));
      continue;
    }
    ++conditional;
    CAPTURE(info.name);
    REQUIRE(opposite(info.id));
    CHECK(*opposite(info.id) != info.id);
    CHECK(opposite(*opposite(info.id)) == info.id);
  }
  CHECK(conditional >= 20);
}

TEST_CASE("mutations of commands, and of what does nothing") {
  const image::Image image =
      assembled("sram[read, $0, a0, b0, 2], ctx_swap[s2]\nalu[a1, --, B, $2]\nnop\nctx_arb[s3]\n");
  std::vector<std::optional<isa::Instruction>> program;
  for (const uint64_t word : image.words) program.push_back(isa::decode(image.profile, word));
  const RegisterUse registers(program);
  const auto of_read = mutations_of(image.profile, *program[0], registers);
  CHECK(names(of_read) == std::vector<std::string>{"count +1", "count -1", "drop", "other left", "other right",
                                                   "other xfer", "other signal"});
  const isa::PrintNames print;
  CHECK(isa::print(image.profile, named(of_read, "other xfer").instruction, print).starts_with("sram[read, $2,"));
  CHECK(isa::print(image.profile, named(of_read, "other left").instruction, print).starts_with("sram[read, $0, a1,"));
  CHECK(isa::print(image.profile, named(of_read, "count -1").instruction, print)
            .starts_with("sram[read, $0, a0, b0, 1]"));
  CHECK(mutations_of(image.profile, *program[2], registers).empty());
  CHECK(names(mutations_of(image.profile, *program[3], registers)) == std::vector<std::string>{"drop"});
}

TEST_CASE("mutations that no word expresses are refused") {
  const RegisterUse registers({});
  const auto refused = [&](const char* text, const char* mutation) {
    const image::Image image = assembled(text);
    const auto insn = isa::decode(image.profile, image.words[0]);
    return !mutated_word(image.profile, named(mutations_of(image.profile, *insn, registers), mutation), image.words[0]);
  };
  CHECK(refused("alu[a1, a2, +, 0]\n", "right -1"));
  CHECK(refused("alu[a1, a2, +, 255]\n", "right +1"));
  CHECK(refused("immed[a1, 0]\n", "value -1"));
  CHECK(refused("l#:\nbr_bset[a1, 31, l#]\n", "bit +1"));
  CHECK(refused("alu_shf[a1, --, B, a2, >>31]\n", "shift +1"));
  CHECK(refused("alu_shf[a1, a2, OR, b3, <<8]\n", "OR becomes XOR"));  // alu_shf has none
  CHECK(refused("sram[read, $0, a0, b0, 8], ctx_swap[s2]\n", "count +1"));
  CHECK(refused("l#:\nbr=ctx[7, l#]\n", "context +1"));
}

TEST_CASE("mutations of the IXP1200 are those of its words") {
  const image::Image image = assembled("alu[a1, a2, +, b3]\nsram[read, $0, a0, b0, 2], ctx_swap\n", "ixp1200");
  std::vector<std::optional<isa::Instruction>> program;
  for (const uint64_t word : image.words) program.push_back(isa::decode(image.profile, word));
  const auto all = mutations_of(image.profile, *program[0], RegisterUse(program));
  const auto word = mutated_word(image.profile, named(all, "+ becomes -"), image.words[0]);
  REQUIRE(word);
  CHECK(*word == assembled("alu[a1, a2, -, b3]\n", "ixp1200").words[0]);
  // The unit decides which event it raises.
  for (const Mutation& m : mutations_of(image.profile, *program[1], RegisterUse(program)))
    CHECK(m.name != "other signal");
}

TEST_CASE("exchanged sources are equivalent where nothing looks at them") {
  CHECK_FALSE(proof("alu[a1, a2, +, b3]\nhalt\n", 0, "swap sources").empty());
  CHECK_FALSE(proof("alu[a1, a2, XOR, b3]\nhalt\n", 0, "swap sources").empty());
  CHECK(proof("alu[a1, a2, -, b3]\nhalt\n", 0, "swap sources").empty());
  CHECK(proof("alu[a1, a2, +16, b3]\nhalt\n", 0, "swap sources").empty());
  CHECK(proof("alu[a1, a2, AND~, b3]\nhalt\n", 0, "swap sources").empty());
  // The shift takes its amount from the left source of the instruction before.
  CHECK(proof("alu[a1, a2, AND, b3]\nalu_shf[a4, --, B, b5, <<indirect]\nhalt\n", 0, "swap sources").empty());
}

TEST_CASE("an operation that is there for the amount of a shift may be any other of the same left source") {
  const char* kReason = "nothing but the left source is read, as the amount of a shift";
  const std::string shift = "alu_shf[a4, --, B, b5, <<indirect]\n";
  for (const char* mutation : {"OR becomes +carry", "OR becomes AND", "right +1"})
    CHECK(proof("alu[--, a1, OR, 0]\n" + shift + "halt\n", 0, mutation) == kReason);
  CHECK(proof("alu[--, a1, OR, b3]\n" + shift + "halt\n", 0, "swap sources").empty());  // another amount
  CHECK(proof("alu[--, a1, OR, b3]\n" + shift + "halt\n", 0, "other right") == kReason);
  CHECK(proof("alu[a6, a1, OR, b3]\n" + shift + "halt\n", 0, "OR becomes +").empty());  // the result may be looked at
  CHECK(proof("alu[--, a1, OR, b3]\nbeq[x#]\nx#: alu_shf[a4, --, B, b5, <<indirect]\nhalt\n", 0, "OR becomes +")
            .empty());  // the codes are read
  CHECK(proof("alu[--, a1, OR, b3]\nasr[a4, b5, >>indirect]\nhalt\n", 0, "OR becomes +").empty());  // its sign, too
}

TEST_CASE("a sum with carry is the sum where carry is known to be clear") {
  const char* kReason = "carry is clear here";
  const std::string sum = "alu[a1, a2, +, b3]\nhalt\n", mutation = "+ becomes +carry";
  CHECK(proof("alu[a4, a5, AND, b5]\n" + sum, 1, mutation) == kReason);
  CHECK(proof("alu_shf[a4, --, B, b5, <<3]\nimmed[b3, 5]\n" + sum, 2, mutation) == kReason);
  CHECK(proof(sum, 0, mutation).empty());  // nobody knows it at the start
  CHECK(proof("alu[a4, a5, -, b5]\n" + sum, 1, mutation).empty());
  CHECK(
      proof("alu[a4, a5, AND, b5]\nctx_arb[voluntary]\n" + sum, 2, mutation).empty());  // another context comes between
  CHECK(proof("alu[a4, a5, AND, b5]\nbeq[x#]\nalu[a4, a5, OR, b5]\nx#:\n" + sum, 3, mutation) == kReason);
  CHECK(proof("alu[a4, a5, AND, b5]\nbeq[x#]\nalu[a4, a5, +, b5]\nx#:\n" + sum, 3, mutation).empty());
  CHECK(proof("alu[a4, a5, AND, b5]\n" + sum + "rtn[a4]\n", 1, mutation).empty());  // that may come from elsewhere
}

TEST_CASE("what nothing reads may be changed") {
  const char* kReason = "nothing reads what it writes";
  CHECK(proof("immed[a1, 5]\nimmed[a1, 6]\nhalt\n", 0, "value +1") == kReason);
  CHECK(proof("immed[a1, 5]\nimmed[a1, 6]\nhalt\n", 0, "drop") == kReason);
  CHECK(proof("immed[a1, 5]\nhalt\n", 0, "drop").empty());  // a test may look
  CHECK(proof("immed[a1, 5]\nalu[a2, a1, +, b1]\nimmed[a1, 6]\nhalt\n", 0, "drop").empty());
  CHECK(proof("immed[a1, 5]\nimmed_w1[a1, 6]\nimmed[a1, 0]\nhalt\n", 0, "drop").empty());  // one half is kept
  CHECK(proof("immed[@a1, 5]\nimmed[a1, 5]\nimmed[a1, 6]\nhalt\n", 1, "drop").empty());    // other contexts may read it
  // One of two ways reads it.
  CHECK(proof("immed[a1, 5]\nbeq[l#]\nimmed[a1, 6]\nhalt\nl#:\nalu[a2, --, B, a1]\nhalt\n", 0, "drop").empty());
  CHECK(proof("immed[a1, 5]\nbeq[l#]\nimmed[a1, 6]\nhalt\nl#:\nimmed[a1, 7]\nhalt\n", 0, "drop") == kReason);
  // In a deferred slot: what follows is behind the label.
  CHECK(
      proof("br[l#], defer[1]\nimmed[a1, 5]\nimmed[a1, 6]\nhalt\nl#:\nalu[a2, --, B, a1]\nhalt\n", 1, "drop").empty());
  // Where a jump leads is not known.
  CHECK(proof("immed[a1, 5]\nrtn[a3]\nimmed[a1, 6]\n", 0, "drop").empty());
  // Codes and a destination.
  CHECK(proof("alu[a1, a2, +, b3]\nalu[a1, a2, -, b3]\nhalt\n", 0, "+ becomes AND") == kReason);
  CHECK(proof("alu[a1, a2, +, b3]\nbeq[l#]\nl#:\nalu[a1, a2, -, b3]\nhalt\n", 0, "+ becomes AND").empty());
  CHECK(proof("alu[a1, a2, +, b3]\nalu[a1, a2, +carry, b3]\nhalt\n", 0, "+ becomes AND").empty());
  CHECK(proof("alu[--, a2, -, b3]\nctx_arb[s1]\nbeq[l#]\nl#:\nhalt\n", 0, "drop") ==
        kReason);  // a swap loses the codes
  CHECK(proof("alu[--, a2, -, b3]\nasr[a1, a2, >>1]\nhalt\n", 0, "drop").empty());
  // Transfer registers, local memory and pointers are not followed.
  CHECK(proof("alu[$1, a2, +, b3]\nalu[$1, a2, -, b3]\nhalt\n", 0, "drop").empty());
  CHECK(proof("alu[a1, a2, +, *l$index0++]\nalu[a1, a2, -, b3]\nhalt\n", 0, "drop").empty());
}

TEST_CASE("comparisons for equality are equivalent where only Z is read") {
  CHECK_FALSE(proof("alu[--, a2, -, b3]\nbeq[l#]\nl#:\nhalt\n", 0, "swap sources").empty());
  CHECK_FALSE(proof("alu[--, a2, -, b3]\nbne[l#]\nl#:\nhalt\n", 0, "- becomes XOR").empty());
  CHECK(proof("alu[--, a2, -, b3]\nbeq[l#]\nbhs[l#]\nl#:\nhalt\n", 0, "- becomes XOR").empty());
  CHECK(proof("alu[--, a2, -, b3]\nblo[l#]\nl#:\nhalt\n", 0, "swap sources").empty());
  CHECK(proof("alu[a1, a2, -, b3]\nbeq[l#]\nl#:\nhalt\n", 0, "- becomes XOR").empty());
  CHECK_FALSE(proof("immed[a1, 0]\nhalt\n", 0, "shift +1").empty());
  CHECK(proof("immed[a1, 1]\nhalt\n", 0, "shift +1").empty());
  CHECK_FALSE(proof("alu[a1, a2, +, 0]\nhalt\n", 0, "+ becomes OR").empty());
  CHECK(proof("alu[a1, a2, +, 0]\nbhs[l#]\nl#:\nhalt\n", 0, "+ becomes -").empty());  // C differs
  CHECK(proof("alu[a1, a2, +, 1]\nhalt\n", 0, "+ becomes OR").empty());
  CHECK_FALSE(proof("alu[a1, a2, +, 255]\nbhs[l#]\nl#:\nhalt\n", 0, "+ becomes +16").empty());
  CHECK(proof("alu[a1, a2, +, b3]\nhalt\n", 0, "+ becomes +16").empty());
}

TEST_CASE("places of words count within one use of a line") {
  const image::Image image = assembled(
      "#macro two(x)\nimmed[x, 1]\nalu[x, x, +, 1]\n#endm\ntwo(a1)\ntwo(a2)\n#repeat 2\nimmed[a3, "
      "1]\n#endloop\nhalt\n");
  const auto places = image::word_places(image);
  REQUIRE(places.size() == 7);
  const auto at = [&](size_t i) { return std::pair(places[i].line, places[i].ordinal); };
  CHECK(at(0) == std::pair(3u, 0u));
  CHECK(at(1) == std::pair(4u, 0u));
  CHECK(at(2) == std::pair(3u, 0u));  // the second call is the same line
  CHECK(at(4) == std::pair(9u, 0u));
  CHECK(at(5) == std::pair(9u, 1u));  // the loop makes the second word of one use
  CHECK(at(6) == std::pair(11u, 0u));
}
