// Frames built octet for octet as computed by hand, and taken apart again.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "weft/base/json.h"
#include "weft/packet/decode.h"
#include "weft/packet/difference.h"
#include "weft/packet/layers.h"

using namespace weft::packet;

namespace {

Bytes octets(std::string_view hex) {
  Bytes out;
  unsigned digits = 0;
  unsigned value = 0;
  for (const char c : hex) {
    if (c == ' ') continue;
    value = value << 4 | static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    if (++digits % 2 == 0) out.push_back(static_cast<uint8_t>(value));
  }
  return out;
}

const Ethernet kLink{.destination = {{2, 0, 0, 0, 0, 2}}, .source = {{2, 0, 0, 0, 0, 1}}};
const Ipv4 kIp{.source = {0x0a000001}, .destination = {0xc0a80102}};
constexpr std::string_view kLinkHex = "020000000002 020000000001 ";

Ipv6 ip6() { return Ipv6{.source = *parse_ipv6("2001:db8::1"), .destination = *parse_ipv6("2001:db8::2")}; }

}  // namespace

TEST_CASE("a UDP packet as computed by hand") {
  // IPv4 words: 4500 001e 0000 0000 4011 0a00 0001 c0a8 0102 add up to 1505c, folded 505d, so af a2 goes into the
  // header. UDP: 0a00 0001 c0a8 0102 0011 000a 03e8 0009 000a 6869 add up to 1382a: 382b, so c7d4.
  const Bytes frame = build({kLink, kIp, Udp{.source = 1000, .destination = 9}, Payload{{'h', 'i'}}});
  CHECK(frame ==
        octets(std::string(kLinkHex) + "0800 4500001e00000000 4011af24 0a000001 c0a80102 03e80009000ac7d4 6869"));
  CHECK(decode(frame).faults.empty());
  CHECK(one_line(decode(frame)) ==
        "02:00:00:00:00:01 > 02:00:00:00:00:02 ipv4 10.0.0.1 > 192.168.1.2 ttl 64 udp 1000 > 9 payload 2");
}

TEST_CASE("options are padded and counted in the header length") {
  Ipv4 ip = kIp;
  ip.options = {0x94, 0x04, 0x00, 0x00, 0x01};  // router alert, no operation
  const Bytes frame = build({kLink, ip, Payload{{0xaa}}});
  CHECK(frame[14] == 0x47);
  CHECK(get16(frame, 16) == 29);
  CHECK(Bytes(frame.begin() + 34, frame.end()) == octets("94040000 01000000 aa"));
  const DecodedFrame decoded = decode(frame);
  CHECK(decoded.faults.empty());
  CHECK((*decoded.find("ipv4"))["options"] == "9404000001000000");
  CHECK((*decoded.find("payload"))["length"] == "1");
}

TEST_CASE("VLAN and MPLS before IP") {
  const Bytes frame = build({kLink, Vlan{.id = 100, .priority = 5}, Mpls{.label = 1000, .traffic_class = 6, .ttl = 63},
                             Mpls{.label = 16, .ttl = 2}, kIp, Udp{}});
  CHECK(Bytes(frame.begin() + 12, frame.begin() + 26) == octets("8100 a064 8847 003e8c3f 00010102"));
  const DecodedFrame decoded = decode(frame);
  CHECK(decoded.faults.empty());
  CHECK(decoded.layers.size() == 6);
  CHECK((*decoded.find("vlan"))["priority"] == "5");
  CHECK((*decoded.find("mpls"))["label"] == "1000");
  CHECK(decoded.layers[3]["bottom"] == "1");
}

TEST_CASE("ARP") {
  const Bytes frame = padded(
      build({Ethernet{.destination = {{255, 255, 255, 255, 255, 255}}, .source = kLink.source},
             Arp{.sender_mac = kLink.source, .sender = {0x0a000001}, .target_mac = {}, .target = {0x0a000002}}}));
  CHECK(frame ==
        padded(
            octets("ffffffffffff 020000000001 0806 0001 0800 06 04 0001 020000000001 0a000001 000000000000 0a000002")));
  CHECK(frame.size() == 60);
  CHECK(one_line(decode(frame)) ==
        "02:00:00:00:00:01 > ff:ff:ff:ff:ff:ff arp who has 10.0.0.2 tell 10.0.0.1 padding 18");
}

