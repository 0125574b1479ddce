// What becomes of packets that nobody accounts for, and of programs that ask units for what cannot be.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "folder.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;
using weft::workbench::test::session_of;

namespace {

/// Context 0 waits on thread free list 0, and does `work` with each mpacket, whose element number is `element`.
std::string receiver(const std::string& work) {
  return R"(.reg volatile read $s0 $s1
.xfer_order $s0 $s1
.sig volatile mpacket
.set_rd $s0 $s1
.reg claim temp status element
br=ctx[0, begin#]
ctx_arb[kill]
begin#:
local_csr_rd[ACTIVE_CTX_STS]
immed[status, 0]
alu_shf[temp, 3, AND, status, >>3]
alu_shf[claim, --, B, temp, <<23]
immed[temp, (&$s0 | (&mpacket << 12)), <<16]
alu[claim, claim, OR, temp]
alu[claim, claim, OR, 0x30]
again#:
msf[fast_wr, --, claim, 0]
ctx_arb[mpacket]
.use_rd $s1
alu_shf[element, 0x7f, AND, $s0, >>24]
)" + work +
         "\nbr[again#]\n";
}
constexpr const char* kGiveBack = "alu_shf[element, 0x44, OR, element, <<16]\nmsf[fast_wr, --, element, 0]\n";

/// `count` frames of 64 octets into port 2.
std::string traffic(unsigned count, const std::string& rest = "") {
  return fmt::format(R"(, "ports": [{{"port": 2, "in": {{"generate": {{"count": {}, "destinations": "198.18.0.0/15",
    "destination-mac": "02:00:00:00:00:03"}}}}}}], "limits": {{"quiet": 5000}}{})",
                     count, rest);
}

/// What the report must keep whatever a program does.
void check_sums(const Report& r) {
  CHECK(r.frames_in + r.made == r.frames_out + r.dropped + r.handed_to_core + r.lost + r.held);
  uint64_t held = 0;
  for (const HeldFigures& h : r.held_at) held += h.count;
  CHECK(held == r.held);
}

}  // namespace

TEST_CASE("frames that nobody takes are told with the place where they wait") {
  const Folder folder;
  const auto session = session_of(folder, "ctx_arb[kill]\nnop\n", traffic(140));
  const Stop stop = session->run({});
  CHECK(stop.kind == Stop::Kind::quiet);
  CHECK(stop.text.find("140 of 140 packets have no end") != std::string::npos);
  const Report r = session->report();
  check_sums(r);
  CHECK(r.frames_in == 140);
  CHECK(r.frames_out == 0);
  CHECK(r.held == 140);
  REQUIRE(r.held_at.size() == 2);  // 128 elements, the rest stays in the MAC
  CHECK(r.held_at[0].place == "in the receive buffer of the MAC, never taken");
  CHECK(r.held_at[0].port == 2);
  CHECK(r.held_at[0].count == 12);
  CHECK(r.held_at[1].place == "in RBUF, and no context has asked for them");
  CHECK(r.held_at[1].count == 128);
}

TEST_CASE("a context that keeps what it was given is named with the line where it stands") {
  const Folder folder;
  const auto session = session_of(folder, receiver("ctx_arb[kill]"), traffic(3));
  session->run({});
  const Report r = session->report();
  check_sums(r);
  CHECK(r.held == 3);
  REQUIRE(r.held_at.size() == 2);
  CHECK(r.held_at[0].count == 2);
  CHECK(r.held_at[1].place.starts_with("in RBUF, handed to me0.ctx0, which has ended at "));
  CHECK(r.held_at[1].place.find("p.uc:22") != std::string::npos);  // after the kill
  CHECK(r.held_at[1].count == 1);
}

