// The measured cases of tests/data/golden, each through answer(): what leaves is what was recorded.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "answer_support.h"
#include "weft/base/files.h"

using namespace weft;
using namespace weft::test;
using namespace weft::control;

namespace {

/// Where the reference departs from the standards: what happens instead, and the rule.
struct Departure {
  Outcome outcome;
  bool filter_only;  ///< with the martian filter off the recorded frames leave
};
const std::map<std::string, Departure> kDepartures{
    {"ip-013", {Outcome::source_martian, true}},        // source 0/8: RFC 1812 5.3.7
    {"ip-016", {Outcome::source_martian, true}},        // source is a connected net's broadcast: the same
    {"ip-018", {Outcome::source_martian, true}},        // source 169.254/16 stays on its link: RFC 3927 2.7
    {"ip-020", {Outcome::destination_martian, true}},   // destination 0/8: RFC 1812 5.3.7
    {"ip-060", {Outcome::destination_martian, false}},  // destination :: must not be used: RFC 4291 2.5.2
    {"ip-062", {Outcome::link_local, false}},  // link-local destination from the link itself: dropped without redirect
};

Bytes padded(Bytes frame) {
  if (frame.size() < 60) frame.resize(60);
  return frame;
}

/// Octets that need not be equal are set to 0 in both: those of the case, and the flow label of what the router itself
/// sends over IPv6, which every sender chooses as it likes (RFC 6437); ours is 0.
Bytes comparable(Bytes frame, const nlohmann::json& recorded, bool own) {
  for (const auto& range : recorded["ignore"]) {
    for (size_t i = 0; i < range[1].get<size_t>(); ++i) frame.at(range[0].get<size_t>() + i) = 0;
  }
  if (own && frame[12] == 0x86 && frame[13] == 0xdd) frame[15] &= 0xf0, frame[16] = frame[17] = 0;
  return padded(std::move(frame));
}

void compare(const nlohmann::json& c, const Answer& result) {
  REQUIRE(result.frames.size() == c["out"].size());
  const bool own = c["verdict"] != "forward";
  for (size_t i = 0; i < result.frames.size(); ++i) {
    const auto& recorded = c["out"][i];
    CHECK(result.frames[i].port == (recorded["port"] == "A" ? 0 : 1));
    CHECK(to_hex(comparable(result.frames[i].bytes, recorded, own)) ==
          to_hex(comparable(from_hex(recorded["frame"]), recorded, own)));
    CHECK(faults(result.frames[i].bytes, own).empty());
  }
}

}  // namespace

TEST_CASE("Answers to the measured cases") {
  const auto text = read_file(std::string(WEFT_SOURCE_DIR) + "/tests/data/golden/ip_forwarding.json");
  REQUIRE(text);
  const auto golden = nlohmann::json::parse(*text);
  size_t compared = 0, departed = 0;
  for (const auto& c : golden["cases"]) {
    const std::string id = c["id"];
    if (id == "ip-027") continue;  // for another station: the control processor never sees it
    INFO(id << " " << std::string(c["case"]));
    const Bytes in = from_hex(c["in"]);
    ListRouter router = router_r(c["egress_mtu"]);
    const unsigned port = c["port"] == "A" ? 0 : 1;
    const bool options = in[12] == 8 && in[14] > 0x45;
    AnswerState state{TokenBucket::unlimited(), {}, 1};
    const auto run = [&] { return answer(router, port, options ? Reason::options : Reason::local, in, state, 0); };
    const auto departure = kDepartures.find(id);
    if (departure != kDepartures.end()) {
      const Answer result = run();
      CHECK(result.outcome == departure->second.outcome);
      CHECK(result.frames.empty());
      ++departed;
      if (!departure->second.filter_only) continue;
      router.filter = false;
    }
    const Answer result = run();
    INFO(outcome_name(result.outcome));
    compare(c, result);
    ++compared;
  }
  CHECK(compared == 68);
  CHECK(departed == kDepartures.size());
}