TEST_CASE("TCP and its flags") {
  // Pseudo-header and header: 0a00 0001 c0a8 0102 0006 0014 | 0050 1f90 0000 0001 0000 0002 5012 2000 0000 = 15bba,
  // 5bba.
  const Bytes frame = build({kLink, kIp,
                             Tcp{.source = 80,
                                 .destination = 8080,
                                 .sequence = 1,
                                 .acknowledgment = 2,
                                 .flags = Tcp::syn | Tcp::ack,
                                 .window = 0x2000}});
  CHECK(Bytes(frame.begin() + 34, frame.end()) == octets("0050 1f90 00000001 00000002 5012 2000 a444 0000"));
  CHECK(decode(frame).faults.empty());
  CHECK((*decode(frame).find("tcp"))["flags"] == "SA");
}

TEST_CASE("ICMP has no pseudo-header, ICMPv6 has one") {
  const Bytes echo = build({kLink, kIp, Icmp{.rest = 0x12340001}});
  CHECK(get16(echo, 36) == 0xe5ca);  // ~(0800 + 1234 + 0001)
  CHECK(decode(echo).faults.empty());
  // 2001 0db8 0001 2001 0db8 0002 0008 003a 8000 1234 0001 add up to edec.
  const Bytes echo6 = build({kLink, ip6(), Icmp{.type = 128, .rest = 0x12340001}});
  CHECK(get16(echo6, 56) == 0x1213);
  CHECK(decode(echo6).faults.empty());
  CHECK(one_line(decode(echo6)).find("ipv6 2001:db8::1 > 2001:db8::2 hop limit 64 icmpv6 128/0") != std::string::npos);
}

TEST_CASE("a UDP checksum that comes out as zero is sent as ffff, and 0 means none") {
  // The sum without data is 0a00 0001 c0a8 0102 0011 000a 0000 0000 000a = cbd0; data of 342f makes it ffff.
  const Bytes frame = build({kLink, kIp, Udp{}, Payload{{0x34, 0x2f}}});
  CHECK(get16(frame, 40) == 0xffff);
  CHECK(decode(frame).faults.empty());
  CHECK(decode(build({kLink, kIp, Udp{.checksum = 0}, Payload{{1, 2}}})).faults.empty());
}

TEST_CASE("given values stand, and the decoder says that they are wrong") {
  Ipv4 ip = kIp;
  ip.checksum = 0x1234;
  auto faults = decode(build({kLink, ip, Udp{}})).faults;
  REQUIRE(faults.size() == 1);
  CHECK(faults.front() == "ipv4: header checksum is 1234, should be af26");
  ip = kIp;
  ip.total_length = 400;
  faults = decode(build({kLink, ip, Udp{}})).faults;
  REQUIRE(faults.size() == 1);
  CHECK(faults.front() == "ipv4: is 400 octets long, but only 28 are here");
  ip = kIp;
  ip.version = 5;
  CHECK(decode(build({kLink, ip, Udp{}})).faults.front() == "ipv4: version is 5");
  faults = decode(build({kLink, kIp, Udp{.checksum = 1}})).faults;
  REQUIRE(faults.size() == 1);
  CHECK(faults.front().substr(0, 27) == "udp: checksum is 0001, shou");
}

TEST_CASE("later fragments are not taken for transport headers") {
  Ipv4 ip = kIp;
  ip.protocol = 17;
  ip.fragment_offset = 185;
  const DecodedFrame decoded = decode(build({kLink, ip, Payload{Bytes(100, 0xee)}}));
  CHECK(decoded.faults.empty());
  CHECK(decoded.find("udp") == nullptr);
  CHECK((*decoded.find("payload"))["length"] == "100");
}