TEST_CASE("a context that waits for ever is named with the line of its wait, not with that where it would go on") {
  const auto [work, place] = GENERATE(table<const char*, const char*>({
      {"ctx_arb[mpacket], br[again#]", "sleeps at p.uc:21"},
      {"ctx_arb[mpacket]\nalu[temp, --, B, element]", "sleeps at p.uc:21"},
      // The signal tells two waits apart that go on at the same word.
      {"br=ctx[1, other#]\nctx_arb[mpacket], br[again#]\nother#:\nctx_arb[voluntary], br[again#]", "sleeps at p.uc:22"},
      {"br=ctx[1, other#]\nctx_arb[mpacket], br[again#]\nother#:\nctx_arb[mpacket], br[again#]",
       "sleeps before p.uc:17"},
  }));
  INFO(work);
  const Folder folder;
  const auto session = session_of(folder, receiver(work), traffic(3));
  session->run({});
  const Report r = session->report();
  check_sums(r);
  REQUIRE(r.held_at.size() == 2);
  CHECK(r.held_at[1].place == std::string("in RBUF, handed to me0.ctx0, which ") + place);
}

TEST_CASE(
    "packets that a program takes and forgets do not pass for traffic that has passed, their last line is found") {
  const Folder folder;
  const auto session = session_of(folder, receiver(kGiveBack), traffic(10));
  CHECK(session->machine().timing().period != 0);
  const Stop stop = session->run({});
  CHECK(stop.text.ends_with("; 10 of 10 packets have no end"));
  const Report r = session->report();
  check_sums(r);
  CHECK(r.held == 10);
  REQUIRE(r.held_at.size() == 1);
  CHECK(r.held_at[0].place == "taken by the programs, which say nothing of them");
  const auto named = session->report_with_places();
  REQUIRE(named);
  check_sums(*named);
  CHECK(named->held == 10);
  CHECK(named->cycles == r.cycles);
  uint64_t here = 0;
  for (const HeldFigures& h : named->held_at) {
    INFO(h.place);
    CHECK(h.place.starts_with("last at "));
    CHECK(h.place.find("p.uc:") != std::string::npos);
    CHECK(h.place.find("(me0 again") != std::string::npos);
    CHECK(h.port == 2);
    here += h.count;
  }
  CHECK(here == 10);
}

TEST_CASE("a run with a packet tracker knows the places at once") {
  const Folder folder;
  Observation observation;
  observation.packets = true;
  const auto session = session_of(folder, receiver(kGiveBack), traffic(4), observation);
  session->run({});
  REQUIRE(session->finish());
  const auto named = session->report_with_places();
  REQUIRE(named);
  check_sums(*named);
  REQUIRE_FALSE(named->held_at.empty());
  for (const HeldFigures& h : named->held_at) CHECK(h.place.starts_with("last at "));
}

TEST_CASE("a counter of the project gives packets an end, by name") {
  const Folder folder;
  const std::string counts = R"(.reg at
immed[at, 0x3f00]
scratch[incr, --, at, 4]
)" + std::string(kGiveBack);
  const auto session =
      session_of(folder, receiver(counts),
                 traffic(7, R"(, "reasons": [{"name": "swallowed", "memory": "scratch", "address": "0x3f04"}])"));
  const Stop stop = session->run({});
  CHECK(stop.text.find("no end") == std::string::npos);
  const Report r = session->report();
  check_sums(r);
  CHECK(r.dropped == 7);
  CHECK(r.held == 0);
  REQUIRE(r.drops.size() == 1);
  CHECK(r.drops[0].reason == "swallowed");
  CHECK(r.drops[0].port == -1);
  CHECK(r.drops[0].count == 7);
}

TEST_CASE("frames that a program makes and nobody counts may hide lost ones: the run says that it does not know") {
  const Folder folder;
  const auto run = [&](const std::string& work) {
    const auto session =
        session_of(folder, receiver(".reg at\nimmed[at, 0x3f00]\n" + work + kGiveBack),
                   traffic(6, R"(, "reasons": [{"name": "gone", "memory": "scratch", "address": "0x3f04"},
                       {"name": "copied", "fate": "made", "memory": "scratch", "address": "0x3f08"}])"));
    session->run({});
    Report r = session->report();
    check_sums(r);
    return r;
  };
  const std::string dropped = "scratch[incr, --, at, 4]\n", made = "scratch[incr, --, at, 8]\n";

  // Each packet and a copy of it end.
  const Report unknown = run(dropped + dropped);
  CHECK_FALSE(unknown.held_known);
  CHECK(unknown.made == 6);
  CHECK(unknown.held == 0);
  CHECK(unknown.makes.empty());
  CHECK(unknown.stop.find("whether packets have no end is not known") != std::string::npos);

  const Report counted = run(dropped + dropped + made);
  CHECK(counted.held_known);
  CHECK(counted.made == 6);
  CHECK(counted.held == 0);
  REQUIRE(counted.makes.size() == 1);
  CHECK(counted.makes[0].reason == "copied");
  CHECK(counted.makes[0].count == 6);
  CHECK(counted.drops.size() == 1);
  CHECK(counted.stop.find("no end") == std::string::npos);

  // Of 12 that were there, 6 packets and 6 copies, half is lost.
  const Report lost = run(made + dropped);
  CHECK(lost.held_known);
  CHECK(lost.held == 6);
  CHECK(lost.stop.ends_with("6 of 12 packets have no end"));
}

