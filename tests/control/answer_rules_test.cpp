// The rules of the answers one by one: when an error is sent and when not, options, fragments, ARP, neighbour
// discovery.
#include <catch2/catch.hpp>

#include "answer_support.h"
#include "weft/packet/decode.h"
#include "weft/packet/layers.h"

using namespace weft;
using namespace weft::test;
using namespace weft::control;
using packet::build;

namespace {

const packet::Ethernet kLink{packet::Mac{kMacA}, packet::Mac{kHostA}, {}};

Answer ask(const ListRouter& router, const Bytes& frame, AnswerState& state, uint64_t time = 0, unsigned port = 0) {
  const bool options = frame.size() > 14 && frame[12] == 8 && frame[14] > 0x45;
  Answer result = answer(router, port, options ? Reason::options : Reason::local, frame, state, time);
  for (const OutgoingFrame& f : result.frames) {
    INFO(to_hex(f.bytes));
    CHECK(faults(f.bytes, false).empty());
  }
  return result;
}
Answer ask(const ListRouter& router, const Bytes& frame) {
  AnswerState state{TokenBucket::unlimited(), {}, 1};
  return ask(router, frame, state);
}
Answer ask(const Bytes& frame) { return ask(router_r(), frame); }

packet::Ipv4 ipv4(const std::string& source = "10.0.0.2", const std::string& destination = "198.51.100.7") {
  packet::Ipv4 ip;
  ip.source = {four(source)};
  ip.destination = {four(destination)};
  return ip;
}
Bytes udp4(packet::Ipv4 ip, size_t payload = 8, packet::Ethernet link = kLink) {
  return build({link, ip, packet::Udp{1000, 9, {}, {}}, packet::Payload{Bytes(payload, 0x55)}});
}
packet::Ipv6 ipv6(const std::string& source = "2001:db8:a::2", const std::string& destination = "2001:db8:c::7") {
  packet::Ipv6 ip;
  ip.source = six(source);
  ip.destination = six(destination);
  return ip;
}
Bytes udp6(const packet::Ipv6& ip, size_t payload = 8) {
  return build({kLink, ip, packet::Udp{1000, 9, {}, {}}, packet::Payload{Bytes(payload, 0x55)}});
}
std::string field(const Bytes& frame, const char* layer, const char* name) {
  const auto decoded = packet::decode(frame);
  const auto* found = decoded.find(layer);
  return found ? std::string((*found)[name]) : "no " + std::string(layer);
}
/// "11/0" of the one frame of an answer.
std::string type_code(const Answer& a, const char* layer = "icmp") {
  if (a.frames.size() != 1) return "frames: " + std::to_string(a.frames.size());
  return field(a.frames[0].bytes, layer, "type") + "/" + field(a.frames[0].bytes, layer, "code");
}
std::string options_of(const Answer& a) {
  return a.frames.size() == 1 ? field(a.frames[0].bytes, "ipv4", "options") : "none";
}
Bytes with_options(const std::string& hex, const std::string& destination = "198.51.100.7") {
  packet::Ipv4 ip = ipv4("10.0.0.2", destination);
  ip.options = from_hex(hex);
  return udp4(ip);
}

}  // namespace

TEST_CASE("Who asks the router for a protocol that it does not have is told: RFC 1812 5.2.7.1, RFC 8200 4") {
  for (const uint8_t protocol : {47, 50, 89, 132}) {
    packet::Ipv4 ip = ipv4("10.0.0.2", "192.0.2.1");
    ip.protocol = protocol;
    const Answer told = ask(build({kLink, ip, packet::Payload{Bytes(8, 0x55)}}));
    CHECK(told.outcome == Outcome::protocol_unreachable);
    CHECK(type_code(told) == "3/2");
    CHECK(field(told.frames.at(0).bytes, "ipv4", "source") == "192.0.2.1");
  }
  for (const uint8_t protocol : {2, 6}) {  // Linux knows both; a router without them is silent, as before
    packet::Ipv4 ip = ipv4("10.0.0.2", "192.0.2.1");
    ip.protocol = protocol;
    CHECK(ask(build({kLink, ip, packet::Payload{Bytes(20, 0x55)}})).outcome == Outcome::local);
  }
  packet::Ipv6 ip = ipv6("2001:db8:a::2", "2001:db8:b::1");
  ip.next_header = 89;
  const Answer told = ask(build({kLink, ip, packet::Payload{Bytes(8, 0x55)}}));
  CHECK(type_code(told, "icmpv6") == "4/1");
  CHECK(packet::get32(told.frames.at(0).bytes, 14 + 40 + 4) == 6);
  // After destination options the octet that names it is theirs.
  ip.next_header = 60;
  const Answer behind = ask(build({kLink, ip,
                                   packet::Payload{from_hex("5900010400000000"
                                                            "0102030405060708")}}));
  CHECK(type_code(behind, "icmpv6") == "4/1");
  CHECK(packet::get32(behind.frames.at(0).bytes, 14 + 40 + 4) == 40);
  ip.next_header = 59;  // nothing follows
  CHECK(ask(build({kLink, ip, packet::Payload{Bytes(8, 0x55)}})).outcome == Outcome::local);
}

