#include "router_run.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "must.h"
#include "octets.h"
#include "weft/base/files.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"
#include "weft/control/layout.h"
#include "weft/emulator/units.h"

namespace weft::test {

namespace {

uint64_t sum_of(const std::vector<workbench::ReasonFigures>& rows, const std::string& reason) {
  uint64_t n = 0;
  for (const auto& row : rows) n += row.reason == reason ? row.count : 0;
  return n;
}
bool is_frame(const workbench::ReasonFigures& row) { return row.reason.rfind("frame: ", 0) == 0; }

/// Each context of a receiver keeps a spare buffer, which may stand still where the free list has put it; each port
/// keeps one of a frame that was discarded.
unsigned kept_by_receivers(const workbench::Session& session, const RouterRun& run) {
  unsigned kept = 0;
  for (const unsigned engine : run.receivers) {
    for (unsigned context = 0; context < 8; ++context) {
      kept += must(session.read(fmt::format("me{}.ctx{}.spare", engine, context))) != 0 ||
              must(session.read(fmt::format("me{}.ctx{}.$spare_in", engine, context))) != 0;
    }
    for (unsigned port = 0; port < session.ports(); ++port)
      kept += must(session.read(fmt::format("me{}.lm[{}]", engine, port * 4))) != 0;
  }
  return kept;
}

}  // namespace

uint64_t RouterOutcome::dropped(const std::string& reason) const { return sum_of(report.drops, reason); }
uint64_t RouterOutcome::to_core(const std::string& reason) const { return sum_of(report.exceptions, reason); }
uint64_t RouterOutcome::core_sent() const { return sum_of(report.core, "frame: sent"); }
uint64_t RouterOutcome::core_taken() const {
  uint64_t n = 0;
  for (const auto& row : report.core) n += is_frame(row) ? 0 : row.count;
  return n;
}

RouterOutcome run_router(const RouterRun& run) {
  const TemporaryFolder folder;
  const std::string config = folder / "router.conf";
  must(write_file(config, run.config));
  workbench::Project project = must(workbench::load_project(std::string(WEFT_SOURCE_DIR) + "/examples/" + run.example));
  project.control->config = config;
  for (workbench::ProgramEntry& p : project.programs)
    p.defines.insert(p.defines.end(), run.defines.begin(), run.defines.end());
  project.keep_frames = true;
  project.limits.quiet_cycles = run.quiet;
  for (workbench::PortEntry& p : project.ports) {
    p.in = {};
    const auto frames = run.in.find(p.port);
    if (frames == run.in.end()) continue;
    p.in.kind = workbench::TrafficEntry::Kind::listed;
    p.in.frames = frames->second;
  }
  const std::vector<workbench::PortEntry> ports = project.ports;
  workbench::Observation observation;
  observation.checks = must(workbench::parse_check_modes(run.checks));
  auto session = must(workbench::Session::create(std::move(project), observation));

  RouterOutcome outcome;
  session->on_log([&outcome](const std::string& text) { outcome.log.push_back(text); });
  if (!run.commands.empty()) must(session->add_commands(std::make_shared<const SourceFile>("commands", run.commands)));
  outcome.buffers_before = session->units().host().ring(0).count;
  const workbench::Stop stop = session->run({});
  INFO(stop.text);
  REQUIRE(stop.kind == workbench::Stop::Kind::quiet);
  must(session->finish());
  outcome.report = session->report();
  outcome.buffers_after = session->units().host().ring(0).count + kept_by_receivers(*session, run);
  outcome.findings = session->findings();
  for (const workbench::PortEntry& p : ports) {
    for (const auto& f : session->sent(p.port)) {
      outcome.out[p.port].push_back(padded(f.bytes));
      outcome.left_at[p.port].push_back(static_cast<uint64_t>(static_cast<long double>(f.at) * 1e9L /
                                                              static_cast<long double>(session->ticks_per_second())));
    }
  }
  return outcome;
}

Comparison compare(const RouterRun& run, const RouterOutcome& outcome, const RouterReference& reference, bool order) {
  struct Came {
    unsigned port;
    size_t number;
    bool left = false;
  };
  Comparison c;
  std::map<unsigned, std::map<std::string, std::vector<Came>>> to_leave;
  uint64_t frames = 0, to_core = 0, to_send = 0;
  for (const auto& [port, list] : run.in) {
    for (size_t i = 0; i < list.size(); ++i) {
      RouterDecision d = list[i].damaged ? RouterDecision{"drop receive_error", 0, {}} : reference(port, list[i].bytes);
      ++frames;
      ++c.expected[d.text];
      to_core += d.text.rfind("core ", 0) == 0;
      to_send += d.text == "sent";
      if (d.text == "sent") to_leave[d.port][octets(padded(std::move(d.frame)))].push_back({port, i});
    }
  }

  for (const auto& [port, list] : outcome.out) {
    std::map<unsigned, size_t> next;  // by input port: the number after the last one that has left
    for (const Bytes& frame : list) {
      const auto place = to_leave[port].find(octets(frame));
      if (place == to_leave[port].end()) {
        ++c.foreign;
        continue;
      }
      Came* found = nullptr;
      for (Came& came : place->second) {
        if (!found && !came.left && (!order || came.number >= next[came.port])) found = &came;
      }
      if (!found) {
        ++c.misplaced;
        continue;
      }
      found->left = true;
      next[found->port] = found->number + 1;
      ++c.forwarded;
    }
  }
  c.missing = to_send - c.forwarded;

  const workbench::Report& r = outcome.report;
  CHECK(r.frames_in == frames);
  CHECK(c.misplaced == 0);
  CHECK(c.foreign == outcome.core_sent());
  CHECK(c.missing == outcome.dropped("transmit_ring_full"));
  // Engines' reasons. What the core ring had no room for is missing from the exceptions, whatever its reason.
  uint64_t short_of = 0;
  for (const control::ReasonName& reason : control::kReasonNames) {
    const std::string name(reason.name);
    INFO("reason " << name);
    if (name == "core_ring_full" || name == "transmit_ring_full") continue;
    const auto expected = [&](const std::string& text) {
      const auto at = c.expected.find(text + name);
      return at == c.expected.end() ? 0 : at->second;
    };
    if (control::is_drop(reason.reason)) {
      CHECK(outcome.dropped(name) == expected("drop "));
    } else {
      CHECK(outcome.to_core(name) <= expected("core "));
      short_of += expected("core ") - outcome.to_core(name);
    }
  }
  CHECK(short_of == outcome.dropped("core_ring_full"));
  CHECK(r.handed_to_core + outcome.dropped("core_ring_full") == to_core);
  CHECK(outcome.core_taken() == r.handed_to_core);
  const auto lost = c.expected.find("lost");
  CHECK(r.lost == (lost == c.expected.end() ? 0 : lost->second));
  CHECK(c.forwarded + r.dropped + r.handed_to_core + r.lost == frames);
  CHECK(outcome.buffers_before == kBuffers);
  CHECK(outcome.buffers_after == kBuffers);
  INFO(render_text(outcome.findings));
  CHECK(outcome.findings.empty());
  return c;
}

}  // namespace weft::test
