// What random traffic hardly meets: hairpinning, protocols without ports, answers to ports that were chosen, fragments
// in any order, checksums at their limits, tuples that two connections would share.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "compare.h"
#include "golden.h"
#include "weft/packet/layers.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr uint32_t kFirst = 0x0a000002, kSecond = 0x0a000003, kPublic = 0xc0000201, kRemote = 0xc6336407;
enum : uint8_t { kSyn = 2, kAck = 16 };

FirewallRun run_of(const std::string& more = "") {
  FirewallRun run;
  run.config = golden_router("switch answers off\n" + more);
  run.rules = kGoldenRules;
  return run;
}

/// One after the other, far apart.
std::vector<SentFrame> in_turn(std::vector<std::pair<unsigned, Bytes>> list) {
  std::vector<SentFrame> out;
  uint64_t at = 100'000;
  for (auto& [port, bytes] : list) {
    out.push_back({at, port, std::move(bytes)});
    at += 60'000;
  }
  return out;
}

Bytes other_protocol(unsigned port, uint32_t source, uint32_t destination) {
  Bytes frame = udp_frame(port, {source, destination, 0x1234, 0x5678}, 20);
  frame[23] = 47;
  return frame;
}

/// Cuts a UDP packet into pieces of `size` octets of IP payload.
std::vector<Bytes> pieces(const Bytes& whole, size_t size) {
  std::vector<Bytes> out;
  const size_t header = 34, payload = whole.size() - header;
  for (size_t at = 0; at < payload; at += size) {
    const size_t length = std::min(size, payload - at);
    Bytes piece(whole.begin(), whole.begin() + header);
    piece.insert(piece.end(), whole.begin() + static_cast<std::ptrdiff_t>(header + at),
                 whole.begin() + static_cast<std::ptrdiff_t>(header + at + length));
    packet::set16(piece, 16, static_cast<unsigned>(20 + length));
    packet::set16(piece, 20, static_cast<unsigned>((at + length < payload ? 0x2000 : 0) | at / 8));
    out.push_back(std::move(piece));
  }
  return out;
}

}  // namespace

TEST_CASE(
    "Stations inside reach a forwarded port by the public address when hairpinning is on, and the router otherwise") {
  const Ends there{kSecond, kPublic, 2000, 8080}, back{kFirst, kPublic, 80, 2000};
  for (const bool on : {true, false}) {
    ModelConfig config = golden_config();
    config.hairpin = on;
    const auto frames = in_turn({{0, tcp_frame(0, there, {kSyn, 1, 0})},
                                 {0, tcp_frame(0, back, {kSyn | kAck, 9, 2})},
                                 {0, tcp_frame(0, there, {kAck, 2, 10})},
                                 {0, tcp_frame(0, there, {kAck, 2, 10, 65535, {}, 30})},
                                 {0, udp_frame(0, {kSecond, kPublic, 2000, 5353})},
                                 {0, udp_frame(0, {kSecond, kPublic, 2000, 99})}});
    auto run = run_of(on ? "firewall hairpin on\n" : "");
    const Compared c = run_and_compare(run, frames, config);
    CHECK(c.outcome.connections.size() == (on ? 2 : 0));
  }
}

TEST_CASE(
    "Nobody outside reaches an inside address without a forwarding, whatever the rules say, unless a switch says so") {
  const std::string generous =  // as the rules were before they could ask for the forwarding
      "accept in A\n"
      "accept in B destination 10.0.0.2 protocol tcp destination-port 80\n"
      "accept in B destination 10.0.0.2 protocol udp destination-port 53\n"
      "accept in B protocol icmp\naccept in B protocol 47\n";
  const Ends tcp{kRemote, kFirst, 4444, 80}, udp{kRemote, kFirst, 4444, 53}, forged{kSecond, kFirst, 4444, 80};
  const auto frames = in_turn({{1, tcp_frame(1, tcp, {kSyn, 1, 0})},
                               {1, udp_frame(1, udp)},
                               {1, tcp_frame(1, forged, {kSyn, 1, 0})},
                               {1, echo_frame(1, kRemote, kFirst, 7, false)},
                               {1, other_protocol(1, kRemote, kFirst)},
                               {1, tcp_frame(1, {kRemote, kPublic, 4445, 8080}, {kSyn, 1, 0})},
                               {1, udp_frame(1, {kRemote, kPublic, 4445, 5353})}});
  for (const bool open : {false, true}) {
    ModelConfig config = golden_config();
    config.accepts = [](const NewFlow&) { return true; };
    config.accept_untranslated = open;
    auto run = run_of(open ? "firewall accept-untranslated on\n" : "");
    run.rules = generous;
    const Compared c = run_and_compare(run, frames, config);
    INFO("switch " << open);
    CHECK(c.outcome.dropped("not_translated") == (open ? 0 : 5));
    CHECK(c.outcome.out.size() == (open ? 7 : 2));
  }
}

