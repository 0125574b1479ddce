// Frames taken apart for people: places of fields, options, checksums, and frames that are damaged in every way.
#include "weft/workbench/dissect.h"

#include <catch2/catch.hpp>
#include <random>

#include "weft/packet/layers.h"

using namespace weft;
using namespace weft::packet;
using workbench::DissectedField;
using workbench::DissectedLayer;
using workbench::Dissection;

namespace {

const Mac kA{{2, 0, 0, 0, 0, 1}}, kB{{2, 0, 0, 0, 0, 2}};
const Ipv4Address kFrom{0x0a000001}, kTo{0x0a010203};
const Ipv6Address kFrom6{{0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
    kTo6{{0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}};

Bytes udp_frame() {
  return build({Ethernet{.destination = kB, .source = kA}, Ipv4{.source = kFrom, .destination = kTo},
                Udp{.source = 1000, .destination = 9}, Payload{Bytes(18, 7)}});
}

const DissectedLayer& layer(const Dissection& d, const std::string& name) {
  for (const DissectedLayer& l : d.layers)
    if (l.name == name) return l;
  FAIL("there is no layer " << name);
  throw 0;
}
const DissectedField& field(const Dissection& d, const std::string& of, const std::string& name) {
  for (const DissectedField& f : layer(d, of).fields)
    if (f.name == name) return f;
  FAIL("there is no field " << of << "." << name);
  throw 0;
}

/// Layers lie after each other and are the whole frame; fields lie in their layer.
void places_hold(ByteView frame, const Dissection& d) {
  size_t at = 0;
  for (const DissectedLayer& l : d.layers) {
    CHECK(l.offset == at);
    at += l.length;
    for (const DissectedField& f : l.fields) {
      CHECK(f.bits > 0);
      CHECK(f.bit >= l.offset * 8);
      CHECK(f.bit + f.bits <= (l.offset + l.length) * 8);
    }
  }
  CHECK(at == frame.size());
}

}  // namespace

TEST_CASE("a UDP frame is taken apart with the place of each field") {
  const Bytes frame = udp_frame();
  const Dissection d = workbench::dissect(frame);
  CHECK(d.wrong == 0);
  places_hold(frame, d);
  CHECK(field(d, "ipv4", "ttl").text == "64");
  CHECK(field(d, "ipv4", "ttl").bit == (14 + 8) * 8);
  CHECK(field(d, "ipv4", "protocol").note == "UDP");
  CHECK(field(d, "ethernet", "type").note == "IPv4");
  CHECK(field(d, "ipv4", "checksum").note == "correct");
  CHECK(field(d, "udp", "checksum").note == "correct");
  CHECK(field(d, "udp", "destination").bit == (14 + 20 + 2) * 8);
  CHECK(layer(d, "ipv4").summary == "10.0.0.1 > 10.1.2.3");
  CHECK(workbench::packet_summary(frame) == "IPv4 10.0.0.1 > 10.1.2.3 UDP 1000 > 9");
}

TEST_CASE("every kind of layer stands where it is") {
  const Bytes mpls =
      build({Ethernet{.destination = kB, .source = kA}, Vlan{.id = 100}, Mpls{.label = 17}, Mpls{.label = 18},
             Ipv4{.source = kFrom, .destination = kTo},
             Tcp{.source = 80, .destination = 4000, .options = {2, 4, 5, 0xb4, 1, 1, 4, 2}}, Payload{Bytes(5, 1)}});
  Dissection d = workbench::dissect(mpls);
  places_hold(mpls, d);
  CHECK(d.wrong == 0);
  CHECK(layer(d, "vlan").summary == "100");
  CHECK(layer(d, "mpls").summary == "label 17, TTL 64");
  CHECK(field(d, "tcp", "option").text == "maximum segment size");
  CHECK(field(d, "tcp", "option").note == "05b4");
  CHECK(field(d, "tcp", "option").bits == 32);
  CHECK(field(d, "tcp", "checksum").note == "correct");
  CHECK(workbench::packet_summary(mpls).starts_with("VLAN 100 MPLS 17 MPLS 18 IPv4 10.0.0.1 > 10.1.2.3 TCP 80 > 4000"));

  const Bytes six = build({Ethernet{.destination = kB, .source = kA}, Ipv6{.source = kFrom6, .destination = kTo6},
                           Options6{.options = {5, 2, 0, 0}}, Fragment6{.more = true},
                           Udp{.source = 1, .destination = 2}, Payload{Bytes(16, 3)}});
  d = workbench::dissect(six);
  places_hold(six, d);
  CHECK(field(d, "hop_by_hop", "option").text == "router alert");
  CHECK(field(d, "fragment", "more").text == "1");
  CHECK(field(d, "udp", "checksum").note.empty());  // a fragment's cannot be checked

  const Bytes icmp = build({Ethernet{.destination = kB, .source = kA}, Ipv6{.source = kFrom6, .destination = kTo6},
                            Icmp{.type = 128}, Payload{Bytes(4, 3)}});
  CHECK(layer(workbench::dissect(icmp), "icmpv6").summary == "echo request, code 0");
  const Bytes arp = padded(build({Ethernet{.destination = kB, .source = kA},
                                  Arp{.sender_mac = kA, .sender = kFrom, .target_mac = {}, .target = kTo}}));
  d = workbench::dissect(arp);
  places_hold(arp, d);
  CHECK(layer(d, "arp").summary == "who has 10.1.2.3, tell 10.0.0.1");
  const Bytes options = build({Ethernet{.destination = kB, .source = kA},
                               Ipv4{.source = kFrom, .destination = kTo, .options = {7, 7, 4, 0, 0, 0, 0, 0}},
                               Udp{.source = 1, .destination = 2}});
  CHECK(field(workbench::dissect(options), "ipv4", "option").text == "record route");
}

TEST_CASE("what is wrong stands at the field that is") {
  Bytes frame = udp_frame();
  frame[14 + 8] = 63;  // the TTL without the checksum
  Dissection d = workbench::dissect(frame);
  CHECK(d.wrong == 1);
  CHECK(field(d, "ipv4", "checksum").wrong);
  CHECK(field(d, "ipv4", "checksum").note.starts_with("should be "));
  CHECK(field(d, "udp", "checksum").note == "correct");
  CHECK(!layer(d, "ipv4").faults.empty());

  frame = udp_frame();
  frame[14 + 3] = 200;  // the length
  d = workbench::dissect(frame);
  CHECK(field(d, "ipv4", "total_length").wrong);
  frame.resize(20);
  d = workbench::dissect(frame);
  places_hold(frame, d);
  CHECK(d.wrong > 0);
  CHECK(!d.faults.empty());  // no IPv4 header could be read

  const Bytes options = build(
      {Ethernet{.destination = kB, .source = kA}, Ipv4{.source = kFrom, .destination = kTo, .options = {7, 40, 4, 0}}});
  CHECK(field(workbench::dissect(options), "ipv4", "option").wrong);
}

TEST_CASE("frames that are cut, flipped and random never break the dissection") {
  std::mt19937 random(7);
  const Bytes six = build({Ethernet{.destination = kB, .source = kA}, Vlan{.id = 5},
                           Ipv6{.source = kFrom6, .destination = kTo6}, Options6{.options = {5, 2, 0, 0}},
                           Tcp{.source = 1, .destination = 2, .options = {2, 4, 5, 0xb4}}, Payload{Bytes(9, 3)}});
  const Bytes four = build({Ethernet{.destination = kB, .source = kA}, Mpls{.label = 3},
                            Ipv4{.source = kFrom, .destination = kTo, .options = {7, 7, 4, 0, 0, 0, 0}}, Icmp{},
                            Payload{Bytes(9, 3)}});
  for (int round = 0; round < 6000; ++round) {
    Bytes frame = round % 3 == 0 ? six : round % 3 == 1 ? four : Bytes(random() % 120);
    if (round % 3 == 2)
      for (uint8_t& byte : frame) byte = static_cast<uint8_t>(random());
    for (unsigned flips = random() % 6; flips > 0 && !frame.empty(); --flips)
      frame[random() % frame.size()] = static_cast<uint8_t>(random());
    if (random() % 3 == 0) frame.resize(random() % (frame.size() + 1));
    const Dissection d = workbench::dissect(frame);
    places_hold(frame, d);
    CHECK_FALSE(workbench::packet_summary(frame).empty());
  }
}

TEST_CASE("rows of bytes") {
  CHECK(workbench::hex_rows(Bytes{0x41, 0x00, 0xff}) == "0000  41 00 ff                                         A..\n");
  CHECK(workbench::hex_rows(Bytes(17, 0x30)).find("\n0010  30 ") != std::string::npos);
}
