// The packet tracker with small programs: packets that change hands by next-neighbor rings, scratch rings and SRAM
// queues, packets that go nowhere, and the FIFOs and hardware lists of an IXP1200.
#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <functional>
#include <map>
#include <stdexcept>

#include "weft/assembler/assembler.h"
#include "weft/base/render.h"
#include "weft/emulator/observers/packets.h"

using namespace weft;
using namespace weft::emulator;

namespace {

BoardDescription board_of(const char* name) {
  auto board = load_board(name, {WEFT_SOURCE_DIR "/emulator"});
  if (!board) throw std::runtime_error(render_text(board.error()));
  return *board;
}

std::vector<uint8_t> frame_of(size_t length, size_t seed) {
  std::vector<uint8_t> out(length);
  for (size_t i = 0; i < length; ++i) out[i] = static_cast<uint8_t>(seed * 31 + 7 * i);
  return out;
}

/// One program an engine, context 0 alone; frames come in by port 0 and leave by port 1.
struct Run {
  Run(const char* board_name, const std::vector<std::string>& programs, const std::vector<size_t>& lengths,
      const std::function<void(Run&)>& prepare = {}, Tick ticks = 6'000'000)
      : board(board_of(board_name)), machine(MachineDescription(board.chips[0].chip)), units(board.chips[0], machine) {
    machine.attach(units);
    const bool me1 = board.chips[0].chip.profile == isa::Profile::me1;
    for (unsigned e = 0; e < programs.size(); ++e) {
      assembler::Options options;
      options.profile = board.chips[0].chip.profile;
      options.chip = me1 ? "ixp1200" : "ixp2400";
      auto assembly = assembler::assemble(make_source("p" + std::to_string(e) + ".uc", programs[e]), options);
      if (!assembly.image) throw std::runtime_error(render_text(assembly.diagnostics));
      owned.push_back(std::move(*assembly.image));
      machine.load(e, owned.back().words);
      machine.start(e, 1);
    }
    if (prepare) prepare(*this);
    std::vector<Frame> frames;
    for (size_t i = 0; i < lengths.size(); ++i)
      frames.push_back({frame_of(lengths[i], i), i * (me1 ? 200'000u : 60'000u), false});
    units.set_source(0, std::make_shared<ListSource>(std::move(frames)));
    units.set_sink(1, sink);
    Images images;
    for (const image::Image& image : owned) images.push_back(&image);
    tracker = std::make_unique<PacketTracker>(machine, units, images, pools, PacketLimits{}, tables);
    machine.attach(*tracker);
    const StopReason stop = machine.run_until(ticks);
    INFO(to_text(stop));
    CHECK((stop.kind == StopKind::limit || stop.kind == StopKind::idle));
    for (const UnitView& unit : units.inspect()) {
      INFO(unit.last_fault);
      CHECK(unit.counters.faults == 0);
    }
    tracker->finish();
  }
  std::vector<PacketRecord> records() const {
    std::vector<PacketRecord> out(tracker->records().begin(), tracker->records().end());
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    return out;
  }
  /// Names of the places that a packet came by, in the order in which it first did: a context that polls for more work
  /// is still charged to the last one.
  std::vector<std::string> way(const PacketRecord& r) const {
    std::vector<std::string> out;
    for (const PacketStep& s : r.steps) {
      const std::string name = "me" + std::to_string(s.engine) + " " + tracker->places()[s.place].name();
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    }
    return out;
  }

