// --repair-banks: conflicts become moves, and the program computes what it says. And .io_completed ends a command's
// hold.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "program_support.h"

using namespace weft;
using namespace weft::assembler;
using namespace std::string_literals;
using test::result;

namespace {

Assembly repaired(const std::string& text, bool repair = true) {
  Options options;
  options.repair_banks = repair;
  return assemble(make_source("b.uc", text), options);
}

unsigned count(const Assembly& a, const std::string& code) {
  unsigned n = 0;
  for (const Diagnostic& d : a.diagnostics) n += d.code == code;
  return n;
}

constexpr const char* kTriangle =
    ".reg a b c d write $out\nimmed[a, 1]\nimmed[b, 20]\nimmed[c, 300]\n"
    "alu[d, a, +, b]\nalu[b, b, +, c]\nalu[--, a, -, b]\nalu[d, d, +, b]\nblo[less#]\nalu[d, d, +, 7]\nless#:\nalu[a, "
    "a, +, c]\nalu[$out, d, +, a]\nhalt\n";

}  // namespace

TEST_CASE("bank repair: off, the conflict is an error, on, a move is put in and told") {
  const std::string text =
      ".reg a b c write $out\nimmed[a, 1]\nimmed[b, 20]\nimmed[c, 300]\n"
      "alu[--, a, +, b]\nalu[--, b, +, c]\nalu[$out, a, +, c]\nhalt\n";
  CHECK(count(repaired(text, false), "asm-bank-conflict") == 1);
  const Assembly a = repaired(text);
  CHECK(count(a, "asm-bank-repair") == 1);
  CHECK(result(a) == 301);
  CHECK(a.image->words.size() == 8);
}

TEST_CASE("bank repair: one register as both sources, and codes that live across the move") {
  CHECK(result(repaired(".reg a write $out\nimmed[a, 21]\nalu[$out, a, +, a]\nhalt\n")) == 42);
  // The carry of the first sum goes into the second, with a move between.
  CHECK(result(repaired(".reg a b c write $out\nimmed[a, 0xffff]\nimmed_w1[a, 0xffff]\nimmed[b, 1]\nimmed[c, "
                        "5]\nalu[--, b, +, c]\nalu[--, c, -, a]\n"
                        "alu[--, a, +, b]\nalu[$out, c, +carry, c]\nhalt\n")) == 11);
  CHECK(count(repaired(kTriangle), "asm-bank-conflict") == 0);
}

TEST_CASE("bank repair: a deferred slot stays an error") {
  CHECK(count(repaired(".reg a\nimmed[a, 1]\nbr[e#], defer[1]\nalu[a, a, +, a]\ne#:\nalu[--, --, B, a]\n"
                       "ctx_arb[kill]\n"),
              "asm-bank-conflict") == 1);
}

TEST_CASE("bank repair: the steps of a multiplication read one copy") {
  const auto product = [](const std::string& a, const std::string& b) {
    return fmt::format(
        "mul_step[{0}, {1}], 24x8_start\nmul_step[{0}, {1}], 24x8_step1\nmul_step[x, --], 24x8_last\n"
        "alu[sum, sum, +, x]\n",
        a, b);
  };
  const std::string head = ".reg a b c x sum write $out\nimmed[a, 3]\nimmed[b, 5]\nimmed[c, 7]\nimmed[sum, 0]\n";
  const std::string tail = "alu[$out, --, B, sum]\nhalt\n";
  const Assembly square = repaired(head + product("a", "a") + tail);
  CHECK(count(square, "asm-bank-repair") == 1);
  CHECK(result(square) == 9);
  const Assembly triangle = repaired(head + product("a", "b") + product("b", "c") + product("a", "c") + tail);
  CHECK(count(triangle, "asm-bank-repair") == 1);
  CHECK(result(triangle) == 15 + 35 + 21);
}

