// Generated mixes with flipped bits, cuts and noise through both routers of the IXP2400. WEFT_FULL=1 sends 100,000
// frames through each, WEFT_SEED other ones.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "../control/route_tables.h"
#include "mixed_traffic.h"

using namespace weft;
using namespace weft::test;

namespace {

void run_mix(RouterCase router, uint64_t frames, uint64_t seed, const std::string& checks) {
  Random random(seed);
  router.run.checks = checks;
  for (uint64_t i = 0; i < frames; ++i) {
    const unsigned port = static_cast<unsigned>(i % router.ports);
    router.run.in[port].push_back(mixed_frame(random, router, port, static_cast<uint32_t>(i / router.ports), {}));
  }
  INFO(router.run.example << ", WEFT_SEED=" << seed);
  const RouterOutcome outcome = run_router(router.run);
  const Comparison c = compare(router.run, outcome, router.reference);
  // It was a mix: most reasons are there, and about half of the frames go through.
  CHECK(c.expected.size() > 15);
  CHECK(c.forwarded > frames * 2 / 5);
  CHECK(outcome.report.handed_to_core > frames / 50);
  CHECK(c.foreign > 0);
  fmt::print(
      "{}: {} frames, {} cycles: {} forwarded, {} dropped (core ring full {}, transmit ring full {}), {} to the core, "
      "which sent {}\n",
      router.run.example, frames, outcome.report.cycles, c.forwarded, outcome.report.dropped,
      outcome.dropped("core_ring_full"), outcome.dropped("transmit_ring_full"), outcome.report.handed_to_core,
      outcome.core_sent());
}

const char* const kBuffersOnly = "off,buffer-free=warn,buffer-leak=warn,access=warn";

}  // namespace

TEST_CASE("A mix of good and damaged frames through the IPv4 forwarder") {
  run_mix(forwarder_case(false), full_run() ? 100'000 : 4'000, seed_or(51), kBuffersOnly);
}

TEST_CASE("A mix of good and damaged frames through the dual-stack router") {
  run_mix(dual_stack_case(false), full_run() ? 100'000 : 4'000, seed_or(52), kBuffersOnly);
}

TEST_CASE("The checks find nothing in the routers, whatever comes in") {
  run_mix(forwarder_case(false), 1'000, seed_or(53), "warn");
  run_mix(dual_stack_case(false), 1'000, seed_or(54), "warn");
}
