// From the wire into RBUF and to waiting contexts.
#include "media_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

BoardDescription board_with_mpackets(uint32_t bytes) {
  BoardDescription b = board();
  b.chips[0].media.mpacket_bytes = bytes;
  return b;
}

}  // namespace

TEST_CASE("every frame length is cut into mpackets and put together again") {
  for (const uint32_t size : {64u, 128u, 256u}) {
    Bench t(board_with_mpackets(size));
    CHECK(t.units.media().mpacket_bytes == size);
    Receiver receiver(t);
    std::vector<std::vector<uint8_t>> sent;
    for (size_t length = 60; length <= 1518; ++length) sent.push_back(pattern(length, static_cast<uint8_t>(length)));
    sent.push_back(pattern(9000, 1));
    t.units.set_source(0, frames_of(sent));
    t.settle(Tick{48} * 1'300'000);
    const auto got = receiver.frames();
    REQUIRE(got.count(0) == 1);
    CHECK(got.at(0) == sent);
    size_t index = 0;
    for (const auto& frame : sent) {
      const size_t parts = (frame.size() + size - 1) / size;
      for (size_t part = 0; part < parts; ++part, ++index) {
        const Mpacket& m = receiver.mpackets.at(index);
        CHECK(m.length == (part + 1 < parts ? size : frame.size() - part * size));
        CHECK(m.sop == (part == 0));
        CHECK(m.eop == (part + 1 == parts));
      }
    }
    CHECK(index == receiver.mpackets.size());
    CHECK(t.units.input_finished());
    CHECK(t.units.media_idle());
    CHECK(t.view("msf").counters.faults == 0);
    CHECK(t.units.media().free_elements == 8192 / size);
  }
}

namespace {

/// IEEE 802.3, 3.2.9, as it is written there: the first 32 bits complemented, the frame as a polynomial divided by
/// G(x), the remainder complemented, sent from x^31 on; bytes are sent least significant bit first.
std::vector<uint8_t> check_sequence(const std::vector<uint8_t>& frame) {
  std::vector<bool> bits;
  for (const uint8_t byte : frame)
    for (unsigned bit = 0; bit < 8; ++bit) bits.push_back((byte >> bit & 1) != 0);
  for (unsigned i = 0; i < 32; ++i) bits[i] = !bits[i];
  bits.resize(bits.size() + 32, false);
  constexpr uint64_t kG = 0x104c11db7;
  for (size_t i = 0; i + 32 < bits.size(); ++i) {
    if (!bits[i]) continue;
    for (unsigned k = 0; k <= 32; ++k) bits[i + k] = bits[i + k] != ((kG >> (32 - k) & 1) != 0);
  }
  std::vector<uint8_t> out(4);
  for (unsigned i = 0; i < 32; ++i)
    if (!bits[bits.size() - 32 + i]) out[i / 8] |= static_cast<uint8_t>(1u << i % 8);
  return out;
}

}  // namespace

TEST_CASE("R3: a MAC that hands over the check sequence puts its four bytes after each frame") {
  CHECK(check_sequence({'1', '2', '3', '4', '5', '6', '7', '8', '9'}) ==
        std::vector<uint8_t>{0x26, 0x39, 0xf4, 0xcb});  // the published check value, cbf43926
  BoardDescription b = board();
  for (PortDescription& port : b.chips[0].ports) port.hands_over_fcs = true;
  Bench t(b);
  Receiver receiver(t);
  std::vector<std::vector<uint8_t>> sent;
  for (size_t length = 60; length <= 1518; ++length) sent.push_back(pattern(length, static_cast<uint8_t>(length)));
  t.units.set_source(0, frames_of(sent));
  t.settle(Tick{48} * 1'300'000);
  const auto got = receiver.frames();
  REQUIRE(got.count(0) == 1);
  REQUIRE(got.at(0).size() == sent.size());
  for (size_t i = 0; i < sent.size(); ++i) {
    const std::vector<uint8_t>& frame = got.at(0)[i];
    REQUIRE(frame.size() == sent[i].size() + 4);
    REQUIRE(std::equal(sent[i].begin(), sent[i].end(), frame.begin()));
    if (i > 8 && i % 97 != 0) continue;  // the division takes its time
    CAPTURE(sent[i].size());
    CHECK(std::vector<uint8_t>(frame.end() - 4, frame.end()) == check_sequence(sent[i]));
  }
  // 62 bytes and the four are two mpackets; the second is a part of the check sequence.
  REQUIRE(receiver.mpackets.size() > 5);
  CHECK(receiver.mpackets[4].length == 2);
  CHECK_FALSE(receiver.mpackets[4].sop);
  CHECK(t.units.media_idle());
  // On the wire nothing has changed.
  uint64_t bytes = 0;
  for (const auto& frame : sent) bytes += frame.size() + 4;
  CHECK(t.units.counters(0).received_bytes == bytes);
  CHECK(t.view("msf").counters.faults == 0);
}

