// Frames at random through answer(): whatever comes, what leaves is well-formed and fits its link.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "answer_support.h"
#include "weft/base/files.h"
#include "weft/base/random.h"
#include "weft/packet/checksum.h"
#include "weft/packet/decode.h"
#include "weft/packet/layers.h"

using namespace weft;
using namespace weft::test;
using namespace weft::control;
using packet::build;

namespace {

/// The IPv4 packet of a frame without what follows it.
Bytes trimmed(Bytes f) {
  const size_t at = f.size() > 16 && f[12] == 0x81 ? 18 : 14;
  if (f.size() >= at + 20) f.resize(std::min<size_t>(f.size(), at + f[at + 2] * 256u + f[at + 3]));
  return f;
}

bool passed_on(Outcome o) { return o == Outcome::forwarded || o == Outcome::fragmented; }

/// Frames to start from: the measured ones, and every kind that the router answers.
std::vector<Bytes> seeds() {
  std::vector<Bytes> list;
  const auto text = read_file(std::string(WEFT_SOURCE_DIR) + "/tests/data/golden/ip_forwarding.json");
  REQUIRE(text);
  const auto golden = nlohmann::json::parse(*text);
  for (const auto& c : golden["cases"]) {
    list.push_back(from_hex(c["in"]));
    for (const auto& out : c["out"]) list.push_back(from_hex(out["frame"]));
  }
  const packet::Ethernet link{packet::Mac{kMacA}, packet::Mac{kHostA}, {}};
  const packet::Ethernet all{packet::Mac{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}, packet::Mac{kHostA}, {}};
  list.push_back(build({all, packet::Arp{1, packet::Mac{kHostA}, {four("10.0.0.9")}, {}, {four("10.0.0.1")}}}));
  list.push_back(
      build({link, packet::Arp{2, packet::Mac{kHostA}, {four("10.0.0.9")}, packet::Mac{kMacA}, {four("10.0.0.1")}}}));
  packet::Ipv4 ip;
  ip.source = {four("10.0.0.2")};
  for (const char* to : {"10.0.0.1", "192.0.2.1", "198.51.100.7", "192.0.2.99", "10.0.0.255"}) {
    ip.destination = {four(to)};
    for (const char* options :
         {"", "07070400000000", "440c050100000000000000009f04aabb", "44080500000000008307040a000001"}) {
      ip.options = from_hex(options);
      list.push_back(build({link, ip, packet::Icmp{8, 0, 5, {}}, packet::Payload{Bytes(300, 9)}}));
    }
  }
  packet::Ipv6 six_ip;
  six_ip.source = six("2001:db8:a::2");
  for (const char* to : {"2001:db8:a::1", "ff02::1:ff00:1", "2001:db8:b::99", "fe80::ff:fe00:10a"}) {
    six_ip.destination = six(to);
    six_ip.hop_limit = 255;
    const packet::Ipv6Address own = six("2001:db8:a::1");
    Bytes target(own.octets.begin(), own.octets.end());
    for (const uint8_t b : from_hex("010102000000000a")) target.push_back(b);
    for (const uint8_t type : {128, 135, 136}) {
      list.push_back(build({link, six_ip, packet::Icmp{type, 0, 0, {}}, packet::Payload{target}}));
      list.push_back(
          build({link, packet::Vlan{7, 0, false, {}}, six_ip, packet::Icmp{type, 0, 0, {}}, packet::Payload{target}}));
    }
  }
  // A source that is of its link alone, for places behind the router: RFC 4291 2.5.6.
  six_ip.source = six("fe80::2");
  for (const char* to : {"2001:db8:b::99", "2001:db8:b::7"}) {
    six_ip.destination = six(to);
    list.push_back(build({link, six_ip, packet::Icmp{128, 0, 0, {}}, packet::Payload{Bytes(20, 9)}}));
  }
  // Labelled packets: those above, after one to three labels.
  const size_t without = list.size();
  for (size_t i = 0; i < without; i += 4) {
    const Bytes& f = list[i];
    if (f.size() < 34 || (f[12] != 8 && f[12] != 0x86) || f[13] == 6) continue;
    Bytes labelled(f.begin(), f.begin() + 12);
    packet::put16(labelled, i % 20 == 16 ? 0x8848 : 0x8847);
    for (size_t n = 0; n <= i % 3; ++n)
      packet::put32(labelled, static_cast<uint32_t>((100 + (i / 4 + n) % 4) << 12 | (n == i % 3 ? 0x100 : 0) | 9));
    labelled.insert(labelled.end(), f.begin() + 14, f.end());
    list.push_back(std::move(labelled));
  }
  return list;
}

/// Makes the sum of an IPv4 header right again, where there is one.
void mend(Bytes& f) {
  const size_t at = f.size() > 16 && f[12] == 0x81 ? 18 : 14;
  if (f.size() < at + 20 || f[at - 2] != 8 || f[at - 1] != 0) return;
  const size_t header = (f[at] & 15u) * 4;
  if (header < 20 || at + header > f.size()) return;
  packet::set16(f, at + 10, 0);
  packet::set16(f, at + 10, packet::internet_checksum(ByteView(f).subspan(at, header)));
}

Bytes mutated(Random& random, Bytes f) {
  for (uint64_t n = random.below(4); n > 0; --n) {
    switch (random.below(5)) {
      case 0:
        if (!f.empty()) f[random.below(f.size())] ^= static_cast<uint8_t>(1u << random.below(8));
        break;
      case 1: f.resize(random.below(f.size() + 1)); break;
      case 2:
        if (f.size() > 14)
          f[random.between(14, std::min<size_t>(f.size() - 1, 80))] = static_cast<uint8_t>(random.next32());
        break;
      case 3:
        for (size_t i = 14; i < f.size(); ++i)
          f[i] = random.chance(1, 8) ? static_cast<uint8_t>(random.next32()) : f[i];
        break;
      default: f.resize(f.size() + random.below(40), static_cast<uint8_t>(random.next32())); break;
    }
  }
  if (random.chance(3, 4)) mend(f);
  return f;
}

}  // namespace

