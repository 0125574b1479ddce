// Sessions choose an engine, and what they end with does not depend on it: faults and halts in the middle of a busy
// run, interruptions, limits.
#include <array>
#include <atomic>

#include "folder.h"

using namespace weft;
using namespace weft::workbench;
using namespace weft::workbench::test;

namespace {

/// Reads, writes and counts for ever; `last` comes after 300 turns of a context.
std::string busy(const std::string& last) {
  return R"(.reg turns address word
.reg $a $b
.reg $$c $$d
.xfer_order $$c $$d
.sig one two
    immed[turns, 0]
    local_csr_rd[ACTIVE_CTX_STS]
    immed[address, 0]
    alu[address, address, AND, 0x7f]
    alu_shf[address, --, B, address, <<4]
again#:
    alu[turns, turns, +, 1]
    sram[read, $a, address, 0, 1], ctx_swap[one]
    alu[word, turns, +, $a]
    alu[$b, --, B, word]
    sram[write, $b, address, 0, 1], sig_done[one]
    dram[read, $$c, address, 0, 1], sig_done[two]
    scratch[incr, --, address, 0, 1]
    ctx_arb[one, two]
    alu[word, word, +, $$c]
    alu[word, word, XOR, address]
)" + last +
         "    br[again#]\n";
}

const char* const kTurns =
    "    alu_shf[word, --, B, 1, <<8]\n    alu[word, word, +, 44]\n    alu[--, turns, -, word]\n    bne[again#]\n";
const std::string kHalt = std::string(kTurns) + "    halt\n";
const std::string kLocalMemory =
    std::string(kTurns) +
    "    immed[word, 0xf00]\n    local_csr_wr[ACTIVE_LM_ADDR_0, word]\n    nop\n    nop\n    nop\n"
    "    alu[word, --, B, *l$index0]\n";
const std::string kOutside = std::string(kTurns) + "    immed[word, 0x1f00]\n    rtn[word]\n";

/// Seven busy engines, and one that comes to an end.
void write_project(const Folder& folder, const std::string& last) {
  folder.write("busy.uc", busy(""));
  folder.write("last.uc", busy(last));
  folder.write("weft.json", project("", R"({"source": "busy.uc", "engines": [0, 1, 2, 3, 4, 6, 7]},
                                           {"source": "last.uc", "engines": [5]})"));
}

struct End {
  std::string text;
  Stop::Kind kind;
  int engine, context;
  uint32_t address;
  uint64_t cycles, instructions, hash;
  emulator::Position position;
  bool operator==(const End&) const = default;
};
std::ostream& operator<<(std::ostream& out, const End& e) {
  return out << e.text << "; cycle " << e.cycles << ", event " << e.position.turn << ", " << e.instructions
             << " instructions, state " << e.hash;
}

End end_of(Session& session, const Stop& stop) {
  const Report report = session.report();
  return {stop.text,
          stop.kind,
          stop.engine,
          stop.context,
          stop.address,
          report.cycles,
          report.instructions,
          session.state_hash(),
          session.machine().position()};
}

std::unique_ptr<Session> with(const Folder& folder, bool fast, const Observation& observation = {}) {
  auto session = folder.session(observation);
  session->machine().set_execution({fast});
  return session;
}

/// Observers that do without the order of words.
Observation unordered() {
  Observation out;
  out.statistics = out.coverage = out.profile = out.history = true;
  return out;
}

/// What they say.
std::string reports_of(const Session& session) {
  std::string out = to_json(session.statistics()->figures(), {}) + to_json(*session.coverage(), {}) +
                    to_json(session.profile()->figures(), {});
  write_json(*session.history(), {}, {}, [&](std::string_view part) { out += part; });
  return out;
}

}  // namespace

TEST_CASE("engines run ahead where no observer asks for the order of words") {
  const Folder folder;
  write_project(folder, kHalt);
  CHECK(folder.session()->machine().runs_ahead());
  CHECK(folder.session(unordered())->machine().runs_ahead());
  Observation more = unordered();
  more.packets = true;
  CHECK_FALSE(folder.session(more)->machine().runs_ahead());
  more = unordered();
  more.checks = emulator::all_checks(emulator::CheckMode::warn);
  CHECK_FALSE(folder.session(more)->machine().runs_ahead());
  const auto session = folder.session();
  Breakpoint b;
  b.target = "busy.uc:12";
  const auto id = session->add_breakpoint(b);
  REQUIRE(id);
  const Stop stop = session->run({});
  CHECK(stop.kind == Stop::Kind::breakpoint);
}

