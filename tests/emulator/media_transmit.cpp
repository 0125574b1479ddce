// From TBUF to the wire.
#include "media_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

TEST_CASE("T4: frames of every length leave as they were written, short ones padded") {
  Bench t;
  auto sink = std::make_shared<RecordingSink>();
  t.units.set_sink(1, sink);
  unsigned element = 0;
  size_t sent = 0;
  for (size_t length : {1u, 14u, 59u, 60u, 61u, 63u, 64u, 65u, 127u, 128u, 129u, 1000u, 1514u, 1518u, 4000u}) {
    const auto frame = pattern(length, static_cast<uint8_t>(length));
    element = send(t, element, frame, 1);
    t.settle(Tick{48} * 6000);
    auto want = frame;
    if (want.size() < 60) want.resize(60, 0);
    REQUIRE(sink->frames().size() == ++sent);
    CHECK(sink->frames().back().bytes == want);
    CHECK(sink->frames().back().port == 1);
  }
  CHECK(t.units.counters(1).transmitted_frames == sent);
  CHECK(t.units.counters(1).padded_frames == 3);
  CHECK(t.units.media_idle());
}

TEST_CASE("T1: elements go out in order, whatever the order in which they were validated") {
  Bench t;
  auto sink = std::make_shared<RecordingSink>();
  t.units.set_sink(0, sink);
  send(t, 1, pattern(60, 1), 0);
  t.settle();
  CHECK(sink->frames().empty());
  CHECK(t.units.host().read_msf(0x60) == 0);
  CHECK(t.units.media().valid_tbuf_elements == 1);
  send(t, 0, pattern(60, 0), 0);
  t.settle();
  REQUIRE(sink->frames().size() == 2);
  CHECK(sink->frames()[0].bytes == pattern(60, 0));
  CHECK(sink->frames()[1].bytes == pattern(60, 1));
  CHECK(t.units.host().read_msf(0x60) == (1u << 31 | 2));
}

TEST_CASE("T1: only the second control longword validates an element") {
  Bench t;
  auto sink = std::make_shared<RecordingSink>();
  t.units.set_sink(0, sink);
  t.units.host().write_msf(0x1800, 60u << 24 | 3u << 8, 0);
  t.settle();
  CHECK(sink->frames().empty());
  t.bus.set(0, 60u << 24 | 3u << 8);
  t.bus.set(1, 0);
  t.perform(InsnId::msf_write, 0x1800, 2, 0);
  CHECK(sink->frames().size() == 1);
}

TEST_CASE("T3: the sequence counts elements modulo 256") {
  Bench t;
  t.units.set_sink(0, std::make_shared<RecordingSink>());
  unsigned element = 0;
  for (unsigned i = 0; i < 300; ++i) {
    element = send(t, element, pattern(60, 0), 0);
    t.settle(48 * 100);
  }
  CHECK(t.units.host().read_msf(0x60) == (1u << 31 | 300 % 256));
}

TEST_CASE("T2: prepended bytes come before the payload, offsets are kept, skipped elements send nothing") {
  Bench t;
  auto sink = std::make_shared<RecordingSink>();
  t.units.set_sink(0, sink);
  HostPort& host = t.units.host();
  for (uint32_t i = 0; i < 16; ++i) host.write_msf(0x2000 + 4 * i, 0x04030201u + 0x04040404u * i, 0);
  // Bytes of the element: 04 03 02 01 08 07 06 05 0c ... Prepend 3 bytes from 2, payload 4 bytes from 8 + 1.
  host.write_msf(0x1800, 4u << 24 | 2u << 21 | 3u << 16 | 1u << 13 | 3u << 8, 0);
  host.write_msf(0x1804, 0, 0);
  host.write_msf(0x1808, 60u << 24 | 1u << 12 | 3u << 8, 0);
  host.write_msf(0x180c, 0, 0);
  t.settle();
  REQUIRE(sink->frames().size() == 1);
  const std::vector<uint8_t> head(sink->frames()[0].bytes.begin(), sink->frames()[0].bytes.begin() + 8);
  CHECK(head == std::vector<uint8_t>{0x02, 0x01, 0x08, 0x0b, 0x0a, 0x09, 0x10, 0});
  CHECK((host.read_msf(0x60) & 0xff) == 2);
}

