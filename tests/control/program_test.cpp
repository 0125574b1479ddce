// The control program against a machine made of maps: what it counts, sends and gives back.
#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <set>

#include "answer_support.h"
#include "ipv4.h"
#include "weft/base/random.h"
#include "weft/control/layout.h"
#include "weft/packet/decode.h"
#include "weft/packet/layers.h"

using namespace weft;
using namespace weft::test;
using namespace weft::control;
using packet::build;

namespace {

/// Does what the control processor does, without time.
class FakeMachine {
 public:
  /// A buffer from the free list with a frame in it, on the core ring.
  void hand_over(const Bytes& frame, unsigned port, Reason reason) {
    REQUIRE_FALSE(rings[kFreeRing].empty());
    const uint32_t at = rings[kFreeRing].front() + kFrameStart;
    rings[kFreeRing].pop_front();
    for (size_t i = 0; i < frame.size(); ++i) {
      uint32_t& word = dram[(at + i) & ~3u];
      const unsigned shift = 24 - (at + i) % 4 * 8;
      word = (word & ~(0xffu << shift)) | uint32_t{frame[i]} << shift;
    }
    for (const uint32_t v : {at, port << 16 | static_cast<uint32_t>(frame.size()), uint32_t(reason), 0u})
      rings[kCoreRing].push_back(v);
  }
  /// Runs a task to its end; the cycles that were computed.
  uint64_t interrupt(ControlProgram& program, uint64_t nanoseconds = 0) {
    uint64_t cycles = 0;
    Reaction reaction = program.on({Event::Kind::interrupt, {}, {}, nanoseconds});
    while (true) {
      cycles += reaction.cycles;
      if (reaction.accesses.empty()) return cycles;
      Event event{Event::Kind::results, {}, {}, nanoseconds};
      for (const Access& access : reaction.accesses) perform(access, event.results);
      reaction = program.on(event);
    }
  }
  /// The frames on a transmit ring; their buffers become free.
  std::vector<Bytes> sent(unsigned port) {
    std::vector<Bytes> frames;
    std::deque<uint32_t>& ring = rings[kTransmitRing + port];
    while (!ring.empty()) {
      const uint32_t at = ring[0], bytes = ring[1] & 0xffff;
      ring.erase(ring.begin(), ring.begin() + 2);
      Bytes frame;
      for (uint32_t i = 0; i < bytes; ++i)
        frame.push_back(static_cast<uint8_t>(dram[(at + i) & ~3u] >> (24 - (at + i) % 4 * 8)));
      frames.push_back(std::move(frame));
      rings[kFreeRing].push_back(buffer_of(at, kBufferBytes));
    }
    return frames;
  }
  explicit FakeMachine(uint32_t buffers = 16) {
    for (uint32_t i = 0; i < buffers; ++i) rings[kFreeRing].push_back(kBufferBase + i * kBufferBytes);
  }
  std::map<uint64_t, uint32_t> dram;
  uint64_t table_writes = 0;  ///< longwords of SRAM
  std::map<uint64_t, std::deque<uint32_t>> rings;

