// Trials in several threads, as weft bench makes them for several sizes: each has a session of its own, and nothing
// else is shared (the thread sanitizer looks on in the tsan build).
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "weft/base/render.h"
#include "weft/workbench/bench.h"

using namespace weft;
using namespace weft::workbench;

namespace {

std::string trial(const Project& project, const Offered& offered) {
  const auto done = run_trial(project, offered);
  return done ? bench_json("", "throughput", {*done}) : render_text(done.error());
}

}  // namespace

TEST_CASE("trials of one project in three threads give what they give alone") {
  for (const char* example : {"ipv4-forwarder", "diffserv-edge-1200"}) {
    INFO(example);
    const auto project = load_project(std::string(WEFT_SOURCE_DIR "/examples/") + example, {});
    REQUIRE(project);
    std::vector<Offered> offers;
    for (const char* size : {"64", "256", "imix"}) offers.push_back({size, 400, 10, {}});
    std::vector<std::string> together(offers.size());
    {
      std::vector<std::jthread> threads;
      for (size_t i = 0; i < offers.size(); ++i)
        threads.emplace_back([&, i] { together[i] = trial(*project, offers[i]); });
    }
    for (size_t i = 0; i < offers.size(); ++i) {
      CHECK(together[i].find("\"frames-in\"") != std::string::npos);
      CHECK(together[i] == trial(*project, offers[i]));
    }
  }
}
