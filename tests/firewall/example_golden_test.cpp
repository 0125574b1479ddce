// The measured scenarios through the whole program.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "firewall_run.h"
#include "golden.h"
#include "weft/base/files.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr uint64_t kFirst = 100'000,
                   kApart = 100'000;  // nanoseconds; the control processor has answered by the next case

}  // namespace

TEST_CASE("The firewall does what was measured") {
  size_t compared = 0, departed = 0;
  for (const GoldenGroup& group : golden_groups()) {
    FirewallRun run;
    run.config = golden_router();
    run.rules = kGoldenRules;
    uint64_t at = kFirst;
    for (const GoldenCase& c : group.cases) {
      run.in[c.port].push_back({at, c.in, false});
      at += kApart;
    }
    const FirewallOutcome outcome = run_firewall(run);
    std::string drops;
    for (const auto& row : outcome.report.drops) drops += fmt::format(" {} {}", row.count, row.reason);
    INFO("group " << group.name << ", dropped:" << drops);
    check_accounts(outcome);

    FirewallModel model(golden_config());
    std::map<std::string, uint64_t> reasons;
    std::vector<LeftFrame> fragments;
    for (size_t i = 0; i < group.cases.size(); ++i) {
      const GoldenCase& c = group.cases[i];
      INFO(c.id << " " << c.name);
      std::vector<LeftFrame> left;
      for (const LeftFrame& f : outcome.out) {
        if (f.at >= kFirst + i * kApart && f.at < kFirst + (i + 1) * kApart) left.push_back(f);
      }
      for (const LeftFrame& f : left) {
        if (c.id != "nat-012") CHECK(checksum_faults(f.bytes).empty());
      }
      // The model is led along: it says the reason, and whether a port that was chosen was free.
      const auto choose = [&](uint8_t protocol, uint16_t wanted, bool free) -> uint16_t {
        if (free) return wanted;
        if (left.size() != 1) return 0;
        const uint16_t chosen = packet::get16(left[0].bytes, protocol == 1 ? 38 : 34);
        CHECK(model.port_free(protocol, chosen));
        CHECK(chosen != wanted);
        return chosen;
      };
      const ModelOutcome expected = model.process(c.port, c.in, 0, choose);
      if (expected.kind != ModelOutcome::Kind::forwarded) ++reasons[expected.reason];

      const auto departure = departures().find(c.id);
      const bool answered = departure != departures().end() && departure->second.why == "the control processor answers";
      if (departure != departures().end() && !answered) {
        ++departed;
        if (departure->second.ours != "forward") CHECK(left.empty());
        if (departure->second.ours == "forward") {
          CHECK(left.size() == 1);
          if (left.size() != 1) continue;
          CHECK(without_padding(left[0].bytes) == without_padding(expected.frame));
          fragments.push_back(left[0]);
        }
        if (c.id == "nat-061") {
          CHECK(fragments.size() == 3);
          for (size_t f = 0; f < fragments.size(); ++f)
            CHECK(golden_difference(c.out[f], fragments[f].port, fragments[f].bytes) == "");
        }
        continue;
      }
      ++compared;
      CHECK(left.size() == c.out.size());
      for (size_t f = 0; f < std::min(left.size(), c.out.size()); ++f)
        CHECK(golden_difference(c.out[f], left[f].port, left[f].bytes) == "");
    }
    for (const auto& [reason, count] : reasons) {
      INFO("reason " << reason);
      CHECK(outcome.dropped(reason) + outcome.to_core(reason) == count);
    }
    CHECK(outcome.connections.size() == model.connections().size());
    for (const auto& c : outcome.connections) {
      const ModelConnection* known = model.find(
          {c.protocol, c.original.source, c.original.destination, c.original.source_port, c.original.destination_port});
      INFO(control::firewall::to_text(c));
      REQUIRE(known != nullptr);
      CHECK(known->tuple[1].destination_port == c.reply.destination_port);
      if (c.protocol == 6) CHECK(static_cast<unsigned>(known->tcp.state) == c.state);
      CHECK(known->replied == ((c.flags & control::firewall::kEntryReplied) != 0));
    }
  }
  CHECK(compared == 54);
  CHECK(departed == 7);
}

TEST_CASE(
    "Each measured case in which the firewall departs from the reference is named by a standard, and in the "
    "documents") {
  const auto text = read_file(std::string(WEFT_SOURCE_DIR) + "/docs/firewall.md");
  REQUIRE(text);
  for (const auto& [id, d] : departures()) {
    if (d.why == "the control processor answers") continue;  // with the very frames that were measured
    fmt::print("{}: {}; {}\n", id, d.ours, d.why);
    INFO(id);
    CHECK(d.why.find("RFC ") != std::string::npos);
    const size_t row = text->find("| " + id);
    REQUIRE(row != std::string::npos);
    CHECK(text->substr(row, text->find('\n', row) - row).find("RFC ") != std::string::npos);
  }
}
