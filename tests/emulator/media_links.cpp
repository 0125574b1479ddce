// Links between the media interfaces of two chips, without microcode: the host writes elements at one end and looks at
// RBUF at the other.
#include "units_support.h"
#include "weft/emulator/board.h"

using namespace weft::emulator;

namespace {

constexpr Tick kClock = 45;  // of the media bus and of the links
constexpr uint32_t kEnabled = 0xf0000000, kElements64 = 0, kElements128 = 1 << 2;

/// The board itj-dual-2400 with one link, from channel `channel` of chip 0 to the same of chip 1.
BoardDescription one_link(uint32_t channel = 4, uint32_t places = 8, uint32_t latency = 8) {
  BoardDescription b = board("itj-dual-2400");
  for (ChipOnBoard& chip : b.chips) {
    chip.ports.clear();
    chip.links.resize(1);
    chip.links[0].channel = channel;
    chip.links[0].buffer_mpackets = places;
    chip.links[0].latency = latency * kClock;
  }
  b.chips[0].links[0].sends = true;
  b.chips[1].links[0].sends = false;
  b.links = {{"link", 0, 0, 1, 0, latency * kClock}};
  return b;
}

class TwoChips {
 public:
  explicit TwoChips(const BoardDescription& description) : board(description) {}

  /// Into elements from `element` on; gives the next one.
  uint32_t send(uint32_t element, const std::vector<uint8_t>& frame, uint32_t channel = 4, uint32_t size = 128) {
    HostPort& host = board.units(0).host();
    for (size_t at = 0; at < frame.size(); at += size) {
      const size_t length = std::min<size_t>(size, frame.size() - at);
      for (size_t i = 0; i < length; i += 4) {
        uint32_t word = 0;
        for (size_t k = 0; k < 4 && i + k < length; ++k) word |= uint32_t{frame[at + i + k]} << (24 - 8 * k);
        host.write_msf(static_cast<uint32_t>(0x2000 + element * size + i), word, board.now());
      }
      const uint32_t flags = (at == 0 ? 1u << 9 : 0) | (at + length == frame.size() ? 1u << 8 : 0);
      host.write_msf(0x1800 + 8 * element, static_cast<uint32_t>(length << 24) | flags | channel, board.now());
      host.write_msf(0x1804 + 8 * element, 0, board.now());
      element = (element + 1) % (8192 / size);
    }
    return element;
  }
  void run(Tick ticks) { board.run_to({board.now() + ticks, 0}); }
  unsigned arrived() { return board.units(1).media().full_elements; }
  std::vector<uint8_t> rbuf(uint32_t first, size_t length) {
    std::vector<uint8_t> out;
    for (size_t i = 0; i < length; ++i) {
      const uint32_t at = static_cast<uint32_t>(0x2000 + first + i);
      out.push_back(static_cast<uint8_t>(board.units(1).host().read_msf(at & ~3u) >> (24 - 8 * (at % 4))));
    }
    return out;
  }

  Board board;
};

std::vector<uint8_t> pattern(size_t length) {
  std::vector<uint8_t> out(length);
  for (size_t i = 0; i < length; ++i) out[i] = static_cast<uint8_t>(3 + 7 * i);
  return out;
}

}  // namespace

TEST_CASE("L1 over the transmit bus, the link and the receive bus") {
  for (const uint32_t latency : {1u, 8u, 100u}) {
    TwoChips t(one_link(4, 8, latency));
    t.send(0, pattern(100));
    // 25 clocks of 4 bytes and one beside, on each bus; everything begins at multiples of the clock here.
    const Tick there = (26 + latency + 26) * kClock;
    t.run(there);
    CHECK(t.arrived() == 0);
    t.run(1);
    CHECK(t.arrived() == 1);
    CHECK(t.rbuf(0, 100) == pattern(100));
    CHECK(t.board.units(0).link_counters(0) == LinkCounters{1, 100, 1, 0, 0, 0});
    CHECK(t.board.units(1).link_counters(0) == LinkCounters{1, 100, 1, 0, 0, 1});
    CHECK(t.board.units(0).media_idle());
  }
}

