// Deficit round robin of the IXP1200: shares, order, priority. Taking frames one after the other (rounds.uc) shows long
// sequences quickly; queues fed by microcode and frames on wires (lib/microblocks/scheduler_drr1200/tests/serve) show
// the rest.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "cases.h"
#include "machine.h"
#include "served_frame.h"
#include "shares.h"

using namespace weft;
using emulator::MemorySpace;

namespace {

using namespace weft::test;
const Quanta kDefaults = test::default_quanta();
constexpr uint32_t kRecords = 0x190400, kSlots = 0x191000, kSlotCount = 32;

uint32_t record_address(size_t port, size_t of) { return kRecords + static_cast<uint32_t>(port * 8 + of) * 16; }

/// Lengths of the 32 frames that come round, none for a class without frames. As many as `put` wait in each queue;
/// without it queues never empty.
std::vector<Sent> take(const Quanta& quanta, const std::array<std::vector<uint32_t>, kClasses>& lengths, size_t frames,
                       uint32_t put = 0x40000000) {
  long with_frames = 0;
  for (size_t c = 0; c < kClasses; ++c) with_frames |= lengths[c].empty() ? 0L : 1L << c;
  auto session = test::run_on("nctu-1200", "rounds.uc",
                              {{"FRAMES", static_cast<long>(frames)}, {"CLASSES_WITH_FRAMES", with_frames}},
                              [&](workbench::Session& s) {
                                auto& host = s.units().host();
                                for (uint32_t c = 0; c < kClasses; ++c) {
                                  if (lengths[c].empty()) continue;
                                  host.write(MemorySpace::sram, record_address(0, c), put);
                                  host.write(MemorySpace::sram, record_address(0, c) + 12, quanta[c]);
                                  for (uint32_t i = 0; i < kSlotCount; ++i)
                                    host.write(MemorySpace::sram, kSlots + c * 128 + i * 4,
                                               lengths[c][i % lengths[c].size()] << 20 | c << 8 | i);
                                }
                              });
  std::vector<Sent> out;
  for (uint32_t i = 0; i < frames; ++i) {
    const uint32_t word = session->units().host().read(MemorySpace::sram, 0x40000 + i * 4);
    out.push_back({word >> 8 & 0xfff, word >> 20, word & 0xff});
  }
  return out;
}

uint64_t bytes_of(const std::vector<Sent>& sent, size_t of) {
  uint64_t n = 0;
  for (const Sent& s : sent) n += s.of == of ? s.bytes : 0;
  return n;
}

void check_shares(const std::vector<Sent>& sent, const Quanta& quanta) {
  uint32_t largest = 0;
  for (const Sent& s : sent) largest = std::max(largest, s.bytes);
  std::array<uint32_t, kClasses> next{};
  for (const Sent& s : sent) {
    REQUIRE(s.of < kClasses);
    REQUIRE(s.number == next[s.of]++ % kSlotCount);  // no reordering inside a class
  }
  for (size_t c = 0; c < kClasses; ++c) {
    if (next[c] == 0) continue;
    INFO("class " << c);
    CHECK(worst(sent, quanta, c) <= quanta[c] + 2.0 * largest);
  }
}

std::vector<uint32_t> random_lengths(uint32_t seed, uint32_t low, uint32_t high) {
  std::mt19937 random(seed);
  std::vector<uint32_t> out;
  for (size_t i = 0; i < kSlotCount; ++i) out.push_back(low + random() % (high - low + 1));
  return out;
}

}  // namespace

TEST_CASE("Scheduler: 60 against 1500 bytes, 3000 frames: 2885 and 115") {
  const Quanta quanta{0, 500, 500, 0, 0, 0};
  const auto sent = take(quanta, {{{}, {60}, {1500}, {}, {}, {}}}, 3000);
  check_shares(sent, quanta);
  const auto small = std::count_if(sent.begin(), sent.end(), [](const Sent& s) { return s.of == 1; });
  CHECK(std::abs(small - 2885) <= 1);
  CHECK(std::abs(static_cast<double>(bytes_of(sent, 1)) - static_cast<double>(bytes_of(sent, 2))) <= 1500);
}