 private:
  void perform(const Access& access, std::vector<uint32_t>& results) {
    switch (access.kind) {
      case Access::Kind::read:
        REQUIRE(access.region == image::Region::dram);
        REQUIRE(access.address % 4 == 0);
        for (uint32_t i = 0; i < access.count; ++i) results.push_back(dram[access.address + 4 * i]);
        break;
      case Access::Kind::write:
        if (access.region == image::Region::sram0 || access.region == image::Region::sram1) {
          table_writes += access.values.size();
          break;
        }
        REQUIRE(access.region == image::Region::dram);
        REQUIRE(access.address % kBufferBytes + access.values.size() * 4 <= kBufferBytes);
        for (size_t i = 0; i < access.values.size(); ++i) dram[access.address + 4 * i] = access.values[i];
        break;
      case Access::Kind::ring_count: results.push_back(static_cast<uint32_t>(rings[access.address].size())); break;
      case Access::Kind::ring_get:
        for (uint32_t i = 0; i < access.count; ++i) {
          std::deque<uint32_t>& ring = rings[access.address];
          results.push_back(ring.empty() ? 0 : ring.front());
          if (!ring.empty()) ring.pop_front();
        }
        break;
      case Access::Kind::ring_put: {
        std::deque<uint32_t>& ring = rings[access.address];
        ring.insert(ring.end(), access.values.begin(), access.values.end());
        REQUIRE(ring.size() <= (access.address == kFreeRing ? kFreeRingLongwords : kRingLongwords));
        break;
      }
    }
  }
};

ControlOptions options() {
  ControlOptions o;
  o.cycles_per_interrupt = 500;
  o.cycles_per_packet = 1000;
  return o;
}

/// Router R for IPv4; the station 192.0.2.9 behind 203.0.113.0/24 has told nobody its MAC.
RouterConfig config() {
  RouterConfig c;
  c.interfaces.resize(2);
  c.interfaces[0].port = 0;
  c.interfaces[0].mac = kMacA;
  c.interfaces[0].addresses = {{four("10.0.0.1"), 24}};
  c.interfaces[1].port = 1;
  c.interfaces[1].mac = kMacB;
  c.interfaces[1].mtu = 576;
  c.interfaces[1].addresses = {{four("192.0.2.1"), 24}};
  c.neighbours.push_back({four("10.0.0.2"), kHostA, 0, {}});
  c.neighbours.push_back({four("192.0.2.2"), kHostB, 1, {}});
  c.routes.push_back({{four("198.51.100.0"), 24}, four("192.0.2.2"), false});
  c.routes.push_back({{four("203.0.113.0"), 24}, four("192.0.2.9"), false});
  return c;
}

std::unique_ptr<ControlProgram> program_of(const RouterConfig& c) {
  auto tables = RouterTables::build(c, {1u << 20, 1u << 20});
  REQUIRE(tables);
  return make_ipv4_program(options(), c, TableCommands(std::move(*tables), "", options()));
}

uint64_t count(const ControlProgram& p, const std::string& reason, const std::string& outcome, unsigned port = 0) {
  uint64_t n = 0;
  for (const ControlCount& c : p.counts()) {
    if (c.reason == reason && c.outcome == outcome && c.port == port) n += c.packets;
  }
  return n;
}

const packet::Ethernet kLink{packet::Mac{kMacA}, packet::Mac{kHostA}, {}};

packet::Ipv4 ip_to(const std::string& destination) {
  packet::Ipv4 ip;
  ip.source = {four("10.0.0.2")};
  ip.destination = {four(destination)};
  return ip;
}
Bytes udp_to(const std::string& destination, size_t payload = 20, uint8_t ttl = 64) {
  packet::Ipv4 ip = ip_to(destination);
  ip.ttl = ttl;
  return build({kLink, ip, packet::Udp{1, 2, {}, {}}, packet::Payload{Bytes(payload, 0x33)}});
}

}  // namespace

TEST_CASE("Without answers packets are counted by reason and port, and their buffers come back") {
  FakeMachine machine;
  RouterConfig c = config();
  c.answers = false;
  const auto program = program_of(c);
  machine.hand_over(udp_to("198.51.100.7", 20, 1), 0, Reason::ttl);
  machine.hand_over(udp_to("10.0.0.1"), 1, Reason::arp);
  machine.hand_over(udp_to("10.0.0.1"), 1, Reason::arp);
  CHECK(machine.interrupt(*program) == 500 + 3 * 1000);
  CHECK(count(*program, "ttl", "counted", 0) == 1);
  CHECK(count(*program, "arp", "counted", 1) == 2);
  CHECK(program->packets() == 3);
  CHECK(machine.rings[kFreeRing].size() == 16);
  CHECK(machine.rings[kTransmitRing].empty());
  CHECK(machine.interrupt(*program) == 500);
}

TEST_CASE("A program names the buffers of the fragments that it holds") {
  FakeMachine machine;
  RouterConfig c = config();
  c.guarded = true;
  c.hold_fragments = 1'000'000'000;
  const auto program = program_of(c);
  CHECK(program->kept_buffers().empty());
  packet::Ipv4 ip = ip_to("198.51.100.7");
  ip.fragment_offset = 100;
  machine.hand_over(build({kLink, ip, packet::Payload{Bytes(24, 0x33)}}), 0, Reason::fragment_early);
  machine.hand_over(udp_to("10.0.0.1"), 0, Reason::arp);  // answered at once
  machine.interrupt(*program);
  CHECK(program->kept() == 1);
  CHECK(program->kept_buffers() == std::vector<uint32_t>{kBufferBase});
}

