#include "machine.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "must.h"
#include "weft/base/files.h"
#include "weft/base/temporary_folder.h"
#include "weft/workbench/project.h"

namespace weft::test {

std::unique_ptr<workbench::Session> run_on(const std::string& board, const std::string& source,
                                           const std::map<std::string, long>& defines,
                                           const std::function<void(workbench::Session&)>& prepare, uint64_t cycles) {
  const std::string root = WEFT_SOURCE_DIR;
  std::string list;
  for (const auto& [name, value] : defines) list += fmt::format("{}\"{}\": {}", list.empty() ? "" : ", ", name, value);
  const TemporaryFolder folder;
  must(write_file(folder / "weft.json",
                  fmt::format(R"({{"version": 1, "board": "{4}", "include": ["{0}/lib/microblocks"],
    "programs": [{{"source": "{0}/tests/diffserv/{1}", "engines": [0], "define": {{{2}}}}}],
    "limits": {{"cycles": {3}, "quiet": {3}}}}})",
                              root, source, list, cycles, board)));
  auto session = must(workbench::Session::create(must(workbench::load_project(folder / "weft.json"))));
  prepare(*session);
  const workbench::Stop stop = session->run({});
  INFO(stop.text);
  REQUIRE(stop.kind == workbench::Stop::Kind::breakpoint);
  return session;
}

std::unique_ptr<workbench::Session> run_project(const std::string& folder, uint64_t cycles,
                                                const std::function<void(workbench::Session&)>& prepare) {
  workbench::Project project = must(workbench::load_project(std::string(WEFT_SOURCE_DIR) + "/" + folder));
  project.keep_frames = true;
  project.limits.cycles = cycles;
  auto session = must(workbench::Session::create(std::move(project)));
  prepare(*session);
  const workbench::Stop stop = session->run({});
  INFO(stop.text);
  REQUIRE(stop.kind == workbench::Stop::Kind::cycles);
  return session;
}

}  // namespace weft::test
