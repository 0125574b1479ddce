// The public IXP2400 receive and transmit programs on our units: frames come in and go out as their author saw them do.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "driver.h"
#include "weft/base/random.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::test;
using emulator::Tick;

namespace {

constexpr size_t kShortest = 40, kLongest = 1518;

std::vector<uint8_t> content(size_t length, uint64_t seed) {
  Random random(seed);
  std::vector<uint8_t> out(length);
  for (uint8_t& byte : out) byte = static_cast<uint8_t>(random.below(256));
  return out;
}

emulator::BoardDescription board() {
  auto out = emulator::load_board("enp2611", {WEFT_SOURCE_DIR "/emulator"});
  if (!out) FAIL(render_text(out.error()));
  out->chips.at(0).media.enabled_at_start = false;
  return *out;
}

/// So that a frame leaves as it is, whatever its length.
emulator::BoardDescription board_without_padding() {
  auto out = board();
  for (auto& port : out.chips[0].ports) port.minimum_frame = 0;
  return out;
}

/// A driver with the public programs on a board; null: they are not here.
std::unique_ptr<Driver> public_driver(const emulator::BoardDescription& board) {
  const auto folder = public_folder();
  if (!folder) return nullptr;
  return std::make_unique<Driver>(board, read_public(*folder, "ixp2400_rx.ucode"),
                                  read_public(*folder, "ixp2400_tx.ucode"));
}

using Frames = std::vector<std::vector<uint8_t>>;

/// Frames at `share` of the line rate, from `begin` on.
std::shared_ptr<emulator::FrameSource> source(const Frames& frames, const emulator::PortDescription& port,
                                              uint64_t slow_down, Tick begin = 0) {
  std::vector<emulator::Frame> list;
  Tick at = begin;
  for (const auto& bytes : frames) {
    list.push_back({bytes, at, false});
    at += (bytes.size() + 24) * port.byte_ticks * slow_down;
  }
  return std::make_shared<emulator::ListSource>(std::move(list));
}

Frames of_channel(const std::vector<DriverFrame>& frames, unsigned channel) {
  Frames out;
  for (const DriverFrame& frame : frames)
    if (frame.channel == channel) out.push_back(frame.bytes);
  return out;
}

/// Where two lists of frames differ first, "" when nowhere. (Catch would print all of both.)
std::string difference(const Frames& got, const Frames& expected) {
  for (size_t i = 0; i < std::max(got.size(), expected.size()); ++i) {
    if (i >= got.size() || i >= expected.size())
      return fmt::format("{} frames instead of {}", got.size(), expected.size());
    if (got[i] == expected[i]) continue;
    if (got[i].size() != expected[i].size())
      return fmt::format("frame {} has {} bytes instead of {}", i, got[i].size(), expected[i].size());
    const auto at = std::mismatch(got[i].begin(), got[i].end(), expected[i].begin());
    return fmt::format("frame {} of {} bytes differs at byte {}", i, got[i].size(), at.first - got[i].begin());
  }
  return "";
}

/// Runs until `done` or the limit; a program that stopped fails the case.
template <class Done>
void run(Driver& driver, uint64_t most_cycles, Done done) {
  for (uint64_t cycles = 0; cycles < most_cycles && !done(); cycles += 60'000) {
    const bool on = driver.run(60'000);
    INFO(to_text(driver.stop));
    REQUIRE(on);
  }
}

void check_units(Driver& driver) {
  for (const emulator::UnitView& view : driver.units().inspect()) {
    INFO(view.name << ": " << view.last_fault);
    CHECK(view.counters.faults == 0);
  }
}

}  // namespace

TEST_CASE("oracle: every frame of 40 to 1,518 bytes arrives in a buffer with its length, channel and content") {
  const auto made = public_driver(board());
  if (!made) return;
  Driver& driver = *made;
  std::vector<Frames> sent(driver.ports());
  size_t total = 0;
  for (unsigned channel = 0; channel < driver.ports(); ++channel) {
    // Each channel its own order of the lengths, so that every pair of lengths meets sooner or later.
    for (size_t length = kShortest; length <= kLongest; ++length) {
      const size_t turned = channel == 1 ? kShortest + kLongest - length
                                         : (length * (channel + 1)) % (kLongest - kShortest + 1) + kShortest;
      sent[channel].push_back(content(channel == 0 ? length : turned, length * 8 + channel));
    }
    total += sent[channel].size();
    driver.units().set_source(channel, source(sent[channel], driver.units().port(channel), 2));
  }
  run(driver, 40'000'000, [&] { return driver.received.size() >= total; });
  REQUIRE(driver.received.size() == total);
  for (unsigned channel = 0; channel < driver.ports(); ++channel) {
    CAPTURE(channel);
    CHECK(difference(of_channel(driver.received, channel), sent[channel]) == "");
    CHECK(driver.units().counters(channel).accepted_frames == sent[channel].size());
  }
  CHECK(driver.run(60'000));
  CHECK(driver.received.size() == total);
  CHECK(driver.units().media_idle());
  CHECK(driver.units().media().free_elements == 124);
  check_units(driver);
}

TEST_CASE("oracle: frames of 40 to 1,518 bytes leave unchanged and in order, and every descriptor comes back") {
  const auto made = public_driver(board_without_padding());
  if (!made) return;
  Driver& driver = *made;
  std::vector<std::shared_ptr<emulator::RecordingSink>> sinks;
  for (unsigned channel = 0; channel < driver.ports(); ++channel) {
    sinks.push_back(std::make_shared<emulator::RecordingSink>());
    driver.units().set_sink(channel, sinks.back());
  }
  std::vector<DriverFrame> offered;
  for (size_t length = kShortest; length <= kLongest; ++length)
    for (unsigned channel = 0; channel < driver.ports(); ++channel) {
      const size_t own = channel == 1 ? kShortest + kLongest - length : length;
      offered.push_back({channel, content(own, length * 8 + channel)});
      driver.send(channel, offered.back().bytes);
    }
  run(driver, 40'000'000, [&] { return driver.waiting_to_send() == 0 && driver.units().media_idle(); });
  CHECK((driver.completed == offered));
  for (unsigned channel = 0; channel < driver.ports(); ++channel) {
    CAPTURE(channel);
    Frames left;
    for (const auto& frame : sinks[channel]->frames()) left.push_back(frame.bytes);
    CHECK(difference(left, of_channel(offered, channel)) == "");
    CHECK(driver.units().counters(channel).padded_frames == 0);
  }
  check_units(driver);
}

TEST_CASE("oracle: a MAC pads what is shorter than Ethernet allows, with zeros") {
  const auto made = public_driver(board());
  if (!made) return;
  Driver& driver = *made;
  const auto sink = std::make_shared<emulator::RecordingSink>();
  driver.units().set_sink(0, sink);
  for (size_t length = kShortest; length <= 64; ++length) driver.send(0, content(length, length));
  run(driver, 2'000'000, [&] { return sink->frames().size() == 64 - kShortest + 1; });
  REQUIRE(sink->frames().size() == 64 - kShortest + 1);
  Frames left, expected;
  for (size_t length = kShortest; length <= 64; ++length) {
    expected.push_back(content(length, length));
    expected.back().resize(std::max<size_t>(60, length), 0);
    left.push_back(sink->frames()[length - kShortest].bytes);
  }
  CHECK(difference(left, expected) == "");
}

TEST_CASE("oracle: both programs together, each frame sent on from the channel after its own") {
  const auto made = public_driver(board_without_padding());
  if (!made) return;
  Driver& driver = *made;
  const unsigned ports = driver.ports();
  std::vector<Frames> sent(ports);
  std::vector<std::shared_ptr<emulator::RecordingSink>> sinks;
  Random random(2400);
  for (unsigned channel = 0; channel < ports; ++channel) {
    for (unsigned i = 0; i < 400; ++i)
      sent[channel].push_back(content(kShortest + random.below(kLongest - kShortest + 1), i * 8 + channel));
    driver.units().set_source(channel, source(sent[channel], driver.units().port(channel), 2));
    sinks.push_back(std::make_shared<emulator::RecordingSink>());
    driver.units().set_sink(channel, sinks.back());
  }
  size_t forwarded = 0;
  run(driver, 40'000'000, [&] {
    for (; forwarded < driver.received.size(); ++forwarded)
      driver.send((driver.received[forwarded].channel + 1) % ports, driver.received[forwarded].bytes);
    return forwarded == 400 * ports && driver.waiting_to_send() == 0 && driver.units().media_idle();
  });
  for (unsigned channel = 0; channel < ports; ++channel) {
    Frames left;
    for (const auto& frame : sinks[(channel + 1) % ports]->frames()) left.push_back(frame.bytes);
    CHECK(difference(left, sent[channel]) == "");
  }
  check_units(driver);
}

TEST_CASE("oracle: a driver that collects nothing fills its buffers, no program halts, and all goes on afterwards") {
  const auto made = public_driver(board());
  if (!made) return;
  Driver& driver = *made;
  std::vector<Frames> sent(driver.ports());
  for (unsigned channel = 0; channel < driver.ports(); ++channel) {
    for (unsigned i = 0; i < 100; ++i) sent[channel].push_back(content(60 + (i * 37 + channel) % 900, i * 8 + channel));
    driver.units().set_source(channel, source(sent[channel], driver.units().port(channel), 2));
  }
  driver.collects = false;
  REQUIRE(driver.run(2'000'000));
  CHECK(driver.host().ring(0).count == 0);  // every buffer is given out
  CHECK(driver.host().ring(1).count <= Driver::kDescriptors);
  CHECK(driver.host().ring(1).count >= Driver::kDescriptors - 3);  // a frame per channel may be unfinished
  driver.collects = true;
  run(driver, 20'000'000, [&] {
    return driver.units().input_finished() && driver.units().media_idle() && driver.host().ring(1).count == 0;
  });
  size_t accepted = 0;
  for (unsigned channel = 0; channel < driver.ports(); ++channel) {
    const Frames got = of_channel(driver.received, channel);
    CHECK(got.size() == driver.units().counters(channel).accepted_frames);
    accepted += got.size();
    // What the MAC lost is missing, the rest is in order.
    size_t next = 0;
    for (const auto& frame : got) {
      while (next < sent[channel].size() && sent[channel][next] != frame) ++next;
      CHECK(next < sent[channel].size());
      ++next;
    }
  }
  CHECK(accepted == driver.received.size());
  CHECK(accepted > Driver::kDescriptors);
  check_units(driver);
}

TEST_CASE("oracle: damaged frames give their buffers back unseen") {
  const auto made = public_driver(board());
  if (!made) return;
  Driver& driver = *made;
  std::vector<emulator::Frame> list;
  Frames good;
  for (unsigned i = 0; i < 300; ++i) {
    const bool damaged = i % 3 == 1;
    list.push_back({content(60 + i * 4, i), Tick{i} * 200'000, damaged});
    if (!damaged) good.push_back(list.back().bytes);
  }
  driver.units().set_source(1, std::make_shared<emulator::ListSource>(list));
  run(driver, 20'000'000, [&] { return driver.received.size() == good.size() && driver.units().media_idle(); });
  REQUIRE(driver.run(30'000));
  CHECK(difference(of_channel(driver.received, 1), good) == "");
  CHECK(driver.host().ring(0).count == Driver::kDescriptors);
  check_units(driver);
}
