// Boards of several chips: packets over the links between them, one line of time, flow control, and what users see of
// it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "folder.h"
#include "must.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

const std::string kTwoChips = std::string(WEFT_SOURCE_DIR) + "/examples/two-chips";

std::unique_ptr<Session> two_chips(const std::vector<std::pair<std::string, std::string>>& set = {},
                                   const Observation& observation = {}) {
  Overrides o;
  o.set = set;
  return must(Session::create(must(load_project(kTwoChips, o)), observation));
}

/// A project on the same board with programs of its own.
std::string dual(const std::string& programs, const std::string& rest = "") {
  return R"({"version": 1, "board": "itj-dual-2400", "programs": [)" + programs + "]" + rest + "}";
}

struct Outcome {
  uint64_t state = 0, cycles = 0;
  std::vector<uint64_t> traces;
  std::string report;
  bool operator==(const Outcome&) const = default;
};

class Traces {
 public:
  explicit Traces(Session& session, std::vector<emulator::TraceHash> begin = {})
      : session_(session), hashes_(std::move(begin)) {
    hashes_.resize(session.board().chip_count());
    for (unsigned c = 0; c < hashes_.size(); ++c) session.machine(c).attach(hashes_[c]);
  }
  ~Traces() {
    for (unsigned c = 0; c < hashes_.size(); ++c) session_.machine(c).detach(hashes_[c]);
  }
  const std::vector<emulator::TraceHash>& hashes() const { return hashes_; }

 private:
  Session& session_;
  std::vector<emulator::TraceHash> hashes_;
};

Outcome run_on(Session& session, const std::vector<emulator::TraceHash>& begin = {}) {
  Outcome out;
  {
    Traces traces(session, begin);
    session.run({});
    for (const emulator::TraceHash& hash : traces.hashes()) out.traces.push_back(hash.value());
  }
  out.state = session.state_hash();
  out.cycles = session.report().cycles;
  out.report = to_json(session.report());
  return out;
}

class KeepFrames final : public emulator::FrameSink {
 public:
  void take(const std::vector<uint8_t>& bytes, unsigned, emulator::Tick) override { frames.push_back(bytes); }
  void rewind(uint64_t taken) override { frames.resize(std::min<size_t>(frames.size(), taken)); }
  std::vector<std::vector<uint8_t>> frames;
};

std::shared_ptr<emulator::FrameSource> list_of(const std::vector<std::vector<uint8_t>>& frames) {
  std::vector<emulator::Frame> list;
  for (const auto& bytes : frames) list.push_back({bytes, 0, false});
  return std::make_shared<emulator::ListSource>(std::move(list));
}

std::vector<std::vector<uint8_t>> random_frames(uint64_t seed, size_t count, size_t max) {
  Random random(seed);
  std::vector<std::vector<uint8_t>> out(count);
  for (auto& frame : out) {
    frame.resize(random.between(60, max));
    for (uint8_t& byte : frame) byte = static_cast<uint8_t>(random.next32());
  }
  return out;
}

}  // namespace

TEST_CASE("frames of any length cross both chips unchanged and in order, in both directions") {
  const auto session = two_chips({{"limits.quiet", "60000"}});
  // Board ports 0 and 3 are of the ingress chip, 4 and 7 of the egress chip; the program keeps the channel.
  const std::pair<std::pair<unsigned, unsigned>, std::pair<unsigned, unsigned>> ways[] = {
      {{0, 0}, {1, 0}}, {{0, 3}, {1, 3}}, {{1, 1}, {0, 1}}};
  std::vector<std::vector<std::vector<uint8_t>>> sent;
  std::vector<std::shared_ptr<KeepFrames>> sinks;
  session->units(0).set_source(2, nullptr);
  for (const auto& [from, to] : ways) {
    sent.push_back(random_frames(7 + sent.size(), 12, 700));
    sinks.push_back(std::make_shared<KeepFrames>());
    session->units(from.first).set_source(from.second, list_of(sent.back()));
    session->units(to.first).set_sink(to.second, sinks.back());
  }
  CHECK(session->run({}).kind == Stop::Kind::quiet);
  for (size_t i = 0; i < sent.size(); ++i) {
    INFO("way " << i);
    CHECK((sinks[i]->frames == sent[i]));  // no print of all bytes
  }
  const Report report = session->report();
  CHECK(report.frames_in == 36);
  CHECK(report.frames_out == 36);
  CHECK(report.lost == 0);
  CHECK(report.ports.size() == 8);
  CHECK(report.ports[4].transmitted_frames == 12);
  CHECK(report.ports[5].received_frames == 12);
  REQUIRE(report.links.size() == 8);
  for (const LinkFigures& link : report.links) {
    const bool used = link.name == "to-egress0" || link.name == "to-egress3" || link.name == "to-ingress1";
    CHECK(link.frames == (used ? 12 : 0));
    CHECK(link.delivered == link.mpackets);
  }
}

