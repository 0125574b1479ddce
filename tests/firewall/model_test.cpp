// The models against what was measured: they must stand on their own feet before the microcode is compared with them.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "golden.h"
#include "weft/packet/layers.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("The model of translation and tracking does what was measured") {
  size_t compared = 0, departed = 0, cases = 0;
  for (const GoldenGroup& group : golden_groups()) {
    FirewallModel model(golden_config());
    std::vector<Bytes> fragments;
    for (const GoldenCase& c : group.cases) {
      ++cases;
      INFO(c.id << " " << c.name);
      // What was chosen freely stands in the recorded frame.
      const auto choose = [&](uint8_t protocol, uint16_t wanted, bool free) -> uint16_t {
        if (free) return wanted;
        REQUIRE(c.out.size() == 1);
        const uint16_t chosen = packet::get16(c.out[0].frame, protocol == 1 ? 38 : 34);
        CHECK(model.port_free(protocol, chosen));
        CHECK(chosen != wanted);
        return chosen;
      };
      const ModelOutcome outcome = model.process(c.port, c.in, 0, choose);
      const auto departure = departures().find(c.id);
      const std::string kind = outcome.kind == ModelOutcome::Kind::dropped ? "drop "
                               : outcome.kind == ModelOutcome::Kind::core  ? "core "
                                                                           : "forward";
      if (outcome.kind == ModelOutcome::Kind::forwarded) {
        if (c.id != "nat-012") CHECK(checksum_faults(outcome.frame).empty());
        fragments.push_back(outcome.frame);
      }
      if (departure != departures().end()) {
        CHECK(kind + outcome.reason == departure->second.ours);
        ++departed;
        if (c.id == "nat-061") {  // together the three are what the reference sends at the end
          REQUIRE(fragments.size() == 3);
          REQUIRE(c.out.size() == 3);
          for (size_t i = 0; i < 3; ++i) CHECK(golden_difference(c.out[i], 1, fragments[i]).empty());
        }
        continue;
      }
      ++compared;
      INFO(kind << outcome.reason);
      CHECK((outcome.kind == ModelOutcome::Kind::forwarded) == !c.out.empty());
      if (outcome.kind != ModelOutcome::Kind::forwarded || c.out.empty()) continue;
      REQUIRE(c.out.size() == 1);
      CHECK(golden_difference(c.out[0], outcome.port, outcome.frame) == "");
    }
  }
  CHECK(cases == 61);
  CHECK(departed == departures().size());
  CHECK(compared == 61 - departures().size());
}

namespace {

constexpr const char* kInitiator[6] = {
    // states:  NONE SS SR ES FW CW LA TW CL S2    (netfilter's table: I ignore, - invalid)
    /* SYN     */ "SS SS I  I  I  I  I  SS SS S2",
    /* SYN/ACK */ "-  -  SR -  -  -  -  -  -  SR",
    /* FIN     */ "-  -  FW FW LA LA LA TW CL - ",
    /* ACK     */ "-  -  ES ES CW CW TW TW CL - ",
    /* RST     */ "-  CL CL CL CL CL CL CL CL CL",
    /* none    */ "-  -  -  -  -  -  -  -  -  - ",
};
constexpr const char* kResponder[6] = {
    /* SYN     */ "-  S2 -  -  -  -  -  -  -  S2",  // netfilter reopens TIME_WAIT here: a new flow only by rule, so we
                                                    // do not
    /* SYN/ACK */ "-  SR I  I  I  I  I  I  I  SR",
    /* FIN     */ "-  -  FW FW LA LA LA TW CL - ",
    /* ACK     */ "-  I  SR ES CW CW TW TW CL I ",
    /* RST     */ "-  CL CL CL CL CL CL CL CL CL",
    /* none    */ "-  -  -  -  -  -  -  -  -  - ",
};
constexpr std::array<std::string_view, kTcpStates> kNames{"NONE", "SS", "SR", "ES", "FW", "CW", "LA", "TW", "CL", "S2"};

std::string cell(const char* row, size_t column) {
  std::istringstream words(row);
  std::string word;
  for (size_t i = 0; i <= column; ++i) words >> word;
  return word;
}

}  // namespace

TEST_CASE("The model's states are those of the published table") {
  for (unsigned direction = 0; direction < 2; ++direction) {
    for (unsigned what = 0; what < 6; ++what) {
      for (unsigned state = 0; state < kTcpStates; ++state) {
        const weft::test::TableEntry e = table_entry(static_cast<SegmentClass>(what), direction, static_cast<Tcp>(state));
        const std::string expected = cell((direction == 0 ? kInitiator : kResponder)[what], state);
        INFO("direction " << direction << " class " << what << " state " << kNames[state]);
        CHECK((e.refuse ? "-" : e.ignore ? "I" : std::string(kNames[static_cast<size_t>(e.next)])) == expected);
      }
    }
  }
}

TEST_CASE("The model's flag sets are the nine valid ones") {
  unsigned valid = 0;
  for (unsigned flags = 0; flags < 64; ++flags) {
    Segment s;
    s.fin = flags & 1, s.syn = flags & 2, s.rst = flags & 4, s.psh = flags & 8, s.ack = flags & 16, s.urg = flags & 32;
    const unsigned bare = flags & ~8u;
    const bool expected = bare == 2 || bare == (2 | 32) || bare == (2 | 16) || bare == 4 || bare == (4 | 16) ||
                          bare == (1 | 16) || bare == (1 | 16 | 32) || bare == 16 || bare == (16 | 32);
    INFO("flags " << flags);
    CHECK(valid_flags(s) == expected);
    valid += valid_flags(s);
  }
  CHECK(valid == 18);  // nine, with PSH and without
}
