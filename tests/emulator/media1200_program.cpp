// Frames through an IXP1200 in microcode: one program that sends what it receives, and the MAC buffer problem of the
// DiffServ thesis (section 4.4) with a delay loop in place of the classifier.
#include <catch2/catch.hpp>
#include <map>
#include <memory>

#include "me1_support.h"

using namespace weft;
using namespace weft::emulator;

namespace {

// Thread 0 receives; ports and the RFIFO element are 0.
const std::string kFetch = R"(
#macro fetch()
wait#:
    csr[read, $ready, RCV_RDY_LO], ctx_swap
    br_bclr[$ready, 0, wait#]
    fast_wr[0, RCV_REQ]
    ctx_arb[start_receive]
    csr[read, $status, RCV_CNTL], ctx_swap
    br_bset[$status, 15, wait#]                 ; the flag was stale
#endm
#macro store()
    alu[--, --, B, 0]                           ; place in the RFIFO
    sdram[r_fifo_rd, --, buffer, 0, 8], indirect_ref, ctx_swap
    alu[buffer, buffer, +, 8]
#endm
)";

const std::string kForward = kFetch + R"(
.reg read $ready $status
.reg write $control $unused
.xfer_order $control $unused
.set $unused
.reg buffer mask element place
    immed[buffer, 0]
    immed[element, 0]
    immed[mask, 0x3000]                         ; start, end,
    immed_w1[mask, 0x7f]                        ; and length
next#:
    fetch()
    store()
    alu[buffer, buffer, -, 8]
    alu_shf[place, --, B, element, <<3]
    alu[--, --, B, place]
    sdram[t_fifo_wr, --, buffer, 0, 8], indirect_ref, ctx_swap
    alu[place, $status, AND, mask]
    alu[$control, place, +, 1]                  ; port 1
    alu[place, element, +, 128]
    t_fifo_wr[$control, place, 0, 1], ctx_swap
    alu[element, element, +, 1]
    alu[element, element, AND, 15]
    br[next#]
)";

// Longword 0 of scratch counts good frames, longword 1 those that were cut.
const std::string kClassify = kFetch + R"(
.reg read $ready $status
.reg buffer count zero
#macro classify()
    immed[count, ROUNDS]
delay#:
    alu[count, count, -, 1]
    br!=0[delay#]                               ; four cycles a round
#endm
#macro store_frame()
    store()
rest#:
    br_bset[$status, 13, whole#]
    fetch()
    store()
    br[rest#]
whole#:
#endm
    immed[buffer, 0]
    immed[zero, 0]
frame#:
    fetch()
#if (STORE_FIRST)
    store_frame()
    classify()
#else
    classify()
    store_frame()
#endif
    br_bset[$status, 14, bad#]
    scratch[incr, --, zero, 0], ctx_swap
    br[frame#]
bad#:
    scratch[incr, --, zero, 1], ctx_swap
    br[frame#]
)";

std::vector<uint8_t> pattern(size_t length, size_t seed) {
  std::vector<uint8_t> out(length);
  for (size_t i = 0; i < length; ++i) out[i] = static_cast<uint8_t>(seed * 31 + 7 * i + i / 251);
  return out;
}

class Run {
 public:
  Run(bool fast, ChipOnBoard chip, const std::string& code, const std::map<std::string, std::string>& defines = {})
      : on_(std::move(chip)), machine_(MachineDescription(on_.chip)), units_(on_, machine_) {
    machine_.attach(units_);
    machine_.set_execution({fast});
    std::string text;
    for (const auto& [name, value] : defines) text += "#define " + name + " " + value + "\n";
    machine_.load(0, assemble_me1("media1200.uc", text + code));
    machine_.start(0, 1);
    units_.set_sink(1, sink);
  }
  /// `spacing`: ticks between the beginnings of frames; 0 = back to back.
  void offer(const std::vector<std::vector<uint8_t>>& frames, Tick spacing) {
    std::vector<Frame> list;
    for (const auto& bytes : frames) list.push_back({bytes, list.size() * spacing, false});
    units_.set_source(0, std::make_shared<ListSource>(std::move(list)));
  }
  void go(Tick ticks) {
    const StopReason stop = machine_.run_until(machine_.now() + ticks);
    if (stop.kind != StopKind::limit) throw std::runtime_error(to_text(stop));
    for (const UnitView& unit : units_.inspect()) {
      INFO(unit.last_fault);
      CHECK(unit.counters.faults == 0);
    }
  }
  Units& units() { return units_; }
  HostPort& host() { return units_.host(); }
  Machine& machine() { return machine_; }

  std::shared_ptr<RecordingSink> sink = std::make_shared<RecordingSink>();

 private:
  ChipOnBoard on_;
  Machine machine_;
  Units units_;
};

constexpr Tick kMillisecond = 1'000'000;  // a tick of this board is a nanosecond
constexpr uint32_t kFcs = 4;

struct Outcome {
  uint64_t accepted = 0, overflow = 0, good = 0, bad = 0, deepest = 0;
};

/// Five frames of `length` bytes, check sequence included, a millisecond apart.
Outcome classify(bool fast, uint32_t length, unsigned rounds, bool store_first = false, uint32_t mac_buffer = 240) {
  ChipOnBoard chip = first_chip("nctu-1200");
  chip.ports[0].receive_buffer = mac_buffer;
  Run run(fast, chip, kClassify, {{"ROUNDS", std::to_string(rounds)}, {"STORE_FIRST", store_first ? "1" : "0"}});
  std::vector<std::vector<uint8_t>> frames;
  for (size_t i = 0; i < 5; ++i) frames.push_back(pattern(length - kFcs, i));
  run.offer(frames, kMillisecond);
  run.go(6 * kMillisecond);
  const PortCounters& c = run.units().counters(0);
  CHECK(c.received_frames == 5);
  CHECK(c.accepted_frames + c.lost_overflow == 5);
  const Outcome out{c.accepted_frames, c.lost_overflow, run.host().read(MemorySpace::scratch, 0),
                    run.host().read(MemorySpace::scratch, 4), c.receive_buffer_max};
  CHECK(out.deepest <= mac_buffer);
  CHECK(out.good == out.accepted);
  CHECK(out.bad == out.overflow);  // of each, the first 64 bytes had been fetched
  if (out.overflow == 0) {
    // All frames stand in SDRAM, each from a multiple of 64 bytes on.
    uint32_t at = 0;
    for (const auto& frame : frames) {
      std::vector<uint8_t> stored(frame.size());
      run.host().read_bytes(MemorySpace::dram, at, stored);
      CHECK(stored == frame);
      at += static_cast<uint32_t>((frame.size() + 63) / 64 * 64);
    }
  }
  return out;
}

// At 200 MHz 240 bytes take 3,840 cycles on the wire. The thesis counts 4,550 as just tolerable; its clock is not
// printed.
constexpr unsigned kSlow = 1250, kVerySlow = 12'500, kQuick = 500;  // rounds of four cycles

}  // namespace

TEST_CASE("IXP1200: frames of several mpackets go from port 0 to port 1 unchanged") {
  const bool fast = GENERATE(false, true);  // either engine
  Run run(fast, first_chip("nctu-1200"), kForward);
  std::vector<std::vector<uint8_t>> frames;
  for (const size_t length : {60u, 64u, 65u, 128u, 129u, 300u, 1000u, 1514u, 61u})
    frames.push_back(pattern(length, frames.size()));
  run.offer(frames, 0);
  run.go(2 * kMillisecond);
  CHECK(run.units().counters(0).lost_overflow == 0);
  REQUIRE(run.sink->frames().size() == frames.size());
  for (size_t i = 0; i < frames.size(); ++i) CHECK(run.sink->frames()[i].bytes == frames[i]);
  CHECK(run.units().media_idle());
  CHECK(run.units().input_finished());
  CHECK(run.units().counters(1).transmitted_frames == frames.size());
}

TEST_CASE("IXP1200: a run goes on from a copy of its units as it went before") {
  std::vector<std::vector<uint8_t>> frames;
  for (size_t i = 0; i < 20; ++i) frames.push_back(pattern(60 + 97 * i % 1400, i));
  const bool fast = GENERATE(false, true);  // either engine
  Run run(fast, first_chip("nctu-1200"), kForward);
  run.offer(frames, 0);
  for (const Tick part : {300'000u, 170'001u, 90'013u}) {
    run.go(part);
    // Restoring what is there changes nothing.
    const uint64_t before = run.units().state_hash();
    run.units().restore(*run.units().save());
    CHECK(run.units().state_hash() == before);
  }
  run.go(4 * kMillisecond);
  REQUIRE(run.sink->frames().size() == frames.size());
  for (size_t i = 0; i < frames.size(); ++i) CHECK(run.sink->frames()[i].bytes == frames[i]);
}

TEST_CASE("MAC buffer problem: slow classification and 240 bytes lose frames from 305 bytes on") {
  const bool fast = GENERATE(false, true);
  const Outcome fits = classify(fast, 304, kSlow);
  CHECK(fits.accepted == 5);
  CHECK(fits.deepest == 240);
  CHECK(classify(fast, 305, kSlow).overflow == 5);
  CHECK(classify(fast, 512, kSlow).overflow == 5);
  CHECK(classify(fast, 1518, kSlow).overflow == 5);
  CHECK(classify(fast, 64, kSlow).accepted == 5);
  // However slow it is, 304 bytes have their place.
  CHECK(classify(fast, 304, kVerySlow).accepted == 5);
}

TEST_CASE("MAC buffer problem: each of the three cures of the thesis") {
  const bool fast = GENERATE(false, true);
  for (const uint32_t length : {305u, 512u, 1518u}) {
    INFO(length << " bytes");
    CHECK(classify(fast, length, kQuick).accepted == 5);                  // a faster classifier
    CHECK(classify(fast, length, kVerySlow, false, 1454).accepted == 5);  // 1,518 - 64 bytes
    CHECK(classify(fast, length, kVerySlow, true).accepted == 5);         // everything to SDRAM first
  }
  // One byte less of buffer is not enough for the longest frame.
  CHECK(classify(fast, 1518, 40'000, false, 1453).overflow == 5);
}
