// A project becomes a machine: it runs to a cut, steps, is read by name, and says why it stands.
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>

#include "folder.h"

using namespace weft;
using namespace weft::workbench;
using namespace weft::workbench::test;

namespace {

/// The diagnostics of a project that loads but cannot be built.
Diagnostics build_errors(const Folder& folder) {
  auto loaded = folder.load();
  if (!loaded) FAIL(loaded.error().list()[0].text);
  auto session = Session::create(std::move(*loaded));
  REQUIRE_FALSE(session);
  return session.error();
}

std::string code_of(const Session& session, const std::string& name) {
  const auto value = session.read(name);
  return value ? "read " + std::to_string(*value) : value.error().list()[0].code;
}

uint32_t value_of(const Session& session, const std::string& name) {
  const auto value = session.read(name);
  if (!value) FAIL(name << ": " << value.error().list()[0].text);
  return *value;
}

}  // namespace

TEST_CASE("a program runs until nothing is left to do") {
  const Folder folder;
  const auto session = session_of(folder, kSum);
  const Stop stop = session->run({});
  CHECK(stop.kind == Stop::Kind::quiet);
  CHECK(value_of(*session, "scratch[0x100]") == 6);
  CHECK(value_of(*session, "scratch[0x104]") == 0);
  const Report report = session->report();
  CHECK(report.instructions == 8 * (2 + 3 * 3 + 4));  // eight contexts, three passes of the loop
  CHECK(report.stop == stop.text);
  REQUIRE(report.contexts.size() == 8);
  for (const ContextFigures& c : report.contexts) {
    CHECK(c.executing == 15);
    CHECK(c.executing + c.aborted + c.stalled + c.idle == report.cycles);
  }
}

TEST_CASE("an instruction at a time, registers by the names of the source") {
  const Folder folder;
  const auto session = session_of(folder, kSum);
  CHECK(value_of(*session, "me0.ctx0.pc") == 0);
  CHECK(code_of(*session, "me0.ctx0.n") == "inspect-dead");

  Stop stop = session->step(0);
  CHECK(stop.kind == Stop::Kind::stepped);
  CHECK(stop.engine == 0);
  CHECK(stop.context == 0);
  CHECK(stop.address == 0);
  CHECK(stop.text.find("p.uc:4") != std::string::npos);
  CHECK(value_of(*session, "me0.ctx0.pc") == 1);
  CHECK(value_of(*session, "me0.ctx0.n") == 3);
  CHECK(value_of(*session, "me0.n") == 3);  // the context that runs
  CHECK(code_of(*session, "me0.ctx0.sum") == "inspect-dead");

  for (int i = 0; i < 5; ++i) stop = session->step(0);  // sum = 0, and once through the loop and its addition again
  CHECK(stop.address == 2);
  CHECK(value_of(*session, "me0.ctx0.sum") == 3 + 2);
  CHECK(value_of(*session, "me0.ctx0.n") == 2);

  for (int i = 0; i < 7; ++i) stop = session->step(0);  // to the write, not executed yet
  CHECK(stop.address == 6);
  CHECK(value_of(*session, "me0.ctx0.$result.out") == 6);
  CHECK(code_of(*session, "me0.ctx0.$result") == "inspect-dead");  // nothing was read
  CHECK(value_of(*session, "me0.ctx0.base") == 0x100);
  CHECK(code_of(*session, "me0.ctx0.n") == "inspect-dead");

  stop = session->step(0);
  CHECK(stop.address == 7);
  stop = session->step(0);  // the first context sleeps: the next instruction is the second's first one
  CHECK(stop.context == 1);
  CHECK(stop.address == 0);
}

TEST_CASE("a step of an engine that never gets to execute ends") {
  const Folder folder;
  const auto session = session_of(folder, "ctx_arb[kill]\n");
  for (int i = 0; i < 8; ++i) CHECK(session->step(0).kind == Stop::Kind::stepped);
  const Stop stop = session->step(0);
  CHECK(stop.kind == Stop::Kind::quiet);
  CHECK(stop.engine == -1);
}

TEST_CASE("physical names, CSRs and memories") {
  const Folder folder;
  const auto session = session_of(
      folder, ".registers physical\nimmed[a5, 0x123]\nimmed[b7, 9]\nlocal_csr_wr[CC_ENABLE, b7]\nctx_arb[kill]\n");
  session->run({});
  CHECK(value_of(*session, "me0.a5") == 0x123);
  CHECK(value_of(*session, "me0.b7") == 9);
  CHECK(value_of(*session, "me0.ctx7.pc") == value_of(*session, "me0.ctx0.pc"));
  CHECK((value_of(*session, "me0.csr.CTX_ENABLES") & 0xff00) == 0);  // all were killed
  CHECK(value_of(*session, "me0.lm[639]") == 0);
  for (const char* name : {"sram0[0]", "sram1[0x3fffffc]", "dram[8]", "scratch[0x3ffc]"})
    CHECK(code_of(*session, name) == "read 0");
}

