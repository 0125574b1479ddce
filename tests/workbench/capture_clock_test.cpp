// Captures that are sent at their own times share one clock.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "folder.h"
#include "weft/packet/pcap.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

constexpr uint64_t kBegin = 1'700'000'000'000'000'000;  // nanoseconds since 1970
constexpr uint64_t kWire = (8 + 60 + 4) * 48;           // ticks of a frame of 60 octets at a gigabit, 6 ticks a ns

/// A capture of frames of 60 octets at these times after kBegin.
void capture(const Folder& folder, const std::string& name, const std::vector<uint64_t>& nanoseconds) {
  auto writer = packet::PcapWriter::create((folder.path() / name).string());
  REQUIRE(writer);
  for (const uint64_t at : nanoseconds) writer->write(kBegin + at, packet::Bytes(60, 1));
  REQUIRE(writer->commit());
}

Result<std::unique_ptr<Session>> session_with(const Folder& folder, const std::string& ports) {
  folder.write("p.uc", "ctx_arb[kill]\nnop\n");
  folder.write("weft.json", test::project(R"(, "ports": [)" + ports + R"(], "limits": {"quiet": 3000})"));
  auto project = folder.load();
  if (!project) return tl::unexpected(project.error());
  return Session::create(std::move(*project));
}

std::string at_capture_time(unsigned port, const std::string& file, const std::string& rest = "") {
  return fmt::format(R"({{"port": {}, "in": {{"capture": "{}", "timing": "capture"{}}}}})", port, file, rest);
}

}  // namespace

TEST_CASE("ports that replay captures at their times keep the distances between the captures") {
  const Folder folder;
  capture(folder, "asks.pcap", {2'000, 300'000});
  capture(folder, "answers.pcap", {100'000, 400'000});
  auto session = session_with(folder, at_capture_time(0, "asks.pcap") + ", " + at_capture_time(1, "answers.pcap") +
                                          ", " + R"({"port": 2, "in": {"capture": "answers.pcap"}})");
  REQUIRE(session);
  (*session)->run({});
  const emulator::Units& units = (*session)->units();
  CHECK(units.counters(0).first_received == kWire);
  CHECK(units.counters(0).last_received == 298'000 * 6 + kWire);
  CHECK(units.counters(1).first_received == 98'000 * 6 + kWire);
  CHECK(units.counters(1).last_received == 398'000 * 6 + kWire);
  CHECK(units.counters(2).first_received == kWire);  // back to back: no clock
}

TEST_CASE("frames of a capture that are not in the order of their times are put into it") {
  const Folder folder;
  capture(folder, "a.pcap", {300'000, 0, 200'000});
  capture(folder, "b.pcap", {100'000});
  auto session = session_with(folder, at_capture_time(0, "a.pcap") + ", " + at_capture_time(1, "b.pcap"));
  REQUIRE(session);
  (*session)->run({});
  const emulator::Units& units = (*session)->units();
  CHECK(units.counters(0).first_received == kWire);
  CHECK(units.counters(0).last_received == 300'000 * 6 + kWire);
  CHECK(units.counters(1).first_received == 100'000 * 6 + kWire);
}

TEST_CASE("an offset moves one capture against the others") {
  const Folder folder;
  capture(folder, "a.pcap", {0, 50'000});
  capture(folder, "b.pcap", {10'000});
  capture(folder, "empty.pcap", {});
  auto session = session_with(folder, at_capture_time(0, "a.pcap", R"(, "offset": "20us")") + ", " +
                                          at_capture_time(1, "b.pcap", R"(, "offset": "-4us")") + ", " +
                                          at_capture_time(2, "empty.pcap"));
  REQUIRE(session);
  (*session)->run({});
  const emulator::Units& units = (*session)->units();
  CHECK(units.counters(0).first_received == 20'000 * 6 + kWire);
  CHECK(units.counters(0).last_received == 70'000 * 6 + kWire);
  CHECK(units.counters(1).first_received == 6'000 * 6 + kWire);
  CHECK(units.counters(2).received_frames == 0);
}

TEST_CASE("another capture on the command line is sent at the times and as often as the project says") {
  const Folder folder;
  capture(folder, "a.pcap", {0});
  capture(folder, "b.pcap", {10'000, 60'000});
  folder.write("p.uc", "ctx_arb[kill]\nnop\n");
  folder.write("weft.json",
               test::project(R"(, "ports": [)" + at_capture_time(0, "a.pcap", R"(, "offset": "20us")") + ", " +
                             R"({"port": 1, "in": {"generate": {"count": 3, "destinations": "192.0.2.1"}}}, )" +
                             R"({"port": 2, "in": {"capture": "a.pcap", "repeat": 2}}])"));
  Overrides overrides;
  overrides.in = {{0, (folder.path() / "b.pcap").string()},
                  {1, (folder.path() / "b.pcap").string()},
                  {2, (folder.path() / "b.pcap").string()}};
  const auto project = load_project((folder.path() / "weft.json").string(), overrides);
  REQUIRE(project);
  const TrafficEntry &kept = project->ports[0].in, &instead = project->ports[1].in;
  CHECK(kept.capture.filename() == "b.pcap");
  CHECK_FALSE(kept.line_rate);
  CHECK(kept.offset_nanoseconds == 20'000);
  CHECK(project->ports[2].in.repeat == 2);
  CHECK(instead.kind == TrafficEntry::Kind::capture);
  CHECK(instead.line_rate);
  CHECK(instead.repeat == 1);
}

TEST_CASE("what the clock does not hold is refused with a remedy") {
  const Folder folder;
  capture(folder, "a.pcap", {0});
  capture(folder, "b.pcap", {10'000});
  capture(folder, "years.pcap", {uint64_t{7200} * 1'000'000'000});
  const auto problem = [&](const std::string& ports) {
    const auto session = session_with(folder, ports);
    if (session) return std::string("none");
    CHECK_FALSE(session.error().list().front().remedy.empty());
    return session.error().list().front().code + ": " + session.error().list().front().text;
  };
  CHECK(problem(at_capture_time(0, "a.pcap") + ", " + at_capture_time(1, "b.pcap", R"(, "offset": "-11us")")) ==
        "traffic-time: the offset of port 1 puts its first frame 1000 ns before the start");
  CHECK(problem(at_capture_time(0, "a.pcap") + ", " + at_capture_time(3, "years.pcap")) ==
        "traffic-time: the first frame of port 3 comes 7200 s after the first one of all captures: they were not "
        "recorded together");
  CHECK(problem(at_capture_time(0, "a.pcap") + ", " + at_capture_time(3, "years.pcap", R"(, "offset": "-7200s")")) ==
        "none");
  CHECK(problem(at_capture_time(0, "a.pcap", R"(, "offset": "3")")) == "json-wrong-value: '3' is not a time");
  CHECK(problem(at_capture_time(0, "a.pcap", R"(, "offset": "us")")) == "json-wrong-value: 'us' is not a time");
  CHECK(problem(R"({"port": 0, "in": {"capture": "a.pcap", "offset": "3us"}})").starts_with("json-wrong-value"));
  CHECK(problem(at_capture_time(0, "a.pcap", R"(, "repeat": 3)")) ==
        "json-wrong-value: a capture at its recorded times is sent once");
  CHECK(problem(at_capture_time(0, "missing.pcap")).starts_with("file-missing"));
}
