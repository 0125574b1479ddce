// A project folder that goes away with the test.
#pragma once

#include <catch2/catch.hpp>

#include <unistd.h>

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
  void write(const std::string& name, const std::string& text) const { REQUIRE(write_file((path_ / name).string(), text)); }
  Result<Project> load(const Overrides& overrides = {}) const { return load_project(path_.string(), overrides); }
  /// Loads, builds and fails the test with the message when that does not go.
  std::unique_ptr<Session> session() const {
    auto project = load();
    if (!project) FAIL(project.error().list()[0].text);
    auto session = Session::create(std::move(*project));
    if (!session) FAIL(session.error().list()[0].text);
    return std::move(*session);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace weft::workbench::test
