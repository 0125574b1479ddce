#include "sweep.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "weft/base/files.h"
#include "weft/base/render.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"

namespace weft::test {

namespace {

constexpr uint32_t kHeaders = 0x200000, kResults = 0x600000;

template <class T>
T must(Result<T> result) {
  if (!result) FAIL(render_text(result.error()));
  return std::move(*result);
}

std::unique_ptr<workbench::Session> make(const Sweep& what, size_t count) {
  const std::string root = WEFT_SOURCE_DIR;
  const unsigned contexts = std::min(what.contexts, what.board == "generic-2400" ? 8u : 4u);
  std::string folder = (std::filesystem::temp_directory_path() / "weft-classify-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()));
  must(write_file(folder + "/weft.json",
                  fmt::format(R"({{"version": 1, "board": "{0}", "include": ["{1}/lib/microblocks"],
    "programs": [{{"source": "{1}/tests/classify/classify_sweep.uc", "engines": [0],
                   "define": {{"COUNT": {2}, "HEADERS_AT": {3}, "RESULTS_AT": {4}, "RANGE": {5}, "CONTEXTS": {6}}}}}],
    "limits": {{"cycles": 40000000000, "quiet": 40000000000}}}})",
                              what.board, root, count, kHeaders, kResults, what.range ? 1 : 0, contexts)));
  workbench::Observation observation;
  observation.statistics = what.statistics;
  auto session = must(workbench::Session::create(must(workbench::load_project(folder + "/weft.json")), observation));
  std::filesystem::remove_all(folder);
  return session;
}

}  // namespace

SweepResult run_sweep(const Sweep& what, const control::classify::TableImage& table, const std::vector<Fields>& headers) {
  REQUIRE(kHeaders + headers.size() * 16 <= kResults);
  REQUIRE(table.at + table.bytes() <= kHeaders);
  auto session = make(what, headers.size());
  auto& host = session->units().host();
  const auto write = [&](uint32_t address, uint32_t value) { host.write(emulator::MemorySpace::sram, address, value); };
  write(0, table.root);
  for (size_t i = 0; i < table.words.size(); ++i) write(table.at + static_cast<uint32_t>(i) * 4, table.words[i]);
  for (size_t i = 0; i < headers.size(); ++i) {
    const auto& h = headers[i];
    const auto at = kHeaders + static_cast<uint32_t>(i) * 16;
    write(at, h[0]);
    write(at + 4, h[1]);
    write(at + 8, h[2] << 16 | h[3]);
    write(at + 12, h[4] << 8 | h[5]);
  }
  const workbench::Stop stop = session->run({});
  INFO(stop.text);
  REQUIRE(stop.kind == workbench::Stop::Kind::breakpoint);
  SweepResult out;
  for (size_t i = 0; i < headers.size(); ++i) {
    out.rules.push_back(static_cast<int>(host.read(emulator::MemorySpace::sram, kResults + static_cast<uint32_t>(i) * 4)));
  }
  const auto report = session->report();
  out.cycles = report.cycles;
  out.instructions = report.instructions;
  if (const auto* statistics = session->statistics()) {
    for (const auto& unit : statistics->figures().units) {
      if (!unit.name.starts_with("sram")) continue;
      out.sram_reads += unit.commands;
      out.sram_longwords += unit.longwords_in;
    }
  }
  return out;
}

}  // namespace weft::test