TEST_CASE("R3: the check sequence of a damaged frame is wrong, and takes its room in the MAC") {
  BoardDescription b = board();
  for (PortDescription& port : b.chips[0].ports) port.hands_over_fcs = true;
  b.chips[0].ports[1].receive_buffer = 64 * 3;
  Bench t(b);
  Receiver receiver(t);
  const auto frame = pattern(64, 1);
  t.units.set_source(0, std::make_shared<ListSource>(std::vector<Frame>{{frame, 0, true}}));
  t.settle();
  REQUIRE(receiver.mpackets.size() == 2);
  CHECK(receiver.mpackets[1].error);
  CHECK(receiver.mpackets[1].length == 4);
  CHECK(receiver.mpackets[1].bytes != check_sequence(frame));
  // Without an element to go to, three frames of 60 + 4 bytes fill the MAC.
  Bench full([&] {
    BoardDescription closed = b;
    closed.chips[0].media.enabled_at_start = false;
    return closed;
  }());
  full.units.host().write_msf(0x00, 15u << 28, 0);
  full.units.set_source(1, frames_of({pattern(60, 0), pattern(60, 1), pattern(60, 2), pattern(60, 3)}));
  full.settle();
  CHECK(full.units.counters(1).accepted_frames == 3);
  CHECK(full.units.counters(1).lost_overflow == 1);
  CHECK(full.units.counters(1).receive_buffer_max == 192);
}

TEST_CASE("frames in the media interface are counted once, where their first byte is") {
  using Where = HeldFrames::Where;
  const auto held = [](const Bench& t) {
    std::map<std::pair<Where, unsigned>, uint64_t> out;
    for (const HeldFrames& h : t.units.held()) out[{h.where, h.port}] += h.frames;
    return out;
  };
  Bench t;
  CHECK(t.units.held().empty());
  // 128 elements: 40 frames of three mpackets fill 120, two more and their parts the rest; the others stay in the MAC.
  t.units.set_source(0, frames_of(std::vector<std::vector<uint8_t>>(60, pattern(180, 1))));
  t.settle(48 * 220 * 70);
  auto now = held(t);
  CHECK(now.size() == 2);
  CHECK(now[{Where::waiting, 0}] == 43);  // the 43rd has two elements of three
  CHECK(now[{Where::mac, 0}] == 17);
  // A context that takes one and keeps it.
  t.units.host().write_msf(0x30, 4u << 12 | 3u << 7 | 2u << 4, t.bus.now);
  t.settle();
  now = held(t);
  CHECK(now[{Where::waiting, 0}] == 42);
  CHECK(now[{Where::handed, 0}] == 1);
  for (const HeldFrames& h : t.units.held())
    if (h.where == Where::handed) CHECK(h.to == ContextRef{3, 2});
  t.units.host().write_msf(0x44, t.bus.read(16 * 2, false, 3) >> 24 & 0x7f, t.bus.now);
  t.settle(1000);
  now = held(t);
  CHECK_FALSE(now.contains({Where::handed, 0}));
  CHECK(now[{Where::waiting, 0}] == 42);
  CHECK(now[{Where::mac, 0}] == 17);
  // On its way out.
  Bench u;
  send(u, 0, pattern(200, 1), 2);
  CHECK(held(u)[{Where::leaving, 2}] == 1);
  u.run_until(48 * 100);
  CHECK(held(u)[{Where::leaving, 2}] == 1);
  u.settle();
  CHECK(u.units.held().empty());
  CHECK(u.units.counters(2).transmitted_frames == 1);
}

TEST_CASE("R7: the status names channel, damage and a checksum of the bytes") {
  Bench t;
  Receiver receiver(t);
  std::vector<uint8_t> bytes(65, 0);
  bytes[0] = 0x12;
  bytes[1] = 0x34;
  bytes[2] = 0xff;
  bytes[64] = 0x56;
  t.units.set_source(2, std::make_shared<ListSource>(std::vector<Frame>{{bytes, 0, true}}));
  t.settle();
  REQUIRE(receiver.mpackets.size() == 2);
  CHECK(receiver.mpackets[0].channel == 2);
  CHECK_FALSE(receiver.mpackets[0].error);
  CHECK(receiver.mpackets[0].checksum == 0x1135);  // 1234 + ff00 = 1 1134, and the carry
  CHECK(receiver.mpackets[1].error);
  CHECK(receiver.mpackets[1].checksum == 0x5600);
  CHECK(t.units.counters(2).damaged_frames == 1);
}

