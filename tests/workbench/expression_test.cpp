// Expressions: operators and functions against values computed by hand, names against state that the test has set.
#include "inspect/expression.h"

#include <cstdlib>

#include "folder.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

const char* const kLoop = R"(.reg n temp @shared zero
.reg write $out
.sig done
immed[n, 100]
immed[temp, 7]
immed[@shared, 9]
immed[zero, 0]
loop#:
alu[n, n, -, 1]
alu[temp, temp, +, n]
alu[@shared, @shared, +, 1]
alu[$out, --, B, temp]
scratch[write, $out, zero, 0x40, 1], ctx_swap[done]
bne[loop#]
ctx_arb[kill]
)";

struct Machine {
  Folder folder;
  std::unique_ptr<Session> session;
  Machine() {
    folder.write("p.uc", kLoop);
    folder.write("weft.json",
                 R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0, 2]}],
                     "constants": {"limit": 96}, "limits": {"cycles": 5000}})");
    session = folder.session();
  }
  std::string of(const std::string& text, int engine = -1, int context = -1) const {
    const auto value = session->evaluate(text, engine, context);
    return value ? std::to_string(*value) : value.error().list()[0].code;
  }
};

}  // namespace

TEST_CASE("operators and functions") {
  const Machine m;
  const std::pair<const char*, const char*> rows[] = {
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"10 - 3 - 2", "5"},
      {"1 << 4 | 3", "19"},
      {"0xff & 0x0f ^ 1", "14"},
      {"0b101", "5"},
      {"7 / 2", "3"},
      {"-7 / 2", "-3"},
      {"-7 % 3", "-1"},
      {"1 < 2 && 2 < 1 || 1 == 1", "1"},
      {"!(3 > 2)", "0"},
      {"~0", "-1"},
      {"- -5", "5"},
      {"1 ? 2 : 3", "2"},
      {"0 ? 2 : 0 ? 3 : 4", "4"},
      {"3 == 3 != 0", "1"},
      {"1 + 1 == 2", "1"},
      {"6 & 2 == 2", "0"},  // as in C: == binds stronger
      {"-1 >> 63", "-1"},
      {"s32(0xffffffff)", "-1"},
      {"s32(0x7fffffff)", "2147483647"},
      {"bits(0xabcd, 11, 8)", "11"},
      {"bits(-1, 63, 0)", "-1"},
      {"bit(0x8, 3)", "1"},
      {"bit(0x8, 2)", "0"},
      {"min(3, -4)", "-4"},
      {"max(3, -4)", "3"},
      {"abs(-9)", "9"},
      {"ones(0xf0f0)", "8"},
      {"0 && 1 / 0", "0"},  // the right side is not asked
      {"1 || 1 / 0", "1"},
      {"9223372036854775807 + 1", "-9223372036854775808"},
      {"-9223372036854775807 - 2", "9223372036854775807"},
      {"18446744073709551615", "-1"},
  };
  for (const auto& [text, wanted] : rows) {
    INFO(text);
    CHECK(m.of(text) == wanted);
  }
}

TEST_CASE("wrong expressions") {
  const Machine m;
  const std::pair<const char*, const char*> rows[] = {
      {"", "expression-syntax"},
      {"1 +", "expression-syntax"},
      {"(1", "expression-syntax"},
      {"1 2", "expression-syntax"},
      {"0x", "expression-syntax"},
      {"12ab", "expression-syntax"},
      {"18446744073709551616", "expression-syntax"},
      {"1 ? 2", "expression-syntax"},
      {"= 1", "expression-syntax"},
      {"1 )", "expression-syntax"},
      {"scratch[", "expression-syntax"},
      {"bits(1, 2)", "expression-function"},
      {"mni(1, 2)", "expression-function"},
      {"1 / 0", "expression-divide"},
      {"1 % (2 - 2)", "expression-divide"},
      {"1 << 64", "expression-shift"},
      {"bits(1, 2, 3)", "expression-shift"},
      {"bit(1, 64)", "expression-shift"},
      {"nothing", "inspect-name"},
      {"me0.csr.CTX_ENABLE", "inspect-name"},
      {"ring16.count", "inspect-name"},
      {"ring1.cuont", "inspect-name"},
      {"port9.received", "inspect-name"},
      {"cap.NONE", "inspect-name"},
      {"me0.lop#", "inspect-name"},
      {"temp", "inspect-name"},
      {"scratch[2]", "inspect-name"},
      {"msf[0x9999]", "inspect-name"},
      {"msf[0x46]", "inspect-name"},
      {"msf[0x4000]", "inspect-name"},
      {"msf[2 + 4]", "inspect-name"},
      {"sram3[0]", "inspect-name"},
      {"me0.lm[640]", "inspect-name"},
      {"rbuf[8192]", "inspect-name"},
      {"dram[0x20000000]", "inspect-name"},
      {"0 && scratch[0x9999990]", "inspect-name"},
      {"me0.ctx0.temp", "inspect-dead"},
  };
  for (const auto& [text, wanted] : rows) {
    INFO(text);
    CHECK(m.of(text) == wanted);
  }
  CHECK(m.session->evaluate("mni(1, 2)").error().list()[0].remedy == "did you mean 'min'?");
  CHECK(m.session->evaluate("me0.csr.CTX_ENABLE").error().list()[0].remedy == "did you mean 'CTX_ENABLES'?");
  CHECK(m.session->evaluate("me0.lop#").error().list()[0].remedy == "did you mean 'loop#'?");
  CHECK(m.of(std::string(5000, '(') + "1" + std::string(5000, ')')) == "input-limit");
  CHECK(m.of(std::string(5000, '-') + "1") == "input-limit");
}

