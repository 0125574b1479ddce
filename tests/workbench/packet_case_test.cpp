// A test file made of packets of a run passes `weft test` as it stands, and one that would not is not written.
#include "weft/workbench/packet_case.h"

#include <filesystem>
#include <map>

#include "folder.h"
#include "weft/workbench/testing.h"

using namespace weft;
using namespace weft::workbench;
using emulator::PacketRecord;
using Fate = weft::emulator::Verdict;
using namespace weft::workbench::test;

namespace {

const std::string kRouter = WEFT_SOURCE_DIR "/examples/dual-stack-router/weft.json";

std::unique_ptr<Session> followed(const std::string& project_path, uint64_t packets, uint64_t options = 0) {
  auto project = load_project(project_path);
  REQUIRE(project);
  project->limits.packets = packets;
  if (options != 0) {
    project->ports[0].in.special = TrafficEntry::Special::options;
    project->ports[0].in.special_permille = static_cast<uint32_t>(options);
    project->ports[1].in.destinations = "2001:db9::/32";  // no route
  }
  Observation observation;
  observation.packets = observation.packet_limits.frames = true;
  auto session = Session::create(std::move(*project), observation);
  REQUIRE(session);
  (*session)->run({});
  return std::move(*session);
}

PacketOfCase of(const PacketRecord& r) {
  return {r.port, r.arrived, r.damaged, r.data, r.verdict, r.reason, r.out_port, sent_frame(r.data, r.bytes_of)};
}

}  // namespace

TEST_CASE("packets of every fate become a test that passes") {
  const Folder folder;
  const auto session = followed(kRouter, 400, 100);
  std::map<Fate, PacketOfCase> fates;
  for (const PacketRecord& r : session->packets()->records()) fates.try_emplace(r.verdict, of(r));
  REQUIRE(fates.contains(Fate::forwarded));
  REQUIRE(fates.contains(Fate::to_core));
  std::vector<std::vector<PacketOfCase>> choices;
  for (const auto& [verdict, packet] : fates)
    if (verdict != Fate::in_flight) choices.push_back({packet});
  std::vector<PacketOfCase> some;
  for (const PacketRecord& r : session->packets()->records())
    if (r.verdict == Fate::forwarded && some.size() < 5) some.push_back(of(r));
  choices.push_back(some);
  for (size_t i = 0; i < choices.size(); ++i) {
    const std::string file = (folder.path() / (std::to_string(i) + ".test.json")).string();
    const auto made = write_packet_case(kRouter, choices[i], file);
    if (!made) FAIL(made.error().list()[0].text);
    const auto plan = plan_tests({file}, {});
    REQUIRE(plan);
    REQUIRE(plan->cases.size() == 1);
    CHECK(plan->cases[0].name == *made);
    const CaseOutcome outcome = run_case(plan->cases[0], {});
    INFO(outcome.text);
    CHECK(outcome.verdict == workbench::Verdict::passed);
    // It can fail: another byte of the first frame that is expected, or of the reason.
    std::string text = *read_file(file);
    const size_t out = text.rfind("\"frame\":\"");
    const size_t at = text.find("\"exceptions\": {\"");
    if (text.find("\"out\": [\n        ]") == std::string::npos)
      text[out + 9 + 30] = text[out + 9 + 30] == '0' ? '1' : '0';
    else
      text.insert(at + 16, "x");
    const std::string other = (folder.path() / "other.test.json").string();
    REQUIRE(write_file(other, text));
    const auto wrong = plan_tests({other}, {});
    REQUIRE(wrong);
    REQUIRE(wrong->cases.size() == 1);
    CHECK(run_case(wrong->cases[0], {}).verdict == workbench::Verdict::failed);
  }
}

TEST_CASE("a packet of the IXP1200's router becomes a test") {
  const Folder folder;
  const std::string project = WEFT_SOURCE_DIR "/examples/ipv4-forwarder-1200/weft.json";
  const auto session = followed(project, 50);
  const std::string file = (folder.path() / "one.test.json").string();
  const auto made = write_packet_case(project, {of(session->packets()->records().front())}, file);
  if (!made) FAIL(made.error().list()[0].text);
  const auto plan = plan_tests({file}, {});
  REQUIRE(plan);
  CHECK(run_case(plan->cases.at(0), {}).verdict == workbench::Verdict::passed);
}

TEST_CASE("no test is written of packets that fare otherwise alone") {
  const Folder folder;
  const auto session = followed(kRouter, 50);
  const std::string file = (folder.path() / "other.test.json").string();
  PacketOfCase packet = of(session->packets()->records().front());
  packet.verdict = Fate::dropped;
  packet.reason = "of_another_run";
  const auto refused = [&](const std::vector<PacketOfCase>& packets) {
    const auto made = write_packet_case(kRouter, packets, file);
    REQUIRE_FALSE(made);
    CHECK_FALSE(std::filesystem::exists(file));
    return made.error().list()[0].code;
  };
  CHECK(refused({packet}) == "packet-case-other");
  CHECK(refused({}) == "packet-case-frames");
  packet.frame.clear();
  CHECK(refused({packet}) == "packet-case-frames");
}
