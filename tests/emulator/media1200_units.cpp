// The media side of the IXP1200 without programs: flags of the ready bus, receive requests, MACs, transmit elements.
#include "media_support.h"
#include "units_1200_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

constexpr uint32_t kReceiveControl = 0x018, kReceiveRequest = 0x01c, kFastPorts = 0x030, kReadyCount = 0x0c0,
                   kReadyLow = 0x0c4, kTransmitPointer = 0x0e0, kTransmitReadyLow = 0x0e4, kReadyControl = 0x180,
                   kFastWait = 0x1a4;
constexpr Tick kByte = 80, kGigabitByte = 8;  // on the wire, in ticks
constexpr uint32_t kStart = 1u << 12, kEnd = 1u << 13, kBad = 1u << 14, kNothing = 1u << 15;

struct Ix : Bench {
  explicit Ix(const BoardDescription& description = board("nctu-1200")) : Bench(description) {}

  void write(uint32_t csr, uint32_t value, ContextRef from = {}) {
    Command c = make(InsnId::fast_wr, 0);
    c.csr = static_cast<uint16_t>(csr);
    c.data = value;
    c.from = from;
    REQUIRE(issue(c));
  }
  uint32_t read(uint32_t csr, ContextRef from = {}) {
    Command c = make(InsnId::csr_read, 0);
    c.csr = static_cast<uint16_t>(csr);
    c.from = from;
    REQUIRE(issue(c));
    run_until(bus.now + 20 * period());
    return bus.read(0, false, from.engine);
  }
  /// Asks for an mpacket and gives RCV_CNTL; the request takes at most 200 cycles.
  uint32_t receive(unsigned port, unsigned element, unsigned thread = 0) {
    const ContextRef to{static_cast<uint8_t>(thread / 4), static_cast<uint8_t>(thread % 4)};
    bus.signals.clear();
    write(kReceiveRequest, port | element << 8 | thread << 16);
    run_until(bus.now + 200 * period());
    REQUIRE(bus.signals.size() == 1);
    CHECK(bus.signals[0].number == 6);
    CHECK(bus.signals[0].to == to);
    return read(kReceiveControl, to);
  }
  std::vector<uint8_t> element(unsigned number, size_t length) {
    std::vector<uint8_t> out(length);
    for (size_t i = 0; i < length; ++i)
      out[i] = static_cast<uint8_t>(units.host().read_rfifo(static_cast<uint32_t>(64 * number + i / 4 * 4)) >>
                                    (24 - 8 * (i % 4)));
    return out;
  }
  void fill(unsigned number, const std::vector<uint8_t>& bytes) {
    for (size_t i = 0; i < bytes.size(); i += 8) {
      for (unsigned half = 0; half < 2; ++half) {
        uint32_t word = 0;
        for (size_t k = 0; k < 4; ++k) {
          const size_t at = i + 4 * half + k;
          word = word << 8 | (at < bytes.size() ? bytes[at] : 0u);
        }
        bus.set(half, word);
      }
      REQUIRE(issue(make(InsnId::t_fifo_wr, static_cast<uint32_t>(64 * number + i))));
      run_until(bus.now + 40 * period());
    }
  }
  void validate(unsigned number, uint32_t control) {
    bus.set(0, control);
    REQUIRE(issue(make(InsnId::t_fifo_wr, 1024 + 8 * number)));
    run_until(bus.now + 40 * period());
  }
  uint64_t faults() const { return view("fbi").counters.faults; }
};

std::shared_ptr<FrameSource> one(size_t length, Tick earliest = 0) { return frames_of({pattern(length, 1)}, earliest); }

}  // namespace

