// Recordings: what is opened stands, shows and goes back as the run that was recorded, without the project's folder.
#include "weft/workbench/recording.h"

#include <fmt/format.h>

#include "folder.h"
#include "must.h"
#include "weft/base/random.h"
#include "weft/packet/pcap.h"
#include "weft/workbench/writer.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace fs = std::filesystem;

namespace {

const std::string kExamples = std::string(WEFT_SOURCE_DIR) + "/examples/";

Observation watched() {
  Observation also;
  also.profile = true;
  return recorded_observation(kRecordingBytes, also);
}

struct Recorded {
  std::unique_ptr<Session> straight;
  std::string file;
};

std::unique_ptr<Session> session_of(const std::string& project, const Overrides& overrides = {},
                                    const std::string& commands = {}) {
  auto loaded = must(load_project(project, overrides));
  const std::string own = loaded.control ? loaded.control->commands : std::string();
  auto session = must(Session::create(std::move(loaded), watched()));
  for (const std::string& text : {own, commands})
    if (!text.empty()) must(session->add_commands(make_source("commands", text)));
  return session;
}

/// Runs a project to a cycle and records it.
Recorded record(const Folder& folder, const std::string& project, uint64_t cycles, const Overrides& overrides = {},
                const std::string& commands = {}) {
  Recorded out;
  out.straight = session_of(project, overrides, commands);
  out.straight->record(std::max<uint64_t>(cycles / 20, 1), 16);
  RunControl control;
  control.limits.cycles = cycles;
  out.straight->run(control);
  out.file = (folder.path() / "run.weftrec").string();
  must(write_recording(*out.straight, overrides, out.file));
  return out;
}

/// All that the writers of the command line say about a session.
std::map<std::string, std::string> results(Session& session, const Folder& folder) {
  std::map<std::string, std::string> out;
  const auto text = [&](const char* name, auto write) {
    const std::string file = (folder.path() / name).string();
    for (const std::string& chip : session.chips()) fs::remove(chip.empty() ? file : file_of_chip(file, chip));
    must((session.*write)(file));
    for (const std::string& chip : session.chips())
      out[chip + " " + name] = must(read_file(chip.empty() ? file : file_of_chip(file, chip)));
  };
  text("coverage.csv", &Session::write_coverage);
  text("history.json", &Session::write_history);
  text("statistics.json", &Session::write_statistics);
  text("profile.json", &Session::write_profile);
  text("packets.json", &Session::write_packets);
  text("packets.pcapng", &Session::write_packets);
  out["report"] = to_json(session.report());
  out["state"] = fmt::format("{:#x}", session.state_hash());
  return out;
}

void check_same(Session& straight, Session& opened, const Folder& folder) {
  const auto expected = results(straight, folder), found = results(opened, folder);
  for (const auto& [name, text] : expected) {
    INFO(name);
    CHECK(text.size() > 2);
    CHECK((found.at(name) == text));  // long
  }
}

/// What the writers of the command line leave out: who wrote which byte, and how full queues were.
void check_packets(Session& straight, Session& opened) {
  const emulator::PacketTracker &one = *straight.packets(), &other = *opened.packets();
  REQUIRE(one.records().size() == other.records().size());
  for (size_t i = 0; i < one.records().size(); ++i) {
    const emulator::PacketRecord &a = one.records()[i], &b = other.records()[i];
    CHECK(a.data == b.data);
    CHECK(a.reason_cycle == b.reason_cycle);
    CHECK(a.bytes_of.written == b.bytes_of.written);
    CHECK(sent_frame(a.data, a.bytes_of) == sent_frame(b.data, b.bytes_of));
    REQUIRE(a.bytes_of.writes.size() == b.bytes_of.writes.size());
    for (size_t w = 0; w < a.bytes_of.writes.size(); ++w)
      CHECK(a.bytes_of.writes[w].cycle == b.bytes_of.writes[w].cycle);
  }
  REQUIRE(one.queues() == other.queues());
  REQUIRE(one.queue_changes().size() == other.queue_changes().size());
  for (size_t i = 0; i < one.queue_changes().size(); ++i)
    CHECK((one.queue_changes()[i].cycle == other.queue_changes()[i].cycle &&
           one.queue_changes()[i].depth == other.queue_changes()[i].depth));
}

/// At random cycles, backwards and forwards, then one step back in every engine.
void check_moves(Session& straight, Session& opened, uint64_t cycles) {
  Random random(7);
  const uint64_t period = straight.machine().timing().period;
  for (int i = 0; i < 6; ++i) {
    const uint64_t cycle = random.below(cycles);
    INFO("cycle " << cycle);
    must(straight.go_to({cycle * period, 0}));
    must(opened.go_to({cycle * period, 0}));
    CHECK(opened.state_hash() == straight.state_hash());
  }
  for (unsigned engine = 0; engine < straight.machine().engine_count(); ++engine) {
    if (straight.program(engine) == nullptr) continue;
    const auto one = straight.step_back(engine), other = opened.step_back(engine);
    REQUIRE(one.has_value() == other.has_value());
    CHECK(opened.state_hash() == straight.state_hash());
  }
}

}  // namespace