TEST_CASE("a fault in the middle of a busy run leaves the same state with both engines") {
  for (const std::string& last : {kHalt, kLocalMemory, kOutside}) {
    const Folder folder;
    write_project(folder, last);
    const auto fast = with(folder, true), reference = with(folder, false);
    const End a = end_of(*fast, fast->run({})), b = end_of(*reference, reference->run({}));
    CHECK(a == b);
    CHECK(a.engine == 5);
    CHECK(a.cycles > 50'000);
    CHECK(a.instructions > 100'000);
    CHECK(fast->machine().runs_ahead());  // again
    // The others go on when the user does.
    RunControl control;
    control.limits.cycles = a.cycles + 20'000;
    CHECK(end_of(*fast, fast->run(control)) == end_of(*reference, reference->run(control)));
  }
}

// The run is repeated from a snapshot then: what was seen of it is seen once.
TEST_CASE("a fault in the middle of a busy run leaves the same reports with both engines") {
  for (const std::string& last : {kHalt, kLocalMemory, kOutside}) {
    const Folder folder;
    write_project(folder, last);
    const auto fast = with(folder, true, unordered()), reference = with(folder, false, unordered());
    const auto go_on = [&](uint64_t cycles) {
      RunControl control;
      control.limits.cycles = cycles;
      const End a = end_of(*fast, fast->run(control)), b = end_of(*reference, reference->run(control));
      CHECK(a == b);
      const std::string seen = reports_of(*fast), expected = reports_of(*reference);
      CHECK(expected.size() > 100'000);
      CHECK((seen == expected));
      return a;
    };
    CHECK(go_on(20'000).kind == Stop::Kind::cycles);
    const End stopped = go_on(0);
    CHECK(stopped.engine == 5);
    CHECK(fast->machine().runs_ahead());
    go_on(stopped.cycles + 20'000);
  }
}

TEST_CASE("changes between runs are not undone by a fault") {
  const Folder folder;
  write_project(folder, kHalt);
  const auto fast = with(folder, true), reference = with(folder, false);
  for (Session* session : {fast.get(), reference.get()}) {
    RunControl control;
    control.limits.cycles = 30'000;
    session->run(control);
    REQUIRE(session->write("me5.ctx2.turns", 290));
    REQUIRE(session->write("dram[0x10]", 77));
  }
  const End a = end_of(*fast, fast->run({})), b = end_of(*reference, reference->run({}));
  CHECK(a == b);
  CHECK(a.context == 2);
  CHECK(a.cycles < 50'000);
}

TEST_CASE("interruptions, limits and conditions end at the same moment with both engines") {
  const Folder folder;
  write_project(folder, "");
  const auto ends = [&](const std::function<Stop(Session&)>& run) {
    const auto fast = with(folder, true), reference = with(folder, false);
    const End a = end_of(*fast, run(*fast)), b = end_of(*reference, run(*reference));
    CHECK(a == b);
    return a;
  };
  std::atomic<bool> interrupt{false};
  const End interrupted = ends([&](Session& session) {
    interrupt = false;
    RunControl control;
    control.interrupt = &interrupt;
    control.progress = [&](uint64_t cycles, uint64_t) { interrupt = cycles >= 20'000; };
    return session.run(control);
  });
  CHECK(interrupted.kind == Stop::Kind::interrupted);
  const auto until = [](const char* condition) {
    return [condition](Session& session) {
      auto stop = session.run_until(condition, {});
      REQUIRE(stop);
      return *stop;
    };
  };
  CHECK(ends(until("12345 cycles")).cycles == 12345);
  CHECK(ends(until("20us")).kind == Stop::Kind::cycles);
  CHECK(ends(until("scratch[0] == 9")).kind == Stop::Kind::condition);
}

// A command between memory and the media buffers waits for its time: the media interface reads the buffer by itself.
TEST_CASE("an element that is sent before DRAM has filled it goes out empty with both engines") {
  const bool more = GENERATE(false, true);  // another command follows, which may have its effect at once
  const std::string first_context = R"(
    local_csr_rd[ACTIVE_CTX_STS]
    immed[word, 0]
    alu[word, word, AND, 7]
    beq[first#]
    ctx_arb[kill]
first#:
)";
  const std::string fill =
      R"(.reg base word
.reg $$a $$b
.xfer_order $$a $$b
.sig written moved
)" + first_context +
      R"(
    immed[base, 0x100]
    immed[$$a, 0x1111]
    immed[$$b, 0x2222]
    dram[write, $$a, base, 0, 1], sig_done[written]
    ctx_arb[written]
    immed[word, 0x10]
    alu_shf[word, word, OR, 1, <<18] // MSF address 0x2000: element 0
    alu[--, --, B, word]
    dram[tbuf_wr, --, base, 0, max_1], indirect_ref, sig_done[moved]
)" +
      std::string(more ? "    dram[read, $$a, base, 8, 1], sig_done[written]\n    ctx_arb[written, moved]\n"
                       : "    ctx_arb[moved]\n") +
      R"(    ctx_arb[kill]
)";
  const auto send = [&](unsigned delay) {
    return R"(.reg word control
.reg $control $valid
.xfer_order $control $valid
.sig sent
)" + first_context +
           R"(
    immed[word, 0x1800]
    immed[control, 0x800, <<16] // 8 bytes
    alu_shf[control, control, OR, 3, <<8] // SOP, EOP
    alu[$control, --, B, control]
    immed[$valid, 0]
    immed[control, )" +
           std::to_string(delay) + R"(]
wait#:
    alu[control, control, -, 1]
    bne[wait#]
    msf[write, $control, word, 0, 2], ctx_swap[sent]
    ctx_arb[kill]
)";
  };
  const Folder folder;
  folder.write("fill.uc", fill);
  folder.write("weft.json", project(R"(, "limits": {"cycles": 2000})", R"({"source": "fill.uc", "engines": [0]},
                                                                      {"source": "send.uc", "engines": [1]})"));
  unsigned empty = 0, filled = 0;
  for (unsigned delay = 5; delay < 50; ++delay) {
    folder.write("send.uc", send(delay));
    std::array<std::vector<uint8_t>, 2> sent;
    for (const bool fast : {false, true}) {
      auto loaded = folder.load();
      REQUIRE(loaded);
      loaded->keep_frames = true;
      auto session = Session::create(std::move(*loaded));
      if (!session) FAIL(session.error().list()[0].text);
      (*session)->machine().set_execution({fast});
      (*session)->run({});
      const auto frames = (*session)->sent(0);
      REQUIRE(frames.size() == 1);
      sent[fast] = frames[0].bytes;
    }
    INFO("delay " << delay << (more ? ", another command" : ""));
    CHECK(sent[0] == sent[1]);
    REQUIRE(sent[0].size() >= 8);
    (sent[0][3] == 0 ? empty : filled) += 1;
  }
  CHECK(empty > 0);
  CHECK(filled > 0);
}