TEST_CASE("L1 a link takes its time, and not more") {
  // One frame of one mpacket. What its status says at the other chip is known a bus crossing, the link, another
  // crossing and the push later.
  const auto session = two_chips();
  session->units(0).set_source(0, list_of({std::vector<uint8_t>(100, 0x5a)}));
  session->units(0).set_source(2, nullptr);
  struct Times final : emulator::Observer {
    emulator::Tick taken = 0, filled = 0;
    void on_media(const emulator::MediaEvent& event) override {
      if (event.kind == emulator::MediaEvent::Kind::taken && taken == 0) taken = event.at;
      if (event.kind == emulator::MediaEvent::Kind::filled && filled == 0) filled = event.at;
    }
    bool reads_state() const override { return false; }
  } sender, receiver;
  session->machine(0).attach(sender);
  session->machine(1).attach(receiver);
  session->run({});
  session->machine(0).detach(sender);
  session->machine(1).detach(receiver);
  // 8 clocks of 45 ticks; then 100 bytes over 4 bytes a clock and one clock beside, from the next clock of the bus on.
  const emulator::Tick arrives = sender.taken + 8 * 45;
  CHECK(receiver.filled == (arrives + 44) / 45 * 45 + (25 + 1) * 45);
}

TEST_CASE("M4 two chips do the same in every run") {
  const Outcome first = run_on(*two_chips());
  CHECK(first.cycles > 10'000);
  CHECK(first.traces[0] != first.traces[1]);
  CHECK(run_on(*two_chips()) == first);
  // However the run is cut.
  const auto pieces = two_chips();
  {
    Traces traces(*pieces);
    RunControl control;
    Random random(3);
    for (uint64_t cycle = 1; cycle < first.cycles; cycle += 1 + random.below(first.cycles / 30)) {
      control.limits.cycles = cycle;
      pieces->run(control);
    }
    CHECK(run_on(*pieces, traces.hashes()).state == first.state);
  }
  CHECK(to_json(pieces->report()) == first.report);
}

TEST_CASE("M5 two chips do the same with the fast engine") {
  const auto plain = two_chips();
  plain->board().set_execution({});
  const Outcome reference = run_on(*plain);
  const auto fast = two_chips();
  fast->board().set_execution({.fast = true});
  CHECK(run_on(*fast) == reference);
  const auto short_horizon = two_chips();
  short_horizon->board().set_execution({.fast = true, .horizon = 3});
  CHECK(run_on(*short_horizon) == reference);
}

TEST_CASE("chips that nothing joins run side by side") {
  const Folder folder;
  auto text = nlohmann::json::parse(must(read_file(WEFT_SOURCE_DIR "/emulator/boards/itj-dual-2400.json")), nullptr,
                                    true, true);
  text.erase("links");
  folder.write("apart.json", text.dump());
  folder.write("count.uc", ".reg n\nimmed[n, 100]\nagain#:\nalu[n, n, -, 1]\nbne[again#]\nctx_arb[kill]\n");
  folder.write(
      "weft.json",
      R"({"version": 1, "board": "./apart.json", "programs": [{"source": "count.uc", "chip": "ingress", "engines": [0]},
    {"source": "count.uc", "chip": "egress", "engines": [0, 1]}]})");
  std::vector<uint64_t> states;
  for (const bool fast : {false, true}) {
    const auto session = folder.session();
    session->board().set_execution({.fast = fast});
    CHECK(session->run({}).kind == Stop::Kind::quiet);
    CHECK(session->machine(0).instructions() * 2 == session->machine(1).instructions());
    CHECK(session->report().links.empty());
    states.push_back(session->state_hash());
  }
  CHECK(states[0] == states[1]);
}