TEST_CASE("bank repair: where one of several instructions may have a move before it, that one gets it") {
  const std::string declared =
      ".reg a b c x write $out\n.sig s\nimmed[a, 2]\nimmed[b, 4]\nimmed[c, 3]\nimmed[x, 4]\nimmed[$out, 0]\n";
  const std::string steps =
      "mul_step[a, b], 24x8_start\nmul_step[a, b], 24x8_step1\nmul_step[x, --], 24x8_last\nalu[$out, x, +, 1]\n"
      "ctx_arb[kill]\n";
  for (const std::string& body : std::initializer_list<std::string>{
           "alu[--, a, +, b]\nalu[--, b, +, c]\nbr[e#], defer[1]\nalu[a, a, +, c]\ne#:\nalu[$out, --, B, a]\nhalt\n"s,
           "alu[--, x, +, a]\nalu[--, x, +, b]\n" + steps,
           "crc_be[crc_32, --, a]\nnop\nnop\nnop\nnop\nnop\ncrc_be[crc_32, --, b]\n" + steps,
           "scratch[write, $out, a, b, 1], ctx_swap[s]\ncrc_be[crc_32, --, a]\nnop\nnop\nnop\nnop\nnop\n"
           "crc_be[crc_32, --, b]\nmul_step[x, c], 24x8_start\nmul_step[x, c], 24x8_step1\nmul_step[x, --], 24x8_last\n"
           "alu[--, --, B, x]\nctx_arb[kill]\n"}) {
    INFO(body);
    CHECK(count(repaired(declared + body, false), "asm-bank-conflict") >= 1);
    const Assembly a = repaired(declared + body);
    CHECK(a.image);
    CHECK(count(a, "asm-bank-repair") >= 1);
    CHECK(count(a, "asm-bank-conflict") == 0);
  }
}

TEST_CASE("bank repair: an absolute register is moved where the condition codes are free") {
  const std::string head = ".reg x write $out @g\nimmed[@g, 7]\nimmed[x, 4]\nimmed[$out, 0]\n";
  const std::string body = "crc_be[crc_32, --, x]\nnop\nnop\nnop\nnop\nnop\nalu[@g, @g, +, x]\n";
  const Assembly a = repaired(head + body + "crc_be[crc_32, --, @g]\nalu[$out, --, B, @g]\nctx_arb[kill]\n");
  CHECK(count(a, "asm-bank-repair") == 1);
  CHECK(result(a) == 11);
  // Here it would change them, so another instruction yields; and where none can, it is an error.
  const std::string asks = "crc_be[crc_32, --, @g]\nbne[e#]\nalu[$out, --, B, @g]\ne#:\nctx_arb[kill]\n";
  const Assembly other = repaired(head + body + asks);
  CHECK(other.image);
  CHECK(render_text(other.diagnostics).find("a move of 'x'") != std::string::npos);
  CHECK(count(repaired(".reg x write $out @g\n.addr @g 3 b\n" + head.substr(head.find('\n') + 1) + body + asks),
              "asm-bank-conflict") == 1);
}

TEST_CASE("An absolute register in a restricted operand is refused by its name") {
  const Assembly a =
      repaired(".reg x @g\nimmed[@g, 0]\nimmed[x, 4]\nld_field[x, 0011, @g]\nalu[--, --, B, x]\nctx_arb[kill]\n");
  const std::string text = render_text(a.diagnostics);
  INFO(text);
  CHECK(count(a, "asm-operand") == 1);
  CHECK(text.find("'@g' cannot be operand 3 of ld_field: an absolute register cannot stand in a restricted operand") !=
        std::string::npos);
  for (const char* unwritten : {"@a0", "@b0"}) CHECK(text.find(unwritten) == std::string::npos);
}

TEST_CASE(".io_completed ends what a command holds") {
  const std::string text = test::kUnawaitedWrite, after = test::sixteen_in_use();
  CHECK(!repaired(text + after).image);
  const Assembly by_signal = repaired(text + ".io_completed s\n" + after);
  INFO(render_text(by_signal.diagnostics));
  CHECK(by_signal.image);
  CHECK(repaired(text + ".io_completed $x\n" + after).image);
}