TEST_CASE("R5: mpackets go to the contexts in the order in which they asked") {
  Bench t;
  HostPort& host = t.units.host();
  for (const unsigned value : {5u << 12 | 3u << 7 | 6u << 4 | 8u, 6u << 12 | 7u << 7 | 1u << 4 | 2u})
    host.write_msf(0x30, value, 0);
  CHECK(t.units.media().waiting_contexts.at(0) == 2);
  t.units.set_source(1, frames_of({pattern(60, 0), pattern(60, 9)}));
  t.settle();
  REQUIRE(t.bus.signals.size() == 2);
  CHECK(t.bus.signals[0].to == ContextRef{3, 6});
  CHECK(t.bus.signals[0].number == 5);
  CHECK(t.bus.signals[1].to == ContextRef{7, 1});
  CHECK(t.bus.signals[1].number == 6);
  CHECK((t.bus.read(16 * 6 + 8, false, 3) & 31) == 1);
  CHECK(t.bus.in.count({3, false, 16 * 6 + 9}) == 1);
  CHECK((t.bus.read(16 * 1 + 2, false, 7) >> 16 & 0xff) == 60);
  CHECK(t.units.media().waiting_contexts.at(0) == 0);
}

TEST_CASE("R4: frames of four ports arrive interleaved, each port in order") {
  Bench t;
  Receiver receiver(t);
  std::map<unsigned, std::vector<std::vector<uint8_t>>> sent;
  for (unsigned port = 0; port < 4; ++port) {
    for (unsigned i = 0; i < 40; ++i) sent[port].push_back(pattern(1514 - 13 * i, static_cast<uint8_t>(port * 50 + i)));
    t.units.set_source(port, frames_of(sent[port]));
  }
  t.settle(Tick{48} * 70'000);
  CHECK(receiver.frames() == sent);
  unsigned changes = 0;
  for (size_t i = 1; i < receiver.mpackets.size(); ++i)
    changes += receiver.mpackets[i].channel != receiver.mpackets[i - 1].channel ? 1 : 0;
  CHECK(changes > receiver.mpackets.size() / 2);
  for (unsigned port = 0; port < 4; ++port) CHECK(t.units.counters(port).lost_overflow == 0);
}

TEST_CASE("R3, R4: a frame is with its context soon after its last bit") {
  Bench t;
  Receiver receiver(t);
  t.units.set_source(0, frames_of({pattern(60, 0)}));
  t.settle();
  REQUIRE(receiver.mpackets.size() == 1);
  const Tick wire = (8 + 60 + 4) * 48;
  CHECK(t.units.counters(0).last_received == wire);
  // Up to one bus clock to begin, 15 data clocks and one of overhead, then the push.
  const Tick earliest = wire + 16 * 45 + t.on.chip.msf.status_push * t.period();
  CHECK(receiver.mpackets[0].at >= earliest);
  CHECK(receiver.mpackets[0].at < earliest + 45);
}

TEST_CASE("R3: when nobody drains, RBUF fills, then the MAC, then frames are lost and counted") {
  BoardDescription b = board();
  b.chips[0].ports[0].receive_buffer = 1000;
  Bench t(b);
  std::vector<std::vector<uint8_t>> sent(200, pattern(60, 3));
  t.units.set_source(0, frames_of(sent));
  t.settle(48 * 84 * 210);
  const PortCounters& counters = t.units.counters(0);
  CHECK(counters.received_frames == 200);
  CHECK(counters.received_bytes == 200 * 64);
  CHECK(counters.delivered_mpackets == 128);
  CHECK(counters.accepted_frames == 128 + 1000 / 60);
  CHECK(counters.lost_overflow == 200 - counters.accepted_frames);
  CHECK(counters.receive_buffer_max == 1000 / 60 * 60);
  CHECK(t.units.media().free_elements == 0);
  CHECK(t.units.media().full_elements == 128);
  CHECK_FALSE(t.units.media_idle());
  // Afterwards everything that was kept comes out.
  Receiver receiver(t);
  t.settle();
  CHECK(receiver.mpackets.size() == counters.accepted_frames);
  CHECK(t.units.media_idle());
}

TEST_CASE("R8: a channel that is switched off loses its frames by name") {
  BoardDescription b = board();
  b.chips[0].media.enabled_at_start = false;
  Bench t(b);
  t.units.set_source(0, frames_of({pattern(60, 0), pattern(60, 1)}));
  CHECK(t.units.media().free_elements == 0);
  t.run_until(48 * 84);
  CHECK(t.units.counters(0).lost_disabled == 1);
  // What a start-up program does: enable channel 0 and give elements.
  t.units.host().write_msf(0x00, 1u << 28, t.bus.now);
  t.units.host().write_msf(0x44, 17, t.bus.now);
  Receiver receiver(t);
  t.settle();
  REQUIRE(receiver.mpackets.size() == 1);
  CHECK(receiver.mpackets[0].element == 17);
  // The same element twice is a fault, and so is one that does not exist.
  t.units.host().write_msf(0x44, 17, t.bus.now);
  t.units.host().write_msf(0x44, 128, t.bus.now);
  CHECK(t.view("msf").counters.faults == 2);
}

TEST_CASE("fast_wr carries address and data in one word") {
  Bench t;
  t.units.set_source(0, frames_of({pattern(60, 0)}));
  const uint32_t entry = 4u << 12 | 2u << 7 | 3u << 4 | 1u;
  t.perform(Bench::make(InsnId::msf_fast_wr, entry << 16 | 0x30));
  t.settle();
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.signals[0].to == ContextRef{2, 3});
  const uint32_t element = t.bus.read(16 * 3 + 1, false, 2) >> 24 & 0x7f;
  const unsigned before = t.units.media().free_elements;
  t.perform(Bench::make(InsnId::msf_fast_wr, element << 16 | 0x44));
  CHECK(t.units.media().free_elements == before + 1);
}