TEST_CASE("M5 chips may have clocks of their own") {
  // The egress chip at 400 MHz: 15 ticks a cycle in place of 10.
  const Folder folder;
  std::string text = must(read_file(WEFT_SOURCE_DIR "/emulator/boards/itj-dual-2400.json"));
  const std::string clock = R"("clock_mhz": {"value": 600)";
  const size_t second = text.find(clock, text.find(clock) + 1);
  REQUIRE(second != std::string::npos);
  text.replace(second, clock.size(), R"("clock_mhz": {"value": 400)");
  folder.write("slow.json", text);
  std::string project = must(read_file(kTwoChips + "/weft.json"));
  const auto replace_all = [&](const std::string& what, const std::string& with) {
    for (size_t at = project.find(what); at != std::string::npos; at = project.find(what, at + with.size()))
      project.replace(at, what.size(), with);
  };
  replace_all("\"itj-dual-2400\"", "\"./slow.json\"");
  replace_all("\"pass.uc\"", "\"" + kTwoChips + "/pass.uc\"");
  replace_all("\"count\": 200", "\"count\": 30");
  folder.write("weft.json", project);
  const auto session = folder.session();
  session->board().set_execution({});
  const Outcome reference = run_on(*session);
  CHECK(session->report().frames_out == 60);
  CHECK(session->machine(1).timing().period == 15);
  // Begun cycles count.
  CHECK((session->machine(0).cycles(0) * 10 + 14) / 15 == session->machine(1).cycles(0));
  const auto fast = folder.session();
  fast->board().set_execution({.fast = true});
  CHECK(run_on(*fast) == reference);
}

TEST_CASE("snapshots of two chips: restore and run on equals the straight run") {
  const char* full = std::getenv("WEFT_FULL");
  const char* seed = std::getenv("WEFT_SEED");
  Random random(seed ? std::strtoull(seed, nullptr, 0) : 4711);
  INFO("WEFT_SEED=" << (seed ? seed : "4711"));
  const std::vector<std::pair<std::string, std::string>> shorter{
      {"ports.0.in.generate.count", "20"}, {"ports.1.in.generate.count", "20"}, {"limits.quiet", "3000"}};
  const Outcome straight = run_on(*two_chips(shorter));
  const auto first = two_chips(shorter), second = two_chips(shorter);
  first->board().set_execution({});
  second->board().set_execution({.fast = true});
  for (int cut = 0; cut < (full ? 1000 : 12); ++cut) {
    // One session saves, the other one runs on, by turns the reference and the fast engine.
    Session& saves = cut % 2 ? *second : *first;
    Session& runs = cut % 4 < 2 ? *first : *second;
    const auto begin = two_chips(shorter)->save();
    REQUIRE(saves.restore(begin));
    RunControl control;
    control.limits.cycles = 1 + random.below(straight.cycles - 1);
    INFO("cut " << cut << " at cycle " << control.limits.cycles);
    std::vector<emulator::TraceHash> traced;
    {
      Traces traces(saves);
      saves.run(control);
      const unsigned chip = static_cast<unsigned>(random.below(2));
      if (random.chance(1, 2) && saves.machine(chip).state(0).running >= 0) saves.step(0, -1, Step::instruction, chip);
      traced = traces.hashes();
    }
    const Snapshot snapshot = saves.save();
    REQUIRE(runs.restore(snapshot));
    REQUIRE(runs.state_hash() == saves.state_hash());
    REQUIRE(run_on(runs, traced) == straight);
  }
}

TEST_CASE("L2 a chip that does not keep up stops the link, and nothing is lost on it") {
  // The egress chip computes 4,000 cycles for each mpacket; frames come at line rate.
  const auto session = two_chips({{"programs.1.define.DELAY", "2000"},
                                  {"ports.0.in.generate.rate", "1"},
                                  {"ports.0.in.generate.size", "128"},
                                  {"ports.0.in.generate.count", "600"},
                                  {"ports.1.in.generate.count", "1"},
                                  {"limits.quiet", "60000"}});
  session->run({});
  const Report report = session->report();
  const LinkFigures& link = report.links.at(0);
  CHECK(link.name == "to-egress0");
  CHECK(link.buffer_max == 8);  // as many as the board file says
  CHECK(link.waits > 10);
  CHECK(link.waited_permille > 500);
  CHECK(link.delivered == link.mpackets);
  CHECK(report.ports[4].transmitted_frames == link.frames);
  // What came too fast was lost where it came in.
  CHECK(report.ports[0].lost_mac > 0);
  CHECK(report.ports[0].received_frames == report.ports[0].lost_mac + link.frames);
  CHECK(report.frames_in == report.frames_out + report.lost);
}