TEST_CASE("any octets can be decoded: every cut and every single-octet damage") {
  const Bytes frame =
      build({kLink, Vlan{.id = 1}, Mpls{.label = 5}, kIp, Tcp{.options = {2, 4, 5, 0xb4}}, Payload{{1, 2, 3}}});
  for (size_t length = 0; length <= frame.size(); ++length) {
    const DecodedFrame decoded = decode(ByteView(frame).first(length));
    size_t covered = 0;
    for (const DecodedLayer& layer : decoded.layers) {
      CHECK(layer.offset == covered);  // layers tile the frame
      covered += layer.length;
    }
    CHECK(covered == length);
  }
  for (size_t at = 0; at < frame.size(); ++at) {
    for (const uint8_t value : {0x00, 0x0f, 0x45, 0x60, 0xff}) {
      Bytes damaged = frame;
      damaged[at] = value;
      const DecodedFrame decoded = decode(damaged);
      size_t covered = 0;
      for (const DecodedLayer& layer : decoded.layers) covered += layer.length;
      CHECK(covered == frame.size());
    }
  }
}

TEST_CASE("addresses in text") {
  CHECK(to_string(*parse_mac("02:AB:00:00:00:ff")) == "02:ab:00:00:00:ff");
  CHECK_FALSE(parse_mac("02:ab:00:00:00:f"));
  CHECK_FALSE(parse_mac("02:ab:00:00:00-ff"));
  CHECK_FALSE(parse_mac("02:ab:00:00:00:fg"));
  CHECK(parse_ipv4("198.18.0.1")->value == 0xc6120001);
  CHECK_FALSE(parse_ipv4("198.18.0"));
  CHECK_FALSE(parse_ipv4("198.18.0.256"));
  for (const char* text :
       {"::", "::1", "2001:db8::1", "2001:db8:0:1:1:1:1:1", "fe80::1:0:0:1", "1:2:3:4:5:6:7:8", "1::"}) {
    CHECK(to_string(*parse_ipv6(text)) == text);
  }
  CHECK(to_string(*parse_ipv6("2001:0DB8:0:0:1:0:0:1")) == "2001:db8::1:0:0:1");  // the first of equal runs
  CHECK_FALSE(parse_ipv6("2001:::1"));
}

TEST_CASE("differences are named by field") {
  const Bytes before = build({kLink, kIp, Udp{.source = 7}, Payload{{1, 2, 3, 4}}});
  CHECK(differences(before, before).empty());
  Ipv4 ip = kIp;
  ip.ttl = 63;
  const Bytes after = build({kLink, ip, Udp{.source = 7}, Payload{{1, 2, 9, 4}}});
  CHECK(to_string(differences(before, after)) ==
        "ipv4.ttl (octet 22): 64 -> 63\n"
        "ipv4.checksum (octet 24): 0xaf22 -> 0xb022\n"
        "udp.checksum (octet 40): 0x301e -> 0x2a1e\n"
        "payload.octets (octet 42): 01020304 -> 01020904\n");
}

TEST_CASE("an inserted layer is one difference") {
  const Bytes before = build({kLink, kIp, Udp{.source = 7}});
  const Bytes after = build({kLink, Vlan{.id = 9}, kIp, Udp{.source = 7}});
  CHECK(to_string(differences(before, after)) ==
        "ethernet.type (octet 12): 0x0800 -> 0x8100\nvlan (octet 14): (none) -> 00090800\n");
}

TEST_CASE("every changed octet is seen as a difference") {
  const Bytes frame = padded(build({kLink, kIp, Udp{.source = 7}, Payload{{1, 2}}}));
  const Bytes arp = build({kLink, Arp{}});
  for (const Bytes& whole : {frame, arp}) {
    for (size_t at = 0; at < whole.size(); ++at) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        Bytes other = whole;
        other[at] = static_cast<uint8_t>(other[at] ^ 1U << bit);
        CHECK_FALSE(differences(whole, other).empty());
      }
    }
    Bytes longer = whole;
    longer.push_back(0);
    CHECK_FALSE(differences(whole, longer).empty());
  }
}

