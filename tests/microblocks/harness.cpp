#include "harness.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "must.h"
#include "weft/base/files.h"
#include "weft/base/temporary_folder.h"
#include "weft/workbench/project.h"

namespace weft::test {

std::unique_ptr<workbench::Session> run_harness(const std::string& source, const std::map<std::string, long>& defines,
                                                uint64_t cycles) {
  const std::string root = WEFT_SOURCE_DIR;
  std::string list;
  for (const auto& [name, value] : defines) list += fmt::format("{}\"{}\": {}", list.empty() ? "" : ", ", name, value);
  const TemporaryFolder folder;
  must(write_file(folder / "weft.json",
                  fmt::format(R"({{"version": 1, "board": "generic-2400", "include": ["{0}/lib/microblocks"],
    "programs": [{{"source": "{0}/tests/microblocks/{1}", "engines": [0], "define": {{{2}}}}}],
    "limits": {{"cycles": {3}, "quiet": {3}}}}})",
                              root, source, list, cycles)));
  auto session = must(workbench::Session::create(must(workbench::load_project(folder / "weft.json"))));
  const workbench::Stop stop = session->run({});
  INFO(stop.text);
  REQUIRE(stop.kind == workbench::Stop::Kind::breakpoint);
  return session;
}

}  // namespace weft::test