TEST_CASE("what is said of a board of several chips names the chip") {
  const auto session = two_chips({{"ports.0.in.generate.count", "5"}, {"ports.1.in.generate.count", "5"}});
  session->run({});
  const std::string text = to_text(session->report());
  for (const char* part :
       {"ingress: ixp2400, egress: ixp2400", "ingress me0: pass", "egress me0: pass", "egress dram", "to-egress0"}) {
    INFO(part << " in\n" << text);
    CHECK(text.find(part) != std::string::npos);
  }
  const auto json = nlohmann::json::parse(to_json(session->report()));
  CHECK(json["contexts"][0]["chip"] == "ingress");
  CHECK(json["links"][0]["from"] == "ingress");
  CHECK(json["programs"].contains("egress.0"));
  // Expressions are of one chip.
  const int64_t buffers = must(session->evaluate("egress: msf[0x60]")) & 0xff;
  CHECK(buffers == must(session->evaluate("msf[0x60]")) % 256);  // both chips sent all elements on
  CHECK(must(session->evaluate("egress: port4.transmitted")) == 5);
  CHECK(must(session->evaluate("port4.transmitted")) == 5);
  CHECK(must(session->evaluate("packets")) == 10);
}

TEST_CASE("M5 breakpoints, conditions and steps of one chip stop all of them at one moment") {
  const auto session = two_chips();
  const Stop stop = must(session->run_until("egress: port4.transmitted == 3", {}));
  CHECK(stop.kind == Stop::Kind::condition);
  CHECK(session->report().ports[4].transmitted_frames == 3);
  CHECK(session->machine(0).now() <= session->machine(1).now());
  CHECK(session->machine(1).now() - session->machine(0).now() <= 10);  // at most what is left of one cycle

  Breakpoint b;
  b.target = "egress: copy#";
  const unsigned id = must(session->add_breakpoint(b));
  const Stop at = session->run({});
  CHECK(at.kind == Stop::Kind::breakpoint);
  CHECK(at.breakpoint == id);
  CHECK(at.chip == 1);
  CHECK(at.text.find("egress me0") != std::string::npos);
  CHECK(session->breakpoints().at(0).target == "egress: copy#");
  const uint64_t before = session->machine(1).state(0).instructions;
  const Stop stepped = session->step(0, -1, Step::instruction, 1);
  CHECK(stepped.chip == 1);
  CHECK(session->machine(1).state(0).instructions == before + 1);
  CHECK(session->remove_breakpoint(id));

  // Stopping has changed nothing.
  session->run({});
  CHECK(session->state_hash() == run_on(*two_chips()).state);
}

TEST_CASE("time goes back on all chips") {
  const auto session = two_chips();
  session->record(2000);
  RunControl control;
  control.limits.cycles = 9000;
  session->run(control);
  const uint64_t there = session->state_hash();
  const auto position = session->board().position();
  control.limits.cycles = 15'000;
  session->run(control);
  must(session->go_to(position));
  CHECK(session->state_hash() == there);
  const uint64_t count = session->machine(1).state(0).instructions;
  const Stop back = must(session->step_back(0, -1, 1));
  CHECK(back.chip == 1);
  CHECK(session->machine(1).state(0).instructions == count - 1);
}