TEST_CASE("a register may have the name of a physical one") {
  const Folder folder;
  const auto session = session_of(folder, ".reg a5 b\nimmed[b, 1]\nimmed[a5, 77]\nalu[b, b, +, a5]\nctx_arb[kill]\n");
  session->step(0);
  session->step(0);
  CHECK(value_of(*session, "me0.ctx0.a5") == 77);
}

TEST_CASE("names that mean nothing are refused, with the nearest one") {
  const Folder folder;
  const auto session = session_of(folder, kSum);
  for (const char* name : {"me",          "me0",        "me0.",
                           "me8.ctx0.pc", "mex.pc",     "me0.ctx8.pc",
                           "me0.ctx0",    "me0.ctx.pc", "me0.csr.NONE",
                           "me0.lm[640]", "me0.lm[x]",  "me0.a128",
                           "me1.ctx0.n",  "sram0[2]",   "sram0[0x4000000]",
                           "sram2[0]",    "sram4[0]",   "scratch[0x4000]",
                           "scratch",     "dram[-4]",   "dram[99999999999]",
                           "flash[0]"}) {
    INFO(name);
    CHECK(code_of(*session, name) == "inspect-name");
  }
  for (const char* text : {"", "me0.lm[", "me0.lm[]", "scratch[8"}) {
    INFO(text);
    CHECK(code_of(*session, text) == "expression-syntax");
  }
  const auto close = session->read("me0.ctx0.summ");
  REQUIRE_FALSE(close);
  CHECK(close.error().list()[0].remedy == "did you mean 'sum'?");
}

TEST_CASE("why a machine stands") {
  const Folder folder;
  SECTION("the cycle limit") {
    const auto session = session_of(folder, "x#: br[x#]\n", R"(, "limits": {"cycles": 1234})");
    const Stop stop = session->run({});
    CHECK(stop.kind == Stop::Kind::cycles);
    CHECK(session->report().cycles == 1234);
    RunControl more;
    more.limits.cycles = 2000;
    CHECK(session->run(more).kind == Stop::Kind::cycles);
    CHECK(session->report().cycles == 2000);
  }
  SECTION("a breakpoint in the program") {
    const auto session = session_of(folder, "nop\nctx_arb[bpt]\nctx_arb[kill]\n");
    const Stop stop = session->run({});
    CHECK(stop.kind == Stop::Kind::breakpoint);
    CHECK(stop.engine == 0);
    CHECK(stop.text.find("p.uc:2") != std::string::npos);
  }
  SECTION("a program that runs off its end") {
    const auto session = session_of(folder, "nop\nnop\n");
    const Stop stop = session->run({});
    CHECK(stop.kind == Stop::Kind::fault);
    CHECK(stop.engine == 0);
    CHECK(stop.address == 2);
    CHECK(stop.text.starts_with(
        "microengine 0, context 0 stopped at 0x2: no word is loaded there; program p has 2 words, the last from "));
    CHECK(stop.text.ends_with("p.uc:2; end it with ctx_arb[kill] or a branch"));
  }
  SECTION("a program that leaves its words by a jump") {
    const auto session =
        session_of(folder, ".reg far\nimmed[far, 100]\njump[far, x#], targets[x#]\nx#: ctx_arb[kill]\n");
    const Stop stop = session->run({});
    CHECK(stop.kind == Stop::Kind::fault);
    CHECK(stop.address > 100);
    CHECK(stop.text.ends_with("p.uc:4; a branch, a jump or a return leads out of it"));
  }
  SECTION("the user asked") {
    const auto session = session_of(folder, "x#: br[x#]\n");
    const std::atomic<bool> asked{true};
    RunControl control;
    control.interrupt = &asked;
    CHECK(session->run(control).kind == Stop::Kind::interrupted);
  }
  SECTION("all traffic has passed") {
    const auto session =
        session_of(folder, "ctx_arb[kill]\n",
                   R"(, "ports": [{"port": 0, "in": {"generate": {"count": 3, "destinations": "random"}}}])");
    CHECK(session->run({}).kind == Stop::Kind::quiet);
    CHECK(session->report().frames_in == 3);
    CHECK(session->report().frames_out == 0);
  }
  SECTION("the packet limit: here of frames that nobody takes") {
    const auto session =
        session_of(folder, "ctx_arb[kill]\n",
                   R"(, "ports": [{"port": 0, "in": {"generate": {"count": 9000, "destinations": "random"}}}],
                                         "limits": {"packets": 1})");
    const Stop stop = session->run({});
    CHECK(stop.kind == Stop::Kind::packets);
    CHECK(session->report().lost >= 1);
    CHECK(session->report().frames_in < 9000);
  }
}