TEST_CASE("L1 elements may be smaller at the receiver") {
  TwoChips t(one_link());
  t.board.units(1).host().write_msf(0x00, kEnabled | kElements64, 0);
  t.send(0, pattern(300));
  t.run(20'000);
  CHECK(t.arrived() == 5);  // 128 = 64 + 64, twice, and 44
  CHECK(t.rbuf(0, 300) == pattern(300));
  CHECK(t.board.units(1).link_counters(0).mpackets == 3);
}

TEST_CASE("L1 and larger") {
  TwoChips t(one_link());
  t.board.units(0).host().write_msf(0x04, kEnabled | kElements64, 0);
  t.send(0, pattern(150), 4, 64);
  t.run(20'000);
  CHECK(t.arrived() == 3);  // an mpacket stays one
  for (uint32_t element = 0; element < 3; ++element) {
    const size_t length = element < 2 ? 64 : 22;
    const auto whole = pattern(150);
    CHECK(t.rbuf(element * 128, length) ==
          std::vector<uint8_t>(whole.begin() + element * 64,
                               whole.begin() + static_cast<ptrdiff_t>(element * 64 + length)));
  }
}

TEST_CASE("L2 the sender waits for a free place, and hears of it after the latency") {
  // One place: the next mpacket begins to cross when word has come that the first one stands in RBUF.
  TwoChips t(one_link(4, 1));
  t.send(0, pattern(3 * 128));
  const Tick bus = 33 * kClock, round = bus + 8 * kClock + bus + 8 * kClock;
  for (unsigned n = 1; n <= 3; ++n) {
    t.run((n == 1 ? bus + 8 * kClock + bus : round) - (n == 1 ? 0 : 1));
    CHECK(t.arrived() == n - 1);
    t.run(1);
    CHECK(t.arrived() == n);
  }
  const LinkCounters& sent = t.board.units(0).link_counters(0);
  CHECK(sent.waits == 2);
  CHECK(sent.waited == 2 * (round - bus));
}

TEST_CASE("L2 nothing is lost when the receiver has no room, and it goes on when there is some") {
  TwoChips t(one_link(4, 8));
  HostPort& receiver = t.board.units(1).host();
  // All of the 64 elements at the receiver are filled, then the 8 places; 20 elements stay in the transmit buffer.
  uint32_t element = 0;
  for (int i = 0; i < 92; ++i) {
    element = t.send(element, pattern(128));
    t.run(4000);
  }
  CHECK(t.arrived() == 64);
  CHECK(t.board.units(1).media().free_elements == 0);
  CHECK(t.board.units(1).link_counters(0).mpackets == 64);
  CHECK(t.board.units(1).link_counters(0).buffer_max == 8);
  CHECK(t.board.units(0).link_counters(0).mpackets == 72);
  CHECK(t.board.units(0).media().valid_tbuf_elements == 20);
  CHECK_FALSE(t.board.units(0).media_idle());
  for (uint32_t e = 0; e < 5; ++e) receiver.write_msf(0x44, e, t.board.now());
  t.run(50'000);
  CHECK(t.board.units(1).link_counters(0).mpackets == 69);
  CHECK(t.board.units(0).link_counters(0).mpackets == 77);
}

TEST_CASE("L3 a link on a channel that is disabled waits, only four channels have an enable bit") {
  for (const uint32_t channel : {2u, 4u}) {
    TwoChips t(one_link(channel));
    t.board.units(0).host().write_msf(0x04, kElements128, 0);  // none enabled
    t.send(0, pattern(50), channel);
    t.run(20'000);
    CHECK(t.arrived() == (channel == 4 ? 1 : 0));
    t.board.units(0).host().write_msf(0x04, 1u << (28 + 2) | kElements128, t.board.now());
    t.board.units(1).host().write_msf(0x00, kElements128, t.board.now());
    t.run(20'000);
    CHECK(t.arrived() == (channel == 4 ? 1 : 0));
    CHECK(t.board.units(0).link_counters(0).mpackets == 1);  // it waits at the receiver
    t.board.units(1).host().write_msf(0x00, 1u << (28 + 2) | kElements128, t.board.now());
    t.run(20'000);
    CHECK(t.arrived() == 1);
  }
}