  BoardDescription board;
  Machine machine;
  Units units;
  std::vector<BufferPool> pools;
  std::vector<TableMemory> tables;
  std::deque<image::Image> owned;
  std::shared_ptr<RecordingSink> sink = std::make_shared<RecordingSink>();
  std::unique_ptr<PacketTracker> tracker;
};

void sums_hold(const PacketRecord& r) {
  uint64_t busy = 0, cost = 0;
  for (const PacketStep& s : r.steps) {
    CHECK(s.from >= r.arrived);
    CHECK(s.to - s.from >= s.busy);
    busy += s.busy;
  }
  for (const PacketCost& c : r.cost) cost += uint64_t{c.executing} + c.aborted + c.stalled;
  CHECK(busy == cost);
  CHECK(busy > 0);
}

// Frames of one mpacket to buffers of 2,048 bytes from 0x10000 on; `hand_on` does something with `buffer`.
std::string receiver(const std::string& hand_on) {
  return R"(
.reg volatile read $status0 $status1
.xfer_order $status0 $status1
.sig volatile mpacket
.sig copied ring_sig
.set_rd $status0 $status1
.reg claim buffer status element temp copy_base done size queue
.reg write $out
    immed[temp, (&$status0 | (&mpacket << 12)), <<16]
    alu[claim, temp, OR, 0x30]
    immed[buffer, 1, <<16]
    immed[size, 0x800]
    immed[copy_base, 0x10]
    immed_w1[copy_base, 0x204]
.stage receive
next#:
    msf[fast_wr, --, claim, 0]
    ctx_arb[mpacket]
    .use_rd $status1
    alu[status, --, B, $status0]
    alu_shf[element, 0x7f, AND, status, >>24]
    immed[temp, 7]
    alu_shf[temp, copy_base, OR, temp, <<21]
    alu_shf[--, temp, OR, element, <<11]
    dram[rbuf_rd, --, buffer, 0, max_8], indirect_ref, sig_done[copied]
    ctx_arb[copied]
    alu_shf[done, 0x44, OR, element, <<16]
    msf[fast_wr, --, done, 0]
.stage hand_on
)" + hand_on +
         R"(
    alu[buffer, buffer, +, size]
    br[next#]
)";
}

// `take` puts the next buffer into `buffer`, or goes back to next#; 60 bytes leave by channel 1.
std::string sender(const std::string& take) {
  return R"(
.reg buffer element temp copy_base control_base word ring queue
.reg $control0 $control1 $in
.xfer_order $control0 $control1
.sig copied msf_sig ring_sig
    immed[element, 0]
    immed[copy_base, 0x10]
    immed_w1[copy_base, 0x204]
    immed[control_base, 0x1800]
    immed[word, 0x301]
    immed_w1[word, 0x3c00]
.stage take
next#:
)" + take +
         R"(
.stage transmit
    immed[temp, 7]
    alu_shf[temp, copy_base, OR, temp, <<21]
    alu_shf[--, temp, OR, element, <<11]
    dram[tbuf_wr, --, buffer, 0, max_8], indirect_ref, sig_done[copied]
    ctx_arb[copied]
    alu[$control0, --, B, word]
    immed[$control1, 0]
    alu_shf[temp, --, B, element, <<3]
    msf[write, $control0, control_base, temp, 2], ctx_swap[msf_sig]
    alu[element, element, +, 1]
    alu[element, element, AND, 0x7f]
    br[next#]
)";
}

const std::string kPutNeighbor = "    alu[*n$index++, --, B, buffer]\n";
const std::string kGetNeighbor = "    br_inp_state[NN_EMPTY, next#]\n    alu[buffer, --, B, *n$index++]\n";
const std::string kPutScratch =
    "    alu[$out, --, B, buffer]\n    immed[temp, 12]\n    scratch[put, $out, temp, 0, 1], ctx_swap[ring_sig]\n";
const std::string kGetScratch =
    "    immed[ring, 12]\n    scratch[get, $in, ring, 0, 1], ctx_swap[ring_sig]\n    alu[buffer, --, B, $in]\n    "
    "beq[next#]\n";
// Entry 9 of the queue array of channel 0; a longword address in SRAM stands for the buffer.
const std::string kEnqueue =
    "    alu_shf[temp, --, B, buffer, >>2]\n    immed[queue, 0x900, <<16]\n    alu[temp, temp, OR, queue]\n"
    "    sram[enqueue, --, temp, 0], ctx_swap[ring_sig]\n";
const std::string kDequeue =
    "    immed[queue, 0x900, <<16]\n    sram[dequeue, $in, queue, 0], ctx_swap[ring_sig]\n    alu_shf[buffer, --, B, "
    "$in, <<2]\n"
    "    alu[--, --, B, buffer]\n    beq[next#]\n";

void with_ring(Run& run) { REQUIRE(run.units.host().set_ring(3, 0x400, 128)); }

}  // namespace

