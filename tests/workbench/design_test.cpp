// Rings, filled pools and reasons that a project declares itself.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "folder.h"
#include "weft/workbench/state.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;
using weft::workbench::test::session_of;

namespace {

constexpr const char* kNothing = "ctx_arb[kill]\nnop\n";

/// The diagnostic, with its text, that building such a project ends with.
std::string problem(const std::string& rest, const std::string& source = kNothing) {
  const Folder folder;
  folder.write("p.uc", source);
  folder.write("weft.json", test::project(rest));
  auto project = folder.load();
  if (!project) return project.error().list().front().code + ": " + project.error().list().front().text;
  const auto session = Session::create(std::move(*project));
  if (session) return "none";
  const Diagnostic& d = session.error().list().front();
  CHECK(d.range.begin.line > 0);
  CHECK_FALSE(d.remedy.empty());
  return d.code + ": " + d.text;
}

}  // namespace

TEST_CASE("declared rings stand as they are said to at cycle 0") {
  const Folder folder;
  const auto session = session_of(folder, kNothing, R"(, "rings": [
    {"name": "work", "ring": 3, "base": "0x800", "size": 128, "status": "empty", "contents": [5, "0x10", 7]},
    {"ring": 4, "base": "0x1000", "size": "1K"},
    {"sram-ring": 9, "channel": 1, "base": "0x2000", "size": 2048, "contents": [11, 12]}])");
  emulator::HostPort host = session->units().host();
  const emulator::RingView ring = host.ring(3);
  CHECK(ring.base == 0x800);
  CHECK(ring.size == 128);
  CHECK(ring.count == 3);
  CHECK(ring.status_is_empty);
  CHECK(host.ring_get(3) == 5u);
  CHECK(host.ring_get(3) == 16u);
  CHECK(host.ring(4).size == 1024);
  CHECK_FALSE(host.ring(4).status_is_empty);
  CHECK(host.ring(5).size == 0);
  const emulator::QueueView sram = host.queue(1, 9);
  CHECK((sram.head & 0xffffff) == 0x2000 / 4);
  CHECK(sram.tail == 0x2000 / 4 + 2);
  CHECK(sram.count == 2);
  CHECK(sram.ring_size_code == 2);  // 512 << 2
  CHECK(host.read(emulator::MemorySpace::sram, 1u << 30 | 0x2000) == 11);
  CHECK(host.read(emulator::MemorySpace::sram, 1u << 30 | 0x2004) == 12);
  CHECK(host.read(emulator::MemorySpace::sram, 0x2000) == 0);
  bool named = false;
  for (const MemorySymbol& s : session->symbols())
    named = named || (s.name == "work" && s.memory == "scratch" && s.address == 0x800 && s.bytes == 512);
  CHECK(named);
}

TEST_CASE("a program finds its buffers on a pool that is filled, whatever the list is") {
  const Folder folder;
  const auto session = session_of(folder, R"(.reg ring base
.reg read $got
.reg write $out
.sig done
br=ctx[0, begin#]
ctx_arb[kill]
begin#:
immed[ring, (2 * 4)]
immed[base, 0x3000]
scratch[get, $got, ring, 0, 1], ctx_swap[done]
alu[$out, --, B, $got]
scratch[write, $out, base, 0, 1], ctx_swap[done]
ctx_arb[kill]
)",
                                  R"(, "rings": [{"ring": 2, "base": 0, "size": 128},
      {"sram-ring": 1, "base": "0x1000", "size": 512}],
    "pools": [
      {"name": "a", "free": {"ring": 2}, "base": "0x100000", "size": 2048, "count": 128, "fill": true},
      {"name": "b", "free": {"sram-ring": 1}, "base": "0x200000", "size": 256, "count": 3, "shift": 8, "fill": true},
      {"name": "c", "free": {"sram-queue": 7, "channel": 1}, "memory": "sram1", "base": "0x400", "size": 64,
       "count": 4, "shift": 2, "fill": true},
      {"name": "d", "free": {"ring": 2}, "base": "0x300000", "size": 64, "count": 4}])");
  emulator::HostPort host = session->units().host();
  CHECK(host.ring(2).count == 128);
  CHECK(host.queue(0, 1).count == 3);
  CHECK(host.read(emulator::MemorySpace::sram, 0x1000) == 0x2000);
  CHECK(host.read(emulator::MemorySpace::sram, 0x1008) == 0x2002);
  for (const uint32_t handle : {0x100u, 0x110u, 0x120u, 0x130u, 0u}) CHECK(host.dequeue(1, 7) == handle);
  session->run({});
  CHECK(session->read("scratch[0x3000]") == 0x100000u);
  CHECK(host.ring_get(2) == 0x100800u);
}