TEST_CASE("Random frames: no crash, and only well-formed frames leave") {
  const char* given = std::getenv("WEFT_SEED");
  const uint64_t seed = given ? std::strtoull(given, nullptr, 0) : 1812;
  const unsigned rounds = std::getenv("WEFT_FULL") ? 1'000'000 : 100'000;
  INFO("WEFT_SEED=" << seed);
  Random random(seed);
  const std::vector<Bytes> from = seeds();
  std::map<Outcome, unsigned> seen;
  AnswerState state{TokenBucket::unlimited(), {}, 1};
  std::map<uint32_t, ListRouter> routers;
  for (const uint32_t mtu : {68u, 300u, 1280u, 1500u}) {
    ListRouter& router = routers[mtu] = router_r(mtu);
    router.list.push_back({0, 7, kMacA, 1500, {}, {{six("2001:db8:a::1"), 64}}});
    mpls::Lsp lsp;
    lsp.kind = mpls::Lsp::Kind::pop;
    router.labels[100] = {lsp, {}};
    lsp.mode = {false, false};
    lsp.pops = 2;
    router.labels[101] = {lsp, {}};
    lsp.kind = mpls::Lsp::Kind::swap;
    router.labels[102] = {lsp, hop_to(router, 1, kHostB)};
  }
  for (unsigned i = 0; i < rounds; ++i) {
    ListRouter& router = std::next(routers.begin(), static_cast<long>(random.below(routers.size())))->second;
    router.filter = random.chance(1, 2);
    const Bytes frame = mutated(random, from[random.below(from.size())]);
    // On the heap and of exactly this size, so that tools see a read beyond the end.
    const std::unique_ptr<uint8_t[]> exact(new uint8_t[frame.size()]);
    std::copy(frame.begin(), frame.end(), exact.get());
    const std::array reasons{Reason::options, Reason::local, Reason::mpls_ttl, Reason::mpls_router_alert, Reason::mtu};
    const Reason reason = reasons[random.chance(4, 5) ? random.below(2) : random.below(reasons.size())];
    const Answer a =
        answer(router, static_cast<unsigned>(random.below(3)), reason, ByteView(exact.get(), frame.size()), state, i);
    ++seen[a.outcome];
    std::string wrong;
    if (!a.frames.empty() && (a.outcome == Outcome::malformed || refused(a.outcome)))
      wrong = "refused, and yet frames left";
    for (const OutgoingFrame& f : a.frames) {
      const bool own = !passed_on(a.outcome);
      // A fragment that came in with a fault of the grid goes on with it.
      const std::vector<std::string> before = own ? std::vector<std::string>{} : faults(trimmed(frame), false);
      for (const std::string& fault : faults(f.bytes, own)) {
        const bool came = std::find(before.begin(), before.end(), fault) != before.end() &&
                          (fault.find("grid") != std::string::npos || fault.find("beyond") != std::string::npos);
        if (!came) wrong += fault + "; ";
      }
      const auto decoded = packet::decode(f.bytes);
      if (own) {
        for (const std::string& fault : decoded.faults) wrong += fault + "; ";
      }
      const size_t link = 14 + (decoded.find("vlan") ? 4 : 0);
      const bool version6 = f.bytes[link - 2] == 0x86;
      if (f.port > 1 || (f.bytes.size() - link > router.list[f.port].mtu && !version6))
        wrong += "does not fit the link; ";
      if (own && f.bytes.size() - link > 1500) wrong += "an answer longer than any error; ";
    }
    if (wrong.empty()) continue;
    INFO(wrong);
    INFO(to_hex(frame));
    INFO(outcome_name(a.outcome));
    for (const OutgoingFrame& f : a.frames) UNSCOPED_INFO(to_hex(f.bytes));
    FAIL("a frame at random");
  }
  // All of them were met, or the test would not look at all code.
  for (size_t o = 0; o < kOutcomes; ++o) {
    const auto outcome = static_cast<Outcome>(o);
    if (outcome == Outcome::rate_limited || outcome == Outcome::discard_route || outcome == Outcome::host_unreachable)
      continue;
    INFO(outcome_name(outcome));
    CHECK(seen[outcome] > 0);
  }
}