TEST_CASE("a recording opens without the project's folder, and is the run", "[recording]") {
  const Folder folder;
  fs::create_directories(folder.path() / "tree/examples");
  fs::create_directories(folder.path() / "tree/lib");
  fs::copy(kExamples + "dual-stack-router", folder.path() / "tree/examples/router", fs::copy_options::recursive);
  fs::copy(fs::path(WEFT_SOURCE_DIR) / "lib/microblocks", folder.path() / "tree/lib/microblocks",
           fs::copy_options::recursive);
  constexpr uint64_t kCycles = 60'000;
  Overrides overrides;
  overrides.seed = 5;
  const Recorded made = record(folder, (folder.path() / "tree/examples/router").string(), kCycles, overrides);
  fs::rename(folder.path() / "tree", folder.path() / "elsewhere");
  const auto recording = must(Recording::open(made.file));
  CHECK(recording->info().cycle == kCycles);
  CHECK(recording->info().stop == made.straight->report().stop);
  CHECK(recording->info().checkpoints >= 8);
  CHECK(recording->info().lost.empty());
  const auto opened = must(recording->session(Recording::Names::recorded));
  CHECK(opened->machine().now() == made.straight->machine().now());
  CHECK(opened->packets()->records().size() > 20);
  check_same(*made.straight, *opened, folder);
  check_packets(*made.straight, *opened);

  SECTION("it goes back to any cycle") { check_moves(*made.straight, *opened, kCycles); }
  SECTION("it goes on as the run would have, and its observers with it") {
    RunControl control;
    control.limits.cycles = kCycles + 30'000;
    made.straight->run(control);
    opened->run(control);
    must(made.straight->finish());
    must(opened->finish());
    check_same(*made.straight, *opened, folder);
    check_packets(*made.straight, *opened);
    check_moves(*made.straight, *opened, kCycles + 30'000);
  }
  SECTION("it knows who wrote something") {
    unsigned known = 0;
    for (const char* name : {"me2.a5", "me3.b0", "me0.ctx3.pc", "scratch[0x3800]", "dram[0x100000]"}) {
      INFO(name);
      const auto expected = made.straight->last_write(name), found = opened->last_write(name);
      REQUIRE(expected.has_value() == found.has_value());
      if (!expected || !*expected) continue;
      REQUIRE(*found);
      CHECK(to_text(**found) == to_text(**expected));
      ++known;
    }
    CHECK(known >= 2);
  }
  SECTION("sources have names that can be opened here") {
    const auto here = must(recording->session());
    for (unsigned e = 0; e < here->machine().engine_count(); ++e)
      for (const std::string& file : here->program(e)->files)
        if (!file.starts_with('<')) CHECK(fs::exists(file));  // "<built-in>"
    CHECK(here->state_hash() == made.straight->state_hash());
  }
  SECTION("what it unpacked goes away with it") {
    const fs::path unpacked = recording->folder();
    CHECK(fs::exists(unpacked / "examples/router/weft.json"));
    auto another = must(Recording::open(made.file));
    const fs::path second = another->folder();
    another.reset();
    CHECK_FALSE(fs::exists(second));
    CHECK(fs::exists(unpacked));
  }
}

TEST_CASE("recordings of other machines: two chips, IXP1200, control programs with timers and commands",
          "[recording]") {
  const std::string name = GENERATE(as<std::string>(), "two-chips", "ipv4-forwarder-1200", "diffserv-edge-1200",
                                    "firewall-napt", "firewall-filter", "mpls-router");
  INFO(name);
  const Folder folder;
  constexpr uint64_t kCycles = 40'000;
  const Recorded made =
      record(folder, kExamples + name, kCycles, {}, name == "two-chips" ? "" : "at 9000: print {packets} packets\n");
  const auto recording = must(Recording::open(made.file));
  const auto opened = must(recording->session(Recording::Names::recorded));
  check_same(*made.straight, *opened, folder);
  check_moves(*made.straight, *opened, kCycles);
  RunControl control;
  control.limits.cycles = kCycles + 10'000;
  must(made.straight->go_to({kCycles * made.straight->machine().timing().period, 0}));
  must(opened->go_to({kCycles * made.straight->machine().timing().period, 0}));
  made.straight->run(control);
  opened->run(control);
  check_same(*made.straight, *opened, folder);
}

TEST_CASE("options, captures from elsewhere and programs that commands load are in the recording", "[recording]") {
  const Folder folder;
  fs::create_directories(folder.path() / "project");
  fs::create_directories(folder.path() / "captures");
  folder.write("project/p.uc", test::kSum);
  folder.write("project/other.uc", test::kSum);
  folder.write("project/weft.json", test::project());
  const std::string capture = (folder.path() / "captures/one.pcap").string();
  {
    auto writer = must(packet::PcapWriter::create(capture));
    writer.write(1000, std::vector<uint8_t>(64, 7));
    must(writer.commit());
  }
  Overrides overrides;
  overrides.in = {{0, capture}};
  overrides.set = {{"limits.cycles", "3000"}, {"constants.unused", "5"}};
  const Recorded made =
      record(folder, (folder.path() / "project").string(), 2'500, overrides, "at 1000: load 0 other.uc\n");
  fs::remove_all(folder.path() / "project");
  fs::remove_all(folder.path() / "captures");
  const auto recording = must(Recording::open(made.file));
  CHECK(recording->project().limits.cycles == 3000);
  CHECK(recording->project().name == "project");
  const auto opened = must(recording->session(Recording::Names::recorded));
  check_same(*made.straight, *opened, folder);
  check_moves(*made.straight, *opened, 2'500);
}

TEST_CASE("limits of a recording lose the oldest part, and say so", "[recording]") {
  const Folder folder;
  auto session =
      must(Session::create(must(load_project(kExamples + "dual-stack-router")), recorded_observation(200'000)));
  session->record(1'000, 64);
  RunControl control;
  control.limits.cycles = 50'000;
  session->run(control);
  CHECK(lost_by_limits(*session).size() >= 2);
  const std::string file = (folder.path() / "small.weftrec").string();
  must(write_recording(*session, {}, file, 3'000'000));
  const auto recording = must(Recording::open(file));
  CHECK(recording->info().lost == lost_by_limits(*session));
  CHECK(recording->info().lost.front().find("the history begins at cycle ") == 0);
  // Checkpoints went too, and the first one stayed.
  CHECK(recording->info().checkpoints < session->checkpoints());
  const auto opened = must(recording->session());
  CHECK(opened->history()->from_cycle() == session->history()->from_cycle());
  must(opened->go_to({0, 0}));
  must(session->go_to({0, 0}));
  CHECK(opened->state_hash() == session->state_hash());
}

TEST_CASE("what cannot be recorded is refused", "[recording]") {
  const Folder folder;
  const std::string file = (folder.path() / "x.weftrec").string();
  auto session = must(Session::create(must(load_project(kExamples + "first")), watched()));
  RunControl control;
  control.limits.cycles = 100;
  session->run(control);
  auto refused = write_recording(*session, {}, file);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().list()[0].code == "recording-late");
  session->record();
  refused = write_recording(*session, {}, file);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().list()[0].code == "recording-late");
  CHECK_FALSE(fs::exists(file));

  auto back = must(Session::create(must(load_project(kExamples + "first")), watched()));
  back->record(10);
  back->run(control);
  must(back->go_to({10, 0}));
  refused = write_recording(*back, {}, file);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().list()[0].code == "recording-back");
}

TEST_CASE("what is not a recording is told from a project with a mistake", "[recording]") {
  const Folder folder;
  const auto meant = [&](const std::string& name, const std::string& text) {
    folder.write(name, text);
    return is_meant_as_recording((folder.path() / name).string());
  };
  const auto why = [&](const std::string& name) {
    auto opened = Recording::open((folder.path() / name).string());
    REQUIRE_FALSE(opened);
    CHECK(opened.error().list()[0].code == "recording-format");
    CHECK_FALSE(opened.error().list()[0].remedy.empty());
    return opened.error().list()[0].text;
  };
  CHECK(meant("empty.weftrec", ""));
  CHECK(why("empty.weftrec") == "this is not a recording: the file is empty");
  CHECK(meant("text.weftrec", "{\"version\": 1}"));
  CHECK(why("text.weftrec") == "this is not a recording");
  CHECK(meant("notes.txt", "hello"));
  CHECK(why("notes.txt") == "this is neither a recording nor a project");
  CHECK_FALSE(meant("weft.json", "version: 1"));  // JSON with a mistake: its place is worth more
  CHECK_FALSE(meant("other.project", " \n{\"version\": 1}"));
  CHECK_FALSE(is_meant_as_recording(folder.path().string()));
  CHECK_FALSE(is_meant_as_recording((folder.path() / "none.weftrec").string()));
}

TEST_CASE("damaged recordings are refused with a reason, and nothing is left behind", "[recording]") {
  const Folder folder;
  const Recorded made = record(folder, kExamples + "first", 2'000);
  const std::string good = must(read_file(made.file)), bad = (folder.path() / "bad.weftrec").string();
  const auto refused = [&](const std::string& bytes) {
    must(write_file(bad, bytes));
    auto recording = Recording::open(bad);
    const Diagnostics problems = recording ? [&] {
      auto session = (*recording)->session();
      return session ? Diagnostics() : session.error();
    }() : recording.error();
    if (problems.empty()) return std::string("opened");
    CHECK_FALSE(problems.list()[0].remedy.empty());
    return problems.list()[0].code;
  };
  REQUIRE(refused(good) == "opened");
  CHECK(refused("{}") == "recording-format");
  CHECK(refused("") == "recording-format");
  Random random(3);
  for (int i = 0; i < 60; ++i) {
    const size_t at = random.below(good.size());
    INFO("cut at " << at << " of " << good.size());
    const std::string code = refused(good.substr(0, at));
    CHECK((code == "recording-damaged" || (at < 4 && code == "recording-format")));
  }
  for (int i = 0; i < 60; ++i) {
    std::string changed = good;
    const size_t at = 4 + random.below(good.size() - 4);
    changed[at] = static_cast<char>(changed[at] ^ (1 << random.below(8)));
    INFO("bit changed at " << at << " of " << good.size());
    const std::string code = refused(changed);
    // Bits that mean nothing to the archive may change; what is opened is what was recorded.
    CHECK((code == "recording-damaged" || code == "recording-version" || code == "opened"));
  }
}