TEST_CASE("local memory pointers that all contexts share") {
  const Folder folder;
  const auto enables = [&](const std::string& directives) {
    const auto session = session_of(folder, directives + "ctx_arb[kill]\n");
    return value_of(*session, "me0.csr.CTX_ENABLES");
  };
  CHECK((enables("") >> 16 & 3) == 0);
  CHECK((enables(".local_mem0_mode abs\n") >> 16 & 3) == 1);
  CHECK((enables(".local_mem1_mode abs\n") >> 16 & 3) == 2);
  CHECK((enables(".local_mem0_mode rel\n.local_mem1_mode abs\n") >> 16 & 3) == 2);
  CHECK((enables(".init_nn_mode self\n.local_mem0_mode abs\n") >> 16 & 0x1f) == 0x11);

  // Context 0 sets the pointer; the others, which never set theirs, write through it. Each its own pointer: longword 0.
  const std::string body = R"(.reg p who v
.sig go
local_csr_rd[ACTIVE_CTX_STS]
immed[who, 0]
alu[who, who, AND, 7]
bne[other#]
immed[p, 0x80]
local_csr_wr[ACTIVE_LM_ADDR_0, p]
nop
nop
nop
br[end#]
other#:
alu[v, who, OR, 8]
alu[*l$index0, --, B, v]
end#:
ctx_arb[kill]
)";
  const auto shared = session_of(folder, ".local_mem0_mode abs\n" + body);
  CHECK(shared->run({}).kind == Stop::Kind::quiet);
  CHECK(value_of(*shared, "me0.lm[32]") == 15);
  CHECK(value_of(*shared, "me0.lm[0]") == 0);
  const auto own = session_of(folder, body);
  CHECK(own->run({}).kind == Stop::Kind::quiet);
  CHECK(value_of(*own, "me0.lm[32]") == 0);
  CHECK(value_of(*own, "me0.lm[0]") == 15);
}

TEST_CASE("two machines of one project are in the same state, and stepping changes it") {
  const Folder folder;
  const auto first = session_of(folder, kSum);
  const auto second = session_of(folder, kSum);
  CHECK(first->state_hash() == second->state_hash());
  first->step(0);
  CHECK(first->state_hash() != second->state_hash());
  second->step(0);
  CHECK(first->state_hash() == second->state_hash());
}

TEST_CASE("projects that cannot be built") {
  const Folder folder;
  folder.write("p.uc", kSum);
  struct Row {
    const char* rest;
    const char* program;
    const char* code;
    const char* word;
  };
  const char* const p = R"({"source": "p.uc", "engines": [0]})";
  const Row rows[] = {
      {"", R"({"source": "none.uc", "engines": [0]})", "file-missing", "none.uc"},
      {"", R"({"image": "none.json", "engines": [0]})", "file-missing", "none.json"},
      {"", R"({"image": "p.uc", "engines": [0]})", "json-syntax", "JSON"},
      {"", R"({"source": "p.uc", "engines": [8]})", "project-engine", "microengine 8"},
      {R"(, "ports": [{"port": 4}])", p, "project-port", "port 4"},
      {R"(, "control": {"program": "ipv6", "config": "x"})", p, "project-control", "ipv6"},
      {R"(, "control": {"program": "ipv4", "config": "none.conf"})", p, "file-missing", "none.conf"},
      {R"(, "ports": [{"port": 0, "in": {"capture": "none.pcap"}}])", p, "file-missing", "none.pcap"},
      {R"(, "ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "10.0.0.0/33"}}}])", p,
       "traffic-destination", "/33"},
      {R"(, "ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": " "}}}])", p, "traffic-destination",
       "no destination"},
      {R"(, "ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "source": "x"}}}])", p,
       "traffic-source", "'x'"},
      {R"(, "ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "source-mac": "zz"}}}])", p,
       "traffic-mac", "'zz'"},
      {R"(, "ports": [{"port": 0, "in": {"generate": {"count": 1, "destinations": "random", "destination-mac": "yy"}}}])",
       p, "traffic-mac", "'yy'"},
  };
  for (const Row& row : rows) {
    folder.write("weft.json", project(row.rest, row.program));
    const Diagnostics problems = build_errors(folder);
    const Diagnostic& d = problems.list()[0];
    INFO(row.rest << row.program << " -> " << d.text);
    CHECK(problems.size() == 1);
    CHECK(d.code == row.code);
    CHECK(d.text.find(row.word) != std::string::npos);
    CHECK_FALSE(d.remedy.empty());
    REQUIRE(d.range.file);
  }
  folder.write("weft.json", R"({"version": 1, "board": "none", "programs": [{"source": "p.uc", "engines": [0]}]})");
  CHECK(build_errors(folder).list()[0].code == "description-missing");
}