TEST_CASE("each chip has its observers and its files") {
  Observation observation;
  observation.statistics = observation.coverage = observation.packets = true;
  observation.checks = emulator::all_checks(emulator::CheckMode::warn);
  const auto session = two_chips({{"ports.0.in.generate.count", "9"}, {"ports.1.in.generate.count", "4"}}, observation);
  session->run({});
  REQUIRE(session->finish());
  const Folder folder;
  REQUIRE(session->write_coverage((folder.path() / "c.info").string()));
  CHECK(std::filesystem::exists(folder.path() / "c.ingress.info"));
  CHECK(std::filesystem::exists(folder.path() / "c.egress.info"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "c.info"));
  for (unsigned chip = 0; chip < 2; ++chip) {
    REQUIRE(session->packets(chip) != nullptr);
    CHECK(session->packets(chip)->totals().packets == 13);
    for (const emulator::PacketRecord& record : session->packets(chip)->records()) {
      CHECK(record.verdict == emulator::Verdict::forwarded);
      CHECK(record.bytes >= 60);
    }
  }
  CHECK(session->statistics_text().find("chip egress") != std::string::npos);
  // The path of a packet, 64 bytes with check sequence.
  CHECK(file_of_chip("dir.d/stats.csv", "egress") == "dir.d/stats.egress.csv");
  CHECK(file_of_chip("t.perfetto-trace", "a") == "t.a.perfetto-trace");
}

TEST_CASE("the control processor of a chip does what is asked of that chip") {
  const auto session = two_chips();
  std::vector<std::string> texts;
  session->on_log([&](const std::string& text) { texts.push_back(text); });
  REQUIRE(session->add_commands(make_source("commands",
                                            "at 1000 on egress: write scratch[0x40] = 7\n"
                                            "at 2000: write scratch[0x40] = 3\n"
                                            "at 9000 on egress: print e{scratch[0x40]}\n"
                                            "at 9500 on ingress: print i{scratch[0x40]}\n")));
  session->run({});
  CHECK(texts == std::vector<std::string>{"e7", "i3"});
  const auto wrong =
      two_chips()->add_commands(make_source("commands", "at 5 on egres: print x\nat 5 on egress: prind x\n"));
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().size() == 2);
  CHECK(wrong.error().list()[0].remedy.find("ingress, egress") != std::string::npos);
}

TEST_CASE("projects say which chip, and are told when they do not") {
  const Folder folder;
  folder.write("p.uc", "ctx_arb[kill]\n");
  const auto codes = [&](const std::string& project) {
    folder.write("weft.json", project);
    auto loaded = folder.load();
    std::vector<std::string> out;
    const auto take = [&](const Diagnostics& problems) {
      for (const Diagnostic& d : problems) {
        CHECK(d.range.begin.line > 0);
        CHECK_FALSE(d.remedy.empty());
        out.push_back(d.code);
      }
    };
    if (!loaded) return take(loaded.error()), out;
    auto session = Session::create(std::move(*loaded));
    if (!session) take(session.error());
    return out;
  };
  using Codes = std::vector<std::string>;
  const std::string program = R"({"source": "p.uc", "chip": "egress", "engines": [0, 7]})";
  CHECK(codes(dual(program)).empty());
  CHECK(codes(dual(program + R"(, {"source": "p.uc", "chip": "ingress", "engines": [0]})")).empty());
  CHECK(codes(dual(program + R"(, {"source": "p.uc", "chip": "egress", "engines": [7]})")) ==
        Codes{"project-engine-twice"});
  CHECK(codes(dual(R"({"source": "p.uc", "engines": [0]})")) == Codes{"project-chip"});
  CHECK(codes(dual(R"({"source": "p.uc", "chip": "middle", "engines": [0]})")) == Codes{"project-chip"});
  CHECK(codes(dual(R"({"source": "p.uc", "chip": "egress", "engines": [8]})")) == Codes{"project-engine"});
  CHECK(codes(dual(program, R"(, "ports": [{"port": 8, "out": "x.pcap"}])")) == Codes{"project-port"});
  CHECK(codes(test::project("", R"({"source": "p.uc", "chip": "egress", "engines": [0]})")) == Codes{"project-chip"});
}

TEST_CASE("a fault names the chip") {
  const Folder folder;
  folder.write("good.uc", "again#:\nbr[again#]\n");
  folder.write("bad.uc", ".reg a\nimmed[a, 0]\n");  // runs after its end
  folder.write(
      "weft.json",
      dual(
          R"({"source": "good.uc", "chip": "ingress", "engines": [0]}, {"source": "bad.uc", "chip": "egress", "engines": [2]})"));
  const auto session = folder.session();
  const Stop stop = session->run({});
  CHECK(stop.kind == Stop::Kind::fault);
  CHECK(stop.chip == 1);
  CHECK(stop.text.starts_with("egress, microengine 2"));
}
