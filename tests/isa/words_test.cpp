// Words that nobody chose: decode never goes wrong, and what it reads can be written and read again.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "support.h"
#include "weft/base/random.h"

using namespace weft::isa;

namespace {

/// Half a million words in the everyday test; WEFT_WORDS=10000000 for the long one.
uint64_t amount() {
  const char* text = std::getenv("WEFT_WORDS");
  return text ? std::strtoull(text, nullptr, 10) : 500000;
}

void check(uint64_t word, uint64_t& read, uint64_t& canonical) {
  const auto insn = decode(Profile::me2, word);
  if (!insn) {
    if (is_canonical(Profile::me2, word)) FAIL("canonical but not read: " << std::hex << word);
    return;
  }
  ++read;
  const auto again = encode(Profile::me2, *insn);
  if (!again) FAIL("read but not written: " << std::hex << word << " " << *insn << ": " << again.error().text);
  if (decode(Profile::me2, *again) != insn) FAIL("changed by writing: " << std::hex << word << " " << *insn);
  if (is_canonical(Profile::me2, word) != (*again == word)) FAIL("is_canonical is wrong: " << std::hex << word);
  if (!is_canonical(Profile::me2, *again)) FAIL("written but not canonical: " << std::hex << *again);
  canonical += *again == word;
}

}  // namespace

TEST_CASE("random words") {
  weft::Random random(20240229);
  uint64_t read = 0, canonical = 0;
  const uint64_t count = amount();
  for (uint64_t i = 0; i < count; ++i) check(random.next64() & 0xffffffffff, read, canonical);
  INFO(read << " read, " << canonical << " canonical of " << count);
  CHECK(read > count / 50);
  CHECK(canonical > 0);
}

TEST_CASE("words one bit away from legal ones") {
  uint64_t read = 0, canonical = 0, tried = 0;
  weft::Random random(7);
  for (int i = 0; i < 4000; ++i) {
    uint64_t word = random.next64() & 0xffffffffff;
    const auto insn = decode(Profile::me2, word);
    if (!insn) continue;
    word = encode(Profile::me2, *insn).value();
    for (int bit = 0; bit < 40; ++bit) {
      check(word ^ uint64_t{1} << bit, read, canonical);
      ++tried;
    }
  }
  CHECK(read > tried / 4);
}

TEST_CASE("words of more than 40 bits are not read") {
  CHECK_FALSE(decode(Profile::me2, uint64_t{0x10000000000} | 0xf0000c0300));
}

TEST_CASE("instructions of another profile are not written") {
  Instruction find;
  find.id = InsnId::find_bset;
  find.left = weft::isa_test::a(1);
  CHECK(encode(Profile::me1, find));
  CHECK_FALSE(encode(Profile::me2, find));
  CHECK(enabled(Profile::me1, InsnId::alu));
  CHECK_FALSE(enabled(Profile::me1, InsnId::cam_clear));
  Instruction guess;
  guess.id = InsnId::beq;
  guess[Role::guess] = 1;
  CHECK(encode(Profile::me1, guess));
  CHECK_FALSE(encode(Profile::me2, guess));
}

TEST_CASE("classes without a public meaning are not read") {
  // isa.md 3.1: 0i100xxx, 0i1011xx, 0i11100x, 1111101x, 1111111x in bits 39:32
  for (uint64_t top : {0x20u, 0x27u, 0x60u, 0x2cu, 0x2fu, 0x6cu, 0x38u, 0x39u, 0x78u, 0xfau, 0xfbu, 0xfeu, 0xffu})
    for (uint64_t low : {0x00000000u, 0x12345678u, 0xffffffffu, 0x40000320u}) {
      INFO(std::hex << (top << 32 | low));
      CHECK_FALSE(decode(Profile::me2, top << 32 | low));
    }
  // alu operations 2 10 22 26 28 29 30
  for (uint64_t op : {2u, 10u, 22u, 26u, 28u, 29u, 30u}) CHECK_FALSE(decode(Profile::me2, 0xa0000c0000 | op << 31));
  // commands without an entry in the table of 3.11: sram 6, scratch 11 to 15
  for (uint64_t command : {0x06u, 0x1bu, 0x1cu, 0x1du, 0x1eu, 0x1fu})
    CHECK_FALSE(decode(Profile::me2, command << 32 | 0x0000008302));
}

TEST_CASE("every decoded word has every part within its limits") {
  weft::Random random(99);
  for (int i = 0; i < 100000; ++i) {
    const auto insn = decode(Profile::me2, random.next64() & 0xffffffffff);
    if (!insn) continue;
    REQUIRE((*insn)[Role::defer] <= 3);
    REQUIRE((*insn)[Role::signal] <= 15);
    REQUIRE((*insn)[Role::target] <= 8191);
    REQUIRE((*insn)[Role::count] <= 8);
    REQUIRE((*insn)[Role::shift] <= uint32_t(ShiftKind::right_indirect));
    REQUIRE_FALSE(print(Profile::me2, *insn, PrintNames{}).empty());
  }
}