TEST_CASE("reasons are counted where the project says, for each port or for all") {
  const Folder folder;
  const std::string counts = R"(.alloc_mem counters scratch global 64
.reg at
immed[at, counters]
scratch[incr, --, at, 0]
scratch[incr, --, at, 20]
scratch[incr, --, at, 20]
.if(ctx() == 0)
scratch[incr, --, at, 40]
.endif
ctx_arb[kill]
)";
  const auto session = session_of(folder, counts, R"(, "memory": {"scratch": [{"begin": "0x1000", "end": "0x1100"}]},
    "reasons": [{"name": "of_all", "block": "counters"},
      {"name": "by_port", "block": "counters", "offset": 12, "ports": 3, "stride": 8},
      {"name": "asked", "fate": "control", "block": "counters", "offset": 40}])");
  session->run({});
  const Report r = session->report();
  REQUIRE(r.drops.size() == 2);
  CHECK(r.drops[0].reason == "of_all");
  CHECK(r.drops[0].port == -1);
  CHECK(r.drops[0].count == 8);
  CHECK(r.drops[1].reason == "by_port");
  CHECK(r.drops[1].port == 1);
  CHECK(r.drops[1].count == 16);
  REQUIRE(r.exceptions.size() == 1);
  CHECK(r.exceptions[0].reason == "asked");
  CHECK(r.exceptions[0].count == 1);
  CHECK(r.dropped == 24);
  CHECK(r.handed_to_core == 1);
}

