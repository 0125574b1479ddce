// me1: what is written can be read, what nobody can mean is not read, and no word means two things.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "support.h"
#include "weft/base/random.h"

using namespace weft::isa;

namespace {

constexpr Profile kMe1 = Profile::me1;

std::string text(const Instruction& insn) { return print(kMe1, insn, PrintNames{}); }

void check(uint64_t word, uint64_t& read, uint64_t& canonical) {
  const auto insn = decode(kMe1, word);
  if (!insn) {
    if (is_canonical(kMe1, word)) FAIL("canonical but not read: " << std::hex << word);
    return;
  }
  ++read;
  const auto again = encode(kMe1, *insn);
  if (!again) FAIL("read but not written: " << std::hex << word << " " << text(*insn) << ": " << again.error().text);
  if (*again >> 32) FAIL("too wide: " << text(*insn));
  if (decode(kMe1, *again) != insn) FAIL("changed by writing: " << std::hex << word << " " << text(*insn));
  if (is_canonical(kMe1, word) != (*again == word)) FAIL("is_canonical is wrong: " << std::hex << word);
  canonical += *again == word;
}

}  // namespace

TEST_CASE("me1: random words") {
  weft::Random random(1200);
  uint64_t read = 0, canonical = 0;
  constexpr uint64_t count = 500000;
  for (uint64_t i = 0; i < count; ++i) check(random.next64() & 0xffffffff, read, canonical);
  INFO(read << " read, " << canonical << " canonical of " << count);
  CHECK(read > count / 10);
  CHECK(canonical > count / 20);
}

TEST_CASE("me1: words one bit away from legal ones") {
  weft::Random random(8);
  uint64_t read = 0, canonical = 0, tried = 0;
  for (int i = 0; i < 8000; ++i) {
    const auto insn = decode(kMe1, random.next64() & 0xffffffff);
    if (!insn) continue;
    const uint64_t word = encode(kMe1, *insn).value();
    for (int bit = 0; bit < 32; ++bit, ++tried) check(word ^ uint64_t{1} << bit, read, canonical);
  }
  CHECK(read > tried / 4);
}

TEST_CASE("me1: different texts of canonical words") {
  weft::Random random(77);
  std::map<std::string, uint64_t> seen;
  for (int i = 0; i < 200000; ++i) {
    const uint64_t word = random.next64() & 0xffffffff;
    if (!is_canonical(kMe1, word)) continue;
    const std::string t = text(*decode(kMe1, word));
    const auto [at, fresh] = seen.emplace(t, word);
    if (!fresh && at->second != word) FAIL(t << " is printed for two words: " << std::hex << at->second << " " << word);
  }
  CHECK(seen.size() > 10000);
}

TEST_CASE("me1: words that are not instructions") {
  for (uint64_t word : {0x00000000u, 0xffffffffu, 0xf8000000u, 0x34000000u, 0x3c000000u, 0x2c000000u | 3u << 24})
    CHECK_FALSE(decode(kMe1, word));
  CHECK_FALSE(decode(kMe1, 0xf0000c0300));
  CHECK_FALSE(decode(kMe1, uint64_t{1} << 32));
}

TEST_CASE("me1: decoded parts are within the limits of the machine") {
  weft::Random random(99);
  std::set<InsnId> met;
  for (int i = 0; i < 400000; ++i) {
    const auto insn = decode(kMe1, random.next64() & 0xffffffff);
    if (!insn) continue;
    met.insert(insn->id);
    REQUIRE((*insn)[Role::defer] <= 2);
    REQUIRE((*insn)[Role::signal] <= 9);
    REQUIRE((*insn)[Role::target] <= 2047);
    REQUIRE((*insn)[Role::context] <= 3);
    for (Role role : {Role::dest, Role::left, Role::right, Role::xfer}) {
      const Operand& o = insn->operand(role);
      if (o.kind == OperandKind::gpr) REQUIRE(o.value < 16);
      if (o.kind == OperandKind::gpr_absolute) REQUIRE(o.value < 64);
      if (o.kind == OperandKind::xfer_s || o.kind == OperandKind::xfer_d) REQUIRE(o.value < 8);
      REQUIRE(o.kind <= OperandKind::xfer_d);
    }
  }
  // The word space is dense: chance finds nearly every instruction.
  CHECK(met.size() > 60);
}