TEST_CASE("A copy of a program in the middle of a task goes its own way") {
  FakeMachine machine;
  const auto program = program_of(config());
  const Reaction first = program->on({Event::Kind::interrupt, {}, {}});
  REQUIRE(first.accesses.size() == 1);
  CHECK(first.accesses[0].kind == Access::Kind::ring_get);
  CHECK(first.accesses[0].count == kCoreMessageLongwords);
  const auto copy = program->clone();
  program->on({Event::Kind::results, {0x100008, 60, uint32_t(Reason::no_route), 0}, {}});
  CHECK(program->packets() == 1);
  CHECK(copy->packets() == 0);
  copy->on({Event::Kind::results, {0x100008, 1 << 16 | 60, uint32_t(Reason::ttl), 0}, {}});
  copy->on({Event::Kind::results, std::vector<uint32_t>(15), {}});
  CHECK(count(*copy, "ttl", "malformed", 1) == 1);
  CHECK(program->counts().empty());
}

TEST_CASE("An answer leaves in the buffer of its packet") {
  FakeMachine machine;
  const auto program = program_of(config());
  const Bytes in = udp_to("198.51.100.7", 101, 1);
  machine.hand_over(in, 0, Reason::ttl);
  CHECK(machine.interrupt(*program) == 500 + 1000);
  CHECK(machine.rings[kTransmitRing] == std::deque<uint32_t>{kBufferBase + kFrameStart, 14 + 28 + 129});
  const auto frames = machine.sent(0);
  REQUIRE(frames.size() == 1);
  CHECK(faults(frames[0], true).empty());
  CHECK(packet::decode(frames[0]).find("icmp")->operator[]("type") == "11");
  CHECK(Bytes(frames[0].begin() + 42, frames[0].end()) == Bytes(in.begin() + 14, in.end()));
  CHECK(count(*program, "ttl", "time_exceeded") == 1);
  CHECK(count(*program, "frame", "sent") == 1);
  CHECK(machine.rings[kFreeRing].size() == 16);
}

TEST_CASE("A header with options is verified by the core") {
  FakeMachine machine;
  const auto program = program_of(config());
  packet::Ipv4 ip = ip_to("198.51.100.7");
  ip.options = {1, 1, 1, 1};
  Bytes frame = build({kLink, ip, packet::Udp{1, 2, {}, {}}});
  machine.hand_over(frame, 0, Reason::options);
  frame[20] ^= 1;
  machine.hand_over(frame, 0, Reason::options);
  machine.interrupt(*program);
  CHECK(machine.sent(1).size() == 1);
  CHECK(count(*program, "options", "forwarded") == 1);
  CHECK(count(*program, "options", "options_checksum") == 1);
  CHECK(machine.rings[kFreeRing].size() == 16);
  for (const ControlCount& c : program->counts()) CHECK(c.dropped == (c.outcome == "options_checksum"));
}

TEST_CASE("Fragments take buffers from the free list, and without one they are lost and counted") {
  const Bytes in = udp_to("198.51.100.7", 1480 - 8);
  for (const uint32_t buffers : {16u, 2u, 1u}) {
    FakeMachine machine(buffers);
    const auto program = program_of(config());
    machine.hand_over(in, 0, Reason::mtu);
    machine.interrupt(*program);
    const auto frames = machine.sent(1);
    const size_t expected = std::min(buffers, 3u);
    CHECK(frames.size() == expected);
    CHECK(count(*program, "mtu", "fragmented") == 1);
    CHECK(count(*program, "frame", "sent", 1) == expected);
    CHECK(count(*program, "frame", "no_buffer", 1) == 3 - expected);
    CHECK(machine.rings[kFreeRing].size() == buffers);
    Bytes payload;
    for (const Bytes& f : frames) payload.insert(payload.end(), f.begin() + 34, f.end());
    CHECK(payload == Bytes(in.begin() + 34, in.begin() + 34 + static_cast<long>(payload.size())));
  }
}

TEST_CASE("A full transmit ring: the frame is lost and counted, its buffer comes back") {
  FakeMachine machine;
  const auto program = program_of(config());
  machine.rings[kTransmitRing].assign(kRingLongwords * 3 / 4, 0);
  machine.hand_over(udp_to("198.51.100.7", 20, 1), 0, Reason::ttl);
  machine.hand_over(udp_to("198.51.100.7", 20), 0, Reason::options);
  machine.interrupt(*program);
  CHECK(machine.rings[kTransmitRing].size() == kRingLongwords * 3 / 4);
  CHECK(count(*program, "ttl", "time_exceeded") == 1);
  CHECK(count(*program, "frame", "transmit_ring_full", 0) == 1);
  CHECK(machine.sent(1).size() == 1);
  CHECK(machine.rings[kFreeRing].size() == 16);
}