TEST_CASE("U9, D4: rbuf_rd copies an element to DRAM in network order") {
  Bench t;
  Receiver receiver(t);
  receiver.give_back = false;
  const auto frame = pattern(100, 5);
  t.units.set_source(0, frames_of({frame}));
  t.settle();
  REQUIRE(receiver.mpackets.size() == 2);
  const unsigned elements[] = {receiver.mpackets[0].element, receiver.mpackets[1].element};
  for (unsigned part = 0; part < 2; ++part) {
    Command c = Bench::make(InsnId::dram_rbuf_rd, 0x8000 + 64 * part, static_cast<uint8_t>(part == 0 ? 8 : 5));
    c.indirect = true;
    c.indirect_word = 1u << 18 | elements[part] << 11 | 1u << 4;
    t.perform(c);
  }
  std::vector<uint8_t> stored(100);
  t.units.host().read_bytes(MemorySpace::dram, 0x8000, stored);
  CHECK(stored == frame);
}

TEST_CASE("R5, R6: channels can be mapped to other free lists, and a time-out pushes a null status") {
  Bench t;
  HostPort& host = t.units.host();
  host.write_msf(0x40, 1u << 2, 0);             // channel 1 to free list 1
  host.write_msf(0x34, 7u << 12 | 5u << 7, 0);  // engine 5 context 0 waits on list 1
  host.write_msf(0x30, 7u << 12 | 1u << 7, 0);  // engine 1 on list 0
  t.units.set_source(1, frames_of({pattern(60, 0)}));
  t.settle();
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.signals[0].to.engine == 5);
  host.write_msf(0x50, 5000, t.bus.now);
  const Tick begin = t.bus.now;
  t.settle();
  REQUIRE(t.bus.signals.size() == 2);
  CHECK(t.bus.signals[1].to.engine == 1);
  CHECK(t.bus.signals[1].at <= begin + (5000 + t.on.chip.msf.status_push) * t.period());
  CHECK(t.bus.read(0, false, 1) == 1u << 9);
}

TEST_CASE("R8: MPHY-32 on the undivided bus is enabled by one bit, other modes by a bit for each channel") {
  struct Row {
    uint32_t control;
    std::vector<uint64_t> lost;  // of one frame per channel
  };
  for (const Row& row :
       {Row{1u << 28 | 1u << 18, {0, 0, 0, 0}}, Row{1u << 28, {0, 1, 1, 1}}, Row{5u << 28 | 1u << 20, {0, 1, 0, 1}},
        Row{1u << 28 | 1u << 18 | 2u << 20, {0, 1, 1, 1}}, Row{1u << 29 | 1u << 18, {1, 1, 1, 1}}}) {
    BoardDescription b = board();
    b.chips[0].media.enabled_at_start = false;
    Bench t(b);
    t.units.host().write_msf(0x00, row.control, 0);
    t.units.host().write_msf(0x04, row.control, 0);
    for (unsigned channel = 0; channel < 4; ++channel) t.units.set_source(channel, frames_of({pattern(60, 0)}));
    unsigned element = 0;
    for (unsigned channel = 0; channel < 4; ++channel) element = send(t, element, pattern(60, 1), channel);
    t.settle();
    for (unsigned channel = 0; channel < 4; ++channel) {
      CAPTURE(row.control, channel);
      CHECK(t.units.counters(channel).lost_disabled == row.lost[channel]);
      CHECK(t.units.counters(channel).lost_transmit_disabled == row.lost[channel]);
      CHECK(t.units.counters(channel).transmitted_frames == 1 - row.lost[channel]);
    }
  }
}

