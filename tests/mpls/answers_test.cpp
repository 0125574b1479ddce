// What the control processor does with labelled packets that the engines hand over.
#include <catch2/catch.hpp>

#include "../control/answer_support.h"
#include "weft/packet/checksum.h"
#include "weft/packet/decode.h"
#include "weft/packet/layers.h"

using namespace weft;
using namespace weft::control;
using packet::build;
using packet::Bytes;
using test::ListRouter;

namespace {

constexpr packet::Ethernet kLink{packet::Mac{test::kMacA}, packet::Mac{test::kHostA}, {}};

Bytes labelled(std::vector<packet::Mpls> labels, packet::Ipv4 ip) {
  std::vector<packet::Layer> layers{kLink};
  for (const packet::Mpls& l : labels) layers.push_back(l);
  layers.push_back(ip);
  layers.push_back(packet::Udp{1000, 9});
  layers.push_back(packet::Payload{Bytes(18, 1)});
  return build(layers);
}

packet::Ipv4 from_inside(const char* to, uint8_t ttl = 64) {
  packet::Ipv4 ip;
  ip.source = {test::four("10.0.0.2")};
  ip.destination = {test::four(to)};
  ip.ttl = ttl;
  return ip;
}

LabelView pop(mpls::Mode mode, uint8_t labels = 1) {
  mpls::Lsp l;
  l.kind = mpls::Lsp::Kind::pop;
  l.mode = mode;
  l.pops = labels;
  return {l, {}};
}

struct Core {
  ListRouter router = test::router_r();
  AnswerState state{TokenBucket::unlimited(), {}, 1};
  Answer hand(const Bytes& frame, Reason reason) { return answer(router, 0, reason, frame, state, 0); }
};

}  // namespace

TEST_CASE("A label without TTL is answered with time exceeded about the packet after it, whatever its own TTL") {
  Core core;
  for (const char* to : {"198.51.100.7", "8.8.8.8"}) {  // with a route here, and without
    const Bytes frame = labelled({{100, 0, 1}, {200, 0, 7}}, from_inside(to));
    const Answer a = core.hand(frame, Reason::mpls_ttl);
    CHECK(outcome_name(a.outcome) == "time_exceeded");
    REQUIRE(a.frames.size() == 1);
    CHECK(a.frames[0].port == 0);
    const auto out = packet::decode(a.frames[0].bytes);
    CHECK(out.faults.empty());
    CHECK_FALSE(out.find("mpls"));
    const Bytes& f = a.frames[0].bytes;
    CHECK(f[34] == 11);
    CHECK(packet::get32(f, 30) == test::four("10.0.0.2"));
    // The packet is quoted as it came, its TTL unharmed.
    CHECK(Bytes(f.begin() + 42, f.end()) == Bytes(frame.begin() + 22, frame.begin() + 22 + 46));
  }
  // IPv6.
  packet::Ipv6 ip;
  ip.source = test::six("2001:db8:a::2");
  ip.destination = test::six("2001:db8:ffff::1");
  const Answer a =
      core.hand(build({kLink, packet::Mpls{100, 0, 0}, ip, packet::Udp{1000, 9}, packet::Payload{Bytes(18, 1)}}),
                Reason::mpls_ttl);
  REQUIRE(a.frames.size() == 1);
  CHECK(a.frames[0].bytes[54] == 3);
}

TEST_CASE("No error about what must not have one") {
  Core core;
  packet::Ipv4 fragment = from_inside("198.51.100.7");
  fragment.fragment_offset = 1;
  CHECK(core.hand(labelled({{100, 0, 1}}, fragment), Reason::mpls_ttl).outcome == Outcome::error_about_fragment);
  Bytes broken = labelled({{100, 0, 1}}, from_inside("198.51.100.7"));
  broken[28] ^= 1;  // checksum
  CHECK(core.hand(broken, Reason::mpls_ttl).outcome == Outcome::malformed);
}

TEST_CASE("Router alert, multicast and stacks without an end are counted") {
  Core core;
  CHECK(
      core.hand(labelled({{1, 0, 64}, {100, 0, 64}}, from_inside("198.51.100.7")), Reason::mpls_router_alert).outcome ==
      Outcome::router_alert);
  Bytes group = labelled({{100, 0, 64}}, from_inside("198.51.100.7"));
  group[13] = 0x48;
  CHECK(core.hand(group, Reason::mpls_multicast).outcome == Outcome::multicast);
  Bytes endless = labelled({{100, 0, 1}}, from_inside("198.51.100.7"));
  endless.resize(18);
  endless[16] &= 0xfe;
  CHECK(core.hand(endless, Reason::mpls_ttl).outcome == Outcome::label_stack);
}

