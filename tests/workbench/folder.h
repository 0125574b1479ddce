// A project folder that goes away with the test.
#pragma once

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "weft/base/files.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"

namespace weft::workbench::test {

class Folder {
 public:
  Folder() : path_(std::filesystem::path(WEFT_BINARY_DIR) / ("workbench_test_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }

  std::filesystem::path path() const { return path_; }
  void write(const std::string& name, const std::string& text) const {
    REQUIRE(write_file((path_ / name).string(), text));
  }
  Result<Project> load(const Overrides& overrides = {}) const { return load_project(path_.string(), overrides); }
  /// Loads, builds and fails the test with the message when that does not go.
  std::unique_ptr<Session> session(const Observation& observation = {}) const {
    auto project = load();
    if (!project) FAIL(project.error().list()[0].text);
    auto session = Session::create(std::move(*project), observation);
    if (!session) FAIL(session.error().list()[0].text);
    return std::move(*session);
  }

 private:
  std::filesystem::path path_;
};

// Adds 3 + 2 + 1 and writes the sum. Addresses: 0 n, 1 sum, 2 the addition, 3 and 4 the loop, 5 base, 6 the datum,
// 7 the write, 8 kill.
inline const char* const kSum = R"(.reg n sum base
.reg write $result
.sig written
immed[n, 3]
immed[sum, 0]
again#:
alu[sum, sum, +, n]
alu[n, n, -, 1]
bne[again#]
immed[base, 0x100]
alu[$result, --, B, sum]
scratch[write, $result, base, 0, 1], ctx_swap[written]
ctx_arb[kill]
)";

inline std::string project(const std::string& rest = "",
                           const std::string& program = R"({"source": "p.uc", "engines": [0]})") {
  return R"({"version": 1, "board": "generic-2400", "programs": [)" + program + "]" + rest + "}";
}

inline std::unique_ptr<Session> session_of(const Folder& folder, const std::string& source,
                                           const std::string& rest = "", const Observation& observation = {}) {
  folder.write("p.uc", source);
  folder.write("weft.json", project(rest));
  return folder.session(observation);
}

}  // namespace weft::workbench::test