TEST_CASE("An echo reply goes on recording: RFC 1812 4.3.3.6") {
  const auto echo = [](const char* options) {
    packet::Ipv4 ip = ipv4("10.0.0.2", "192.0.2.1");
    ip.options = from_hex(options);
    return options_of(ask(build({kLink, ip, packet::Icmp{8, 0, 0x10001, {}}, packet::Payload{Bytes(8)}})));
  };
  // The router stands there as the link knows it by which the reply leaves: 10.0.0.1.
  CHECK(echo("070b040000000000000000"
             "00") == "070b080a0000010000000000");
  CHECK(echo("070b08c6336407"
             "00000000"
             "00") == "070b0cc63364070a00000100");
  CHECK(echo("070704"
             "c6336407"
             "00") == "0707080a00000100");
  CHECK(echo("070708c633640700") == "070708c633640700");                          // full
  CHECK(echo("5e040102070b04000000000000000000") == "070b080a0000010000000000");  // others stay behind
  CHECK(echo("440c0900000000010000000000000000").substr(0, 8) == "440c0d00");
  CHECK(echo("94040000") == "");
}

TEST_CASE("A datagram that no UDP would take is not answered: RFC 1122 4.1.3.4, RFC 8200 8.1") {
  const size_t at4 = 14 + 20, at6 = 14 + 40;
  const Bytes good4 = udp4(ipv4("10.0.0.2", "192.0.2.1")), good6 = udp6(ipv6("2001:db8:a::2", "2001:db8:b::1"));
  CHECK(type_code(ask(good4)) == "3/3");
  CHECK(type_code(ask(good6), "icmpv6") == "1/4");
  const auto with = [](Bytes frame, size_t at, unsigned value) {
    packet::set16(frame, at, value);
    return ask(frame).outcome;
  };
  CHECK(with(good4, at4 + 6, packet::get16(good4, at4 + 6) ^ 1) == Outcome::malformed);
  CHECK(with(good4, at4 + 6, 0) == Outcome::port_unreachable);  // sent without a checksum
  CHECK(with(good6, at6 + 6, packet::get16(good6, at6 + 6) ^ 1) == Outcome::malformed);
  CHECK(with(good6, at6 + 6, 0) == Outcome::malformed);
  for (const unsigned length : {0u, 7u, 17u, 65535u}) {
    CHECK(with(good4, at4 + 4, length) == Outcome::malformed);
    CHECK(with(good6, at6 + 4, length) == Outcome::malformed);
  }
  packet::Ipv4 ip = ipv4("10.0.0.2", "192.0.2.1");
  ip.protocol = 17;
  CHECK(ask(build({kLink, ip, packet::Payload{Bytes(6)}})).outcome == Outcome::malformed);
}

TEST_CASE("ICMPv6 answers: the address that was asked is their source, the traffic class is that of the request") {
  // RFC 4443 2.2 a, also where the packet came by another link and its options are what is wrong.
  packet::Ipv6 ip = ipv6("2001:db8:a::2", "2001:db8:b::1");
  ip.next_header = 0;
  const Answer wrong = ask(build({kLink, ip, packet::Payload{from_hex("3b009e0400000000")}}));
  CHECK(type_code(wrong, "icmpv6") == "4/2");
  CHECK(field(wrong.frames.at(0).bytes, "ipv6", "source") == "2001:db8:b::1");

  packet::Ipv6 question = ipv6("2001:db8:a::2", "2001:db8:a::1");
  question.traffic_class = 0xb8;
  const Answer echo = ask(build({kLink, question, packet::Icmp{128, 0, 0x10001, {}}, packet::Payload{Bytes(8)}}));
  CHECK(type_code(echo, "icmpv6") == "129/0");
  CHECK(packet::get32(echo.frames.at(0).bytes, 14) == 0x6b800000);
}

TEST_CASE("A fragment that is all of its packet is none (RFC 6946), but neighbour discovery takes none (RFC 6980)") {
  const auto in_fragment = [](const Bytes& frame, uint16_t where) {
    Bytes out(frame.begin(), frame.begin() + 54);
    packet::set16(out, 14 + 4, packet::get16(out, 14 + 4) + 8u);
    packet::put8(out, out[14 + 6]);
    out[14 + 6] = 44;
    packet::put8(out, 0);
    packet::put16(out, where);
    packet::put32(out, 7);
    out.insert(out.end(), frame.begin() + 54, frame.end());
    return out;
  };
  const Bytes datagram = udp6(ipv6("2001:db8:a::2", "2001:db8:b::1"));
  CHECK(type_code(ask(in_fragment(datagram, 0)), "icmpv6") == "1/4");
  CHECK(ask(in_fragment(datagram, 1)).outcome == Outcome::local);
  CHECK(ask(in_fragment(datagram, 8)).outcome == Outcome::local);
  packet::Ipv6 ip = ipv6("2001:db8:a::2", "2001:db8:a::1");
  ip.hop_limit = 255;
  Bytes body = from_hex(
      "00000000"
      "20010db8000a0000"
      "0000000000000001"
      "010102000000000a");
  const Bytes solicitation =
      build({kLink, ip, packet::Icmp{135, 0, 0, {}}, packet::Payload{Bytes(body.begin() + 4, body.end())}});
  CHECK(ask(solicitation).outcome == Outcome::neighbour_advertisement);
  CHECK(ask(in_fragment(solicitation, 0)).outcome == Outcome::neighbour_discovery);
}

