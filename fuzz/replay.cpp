// Runs a target over inputs that are files: the seed corpus and what fuzzing has found, in every build.
//
//   weft_fuzz_replay TARGET [--mutants N] PATH...   a path is a file or a folder (all files below it)
//
// --mutants N: N changed inputs of each, too, by the mutators that know their form (WEFT_SEED chooses others). When one
// ends the process, it lies in weft-fuzz-mutant-TARGET.
// An input that takes more than ten seconds of processor time is a failure, as it is in a fuzzing run; with a
// sanitizer, which slows every access, two minutes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <vector>

#include "mutators.h"
#include "weft/base/files.h"
#include "weft/base/random.h"

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

/// Changes a few bytes anywhere.
std::string mutate_bytes(std::string bytes) {
  static weft::Random random(1);
  for (uint64_t left = 1 + random.below(3); left > 0; --left) {
    const size_t at = random.below(bytes.size() + 1);
    if (at == bytes.size() || random.chance(1, 4))
      bytes.insert(at, 1, static_cast<char>(random.below(256)));
    else if (random.chance(1, 4))
      bytes.erase(at, 1 + random.below(4));
    else
      bytes[at] = static_cast<char>(random.below(256));
  }
  return bytes;
}

/// Seconds of processor time.
double timed(const weft::fuzz::Target& target, const std::string& bytes) {
  const std::clock_t begin = std::clock();
  target.run(bytes);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
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
  int first = 2;
  uint64_t mutants = 0;
  if (count > 3 && std::string_view(arguments[2]) == "--mutants") {
    mutants = std::strtoull(arguments[3], nullptr, 10);
    first = 4;
  }
  const char* chosen = std::getenv("WEFT_SEED");
  const uint64_t seed = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  const std::string mutant_file = "weft-fuzz-mutant-" + std::string(target->name);
  const std::vector<fs::path> inputs = files_below(count - first, arguments + first);
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
    double seconds = timed(*target, *bytes);
    for (uint64_t m = 0; m < mutants && seconds <= kLongest; ++m) {
      const std::string mutant = weft::fuzz::mutate(*target, *bytes, seed * 1'000'000 + m, mutate_bytes);
      std::ofstream(mutant_file, std::ios::binary) << mutant;
      seconds = timed(*target, mutant);
    }
    if (seconds <= kLongest) continue;
    fmt::print(stderr, "{}: took {:.1f} s\n", path.string(), seconds);
    ++failures;
  }
  if (mutants != 0 && failures == 0) fs::remove(mutant_file);
  fmt::print("{}: {} inputs\n", target->name, inputs.size());
  return failures == 0 ? 0 : 1;
}