TEST_CASE("Scheduler: neighbouring AF classes stand at 2:1 in bytes, frames of all lengths") {
  const auto seed = static_cast<uint32_t>(seed_or(1));
  INFO("WEFT_SEED=" << seed);
  std::array<std::vector<uint32_t>, kClasses> lengths;
  for (uint32_t c = 1; c <= 4; ++c) lengths[c] = random_lengths(seed + c - 1, 60, 1514);
  const auto sent = take(kDefaults, lengths, full_run() ? 100'000 : 3000);
  check_shares(sent, kDefaults);
  for (size_t c = 1; c < 4; ++c) {
    INFO("AF" << c << " to AF" << c + 1);
    CHECK(static_cast<double>(bytes_of(sent, c)) / static_cast<double>(bytes_of(sent, c + 1)) ==
          Approx(2).epsilon(0.02));
  }
}

TEST_CASE("Scheduler: AF classes over ten rounds, long frames against short ones") {
  // The class with the smallest quantum has the longest frames, and the other way round.
  for (const bool long_first : {false, true}) {
    const uint32_t a = long_first ? 1514 : 60, b = long_first ? 60 : 1514;
    const auto sent = take(kDefaults, {{{}, {a}, {(a + b) / 2}, {300}, {b}, {}}}, long_first ? 250 : 350);
    REQUIRE(bytes_of(sent, 1) >= 10 * kDefaults[1]);
    check_shares(sent, kDefaults);
  }
}

TEST_CASE("Scheduler: all six classes, EF included, have their shares when all wait") {
  const auto first = static_cast<uint32_t>(seed_or(1));
  INFO("WEFT_SEED=" << first);
  for (uint32_t seed = first; seed < first + (full_run() ? 100 : 4); ++seed) {
    std::mt19937 random(seed);
    std::array<std::vector<uint32_t>, kClasses> lengths;
    Quanta quanta{};
    for (size_t c = 0; c < kClasses; ++c) {
      quanta[c] = seed == first ? kDefaults[c] : 200 + random() % 3000;
      lengths[c] = random_lengths(seed * 10 + static_cast<uint32_t>(c), 60, random() % 2 ? 1514 : 120);
    }
    INFO("seed " << seed);
    check_shares(take(quanta, lengths, 1500), quanta);
  }
}

TEST_CASE("Scheduler: 32 queued frames of 64 bytes keep each AF class backlogged with the quanta of the router") {
  // The queues are full and nothing comes. No class may be empty when its round ends: the others come in between. And
  // over the time in which all wait, from the first frame to the last one of AF1, each has its share.
  const std::vector<uint32_t> shortest{60};  // without check sequence
  const auto sent = take(kDefaults, {{{}, shortest, shortest, shortest, shortest, {}}}, 100, kSlotCount);
  const auto last = std::find_if(sent.rbegin(), sent.rend(), [](const Sent& s) { return s.of == 1; }).base();
  REQUIRE(std::count_if(sent.begin(), last, [](const Sent& s) { return s.of == 1; }) == kSlotCount);
  for (size_t c = 2; c <= 4; ++c) {
    INFO("AF" << c);
    const auto n = std::count_if(sent.begin(), last, [&](const Sent& s) { return s.of == c; });
    CHECK(n > 0);
    CHECK(n < kSlotCount);
    CHECK(kDefaults[c - 1] == 2 * kDefaults[c]);
  }
  check_shares({sent.begin(), last}, kDefaults);
}

TEST_CASE("Scheduler: a quantum far below the frame does not stall") {
  const Quanta quanta{0, 0, 2, 1, 0, 0};
  const auto sent = take(quanta, {{{}, {}, {1514}, {1514}, {}, {}}}, 9);
  check_shares(sent, quanta);
  CHECK(bytes_of(sent, 2) == 6 * 1514);
  CHECK(bytes_of(sent, 3) == 3 * 1514);
}

// ---- queues that are fed, and frames on wires

namespace {

struct Flow {
  uint32_t port = 0, of = 0, bytes = 60, mask = 0, drop = 0, frames = 0, limit = 32, pause = 0, start = 0;
};
struct Served {
  std::array<std::vector<Sent>, 9> out;
  std::vector<uint32_t> put, lost;  ///< by flow
  size_t wrong = 0;                 ///< frames that are not what was put
  uint64_t ticks_per_second = 0;
  size_t free_buffers = 0;
};

Served serve(const std::vector<Flow>& flows, uint64_t cycles, const Quanta& quanta = kDefaults) {
  auto session = test::run_project("lib/microblocks/scheduler_drr1200/tests/serve", cycles, [&](workbench::Session& s) {
    auto& host = s.units().host();
    for (size_t port = 0; port < 9; ++port)
      for (size_t c = 0; c < kClasses; ++c) host.write(MemorySpace::sram, record_address(port, c) + 12, quanta[c]);
    for (uint32_t i = 0; i < flows.size(); ++i) {
      const Flow& f = flows[i];
      const auto setting = [&](uint32_t longword, uint32_t value) {
        host.write(MemorySpace::scratch, (longword + i) * 4, value);
      };
      setting(100, f.port << 28 | f.of << 24 | f.drop << 23 | f.mask << 12 | f.bytes);
      setting(116, f.frames);
      setting(132, f.limit);
      setting(148, f.pause);
      setting(164, f.start);
    }
  });
  Served out;
  out.ticks_per_second = session->ticks_per_second();
  for (unsigned port = 0; port < 9; ++port) {
    for (const auto& frame : session->sent(port)) {
      const test::ServedFrame f(frame.bytes, port);
      out.wrong += !f.right;
      out.out[port].push_back({f.cls, f.bytes, f.number, frame.at});
    }
  }
  for (uint32_t i = 0; i < flows.size(); ++i) {
    out.put.push_back(session->units().host().read(MemorySpace::scratch, (180 + i) * 4));
    out.lost.push_back(session->units().host().read(MemorySpace::scratch, (196 + i) * 4));
  }
  out.free_buffers = session->units().host().list(0).size();
  return out;
}

}  // namespace

TEST_CASE("Served: four AF classes and best effort on a line of 100 Mb/s, frames of 60 to 315 bytes") {
  std::vector<Flow> flows;
  for (uint32_t c = 1; c < kClasses; ++c) flows.push_back({3, c, 60, 255});
  const auto served = serve(flows, 3'000'000);
  CHECK(served.wrong == 0);
  const auto& out = served.out[3];
  for (size_t c = 1; c < kClasses; ++c) {
    CHECK(check_order(out, c) > 5);
    // From the tenth round on all queues are full; before that they fill.
    std::vector<Sent> full(out.begin() + 40, out.end());
    INFO("class " << c);
    CHECK(worst(full, kDefaults, c) <= kDefaults[c] + 2.0 * 315);
  }
  // The line is never idle: the time between two ends of frames is that of the second one on the wire, 80 ns a byte.
  size_t late = 0;
  for (size_t i = 41; i < out.size(); ++i) {
    const double nanoseconds =
        static_cast<double>(out[i].at - out[i - 1].at) * 1e9 / static_cast<double>(served.ticks_per_second);
    late += nanoseconds > (out[i].bytes + 24) * 80 * 1.02;
  }
  CHECK(late == 0);
}

TEST_CASE("Served: 32 queued frames of 64 bytes keep every AF class backlogged") {
  std::vector<Flow> flows;
  for (uint32_t c = 0; c < kClasses; ++c) flows.push_back({0, c, 60, 0});
  const auto served = serve(flows, 1'500'000);
  std::vector<Sent> sent = served.out[0];
  sent.erase(sent.begin(), sent.begin() + 100);
  for (size_t c = 0; c < kClasses; ++c) {
    INFO("class " << c);
    CHECK(worst(sent, kDefaults, c) <= kDefaults[c] + 2.0 * 60);
  }
}

TEST_CASE("Served: EF of 62,500 frames a second is not lost and hardly waits while AF classes are overloaded") {
  // A frame in some 3,200 cycles; the classes after it have frames of 600 to 1,111 bytes without end, which take
  // 10,000 cycles and more.
  std::vector<Flow> flows{{5, 0, 60, 0, 1, 0, 32, 85, 100}};
  for (uint32_t c = 1; c < kClasses; ++c) flows.push_back({5, c, 600, 511});
  const auto served = serve(flows, 2'000'000);
  CHECK(served.wrong == 0);
  CHECK(served.lost[0] == 0);
  const auto& out = served.out[5];
  const size_t ef = check_order(out, 0);
  CAPTURE(served.put[0]);
  REQUIRE(ef > 550);
  // While one of the others is sent some frames of EF come, so never do two of the others follow each other.
  size_t others = 0, max = 0;
  for (const Sent& f : out) {
    others = f.of == 0 ? 0 : others + 1;
    max = std::max(max, others);
  }
  CHECK(max == 1);
}

TEST_CASE("Served: EF has its quantum in a round, not more, when it is overloaded itself") {
  std::vector<Flow> flows{{5, 0, 60, 127}, {5, 1, 60, 127}};
  const auto served = serve(flows, 2'000'000);
  std::vector<Sent> sent = served.out[5];
  sent.erase(sent.begin(), sent.begin() + 60);
  CHECK(static_cast<double>(bytes_of(sent, 0)) / static_cast<double>(bytes_of(sent, 1)) == Approx(2).epsilon(0.05));
  CHECK(worst(sent, kDefaults, 0) <= kDefaults[0] + 2.0 * 187);
}

TEST_CASE("Served: nine ports at once, and every buffer comes back") {
  std::vector<Flow> flows;
  for (uint32_t port = 0; port < 9; ++port) flows.push_back({port, port % 6, 60, 1023, 0, 60});
  const auto served = serve(flows, 3'000'000);
  CHECK(served.wrong == 0);
  for (uint32_t port = 0; port < 9; ++port) {
    INFO("port " << port);
    CHECK(served.out[port].size() == 60);
    CHECK(check_order(served.out[port], port % 6) == 60);
  }
  CHECK(served.free_buffers == 2048);
}

TEST_CASE("Served: the Gigabit port has classes too") {
  std::vector<Flow> flows;
  for (uint32_t c = 1; c < kClasses; ++c) flows.push_back({8, c, 1000, 511});
  const auto served = serve(flows, 1'500'000);
  CHECK(served.wrong == 0);
  std::vector<Sent> sent = served.out[8];
  REQUIRE(sent.size() > 300);
  sent.erase(sent.begin(), sent.begin() + 100);
  for (size_t c = 1; c < kClasses; ++c) {
    INFO("class " << c);
    check_order(served.out[8], c);
    CHECK(worst(sent, kDefaults, c) <= kDefaults[c] + 2.0 * 1511);
  }
}

TEST_CASE("Served: a full queue loses what comes, and nothing else") {
  // Twice what the line carries, in one class; limits of 32 and of 5.
  for (const uint32_t limit : {32u, 5u}) {
    const auto served = serve({{2, 4, 600, 0, 1, 300, limit, 0, 0}}, 1'500'000);
    CHECK(served.wrong == 0);
    CHECK(served.put[0] + served.lost[0] == 300);
    CHECK(served.lost[0] > 100);
    CHECK(served.out[2].size() == served.put[0]);
    CHECK(check_order(served.out[2], 4) == served.put[0]);
    CHECK(served.free_buffers == 2048);
  }
}