TEST_CASE("No ICMP error about what RFC 1812 4.3.2.7 lists") {
  packet::Ipv4 dying = ipv4();
  dying.ttl = 1;
  CHECK(type_code(ask(udp4(dying))) == "11/0");
  for (const uint8_t type : {3, 4, 5, 11, 12}) {
    CHECK(ask(build({kLink, dying, packet::Icmp{type, 0, 0, {}}, packet::Payload{Bytes(28)}})).outcome ==
          Outcome::error_about_error);
  }
  for (const uint8_t type : {0, 8, 13, 17})
    CHECK(type_code(ask(build({kLink, dying, packet::Icmp{type, 0, 0, {}}}))) == "11/0");
  packet::Ipv4 bare = dying;
  bare.protocol = 1;  // an ICMP message of no octets: nobody knows what it is
  CHECK(ask(build({kLink, bare})).outcome == Outcome::error_about_error);
  packet::Ipv4 piece = dying;
  piece.fragment_offset = 3;
  CHECK(ask(udp4(piece)).outcome == Outcome::error_about_fragment);
  piece.fragment_offset = 0, piece.more_fragments = true;
  CHECK(type_code(ask(udp4(piece))) == "11/0");

  ListRouter router = router_r();
  router.filter = false;
  for (const char* source : {"0.0.0.7", "240.0.0.1", "10.0.0.255", "192.0.2.0"}) {
    packet::Ipv4 ip = dying;
    ip.source = {four(source)};
    INFO(source);
    CHECK(ask(router, udp4(ip)).outcome == Outcome::error_about_source);
  }
  for (const char* source : {"0.0.0.0", "127.0.0.1", "224.0.0.5", "255.255.255.255", "10.0.0.1", "192.0.2.1"}) {
    packet::Ipv4 ip = dying;
    ip.source = {four(source)};
    INFO(source);
    CHECK(ask(router, udp4(ip)).outcome == Outcome::source_martian);
  }
  packet::Ethernet all = kLink;
  all.destination.octets = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  CHECK(ask(udp4(dying, 8, all)).outcome == Outcome::link_broadcast);
  dying.source = {four("203.0.113.1")};  // no route to it
  CHECK(ask(udp4(dying)).outcome == Outcome::no_way_back);
}

TEST_CASE("An ICMP error: precedence, TTL, source, length, and the packet as it came") {
  packet::Ipv4 ip = ipv4();
  ip.ttl = 0;
  ip.tos = 0x1e;
  const Bytes in = udp4(ip, 1000);
  const Answer a = ask(in);
  REQUIRE(a.frames.size() == 1);
  const Bytes& out = a.frames[0].bytes;
  CHECK(out.size() == 14 + 576);
  CHECK(field(out, "ipv4", "tos") == "0xde");  // precedence 6, and the packet's own type of service (RFC 1812 4.3.2.5)
  CHECK(field(out, "ipv4", "ttl") == "64");
  CHECK(field(out, "ipv4", "source") == "10.0.0.1");
  CHECK(std::equal(out.begin() + 42, out.end(), in.begin() + 14));
  CHECK(packet::decode(out).faults.empty());
  // From a station whose MAC nobody has told: the answer goes where the packet came from.
  ip.source = {four("10.0.0.77")};
  const Answer unknown = ask(udp4(ip));
  REQUIRE(unknown.frames.size() == 1);
  CHECK(field(unknown.frames[0].bytes, "ethernet", "destination") == "02:00:00:00:00:0a");
}

TEST_CASE("An ICMP error: its source is an address of the link by which it leaves, its TOS that of the packet") {
  // RFC 1812 4.3.2.4: by A comes what is answered by B.
  packet::Ipv4 ip = ipv4("198.51.100.9", "10.0.0.3");
  ip.ttl = 1;
  const Answer far = ask(udp4(ip));
  REQUIRE(far.frames.size() == 1);
  CHECK(far.frames[0].port == 1);
  CHECK(field(far.frames[0].bytes, "ipv4", "source") == "192.0.2.1");
  CHECK(field(far.frames[0].bytes, "ipv4", "destination") == "198.51.100.9");
  // RFC 1812 4.3.2.5: precedence 6, and the type of service (RFC 1349) of the packet.
  for (const auto& [tos, expected] : {std::pair{0x00, "0xc0"}, {0x10, "0xd0"}, {0xb8, "0xd8"}, {0xff, "0xde"}}) {
    packet::Ipv4 marked = ipv4();
    marked.ttl = 1;
    marked.tos = static_cast<uint8_t>(tos);
    CHECK(field(ask(udp4(marked)).frames.at(0).bytes, "ipv4", "tos") == expected);
  }
}

TEST_CASE("A destination of class E is answered like others where the martian filter lets it pass") {
  ListRouter router = router_r();
  const Bytes frame = udp4(ipv4("10.0.0.2", "240.0.0.1"));
  CHECK(ask(router, frame).outcome == Outcome::destination_martian);
  router.filter = false;
  CHECK(type_code(ask(router, frame)) == "3/0");
}