TEST_CASE("Rules ask whether a forwarding has translated the destination, of the first packet and of later ones") {
  const Ends wanted{kRemote, kPublic, 4444, 5353}, back{kFirst, kRemote, 53, 4444}, straight{kRemote, kFirst, 4445, 53},
      own{kFirst, kRemote, 2000, 53};
  const auto frames = in_turn({{1, udp_frame(1, wanted)},
                               {0, udp_frame(0, back)},
                               {1, udp_frame(1, wanted)},
                               {1, udp_frame(1, straight)},
                               {0, udp_frame(0, own)},
                               {0, udp_frame(0, own)}});
  struct Row {
    const char* rules;
    bool every;                // match every packet
    std::vector<bool> passes;  // the frames
  };
  const std::vector<Row> rows{
      {"accept in A\naccept in B status dnat\n", false, {true, true, true, false, true, true}},
      {"accept in A\naccept in B status no-dnat\n", false, {false, true, false, true, true, true}},
      {"accept in A state new\naccept status dnat\n", true, {true, true, true, false, true, false}},
      {"drop state established status dnat\ndrop state established status no-dnat in A\ndefault accept\n",
       true,
       {true, false, false, true, true, false}},
      {"drop state established status no-dnat\ndefault accept\n", true, {true, true, true, true, true, false}},
  };
  for (const Row& row : rows) {
    auto run = run_of(std::string("firewall accept-untranslated on\n") +
                      (row.every ? "firewall match-every-packet on\n" : ""));
    run.rules = row.rules;
    for (const SentFrame& f : frames) run.in[f.port].push_back({f.at, f.bytes, false});
    const FirewallOutcome outcome = run_firewall(run);
    std::vector<bool> passed;
    for (size_t i = 0; i < frames.size(); ++i)
      passed.push_back(std::ranges::any_of(
          outcome.out, [&](const LeftFrame& f) { return f.at >= frames[i].at && f.at < frames[i].at + 60'000; }));
    INFO(row.rules);
    CHECK(passed == row.passes);
    check_accounts(outcome);
  }
}

TEST_CASE("Protocols without ports are tracked and translated by their addresses") {
  const Compared c = run_and_compare(run_of(),
                                     in_turn({{0, other_protocol(0, kFirst, kRemote)},
                                              {1, other_protocol(1, kRemote, kPublic)},
                                              {0, other_protocol(0, kFirst, kRemote)},
                                              {0, other_protocol(0, kSecond, kRemote)},
                                              {0, other_protocol(0, kSecond, kRemote + 1)}}),
                                     golden_config());
  // The second station's answers from the same host could not be told from the first one's.
  CHECK(c.outcome.dropped("not_translated") == 1);
  CHECK(c.outcome.connections.size() == 2);
}

TEST_CASE("Answers to a port that was chosen find their way") {
  std::vector<std::pair<unsigned, Bytes>> list;
  for (const uint32_t station : {kFirst, kSecond}) {
    list.push_back({0, udp_frame(0, {station, kRemote, 2000, 53})});
    list.push_back({0, tcp_frame(0, {station, kRemote, 2000, 80}, {kSyn, 1, 0})});
    list.push_back({0, echo_frame(0, station, kRemote, 77, false)});
  }
  const Compared first = run_and_compare(run_of(), in_turn(list), golden_config());
  REQUIRE(first.outcome.connections.size() == 6);
  size_t chosen = 0;
  for (const auto& c : first.outcome.connections) {
    const uint16_t port = c.reply.destination_port;
    chosen += port != c.original.source_port;
    if (c.protocol == 17)
      list.push_back({1, udp_frame(1, {kRemote, kPublic, 53, port}, 5)});
    else if (c.protocol == 6)
      list.push_back({1, tcp_frame(1, {kRemote, kPublic, 80, port}, {kSyn | kAck, 50, 2})});
    else
      list.push_back({1, echo_frame(1, kRemote, kPublic, port, true)});
  }
  CHECK(chosen == 3);
  const Compared second = run_and_compare(run_of(), in_turn(list), golden_config());
  CHECK(second.decisions.at("forwarded") == 12);  // nothing was dropped
  for (const auto& c : second.outcome.connections) CHECK((c.flags & control::firewall::kEntryReplied) != 0);
}

TEST_CASE("Later fragments follow their first one, and none is taken for a packet with ports") {
  const auto there = pieces(udp_frame(0, {kFirst, kRemote, 2000, 53}, 92), 40),
             back = pieces(udp_frame(1, {kRemote, kPublic, 53, 2000}, 92), 40);
  REQUIRE(there.size() == 3);
  std::vector<SentFrame> frames = in_turn({{0, there[1]},
                                           {0, there[0]},
                                           {0, there[1]},
                                           {0, there[2]},
                                           {1, back[2]},
                                           {1, back[0]},
                                           {1, back[2]},
                                           {1, back[1]}});
  // Tags tell the packets apart, and those of one must be equal: the order of the list is that of the tags, so the
  // frames are run as they are.
  FirewallRun run = run_of();
  for (SentFrame& f : frames) {
    tag(f.bytes, f.port + 1);
    run.in[f.port].push_back({f.at, f.bytes, false});
  }
  const FirewallOutcome outcome = run_firewall(run);
  // What comes before its first fragment waits for it (RFC 4787 REQ-14): it leaves as if it had come after it.
  FirewallModel model(golden_config());
  std::vector<Bytes> expected, left;
  std::vector<SentFrame> early;
  const auto leaves = [&](const SentFrame& f) {
    const ModelOutcome o = model.process(f.port, f.bytes, 0, [](uint8_t, uint16_t wanted, bool) { return wanted; });
    if (o.kind == ModelOutcome::Kind::forwarded) expected.push_back(o.frame);
    if (o.kind != ModelOutcome::Kind::forwarded) CHECK(o.reason == "fragment_lost");
    return o.kind == ModelOutcome::Kind::forwarded;
  };
  for (const SentFrame& f : frames) {
    if (!leaves(f)) early.push_back(f);
  }
  CHECK(early.size() == 2);
  for (const SentFrame& f : early) CHECK(leaves(f));
  for (const LeftFrame& f : outcome.out) left.push_back(without_padding(f.bytes));
  REQUIRE(left.size() == expected.size());
  CHECK(std::ranges::is_permutation(left, expected));
  CHECK(outcome.dropped("fragment_lost") == 0);
  check_accounts(outcome);
}

TEST_CASE("A fragment of TCP at offset 1 is dropped unless a switch lets it pass (RFC 1858 3.2), one of UDP is not") {
  for (const bool off : {false, true}) {
    INFO("filter off: " << off);
    FirewallRun run = run_of(off ? "switch offset-1-filter off\n" : "");
    std::vector<SentFrame> frames;
    for (const uint8_t protocol : {6, 17}) {
      Bytes whole = protocol == 6 ? tcp_frame(0, {kFirst, kRemote, 2000, 80}, {kSyn, 1, 0, 65535, {}, 60})
                                  : udp_frame(0, {kFirst, kRemote, 2000, 53}, 92);
      // That of TCP reaches into the first one, which has to hold the flags; that of UDP follows its header.
      auto cut = pieces(whole, protocol == 6 ? 40 : 8);
      packet::set16(cut[1], 20, 0x2001);
      for (const Bytes& b : {cut[0], cut[1]}) {
        SentFrame f{100'000 + frames.size() * 60'000, 0, packet::padded(b)};
        tag(f.bytes, protocol);
        run.in[0].push_back({f.at, f.bytes, false});
        frames.push_back(f);
      }
    }
    const FirewallOutcome outcome = run_firewall(run);
    CHECK(outcome.out.size() == (off ? 4 : 3));
    CHECK(outcome.dropped("fragment") == (off ? 0 : 1));
    check_accounts(outcome);
  }
}

TEST_CASE(
    "A packet that is longer than the next hop takes is translated and cut, or answered with 3/4 (RFC 4787 REQ-13)") {
  for (const bool outward : {true, false}) {
    INFO("outward: " << outward);
    FirewallRun run;
    run.config = golden_router();
    const std::string name =
        outward ? "interface B port 1 mac 02:00:00:00:01:0b" : "interface A port 0 mac 02:00:00:00:01:0a";
    run.config.insert(run.config.find(name) + name.size(), " mtu 600");
    run.rules = kGoldenRules;
    const unsigned in = outward ? 0 : 1, out = 1 - in;
    const Ends ends = outward ? Ends{kFirst, kRemote, 2000, 53} : Ends{kRemote, kPublic, 2000, 5353};
    Bytes may = udp_frame(in, ends, 1400), must_not = may, fits = udp_frame(in, ends, 572);
    packet::set16(must_not, 20, 0x4000);
    uint64_t at = 100'000;
    for (Bytes* frame : {&may, &must_not, &fits}) {
      tag(*frame, 7);
      run.in[in].push_back({at, *frame, false});
      at += 100'000;
    }
    const FirewallOutcome outcome = run_firewall(run);
    std::vector<Bytes> cut, others;
    for (const LeftFrame& f : outcome.out) (f.port == out && f.at < 200'000 ? cut : others).push_back(f.bytes);
    // What the model sends in one piece, put together from the pieces: each at most 600 octets, on the grid of 8.
    FirewallModel model(golden_config());
    const auto keep = [](uint8_t, uint16_t wanted, bool) { return wanted; };
    const Bytes whole = model.process(in, may, 0, keep).frame;
    REQUIRE(cut.size() == 3);
    Bytes payload;
    for (size_t i = 0; i < cut.size(); ++i) {
      const size_t total = packet::get16(cut[i], 16);
      CHECK(total <= 600);
      CHECK(checksum_faults(cut[i]).empty());
      CHECK(std::equal(cut[i].begin(), cut[i].begin() + 16, whole.begin()));            // link header, version, TOS
      CHECK(std::equal(cut[i].begin() + 22, cut[i].begin() + 24, whole.begin() + 22));  // TTL, protocol
      CHECK(std::equal(cut[i].begin() + 26, cut[i].begin() + 34, whole.begin() + 26));  // addresses
      CHECK(packet::get16(cut[i], 18) == 7);
      CHECK(packet::get16(cut[i], 20) == ((i + 1 < cut.size() ? 0x2000u : 0u) | payload.size() / 8));
      payload.insert(payload.end(), cut[i].begin() + 34, cut[i].begin() + static_cast<std::ptrdiff_t>(14 + total));
    }
    CHECK(payload == Bytes(whole.begin() + 34, whole.end()));
    REQUIRE(others.size() == 2);
    const Bytes& error = others[0];
    CHECK(error[23] == 1);
    CHECK(packet::get16(error, 34) == 0x0304);
    CHECK(packet::get16(error, 40) == 600);
    CHECK(checksum_faults(error).empty());
    CHECK(packet::get32(error, 30) == ends.source);                                    // to who sent it,
    CHECK(std::equal(error.begin() + 42, error.begin() + 70, must_not.begin() + 14));  // as he knows it
    CHECK(without_padding(others[1]) == model.process(in, fits, 0, keep).frame);
    CHECK(outcome.to_core("to_fragment") == 1);
    CHECK(outcome.report.dropped == 0);
    check_accounts(outcome);
  }
}

TEST_CASE("Nobody sends from the firewall's own addresses") {
  FirewallRun run = run_of("switch martians off\n");
  uint64_t at = 100'000;
  for (const unsigned port : {0u, 1u}) {
    for (const uint32_t own : {0x0a000001u, kPublic}) {
      run.in[port].push_back({at, udp_frame(port, {own, port == 0 ? kRemote : kPublic, 1000, 5353}), false});
      at += 60'000;
    }
  }
  const FirewallOutcome outcome = run_firewall(run);
  CHECK(outcome.out.empty());
  CHECK(outcome.dropped("source_martian") == 4);
  check_accounts(outcome);
}

TEST_CASE("Checksums at their limits: none stays none, and a computed 0 of UDP is sent as ffff") {
  std::vector<std::pair<unsigned, Bytes>> list;
  // Payloads count the checksum through a range in which, translated, it becomes 0 once.
  size_t becomes_zero = 0;
  Bytes base = udp_frame(0, {kFirst, kRemote, 2000, 53}, 8);
  const uint16_t at_zero = packet::get16(base, 40);
  const ModelConfig config = golden_config();
  for (int step = -40; step <= 40; ++step) {
    // The translated sum differs from ours by the addresses alone: find the payload word that makes it ffff.
    uint32_t sum = 0;
    for (const uint32_t w : {kPublic, ~kFirst}) sum += (w >> 16) + (w & 0xffff);
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    uint32_t word = packet::get16(base, 42) + uint32_t{static_cast<uint16_t>(at_zero)} + (0xffff - sum) +
                    static_cast<uint32_t>(step + 0xffff);
    while (word >> 16) word = (word & 0xffff) + (word >> 16);
    Bytes frame = base;
    packet::set16(frame, 42, word);
    packet::set16(frame, 40, 0);
    uint32_t total = 17 + 16;
    for (size_t i = 26; i < 50; i += 2) total += packet::get16(frame, i);
    while (total >> 16) total = (total & 0xffff) + (total >> 16);
    const uint16_t checksum = static_cast<uint16_t>(~total);
    packet::set16(frame, 40, checksum == 0 ? 0xffff : checksum);
    FirewallModel model(config);
    const ModelOutcome o = model.process(0, frame, 0, [](uint8_t, uint16_t wanted, bool) { return wanted; });
    becomes_zero += packet::get16(o.frame, 40) == 0xffff;
    list.push_back({0, frame});
  }
  list.push_back({0, udp_frame(0, {kFirst, kRemote, 2000, 53}, 8, false)});
  CHECK(becomes_zero >= 1);
  run_and_compare(run_of(), in_turn(list), config);
}

TEST_CASE("Every packet can be matched with the rules") {
  FirewallRun run = run_of("firewall match-every-packet on\n");
  run.rules = "drop in A destination-port 53 state established\naccept in A\ndefault drop\n";
  SentFrame frame{100'000, 0, udp_frame(0, {kFirst, kRemote, 2000, 53})};
  for (int i = 0; i < 3; ++i) run.in[0].push_back({frame.at + 60'000u * static_cast<unsigned>(i), frame.bytes, false});
  const FirewallOutcome outcome = run_firewall(run);
  CHECK(outcome.out.size() == 1);  // the first one is not of a connection yet
  CHECK(outcome.dropped("filtered") == 2);
  check_accounts(outcome);
}

TEST_CASE("Connections are shown, and counters with the firewall's own reasons") {
  FirewallRun run = run_of("connections 100\n");
  run.in[0].push_back({100'000, udp_frame(0, {kFirst, kRemote, 2000, 53}), false});
  run.in[0].push_back({150'000, tcp_frame(0, {kFirst, kRemote, 2001, 80}, {kSyn, 1, 0}), false});
  run.in[0].push_back({200'000, tcp_frame(0, {kFirst, kRemote, 2002, 80}, {kAck, 1, 1}), false});
  run.commands = "at 300us: show connections\nat 600us: counters\n";
  run.quiet = 1'000'000;
  const FirewallOutcome outcome = run_firewall(run);
  std::string text;
  for (const std::string& line : outcome.log) text += line + "\n";
  INFO(text);
  CHECK(
      text.find("udp 10.0.0.2:2000 > 198.51.100.7:53, 198.51.100.7:53 > 192.0.2.1:2000, unreplied, 1 and 0 packets") !=
      std::string::npos);
  CHECK(text.find("tcp SYN_SENT 10.0.0.2:2001 > 198.51.100.7:80") != std::string::npos);
  CHECK(text.find("2 of 100 connections in use") != std::string::npos);
  CHECK(text.find("dropped port 0 invalid_state: 1") != std::string::npos);
  CHECK(text.find("connections: 2 accepted") != std::string::npos);
}