TEST_CASE("R9: partitions of RBUF have the sizes of the manual, and a full one leaves the others alone") {
  struct Row {
    uint32_t control, size;
    std::vector<std::pair<unsigned, unsigned>> ranges;  // [first, last) of partitions 0, 1, 2
  };
  // Two: the second begins at byte 1800 of 2000 hex. Three: at 1000 and 1c00.
  for (const Row& row :
       {Row{1, 64, {{0, 0x60}, {0x60, 0x80}}}, Row{2, 64, {{0, 0x40}, {0x40, 0x70}, {0x70, 0x80}}},
        Row{1u | 1u << 2, 128, {{0, 0x30}, {0x30, 0x40}}}, Row{2u | 2u << 2, 256, {{0, 16}, {16, 28}, {28, 32}}}}) {
    CAPTURE(row.control);
    BoardDescription b = board();
    b.chips[0].media.mpacket_bytes = row.size;
    for (PortDescription& port : b.chips[0].ports) port.receive_buffer = 1u << 20;
    Bench t(b);
    HostPort& host = t.units.host();
    host.write_msf(0x00, host.read_msf(0x00) | row.control, 0);
    host.write_msf(0x40, 0u | 1u << 2 | 2u << 4 | 1u << 6, 0);  // channels 0-3 to lists 0, 1, 2, 1
    for (unsigned channel = 0; channel < 3; ++channel)
      t.units.set_source(channel,
                         frames_of(std::vector<std::vector<uint8_t>>(200, pattern(60, static_cast<uint8_t>(channel)))));
    t.settle(10'000'000);
    // Nobody takes anything: each partition is full of its own channels, and no more.
    CHECK(t.units.media().free_elements == 0);
    std::map<unsigned, std::pair<unsigned, unsigned>> seen;  // by channel: elements first to last
    std::map<unsigned, unsigned> count;
    for (unsigned list = 0; list < 3; ++list) {
      for (t.bus.signals.clear();; t.bus.signals.clear()) {
        host.write_msf(0x30 + 4 * list, 4u << 12 | (1 + list) << 7, t.bus.now);
        t.settle(10'000);
        if (t.bus.signals.empty()) break;
        const uint32_t status = t.bus.read(0, false, 1 + list);
        const unsigned element = status >> 24 & 0x7f, channel = status & 31;
        const auto [at, fresh] = seen.try_emplace(channel, std::pair{element, element});
        at->second = {std::min(at->second.first, element), std::max(at->second.second, element)};
        ++count[channel];
      }
    }
    for (unsigned channel = 0; channel < 3; ++channel) {
      const auto& range = row.ranges[std::min<size_t>(channel, row.ranges.size() - 1)];
      CAPTURE(channel);
      REQUIRE(seen.contains(channel));
      CHECK(seen[channel].first >= range.first);
      CHECK(seen[channel].second < range.second);
    }
    CHECK(count[0] == row.ranges[0].second - row.ranges[0].first);
  }
}

TEST_CASE(
    "addresses of the MSF that are not modelled count a fault, read and written, registers that set up the bus hold "
    "their values") {
  Bench t;
  t.perform(InsnId::msf_read, 0x1400);  // RX_PORT_CALENDAR_STATUS
  CHECK(t.view("msf").counters.faults == 1);
  CHECK(t.view("msf").last_fault.find("0x1400") != std::string::npos);
  t.bus.set(0, 0x12345678);
  t.perform(InsnId::msf_write, 0x1000, 1, 0);  // TX_CALENDAR_0
  CHECK(t.view("msf").counters.faults == 2);
  t.perform(InsnId::msf_write, 0x14, 1, 0);  // FC_EGRESS_STATUS
  t.perform(InsnId::msf_read, 0x14, 1, 1);
  CHECK(t.bus.read(1) == 0x12345678);
  CHECK(t.view("msf").counters.faults == 2);
}
