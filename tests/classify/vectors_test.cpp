// Tables in memory: intervals and vectors by their meaning, a table by hand, sizes and limits.
#include "weft/control/classify/vectors.h"

#include <catch2/catch.hpp>
#include <set>

#include "reference.h"

using namespace weft;
using namespace weft::control::classify;

namespace {

std::vector<Match> as_matches(const std::vector<test::PlainRule>& rules) {
  std::vector<Match> out;
  for (const auto& r : rules) {
    Match m;
    for (size_t f = 0; f < kFields; ++f) m.ranges[f] = {r.low[f], r.high[f]};
    out.push_back(m);
  }
  return out;
}

}  // namespace

TEST_CASE("intervals cover a field, meet no end inside, and hold the rules of each of their values") {
  Random random(11);
  const auto rules = test::random_rules(random, 70);
  const auto matches = as_matches(rules);
  for (const Field f : kAllFields) {
    const auto index = static_cast<size_t>(f);
    const auto intervals = intervals_of(f, matches);
    uint32_t low = 0;
    for (const Interval& i : intervals) {
      REQUIRE(i.last >= low);
      for (const uint32_t value : {low, low + (i.last - low) / 2, i.last}) {
        for (size_t r = 0; r < rules.size(); ++r) {
          const bool inside = rules[r].low[index] <= value && value <= rules[r].high[index];
          CHECK(((i.rules.words[r / 32] >> r % 32 & 1) != 0) == inside);
        }
      }
      low = i.last + 1;
    }
    CHECK(intervals.back().last == field_max(f));
    std::set<uint32_t> ends;
    for (const auto& r : rules) {
      if (r.low[index] > 0) ends.insert(r.low[index] - 1);
      if (r.high[index] < field_max(f)) ends.insert(r.high[index]);
    }
    CHECK(intervals.size() == ends.size() + 1);
  }
}

TEST_CASE("a compact vector has a bit for each longword that is not 0") {
  BitVector v;
  CHECK(v.compact() == 0);
  v.add(31);
  CHECK(v.words[0] == 0x80000000);
  v.add(32);
  v.add(511);
  CHECK(v.compact() == 0x8003);
}

TEST_CASE("the table of one rule, by hand") {
  Match m;
  m[Field::source] = {0x0a000000, 0x0affffff};
  m[Field::protocol] = {6, 6};
  const auto table = build_vectors({&m, 1}, 0x1000, 1 << 20);
  REQUIRE(table);
  const auto word = [&](uint32_t address) { return table->image.words.at((address - 0x1000) / 4); };
  CHECK(table->intervals == std::array<size_t, 6>{3, 1, 1, 1, 3, 1});
  CHECK(table->vectors == 2);
  CHECK(table->vector_bytes == 128);
  // One level: a node, then the records of -9.255.255.255, 10/8, 11.0.0.0-.
  CHECK(table->image.root == (0x1000 | 4));
  CHECK(word(0x1000) == ~0x09ffffffu);
  CHECK(word(0x1004) == ~0x0affffffu);
  CHECK(word(0x1008) == 0);
  const uint32_t without = word(0x1014), with = word(0x1024);
  CHECK(word(0x1010) == 0);
  CHECK(word(0x1020) == 1);
  CHECK(word(0x1030) == 0);
  CHECK(word(0x1034) == without);
  CHECK(word(with) == 1);
  CHECK(word(with + 4) == 0);
  CHECK(word(without) == 0);
  // No level: the tree is the one record, which leads on. Destination, destination port, source port.
  CHECK(word(0x1018) == (0x1100 | 2));
  CHECK(word(0x1100) == 1);
  CHECK(word(0x1104) == with);
  CHECK(word(0x1108) == (0x1200 | 2));
  CHECK(word(0x1208) == (0x1300 | 2));
  // A record for each protocol and each DSCP.
  CHECK(word(0x1308) == 0x1400);
  CHECK(word(0x1400 + 5 * 16) == 0);
  CHECK(word(0x1400 + 6 * 16) == 1);
  CHECK(word(0x1400 + 6 * 16 + 4) == with);
  CHECK(word(0x1400 + 7 * 16) == 0);
  CHECK(word(0x1400 + 255 * 16 + 8) == 0x2400);
  CHECK(word(0x2400 + 63 * 16) == 1);
  CHECK(table->image.bytes() == 0x2400 + 64 * 16 + 128 - 0x1000);
}