TEST_CASE("rings that cannot be, that lie over something, and pools that do not fit are errors with a place") {
  const auto ring = [](const std::string& text) { return problem(R"(, "rings": [)" + text + "]"); };
  CHECK(ring(R"({"ring": 1, "base": 0, "size": 100})") == "project-ring: a scratch ring cannot have 100 longwords");
  CHECK(ring(R"({"ring": 1, "base": 256, "size": 128})") == "project-ring: a ring of 512 bytes cannot begin at 0x100");
  CHECK(ring(R"({"ring": 1, "base": "0x4000", "size": 128})").find("does not lie in its memory") != std::string::npos);
  CHECK(ring(R"({"sram-ring": 1, "channel": 2, "base": 0, "size": 512})") ==
        "project-ring: ixp2400 has no SRAM channel 2");
  CHECK(ring(R"({"sram-ring": 1, "base": 0, "size": 600})") ==
        "project-ring: a ring in SRAM cannot have 600 longwords");
  CHECK(ring(R"({"ring": 1, "base": 0, "size": 128}, {"ring": 1, "base": 512, "size": 128})") ==
        "project-ring: scratch ring 1 is set up twice");
  CHECK(ring(R"({"ring": 1, "base": 0, "size": 256}, {"ring": 2, "base": 512, "size": 128})") ==
        "project-ring: scratch ring 2 from 0x200 to 0x400 lies over scratch ring 1");
  CHECK(problem(R"(, "memory": {"scratch": [{"begin": "0x300", "end": "0x400"}]},
    "rings": [{"ring": 1, "base": 0, "size": 256}])") ==
        "project-ring: scratch ring 1 from 0x0 to 0x400 lies over a space for memory blocks");
  CHECK(
      ring(R"({"name": "a", "ring": 1, "base": 0, "size": 128}, {"name": "a", "ring": 2, "base": 512, "size": 128})") ==
      "project-ring: two rings have the name 'a'");
  CHECK(
      ring(
          R"({"name": "a", "ring": 1, "base": 0, "size": 128}, {"name": "a", "sram-ring": 2, "base": 0, "size": 512})") ==
      "project-ring: two rings have the name 'a'");
  CHECK(ring(R"({"name": "", "ring": 1, "base": 0, "size": 128})") == "json-wrong-value: this name must not be empty");
  CHECK(ring(R"({"ring": 1, "sram-ring": 2, "base": 0, "size": 128})").starts_with("json-"));
  CHECK(ring(R"({"ring": 1, "base": 0, "size": 128, "status": "half"})").starts_with("json-"));
  CHECK(ring(R"({"ring": 1, "base": 0, "size": 128, "sice": 3})").starts_with("json-"));

  const auto pool = [](const std::string& free, const std::string& rest) {
    return problem(fmt::format(R"(, "rings": [{{"ring": 1, "base": 0, "size": 128}}],
      "pools": [{{"name": "p", "free": {}, "fill": true, {}}}])",
                               free, rest));
  };
  CHECK(pool(R"({"ring": 1})", R"("base": "0x1000", "size": 64, "count": 128)") == "none");
  CHECK(pool(R"({"ring": 1})", R"("base": "0x1000", "size": 64, "count": 129)") ==
        "project-pool: the free list of pool 'p' holds 128 longwords, and 129 are to be on it");
  CHECK(pool(R"({"ring": 2})", R"("base": "0x1000", "size": 64, "count": 1)") ==
        "project-pool: pool 'p' is to be filled, and the ring of its free list is not set up");
  CHECK(pool(R"({"ring": 1})", R"("base": 0, "size": 64, "count": 1)").find("handle 0") != std::string::npos);
  CHECK(
      pool(R"({"ring": 1})", R"("base": "0x1000", "size": 72, "count": 2, "shift": 6)").find("multiples of 64 bytes") !=
      std::string::npos);
  CHECK(pool(R"({"sram-queue": 1})", R"("base": "0x4000000", "size": 64, "count": 2)")
            .find("not a longword address in sram0") != std::string::npos);

  // Buffers have their addresses for themselves.
  const auto pools = [](const std::string& a, const std::string& b, const std::string& rings = "") {
    return problem(fmt::format(R"(, "rings": [{{"ring": 1, "base": 0, "size": 128}}{}],
      "pools": [{{"name": "p", "free": {{"ring": 1}}, "count": 4, {}}}, {{"name": "q", "free": {{"ring": 1}}, "count": 4, {}}}])",
                               rings, a, b));
  };
  CHECK(pools(R"("base": "0x1000", "size": 256)", R"("base": "0x1400", "size": 256)") == "none");
  CHECK(pools(R"("base": "0x1000", "size": 256)", R"("base": "0x13c0", "size": 256)") ==
        "project-pool: pool 'q' from 0x13c0 to 0x17c0 lies over pool 'p'");
  CHECK(pools(R"("base": "0x1000", "size": 256)", R"("memory": "sram0", "base": "0x1000", "size": 256)") == "none");
  CHECK(pools(R"("base": "0x1000", "size": 256)", R"("memory": "sram0", "base": "0x1000", "size": 256)",
              R"(, {"sram-ring": 1, "base": "0x800", "size": 512})") == "none");
  CHECK(pools(R"("base": "0x1000", "size": 256)", R"("memory": "sram0", "base": "0x1000", "size": 256)",
              R"(, {"sram-ring": 1, "base": "0x1000", "size": 512})") ==
        "project-pool: pool 'q' from 0x1000 to 0x1400 lies over sram0 ring 1");

  const auto reason = [](const std::string& text) { return problem(R"(, "reasons": [)" + text + "]"); };
  CHECK(reason(R"({"name": "a", "memory": "scratch", "address": "0x3ffc"})") == "none");
  CHECK(reason(R"({"name": "a", "memory": "scratch", "address": "0x4000"})").starts_with("project-reason"));
  CHECK(reason(R"({"name": "a", "memory": "scratch", "address": "0x3ffc", "ports": 2})").starts_with("project-reason"));
  // A packet that counts for two reasons would have two ends.
  const std::string at = R"("memory": "scratch", "address": )";
  CHECK(reason(R"({"name": "a", )" + at + R"("0x3f00"}, {"name": "b", "fate": "control", )" + at + R"("0x3f00"})") ==
        "project-reason: 'b' and 'a' are counted at one place, 0x3f00");
  CHECK(reason(R"({"name": "a", )" + at + R"("0x3f08"}, {"name": "b", "ports": 4, )" + at + R"("0x3f00"})") ==
        "project-reason: 'b' and 'a' are counted at one place, 0x3f08");
  CHECK(reason(R"({"name": "a", )" + at +
               R"("0x3f04", "ports": 2, "stride": 8}, {"name": "b", "ports": 2, "stride": 8, )" + at +
               R"("0x3f00"})") == "none");
  CHECK(reason(R"({"name": "a", "block": "counters"})") == "project-reason: no program has a memory block 'counters'");
  CHECK(reason(R"({"name": "a", "memory": "scratch", "address": 0}, {"name": "a", "memory": "scratch", "address": 4})")
            .starts_with("project-reason"));
  CHECK(reason(R"({"name": "a", "memory": "scratch", "address": 2})").starts_with("json-"));
  CHECK(reason(R"({"name": "a", "memory": "scratch", "address": 0, "ports": 0})").starts_with("json-"));
}

