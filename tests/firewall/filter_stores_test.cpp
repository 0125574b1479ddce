// One rule file, three stores, one verdict: random rules and packets in microcode against a comparison of numbers
// written down here.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "must.h"
#include "weft/base/files.h"
#include "weft/base/random.h"
#include "weft/base/temporary_folder.h"
#include "weft/control/firewall/rule_table.h"
#include "weft/workbench/session.h"

using namespace weft;

namespace {

// source, destination, source port, destination port, protocol, DSCP, in, out, state, status
constexpr size_t kFields = 10;
constexpr std::array<uint32_t, kFields> kMax{0xffffffff, 0xffffffff, 0xffff, 0xffff, 0xff, 0x3f, 3, 3, 1, 1};
constexpr std::array<const char*, kFields> kWords{
    "source", "destination", "source-port", "destination-port", "protocol", "dscp", "in", "out", "state", "status"};
/// Bits 13:11 of a packet's kind, by state and status (filter.uc).
constexpr uint32_t kTracking[2][2] = {{0, 5}, {3, 6}};

struct TestRule {
  std::array<uint32_t, kFields> low{}, high = kMax;
  bool accept = false;
};
using Values = std::array<uint32_t, kFields>;

std::string address(uint32_t a) { return fmt::format("{}.{}.{}.{}", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255); }

std::string line_of(const TestRule& rule) {
  std::string out = rule.accept ? "accept" : "drop";
  for (size_t f = 0; f < kFields; ++f) {
    const uint32_t low = rule.low[f], high = rule.high[f];
    if (low == 0 && high == kMax[f]) continue;
    if (f < 2)
      out += fmt::format(" {} {}-{}", kWords[f], address(low), address(high));
    else if (f < 6)
      out += fmt::format(" {} {}-{}", kWords[f], low, high);
    else if (f < 8)
      out += fmt::format(" {} {}", kWords[f], low);
    else if (f == 8)
      out += low == 0 ? " state new" : " state established";
    else
      out += low == 0 ? " status no-dnat" : " status dnat";
  }
  return out + "\n";
}

/// Prefixes, single values, one-sided and free ranges, in a small part of the space so that rules overlap.
TestRule random_rule(Random& random, unsigned fields) {
  TestRule rule;
  rule.accept = random.chance(1, 2);
  for (size_t f = 0; f < kFields; ++f) {
    if (!random.chance(fields, 9)) continue;
    const uint32_t max = kMax[f];
    const uint64_t bits = f < 2 ? 32 : f < 4 ? 16 : f == 4 ? 8 : f == 5 ? 6 : 0;
    if (f >= 6) {
      rule.low[f] = rule.high[f] = static_cast<uint32_t>(random.below(max + 1));
      continue;
    }
    uint32_t value = static_cast<uint32_t>(random.below(uint64_t{max} + 1));
    if (f < 2) value = 0x0a000000 | (value & 0x0003ffff);
    switch (random.below(5)) {
      case 0: rule.low[f] = rule.high[f] = value; break;
      case 1:
      case 2: {  // a prefix
        const unsigned length = static_cast<unsigned>(random.between(f < 2 ? 6 : 1, bits));
        const uint32_t mask = length == bits ? 0 : max >> length;
        rule.low[f] = value & ~mask;
        rule.high[f] = value | mask;
        break;
      }
      case 3: (random.chance(1, 2) ? rule.low[f] : rule.high[f]) = value; break;
      default: {
        uint32_t other = static_cast<uint32_t>(random.below(uint64_t{max} + 1));
        if (f < 2) other = 0x0a000000 | (other & 0x0003ffff);
        rule.low[f] = std::min(value, other);
        rule.high[f] = std::max(value, other);
      }
    }
  }
  return rule;
}

bool accepted(const std::vector<TestRule>& rules, bool others, const Values& packet) {
  for (const TestRule& rule : rules) {
    bool all = true;
    for (size_t f = 0; f < kFields; ++f) all = all && rule.low[f] <= packet[f] && packet[f] <= rule.high[f];
    if (all) return rule.accept;
  }
  return others;
}

/// Around the bounds of one of the rules, or anywhere.
Values random_packet(Random& random, const std::vector<TestRule>& rules) {
  Values packet{};
  const TestRule& rule = rules[random.below(rules.size())];
  const bool near = random.chance(7, 8);
  for (size_t f = 0; f < kFields; ++f) {
    const uint32_t low = rule.low[f], high = rule.high[f];
    uint32_t value = static_cast<uint32_t>(random.below(uint64_t{kMax[f]} + 1));
    if (near) {
      switch (random.below(12)) {
        case 0: value = low == 0 ? low : low - 1; break;
        case 1: value = high == kMax[f] ? high : high + 1; break;
        case 2:
        case 3:
        case 4: value = low; break;
        case 5:
        case 6:
        case 7: value = high; break;
        default: value = static_cast<uint32_t>(random.between(low, high));
      }
    }
    packet[f] = value;
  }
  return packet;
}

constexpr uint32_t kPackets = 0x100000, kVerdicts = 0x200000, kTable = 0x300000, kControl = 0x100;
constexpr std::array<const char*, 3> kStores{"SRAM", "local memory", "compiled"};

/// Runs all packets through the stores of engines 0, 1 and 2 and compares their verdicts.
void compare(const std::vector<TestRule>& rules, bool others, const std::vector<Values>& packets) {
  std::string text;
  for (const TestRule& rule : rules) text += line_of(rule);
  text += others ? "default accept\n" : "default drop\n";
  const std::string root = WEFT_SOURCE_DIR;
  const TemporaryFolder folder;
  must(write_file(folder / "test.rules", text));
  const auto file = must(control::firewall::read_rules(make_source("test.rules", text), {}));
  const bool local = file.entries() <= control::firewall::kLocalRules;
  std::string programs;
  for (unsigned engine = 0; engine < 3; ++engine) {
    if (engine == 1 && !local) continue;
    programs += fmt::format(
        R"({}{{"source": "{}/tests/firewall/stores.uc", "engines": [{}], "define": {{"FILTER_STORE": {}, "FILTER_INDEX": {}}}{}}})",
        programs.empty() ? "" : ",", root, engine, engine + 1, engine, engine == 2 ? R"(, "rules": "test.rules")" : "");
  }
  must(write_file(
      folder / "weft.json",
      fmt::format(R"({{"version": 1, "board": "generic-2400", "include": ["{0}/lib/microblocks"], "programs": [{1}],
    "constants": {{"packets": {2}, "verdicts": {3}, "packet_count": {4}, "filter_control": {5}}}, "limits": {{"cycles": 100000000}}}})",
                  root, programs, kPackets, kVerdicts, packets.size(), kControl)));
  auto project = must(workbench::load_project(folder.path().string()));
  auto session = must(workbench::Session::create(std::move(project)));

  emulator::HostPort& host = session->units().host();
  const std::vector<uint32_t> table = control::firewall::table_words(file);
  for (size_t i = 0; i < table.size(); ++i)
    host.write(emulator::MemorySpace::sram, kTable + static_cast<uint32_t>(4 * i), table[i]);
  host.write(emulator::MemorySpace::scratch, kControl, kTable | 1);
  for (size_t i = 0; i < packets.size(); ++i) {
    const Values& p = packets[i];
    const uint32_t words[4] = {p[0], p[1], p[2] << 16 | p[3],
                               p[4] << 24 | p[5] << 16 | kTracking[p[8]][p[9]] << 11 | p[6] << 3 | p[7]};
    for (uint32_t w = 0; w < 4; ++w)
      host.write(emulator::MemorySpace::sram, kPackets + static_cast<uint32_t>(16 * i) + 4 * w, words[w]);
  }
  const workbench::Stop stop = session->run({});
  INFO(stop.text);
  REQUIRE(stop.kind == workbench::Stop::Kind::quiet);
  for (size_t i = 0; i < packets.size(); ++i) {
    const uint32_t right = accepted(rules, others, packets[i]) ? 2 : 1;
    for (uint32_t store = 0; store < 3; ++store) {
      if (store == 1 && !local) continue;
      const uint32_t said =
          host.read(emulator::MemorySpace::sram, kVerdicts + store * 0x10000 + static_cast<uint32_t>(4 * i));
      if (said == right) continue;
      FAIL(fmt::format("packet {} of {}: the store {} says {}, {} is right\npacket {}\nrules\n{}", i, packets.size(),
                       kStores[store], said, right, fmt::join(packets[i], " "), text));
    }
  }
}