TEST_CASE("Errors are limited in rate") {
  TokenBucket bucket(10, 3);
  unsigned passed = 0;
  for (int i = 0; i < 100; ++i) passed += bucket.take(0);
  CHECK(passed == 3);
  CHECK_FALSE(bucket.take(99'999'999));
  CHECK(bucket.take(100'000'000));
  CHECK_FALSE(bucket.take(100'000'001));
  passed = 0;
  for (int i = 0; i < 100; ++i) passed += bucket.take(~uint64_t{0});  // a long pause fills it, and no further
  CHECK(passed == 3);
  CHECK_FALSE(bucket.take(0));
  TokenBucket slow(10, 1);  // one each 3 ms for a second: ten a second pass, whatever the fractions are
  passed = 0;
  for (uint64_t t = 0; t <= 1'000'000'000; t += 3'000'000) passed += slow.take(t);
  CHECK(passed == 10);
  TokenBucket none(0, 0);
  CHECK_FALSE(none.take(1'000'000'000'000));

  AnswerState state{TokenBucket(1, 1), {}, 1};
  packet::Ipv4 ip = ipv4();
  ip.ttl = 1;
  CHECK(ask(router_r(), udp4(ip), state).outcome == Outcome::time_exceeded);
  CHECK(ask(router_r(), udp4(ip), state).outcome == Outcome::rate_limited);
  packet::Ipv6 six_ip = ipv6();
  six_ip.hop_limit = 1;
  CHECK(ask(router_r(), udp6(six_ip), state).outcome == Outcome::rate_limited);
  CHECK(ask(router_r(), udp6(six_ip), state, 1'000'000'000).outcome == Outcome::time_exceeded);
}

TEST_CASE("IPv4 options: what a router writes") {
  // Record route: the egress address at the pointer; a full one passes.
  CHECK(options_of(ask(with_options("07070400000000"))) == "070708c000020100");
  CHECK(options_of(ask(with_options("070708c6336407"))) == "070708c633640700");
  CHECK(options_of(ask(with_options("01"
                                    "070b08"
                                    "0102030400000000"))) ==
        "01"
        "070b0c"
        "01020304c0000201");
}

TEST_CASE("IPv4 options: time stamps") {
  AnswerState state{TokenBucket::unlimited(), {}, 1};
  const auto run = [&](const std::string& hex) {
    return options_of(ask(router_r(), with_options(hex), state, 3'723'004'999'999));
  };
  // 01:02:03.004 is 3,723,004 ms = 38cefc hexadecimal.
  CHECK(run("440c0500"
            "0000000000000000") ==
        "440c0900"
        "0038cefc"
        "00000000");
  CHECK(run("440c0501"
            "0000000000000000") ==
        "440c0d01"
        "c0000201"
        "0038cefc");
  CHECK(run("440c0503"
            "c000020100000000") ==
        "440c0d03"
        "c0000201"
        "0038cefc");
  CHECK(run("440c0503"
            "0a00000100000000") ==
        "440c0d03"
        "0a000001"
        "0038cefc");  // any of the router's addresses
  CHECK(run("440c0503"
            "c633640900000000") ==
        "440c0503"
        "c6336409"
        "00000000");  // another station's turn
  CHECK(run("44080920"
            "00000001") ==
        "44080930"
        "00000001");  // full: one more has found no room
  CHECK(ask(router_r(),
            with_options("44080500"
                         "00000000"),
            state, 86'400'000'000'000 + 5'000'000)
            .frames.at(0)
            .bytes.at(41) == 5);
}

TEST_CASE("IPv4 options that are wrong: 12/0 with the octet") {
  const auto pointer = [](const std::string& hex) -> int {
    const Answer a = ask(with_options(hex));
    if (a.outcome != Outcome::parameter_problem || type_code(a) != "12/0") return -1;
    return a.frames[0].bytes.at(38);
  };
  CHECK(pointer("07270400") == 20);                      // longer than the header
  CHECK(pointer("01070000") == 21);                      // length 0
  CHECK(pointer("01010107") == 23);                      // no length at all
  CHECK(pointer("9f010000") == 20);                      // an unknown one, too short
  CHECK(pointer("07020000") == 21);                      // no pointer
  CHECK(pointer("0707030000000000") == 22);              // points into itself
  CHECK(pointer("0707050000000000") == 22);              // room for half an address
  CHECK(pointer("0707040000000007070400000000") == 27);  // twice
  CHECK(pointer("44030500") == 21);
  CHECK(pointer("4408040000000000") == 22);
  CHECK(pointer("4408060000000000") == 22);
  CHECK(pointer("4408050100000000") == 22);  // no room for address and time
  CHECK(pointer("4408050200000000") == 23);  // flags that do not exist
  CHECK(pointer("440809f000000000") == 23);  // overflow overflows
  CHECK(pointer("8907030a000001") == 22);
  // Right ones that ask for nothing.
  for (const char* hex : {"01010101", "94040000", "9f040000", "00ffffff", "820b00000000000000000001"}) {
    INFO(hex);
    const Answer a = ask(with_options(hex));
    CHECK(a.outcome == Outcome::forwarded);
    CHECK(options_of(a) == hex);
  }
  CHECK(ask(with_options("8307040a000001")).outcome == Outcome::source_route);
  CHECK(ask(with_options("8907080a000001")).outcome == Outcome::source_route);
  Bytes broken = with_options("01010101");
  broken[24] ^= 1;
  CHECK(ask(broken).outcome == Outcome::options_checksum);
  CHECK(type_code(ask(with_options("07270400", "192.0.2.1"))) == "12/0");  // also for the router itself
}

TEST_CASE("IPv4 fragments lie on the grid and carry the options that are to be copied") {
  packet::Ipv4 ip = ipv4();
  ip.identification = 0x1234;
  ip.options = from_hex(
      "07070400000000"
      "9f040102"
      "01");  // record route is not copied, 9f is
  const Bytes in = udp4(ip, 1000 - 8);
  const Answer a = ask(router_r(300), in);
  CHECK(a.outcome == Outcome::fragmented);
  REQUIRE(a.frames.size() == 4);
  Bytes payload;
  for (size_t i = 0; i < a.frames.size(); ++i) {
    const Bytes& f = a.frames[i].bytes;
    CHECK(f.size() <= 14 + 300);
    const size_t header = (f[14] & 15u) * 4;
    CHECK(header == (i == 0 ? 32 : 24));
    CHECK(field(f, "ipv4", "options") == (i == 0 ? "070708c00002019f04010201" : "9f040102"));
    CHECK(field(f, "ipv4", "identification") == "0x1234");
    CHECK(field(f, "ipv4", "fragment_offset") == std::to_string(payload.size() / 8));
    CHECK(field(f, "ipv4", "more_fragments") == (i + 1 < a.frames.size() ? "1" : "0"));
    CHECK(field(f, "ipv4", "ttl") == "63");
    CHECK((payload.size() % 8) == 0);
    payload.insert(payload.end(), f.begin() + 14 + static_cast<long>(header), f.end());
  }
  CHECK(payload == Bytes(in.begin() + 14 + 32, in.end()));
  ip.dont_fragment = true;
  const Answer refused = ask(router_r(300), udp4(ip, 992));
  CHECK(type_code(refused) == "3/4");
  CHECK(refused.frames.at(0).bytes.at(40) * 256 + refused.frames.at(0).bytes.at(41) == 300);
  ip.dont_fragment = false, ip.fragment_offset = 8190;
  CHECK(ask(router_r(300), udp4(ip, 992)).outcome == Outcome::malformed);
}

TEST_CASE("Echo requests to the router's addresses") {
  const Bytes in =
      build({kLink, ipv4("10.0.0.2", "192.0.2.1"), packet::Icmp{8, 0, 0x12345678, {}}, packet::Payload{Bytes(33, 7)}});
  const Answer a = ask(in);
  CHECK(a.outcome == Outcome::echo_reply);
  CHECK(type_code(a) == "0/0");
  const Bytes& out = a.frames.at(0).bytes;
  CHECK(field(out, "ipv4", "source") == "192.0.2.1");
  CHECK(field(out, "ipv4", "destination") == "10.0.0.2");
  CHECK(Bytes(out.begin() + 38, out.end()) == Bytes(in.begin() + 38, in.end()));
  CHECK(faults(out, true).empty());
  Bytes wrong = in;
  wrong.back() ^= 1;
  CHECK(ask(wrong).outcome == Outcome::malformed);

  const Bytes in6 = build({kLink, ipv6("2001:db8:a::2", "2001:db8:b::1"), packet::Icmp{128, 0, 0x12345678, {}},
                           packet::Payload{Bytes(33, 7)}});
  const Answer a6 = ask(in6);
  CHECK(type_code(a6, "icmpv6") == "129/0");
  CHECK(faults(a6.frames.at(0).bytes, true).empty());
  CHECK(field(a6.frames.at(0).bytes, "ipv6", "source") == "2001:db8:b::1");
  // A link-local station asks the router's link-local address of its own link; the other link's is not here.
  CHECK(type_code(ask(build({kLink, ipv6("fe80::9", "fe80::ff:fe00:10a"), packet::Icmp{128, 0, 1, {}}})), "icmpv6") ==
        "129/0");
  CHECK(ask(build({kLink, ipv6("fe80::9", "fe80::ff:fe00:10b"), packet::Icmp{128, 0, 1, {}}})).outcome ==
        Outcome::link_local);
  CHECK(ask(build({kLink, ipv4("10.0.0.2", "10.0.0.1"), packet::Tcp{}})).outcome == Outcome::local);
  // The anycast address of the routers of a network is answered from an address of the link.
  ListRouter anycast = router_r();
  anycast.add("2001:db8:a::", 128, {uint8_t(Reason::local), 0, 0, 1500, {}, {}});
  const Answer near = ask(anycast, build({kLink, ipv6("2001:db8:a::2", "2001:db8:a::"), packet::Icmp{128, 0, 1, {}}}));
  CHECK(field(near.frames.at(0).bytes, "ipv6", "source") == "2001:db8:a::1");
  CHECK(field(ask(anycast, udp6(ipv6("2001:db8:a::2", "2001:db8:a::"))).frames.at(0).bytes, "ipv6", "source") ==
        "2001:db8:a::1");
}

TEST_CASE("ARP: own addresses are told, senders are learnt") {
  packet::Ethernet all = kLink;
  all.destination.octets = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  const auto arp = [&](uint16_t operation, const char* sender, const char* target, packet::Mac mac = {kHostA}) {
    return build({all, packet::Arp{operation, mac, {four(sender)}, {}, {four(target)}}});
  };
  const Answer a = ask(arp(1, "10.0.0.9", "10.0.0.1"));
  CHECK(a.outcome == Outcome::arp_reply);
  CHECK(to_hex(a.frames.at(0).bytes) ==
        "02000000000a02000000010a0806"
        "0001080006040002"
        "02000000010a0a000001"
        "02000000000a0a000009");
  REQUIRE(a.learnt.size() == 1);
  CHECK(std::get<uint32_t>(a.learnt[0].address) == four("10.0.0.9"));
  CHECK(a.learnt[0].mac == kHostA);
  const Answer probe = ask(arp(1, "0.0.0.0", "10.0.0.1"));
  CHECK(probe.outcome == Outcome::arp_reply);
  CHECK(probe.learnt.empty());
  CHECK(ask(arp(2, "10.0.0.9", "10.0.0.1")).learnt.size() == 1);
  CHECK(ask(arp(1, "10.0.0.9", "10.0.0.3")).outcome == Outcome::arp);
  CHECK(ask(arp(1, "10.0.0.9", "192.0.2.1")).outcome == Outcome::arp);   // not the address of this link
  CHECK(ask(arp(1, "10.0.0.1", "10.0.0.1")).outcome == Outcome::arp);    // somebody takes our address
  CHECK(ask(arp(2, "172.16.0.1", "10.0.0.1")).outcome == Outcome::arp);  // not of this network
  CHECK(ask(arp(2, "10.0.0.255", "10.0.0.1")).outcome == Outcome::arp);
  CHECK(ask(arp(1, "10.0.0.9", "10.0.0.1", packet::Mac{{1, 0, 0, 0, 0, 1}})).outcome == Outcome::arp);
}

TEST_CASE("Neighbour discovery: own addresses are told, senders are learnt") {
  const auto message = [](const std::string& source, const std::string& destination, uint8_t type,
                          const std::string& target, const std::string& options, uint8_t hop_limit = 255) {
    packet::Ipv6 ip = ipv6(source, destination);
    ip.hop_limit = hop_limit;
    const packet::Ipv6Address address = six(target);
    Bytes body(address.octets.begin(), address.octets.end());
    for (const uint8_t b : from_hex(options)) body.push_back(b);
    packet::Ethernet link = kLink;
    if (destination.rfind("ff", 0) == 0) link.destination.octets = {0x33, 0x33, 0xff, 0, 0, 1};
    return build({link, ip, packet::Icmp{type, 0, 0, {}}, packet::Payload{body}});
  };
  const Answer a = ask(message("2001:db8:a::9", "ff02::1:ff00:1", 135, "2001:db8:a::1", "010102000000000a"));
  CHECK(a.outcome == Outcome::neighbour_advertisement);
  CHECK(type_code(a, "icmpv6") == "136/0");
  const Bytes& out = a.frames.at(0).bytes;
  CHECK(faults(out, true).empty());
  CHECK(field(out, "ethernet", "destination") == "02:00:00:00:00:0a");
  CHECK(field(out, "ipv6", "hop_limit") == "255");
  CHECK(field(out, "ipv6", "destination") == "2001:db8:a::9");
  CHECK(field(out, "icmpv6", "rest") == "0xe0000000");
  CHECK(to_hex(ByteView(out).last(8)) == "020102000000010a");
  REQUIRE(a.learnt.size() == 1);
  CHECK(std::get<packet::Ipv6Address>(a.learnt[0].address) == six("2001:db8:a::9"));

  const Answer asked = ask(message("::", "ff02::1:ff00:1", 135, "2001:db8:a::1", ""));
  CHECK(field(asked.frames.at(0).bytes, "ipv6", "destination") == "ff02::1");
  CHECK(field(asked.frames.at(0).bytes, "icmpv6", "rest") == "0xa0000000");
  CHECK(asked.learnt.empty());
  CHECK(ask(message("fe80::9", "fe80::ff:fe00:10a", 135, "fe80::ff:fe00:10a", "")).frames.size() == 1);
  // The address of a network's routers is told from an address of the link, and does not take the place of another's.
  const Answer anycast = ask(message("2001:db8:a::9", "ff02::1:ff00:0", 135, "2001:db8:a::", "010102000000000a"));
  CHECK(anycast.outcome == Outcome::neighbour_advertisement);
  CHECK(type_code(anycast, "icmpv6") == "136/0");
  CHECK(faults(anycast.frames.at(0).bytes, true).empty());
  CHECK(field(anycast.frames.at(0).bytes, "ipv6", "source") == "2001:db8:a::1");
  CHECK(field(anycast.frames.at(0).bytes, "icmpv6", "rest") == "0xc0000000");
  const auto none = Outcome::neighbour_discovery;
  CHECK(ask(message("2001:db8:a::9", "ff02::1:ff00:0", 135, "2001:db8:b::", "010102000000000a")).outcome == none);
  CHECK(ask(message("fe80::9", "ff02::1:ff00:0", 135, "fe80::", "010102000000000a")).outcome == none);
  ListRouter two = router_r();
  two.list[0].addresses6 = {{six("2001:db8:a::1"), 127}};  // of two stations (RFC 6164)
  CHECK(ask(two, message("2001:db8:a::", "ff02::1:ff00:0", 135, "2001:db8:a::", "010102000000000a")).outcome == none);
  CHECK(ask(message("2001:db8:a::9", "ff02::1:ff00:1", 135, "2001:db8:a::1", "010102000000000a", 254)).outcome == none);
  CHECK(ask(message("2001:db8:a::9", "ff02::1:ff00:2", 135, "2001:db8:a::1", "")).outcome == none);
  CHECK(ask(message("2001:db8:a::9", "ff02::1:ff00:1", 135, "2001:db8:b::1", "")).outcome == none);
  CHECK(ask(message("2001:db8:f::9", "ff02::1:ff00:1", 135, "2001:db8:a::1", "")).outcome == none);  // not of this link
  CHECK(ask(message("2001:db8:a::9", "ff02::1:ff00:1", 135, "2001:db8:a::1", "0100")).outcome == none);
  CHECK(ask(message("::", "ff02::1:ff00:1", 135, "2001:db8:a::1", "010102000000000a")).outcome == none);
  const Answer told = ask(message("2001:db8:a::9", "2001:db8:a::1", 136, "2001:db8:a::9", "020102000000000a"));
  CHECK(told.outcome == Outcome::learnt);
  CHECK(told.learnt.size() == 1);
  CHECK(ask(message("2001:db8:a::9", "2001:db8:a::1", 136, "2001:db8:a::1", "020102000000000a")).outcome == none);
}

TEST_CASE("A next hop whose MAC is not known is asked for, and unreachable when it does not answer") {
  const uint64_t second = 1'000'000'000;
  AnswerState state{TokenBucket::unlimited(), {}, 1};
  const ListRouter router = router_r();
  const Bytes in = udp4(ipv4("10.0.0.2", "192.0.2.77"));
  const Answer first = ask(router, in, state, 0);
  CHECK(first.outcome == Outcome::asked);
  REQUIRE(first.frames.size() == 1);
  CHECK(first.frames[0].port == 1);
  CHECK(to_hex(first.frames[0].bytes) ==
        "ffffffffffff02000000010b0806"
        "0001080006040001"
        "02000000010bc0000201"
        "000000000000c000024d");
  CHECK(ask(router, in, state, second - 1).frames.empty());
  CHECK(ask(router, in, state, second).frames.size() == 1);
  CHECK(ask(router, in, state, 2 * second).outcome == Outcome::asked);
  const Answer in_vain = ask(router, in, state, 3 * second);
  CHECK(in_vain.outcome == Outcome::host_unreachable);
  REQUIRE(in_vain.frames.size() == 2);  // and once more the question
  CHECK(field(in_vain.frames[0].bytes, "icmp", "code") == "1");
  CHECK(ask(router, in, state, 3 * second + 1).frames.size() == 1);
  // It answers after all.
  packet::Ethernet back{packet::Mac{kMacB}, packet::Mac{kHostB}, {}};
  CHECK(ask(router,
            build({back,
                   packet::Arp{2, packet::Mac{kHostB}, {four("192.0.2.77")}, packet::Mac{kMacB}, {four("192.0.2.1")}}}),
            state, 0, 1)
            .learnt.size() == 1);
  CHECK(state.asked.empty());

  const Answer six_first = ask(router, udp6(ipv6("2001:db8:a::2", "2001:db8:b::12:3456")), state, 0);
  REQUIRE(six_first.frames.size() == 1);
  CHECK(type_code(six_first, "icmpv6") == "135/0");
  CHECK(faults(six_first.frames[0].bytes, true).empty());
  CHECK(field(six_first.frames[0].bytes, "ipv6", "destination") == "ff02::1:ff12:3456");
  CHECK(field(six_first.frames[0].bytes, "ethernet", "destination") == "33:33:ff:12:34:56");
  for (uint32_t i = 0; i < 1000; ++i) {
    packet::Ipv4 ip = ipv4();
    ip.destination = {four("192.0.2.0") + 3 + i % 250};
    ask(router, udp4(ip), state, i);
    ask(router, udp6(ipv6("2001:db8:a::2", "2001:db8:b::1:" + std::to_string(i))), state, i);
  }
  CHECK(state.asked.size() <= kAskedMost);
}

TEST_CASE("ICMPv6: what is answered and what not") {
  packet::Ipv6 dying = ipv6();
  dying.hop_limit = 1;
  for (const uint8_t type : {1, 2, 3, 4, 100, 127, 137}) {
    CHECK(ask(build({kLink, dying, packet::Icmp{type, 0, 0, {}}, packet::Payload{Bytes(48)}})).outcome ==
          Outcome::error_about_error);
  }
  CHECK(type_code(ask(build({kLink, dying, packet::Icmp{128, 0, 0, {}}})), "icmpv6") == "3/0");
  // After extension headers: destination options, then an error; and a later fragment of some ICMPv6 message.
  packet::Ipv6 behind = dying;
  behind.next_header = 60;
  CHECK(ask(build({kLink, behind,
                   packet::Payload{from_hex("3a00010400000000"
                                            "0100000000000000")}}))
            .outcome == Outcome::error_about_error);
  behind.next_header = 44;
  CHECK(ask(build({kLink, behind,
                   packet::Payload{from_hex("3a00000800000001"
                                            "8000000000000000")}}))
            .outcome == Outcome::error_about_error);
  CHECK(type_code(ask(build({kLink, behind,
                             packet::Payload{from_hex("1100000800000001"
                                                      "8000000000000000")}})),
                  "icmpv6") == "3/0");
  // A link-local source must not get off its link.
  const Answer scope = ask(udp6(ipv6("fe80::9", "2001:db8:c::7")));
  CHECK(type_code(scope, "icmpv6") == "1/2");
  CHECK(field(scope.frames.at(0).bytes, "ipv6", "source") == "fe80::ff:fe00:10a");
  // The MTU told is never below 1280, and an error is never longer.
  const Answer big = ask(router_r(1400), udp6(ipv6(), 1400));
  CHECK(type_code(big, "icmpv6") == "2/0");
  CHECK(field(big.frames.at(0).bytes, "icmpv6", "rest") == "0x00000578");
  CHECK(big.frames.at(0).bytes.size() == 14 + 1280);
  CHECK(field(ask(router_r(600), udp6(ipv6(), 1400)).frames.at(0).bytes, "icmpv6", "rest") == "0x00000500");
  CHECK(ask(router_r(600), udp6(ipv6(), 1000)).outcome == Outcome::forwarded);
}

TEST_CASE("Hop-by-hop options by their two high bits") {
  const auto run = [](const std::string& header, const std::string& destination = "2001:db8:c::7") {
    packet::Ipv6 ip = ipv6("2001:db8:a::2", destination);
    ip.next_header = 0;
    Bytes body = from_hex(header);
    body.resize(body.size() + 8);
    return ask(build({kLink, ip, packet::Payload{body}}));
  };
  CHECK(run("11001e0200000100").outcome == Outcome::forwarded);
  CHECK(run("1100050200000100").outcome == Outcome::forwarded);
  CHECK(run("1100000000000000").outcome == Outcome::forwarded);
  CHECK(run("1100010400000000").outcome == Outcome::forwarded);
  CHECK(run("11005e0200000100").outcome == Outcome::option_discard);
  const auto pointer = [](const Answer& a) {
    return type_code(a, "icmpv6") + " " + field(a.frames.at(0).bytes, "icmpv6", "rest");
  };
  CHECK(pointer(run("11009e0200000100")) == "4/2 0x0000002a");
  CHECK(pointer(run("1100de0200000100")) == "4/2 0x0000002a");
  CHECK(pointer(run("1101"
                    "0104000000000502"
                    "00009e020000")) == "4/2 0x00000034");
  CHECK(pointer(run("11009e0200000100", "ff02::9")) == "4/2 0x0000002a");
  CHECK(run("1100de0200000100", "ff02::9").outcome == Outcome::error_about_group);
  CHECK(run("11001e0200000100", "ff02::9").outcome == Outcome::multicast);
  CHECK(run("1105010400000000").outcome == Outcome::malformed);  // longer than the packet
  CHECK(run("11001e0900000000").outcome == Outcome::malformed);  // an option longer than its header
  CHECK(run("11009e0200000100", "2001:db8:b::1").outcome == Outcome::parameter_problem);
}

TEST_CASE("Extension headers of a packet for the router itself: RFC 8200 4, RFC 5095 3") {
  const auto run = [](uint8_t first, const std::string& headers) {
    packet::Ipv6 ip = ipv6("2001:db8:a::2", "2001:db8:a::1");
    ip.next_header = first;
    return ask(build({kLink, ip, packet::Payload{from_hex(headers + "3b00000000000000")}}));
  };
  const auto told = [](const Answer& a) {
    return type_code(a, "icmpv6") + " " + field(a.frames.at(0).bytes, "icmpv6", "rest");
  };
  const std::string none_left =
      "3b02000000000000"
      "20010db8000a0000"
      "0000000000000077";
  CHECK(run(43, none_left).outcome == Outcome::local);
  const Answer routed = run(43,
                            "3b02000100000000"
                            "20010db8000a0000"
                            "0000000000000077");
  CHECK(told(routed) == "4/0 0x0000002a");
  CHECK(field(routed.frames.at(0).bytes, "ipv6", "source") == "2001:db8:a::1");
  CHECK(told(run(60,
                 "2b00010400000000"
                 "3b00040100000000")) == "4/0 0x00000032");
  CHECK(run(60, "3b001e0200000000").outcome == Outcome::local);
  CHECK(run(60, "3b005e0200000000").outcome == Outcome::option_discard);
  CHECK(told(run(60, "3b009e0200000000")) == "4/2 0x0000002a");
  CHECK(told(run(60, "3b00de0200000000")) == "4/2 0x0000002a");
  CHECK(run(60, "3b001e0900000000").outcome == Outcome::malformed);
  CHECK(told(run(60,
                 "0000010400000000"
                 "3b00010400000000")) == "4/1 0x00000028");
  CHECK(told(run(0,
                 "0000010400000000"
                 "3b00010400000000")) == "4/1 0x00000028");
  // After a whole packet's fragment header; not in a part of one.
  CHECK(told(run(44,
                 "3c00000000000007"
                 "3b009e0200000000")) == "4/2 0x00000032");
  CHECK(run(44,
            "3c00000100000007"
            "3b009e0200000000")
            .outcome == Outcome::local);
}

TEST_CASE("VLANs: the link of the tag, and a tag where the next hop has one") {
  ListRouter router = router_r();
  router.list.push_back({0, 7, kMacA, 1500, {{four("10.7.0.1"), 24}}, {}});
  const HopView tagged = hop_to(router, 2, kHostA);
  router.add("10.7.0.2", 32, tagged);
  router.add("10.7.0.1", 32, {uint8_t(Reason::local), 0, 7, 1500, {}, {}});
  packet::Ipv4 ip = ipv4("10.7.0.2", "10.7.0.1");
  const Answer a = ask(router, build({kLink, packet::Vlan{7, 3, false, {}}, ip, packet::Icmp{8, 0, 1, {}}}));
  REQUIRE(a.frames.size() == 1);
  CHECK(to_hex(ByteView(a.frames[0].bytes).first(18)) == "02000000000a02000000010a810000070800");
  CHECK(ask(router, build({kLink, packet::Vlan{8, 0, false, {}}, ip, packet::Icmp{8, 0, 1, {}}})).outcome ==
        Outcome::no_interface);
  const Answer onto = ask(router, udp4(ipv4("10.0.0.2", "10.7.0.2")));
  CHECK(onto.outcome == Outcome::forwarded);
  CHECK(field(onto.frames.at(0).bytes, "vlan", "id") == "7");
  const Answer off =
      ask(router,
          build({kLink, packet::Vlan{7, 0, false, {}}, ipv4("10.7.0.2", "198.51.100.7"), packet::Udp{1, 2, {}, {}}}));
  CHECK(field(off.frames.at(0).bytes, "ethernet", "type") == "0x0800");
}
