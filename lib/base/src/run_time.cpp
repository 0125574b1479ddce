#include "weft/base/run_time.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

namespace weft {
namespace {

uint64_t nanoseconds(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

/// Of all machines of the process, whatever thread they run in.
std::atomic<uint64_t> in_machines{0};
/// Nobody pays for the clock, a call of the system, unless somebody wants the sums.
const bool wanted = std::getenv("WEFT_RUN_TIMES") != nullptr;

}  // namespace

RunClock::RunClock() : began_(wanted ? nanoseconds(CLOCK_THREAD_CPUTIME_ID) : 0) {}
RunClock::~RunClock() {
  if (wanted) in_machines.fetch_add(nanoseconds(CLOCK_THREAD_CPUTIME_ID) - began_, std::memory_order_relaxed);
}

void restart_run_time() { in_machines = 0; }

void note_run_time() {
  const char* const path = std::getenv("WEFT_RUN_TIMES");
  if (path == nullptr) return;
  const int file = ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  const std::string line =
      fmt::format("{} {}\n", in_machines.load() / 1000, nanoseconds(CLOCK_PROCESS_CPUTIME_ID) / 1000);
  [[maybe_unused]] const ssize_t written = ::write(file, line.data(), line.size());  // one write: lines do not mix
  ::close(file);
}

}  // namespace weft