TEST_CASE("T4: back-to-back frames leave at line rate, to the tick") {
  for (const size_t length : {60u, 61u, 64u, 500u, 1514u}) {
    Bench t;
    auto sink = std::make_shared<RecordingSink>();
    t.units.set_sink(0, sink);
    unsigned element = 0;
    const unsigned parts = static_cast<unsigned>((length + 63) / 64);
    unsigned sent = 0;
    const auto refill = [&] {
      while (sent < 100 && t.units.media().valid_tbuf_elements + parts <= 100) {
        element = send(t, element, pattern(length, static_cast<uint8_t>(sent)), 0);
        ++sent;
      }
    };
    refill();
    t.after_event = refill;
    t.settle(Tick{48} * (length + 24) * 110);
    t.after_event = nullptr;
    REQUIRE(sink->frames().size() == 100);
    for (size_t i = 1; i < 100; ++i) {
      CHECK(sink->frames()[i].tick - sink->frames()[i - 1].tick == (8 + length + 4 + 12) * 48);
      CHECK(sink->frames()[i].bytes == pattern(length, static_cast<uint8_t>(i)));
    }
    CHECK(t.units.counters(0).transmitted_bytes == 100 * (length + 4));
  }
}

TEST_CASE("T3: a full MAC holds the elements back, and no frame is lost") {
  BoardDescription b = board();
  b.chips[0].ports[0].transmit_buffer = 300;
  Bench t(b);
  auto sink = std::make_shared<RecordingSink>();
  t.units.set_sink(0, sink);
  unsigned element = 0;
  for (unsigned i = 0; i < 50; ++i) element = send(t, element, pattern(128, static_cast<uint8_t>(i)), 0);
  t.run_until(48 * 200);
  CHECK(t.units.media().valid_tbuf_elements > 80);
  t.settle(48 * 200 * 60);
  REQUIRE(sink->frames().size() == 50);
  for (unsigned i = 0; i < 50; ++i) CHECK(sink->frames()[i].bytes == pattern(128, static_cast<uint8_t>(i)));
  CHECK(t.units.counters(0).transmit_buffer_max <= 300);
  // A frame that could never fit is dropped by name and does not block the others.
  element = send(t, element, pattern(500, 1), 0);
  send(t, element, pattern(100, 2), 0);
  t.settle();
  CHECK(sink->frames().size() == 51);
  CHECK(t.units.counters(0).lost_transmit_length == 1);
}

TEST_CASE("T5: mpackets without a start, and frames without an end, are counted and lost") {
  Bench t;
  auto sink = std::make_shared<RecordingSink>();
  t.units.set_sink(0, sink);
  HostPort& host = t.units.host();
  const auto element = [&](unsigned number, uint32_t flags) {
    host.write_msf(0x1800 + 8 * number, 60u << 24 | flags << 8, t.bus.now);
    host.write_msf(0x1804 + 8 * number, 0, t.bus.now);
    t.settle();
  };
  element(0, 1);  // an end without a start
  CHECK(t.units.counters(0).lost_transmit_order == 1);
  element(1, 2);  // a start ...
  element(2, 3);  // ... and another whole frame
  CHECK(t.units.counters(0).lost_transmit_order == 2);
  CHECK(sink->frames().size() == 1);
  CHECK(sink->frames()[0].bytes.size() == 60);
  host.write_msf(0x1818, 60u << 24 | 3u << 8 | 9, t.bus.now);  // channel 9: no such port
  host.write_msf(0x181c, 0, t.bus.now);
  t.settle();
  CHECK(t.view("msf").counters.faults == 1);
  host.write_msf(0x04, 0, t.bus.now);  // all channels off
  element(4, 3);
  CHECK(t.units.counters(0).lost_transmit_disabled == 1);
  CHECK(sink->frames().size() == 1);
}