TEST_CASE("a fault is told with the file and the line of the word that caused it, by both engines") {
  const Folder folder;
  // Line 2 of a file that is included: the place is where the word stands.
  folder.write("inner.uc", "#macro put_it()\nscratch[put, $out, ring, 0, 1], ctx_swap[done]\n#endm\n");
  const std::string source = R"(#include "inner.uc"
.reg ring
.reg write $out
.sig done
immed[ring, (5 * 4)]
immed[$out, 7]
put_it()
put_it()
ctx_arb[kill]
)";
  for (const bool fast : {true, false}) {
    CAPTURE(fast);
    const auto session = session_of(folder, source);
    session->board().set_execution({fast});
    session->run({});
    const Report r = session->report();
    REQUIRE(r.faults.size() == 2);
    CHECK(r.faults[0].unit == "scratch");
    CHECK(r.faults[0].engine == 0);
    CHECK(r.faults[0].count == 8);  // eight contexts
    CHECK(r.faults[0].text == "engine 0 puts on scratch ring 5, which is not set up");
    CHECK(r.faults[0].place.ends_with("inner.uc:2"));
    CHECK(r.faults[1].place.ends_with("inner.uc:2"));
    CHECK(r.faults[1].address == r.faults[0].address + 1);
    uint64_t all = 0;
    for (const UnitFigures& u : r.units) all += u.faults;
    CHECK(all == 16);
  }
}

TEST_CASE("an element that is sent where there is no port names the word that wrote its control word") {
  const Folder folder;
  const std::string source = R"(.reg at
.reg write $c0 $c1
.xfer_order $c0 $c1
.sig done
br=ctx[0, begin#]
ctx_arb[kill]
begin#:
immed[at, 0x1800]
.reg word
immed[word, 0x30f]
alu_shf[$c0, word, OR, 60, <<24]
immed[$c1, 0]
msf[write, $c0, at, 0, 2], ctx_swap[done]
ctx_arb[kill]
)";
  const auto session = session_of(folder, source);
  session->run({});
  const Report r = session->report();
  REQUIRE(r.faults.size() == 1);
  CHECK(r.faults[0].text.find("channel 15") != std::string::npos);
  CHECK(r.faults[0].place.ends_with("p.uc:13"));
  CHECK(r.faults[0].engine == 0);
  CHECK(r.faults[0].context == 0);
}

TEST_CASE("a run ends in the same cycle whether its limits are looked at often or not") {
  const Folder folder;
  struct End {
    std::string text;
    uint64_t cycles = 0, looks = 0;
  };
  const auto run = [&](unsigned frames, const std::string& work, bool closely) {
    const auto session = session_of(folder, receiver(work), traffic(frames));
    End end;
    RunControl control;
    control.closely = closely;
    control.progress = [&](uint64_t, uint64_t) { ++end.looks; };
    end.text = session->run(control).text;
    end.cycles = session->report().cycles;
    return end;
  };
  for (const unsigned frames : {1u, 90u, 333u})
    for (const std::string& work : {std::string(kGiveBack), std::string("ctx_arb[kill]")}) {
      INFO(frames << " frames, " << work);
      const End often = run(frames, work, true), seldom = run(frames, work, false);
      CHECK(often.text == seldom.text);
      CHECK(often.cycles == seldom.cycles);
      CHECK(often.looks == often.cycles / 500 - 1);
      if (frames > 200) CHECK(seldom.looks < often.looks / 2);
    }
}