TEST_CASE("frames that reference routers sent have no faults") {
  const std::string path = WEFT_SOURCE_DIR "/tests/data/golden/ip_forwarding.json";
  auto document = weft::JsonDocument::read(path);
  REQUIRE(document.has_value());
  weft::Diagnostics problems;
  size_t frames = 0;
  for (const auto& item : document->root().get("cases").items()) {
    const auto outputs = item.get("out").items();
    for (const auto& out : outputs) {
      const std::string hex = out.get("frame").string(problems);
      const DecodedFrame decoded = decode(octets(hex));
      INFO(item.get("case").string(problems) << "\n" << describe(decoded));
      const bool good = std::ranges::all_of(decoded.faults, [&](const std::string& fault) {
        return fault.substr(0, 4) == "udp:" || fault.substr(0, 4) == "tcp:";  // routers pass these as they came
      });
      CHECK(good);
      ++frames;
    }
  }
  CHECK(problems.empty());
  CHECK(frames > 30);
}

TEST_CASE("extension headers of IPv6: octets by hand, there and back") {
  const Ethernet ethernet{.destination = *parse_mac("02:00:00:00:00:02"), .source = *parse_mac("02:00:00:00:00:01")};
  const Ipv6 ip{.source = *parse_ipv6("2001:db8::1"), .destination = *parse_ipv6("2001:db8::2")};
  const Udp udp{.source = 1, .destination = 2};
  // Router alert (RFC 2711) takes 4 octets, so 2 of PadN follow; one octet of options leaves 5; 5 octets leave Pad1.
  const Bytes hop =
      build({ethernet, ip, Options6{.options = {5, 2, 0, 0}}, Options6{.destination = true, .options = {0}},
             Options6{.destination = true, .options = {30, 3, 1, 2, 3}}, udp, Payload{{7, 8}}});
  CHECK(Bytes(hop.begin() + 20, hop.begin() + 21) == Bytes{0});
  CHECK(Bytes(hop.begin() + 54, hop.begin() + 78) ==
        Bytes{60, 0, 5, 2, 0, 0, 1, 0, 60, 0, 0, 1, 3, 0, 0, 0, 17, 0, 30, 3, 1, 2, 3, 0});
  const DecodedFrame decoded = decode(hop);
  CHECK(decoded.faults.empty());
  CHECK(decoded.find("hop_by_hop")->fields.size() == 3);
  CHECK((*decoded.find("destination_options"))["options"] == "000103000000");
  CHECK((*decoded.find("udp"))["destination"] == "2");
  // The checksum is that of the same segment without headers between.
  const Bytes plain = build({ethernet, ip, udp, Payload{{7, 8}}});
  CHECK(Bytes(hop.begin() + 78, hop.end()) == Bytes(plain.begin() + 54, plain.end()));

  const Bytes routed =
      build({ethernet, ip, Routing6{.type = 0, .segments_left = 1, .data = Bytes(20, 9)}, Icmp{.type = 128}});
  CHECK(Bytes(routed.begin() + 54, routed.begin() + 58) == Bytes{58, 2, 0, 1});
  CHECK(routed.size() == 54 + 24 + 8);
  CHECK((*decode(routed).find("routing"))["segments_left"] == "1");
  CHECK(decode(routed).find("icmpv6") != nullptr);

  const Bytes piece =
      build({ethernet, ip, Fragment6{.offset = 3, .more = true, .identification = 0x12345678, .next_header = 17},
             Payload{Bytes(16, 1)}});
  CHECK(Bytes(piece.begin() + 54, piece.begin() + 62) == Bytes{17, 0, 0, 25, 0x12, 0x34, 0x56, 0x78});
  CHECK((*decode(piece).find("fragment"))["offset"] == "3");
  CHECK(decode(piece).find("udp") == nullptr);
  CHECK(decode(piece).faults.empty());
  // Cut short, or longer than the packet.
  CHECK(decode(ByteView(hop).first(58)).find("hop_by_hop") == nullptr);
  Bytes wrong = hop;
  wrong[55] = 200;
  CHECK_FALSE(decode(wrong).faults.empty());
}
