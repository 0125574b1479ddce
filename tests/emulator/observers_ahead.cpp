// Profile and history of engines that run ahead of each other: at any moment they say what they say beside the
// reference, and the history goes back with the machine.
#include <catch2/catch.hpp>

#include "observers_support.h"
#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/profile.h"

using namespace weft::test;
using namespace weft::emulator;

namespace {

/// Three commands on two units, of which two are under way at once, words between them, branches with and without a
/// deferred slot, and a signal to the next context.
std::vector<Instruction> busy_words() {
  const uint32_t to_next = 1u << 7 | 6u << 3;
  return {immed(a(1), to_next),
          scratch_read(0, 16, 3, false),
          memory(InsnId::sram_read, s(4), 32, 2, 4, false),
          alu(a(2), a(2), AluOp::add, k(1)),
          branch(InsnId::br, 6, 1),
          alu(a(2), a(2), AluOp::add, k(2)),
          ctx_arb(1u << 3 | 1u << 4),
          csr_wr(Csr::same_me_signal, a(1)),
          memory(InsnId::sram_write, s(4), 64, 1, 5, true),
          branch(InsnId::br, 1)};
}

/// Commands of one engine alone, which have their effect at once.
std::vector<Instruction> lonely_words() {
  return {scratch_read(0, 16, 3, true), memory(InsnId::sram_read, s(4), 32, 2, 4, true), branch(InsnId::br, 0)};
}

struct Watched {
  explicit Watched(bool fast, HistoryLimits limits = {}, bool lonely = false)
      : board(lonely ? lonely_words() : busy_words(), 0xff), profile(board.machine) {
    if (!lonely) board.load(1, busy_words(), 0x0f);
    history = std::make_unique<History>(board.machine, limits);
    board.machine.attach(profile);
    board.machine.attach(*history);
    board.machine.set_execution({fast, 512, 1});
  }
  std::string text() const {
    std::string out = to_json(profile.figures(), {}) + "\n";
    write_json(*history, {}, {}, [&](std::string_view part) { out += part; });
    return out;
  }
  Board board;
  Profile profile;
  std::unique_ptr<History> history;
};

}  // namespace

TEST_CASE("profile and history of engines that run ahead are those of the reference in every cycle") {
  Watched fast(true), reference(false);
  REQUIRE(fast.board.machine.runs_ahead());
  const Tick period = fast.board.machine.timing().period;
  size_t open = 0, raised = 0;
  for (Tick cut = 0; cut < 900 * period; cut += 7) {
    fast.board.machine.run_until(cut);
    reference.board.machine.run_until(cut);
    INFO("tick " << cut);
    REQUIRE((fast.text() == reference.text()));
    REQUIRE(fast.history->raised().size() == reference.history->raised().size());
    const size_t count = fast.history->reference_count();
    open += count != 0 && fast.history->reference(count - 1).served == kNever ? 1 : 0;
  }
  raised = fast.history->raised().size();
  CHECK(open > 20);
  CHECK(raised > 20);
  for (size_t i = 0; i < raised; ++i) {
    const RaisedSignal &a = fast.history->raised()[i], &b = reference.history->raised()[i];
    CHECK(a.at == b.at);
    CHECK(a.to == b.to);
    CHECK(a.from == b.from);
    CHECK(a.pc == b.pc);
    CHECK(a.by == RaisedSignal::By::engine);
    CHECK(b.by == RaisedSignal::By::engine);
    if (i != 0) CHECK(fast.history->raised()[i - 1].at <= a.at);
  }
}

TEST_CASE("commands that have their effect at once are served in their time") {
  Watched fast(true, {}, true), reference(false, {}, true);
  const Tick period = fast.board.machine.timing().period;
  size_t early = 0;
  for (Tick cut = 0; cut < 900 * period; cut += 3) {
    fast.board.machine.run_until(cut);
    reference.board.machine.run_until(cut);
    INFO("tick " << cut);
    REQUIRE((fast.text() == reference.text()));
    const size_t count = fast.history->reference_count();
    early += count != 0 && fast.history->reference(count - 1).served == kNever ? 1 : 0;
  }
  CHECK(early > 20);
}

TEST_CASE("a history goes back with its machine and sees the same once more") {
  for (const bool again : {true, false}) {  // with the same engine
    Watched side(true), straight(true);
    const Tick period = side.board.machine.timing().period, from = 5'001, end = 3'000 * period;
    side.board.machine.run_until(from);
    const MachineState state = side.board.machine.save();
    const auto units = side.board.units.save();
    const History::Mark mark = side.history->mark();
    side.board.machine.run_until(2'000 * period);
    side.board.machine.restore(state);
    side.board.units.restore(*units);
    side.history->go_back(mark);
    side.board.machine.set_execution({again, 512, 1});
    side.board.machine.run_until(end);
    straight.board.machine.run_until(end);
    const auto text = [](const Watched& s) {
      std::string out;
      write_json(*s.history, {}, {}, [&](std::string_view part) { out += part; });
      return out;
    };
    CHECK((text(side) == text(straight)));
    CHECK(side.history->raised().size() == straight.history->raised().size());
  }
}

TEST_CASE("a history that has dropped what a mark knew stays in order") {
  Watched side(true, {400, 100, 50});
  side.board.machine.run_until(5'000);
  const MachineState state = side.board.machine.save();
  const auto units = side.board.units.save();
  const History::Mark mark = side.history->mark();
  side.board.machine.run_until(100'000);
  CHECK(side.history->from_cycle() > 2'000);
  side.board.machine.restore(state);
  side.board.units.restore(*units);
  side.history->go_back(mark);
  side.board.machine.run_until(150'000);
  CHECK(side.history->reference_count() <= 100);
  CHECK(side.history->raised().size() <= 50);
  for (uint8_t c = 0; c < kContexts; ++c) {
    uint64_t at = side.history->from_cycle();
    side.history->segments({0, c}, [&](const Segment& s) {
      CHECK(s.begin == at);
      at = s.end;
    });
    CHECK(at == side.board.machine.cycles(0));
  }
}
