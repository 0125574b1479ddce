// Both classifiers on both chips against a brute force of their own: the ClassBench traces, random headers over
// random rules, and both sides of each end of each range. WEFT_FULL=1 takes all headers of 20 rule sets, WEFT_SEED
// other ones.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "data.h"
#include "reference.h"
#include "skip.h"
#include "weft/base/render.h"
#include "weft/control/classify/rule_file.h"

using namespace weft;
using namespace weft::test;
using namespace weft::control;

namespace {

bool full() { return std::getenv("WEFT_FULL") != nullptr; }
uint64_t seed() {
  const char* text = std::getenv("WEFT_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 2004;
}

constexpr uint32_t kTable = 0x100;
constexpr uint64_t kRoom = 0x200000 - kTable;

classify::RuleFile read_text(const std::string& text) {
  auto read = classify::read_rules(make_source("rules.txt", text));
  if (!read) FAIL(render_text(read.error()));
  return *read;
}

classify::TableImage table_of(const std::vector<classify::Match>& matches, bool range) {
  if (range) {
    auto built = classify::build_vectors(matches, kTable, kRoom);
    if (!built) FAIL(render_text(built.error()));
    return built->image;
  }
  auto built = classify::build_linear(matches, kTable, kRoom);
  if (!built) FAIL(render_text(built.error()));
  return *built;
}

/// All of `headers` through one block on one chip; `expected` has the rule of each.
void check(const Sweep& what, const std::vector<classify::Match>& matches, const std::vector<Fields>& headers,
           const std::vector<int>& expected) {
  INFO(
      fmt::format("{} on {}, {} rules", what.range ? "classify_range" : "classify_linear", what.board, matches.size()));
  const auto result = run_sweep(what, table_of(matches, what.range), headers);
  size_t wrong = 0;
  std::string first;
  for (size_t i = 0; i < headers.size(); ++i) {
    if (result[i] == expected[i]) continue;
    if (wrong++ == 0) {
      const auto& h = headers[i];
      first = fmt::format("header {}: {:08x} {:08x} ports {} {} protocol {} dscp {}: rule {}, must be {}", i, h[0],
                          h[1], h[2], h[3], h[4], h[5], result[i], expected[i]);
    }
  }
  INFO(first);
  CHECK(wrong == 0);
}

const std::vector<Sweep> kBlocks{
    {"generic-1200", true}, {"generic-2400", true}, {"generic-1200", false}, {"generic-2400", false}};

std::vector<int> brute_force(const std::vector<PlainRule>& rules, const std::vector<Fields>& headers) {
  std::vector<int> out;
  for (const Fields& h : headers) out.push_back(first_match(rules, h));
  return out;
}

}  // namespace

TEST_CASE("the reference: first line first, both ends inside") {
  std::vector<PlainRule> rules(2);
  rules[0].low[3] = 80;
  rules[0].high[3] = 90;
  rules[1].high[0] = 10;
  CHECK(first_match(rules, {5, 0, 0, 80, 6, 0}) == 0);
  CHECK(first_match(rules, {5, 0, 0, 90, 6, 0}) == 0);
  CHECK(first_match(rules, {5, 0, 0, 79, 6, 0}) == 1);
  CHECK(first_match(rules, {10, 0, 0, 91, 6, 0}) == 1);
  CHECK(first_match(rules, {11, 0, 0, 91, 6, 0}) == -1);
}

TEST_CASE("every header of the ClassBench traces gets the rule of its first_match file") {
  const auto there = data_file("classbench/");
  if (!there) return weft::skip_test(no_data("classbench"));
  const std::string& folder = *there;
  for (const char* name : {"acl1_100", "fw1_100", "ipc1_100", "acl1_1000"}) {
    INFO(name);
    const auto file = classify::read_rule_file(folder + name);
    REQUIRE(file);
    REQUIRE(file->format == classify::RuleFormat::classbench);
    auto plain = read_filters(folder + name);
    REQUIRE(plain.size() == file->rules.size());
    auto headers = read_trace(folder + name + "_trace");
    auto expected = read_numbers(folder + name + "_first_match");
    REQUIRE(headers.size() == expected.size());
    REQUIRE(headers.size() > 900);
    CHECK(brute_force(plain, headers) == expected);
    if (!full()) {
      std::vector<Fields> some;
      std::vector<int> of_some;
      for (size_t i = 0; i < headers.size(); i += headers.size() / 300) {
        some.push_back(headers[i]);
        of_some.push_back(expected[i]);
      }
      headers = some;
      expected = of_some;
    }
    auto matches = file->matches();
    for (const Sweep& block : kBlocks) {
      if (!block.range || matches.size() <= classify::kMaxRules) check(block, matches, headers, expected);
    }
    if (matches.size() <= classify::kMaxRules) continue;
    // Too long for a bit vector: its first 512 rules, for which the reference answers.
    matches.resize(classify::kMaxRules);
    plain.resize(classify::kMaxRules);
    for (const Sweep& block : kBlocks) check(block, matches, headers, brute_force(plain, headers));
  }
}

TEST_CASE("random headers over generated rule sets of 1 to 512 rules") {
  const std::vector<size_t> sizes{1, 2, 3, 5, 17, 31, 32, 33, 64, 65, 100, 128, 200, 256, 300, 384, 480, 481, 511, 512};
  REQUIRE(sizes.size() == 20);
  INFO("WEFT_SEED=" << seed());
  Random random(seed());
  size_t none = 0, late = 0;  // headers that match nothing, or nothing in the first half
  for (const size_t size : sizes) {
    const auto plain = random_rules(random, size);
    const auto file = read_text(as_text(plain));
    REQUIRE(file.rules.size() == size);
    std::vector<Fields> headers;
    while (headers.size() < (full() ? 100'000 : 250)) headers.push_back(random_header(random, plain));
    const auto expected = brute_force(plain, headers);
    none += static_cast<size_t>(std::ranges::count(expected, -1));
    late += static_cast<size_t>(
        std::ranges::count_if(expected, [&](int r) { return r >= 0 && r >= static_cast<int>(size / 2); }));
    for (const Sweep& block : kBlocks) check(block, file.matches(), headers, expected);
  }
  CHECK(none > 100);
  CHECK(late > 100);
}

TEST_CASE("each end of each range, one below and one above") {
  INFO("WEFT_SEED=" << seed());
  Random random(seed() + 1);
  for (const size_t size : {1, 16, 40, 130, 512}) {
    const auto plain = random_rules(random, size);
    auto headers = edge_headers(plain);
    if (!full() && headers.size() > 400) {
      std::vector<Fields> some;
      const size_t step = headers.size() / 400;
      for (size_t i = random.below(step); i < headers.size(); i += step) some.push_back(headers[i]);
      headers = some;
    }
    const auto file = read_text(as_text(plain));
    const auto expected = brute_force(plain, headers);
    for (const Sweep& block : kBlocks) check(block, file.matches(), headers, expected);
  }
}

TEST_CASE("512 rules whose ranges all end at different values: 1025 intervals and more levels than 1024 take") {
  std::vector<PlainRule> plain(512);
  for (uint32_t r = 0; r < 512; ++r) {
    for (const size_t f : {0, 1}) {
      plain[r].low[f] = 0x10000000 + r * 0x10000 * (f + 1);
      plain[r].high[f] = plain[r].low[f] + 0x8000;
    }
    plain[r].low[2] = 10 + r * 100;
    plain[r].high[2] = 50 + r * 100;
    plain[r].low[3] = 65000 - r * 100;
    plain[r].high[3] = 65050 - r * 100;
    plain[r].low[4] = r / 4;
    plain[r].high[4] = 200;
    plain[r].low[5] = r % 64;
  }
  auto headers = edge_headers(plain);
  headers.push_back({0, 0, 0, 0, 0, 0});
  headers.push_back({0xffffffff, 0xffffffff, 0xffff, 0xffff, 0xff, 0x3f});
  if (!full()) {
    std::vector<Fields> some;
    for (size_t i = 0; i < headers.size(); i += 29) some.push_back(headers[i]);
    headers = some;
  }
  const auto file = read_text(as_text(plain));
  const auto built = classify::build_vectors(file.matches(), kTable, kRoom);
  REQUIRE(built);
  CHECK(built->intervals[0] == 1025);
  CHECK(built->intervals[2] == 1025);
  const auto expected = brute_force(plain, headers);
  for (const Sweep& block : kBlocks) check(block, file.matches(), headers, expected);
}

TEST_CASE("no rule at all matches nothing") {
  for (const Sweep& block : kBlocks)
    check(block, {}, {{0, 0, 0, 0, 0, 0}, {0xffffffff, 0xffffffff, 0xffff, 0xffff, 0xff, 0x3f}}, {-1, -1});
}

TEST_CASE("a table is replaced while packets are classified: each gets its rule by the old one or by the new one") {
  Random random(seed() + 2);
  const auto before = random_rules(random, 120), after = random_rules(random, 90);
  std::vector<Fields> headers;
  while (headers.size() < 1200) headers.push_back(random_header(random, random.chance(1, 2) ? before : after));
  const auto by_old = brute_force(before, headers), by_new = brute_force(after, headers);
  const auto old_file = read_text(as_text(before)), new_file = read_text(as_text(after));
  for (const Sweep& block : kBlocks) {
    INFO(fmt::format("{} on {}", block.range ? "classify_range" : "classify_linear", block.board));
    const auto old_table = table_of(old_file.matches(), block.range);
    constexpr uint32_t kBeside = 0x100000;
    classify::TableImage new_table;
    if (block.range)
      new_table = classify::build_vectors(new_file.matches(), kBeside, kRoom)->image;
    else
      new_table = *classify::build_linear(new_file.matches(), kBeside, kRoom);
    const Replacement then{new_table, 120'000};
    const auto rules = run_sweep(block, old_table, headers, &then);
    size_t neither = 0, only_old = 0, only_new = 0;
    for (size_t i = 0; i < headers.size(); ++i) {
      neither += rules[i] != by_old[i] && rules[i] != by_new[i];
      only_old += rules[i] == by_old[i] && rules[i] != by_new[i];
      only_new += rules[i] == by_new[i] && rules[i] != by_old[i];
    }
    CHECK(neither == 0);
    CHECK(only_old > 10);
    CHECK(only_new > 10);
  }
}