uint64_t seed_of_tests() {
  return std::getenv("WEFT_SEED") != nullptr ? std::strtoull(std::getenv("WEFT_SEED"), nullptr, 0) : 1;
}

}  // namespace

TEST_CASE("filter: three stores and a comparison of numbers give the same verdicts, random rules") {
  const uint64_t seed = seed_of_tests();
  const bool full = std::getenv("WEFT_FULL") != nullptr;
  INFO("seed " << seed);
  for (unsigned round = 0; round < (full ? 60u : 8u); ++round) {
    INFO("round " << round);
    Random random(seed * 1000 + round);
    constexpr std::array<size_t, 8> kSizes{1, 3, 10, 79, 40, 120, 2, 78};
    const unsigned fields = 1 + static_cast<unsigned>(random.below(6));
    std::vector<TestRule> rules;
    for (size_t i = 0; i < kSizes[round % kSizes.size()]; ++i) {
      rules.push_back(random_rule(random, fields));
      // Runs of rules that have something in common, as people write them.
      if (i > 0 && random.chance(1, 2)) {
        for (size_t f = 0; f < kFields; ++f) {
          if (!random.chance(2, 3)) continue;
          rules.back().low[f] = rules[i - 1].low[f];
          rules.back().high[f] = rules[i - 1].high[f];
        }
      }
    }
    std::vector<Values> packets;
    for (unsigned i = 0; i < 500; ++i) packets.push_back(random_packet(random, rules));
    compare(rules, random.chance(1, 2), packets);
  }
}

TEST_CASE("filter: every field at its bounds, one below and one above, in three stores") {
  // Rule f constrains field f alone; packets stand in the middle of nothing else.
  for (const auto& [low_share, high_share] : {std::pair{1u, 2u}, std::pair{0u, 2u}, std::pair{1u, 4u}}) {
    for (size_t f = 0; f < 6; ++f) {
      TestRule rule;
      rule.accept = true;
      rule.low[f] = static_cast<uint32_t>(uint64_t{kMax[f]} * low_share / 4) + (low_share == 0 ? 0 : 3);
      rule.high[f] = static_cast<uint32_t>(uint64_t{kMax[f]} * high_share / 4);
      std::vector<Values> packets;
      for (const uint32_t value : {rule.low[f] - 1, rule.low[f], rule.low[f] + 1, rule.high[f] - 1, rule.high[f],
                                   rule.high[f] + 1, 0u, kMax[f]}) {
        for (const bool others_high : {false, true}) {
          Values packet{};
          for (size_t other = 0; other < kFields; ++other) packet[other] = others_high ? kMax[other] : 0;
          packet[f] = value & kMax[f];
          packets.push_back(packet);
        }
      }
      compare({rule}, false, packets);
    }
  }
}
