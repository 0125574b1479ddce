// Time and memory for the benchmarks.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

namespace weft::bench {

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Seconds of processor time of one call: other programs on the machine do not count.
template <class F>
double seconds(F&& f) {
  const double begin = processor_seconds();
  f();
  return processor_seconds() - begin;
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

template <class F>
double median_seconds(int rounds, F&& f) {
  std::vector<double> all;
  for (int i = 0; i < rounds; ++i) all.push_back(seconds(f));
  return median(all);
}

/// Megabytes that a process of its own needs at most to do it; negative when it could not be measured.
template <class F>
double peak_megabytes(F&& f) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    f();
    _exit(0);
  }
  rusage usage{};
  int status = 0;
  if (wait4(child, &status, 0, &usage) < 0 || status != 0) return -1;
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace weft::bench