TEST_CASE("T6: partitions of TBUF have an order and a sequence of their own, and a full MAC holds up one of them") {
  BoardDescription b = board();
  b.chips[0].ports[0].transmit_buffer = 300;
  Bench t(b);
  HostPort& host = t.units.host();
  host.write_msf(0x04, host.read_msf(0x04) | 2, 0);  // three: elements 0-63, 64-111, 112-127
  std::vector<std::shared_ptr<RecordingSink>> sinks;
  for (unsigned port = 0; port < 3; ++port) {
    sinks.push_back(std::make_shared<RecordingSink>());
    t.units.set_sink(port, sinks.back());
  }
  // The first partition has more for port 0 than its MAC takes for a long time.
  unsigned element = 0;
  for (unsigned i = 0; i < 30; ++i) element = send(t, element, pattern(128, static_cast<uint8_t>(i)), 0);
  for (unsigned i = 0; i < 5; ++i) send(t, 64 + i, pattern(60, static_cast<uint8_t>(100 + i)), 1);
  for (unsigned i = 0; i < 3; ++i) send(t, 112 + i, pattern(60, static_cast<uint8_t>(200 + i)), 2);
  t.run_until(48 * 700);
  CHECK(sinks[0]->frames().size() < 10);
  REQUIRE(sinks[1]->frames().size() == 5);
  REQUIRE(sinks[2]->frames().size() == 3);
  CHECK(host.read_msf(0x64) == (1u << 31 | 5));
  CHECK(host.read_msf(0x68) == (1u << 31 | 3));
  CHECK((host.read_msf(0x60) >> 31) == 0);
  t.settle(48 * 100'000);
  REQUIRE(sinks[0]->frames().size() == 30);
  for (unsigned i = 0; i < 30; ++i) CHECK(sinks[0]->frames()[i].bytes == pattern(128, static_cast<uint8_t>(i)));
  for (unsigned i = 0; i < 5; ++i) CHECK(sinks[1]->frames()[i].bytes == pattern(60, static_cast<uint8_t>(100 + i)));
  CHECK(host.read_msf(0x60) == (1u << 31 | 60));
  // After its last element a partition goes on with its first.
  unsigned next = 3;
  for (unsigned i = 0; i < 16; ++i, ++next) {
    send(t, 112 + next % 16, pattern(60, static_cast<uint8_t>(i)), 2);
    t.settle(48 * 100);
  }
  CHECK(sinks[2]->frames().size() == 19);
  CHECK(host.read_msf(0x68) == (1u << 31 | 19));
}

TEST_CASE("T6, R9: control registers that are written while an element is on its way") {
  // All sizes and numbers of partitions, in the middle of mpackets that go in and out.
  for (uint32_t before = 0; before < 12; ++before)
    for (uint32_t after = 0; after < 12; ++after) {
      if (before % 4 == 3 || after % 4 == 3) continue;
      CAPTURE(before, after);
      BoardDescription b = board();
      b.chips[0].media.enabled_at_start = false;
      Bench t(b);
      HostPort& host = t.units.host();
      host.write_msf(0x00, 0xfu << 28 | before, 0);
      host.write_msf(0x04, 0xfu << 28 | before, 0);
      for (unsigned e = 0; e < 8192u / (64u << (before >> 2)); ++e) host.write_msf(0x44, e, 0);
      auto sink = std::make_shared<RecordingSink>();
      t.units.set_sink(0, sink);
      t.units.set_source(1, frames_of(std::vector<std::vector<uint8_t>>(20, pattern(700, 1))));
      for (unsigned e = 0; e < 8192u / (64u << (before >> 2)); ++e) {
        host.write_msf(0x1800 + 8 * e, 60u << 24 | 3u << 8, 0);
        host.write_msf(0x1804 + 8 * e, 0, 0);
      }
      t.run_until(48 * 450);
      host.write_msf(0x00, 0xfu << 28 | after, t.bus.now);
      host.write_msf(0x04, 0xfu << 28 | after, t.bus.now);
      t.settle(48 * 20'000);
      CHECK(sink->frames().size() > 0);
      // It goes on: all elements, filled again, leave.
      const uint32_t elements = 8192u / (64u << (after >> 2));
      const size_t sent = sink->frames().size();
      for (uint32_t e = 0; e < elements; ++e) {
        host.write_msf(0x1800 + 8 * e, 60u << 24 | 3u << 8, t.bus.now);
        host.write_msf(0x1804 + 8 * e, 0, t.bus.now);
      }
      t.settle(48 * 50'000);
      CHECK(sink->frames().size() >= sent + elements);
      CHECK((host.read_msf(0x60) >> 31) == 1);
    }
}
