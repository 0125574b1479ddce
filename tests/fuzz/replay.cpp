// Runs a target over inputs that are files: the seed corpus and what fuzzing has found, in every build.
//
//   weft_fuzz_replay TARGET PATH...   a path is a file or a folder (all files below it)
//
// An input that takes more than ten seconds of processor time is a failure, as it is in a fuzzing run; with a
// sanitizer, which slows every access, two minutes.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <vector>

#include "targets.h"
#include "weft/base/files.h"

namespace {

namespace fs = std::filesystem;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kLongest = 120;  // seconds
#else
constexpr double kLongest = 10;
#endif

std::vector<fs::path> files_below(int count, char** paths) {
  std::vector<fs::path> out;
  for (int i = 0; i < count; ++i) {
    if (!fs::is_directory(paths[i])) {
      out.emplace_back(paths[i]);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(paths[i])) {
      if (entry.is_regular_file()) out.push_back(entry.path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

int main(int count, char** arguments) {
  const weft::fuzz::Target* target = count > 1 ? weft::fuzz::find_target(arguments[1]) : nullptr;
  if (target == nullptr) {
    fmt::print(stderr, "usage: weft_fuzz_replay TARGET PATH...\ntargets:");
    for (const weft::fuzz::Target& known : weft::fuzz::targets()) fmt::print(stderr, " {}", known.name);
    fmt::print(stderr, "\n");
    return 2;
  }
  const std::vector<fs::path> inputs = files_below(count - 2, arguments + 2);
  if (inputs.empty()) {
    fmt::print(stderr, "no inputs for {}\n", target->name);
    return 1;
  }
  int failures = 0;
  for (const fs::path& path : inputs) {
    const auto bytes = weft::read_file(path.string());
    if (!bytes) {
      fmt::print(stderr, "{}: cannot be read\n", path.string());
      return 1;
    }
    fmt::print("{}\n", path.string());
    std::fflush(stdout);  // the last line names the input on which the process ended
    const std::clock_t begin = std::clock();
    target->run(*bytes);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (seconds <= kLongest) continue;
    fmt::print(stderr, "{}: took {:.1f} s\n", path.string(), seconds);
    ++failures;
  }
  fmt::print("{}: {} inputs\n", target->name, inputs.size());
  return failures == 0 ? 0 : 1;
}