TEST_CASE("a linear table by hand") {
  Match m;
  m[Field::source] = {0x0a000000, 0x0affffff};
  m[Field::destination] = {5, 9};
  m[Field::source_port] = {1024, 65535};
  m[Field::destination_port] = {80, 81};
  m[Field::protocol] = {6, 17};
  m[Field::dscp] = {10, 12};
  const auto image = build_linear({&m, 1}, 0x40, 1000);
  REQUIRE(image);
  CHECK(image->root == 0x40);
  CHECK(image->words == std::vector<uint32_t>{0x0a000000, 0xffffff, 5, 4, 0x04000050, 0xfbff0001, 0x060a0b02, 0,  //
                                              0, 0xffffffff, 0, 0xffffffff, 0, 0xffffffff, 0x0000ff3f, 0x80000000});
}

TEST_CASE("intervals with the same rules share a vector, and the sizes are told") {
  // 512 rules on disjoint sources, all with the same destination: one vector for each source, one for none, one for
  // all.
  std::vector<Match> rules(512);
  for (uint32_t r = 0; r < 512; ++r) {
    rules[r][Field::source] = {r * 0x10000, r * 0x10000 + 0xff};
    rules[r][Field::destination] = {7, 7};
  }
  const auto table = build_vectors(rules, 0x100, 1 << 21);
  REQUIRE(table);
  CHECK(table->intervals[0] == 1024);
  CHECK(table->intervals[1] == 3);
  CHECK(table->vectors == 512 + 2);
  CHECK(table->vector_bytes == 514 * 64);
  CHECK(table->image.bytes() == table->image.words.size() * 4);
}

TEST_CASE("the largest table: 512 rules with all ends different") {
  std::vector<Match> rules(512);
  for (uint32_t r = 0; r < 512; ++r) {
    rules[r][Field::source] = {1000 + r, 10000 + r};
    rules[r][Field::destination] = {1000 + r, 20000 + r};
    rules[r][Field::source_port] = {1000 + r, 30000 + r};
    rules[r][Field::destination_port] = {1000 + r, 40000 + r};
    rules[r][Field::protocol] = {r / 4, 128 + r / 4};
    rules[r][Field::dscp] = {r / 16, 32 + r / 16};
  }
  const auto table = build_vectors(rules, 0x100, 2 << 20);
  REQUIRE(table);
  CHECK(table->intervals ==
        std::array<size_t, 6>{1025, 1025, 1025, 1025, 255, 63});  // of 0-126 and 128-255, 0-30 and 32-63 all are ends
  // Six times 1,025 vectors would be 393,600 bytes (claim D8); the last two dimensions have no more values.
  CHECK(table->vector_bytes <= (4 * 1025 + 255 + 63) * 64);
  CHECK(table->image.bytes() < 500'000);
  // Its own size is enough, and one byte less is not.
  CHECK(build_vectors(rules, 0x100, table->image.bytes()));
  const auto small = build_vectors(rules, 0x100, table->image.bytes() - 1, whole_file("rules.txt"));
  REQUIRE_FALSE(small);
  const Diagnostic& d = *small.error().begin();
  CHECK(d.code == "classify-memory");
  CHECK(d.range.file->name() == "rules.txt");
  CHECK_THAT(d.text, Catch::Contains("512 rules") && Catch::Contains(std::to_string(table->image.bytes())));
  CHECK_FALSE(d.remedy.empty());
}

TEST_CASE("too many rules, too little memory for linear search") {
  const std::vector<Match> rules(513);
  const auto table = build_vectors(rules, 0x100, 1 << 21, whole_file("rules.txt"));
  REQUIRE_FALSE(table);
  CHECK(table.error().begin()->code == "classify-too-many");
  CHECK_THAT(table.error().begin()->text, Catch::Contains("513"));
  CHECK_THAT(table.error().begin()->remedy, Catch::Contains("linear"));
  CHECK(table.error().begin()->range.file->name() == "rules.txt");
  CHECK(build_vectors({rules.data(), 512}, 0x100, 1 << 21));
  CHECK(build_linear(rules, 0, 514 * 32));
  const auto linear = build_linear(rules, 0, 514 * 32 - 1, whole_file("rules.txt"));
  REQUIRE_FALSE(linear);
  CHECK(linear.error().begin()->code == "classify-memory");
}