TEST_CASE("packets change hands by next-neighbor ring, scratch ring and SRAM queue") {
  struct Row {
    const char* name;
    std::string put, get;
  };
  for (const Row& row : {Row{"next-neighbor ring", kPutNeighbor, kGetNeighbor},
                         Row{"scratch ring", kPutScratch, kGetScratch}, Row{"SRAM queue", kEnqueue, kDequeue}}) {
    INFO(row.name);
    Run run("generic-2400", {receiver(row.put), sender(row.get)}, std::vector<size_t>(8, 60), with_ring);
    CHECK(run.sink->frames().size() == 8);
    CHECK(run.tracker->totals().unnumbered_sent == 0);
    // How full the rings and queues were is noted: what is noted last is what is in them.
    const auto& queues = run.tracker->queues();
    std::vector<uint32_t> depth(queues.size());
    uint32_t max = 0;
    for (const QueueChange& change : run.tracker->queue_changes()) {
      depth.at(change.queue) = change.depth;
      max = std::max(max, change.depth);
    }
    for (size_t q = 0; q < queues.size(); ++q)
      CHECK(depth[q] == (queues[q].kind == QueueName::Kind::scratch_ring
                             ? run.units.host().ring(queues[q].number).count
                             : run.units.host().queue(queues[q].channel, queues[q].number).count));
    CHECK(queues.size() == (row.put == kPutNeighbor ? 0u : 1u));
    if (row.put != kPutNeighbor) CHECK(max > 0);
    const auto records = run.records();
    REQUIRE(records.size() == 8);
    for (const PacketRecord& r : records) {
      INFO("packet " << r.number);
      CHECK(r.verdict == Verdict::forwarded);
      CHECK(r.out_port == 1);
      CHECK(run.way(r) == std::vector<std::string>{"me0 receive", "me0 hand_on", "me1 take", "me1 transmit"});
      REQUIRE(r.cost.size() == 2);
      CHECK(r.cost[0].engine == 0);
      CHECK(r.cost[1].engine == 1);
      sums_hold(r);
    }
    // Every packet costs the same: the programs do the same for each, and nobody waits for anybody else.
    for (const PacketRecord& r : records) CHECK(r.cost[0].executing == records[0].cost[0].executing);
  }
}

TEST_CASE("three engines in a row, by a ring and a queue") {
  const std::string middle = R"(
.reg buffer temp queue ring
.reg $in
.sig ring_sig
.stage middle
next#:
)" + kGetNeighbor + kEnqueue +
                             "    br[next#]\n";
  Run run("generic-2400", {receiver(kPutNeighbor), middle, sender(kDequeue)}, std::vector<size_t>(5, 60));
  const auto records = run.records();
  REQUIRE(records.size() == 5);
  for (const PacketRecord& r : records) {
    CHECK(r.verdict == Verdict::forwarded);
    CHECK(run.way(r) ==
          std::vector<std::string>{"me0 receive", "me0 hand_on", "me1 middle", "me2 take", "me2 transmit"});
    sums_hold(r);
  }
}