TEST_CASE("A counter of packets is in no ring, no buffer and no memory block that is not its own") {
  const Folder folder;
  const auto problem = [&](const std::string& counter) {
    folder.write("p.uc", ".alloc_mem locks scratch global 64 64\n.reg place\nplace = locks\nctx_arb[kill]\n");
    folder.write("weft.json",
                 R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
      "memory": {"scratch": [{"begin": "0x1000", "end": "0x2000"}]},
      "rings": [{"ring": 0, "base": 0, "size": 128}],
      "pools": [{"name": "p", "free": {"ring": 0}, "base": "0x4000", "size": 64, "count": 4}],
      "reasons": [{"name": "a", )" +
                     counter + "}]}");
    auto project = folder.load();
    REQUIRE(project);
    const auto session = Session::create(std::move(*project));
    return session ? std::string("none") : session.error().list().front().text;
  };
  const std::string scratch = R"("memory": "scratch", "address": )";
  CHECK(problem(scratch + R"("0x1fc")") == "the counter of 'a' from 0x1fc to 0x200 lies over scratch ring 0");
  CHECK(problem(scratch + R"("0x200")") == "none");
  CHECK(problem(scratch + R"("0x1004")") ==
        "the counter of 'a' from 0x1004 to 0x1008 lies over the memory block 'locks'");
  CHECK(problem(scratch + R"("0xf04", "ports": 2, "stride": 256)") ==
        "the counter of 'a' from 0x1004 to 0x1008 lies over the memory block 'locks'");
  CHECK(problem(scratch + R"("0xf80", "ports": 2, "stride": 256)") == "none");  // around the block
  CHECK(problem(R"("block": "locks", "offset": 4)") == "none");
  CHECK(problem(R"("memory": "dram", "address": "0x40fc")") ==
        "the counter of 'a' from 0x40fc to 0x4100 lies over pool 'p'");
  CHECK(problem(R"("memory": "dram", "address": "0x4100")") == "none");
}

TEST_CASE("Tables are blocks of the programs or stretches of a memory, and lie over no ring and no pool") {
  const Folder folder;
  const auto built = [&](const std::string& tables) -> Result<std::unique_ptr<Session>> {
    folder.write("p.uc", ".alloc_mem flows sram0 global 64 64\n.reg place\nplace = flows\nctx_arb[kill]\n");
    folder.write("weft.json",
                 R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}],
      "memory": {"sram0": [{"begin": "0x1000", "end": "0x2000"}]},
      "rings": [{"ring": 0, "base": 0, "size": 128}, {"sram-ring": 3, "channel": 1, "base": "0x2000", "size": 512}],
      "pools": [{"name": "p", "free": {"ring": 0}, "base": "0x4000", "size": 64, "count": 4}],
      "tables": [)" + tables +
                     "]}");
    auto project = folder.load();
    if (!project) return tl::unexpected(std::move(project.error()));
    return Session::create(std::move(*project));
  };
  const auto problem = [&](const std::string& tables) {
    const auto session = built(tables);
    if (session) return std::string("none");
    const Diagnostic& d = session.error().list().front();
    CHECK(d.range.begin.line > 0);
    CHECK_FALSE(d.remedy.empty());
    return d.code + ": " + d.text;
  };
  const std::string scratch = R"({"memory": "scratch", "address": )";
  CHECK(problem(R"({"block": "flows"}, {"memory": "sram0", "address": "0x1000", "bytes": "4K"})") == "none");
  CHECK(problem(scratch + R"("0x200", "bytes": "0x3e00"})") == "none");
  CHECK(
      problem(
          R"({"memory": "sram1", "address": "0x2800", "bytes": 4}, {"memory": "dram", "address": 0, "bytes": "16K"})") ==
      "none");
  CHECK(problem(R"({"block": "flow"})") == "project-table: no program has a memory block 'flow'");
  CHECK(problem(scratch + R"("0x200", "bytes": "0x3e04"})") ==
        "project-table: the table from 0x200 to 0x4004 does not lie in that memory");
  CHECK(problem(R"({"memory": "sram3", "address": 0, "bytes": 4})").starts_with("project-table"));
  CHECK(problem(scratch + R"("0x1fc", "bytes": 8})") ==
        "project-table: the table from 0x1fc to 0x204 lies over scratch ring 0");
  CHECK(problem(R"({"memory": "sram1", "address": "0x27fc", "bytes": 4})") ==
        "project-table: the table from 0x27fc to 0x2800 lies over sram1 ring 3");
  CHECK(problem(R"({"memory": "dram", "address": "0x40fc", "bytes": 16})") ==
        "project-table: the table from 0x40fc to 0x410c lies over pool 'p'");
  for (const char* wrong :
       {R"({})", R"({"block": "flows", "memory": "sram0", "address": 0, "bytes": 4})", R"({"block": ""})",
        R"({"block": "flows", "bytes": 8})", R"({"memory": "sram0", "address": 0})",
        R"({"memory": "cache", "address": 0, "bytes": 4})", R"({"memory": "sram0", "address": 2, "bytes": 4})",
        R"({"memory": "sram0", "address": 0, "bytes": 6})", R"({"memory": "sram0", "address": 0, "bytes": 0})",
        R"({"chip": "other", "block": "flows"})"}) {
    INFO(wrong);
    CHECK_FALSE(built(wrong));
  }
}

