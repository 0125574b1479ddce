#include "edge_run.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "must.h"
#include "weft/base/files.h"
#include "weft/base/temporary_folder.h"
#include "weft/emulator/units.h"
#include "weft/workbench/project.h"

namespace weft::test {

namespace fs = std::filesystem;

namespace {

std::string project_text(const EdgeSetup& s) {
  const std::string root = WEFT_SOURCE_DIR;
  const std::string example = root + "/examples/diffserv-edge-1200/";
  std::string programs, ports;
  for (unsigned e = 0; e < 6; ++e)
    programs += fmt::format(R"({}{{"source": "{}{}.uc", "engines": [{}], "define": {{"ENGINE": {}, "RANGE": {}}}}})",
                            e ? ", " : "", example, e < 4 ? "receive" : "transmit", e, e, s.range ? 1 : 0);
  for (unsigned p = 0; p < kPorts1200; ++p) {
    const std::string in = s.in.count(p) ? fmt::format(R"("in": {{"capture": "in{}.pcap", "timing": "{}"}}, )", p,
                                                       s.line_rate ? "line-rate" : "capture")
                                         : "";
    ports += fmt::format(R"({}{{"port": {}, {}"out": "out{}.pcap"}})", p ? ", " : "", p, in, p);
  }
  return fmt::format(
      R"({{"version": 1, "name": "edge", "board": "nctu-1200", "include": ["{}/lib/microblocks"], "programs": [{}],
    "control": {{"program": "diffserv-1200", "config": "router.conf"}}, "ports": [{}], "limits": {{"quiet": {}, "cycles": {}}}}})",
      root, programs, ports, s.quiet, s.cycles);
}

}  // namespace

EdgeResult run_edge(const EdgeSetup& setup) {
  const TemporaryFolder folder;
  must(write_file(folder / "router.conf",
                  star1200() + fmt::format("rules edge.rules\nclassifier {}\n", setup.range ? "range" : "linear") +
                      setup.settings));
  must(write_file(folder / "edge.rules", setup.rules));
  must(write_file(folder / "other.rules", setup.other));
  must(write_file(folder / "weft.json", project_text(setup)));
  for (const auto& [port, frames] : setup.in) must(packet::write_pcap(folder / fmt::format("in{}.pcap", port), frames));

  EdgeResult result;
  auto session = must(workbench::Session::create(must(workbench::load_project(folder / "weft.json"))));
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
  result.stop = session->run({});
  must(session->finish());
  result.report = session->report();
  result.free_buffers = static_cast<unsigned>(session->units().host().list(0).size());
  for (unsigned thread = 0; thread < 16; ++thread)
    result.free_buffers += must(session->read(fmt::format("me{}.ctx{}.buffer", thread / 4, thread % 4))) != 0;
  result.state_hash = session->state_hash();
  for (unsigned p = 0; p < kPorts1200; ++p)
    result.out[p] = must(packet::read_pcap(folder / fmt::format("out{}.pcap", p)));
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
