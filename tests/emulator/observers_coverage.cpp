// Coverage against programs whose counts are worked out by hand.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "engine_support.h"
#include "weft/emulator/observers/coverage.h"

using namespace weft::test;
using weft::emulator::Coverage;
using weft::emulator::Images;

namespace {

/// Three turns: a0 = 3; do { a0 -= 1 } while (a0 != 0). With `defer` the word after the branch is in its slot.
std::vector<Instruction> loop(uint32_t defer) {
  return {immed(a(0), 3),                     // 0: once
          alu(a(0), a(0), AluOp::sub, k(1)),  // 1: three times
          branch(InsnId::bne, 1, defer),      // 2: three times, taken twice
          nop(),                              // 3: once, or in the slot of all three
          branch(InsnId::br, 6),              // 4: once, taken
          nop(),                              // 5: never
          branch(InsnId::bne, 5),             // 6: once, not taken: Z is still set
          halt()};                            // 7
}

weft::image::Image image_for(const std::vector<Instruction>& program) {
  weft::image::Image image;
  image.name = "loop.uc";
  image.words = encode(program);
  image.files = {"loop.uc", "macros.uc"};
  for (uint32_t pc = 0; pc < program.size(); ++pc) image.lines.push_back({{0, 10 + pc, 1}, {}});
  image.lines[1] = {{1, 3, 1}, {{"step", {0, 30, 1}}}};  // words 1 and 2 come from a macro that is called in line 30
  image.lines[2] = {{1, 4, 1}, {{"step", {0, 30, 1}}}};
  image.labels = {{"again#", 1}, {"dead#", 5}};
  return image;
}

/// The loop under coverage.
struct CoveredLoop : Bench {
  Coverage coverage;
  explicit CoveredLoop(uint32_t defer = 0) : coverage(loaded(defer)) { attach(coverage); }

 private:
  const Machine& loaded(uint32_t defer) {
    program(0, loop(defer));
    return *this;
  }
};

size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("coverage counts words and branch outcomes") {
  CoveredLoop m;
  const Coverage& coverage = m.coverage;
  REQUIRE(m.go().kind == StopKind::halted);
  const uint64_t expected[] = {1, 3, 3, 1, 1, 0, 1, 1};
  for (unsigned pc = 0; pc < 8; ++pc) {
    INFO("word " << pc);
    CHECK(coverage.words(0)[pc].all_executed() == expected[pc]);
    CHECK(coverage.words(0)[pc].executed[0] == expected[pc]);
  }
  CHECK(coverage.words(0)[2].all_taken() == 2);
  CHECK(coverage.words(0)[2].all_not_taken() == 1);
  CHECK(coverage.words(0)[4].all_taken() == 1);
  CHECK(coverage.words(0)[4].all_not_taken() == 0);
  CHECK_FALSE(coverage.words(0)[4].conditional);
  CHECK(coverage.words(0)[6].all_taken() == 0);
  CHECK(coverage.words(0)[6].all_not_taken() == 1);
}

TEST_CASE("coverage sees a taken branch after deferred slots") {
  CoveredLoop m(1);
  const Coverage& coverage = m.coverage;
  m.run_until(600);
  CHECK(coverage.words(0)[2].all_taken() == 2);
  CHECK(coverage.words(0)[2].all_not_taken() == 1);
  CHECK(coverage.words(0)[3].all_executed() == 3);
}

TEST_CASE("coverage keeps contexts and engines apart") {
  Bench m(2);
  // Contexts other than 5 leave at once; 5 goes on.
  Instruction other = branch(InsnId::br_ne_ctx, 3);
  other[Role::context] = 5;
  const std::vector<Instruction> program{other, nop(), nop(), kill()};
  m.program(1, program, 0xff);
  Coverage coverage(m);
  m.attach(coverage);
  m.go();
  CHECK(coverage.words(0).empty());
  const auto& words = coverage.words(1);
  CHECK(words[0].executed == std::array<uint64_t, 8>{1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(words[0].taken == std::array<uint64_t, 8>{1, 1, 1, 1, 1, 0, 1, 1});
  CHECK(words[1].executed == std::array<uint64_t, 8>{0, 0, 0, 0, 0, 1, 0, 0});
  CHECK(words[3].all_executed() == 8);
}

TEST_CASE("coverage as lcov tracefile") {
  CoveredLoop m;
  m.run_until(10 * 13);  // one cycle each for words 0, 1, 2, three lost, 1, 2, three lost, 1, 2: the last is not taken
  const weft::image::Image image = image_for(loop(0));
  const std::string expected =
      "TN:me0\nSF:loop.uc\n"
      "FN:15,dead#\nFNDA:0,dead#\nFNF:1\nFNH:0\n"
      "BRDA:16,6,0,-\nBRDA:16,6,1,-\nBRF:2\nBRH:0\n"
      "DA:10,1\nDA:13,0\nDA:14,0\nDA:15,0\nDA:16,0\nDA:17,0\nDA:30,3\nLF:7\nLH:2\nend_of_record\n"
      "TN:me0\nSF:macros.uc\n"
      "FN:3,again#\nFNDA:3,again#\nFNF:1\nFNH:1\n"
      "BRDA:4,2,0,2\nBRDA:4,2,1,1\nBRF:2\nBRH:2\n"
      "DA:3,3\nDA:4,3\nLF:2\nLH:2\nend_of_record\n";
  CHECK(to_lcov(m.coverage, {&image}) == expected);
  CHECK(to_lcov(m.coverage, {}).empty());
}

TEST_CASE("coverage as CSV and JSON") {
  CoveredLoop m;
  REQUIRE(m.go().kind == StopKind::halted);
  const weft::image::Image image = image_for(loop(0));
  const std::string csv = to_csv(m.coverage, {&image});
  CHECK(occurrences(csv, "\n") == 9);
  CHECK(csv.find("\n0,2,3,0,0,0,0,0,0,0,3,2,1,\"macros.uc\",4,\"bne[l1#]\"\n") != std::string::npos);
  CHECK(csv.find("\n0,0,1,0,0,0,0,0,0,0,1,,,\"loop.uc\",10,") != std::string::npos);

  const auto json = nlohmann::json::parse(to_json(m.coverage, {&image}));
  CHECK(json["version"] == 1);
  REQUIRE(json["engines"].size() == 1);
  const auto& words = json["engines"][0]["words"];
  REQUIRE(words.size() == 8);
  CHECK(words[2]["executed"][0] == 3);
  CHECK(words[2]["taken"] == 2);
  CHECK(words[2]["not-taken"] == 1);
  CHECK(words[2]["file"] == "macros.uc");
  CHECK_FALSE(words[0].contains("taken"));
}
