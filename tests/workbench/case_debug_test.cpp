// A test case under the debugger: it goes to the instruction that wrote the first wrong byte or longword.
#include "weft/workbench/case_debug.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "folder.h"
#include "must.h"

using namespace weft;
using namespace weft::workbench;

namespace {

struct Debugged {
  std::unique_ptr<CaseDebug> test;
  std::unique_ptr<Session> session;
  std::optional<WrongPlace> wrong;
  Stop stop, end;
};

Debugged debug(const std::string& file, const std::string& name = {}) {
  const auto plan = must(plan_tests({file}, {}));
  if (!plan.problems.empty()) FAIL(plan.problems.list().front().text);
  const auto item = std::ranges::find_if(plan.cases, [&](const auto& i) { return name.empty() || i.name == name; });
  REQUIRE(item != plan.cases.end());
  Observation what;
  what.history = what.packets = what.packet_limits.frames = true;
  Debugged out;
  out.test = must(CaseDebug::open(*item, what));
  out.session = out.test->take();
  out.session->record(1'000, 64);
  out.stop = must(out.test->run_to_wrong(*out.session, {}, out.wrong, [&](const Stop& end) { out.end = end; }));
  return out;
}

uint64_t cycle_of(Session& session) { return session.board().now() / session.machine().timing().period; }

}  // namespace

TEST_CASE("a wrong longword leads to the instruction that wrote it last") {
  const test::Folder folder;
  folder.write("sum.test.json", R"({"version": 1, "code": [".reg n sum base", ".reg write $result", ".sig written",
  "immed[n, 3]", "immed[sum, 0]", "again#:", "alu[sum, sum, +, n]", "alu[n, n, -, 1]", "bne[again#]",
  "immed[base, 0x100]", "alu[$result, --, B, sum]", "scratch[write, $result, base, 0, 1], ctx_swap[written]"],
"tests": [{"name": "the sum",
  "expect": {"values": {"scratch[0x100]": 7}}}]})");
  const Debugged debugged = debug((folder.path() / "sum.test.json").string());
  REQUIRE(debugged.wrong);
  INFO(debugged.wrong->text);
  CHECK(debugged.wrong->text.find("scratch[0x100] is 0x6 (6), expected 0x7 (7)") == 0);
  CHECK(debugged.wrong->at.line == 5);
  REQUIRE(debugged.wrong->writer);
  CHECK(debugged.wrong->writer->by == Writer::By::engine);
  CHECK(debugged.stop.engine == 0);
  CHECK(debugged.stop.kind == Stop::Kind::interrupted);
  CHECK(cycle_of(*debugged.session) == debugged.wrong->writer->issued);
  // It stands before the write, and the case had gone to its end before.
  CHECK(must(debugged.session->read("scratch[0x100]")) == 0);
  CHECK(debugged.end.kind == Stop::Kind::breakpoint);
  CHECK(must(debugged.session->read("me0.ctx0.pc")) == debugged.stop.address);
}

TEST_CASE("a wrong byte of a frame leads to its writer, and a right frame to nothing") {
  const std::string tests = WEFT_SOURCE_DIR "/examples/ipv4-forwarder/tests/";
  const Debugged good = debug(tests + "forwarder.test.json", "forwarded [1]");
  CHECK_FALSE(good.wrong);
  CHECK(good.stop.text == "all is as the test 'forwarded [1]' expects");

  // Another time to live is expected than the one that leaves.
  const test::Folder folder;
  std::string text = must(read_file(tests + "forwarder.test.json"));
  const auto put = [&text](const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  put("\"project\": \"..\"", "\"project\": \"" WEFT_SOURCE_DIR "/examples/ipv4-forwarder\"");
  put("\"ipv4.ttl\": 63, \"payload\"", "\"ipv4.ttl\": 62, \"payload\"");
  folder.write("ttl.test.json", text);
  const Debugged bad = debug((folder.path() / "ttl.test.json").string(), "forwarded [2]");
  REQUIRE(bad.wrong);
  INFO(bad.wrong->text);
  CHECK(bad.wrong->port == std::optional<unsigned>(1));
  CHECK(bad.wrong->frame == 0);
  CHECK(bad.wrong->octet == std::optional<size_t>(22));  // of an IPv4 header after Ethernet
  CHECK(bad.wrong->packet == 1);
  CHECK(bad.wrong->text.find(", octet 22 is wrong; written by me") != std::string::npos);
  REQUIRE(bad.wrong->writer);
  CHECK(bad.wrong->writer->file.ends_with(".uc"));
  CHECK(bad.wrong->writer->line > 0);
  // The machine stands where that instruction is about to be executed.
  const auto who = bad.wrong->writer->who;
  CHECK(cycle_of(*bad.session) == bad.wrong->writer->issued);
  CHECK(must(bad.session->read(fmt::format("me{}.ctx{}.pc", who.engine, who.context))) == bad.wrong->writer->pc);
  CHECK(bad.stop.engine == static_cast<int>(who.engine));
}

TEST_CASE("a breakpoint stops a case that is debugged, and a test that is gone is not a case") {
  const std::string file = WEFT_SOURCE_DIR "/examples/ipv4-forwarder/tests/forwarder.test.json";
  auto plan = must(plan_tests({file}, {}));
  auto test = must(CaseDebug::open(plan.cases.front(), {}));
  const auto session = test->take();
  session->record(1'000, 64);
  Breakpoint in;
  in.kind = Breakpoint::Kind::packet;
  in.target = "in";
  must(session->add_breakpoint(in));
  std::optional<WrongPlace> wrong;
  CHECK(must(test->run_to_wrong(*session, {}, wrong)).kind == Stop::Kind::breakpoint);
  CHECK_FALSE(wrong);
  plan.cases.front().name = "of yesterday";
  const auto gone = CaseDebug::open(plan.cases.front(), {});
  REQUIRE_FALSE(gone);
  CHECK(gone.error().list().front().code == "test-none");
}