TEST_CASE("An IP packet that labels led here is answered as the mode of the labels has it") {
  Core core;
  core.router.labels[100] = pop({true, true});
  core.router.labels[101] = pop({false, false});
  core.router.labels[102] = pop({true, true}, 2);
  // Options make the core forward it. Uniform: the smaller TTL less one, DSCP of the TC, ECN its own; pipe: the
  // packet's.
  packet::Ipv4 ip = from_inside("198.51.100.7", 64);
  ip.tos = 0x2a + 1;
  ip.options = {1, 1, 1, 0};
  struct Case {
    std::vector<packet::Mpls> labels;
    unsigned ttl, tos;
  };
  for (const Case& c : std::vector<Case>{{{{100, 5, 30}}, 29, 0xa3},
                                         {{{100, 5, 200}}, 63, 0xa3},
                                         {{{101, 5, 30}}, 63, 0x2b},
                                         {{{102, 1, 30}, {7, 7, 2}}, 29, 0x23},
                                         {{{100, 1, 90}, {100, 7, 20}}, 19, 0x23},
                                         {{{100, 5, 9}, {101, 1, 60}}, 63, 0x2b},  // the label below, not the packet
                                         {{{100, 5, 9}, {101, 1, 60}, {100, 7, 30}}, 29, 0xe3},
                                         {{{101, 1, 9}, {100, 7, 20}}, 19, 0xe3}}) {
    const Answer a = core.hand(labelled(c.labels, ip), Reason::options);
    CHECK(outcome_name(a.outcome) == "forwarded");
    REQUIRE(a.frames.size() == 1);
    const Bytes& f = a.frames[0].bytes;
    CHECK(f[22] == c.ttl);
    CHECK(f[15] == c.tos);
    CHECK(packet::decode(f).faults.empty());
  }
  CHECK(core.hand(labelled({{99, 0, 64}}, ip), Reason::options).outcome == Outcome::label_stack);
  CHECK(core.hand(labelled({{102, 0, 64}}, ip), Reason::options).outcome == Outcome::label_stack);
  // Inner TTL 1 through a uniform path.
  CHECK(core.hand(labelled({{100, 0, 64}}, from_inside("198.51.100.7", 1)), Reason::ttl).outcome ==
        Outcome::time_exceeded);
}

TEST_CASE("What a label sends by a neighbour goes there from here too, whatever the routes say") {
  Core core;
  mpls::Lsp lsp;
  lsp.kind = mpls::Lsp::Kind::pop_forward;
  lsp.mode = {false, false};
  lsp.pops = 1;
  const HopView hop = test::hop_to(core.router, 1, test::kHostB);
  core.router.labels[100] = {lsp, hop};
  packet::Ipv4 ip;
  // No route, a route by the other port, and an own address.
  for (const char* to : {"8.8.8.8", "10.0.0.2", "10.0.0.1"}) {
    INFO(to);
    ip = from_inside(to);
    ip.source = {test::four("192.0.2.2")};
    ip.options = {1, 1, 1, 0};
    const Answer a = core.hand(labelled({{100, 0, 30}}, ip), Reason::options);
    CHECK(outcome_name(a.outcome) == "forwarded");
    REQUIRE(a.frames.size() == 1);
    CHECK(a.frames[0].port == 1);
    CHECK(a.frames[0].bytes[22] == 63);
    CHECK(packet::decode(a.frames[0].bytes).faults.empty());
  }
  // Its TTL and the MTU of that neighbour count.
  CHECK(core.hand(labelled({{100, 0, 30}}, from_inside("8.8.8.8", 1)), Reason::ttl).outcome == Outcome::time_exceeded);
  core.router.labels[100].hop.mtu = 40;
  ip = from_inside("8.8.8.8");
  ip.dont_fragment = true;
  CHECK(core.hand(labelled({{100, 0, 30}}, ip), Reason::mtu).outcome == Outcome::too_big);
  // What is below the label is labelled itself, and cannot be cut.
  CHECK(core.hand(labelled({{100, 0, 30}, {200, 0, 30}}, from_inside("8.8.8.8")), Reason::mtu).outcome ==
        Outcome::label_too_big);
  // A neighbour that is not known is asked for, whichever its family.
  core.router.labels[100].hop = {uint8_t(Reason::unresolved), 1, 0, 1500, {}, {}};
  core.router.labels[100].hop.gateway6 = test::six("2001:db8:b::9");
  ip = from_inside("8.8.8.8");
  ip.options = {1, 1, 1, 0};
  const Answer a = core.hand(labelled({{100, 0, 30}}, ip), Reason::options);
  CHECK(a.outcome == Outcome::asked);
  REQUIRE(a.frames.size() == 1);
  CHECK(packet::get16(a.frames[0].bytes, 12) == 0x86dd);
}

TEST_CASE("A label by a neighbour without a MAC asks for it, a labelled packet beyond the MTU is told of") {
  Core core;
  mpls::Lsp swap;
  swap.out = 33;
  HopView hop{uint8_t(Reason::unresolved), 1, 0, 1500, {}, {}};
  hop.gateway = test::four("192.0.2.9");
  core.router.labels[100] = {swap, hop};
  const Answer a = core.hand(labelled({{100, 0, 64}}, from_inside("198.51.100.7")), Reason::unresolved);
  CHECK(a.outcome == Outcome::asked);
  REQUIRE(a.frames.size() == 1);
  CHECK(packet::get16(a.frames[0].bytes, 12) == 0x0806);
  CHECK(packet::get32(a.frames[0].bytes, 38) == test::four("192.0.2.9"));
  CHECK(core.hand(labelled({{100, 0, 64}}, from_inside("198.51.100.7")), Reason::mtu).outcome ==
        Outcome::label_too_big);
}

TEST_CASE("What the router itself sends gets the labels of its route") {
  Core core;
  for (auto& r : core.router.routes) {
    if (r.length == 32 && r.address == test::four("10.0.0.2")) {
      r.hop.labels = {2, {mpls::word_of({44, 32, 0}), mpls::word_of({46, {}, {}})}};
    }
  }
  const Answer a = core.hand(labelled({{100, 0, 1}}, from_inside("8.8.8.8")), Reason::mpls_ttl);
  REQUIRE(a.frames.size() == 1);
  const Bytes& f = a.frames[0].bytes;
  CHECK(packet::get16(f, 12) == 0x8847);
  CHECK(packet::get32(f, 14) == (44u << 12 | 32));
  CHECK(packet::get32(f, 18) == (46u << 12 | 6u << 9 | 0x100 | 64));  // precedence 6 of errors, TTL 64
  CHECK(packet::decode(f).faults.empty());
}