TEST_CASE("IX bus: the board has eight ports of 100 Mb/s and one of 1 Gb/s") {
  Ix t;
  REQUIRE(t.units.port_count() == 9);
  for (unsigned p = 0; p < 8; ++p) {
    CHECK(t.units.port(p).bits_per_second == 100'000'000);
    CHECK(t.units.port(p).receive_buffer == 240);
  }
  CHECK(t.units.port(8).bits_per_second == 1'000'000'000);
  CHECK(t.units.media_idle());
}

TEST_CASE("X6: a flag is as old as the last step that read its line") {
  Ix t;
  const Tick step = t.on.chip.fbi.ready_step * t.period();
  // Steps: receive 0-7, transmit 0-7, receive 8-15, transmit 8-15.
  CHECK(t.read(kReadyControl) == (1u << 31 | 4));
  t.units.set_source(3, one(200));
  const Tick ready = (8 + 64) * kByte;
  t.run_until(ready - 1);
  CHECK((t.read(kReadyLow) & 8) == 0);
  t.run_until(ready + 5 * step);
  CHECK((t.read(kReadyLow) & 0x1ff) == 8);
  CHECK(t.read(kTransmitReadyLow) == 0x1ff);

  // The line falls when the mpacket is taken; the flag falls up to a loop later, and a request then finds nothing.
  CHECK((t.receive(3, 0) & kNothing) == 0);
  const uint32_t loops = t.read(kReadyCount);
  t.run_until(t.bus.now + 5 * step);
  CHECK((t.read(kReadyLow) & 8) == 0);
  CHECK(t.read(kReadyCount) > loops);

  // Stopped, flags keep what they show.
  t.write(kReadyControl, 4);
  t.run_until(ready + 200 * kByte);
  CHECK((t.read(kReadyLow) & 8) == 0);
  t.write(kReadyControl, 1u << 31 | 4);
  t.run_until(t.bus.now + 5 * step);
  CHECK((t.read(kReadyLow) & 8) == 8);
}

TEST_CASE("X6: flags can be stale") {
  BoardDescription slow = board("nctu-1200");
  slow.chips[0].chip.fbi.ready_step = 500;  // a loop of 2,000 cycles
  Ix t(slow);
  t.units.set_source(0, one(60));
  t.run_until(3 * 2000 * t.period());
  REQUIRE((t.read(kReadyLow) & 1) == 1);
  CHECK((t.receive(0, 0) & (kStart | kEnd | kNothing)) == (kStart | kEnd));
  CHECK((t.read(kReadyLow) & 1) == 1);  // there is nothing any more
  CHECK((t.receive(0, 1) & kNothing) != 0);
  t.run_until(t.bus.now + 2100 * t.period());
  CHECK((t.read(kReadyLow) & 1) == 0);
  CHECK(t.faults() == 0);
}

TEST_CASE("X2: mpackets of a frame, fetched while it arrives, with their status") {
  Ix t;
  const auto frame = pattern(150, 1);
  t.units.set_source(2, frames_of({frame}));
  t.run_until((8 + 64) * kByte);
  const uint32_t first = t.receive(2, 5, 9);
  CHECK(first == (2u | 5u << 8 | kStart | 64u << 16));
  CHECK(t.element(5, 64) == std::vector<uint8_t>(frame.begin(), frame.begin() + 64));
  CHECK(t.receive(2, 6) == (2u | 6u << 8 | kNothing));  // too early
  t.run_until((8 + 128) * kByte);
  CHECK(t.receive(2, 15) == (2u | 15u << 8 | 64u << 16));
  t.run_until((8 + 150 + 4) * kByte - 1);
  CHECK_FALSE(t.units.input_finished());
  t.run_until((8 + 150 + 4) * kByte);
  CHECK(t.units.input_finished());
  CHECK_FALSE(t.units.media_idle());
  CHECK(t.receive(2, 0) == (2u | kEnd | 22u << 16));
  CHECK(t.element(0, 22) == std::vector<uint8_t>(frame.begin() + 128, frame.end()));
  CHECK(t.units.media_idle());
  CHECK(t.units.counters(2).accepted_frames == 1);
  CHECK(t.units.counters(2).delivered_mpackets == 3);
  CHECK(t.faults() == 0);
}

TEST_CASE("X1, X7: time of a request") {
  Ix t;
  t.units.set_source(0, one(100));
  t.run_until((8 + 200) * kByte);
  t.bus.signals.clear();
  const Tick begin = t.bus.now;
  t.write(kReceiveRequest, 0);
  t.run_until(begin + 200 * t.period());
  REQUIRE(t.bus.signals.size() == 1);
  const FbiDescription& fbi = t.on.chip.fbi;
  const Tick due = begin + (fbi.timing.command + fbi.receive_start) * t.period();
  const Tick clock = t.on.media.period;
  const Tick bus_begin = (due + clock - 1) / clock * clock;
  // Eight clocks of data and one of status.
  CHECK(t.bus.signals[0].at == bus_begin + 9 * clock + fbi.receive_done * t.period());
}

TEST_CASE("X7, X8: outstanding requests are bounded, and each thread gets its own status") {
  Ix t;
  const uint32_t max = t.on.chip.fbi.receive_requests;
  for (uint32_t i = 0; i < max; ++i) t.units.set_source(i, frames_of({pattern(60 + i, 1)}));
  t.run_until(100 * kByte);
  t.bus.signals.clear();
  CHECK(t.units.input_state(0));
  for (uint32_t i = 0; i < max; ++i) t.write(kReceiveRequest, i | i << 8 | (4 * i) << 16);
  t.run_until(t.bus.now + (t.on.chip.fbi.timing.command + max) * t.period());
  CHECK_FALSE(t.units.input_state(0));
  t.write(kReceiveRequest, 7);
  t.settle();
  CHECK(t.faults() == 1);  // that one is lost
  CHECK(t.units.input_state(0));
  CHECK(t.bus.signals.size() == max);
  for (uint32_t i = max; i-- > 0;)
    CHECK(t.read(kReceiveControl, {static_cast<uint8_t>(i), 0}) == (i | i << 8 | kStart | kEnd | (60 + i) << 16));
  CHECK(t.read(kReceiveControl) == kNothing);
}

TEST_CASE("X7: a wrong port, element or thread is a fault") {
  Ix t;
  for (const uint32_t request : {9u, 255u, 24u << 16}) t.write(kReceiveRequest, request);
  t.settle();
  CHECK(t.faults() == 3);
  CHECK(t.units.input_state(0));
}

TEST_CASE("X3: a byte without place cuts the frame, what was not fetched is gone, and the next frame is whole") {
  Ix t;
  t.units.set_source(0, frames_of({pattern(400, 1), pattern(236, 2)}));
  const Tick begin = (8 + 240 + 1) * kByte;
  t.run_until(begin - 1);
  t.run_until((8 + 404) * kByte);
  CHECK(t.units.counters(0).lost_overflow == 1);  // never fetched: nothing is left of it
  CHECK((t.receive(0, 0) & kNothing) != 0);
  CHECK(t.units.counters(0).receive_buffer_max == 240);
  t.run_until((8 + 404 + 12 + 8 + 240) * kByte);
  CHECK(t.units.counters(0).accepted_frames == 1);
  for (const uint32_t status : {kStart | 64u << 16, 64u << 16, 64u << 16, kEnd | 44u << 16})
    CHECK(t.receive(0, 0) == status);

  Ix other;
  other.units.set_source(0, frames_of({pattern(400, 1), pattern(60, 2)}));
  other.run_until((8 + 64) * kByte);
  CHECK(other.receive(0, 0) == (kStart | 64u << 16));
  other.run_until((8 + 404 + 12 + 8 + 64) * kByte);
  CHECK(other.receive(0, 1) == (1u << 8 | kEnd | kBad));
  CHECK(other.receive(0, 2) == (2u << 8 | kStart | kEnd | 60u << 16));
  CHECK(other.units.counters(0).lost_overflow == 1);
  CHECK(other.units.counters(0).accepted_frames == 1);
}

TEST_CASE("X4: damaged frames say so at their end, too long ones are not taken") {
  Ix t;
  std::vector<Frame> list{{pattern(100, 1), 0, true}, {pattern(1515, 2), 0, false}};
  t.units.set_source(8, std::make_shared<ListSource>(std::move(list)));
  t.run_until(3000 * kGigabitByte);
  CHECK(t.receive(8, 0) == (8u | kStart | 64u << 16));
  CHECK(t.receive(8, 0) == (8u | kEnd | kBad | 36u << 16));
  CHECK((t.receive(8, 0) & kNothing) != 0);
  CHECK(t.units.counters(8).lost_length == 1);
  CHECK(t.units.counters(8).damaged_frames == 1);
}

TEST_CASE("X9: a request waits for its mpacket, without flags, and gives up after FP_READY_WAIT") {
  Ix t;
  t.write(kFastPorts, 1u << 8);
  t.units.set_source(8, one(60, 50'000));
  t.bus.signals.clear();
  t.write(kReceiveRequest, 8);
  // A slow port is not held up by it.
  t.units.set_source(0, one(60));
  t.run_until(20'000);
  CHECK(t.bus.signals.empty());
  t.write(kReceiveRequest, 1u << 8 | 4u << 16);
  t.run_until(21'000);
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.signals[0].to == ContextRef{1, 0});
  t.run_until(100'000);
  REQUIRE(t.bus.signals.size() == 2);
  const Tick there = 50'000 + (8 + 64) * kGigabitByte;
  CHECK(t.bus.signals[1].at >= there);
  CHECK(t.bus.signals[1].at <= there + 20 * t.on.media.period);
  CHECK(t.read(kReceiveControl) == (8u | kStart | kEnd | 60u << 16));

  t.write(kFastWait, 100);
  t.run_until(t.bus.now + 100 * t.period());
  t.bus.signals.clear();
  const Tick begin = t.bus.now;
  t.write(kReceiveRequest, 8);
  t.settle();
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.signals[0].at - begin >= 100 * t.on.media.period);
  CHECK((t.read(kReceiveControl) & kNothing) != 0);
}

/// Bytes 64 * number up to the next 64, or to the end of the frame.
std::vector<uint8_t> mpacket(std::span<const uint8_t> frame, size_t number) {
  const auto bytes = frame.subspan(64 * number, std::min<size_t>(64, frame.size() - 64 * number));
  return {bytes.begin(), bytes.end()};
}

TEST_CASE("X10: elements in order, each when its control word is written, bad ones skipped") {
  Ix t;
  auto sink = std::make_shared<RecordingSink>();
  t.units.set_sink(4, sink);
  const auto frame = pattern(130, 1);
  for (unsigned e = 0; e < 3; ++e) t.fill(e < 1 ? e : e + 1, mpacket(frame, e));
  t.validate(2, 4u | 64u << 16);
  t.validate(3, 4u | kEnd | 2u << 16);
  t.settle();
  CHECK(t.read(kTransmitPointer) == 0);  // waits for element 0
  CHECK(t.units.media().valid_tbuf_elements == 2);
  t.validate(0, 4u | kStart | 64u << 16);
  t.settle();
  CHECK(t.read(kTransmitPointer) == 1);
  t.validate(1, 4u | kBad | kStart | 64u << 16);
  t.settle();
  CHECK(t.read(kTransmitPointer) == 4);
  REQUIRE(sink->frames().size() == 1);
  CHECK(sink->frames()[0].bytes == frame);
  CHECK(t.units.media_idle());
  CHECK(t.faults() == 0);
  t.validate(4, 77u | kStart | kEnd | 64u << 16);
  t.settle();
  CHECK(t.faults() == 1);  // no such port
  t.validate(6, 0);
  t.validate(6, 0);
  CHECK(t.faults() == 2);  // it was valid already
}

TEST_CASE("X5: a frame starts on the wire when its end has come") {
  Ix t;
  auto sink = std::make_shared<RecordingSink>();
  t.units.set_sink(0, sink);
  const auto frame = pattern(128, 1);
  for (unsigned e = 0; e < 2; ++e) t.fill(e, mpacket(frame, e));
  t.validate(0, kStart | 64u << 16);
  t.run_until(t.bus.now + 1000 * kByte);  // the wire has been idle for long, and the first half is in the MAC
  const Tick begin = t.bus.now;
  t.validate(1, kEnd | 64u << 16);
  t.settle();
  REQUIRE(sink->frames().size() == 1);
  const Tick wire = (8 + 128 + 4) * kByte;
  CHECK(t.units.counters(0).last_transmitted >= begin + wire);
  CHECK(t.units.counters(0).last_transmitted <=
        begin + wire + 100 * t.period());  // the write, and nine clocks of the bus
}

TEST_CASE("X5, X10: a full MAC holds the elements up, and its flag falls") {
  BoardDescription small = board("nctu-1200");
  small.chips[0].ports[1].transmit_buffer = 128;
  Ix t(small);
  auto sink = std::make_shared<RecordingSink>();
  t.units.set_sink(1, sink);
  for (unsigned e = 0; e < 6; ++e) t.validate(e, 1u | kStart | kEnd | 64u << 16);
  t.run_until(t.bus.now + 400 * t.period());
  CHECK((t.read(kTransmitReadyLow) & 2) == 0);
  CHECK(t.units.media().valid_tbuf_elements > 0);
  t.settle();
  CHECK(sink->frames().size() == 6);
  CHECK((t.read(kTransmitReadyLow) & 2) == 2);
  CHECK(t.units.counters(1).lost_transmit_length == 0);
}
