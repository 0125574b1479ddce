#include "edge_run.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "must.h"
#include "weft/base/files.h"
#include "weft/emulator/units.h"

namespace weft::test {

namespace {

std::string project_text(const EdgeSetup& s) {
  const std::string root = WEFT_SOURCE_DIR;
  const std::string example = root + "/examples/diffserv-edge-1200/";
  std::string programs;
  for (unsigned e = 0; e < 6; ++e)
    programs += fmt::format(R"({}{{"source": "{}{}.uc", "engines": [{}], "define": {{"ENGINE": {}, "RANGE": {}}}}})",
                            e ? ", " : "", example, e < 4 ? "receive" : "transmit", e, e, s.range ? 1 : 0);
  return fmt::format(
      R"({{"version": 1, "name": "edge", "board": "nctu-1200", "include": ["{}/lib/microblocks"], "programs": [{}],
    "control": {{"program": "diffserv-1200", "config": "router.conf"}}, "ports": [{}], "limits": {{"quiet": {}, "cycles": {}}}}})",
      root, programs, ports_text(kPorts1200, s.in, s.line_rate), s.quiet, s.cycles);
}

}  // namespace

EdgeResult run_edge(const EdgeSetup& setup) {
  const TemporaryFolder folder;
  must(write_file(folder / "router.conf",
                  star1200() + fmt::format("rules edge.rules\nclassifier {}\n", setup.range ? "range" : "linear") +
                      setup.settings));
  must(write_file(folder / "edge.rules", setup.rules));
  must(write_file(folder / "other.rules", setup.other));
  EdgeResult result;
  const auto session = session_in(folder, project_text(setup), setup.in);
  session->on_log([&](const std::string& text) {
    EdgeResult::Metered m;
    unsigned engine = 0, context = 0;
    uint64_t high = 0, low = 0;
    if (std::sscanf(text.c_str(), "metered %u %u %lu %lu %u", &engine, &context, &high, &low, &m.bytes) == 5) {
      m.thread = engine * 4 + context;
      m.now = high << 32 | low;
      result.metered.push_back(m);
    } else {
      result.answers += text + "\n";
    }
  });
  if (setup.log_meters) {
    for (const char* place : {"metered#", "metered_srtcm#", "metered_trtcm#"}) {
      workbench::Breakpoint log;
      log.target = place;
      log.log = "metered {me} {ctx} {now_high} {now_low} {total}";
      must(session->add_breakpoint(log));
    }
  }
  if (!setup.commands.empty()) must(session->add_commands(make_source("commands", setup.commands)));
  run_to_end(*session, folder, kPorts1200, result);
  result.free_buffers = free_buffers1200(*session);
  INFO(result.stop.text);
  REQUIRE(result.stop.kind == (setup.cycles == 0 ? workbench::Stop::Kind::quiet : workbench::Stop::Kind::cycles));
  return result;
}

uint64_t EdgeResult::figure(const std::string& row, int port, const std::string& column) const {
  for (const auto& f : report.service) {
    if (f.row != row || f.port != port) continue;
    for (const auto& [name, count] : f.columns)
      if (name == column) return count;
  }
  return 0;
}

}  // namespace weft::test
