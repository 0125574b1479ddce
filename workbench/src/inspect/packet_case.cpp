#include "weft/workbench/packet_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "weft/base/files.h"
#include "weft/packet/decode.h"
#include "weft/workbench/dissect.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"
#include "weft/workbench/testing.h"

namespace weft::workbench {
namespace {

namespace fs = std::filesystem;
using emulator::PacketRecord;
using nlohmann::ordered_json;

std::string hex(const std::vector<uint8_t>& bytes) { return fmt::format("{:02x}", fmt::join(bytes, "")); }

std::string fate(emulator::Verdict verdict, const std::string& reason, int port) {
  if (verdict == emulator::Verdict::forwarded) return fmt::format("forwarded to port {}", port);
  return std::string(emulator::to_text(verdict)) + (reason.empty() ? "" : ", " + reason);
}

/// Blanks after every field of a row would make frames unreadable, so a test is an object of a line each.
std::string text_of(const ordered_json& test, const std::string& project) {
  std::string out =
      fmt::format("{{\n  \"version\": 1,\n  \"project\": {},\n  \"tests\": [\n    {{\n", ordered_json(project).dump());
  out += fmt::format("      \"name\": {},\n", test["name"].dump());
  if (test.contains("check")) out += fmt::format("      \"check\": {},\n", test["check"].dump());
  out += "      \"in\": [\n";
  const auto rows = [&](const ordered_json& list) {
    for (size_t i = 0; i < list.size(); ++i)
      out += fmt::format("{}{}\n", "        " + list[i].dump(), i + 1 < list.size() ? "," : "");
  };
  rows(test["in"]);
  out += "      ],\n      \"expect\": {\n";
  if (test["expect"].contains("drops")) out += fmt::format("        \"drops\": {},\n", test["expect"]["drops"].dump());
  if (test["expect"].contains("exceptions"))
    out += fmt::format("        \"exceptions\": {},\n", test["expect"]["exceptions"].dump());
  out += "        \"out\": [\n";
  rows(test["expect"]["out"]);
  return out + "        ]\n      }\n    }\n  ]\n}\n";
}

std::vector<const PacketRecord*> in_order(const emulator::PacketTracker& tracker) {
  std::vector<const PacketRecord*> out;
  for (const PacketRecord& r : tracker.records()) out.push_back(&r);
  std::sort(out.begin(), out.end(), [](const PacketRecord* a, const PacketRecord* b) { return a->number < b->number; });
  return out;
}

/// Writes the test and runs it: empty, or why it does not pass.
std::string proof(const std::string& file, const std::string& text) {
  if (auto written = write_file(file, text); !written) return written.error().list().front().text;
  const auto plan = plan_tests({file}, {});
  if (!plan) return plan.error().list().front().text;
  if (plan->cases.size() != 1) return plan->problems.empty() ? "it holds no test" : plan->problems.list().front().text;
  const CaseOutcome outcome = run_case(plan->cases.front(), {});
  return is_good(outcome.verdict) ? std::string() : outcome.text;
}

}  // namespace

Result<std::string> write_packet_case(const std::string& project_path, const std::vector<PacketOfCase>& given,
                                      const std::string& file) {
  const auto refuse = [&](std::string code, std::string text, std::string remedy) {
    return fail(std::move(code), whole_file(file), std::move(text), std::move(remedy));
  };
  if (given.empty()) return refuse("packet-case-frames", "no packet is chosen", "choose one or more in the list");
  std::vector<PacketOfCase> packets = given;
  std::stable_sort(packets.begin(), packets.end(),
                   [](const PacketOfCase& a, const PacketOfCase& b) { return a.nanoseconds < b.nanoseconds; });
  for (const PacketOfCase& p : packets)
    if (p.frame.empty())
      return refuse("packet-case-frames", "the frame of a packet was not kept", "let the run keep frames");

  auto project = load_project(project_path);
  if (!project) return tl::unexpected(std::move(project.error()));
  const fs::path project_file = project->folder;
  for (PortEntry& port : project->ports) {
    port.in = {};
    port.out.reset();
  }
  ordered_json in = ordered_json::array();
  for (const PacketOfCase& p : packets) {
    auto port = std::find_if(project->ports.begin(), project->ports.end(),
                             [&](const PortEntry& e) { return e.port == p.port; });
    if (port == project->ports.end()) port = project->ports.insert(port, PortEntry{p.port, {}, {}, {}});
    const uint64_t at = p.nanoseconds - packets.front().nanoseconds;
    port->in.kind = TrafficEntry::Kind::listed;
    port->in.frames.push_back({at, p.frame, p.damaged});
    ordered_json row{{"port", p.port}};
    if (at != 0) row["at"] = fmt::format("{}ns", at);
    if (p.damaged) row["damaged"] = true;
    row["frame"] = hex(p.frame);
    in.push_back(std::move(row));
  }
  project->keep_frames = true;
  Observation observation;
  observation.packets = observation.packet_limits.frames = true;
  auto session = Session::create(std::move(*project), observation);
  if (!session) return tl::unexpected(std::move(session.error()));
  if ((*session)->chips().size() > 1)
    return refuse("packet-case-board", "the board has several chips, and packets are numbered on each of them",
                  "write the test by hand (docs/testing.md)");
  (*session)->run({});
  if (auto finished = (*session)->finish(); !finished) return tl::unexpected(std::move(finished.error()));

  // Each must fare as it did.
  const auto records = in_order(*(*session)->packets());
  std::vector<bool> taken(records.size());
  for (size_t i = 0; i < packets.size(); ++i) {
    const PacketOfCase& p = packets[i];
    size_t k = 0;
    while (k < records.size() && (taken[k] || records[k]->port != p.port || records[k]->data != p.frame)) ++k;
    if (k == records.size())
      return refuse("packet-case-other", fmt::format("packet {} of the choice did not enter when it ran alone", i + 1),
                    "its frame may be one that no port takes");
    taken[k] = true;
    const PacketRecord& now = *records[k];
    const bool same =
        now.verdict == p.verdict && (p.verdict == emulator::Verdict::forwarded
                                         ? now.out_port == p.out_port && sent_frame(now.data, now.bytes_of) == p.sent
                                         : now.reason == p.reason);
    if (!same)
      return refuse("packet-case-other",
                    fmt::format("{}: in its run it was {}, alone it is {}{}", packet_summary(p.frame),
                                fate(p.verdict, p.reason, p.out_port), fate(now.verdict, now.reason, now.out_port),
                                now.verdict == p.verdict && now.out_port == p.out_port ? " with other bytes" : ""),
                    "it depends on packets before it, or on commands: choose those packets too, or write the test with "
                    "'commands' (docs/testing.md)");
  }

  ordered_json test;
  test["name"] = packets.size() == 1
                     ? fmt::format("{}: {}", packet_summary(packets[0].frame),
                                   fate(packets[0].verdict, packets[0].reason, packets[0].out_port))
                     : fmt::format("{} packets from {}", packets.size(), packet_summary(packets[0].frame));
  test["in"] = in;
  ordered_json& expect = test["expect"];
  const Report report = (*session)->report();
  for (const auto& [name, list] : {std::pair{"drops", &report.drops}, std::pair{"exceptions", &report.exceptions}})
    for (const ReasonFigures& f : *list)
      if (f.count != 0)
        expect[name][f.reason] =
            f.count +
            (expect.contains(name) && expect[name].contains(f.reason) ? expect[name][f.reason].get<uint64_t>() : 0);
  expect["out"] = ordered_json::array();
  for (unsigned port = 0; port < (*session)->ports(); ++port)
    for (const Session::SentFrame& frame : (*session)->sent(port))
      expect["out"].push_back({{"port", port}, {"frame", hex(frame.bytes)}});
  session->reset();

  std::error_code error;
  const fs::path folder = fs::absolute(file, error).parent_path();
  fs::path beside = fs::relative(fs::absolute(project_file, error), folder, error);
  if (error || beside.empty()) beside = fs::absolute(project_file);
  // The proof is that it passes. A race is the project's, and no packet's: where one is found, the test does not ask.
  std::string why = proof(file, text_of(test, beside.generic_string()));
  if (why.find("[check-race]") != std::string::npos) {
    test["check"] = "warn,race=off";
    why = proof(file, text_of(test, beside.generic_string()));
  }
  if (!why.empty()) {
    fs::remove(file, error);
    return refuse("packet-case-fails", fmt::format("the test does not pass as it was made: {}", why),
                  "a check of the run may have found something: see docs/observers.md");
  }
  return test["name"].get<std::string>();
}

}  // namespace weft::workbench