TEST_CASE("names in expressions") {
  const Machine m;
  for (int i = 0; i < 5; ++i) m.session->step(2);
  CHECK(m.of("me2.ctx0.n") == "99");
  CHECK(m.of("n", 2, 0) == "99");
  CHECK(m.of("n * 2 + temp", 2, 0) == "205");
  CHECK(m.of("ctx0.temp", 2, 5) == "7");
  CHECK(m.of("@shared", 2) == "9");
  CHECK(m.of("me2.@shared") == "9");
  CHECK(m.of("pc == loop# + 1", 2, 0) == "1");
  CHECK(m.of("me2.loop#") == "4");
  CHECK(m.of("me * 10 + ctx", 2, 3) == "23");
  CHECK(m.of("limit") == "96");
  CHECK(m.of("me2.instructions") == "5");
  CHECK(m.of("me1.instructions") == "0");
  CHECK(m.of("me2.ctx0.state") == "1");
  m.session->units().host().write(emulator::MemorySpace::scratch, 0x20, 0x1234);
  m.session->units().host().write(emulator::MemorySpace::sram, 1u << 30 | 0x20, 0x77);
  CHECK(m.of("scratch[0x20]") == "4660");
  CHECK(m.of("scratch[8 * 4]") == "4660");
  CHECK(m.of("scratch[limit - 64]") == "4660");
  CHECK(m.of("sram1[0x20] + sram0[0x20]") == "119");
  CHECK(m.of("ring3.size") == "0");
  CHECK(m.of("msf[0x44] * 0") == "0");
  REQUIRE(m.session->units().host().set_ring(3, 0x400, 128));
  m.session->units().host().ring_put(3, std::array{1u, 2u});
  CHECK(m.of("ring3.count * 1000 + ring3.size") == "2128");
  CHECK(m.of("port0.received + packets + lost") == "0");

  m.session->run({});
  CHECK(m.of("cycle") == "5000");
  CHECK(m.of("time") == "8333");  // 5,000 cycles of 600 MHz
  CHECK(m.of("tick") == "50000");
}

TEST_CASE("state can be written by name") {
  const Machine m;
  for (int i = 0; i < 5; ++i) m.session->step(0);
  const uint64_t before = m.session->state_hash();
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, uint32_t>>{{"me0.ctx0.n", 0xffffffffu},
                                                                                           {"me0.@shared", 3},
                                                                                           {"me0.a77", 5},
                                                                                           {"me0.lm[639]", 6},
                                                                                           {"scratch[0x40]", 7},
                                                                                           {"dram[8]", 9},
                                                                                           {"sram1[0x100]", 10},
                                                                                           {"me0.ctx3.pc", 2}}) {
    INFO(name);
    REQUIRE(m.session->write(name, value));
    CHECK(*m.session->read(name) == value);
  }
  CHECK(m.session->state_hash() != before);
  // An address may be calculated of what is known before the run: `limit`, a constant of the project, is 96.
  REQUIRE(m.session->write("scratch[limit]", 11));
  REQUIRE(m.session->write("scratch[limit + 1 * 4]", 12));
  CHECK(*m.session->read("scratch[0x60]") == 11);
  CHECK(*m.session->read("scratch[0x64]") == 12);
  REQUIRE(m.session->write("me0.lm[limit / 2]", 13));
  CHECK(*m.session->read("me0.lm[48]") == 13);
  const auto code = [&](const char* name) {
    const auto done = m.session->write(name, 1);
    return done ? std::string("written") : done.error().list()[0].code;
  };
  CHECK(code("cycle") == "inspect-fixed");
  CHECK(code("1 + 2") == "inspect-fixed");
  CHECK(code("me0.ctx0.$out") == "inspect-dead");
  CHECK(code("scratch[1]") == "inspect-name");
  CHECK(code("scratch[limit + 1]") == "inspect-name");
  CHECK(code("scratch[limit / 0]") == "expression-divide");
  CHECK(code("scratch[me0.a5 * 0]") == "inspect-fixed");  // of what the machine holds
  CHECK(code("msf[0x45]") == "inspect-name");
  const auto absent = m.session->write("sram2[0]", 1);
  CHECK(absent.error().list()[0].text == "'sram2[0x0]': the chip has no sram2");
  CHECK(absent.error().list()[0].remedy == "it has sram0 to sram1");
}

