// The one translation unit that holds Catch2's main (it takes seconds to compile), and what Catch2 2.13 does not have:
// cases that are skipped.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdio>

#include "skip.h"
#include "weft/base/run_time.h"

namespace {

constexpr int kSkipped = 77;  // SKIP_RETURN_CODE of weft_test()

/// Of the process: ctest runs one case in each.
struct Skips {
  std::string why;  ///< of the running case; empty when it runs
  size_t skipped = 0, run = 0;
} skips;

struct SkipListener : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo&) override { skips.why.clear(); }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (skips.why.empty()) {
      ++skips.run;
      return;
    }
    ++skips.skipped;
    std::printf("SKIPPED: %s: %s\n", stats.testInfo.name.c_str(), skips.why.c_str());
    std::fflush(stdout);
  }
};
CATCH_REGISTER_LISTENER(SkipListener)

}  // namespace

void weft::skip_test(const std::string& why) { skips.why = why.empty() ? "no reason given" : why; }

int main(int argc, char** argv) {
  const int status = Catch::Session().run(argc, argv);
  weft::note_run_time();
  return status == 0 && skips.skipped > 0 && skips.run == 0 ? kSkipped : status;
}