TEST_CASE(
    "packets without an output: dropped when their buffer is given back or goes to another packet, else in flight") {
  // Every second buffer goes back to its pool, ring 5, without being sent.
  const std::string every_second = R"(
    br_bclr[buffer, 11, keep#]
    alu[$out, --, B, buffer]
    immed[temp, 20]
    scratch[put, $out, temp, 0, 1], ctx_swap[ring_sig]
    br[over#]
keep#:
)" + kPutScratch + "over#:\n";
  const auto pool = [](Run& run) {
    with_ring(run);
    REQUIRE(run.units.host().set_ring(5, 0x800, 128));
    run.pools = {{"frames", BufferPool::List::scratch_ring, 5, 0, MemorySpace::dram, 0, 0x10000, 0x800, 64, 0}};
  };
  Run run("generic-2400", {receiver(every_second), sender(kGetScratch)}, std::vector<size_t>(6, 60), pool);
  const auto records = run.records();
  REQUIRE(records.size() == 6);
  for (const PacketRecord& r : records) {
    INFO("packet " << r.number);
    CHECK(r.verdict == (r.number % 2 == 1 ? Verdict::forwarded : Verdict::dropped));
    if (r.verdict != Verdict::dropped) continue;
    CHECK(r.out_port == -1);
    CHECK(r.reason.starts_with("p0.uc:"));  // the line of the put, for there is no mark
    CHECK(r.reason == r.line);
    sums_hold(r);
  }
  CHECK(run.tracker->totals().by_verdict[static_cast<size_t>(Verdict::dropped)] == 3);

  // One buffer for all, and nothing is ever sent.
  Run forgetful("generic-2400", {receiver("    immed[size, 0]\n")}, std::vector<size_t>(4, 60), pool);
  const auto lost = forgetful.records();
  REQUIRE(lost.size() == 4);
  for (const PacketRecord& r : lost) CHECK(r.verdict == (r.number < 4 ? Verdict::dropped : Verdict::in_flight));
  CHECK(forgetful.sink->frames().empty());
}

namespace {

/// The pool of the buffers of receiver().
void with_pool(Run& run) {
  with_ring(run);
  run.pools = {{"frames", BufferPool::List::scratch_ring, 5, 0, MemorySpace::dram, 0, 0x10000, 0x800, 64, 0}};
}

}  // namespace

TEST_CASE("Who reads a table works on its own packet, where the buffers are known or the table is") {
  // Every packet adds one to a longword that the packet before it has written, and waits on a ring for ever.
  const std::string count = R"(.reg read $count
    immed[temp, 0x3000]
    scratch[read, $count, temp, 0, 1], ctx_swap[ring_sig]
    alu[$out, $count, +, 1]
    scratch[write, $out, temp, 0, 1], ctx_swap[ring_sig]
)" + kPutScratch;
  const auto with_table = [](Run& run) {
    with_ring(run);
    run.tables = {{MemorySpace::scratch, 0, 0x2ff0, 0x11}};  // a part of a longword is the longword
  };
  const auto with_other_table = [](Run& run) {
    with_ring(run);
    run.tables = {{MemorySpace::scratch, 0, 0x2ff0, 0x10}, {MemorySpace::sram, 0, 0x3000, 4}};
  };
  const auto held = [&](const std::function<void(Run&)>& prepare) {
    Run run("generic-2400", {receiver(count)}, std::vector<size_t>(5, 60), prepare);
    CHECK(run.units.host().read(MemorySpace::scratch, 0x3000) == 5);
    std::vector<uint64_t> out;
    for (const PacketRecord& r : run.records()) {
      CHECK(r.verdict == Verdict::in_flight);
      sums_hold(r);
      REQUIRE(r.cost.size() == 1);
      out.push_back(r.cost[0].executing);
    }
    REQUIRE(out.size() == 5);
    return out;
  };
  const std::vector<uint64_t> own = held(with_table);
  CHECK(own == std::vector<uint64_t>(5, own[0]));
  CHECK(held(with_pool) == own);
  // Nothing is known of the longword: the packet that first wrote it is charged for the others.
  for (const std::vector<uint64_t>& taken : {held(with_ring), held(with_other_table)}) {
    CHECK(taken[0] > own[0]);
    CHECK(taken[4] < own[4]);
  }
}

TEST_CASE("A longword with the handle of its buffer hands a packet over, also beside other fields") {
  const std::string zero_slot = "    alu[$none, --, B, 0]\n    scratch[write, $none, ring, 0, 1], ctx_swap[ring_sig]\n";
  struct Row {
    const char *name, *pack, *unpack;
  };
  for (const Row& row : {Row{"alone", "    alu[$out, --, B, buffer]\n", "    alu[buffer, --, B, $in]\n"},
                         Row{"flags below", "    alu[$out, 5, OR, buffer]\n",
                             "    alu_shf[buffer, --, B, $in, >>11]\n    alu_shf[buffer, --, B, buffer, <<11]\n"},
                         Row{"moved, with flags below", "    alu_shf[$out, 5, OR, buffer, <<4]\n",
                             "    alu_shf[buffer, --, B, $in, >>4]\n"},
                         Row{"a length above", "    immed[temp, 60, <<16]\n    alu_shf[$out, buffer, OR, temp, <<4]\n",
                             "    alu_shf[buffer, --, B, $in, <<12]\n    alu_shf[buffer, --, B, buffer, >>12]\n"}}) {
    INFO(row.name);
    const std::string put =
        std::string(row.pack) + "    immed[temp, 0x3000]\n    scratch[write, $out, temp, 0, 1], ctx_swap[ring_sig]\n";
    const std::string get = std::string(
                                ".reg write $none\n    immed[ring, 0x3000]\n    scratch[read, $in, ring, 0, 1], "
                                "ctx_swap[ring_sig]\n") +
                            row.unpack + "    alu[--, --, B, buffer]\n    beq[next#]\n" + zero_slot;
    Run run("generic-2400", {receiver(put), sender(get)}, std::vector<size_t>(4, 60), with_pool);
    const auto records = run.records();
    REQUIRE(records.size() == 4);
    CHECK(run.sink->frames().size() == 4);
    for (const PacketRecord& r : records) {
      CHECK(r.verdict == Verdict::forwarded);
      CHECK(run.way(r) == std::vector<std::string>{"me0 receive", "me0 hand_on", "me1 take", "me1 transmit"});
      sums_hold(r);
    }
  }
}

