#include "harness.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <filesystem>

#include "weft/assembler/assembler.h"
#include "weft/base/files.h"
#include "weft/base/render.h"
#include "weft/workbench/project.h"

namespace weft::test {

namespace {

template <class T>
T must(Result<T> result) {
  if (!result) FAIL(render_text(result.error()));
  return std::move(*result);
}

}  // namespace

std::unique_ptr<workbench::Session> run_harness(const std::string& source, const std::map<std::string, long>& defines,
                                                uint64_t cycles, bool optimise) {
  const std::string root = WEFT_SOURCE_DIR;
  std::string folder = (std::filesystem::temp_directory_path() / "weft-block-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()));
  assembler::Options options;
  options.include_dirs = {root + "/lib/microblocks"};
  for (const auto& [name, value] : defines) options.defines.emplace_back(name, std::to_string(value));
  options.optimize = optimise;
  const assembler::Assembly assembly = assembler::assemble(root + "/tests/microblocks/" + source, options);
  INFO(render_text(assembly.diagnostics));
  REQUIRE(assembly.image);
  must(write_file(folder + "/block.json", image::to_json(*assembly.image)));
  must(write_file(folder + "/weft.json",
                  fmt::format(R"({{"version": 1, "board": "generic-2400",
    "programs": [{{"image": "block.json", "engines": [0]}}],
    "limits": {{"cycles": {0}, "quiet": {0}}}}})",
                              cycles)));
  auto session = must(workbench::Session::create(must(workbench::load_project(folder + "/weft.json"))));
  std::filesystem::remove_all(folder);
  const workbench::Stop stop = session->run({});
  INFO(stop.text);
  REQUIRE(stop.kind == workbench::Stop::Kind::breakpoint);
  return session;
}

}  // namespace weft::test