TEST_CASE("What the control program has in the memories is not given to others") {
  const auto problem_with = [](const std::string& key, const std::string& value) {
    Overrides overrides;
    overrides.set = {{key, value}};
    auto project = load_project(std::string(WEFT_SOURCE_DIR) + "/examples/ipv4-forwarder", overrides);
    REQUIRE(project);
    const auto session = Session::create(std::move(*project));
    return session ? std::string("none") : session.error().list().front().text;
  };
  CHECK(problem_with("rings", R"([{"ring": 14, "base": "0x3800", "size": 128}])") ==
        "scratch ring 14 from 0x3800 to 0x3a00 lies over tables of the control program");
  CHECK(problem_with("pools",
                     R"([{"name": "p", "free": {"ring": 0}, "memory": "sram0", "base": 0, "size": 64, "count": 4}])") ==
        "pool 'p' from 0x0 to 0x100 lies over tables of the control program");
  CHECK(problem_with("reasons", R"([{"name": "a", "memory": "scratch", "address": "0x3804"}])") ==
        "the counter of 'a' from 0x3804 to 0x3808 lies over tables of the control program");
  CHECK(problem_with("reasons", R"([{"name": "a", "memory": "scratch", "address": "0x3f00"}])") == "none");
  // What it reads and writes itself may be a table of the packet tracker.
  CHECK(problem_with("tables", R"([{"memory": "scratch", "address": "0x3800", "bytes": 512}])") == "none");
  CHECK(problem_with("tables", R"([{"memory": "dram", "address": "0x1007fc", "bytes": 4}])") ==
        "the table from 0x1007fc to 0x100800 lies over pool 'packets' of the control program");
}
