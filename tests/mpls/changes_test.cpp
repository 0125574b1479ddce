// Label switched paths come, change and go by command in the middle of traffic: no packet leaves by a path that was not
// there at some moment between its coming and its leaving, and none is lost where a path took the place of another.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>

#include "../control/route_tables.h"
#include "router.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr unsigned kLabels = 24, kFirst = 100;
constexpr uint64_t kEach = 13'000;  ///< nanoseconds from a command to the next

/// A path is told by the labels that a packet leaves with: its own number is the lowest of them, below those of the
/// packet.
struct Path {
  bool there = false;
  unsigned pushes = 0;
  uint64_t from = 0;  ///< command that made it
};

}  // namespace

TEST_CASE("Label switched paths come, change and go by command in the middle of traffic") {
  const uint64_t seed = seed_or(46);
  INFO("WEFT_SEED=" << seed);
  Random random(seed);
  const size_t count = full_run() ? 100'000 : 12'000;
  MplsModel m = four_ports();
  m.table = 1024;
  m.finish();
  RouterRun run;
  run.example = "mpls-router";
  run.receivers = {0, 1};
  run.config = m.config() + "switch answers off\n";

  // What each command makes of its label; 0 pushes: a swap alone, -1: it goes. The out-label is the number of the
  // command.
  struct Change {
    unsigned label;
    int pushes;
  };
  std::vector<Change> changes;
  std::vector<bool> there(kLabels);
  for (size_t i = 0; i < count; ++i) {
    const auto label = static_cast<unsigned>(random.below(kLabels));
    // Every third label never goes: its paths only take each other's place.
    const bool gone = there[label] && label % 3 != 0 && random.chance(1, 2);
    changes.push_back({label, gone ? -1 : static_cast<int>(random.below(3))});
    there[label] = !gone;
    const unsigned out = static_cast<unsigned>(1'000 + i);
    const char* via = random.chance(1, 2) ? "10.0.1.2" : "10.0.2.2";
    std::string what = fmt::format("del {}", kFirst + label);
    if (!gone) {
      what = fmt::format("add {} swap {}", kFirst + label, out);
      // All labels of a path say its number, so that a mixture of two would be seen.
      for (int p = 0; p < changes.back().pushes; ++p) what += fmt::format("{} {}", p == 0 ? " push" : "", out);
      what += fmt::format(" via {}", via);
    }
    run.commands += fmt::format("at {0}ns: label {1}\nat {0}ns: print {2} {{time}}\n", i * kEach, what, i);
  }

  struct Packet {
    uint64_t came, left = 0;
    unsigned label;
    int64_t by = -1;  ///< command that had made its path
  };
  std::vector<Packet> packets;
  for (uint64_t at = 1'000; at < count * kEach; at += random.between(1'500, 5'000)) {
    const unsigned port = packets.size() % 2 == 0 ? 0 : 3;
    const auto label = static_cast<unsigned>(random.below(kLabels));
    Inner inner;
    inner.number = static_cast<uint32_t>(packets.size());
    run.in[port].push_back({at, labelled_frame(port, {{kFirst + label, 64, 0}}, inner_packet(port, inner)), false});
    packets.push_back({at, 0, label, -1});
  }
  const RouterOutcome outcome = run_router(run);
  CHECK(outcome.findings.empty());
  CHECK(outcome.buffers_after == kBuffers);
  std::vector<uint64_t> made;
  size_t refused = 0;
  for (const std::string& line : outcome.log) {
    uint64_t number = 0, time = 0;
    if (std::sscanf(line.c_str(), "%lu %lu", &number, &time) != 2) {
      ++refused;
      UNSCOPED_INFO(line);
      continue;
    }
    REQUIRE(number == made.size());
    made.push_back(time);
  }
  CHECK(refused == 0);
  REQUIRE(made.size() == count);

  size_t mixed = 0, twice = 0;
  for (const auto& [port, list] : outcome.out) {
    for (size_t i = 0; i < list.size(); ++i) {
      const Bytes& f = list[i];
      size_t at = 14, labels = 0;
      unsigned label = 0;
      bool same = true;
      for (bool bottom = false; !bottom; at += 4, ++labels) {
        const unsigned entry =
            static_cast<unsigned>(f[at]) << 12 | static_cast<unsigned>(f[at + 1]) << 4 | f[at + 2] >> 4;
        bottom = f[at + 2] & 1;
        same = same && (labels == 0 || entry == label) && f[at + 3] == 63;
        label = entry;
      }
      const uint32_t number = static_cast<uint32_t>(f[at + 28]) << 24 | static_cast<uint32_t>(f[at + 29]) << 16 |
                              static_cast<uint32_t>(f[at + 30]) << 8 | f[at + 31];
      REQUIRE(number < packets.size());
      Packet& p = packets[number];
      twice += p.by != -1;
      p.by = static_cast<int64_t>(label) - 1'000;
      p.left = outcome.left_at.at(port)[i];
      mixed += !same || p.by < 0 || p.by >= static_cast<int64_t>(count) ||
               changes[static_cast<size_t>(p.by)].label != p.label ||
               changes[static_cast<size_t>(p.by)].pushes != static_cast<int>(labels) - 1;
    }
  }
  CHECK(mixed == 0);
  CHECK(twice == 0);

  // By command: the one that ended what this one made of the label.
  std::vector<size_t> ended(count, count);
  std::vector<size_t> last(kLabels, count);
  for (size_t i = 0; i < count; ++i) {
    size_t& before = last[changes[i].label];
    if (before != count) ended[before] = i;
    before = i;
  }
  const auto begins = [&](size_t change) { return change == 0 ? 0 : made[change - 1]; };  // at the earliest
  size_t wrong = 0, dropped = 0, lost = 0;
  std::vector<std::vector<size_t>> of_label(kLabels);
  for (size_t i = 0; i < count; ++i) of_label[changes[i].label].push_back(i);
  for (const Packet& p : packets) {
    if (p.by >= 0) {
      const auto by = static_cast<size_t>(p.by);
      const bool good = begins(by) <= p.left && (ended[by] == count || made[ended[by]] >= p.came);
      wrong += !good;
      continue;
    }
    // Nobody was there for some time of its way, which was a short one.
    ++dropped;
    const uint64_t until = p.came + 20'000;
    bool gone = of_label[p.label].empty() || made[of_label[p.label].front()] >= p.came;
    for (const size_t i : of_label[p.label]) {
      if (changes[i].pushes < 0 && begins(i) <= until && (ended[i] == count || made[ended[i]] >= p.came)) gone = true;
    }
    lost += !gone;
  }
  CHECK(wrong == 0);
  CHECK(lost == 0);
  CHECK(dropped == outcome.dropped("mpls_unknown_label"));
  CHECK(dropped > packets.size() / 50);
  fmt::print(
      "mpls-router: {} changes of label switched paths among {} packets: {} switched, {} without a path, {} by a path "
      "that was not there\n",
      count, packets.size(), packets.size() - dropped, dropped, wrong);
}
