// Checks and statistics on an IXP1200: each check that applies there, with a program that triggers it and one that does
// not.
#include <catch2/catch.hpp>
#include <deque>
#include <functional>
#include <stdexcept>

#include "found.h"
#include "weft/assembler/assembler.h"
#include "weft/base/render.h"
#include "weft/emulator/observers/checks.h"
#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/statistics.h"

using namespace weft;
using namespace weft::emulator;
using test::has;

namespace {

BoardDescription board_1200() {
  auto board = load_board("generic-1200", {WEFT_SOURCE_DIR "/emulator"});
  if (!board) throw std::runtime_error(render_text(board.error()));
  return *board;
}

struct Program {
  std::string text;
  unsigned contexts = 1;
};

/// Programs on the first engines, one each, with all checks on.
struct Run : test::Found {
  explicit Run(const std::vector<Program>& programs, CheckMode mode = CheckMode::warn,
               const std::function<void(Run&)>& prepare = {})
      : board(board_1200()), machine(MachineDescription(board.chips[0].chip)), units(board.chips[0], machine) {
    machine.attach(units);
    Images known;
    for (unsigned e = 0; e < programs.size(); ++e) {
      assembler::Options options;
      options.profile = isa::Profile::me1;
      options.chip = "ixp1200";
      auto assembly = assembler::assemble(make_source("p" + std::to_string(e) + ".uc", programs[e].text), options);
      if (!assembly.image) throw std::runtime_error(render_text(assembly.diagnostics));
      images.push_back(std::move(*assembly.image));
      machine.load(e, images.back().words);
      machine.start(e, programs[e].contexts);
      known.push_back(&images.back());
    }
    if (prepare) prepare(*this);
    checks = std::make_unique<Checks>(machine, known, all_checks(mode), &units, pools);
    machine.attach(*checks);
    stop = machine.run_until(100'000);
    checks->finish();
  }

  BoardDescription board;
  Machine machine;
  Units units;
  std::deque<image::Image> images;
  std::vector<BufferPool> pools;
  StopReason stop;
};

const std::string kEnd = "ctx_arb[kill]\nnop\n";

}  // namespace

TEST_CASE("me1 check uninitialised") {
  CHECK(has(Run({{".registers physical\nalu[a1, --, B, b5]\n" + kEnd}}).only(Check::uninitialised),
            "reads b5, which nothing has written"));
  CHECK(has(Run({{".registers physical\nimmed[a1, 4]\nsram[write, $3, a1, 0, 1], ctx_swap\n" + kEnd}})
                .only(Check::uninitialised),
            "sram_write sends $3, which nothing has written"));
  CHECK(has(Run({{".registers physical\nalu[a1, --, B, $$2]\n" + kEnd}}).only(Check::uninitialised),
            "into which nothing has come"));
  Run({{".registers physical\nimmed[b5, 1]\nalu[a1, --, B, b5]\n" + kEnd}}).silent();
}

TEST_CASE("me1 check transfer") {
  const std::string early = Run({{".registers physical\nimmed[a1, 4]\nsram[read, $0, a1, 0, 1], sig_done\nalu[a2, --, "
                                  "B, $0]\nctx_arb[sram]\n" +
                                  kEnd}})
                                .only(Check::transfer);
  CHECK(has(early, "p0.uc:4"));
  CHECK(has(early, "reads $0 before its data is there; sram_read of me0 ctx 0 at p0.uc:3"));
  CHECK(has(Run({{".registers physical\nimmed[a1, 4]\nimmed[a2, 1]\nalu[$0, --, B, a2]\nsram[write, $0, a1, 0, 1], "
                  "sig_done\nalu[$0, --, B, a1]\nctx_arb[sram]\n" +
                  kEnd}})
                .only(Check::transfer),
            "changes $0 before its value was taken; sram_write"));
  Run({{".registers physical\nimmed[a1, 4]\nsdram[read, $$0, a1, 0, 1], sig_done\nctx_arb[sdram]\nalu[a2, --, B, "
        "$$1]\n" +
        kEnd}})
      .silent();
}

TEST_CASE("me1 check signals") {
  // A second signal of another thread before the first was taken; a second reference to one unit is legal.
  const std::string sender = ".registers physical\nfast_wr[0, INTER_THD_SIG]\nfast_wr[0, INTER_THD_SIG]\n" + kEnd;
  const std::string late =
      ".registers physical\nimmed[a1, 100]\nwait#:\nalu[a1, a1, -, 1]\nbr!=0[wait#]\nctx_arb[inter_thread]\n" + kEnd;
  const std::string twice = Run({{late}, {sender}}).only(Check::signal_twice);
  CHECK(has(twice, "inter_thread"));
  CHECK(has(twice, "of me1 ctx 0 at p1.uc:"));
  Run({{".registers physical\nimmed[a1, 4]\nsram[read, $0, a1, 0, 1], sig_done\nsram[read, $1, a1, 1, 1], "
        "sig_done\nimmed[a1, 50]\nwait#:\nalu[a1, a1, -, 1]\nbr!=0[wait#]\nnop\nctx_arb[sram]\n" +
        kEnd}})
      .silent();

  // Raised, and never awaited.
  const std::string idle = ".registers physical\nctx_arb[start_receive]\n" + kEnd;
  const std::string one = ".registers physical\nfast_wr[0, INTER_THD_SIG]\n" + kEnd;
  Run unawaited({{idle}, {one}});
  REQUIRE(unawaited.of(Check::signal_unawaited).size() == 1);
  CHECK(has(unawaited.of(Check::signal_unawaited)[0], "never taken"));

  // To a thread that is not there, or does not run.
  CHECK(has(Run({{".registers physical\nfast_wr[24, INTER_THD_SIG]\n" + kEnd}}).only(Check::signal_lost),
            "fast_wr raises a signal, and nobody will see it: INTER_THD_SIG = 24: there is no such thread"));
  CHECK(has(Run({{".registers physical\nfast_wr[9, INTER_THD_SIG]\n" + kEnd}}).only(Check::signal_lost),
            "me2 ctx 1, for which it is, is inactive"));
}

namespace {

/// Waits until the sequence number has changed.
std::string hears(const std::string& first) {
  return ".registers physical\nimmed[a1, 4]\n" + first + "ctx_arb[seq_num1_change]\n";
}

}  // namespace

// F5: everybody gets it, also threads that do not want it.
TEST_CASE("me1 check signals: an enqueue sequence number is told to all threads") {
  const std::string tells =
      ".registers physical\nfast_wr[1, ENQUEUE_SEQ1]\nfast_wr[1, ENQUEUE_SEQ2]\nfast_wr[2, ENQUEUE_SEQ1]\nimmed[a1, "
      "3]\n"
      "alu[$0, --, B, a1]\ncsr[write, $0, ENQUEUE_SEQ1], ctx_swap\nsram[read, $1, a1, 0, 1], ctx_swap\n" +
      kEnd;
  const std::string other = ".registers physical\nimmed[a1, 4]\nsram[read, $0, a1, 0, 1], ctx_swap\n" + kEnd;
  Run({{tells}, {hears("") + kEnd}, {other, 0xf}}).silent();
  // What is there already is no news: the second wait never ends.
  const std::string same =
      ".registers physical\nimmed[a1, 4]\nfast_wr[1, ENQUEUE_SEQ1]\nsram[read, $1, a1, 0, 1], ctx_swap\n"
      "fast_wr[1, ENQUEUE_SEQ1]\nalu[$0, --, B, 1]\ncsr[write, $0, ENQUEUE_SEQ1], ctx_swap\n" +
      kEnd;
  CHECK(has(Run({{same}, {hears("") + "ctx_arb[seq_num1_change]\n" + kEnd}}).only(Check::endless_wait),
            "me1 ctx 0 at p1.uc:4"));
}

TEST_CASE("me1 check race: an enqueue sequence number orders") {
  const std::string access = "alu[$0, --, B, a1]\nsram[write, $0, a1, 0, 1], ctx_swap\n";
  const std::string tells = ".registers physical\nimmed[a1, 4]\n" + access + "fast_wr[1, ENQUEUE_SEQ1]\n" + kEnd;
  const std::string reads = "sram[read, $1, a1, 0, 1], ctx_swap\n";
  Run({{tells}, {hears("") + reads + kEnd}}).silent();
  Run({{".registers physical\nimmed[a1, 4]\n" + access + "alu[$0, --, B, 1]\ncsr[write, $0, ENQUEUE_SEQ1], ctx_swap\n" +
        kEnd},
       {hears("") + reads + kEnd}})
      .silent();
  // The read comes before the wait.
  CHECK(Run({{tells}, {hears(reads) + kEnd}}).of(Check::race).size() == 1);
}

TEST_CASE("me1 check endless-wait: two threads of two engines that wait for each other") {
  const auto program = [](unsigned other) {
    return ".registers physical\nagain#:\nctx_arb[inter_thread]\nfast_wr[" + std::to_string(other) +
           ", INTER_THD_SIG]\nbr[again#]\nnop\n";
  };
  Run run({{program(4)}, {program(0)}});
  const auto texts = run.of(Check::endless_wait);
  REQUIRE(texts.size() == 2);
  CHECK(has(texts[0], "me0 ctx 0 at p0.uc:3"));
  CHECK(has(texts[0], "inter_thread"));
  CHECK(has(texts[0], "me1 ctx 0"));
  CHECK(has(texts[1], "me1 ctx 0 at p1.uc:3"));
}

// A receiver that runs for ever raises start_receive of others, and nothing else.
TEST_CASE(
    "me1 check endless-wait: an event that only the thread's own commands raise, beside words that raise others") {
  const auto waits = [](const std::string& event) { return ".registers physical\nctx_arb[" + event + "]\n" + kEnd; };
  // Runs for ever, and the word never comes.
  const auto runs = [](const std::string& word) {
    return ".registers physical\nimmed[a1, 4]\nagain#:\nsram[read, $0, a1, 0, 1], ctx_swap\nalu[a2, a1, -, 5]\n"
           "br!=0[again#]\n" +
           word + "\n" + kEnd;
  };
  for (const char* word : {"fast_wr[0, RCV_REQ]", "fast_wr[4, INTER_THD_SIG]", "fast_wr[1, ENQUEUE_SEQ1]"}) {
    INFO(word);
    const std::string text = Run({{waits("sdram")}, {runs(word)}}).only(Check::endless_wait);
    CHECK(has(text, "me0 ctx 0 at p0.uc:2"));
    CHECK(has(text, "no word of a program that runs could raise it"));
  }
  // The events themselves may still come, each by its own word; of two that are awaited both must.
  Run({{waits("start_receive")}, {runs("fast_wr[0, RCV_REQ]")}}).silent();
  Run({{waits("inter_thread")}, {runs("fast_wr[0, INTER_THD_SIG]")}}).silent();
  CHECK(has(Run({{waits("inter_thread")}, {runs("fast_wr[0, RCV_REQ]")}}).only(Check::endless_wait), "me0 ctx 0"));
  CHECK(has(Run({{waits("start_receive, sdram")}, {runs("fast_wr[0, RCV_REQ]")}}).only(Check::endless_wait),
            "waits since cycle"));
}

TEST_CASE("me1 check race: SRAM and SDRAM, locks, hardware lists, signals of threads") {
  const auto writes = [](const std::string& unit) {
    const std::string bank = unit == "sdram" ? "$$" : "$";
    return ".registers physical\nimmed[a1, 4]\nalu[" + bank + "0, --, B, a1]\nalu[" + bank + "1, --, B, a1]\n" + unit +
           "[write, " + bank + "0, a1, 0, 1], ctx_swap\n" + kEnd;
  };
  CHECK(has(Run({{writes("sram")}, {writes("sram")}}).only(Check::race),
            "sram_write writes sram0[0x10], which sram_write of me0 ctx 0"));
  CHECK(has(Run({{writes("sdram")}, {writes("sdram")}}).only(Check::race),
            "sdram_write writes dram[0x20], which sdram_write of me0 ctx 0"));
  CHECK(has(Run({{writes("scratch")}, {writes("scratch")}}).only(Check::race), "scratch_write writes scratch[0x10]"));

  const auto locked = [](bool unlock_before) {
    return std::string(
               ".registers physical\nimmed[a1, 4]\nsram[read_lock, $0, a1, 0, 1], ctx_swap\nalu[a2, $0, +, 1]\nalu[$0, "
               "--, B, a2]\n") +
           (unlock_before ? "sram[unlock, --, a1, 0], ctx_swap\nsram[write, $0, a1, 0, 1], ctx_swap\n"
                          : "sram[write_unlock, $0, a1, 0, 1], ctx_swap\n") +
           kEnd;
  };
  Run orders({{locked(false), 0xf}, {locked(false), 0xf}});
  orders.silent();
  CHECK(orders.units.host().read(MemorySpace::sram, 16) == 8);
  CHECK_FALSE(Run({{locked(true)}, {locked(true)}}).of(Check::race).empty());

  // What was written before a push is there for who pops; the order of a signal is that of its thread.
  const std::string before =
      ".registers physical\nimmed[a1, 4]\nimmed[a3, 64]\nalu[$0, --, B, a1]\nsram[write, $0, a1, 0, 1], ctx_swap\n";
  const std::string push = before + "sram[push, --, a3, 0, 2], ctx_swap\n" + kEnd;
  const std::string pop =
      ".registers physical\nimmed[a1, 4]\nagain#:\nsram[pop, $1, 2], ctx_swap\nalu[--, --, B, $1]\nbr=0[again#]\nnop\n"
      "sram[read, $0, a1, 0, 1], ctx_swap\n" +
      kEnd;
  Run({{push}, {pop}}).silent();
  const std::string raise = before + "fast_wr[4, INTER_THD_SIG]\n" + kEnd;
  const std::string awaits =
      ".registers physical\nimmed[a1, 4]\nctx_arb[inter_thread]\nsram[read, $0, a1, 0, 1], ctx_swap\n" + kEnd;
  Run({{raise}, {awaits}}).silent();
}

TEST_CASE("me1 check race: a read that passes the context's own older write is taken as ordered") {
  // S1: the order queue is full of writes when the read queue gets its read (docs/observers.md says what the check
  // makes of it).
  std::string text = ".registers physical\nimmed[a1, 4]\nimmed[a2, 64]\nimmed[a3, 5]\nalu[$0, --, B, a1]\n";
  for (int i = 0; i < 4; ++i) text += "sram[write, $0, a2, 0, 1]\n";
  text +=
      "sram[write, $0, a1, 0, 1]\nsram[read, $0, a1, 0, 1], ctx_swap, optimize_mem\nalu[$1, $0, +, 1]\nsram[write, $1, "
      "a3, 0, 1], ctx_swap\n" +
      kEnd;
  Run run({{text}});
  CHECK(run.units.host().read(MemorySpace::sram, 16) == 4);
  CHECK(run.units.host().read(MemorySpace::sram, 20) == 1);  // the read came first and found 0
  CHECK(run.of(Check::race).empty());
}

TEST_CASE("me1 check hash: the multiplier of the width") {
  const auto runs = [](const std::string& width, uint32_t csr) {
    return Run({{".registers physical\nimmed[a1, 4]\nalu[$0, --, B, a1]\nalu[$1, --, B, a1]\nhash1_" + width +
                 "[$0], ctx_swap\n" + kEnd}},
               CheckMode::warn, [=](Run& run) { run.units.host().write_cap(csr, 5); });
  };
  runs("48", 0x148).silent();
  runs("64", 0x144).silent();
  CHECK(has(runs("48", 0x140).only(Check::hash), "hash1_48 runs while the multiplier for 48 bits is 0"));
  CHECK(has(runs("64", 0x148).only(Check::hash), "hash1_64 runs while the multiplier for 64 bits is 0"));
}

TEST_CASE("me1 check access and control-store") {
  CHECK(has(Run({{".registers physical\nimmed[a1, 2000]\nscratch[read, $0, a1, 0, 1], ctx_swap\n" + kEnd}})
                .only(Check::access),
            "scratch address 0x1f40"));
  CHECK(has(Run({{".registers physical\nimmed[a1, 4]\nsdram[r_fifo_rd, --, a1, 0, 1], ctx_swap\n" + kEnd}})
                .only(Check::access),
            "without an indirect word"));
  Run over({{".registers physical\nnop\nbr[there#]\nnop\nthere#:\nnop\n"}});
  CHECK(over.stop.kind == StopKind::outside_store);
  CHECK(over.of(Check::control_store).size() == 1);
}

TEST_CASE("me1 check codes") {
  const std::string text = Run({{".registers physical\nimmed[a1, 1]\nalu[--, a1, -, "
                                 "1]\nctx_arb[voluntary]\nbr=0[there#]\nnop\nnop\nthere#:\n" +
                                 kEnd}})
                               .only(Check::codes);
  CHECK(has(text, "uses condition codes"));
  Run({{".registers physical\nimmed[a1, 1]\nctx_arb[voluntary]\nalu[--, a1, -, 1]\nbr=0[there#]\nnop\nnop\nthere#:\n" +
        kEnd}})
      .silent();
}

TEST_CASE("me1 checks of buffers: a hardware list as the free list") {
  // Four buffers of 64 bytes in SDRAM for handles 64, 80, 96, 112: longword addresses in SRAM on list 1.
  const auto prepare = [](Run& run) {
    run.units.host().set_list(1, std::array<uint32_t, 4>{64, 80, 96, 112});
    run.pools = {{"small", BufferPool::List::sram_queue, 1, 0, MemorySpace::dram, 0, 64, 16, 4, 0}};
  };
  const std::string take = ".registers physical\nsram[pop, $0, 1], ctx_swap\nalu[a1, --, B, $0]\n";
  const std::string give = "sram[push, --, a1, 0, 1], ctx_swap\n";
  const std::string twice = Run({{take + give + give + kEnd}}, CheckMode::warn, prepare).only(Check::buffer_free);
  CHECK(has(twice, "sram_push gives back buffer 0x40 of pool small, which is free: sram_push of me0 ctx 0 at p0.uc:4"));
  const std::string leak = Run({{take + "immed[a1, 0]\nsram[pop, $0, 1], ctx_swap\n" + kEnd}}, CheckMode::warn, prepare)
                               .only(Check::buffer_leak);
  CHECK(has(leak, "sram_pop took buffer 0x40 of pool small"));
  Run({{take + give + kEnd}}, CheckMode::warn, prepare).silent();
}

TEST_CASE("me1 checks stop the run, or are off") {
  const std::string program = ".registers physical\nalu[a1, --, B, b5]\nnop\nnop\n" + kEnd;
  Run stopped({{program}}, CheckMode::stop);
  CHECK(stopped.stop.kind == StopKind::asked);
  CHECK(stopped.stop.pc == 0);
  Run off({{program}}, CheckMode::off);
  CHECK(off.stop.kind == StopKind::idle);
  off.silent();
}

TEST_CASE("me1: statistics name the peaks of the chip file, and coverage counts a guessed branch by its outcome") {
  const BoardDescription board = board_1200();
  const ChipOnBoard& chip = board.chips[0];
  Machine machine{MachineDescription(chip.chip)};
  Units units(chip, machine);
  machine.attach(units);
  assembler::Options options;
  options.profile = isa::Profile::me1;
  options.chip = "ixp1200";
  // Three turns; reads of 32 bytes by 4 contexts of all engines keep both memories busy.
  const auto assembly = assembler::assemble(make_source("p.uc", R"(.registers physical
    immed[a1, 3]
again#:
    alu[a1, a1, -, 1]
    br!=0[again#], guess_branch
    nop
    immed[a1, 64]
    immed[b1, 0]
more#:
    sram[read, $0, a1, 0, 8], sig_done
    sdram[read, $$0, a1, 0, 4], sig_done
    ctx_arb[sram, sdram]
    alu[b1, b1, +, 1]
    br[more#]
    nop
)"),
                                            options);
  if (!assembly.image) FAIL(render_text(assembly.diagnostics));
  for (unsigned e = 0; e < machine.engine_count(); ++e) machine.load(e, assembly.image->words), machine.start(e, 0xf);
  Statistics statistics(machine, units, chip, board.ticks_per_second);
  Coverage coverage(machine);
  machine.attach(statistics);
  machine.attach(coverage);
  constexpr uint64_t kCycles = 50'000;
  machine.run_until(kCycles * machine.timing().period);
  const StatisticsFigures f = statistics.figures();
  const auto rate = [&](const UnitStatistics& u) {
    return 4e-6 * static_cast<double>(u.longwords_in + u.longwords_out) * static_cast<double>(f.ticks_per_second) /
           static_cast<double>(f.elapsed);
  };
  unsigned seen = 0;
  for (const UnitStatistics& u : f.units) {
    const double peak = 1e-6 * u.peak_bytes * u.directions;
    INFO(u.name);
    if (u.name == "sram") {
      ++seen;
      CHECK(peak == Approx(400));
      CHECK(rate(u) > 0.95 * peak);
      CHECK(rate(u) <= peak);
    }
    if (u.name == "sdram") {
      ++seen;
      CHECK(peak == Approx(800));
      CHECK(rate(u) > 0.45 * peak);  // it gets as many bytes as SRAM, which is the narrow one
      CHECK(rate(u) <= peak);
    }
    if (u.name == "fbi") {
      ++seen;
      CHECK(peak == Approx(800));
    }
  }
  CHECK(seen == 3);
  const Coverage::Word& branch = coverage.words(0)[2];
  CHECK(branch.all_taken() == 4 * 2);
  CHECK(branch.all_not_taken() == 4 * 1);
}