TEST_CASE("an import variable without a value names its constant") {
  const Folder folder;
  folder.write("p.uc", ".import_var i$limit\n.reg r\nimmed[r, (i$limit & 0xffff)]\n.use r\nctx_arb[kill]\n");
  folder.write("weft.json", project());
  const Diagnostics problems = build_errors(folder);
  CHECK(problems.list()[0].code == "link-unresolved-import");
  folder.write("weft.json", project(R"(, "constants": {"limit": 96})"));
  const auto session = folder.session();
  session->step(0);
  CHECK(value_of(*session, "me0.ctx0.r") == 96);
}

TEST_CASE("the output of a port is written by finish and not before") {
  const Folder folder;
  const auto session = session_of(folder, kSum, R"(, "ports": [{"port": 0, "out": "o.pcap"}])");
  session->run({});
  CHECK_FALSE(std::filesystem::exists(folder.path() / "o.pcap"));
  REQUIRE(session->finish());
  CHECK(std::filesystem::file_size(folder.path() / "o.pcap") == 24);
}

TEST_CASE("initial values of local memory are in place when the program starts") {
  const Folder folder;
  // Each form; two engines, each with a block of its own; and a DRAM block at the addresses that local memory has too.
  const std::string text =
      ".alloc_mem table local local 32\n"
      ".local_mem fixed local+0x100 16\n"
      ".alloc_mem big dram global 64\n"
      ".init table 11 12 13 14 15 16 17 18\n"
      ".init fixed+8 21 22\n"
      ".init big 31 32 33 34\n"
      ".reg me offset base out write $copy[2]\n.sig done\n.xfer_order $copy\n"
      "local_csr_rd[active_ctx_sts]\nimmed[me, 0]\nalu[me, me, AND, 7]\n"
      "alu_shf[offset, --, B, me, <<2]\n"
      "immed[base, (table & 0xffff)]\nalu[base, base, +, offset]\n"
      "local_csr_wr[active_lm_addr_0, base]\n"
      "immed[base, (fixed & 0xffff)]\n"
      "local_csr_wr[active_lm_addr_1, base]\nnop\nnop\nnop\n"
      "alu[$copy[0], --, B, *l$index0]\n"
      "alu[$copy[1], --, B, *l$index1[2]]\n"
      "alu_shf[offset, --, B, me, <<3]\n"
      "immed[out, 0x100]\n"
      "scratch[write, $copy[0], out, offset, 2], ctx_swap[done]\n"
      "ctx_arb[kill]\n";
  folder.write("lm.uc", text);
  folder.write("weft.json", R"({"version": 1, "board": "generic-2400", "memory": {"dram": [{"begin": 0, "end": 4096}]},
                               "programs": [{"source": "lm.uc", "engines": [0, 3]}]})");
  const auto session = folder.session();
  // Before the first instruction, in both engines, and not in the DRAM that has the same addresses.
  for (const char* engine : {"me0", "me3"}) {
    for (unsigned i = 0; i < 8; ++i) CHECK(value_of(*session, fmt::format("{}.lm[{}]", engine, i)) == 11 + i);
    CHECK(value_of(*session, fmt::format("{}.lm[{}]", engine, 0x108 / 4)) == 21);
    CHECK(value_of(*session, fmt::format("{}.lm[{}]", engine, 0x10c / 4)) == 22);
  }
  CHECK(value_of(*session, "me1.lm[0]") == 0);
  for (unsigned i = 0; i < 4; ++i) CHECK(value_of(*session, fmt::format("dram[{:#x}]", 4 * i)) == 31 + i);
  CHECK(value_of(*session, "dram[0x108]") == 0);
  // Every context reads its own word.
  session->run({});
  for (unsigned context = 0; context < 8; ++context) {
    CHECK(value_of(*session, fmt::format("scratch[{:#x}]", 0x100 + 8 * context)) == 11 + context);
    CHECK(value_of(*session, fmt::format("scratch[{:#x}]", 0x104 + 8 * context)) == 21);
  }
}