TEST_CASE("Errors are limited over the time of the machine") {
  RouterConfig c = config();
  c.icmp_rate = 10;
  c.icmp_burst = 2;
  const auto program = program_of(c);
  FakeMachine machine;
  const auto errors = [&](uint64_t time, unsigned packets) {
    for (unsigned i = 0; i < packets; ++i) machine.hand_over(udp_to("198.51.100.7", 20, 1), 0, Reason::ttl);
    machine.interrupt(*program, time);
    return machine.sent(0).size();
  };
  CHECK(errors(1'000, 5) == 2);
  CHECK(errors(100'001'000, 5) == 1);
  CHECK(count(*program, "ttl", "rate_limited") == 7);
  c.icmp_rate.reset();
  CHECK(program_of(c)->clone() != nullptr);
}

TEST_CASE("A station that answers the router's question gets its packets") {
  FakeMachine machine;
  const auto program = program_of(config());
  machine.hand_over(udp_to("203.0.113.5"), 0, Reason::unresolved);
  machine.interrupt(*program);
  const auto question = machine.sent(1);
  REQUIRE(question.size() == 1);
  CHECK(packet::one_line(packet::decode(question[0])).find("arp who has 192.0.2.9 tell 192.0.2.1") !=
        std::string::npos);
  const packet::Ethernet back{packet::Mac{kMacB}, packet::Mac{kHostB}, {}};
  machine.hand_over(
      build({back, packet::Arp{2, packet::Mac{kHostB}, {four("192.0.2.9")}, packet::Mac{kMacB}, {four("192.0.2.1")}}}),
      1, Reason::arp);
  machine.hand_over(udp_to("203.0.113.5"), 0, Reason::unresolved);
  machine.interrupt(*program);
  const auto through = machine.sent(1);
  REQUIRE(through.size() == 1);
  CHECK(Bytes(through[0].begin(), through[0].begin() + 6) == Bytes(kHostB.begin(), kHostB.end()));
  CHECK(through[0][22] == 63);
  CHECK(count(*program, "unresolved", "asked") == 1);
  CHECK(count(*program, "unresolved", "forwarded") == 1);
  CHECK(count(*program, "arp", "learnt", 1) == 1);
  CHECK(machine.table_writes > 0);
  // A neighbour of the configuration keeps its MAC, whatever a frame says.
  const uint64_t before = machine.table_writes;
  const packet::Mac other{{2, 0, 0, 0, 0, 0x66}};
  machine.hand_over(build({back, packet::Arp{2, other, {four("192.0.2.2")}, packet::Mac{kMacB}, {four("192.0.2.1")}}}),
                    1, Reason::arp);
  machine.interrupt(*program);
  CHECK(machine.table_writes == before);
  // A learnt one may get another.
  machine.hand_over(build({back, packet::Arp{2, other, {four("192.0.2.9")}, packet::Mac{kMacB}, {four("192.0.2.1")}}}),
                    1, Reason::arp);
  machine.interrupt(*program);
  CHECK(machine.table_writes > before);
}

TEST_CASE("Buffers are neither lost nor doubled, whatever the messages say") {
  constexpr uint32_t kBuffers = 24;
  FakeMachine machine(kBuffers);
  const auto program = program_of(config());
  Random random(7);
  for (unsigned round = 0; round < 3000; ++round) {
    while (!machine.rings[kFreeRing].empty() && random.chance(2, 3)) {
      Bytes frame = udp_to(random.chance(1, 2)   ? "198.51.100.7"
                           : random.chance(1, 2) ? "203.0.113.5"
                                                 : "10.0.0.1",
                           random.below(1400), static_cast<uint8_t>(random.below(3)));
      if (random.chance(1, 3)) frame.resize(random.below(frame.size()) + 1);
      if (random.chance(1, 4)) frame[random.below(frame.size())] ^= static_cast<uint8_t>(1u << random.below(8));
      machine.hand_over(frame, static_cast<unsigned>(random.below(4)), static_cast<Reason>(random.below(64)));
    }
    machine.interrupt(*program, round * 1'000'000);
    std::multiset<uint32_t> seen(machine.rings[kFreeRing].begin(), machine.rings[kFreeRing].end());
    for (unsigned p = 0; p < kPorts; ++p) {
      const std::deque<uint32_t>& ring = machine.rings[kTransmitRing + p];
      for (size_t i = 0; i < ring.size(); i += 2) seen.insert(buffer_of(ring[i], kBufferBytes));
      if (random.chance(1, 2)) machine.sent(p);
    }
    REQUIRE(seen.size() == kBuffers);
    REQUIRE(std::set<uint32_t>(seen.begin(), seen.end()).size() == kBuffers);
  }
  CHECK(program->packets() > 3000);
}