TEST_CASE("A context whose packet another engine took over gets it back by an answer that names no buffer") {
  const std::string ask = kPutScratch + R"(.reg read $answer
    immed[temp, 0x3010]
answer#:
    scratch[read, $answer, temp, 0, 1], ctx_swap[ring_sig]
    alu[--, --, B, $answer]
    beq[answer#]
.stage answered
    alu[$out, --, B, 0]
    scratch[write, $out, temp, 0, 1], ctx_swap[ring_sig]
)";
  const std::string serve = R"(
.reg ring buffer place
.reg read $in
.reg write $out
.sig ring_sig
.stage serve
next#:
)" + kGetScratch + R"(
    immed[place, 0x3010]
    alu[$out, --, B, 7]
    scratch[write, $out, place, 0, 1], ctx_swap[ring_sig]
    br[next#]
)";
  Run run("generic-2400", {receiver(ask), serve}, std::vector<size_t>(3, 60), with_pool);
  const auto records = run.records();
  REQUIRE(records.size() == 3);
  for (const PacketRecord& r : records) {
    INFO("packet " << r.number);
    CHECK(run.way(r) == std::vector<std::string>{"me0 receive", "me0 hand_on", "me1 serve", "me0 answered"});
    sums_hold(r);
  }
}

TEST_CASE("packets that no program takes are lost at their port, as its counters say") {
  Run run("generic-2400", {"ctx_arb[kill]\n"}, std::vector<size_t>(400, 1500), {}, 400 * 80'000);
  const PortCounters& counters = run.units.counters(0);
  CHECK(counters.lost_overflow > 0);
  const PacketTotals& totals = run.tracker->totals();
  CHECK(totals.packets == 400);
  CHECK(totals.by_verdict[static_cast<size_t>(Verdict::lost_in)] == counters.lost_overflow);
  CHECK(totals.by_verdict[static_cast<size_t>(Verdict::in_flight)] == 400 - counters.lost_overflow);
}

namespace {

// As in media1200_program.cpp: thread 0 receives from port 0 into RFIFO element 0.
const std::string kFetch = R"(
.reg read $ready $status $handle
.reg write $control $unused
.xfer_order $control $unused
.set $unused
.reg handle buffer mask element place
    immed[element, 0]
    immed[mask, 0x3000]
    immed_w1[mask, 0x7f]
.stage receive
next#:
    csr[read, $ready, RCV_RDY_LO], ctx_swap
    br_bclr[$ready, 0, next#]
    fast_wr[0, RCV_REQ]
    ctx_arb[start_receive]
    csr[read, $status, RCV_CNTL], ctx_swap
    br_bset[$status, 15, next#]
    sram[pop, $handle, 1], ctx_swap
    alu[handle, --, B, $handle]
    alu_shf[buffer, --, B, handle, <<3]
    alu[--, --, B, 0]
    sdram[r_fifo_rd, --, buffer, 0, 8], indirect_ref, ctx_swap
)";
const std::string kSend = R"(
.stage transmit
    alu_shf[place, --, B, element, <<3]
    alu[--, --, B, place]
    sdram[t_fifo_wr, --, buffer, 0, 8], indirect_ref, ctx_swap
    alu[place, $status, AND, mask]
    alu[$control, place, +, 1]
    alu[place, element, +, 128]
    t_fifo_wr[$control, place, 0, 1], ctx_swap
    alu[element, element, +, 1]
    alu[element, element, AND, 15]
    sram[push, --, handle, 0, 1], ctx_swap
    br[next#]
)";

// Eight buffers of 64 bytes; longwords 64 to 71 of SRAM on hardware list 1 stand for them.
void with_list(Run& run) {
  run.units.host().set_list(1, std::array<uint32_t, 8>{64, 65, 66, 67, 68, 69, 70, 71});
  run.pools = {{"frames", BufferPool::List::sram_queue, 1, 0, MemorySpace::dram, 0, 0x1000, 64, 8, 6}};
}

}  // namespace

TEST_CASE("IXP1200: packets through the RFIFO, SDRAM and the TFIFO, drops by mark and by line") {
  const std::vector<size_t> lengths{60, 61, 62, 63, 64, 61, 60};
  // None, at the first word of its place, and behind it.
  for (const std::string mark : {"", ".drop odd_length\n", "    nop\n.drop odd_length\n"}) {
    const bool marked = !mark.empty();
    const std::string program = kFetch + "    br_bset[$status, 16, odd#]\n" + kSend + "odd#:\n" + mark +
                                "    sram[push, --, handle, 0, 1], ctx_swap\n    br[next#]\n";
    Run run("nctu-1200", {program}, lengths, with_list);
    const auto records = run.records();
    REQUIRE(records.size() == lengths.size());
    for (size_t i = 0; i < lengths.size(); ++i) {
      const PacketRecord& r = records[i];
      INFO("packet " << r.number);
      CHECK(r.bytes == lengths[i]);
      CHECK(r.verdict == (lengths[i] % 2 == 0 ? Verdict::forwarded : Verdict::dropped));
      // Bytes with check sequence, preamble and gap at 80 ns, in cycles of 5 ns.
      CHECK(r.budget == (lengths[i] + 4 + 20) * 16);
      sums_hold(r);
      if (r.verdict == Verdict::forwarded) {
        CHECK(r.out_port == 1);
        CHECK(run.way(r) == std::vector<std::string>{"me0 receive", "me0 transmit"});
      } else if (marked) {
        CHECK(r.reason == "odd_length");
      } else {
        CHECK(r.reason.starts_with("p0.uc:"));
      }
    }
    CHECK(run.sink->frames().size() == 4);
    CHECK(run.tracker->totals().unnumbered_sent == 0);
  }
}

TEST_CASE("IXP1200: a program that moves frames through its registers, without SDRAM") {
  // r_fifo_rd and t_fifo_wr: eight longwords, twice.
  const std::string program = R"(
.registers physical
#macro move(first)
    r_fifo_rd[$0, a2, first, 4], ctx_swap
    alu[$0, --, B, $0]
    alu[$1, --, B, $1]
    alu[$2, --, B, $2]
    alu[$3, --, B, $3]
    alu[$4, --, B, $4]
    alu[$5, --, B, $5]
    alu[$6, --, B, $6]
    alu[$7, --, B, $7]
    t_fifo_wr[$0, a1, first, 4], ctx_swap
#endm
    immed[a4, 0]
next#:
    csr[read, $7, RCV_RDY_LO], ctx_swap
    br_bclr[$7, 0, next#]
    fast_wr[0, RCV_REQ]
    ctx_arb[start_receive]
    csr[read, $7, RCV_CNTL], ctx_swap
    br_bset[$7, 15, next#]
    alu[a5, --, B, $7]
    alu_shf[a1, --, B, a4, <<3]
    immed[a2, 0]
    move(0)
    move(4)
    immed[b1, 0x3000]
    immed_w1[b1, 0x7f]
    alu[a5, a5, AND, b1]
    alu[$0, a5, +, 1]
    alu[$1, --, B, 0]
    immed[b1, 128]
    alu[a6, a4, +, b1]
    t_fifo_wr[$0, a6, 0, 1], ctx_swap
    alu[a4, a4, +, 1]
    alu[a4, a4, AND, 15]
    br[next#]
)";
  const std::vector<size_t> lengths{60, 64, 61, 62};
  Run run("nctu-1200", {program}, lengths);
  const auto records = run.records();
  REQUIRE(records.size() == lengths.size());
  for (const PacketRecord& r : records) {
    CHECK(r.verdict == Verdict::forwarded);
    CHECK(r.out_port == 1);
    sums_hold(r);
  }
  REQUIRE(run.sink->frames().size() == lengths.size());
  for (size_t i = 0; i < lengths.size(); ++i) CHECK(run.sink->frames()[i].bytes == frame_of(lengths[i], i));
}