TEST_CASE("what 32 bits do not hold is not written") {
  const Machine m;
  for (int i = 0; i < 5; ++i) m.session->step(0);
  for (const char* name : {"me0.ctx0.n", "me0.a77", "me0.csr.CTX_ENABLES", "me0.lm[4]", "scratch[0x40]", "dram[8]"}) {
    INFO(name);
    const uint64_t before = m.session->state_hash();
    for (const int64_t value : {int64_t{0x100000005}, int64_t{-0x80000001LL}}) {
      const auto done = m.session->write(name, value);
      REQUIRE_FALSE(done);
      const Diagnostic& said = done.error().list()[0];
      CHECK(said.code == "inspect-range");
      CHECK(said.text == std::to_string(value) + " does not fit into the 32 bits of '" + name + "'");
      CHECK(said.remedy == "write a value from -2147483648 to 4294967295");
    }
    CHECK(m.session->state_hash() == before);
  }
  // The ends of what fits do.
  REQUIRE(m.session->write("scratch[0x40]", 0xffffffff));
  REQUIRE(m.session->write("scratch[0x44]", -0x80000000LL));
  CHECK(*m.session->read("scratch[0x40]") == 0xffffffff);
  CHECK(*m.session->read("scratch[0x44]") == 0x80000000);
}

TEST_CASE("templates") {
  const Machine m;
  for (int i = 0; i < 5; ++i) m.session->step(0);
  EvalContext scene;  // constants only
  scene.machine = &m.session->machine();
  scene.units = &m.session->units();
  scene.constants["limit"] = 96;
  const auto text = [&](const char* t) {
    const auto parsed = Template::parse(t, scene, {});
    return parsed ? parsed->render(scene, {}) : parsed.error().list()[0].code;
  };
  CHECK(text("plain") == "plain");
  CHECK(text("a {1 + 1} b {limit:x}{limit:d}") == "a 2 b 0x6096");
  CHECK(text("{{{limit}}}") == "{96}");
  CHECK(text("{1 / 0}") == "{1 / 0: division by 0}");
  CHECK(text("{1") == "expression-syntax");
  CHECK(text("1}") == "expression-syntax");
  CHECK(text("{}") == "expression-syntax");
  CHECK(text("{limti}") == "inspect-name");
}

TEST_CASE("a register has the name of a figure or a constant where its program is asked, and nowhere else") {
  Folder folder;
  folder.write("p.uc", kLoop);
  folder.write("q.uc",
               ".reg packets me limit\nimmed[packets, 77]\nimmed[me, 78]\nimmed[limit, 79]\nl#:\nctx_arb[voluntary]\n"
               "alu[--, packets, +, me]\nalu[--, packets, +, limit]\nbr[l#]\n");
  folder.write("weft.json",
               R"({"version": 1, "board": "generic-2400", "constants": {"limit": 96}, "programs": [
                   {"source": "p.uc", "engines": [0]}, {"source": "q.uc", "engines": [2]}]})");
  const auto session = folder.session();
  RunControl control;
  control.limits.cycles = 400;
  session->run(control);
  const auto of = [&](const std::string& text, int engine, int context) {
    const auto value = session->evaluate(text, engine, context);
    return value ? std::to_string(*value) : value.error().list()[0].code;
  };
  CHECK(of("packets", -1, -1) == "0");
  CHECK(of("limit", -1, -1) == "96");
  CHECK(of("packets", 0, 1) == "0");
  CHECK(of("me + limit", 0, 1) == "96");
  CHECK(of("packets", 2, 1) == "77");
  CHECK(of("me + limit", 2, 1) == "157");
  CHECK(of("me2.ctx1.packets", -1, -1) == "77");
  const auto stop = session->run_until("cycle >= 450 && packets == 0", {});
  REQUIRE(stop);
  CHECK(stop->kind == Stop::Kind::condition);
}
