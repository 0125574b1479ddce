// --spill: programs that need more registers than there are compute what a model of their own arithmetic computes, in
// every context; and what cannot be spilled is refused with the reason.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>

#include "weft/assembler/assembler.h"
#include "weft/base/random.h"
#include "weft/base/render.h"
#include "weft/emulator/machine.h"
#include "weft/isa/isa.h"

using namespace weft;
using namespace weft::assembler;

namespace {

/// What the model knows of a context: registers by name, codes, and what the instruction before left behind.
struct Model {
  std::map<std::string, uint32_t> regs;
  uint32_t context = 0;
  bool zero = false, negative = false, carry = false;
  uint32_t set_codes(uint64_t wide) {
    const auto value = static_cast<uint32_t>(wide);
    zero = value == 0;
    negative = (value >> 31) != 0;
    return value;
  }
};

/// A piece of a program: its text, and what it does.
struct Piece {
  std::string text;
  std::function<void(Model&)> run;
};

Piece sequence(const std::vector<Piece>& pieces) {
  std::string text;
  for (const Piece& p : pieces) text += p.text;
  return {text, [pieces](Model& m) {
            for (const Piece& p : pieces) p.run(m);
          }};
}

uint32_t rotl(uint32_t v, unsigned n) { return n % 32 == 0 ? v : v << n % 32 | v >> (32 - n % 32); }

/// Writes random programs over two families of registers, e0... and o0...; each pair of sources takes one of each, so
/// banks exist.
class Writer {
 public:
  Writer(Random& random, unsigned live) : random_(random), each_(live / 2) {}

  Piece program(unsigned length) {
    std::vector<Piece> out;
    out.push_back(start());
    out.push_back(block(length, 2));
    out.push_back(finish());
    for (size_t s = 0; s < subroutines_.size(); ++s) {
      out.push_back({fmt::format("sub{0}#:\n{1}rtn[back{0}]\n", s, subroutines_[s].text), [](Model&) {}});
    }
    return sequence(out);
  }
  /// The second one calls the first.
  void add_subroutine(unsigned length) {
    std::vector<Piece> out{block(length, 0)};
    if (!subroutines_.empty()) out.push_back(call(0));
    out.push_back(block(length, 0));
    subroutines_.push_back(sequence(out));
  }
  std::string declarations() const {
    std::string text = ".reg acc cx te to n1 n2 back0 back1 write $out\n";
    for (unsigned k = 0; k < each_; ++k) text += fmt::format(".reg e{0} o{0}\n", k);
    return text;
  }

  Piece start() {
    std::vector<Piece> out;
    out.push_back({"local_csr_rd[ACTIVE_CTX_STS]\nimmed[cx, 0]\nalu[cx, cx, AND, 7]\n",
                   [](Model& m) { m.regs["cx"] = m.context; }});
    for (unsigned k = 0; k < each_; ++k) {
      const auto low = static_cast<uint32_t>(random_.below(65536)), high = static_cast<uint32_t>(random_.below(65536));
      const std::string o = fmt::format("o{}", k), e = fmt::format("e{}", k);
      out.push_back({fmt::format("immed[{0}, {1}]\nimmed_w1[{0}, {2}]\nalu[{0}, cx, +, {0}]\n", o, low, high),
                     [=](Model& m) { m.regs[o] = (high << 16 | low) + m.regs["cx"]; }});
      out.push_back({fmt::format("immed[{0}, {1}]\nalu[{0}, {0}, -, {2}]\n", e, high, o),
                     [=](Model& m) { m.regs[e] = high - m.regs[o]; }});
    }
    return sequence(out);
  }

  /// A hash of all registers goes out.
  Piece finish() const {
    std::vector<Piece> out;
    out.push_back({"immed[acc, 0]\n", [](Model& m) { m.regs["acc"] = 0; }});
    for (unsigned k = 0; k < 2 * each_; ++k) {
      const std::string name = fmt::format("{}{}", k % 2 ? "e" : "o", k / 2), t = k % 2 ? "to" : "te";
      out.push_back({fmt::format("alu_shf[{0}, --, B, acc, <<rot5]\nalu[acc, {0}, XOR, {1}]\n", t, name),
                     [=](Model& m) { m.regs["acc"] = rotl(m.regs["acc"], 5) ^ m.regs[name]; }});
    }
    out.push_back({"alu[$out, --, B, acc]\nctx_arb[kill]\n", [](Model&) {}});
    return sequence(out);
  }

  Piece block(unsigned length, unsigned nesting) {
    std::vector<Piece> out;
    for (unsigned k = 0; k < length; ++k) out.push_back(piece(nesting));
    return sequence(out);
  }

 private:
  std::string even() { return fmt::format("e{}", random_.below(each_)); }
  std::string odd() { return fmt::format("o{}", random_.below(each_)); }
  std::string any() { return random_.chance(1, 2) ? even() : odd(); }

  Piece arithmetic() {
    const std::string d = any();
    std::string a = even(), b = odd();
    if (random_.chance(1, 2)) std::swap(a, b);
    switch (random_.below(5)) {
      case 0:
        return {fmt::format("alu[{}, {}, +, {}]\n", d, a, b),
                [=](Model& m) { m.regs[d] = m.set_codes(m.regs[a] + m.regs[b]); }};
      case 1:
        return {fmt::format("alu[{}, {}, -, {}]\n", d, a, b),
                [=](Model& m) { m.regs[d] = m.set_codes(m.regs[a] - m.regs[b]); }};
      case 2:
        return {fmt::format("alu[{}, {}, XOR, {}]\n", d, a, b),
                [=](Model& m) { m.regs[d] = m.set_codes(m.regs[a] ^ m.regs[b]); }};
      case 3:
        return {fmt::format("alu[{}, {}, AND~, {}]\n", d, a, b),
                [=](Model& m) { m.regs[d] = m.set_codes(m.regs[a] & ~m.regs[b]); }};
      default:
        return {fmt::format("alu[{}, {}, B-A, {}]\n", d, a, b),
                [=](Model& m) { m.regs[d] = m.set_codes(m.regs[b] - m.regs[a]); }};
    }
  }

  /// Restricted operands: they reach eight offsets only.
  Piece shifted() {
    const std::string d = any();
    std::string a = even(), b = odd();
    if (random_.chance(1, 2)) std::swap(a, b);
    const auto n = static_cast<unsigned>(1 + random_.below(31));
    switch (random_.below(4)) {
      case 0:
        return {fmt::format("alu_shf[{}, {}, OR, {}, <<{}]\n", d, a, b, n),
                [=](Model& m) { m.regs[d] = m.set_codes(m.regs[a] | m.regs[b] << n); }};
      case 1:
        return {fmt::format("alu_shf[{}, {}, AND, {}, >>{}]\n", d, a, b, n),
                [=](Model& m) { m.regs[d] = m.set_codes(m.regs[a] & m.regs[b] >> n); }};
      case 2:
        return {fmt::format("dbl_shf[{}, {}, {}, >>{}]\n", d, a, b, n),
                [=](Model& m) { m.regs[d] = m.set_codes((uint64_t{m.regs[a]} << 32 | m.regs[b]) >> n); }};
      default: {
        const std::string field = d[0] == 'e' ? odd() : even();
        return {fmt::format("ld_field[{}, 0110, {}, <<{}]\n", d, field, n),
                [=](Model& m) { m.regs[d] = (m.regs[d] & 0xff0000ff) | ((m.regs[field] << n) & 0x00ffff00); }};
      }
    }
  }

  /// Codes that live across whatever is put between, and an amount taken from the instruction before.
  Piece delicate() {
    const std::string d = any(), f = any(), a = even(), b = odd(), c = odd(), e = even();
    switch (random_.below(3)) {
      case 0:
        return {
            fmt::format("alu[{}, {}, +, {}]\nalu[{}, {}, +carry, {}]\n", d, a, b, f, c == d ? b : c, e == d ? a : e),
            [=](Model& m) {
              const uint64_t sum = uint64_t{m.regs[a]} + m.regs[b];
              m.regs[d] = static_cast<uint32_t>(sum);
              m.regs[f] = m.set_codes(m.regs[c == d ? b : c] + m.regs[e == d ? a : e] + (sum >> 32));
            }};
      case 1:
        return {fmt::format("alu[--, {}, OR, {}]\nalu_shf[{}, --, B, {}, >>indirect]\n", a, b, d, c),
                [=](Model& m) { m.regs[d] = m.set_codes(m.regs[c] >> (m.regs[a] & 31)); }};
      default:
        return {fmt::format("alu[--, --, B, {0}]\nasr[{1}, {0}, >>3]\n", c, d), [=](Model& m) {
                  m.regs[d] = m.set_codes(static_cast<uint32_t>(static_cast<int32_t>(m.regs[c]) >> 3));
                }};
    }
  }

  Piece branching(unsigned nesting) {
    const std::string label = fmt::format("l{}#", labels_++);
    const std::string a = even(), b = odd();
    const Piece body = block(1 + static_cast<unsigned>(random_.below(4)), nesting - 1);
    const auto bit = static_cast<unsigned>(random_.below(32)), byte = static_cast<unsigned>(random_.below(4));
    switch (random_.below(4)) {
      case 0:
        return {fmt::format("alu[--, {}, -, {}]\nbmi[{}]\n{}{}:\n", a, b, label, body.text, label), [=](Model& m) {
                  if (((m.regs[a] - m.regs[b]) >> 31) == 0) body.run(m);
                }};
      case 1:
        return {fmt::format("br_bset[{}, {}, {}]\n{}{}:\n", a, bit, label, body.text, label), [=](Model& m) {
                  if ((m.regs[a] >> bit & 1) == 0) body.run(m);
                }};
      case 2:
        return {fmt::format("br=byte[{}, {}, 0x40, {}]\n{}{}:\n", b, byte, label, body.text, label), [=](Model& m) {
                  if ((m.regs[b] >> (8 * byte) & 0xff) != 0x40) body.run(m);
                }};
      default: {  // a deferred slot takes no move
        const Piece slot = arithmetic();
        return {
            fmt::format("alu[--, {}, XOR, {}]\nbne[{}], defer[1]\n{}{}{}:\n", a, b, label, slot.text, body.text, label),
            [=](Model& m) {
              const bool equal = m.regs[a] == m.regs[b];
              slot.run(m);
              if (equal) body.run(m);
            }};
      }
    }
  }

  Piece loop(unsigned nesting) {
    const std::string label = fmt::format("l{}#", labels_++), counter = nesting == 2 ? "n1" : "n2";
    const auto times = static_cast<uint32_t>(1 + random_.below(4));
    const Piece body = block(2 + static_cast<unsigned>(random_.below(5)), nesting - 1);
    return {fmt::format("immed[{1}, {2}]\n{0}:\n{3}alu[{1}, {1}, -, 1]\nbne[{0}]\n", label, counter, times, body.text),
            [=](Model& m) {
              for (uint32_t k = 0; k < times; ++k) body.run(m);
            }};
  }

  Piece call(size_t s) {
    const std::string label = fmt::format("l{}#", labels_++);
    const Piece body = subroutines_[s];
    if (random_.chance(1, 2)) {
      return {fmt::format("load_addr[back{0}, {1}]\nbr[sub{0}#]\n{1}:\n", s, label), body.run};
    }
    const Piece slot = arithmetic();
    return {fmt::format("br[sub{0}#], defer[2]\nload_addr[back{0}, {1}]\n{2}{1}:\n", s, label, slot.text),
            [=](Model& m) {
              slot.run(m);
              body.run(m);
            }};
  }

  Piece piece(unsigned nesting) {
    if (nesting > 0 && !subroutines_.empty() && random_.chance(1, 6)) return call(random_.below(subroutines_.size()));
    switch (random_.below(nesting > 0 ? 12 : 8)) {
      case 0:
      case 1:
      case 2: return arithmetic();
      case 3:
      case 4: return shifted();
      case 5: return delicate();
      case 6: return {"ctx_arb[voluntary]\n", [](Model&) {}};
      case 7: {
        const std::string d = any();
        const auto n = static_cast<uint32_t>(random_.below(65536));
        return {fmt::format("immed_w0[{}, {}]\n", d, n), [=](Model& m) { m.regs[d] = (m.regs[d] & 0xffff0000) | n; }};
      }
      case 8:
      case 9: return branching(nesting);
      default: return loop(nesting);
    }
  }

  Random& random_;
  unsigned each_;
  unsigned labels_ = 0;
  std::vector<Piece> subroutines_;
};

Assembly assembled(const std::string& text, bool spill = true, const std::function<void(Options&)>& set = {}) {
  Options options;
  options.spill = spill;
  if (set) set(options);
  return assemble(make_source("s.uc", text), options);
}

unsigned count(const Assembly& a, const std::string& code) {
  unsigned n = 0;
  for (const Diagnostic& d : a.diagnostics) n += d.code == code;
  return n;
}

/// What each context leaves in `$out`, the last transfer register that the program writes.
std::map<unsigned, uint32_t> results(const image::Image& image, unsigned contexts = 0xff, unsigned pc = 0) {
  emulator::Machine machine{emulator::MachineDescription{}};
  machine.load(0, image.words);
  const bool four = image.contexts == 4;
  if (four) contexts &= 0x55;
  machine.write_csr(0, isa::Csr::ctx_enables, (four ? 1u << 31 : 0u) | (image.lm_absolute[0] ? 1u << 16 : 0u));
  machine.start(0, contexts, pc);
  machine.run_until(400000 * machine.timing().period);
  uint32_t number = 0;
  for (uint64_t word : image.words) {
    const auto insn = isa::decode(image.profile, word);
    if (insn->dest.kind == isa::OperandKind::xfer_s) number = insn->dest.value;
  }
  std::map<unsigned, uint32_t> out;
  for (unsigned c = 0; c < 8; ++c) {
    if (contexts >> c & 1) out[c] = machine.pull({0, static_cast<uint8_t>(c)}, false, 16 * c + number);
  }
  return out;
}

std::string listed(const std::map<unsigned, uint32_t>& values) {
  std::string out;
  for (const auto& [context, value] : values) out += fmt::format("{}:{:08x} ", context, value);
  return out;
}

std::map<unsigned, uint32_t> expected(const Piece& program, bool four = false) {
  std::map<unsigned, uint32_t> out;
  for (unsigned c = 0; c < 8; c += four ? 2 : 1) {
    Model m;
    m.context = c;
    program.run(m);
    out[c] = m.regs["acc"];
  }
  return out;
}

}  // namespace

TEST_CASE("spill: the model agrees with programs that fit") {
  // Four contexts have twice the registers: these need no spilling, so only the model and the engine are compared.
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    Writer writer(random, 40);
    const Piece program = writer.program(static_cast<unsigned>(random.below(40)));
    const std::string text = ".num_contexts 4\n" + writer.declarations() + program.text;
    const Assembly a = assembled(text, false);
    INFO("seed " << seed << '\n' << text << render_text(a.diagnostics));
    REQUIRE(a.image);
    REQUIRE(listed(results(*a.image)) == listed(expected(program, true)));
  }
}

TEST_CASE("spill: programs with 40 to 58 live registers fail without it, and compute the right thing with it") {
  for (const unsigned live : {40u, 44u, 50u, 54u, 58u}) {
    Random random(live);
    Writer writer(random, live);
    const Piece program = writer.program(40);
    const std::string text = writer.declarations() + program.text;
    CAPTURE(live);
    const Assembly without = assembled(text, false);
    CHECK_FALSE(without.image);
    CHECK(count(without, "asm-no-register") >= 1);
    const Assembly with = assembled(text);
    INFO(text << render_text(with.diagnostics));
    REQUIRE(with.image);
    CHECK(count(with, "asm-spill") == 0);  // quiet unless asked for
    CHECK(listed(results(*with.image)) == listed(expected(program)));
  }
}

TEST_CASE(
    "spill: random programs with branches, loops, calls, swaps and codes under high pressure compute what the model "
    "computes") {
  unsigned spilled = 0;
  for (unsigned seed = 1; seed <= 80; ++seed) {
    Random random(1000 + seed);
    const unsigned live = 26 + static_cast<unsigned>(random.below(30));
    Writer writer(random, live);
    for (uint64_t s = random.below(3); s > 0; --s) writer.add_subroutine(3);
    const Piece program = writer.program(10 + static_cast<unsigned>(random.below(60)));
    const std::string text = writer.declarations() + program.text;
    const Assembly a = assembled(text, true, [&](Options& o) {
      o.optimize = seed % 3 == 0;
      o.warnings.add("spill");
    });
    INFO("seed " << seed << ", live " << live << '\n' << text << render_text(a.diagnostics));
    REQUIRE(a.image);
    spilled += count(a, "asm-spill");
    REQUIRE(listed(results(*a.image)) == listed(expected(program)));
  }
  CHECK(spilled >= 50);
}

TEST_CASE("spill: four contexts have 32 registers of each bank, and 32 words after them") {
  Random random(4);
  Writer writer(random, 84);
  const Piece program = writer.program(30);
  const std::string text = ".num_contexts 4\n" + writer.declarations() + program.text;
  CHECK(count(assembled(text, false), "asm-no-register") >= 1);
  const Assembly a = assembled(text);
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  CHECK(listed(results(*a.image)) == listed(expected(program, true)));
}

TEST_CASE("spill: a program that fits is left as it is") {
  Random random(5);
  Writer writer(random, 20);
  const std::string text = writer.declarations() + writer.program(30).text;
  const Assembly with = assembled(text), without = assembled(text, false);
  REQUIRE(with.image);
  REQUIRE(without.image);
  CHECK(with.image->words == without.image->words);
  CHECK(with.image->memory.empty());
}

TEST_CASE("spill: the pointer that the program uses, and its blocks, are left alone") {
  Random random(6);
  Writer writer(random, 40);
  const Piece body = sequence({writer.start(), writer.block(20, 1)});
  const Piece end = writer.finish();
  // Each context owns a longword of the block, reached through pointer 1; the far end of local memory is taken as well.
  const auto text = [&](const char* blocks) {
    return writer.declarations() + blocks + ".reg at\n" + body.text +
           "alu_shf[at, --, B, cx, <<2]\nlocal_csr_wr[ACTIVE_LM_ADDR_1, at]\nnop\nnop\nnop\nalu[*l$index1[0], --, B, "
           "cx]\n"
           "alu[e0, *l$index1[0], +, o0]\n" +
           end.text;
  };
  const Piece model{"", [&](Model& m) {
                      body.run(m);
                      m.regs["e0"] = m.regs["cx"] + m.regs["o0"];
                      end.run(m);
                    }};
  const Assembly a = assembled(text(".local_mem mine local+0 32\n.local_mem high local+2048 4\n"));
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  CHECK(listed(results(*a.image)) == listed(expected(model)));
  REQUIRE(a.image->memory.size() == 3);
  const image::MemoryBlock& block = a.image->memory.back();
  CHECK(block.region == image::Region::local);
  CHECK(*block.address == 1536);
  CHECK(block.size == 512);
  for (uint64_t word : a.image->words) {
    const auto insn = isa::decode(isa::Profile::me2, word);
    if (insn->dest.kind == isa::OperandKind::local_mem1) CHECK(insn->dest.value == 0);
  }
  // Blocks that leave no room, wherever the linker puts them.
  const Assembly full = assembled(text(".local_mem mine local 2100\n"));
  CHECK_FALSE(full.image);
  CHECK(render_text(full.diagnostics).find("local memory has no free stretch of 512 bytes") != std::string::npos);
}

TEST_CASE("spill: the entry from outside makes its pointer too") {
  Random random(7);
  Writer writer(random, 40);
  const Piece body = writer.program(20);
  // The second entry runs the same code; the first does something short.
  const std::string text = writer.declarations() + "immed[$out, 77]\nctx_arb[kill]\nagain#:\n.reentry\n" + body.text;
  const Assembly a = assembled(text);
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  uint32_t entry = 0;
  for (const image::Label& label : a.image->labels) entry = label.name == "again#" ? label.address : entry;
  REQUIRE(entry != 0);
  CHECK(listed(results(*a.image, 0xff, entry)) == listed(expected(body)));
  for (const auto& [context, value] : results(*a.image)) CHECK(value == 77);
}

TEST_CASE("spill: what cannot be spilled is refused with the reason") {
  std::string body;
  for (unsigned k = 0; k < 40; ++k) body += fmt::format(".reg r{0}\nimmed[r{0}, {0}]\n", k);
  std::string uses;
  for (unsigned k = 0; k < 40; ++k) uses += fmt::format("alu[--, --, B, r{}]\n", k);
  uses += "ctx_arb[kill]\n";
  const auto reason = [&](const std::string& text, const std::function<void(Options&)>& set = {}) {
    const Assembly a = assembled(text, true, set);
    CHECK_FALSE(a.image);
    CHECK(count(a, "asm-no-register") == 1);
    std::string out = render_text(a.diagnostics);
    const size_t at = out.find("--spill does not help: ");
    return at == std::string::npos ? out : out.substr(at + 23, out.find('\n', at) - at - 23);
  };
  CHECK(assembled(body + uses).image);
  CHECK(reason(body +
               "*l$index0 = 5\n"  // both pointers have a user
               "local_csr_wr[ACTIVE_LM_ADDR_1, 0]\n" +
               uses)
            .find("both pointers of local memory are taken") == 0);
  CHECK(reason(".local_mem0_mode abs\n" + body + "cam_lookup[r0, r1], lm_addr1[0]\n" + uses).find("both pointers") ==
        0);
  CHECK(reason(body + uses, [](Options& o) {
          o.chip = "ixp1200";
          o.profile = isa::Profile::me1;
        }) == "ixp1200 has no local memory");
  CHECK(reason(body + ".word 0xf0000c0300\n" + uses).find(".word") != std::string::npos);
  CHECK(reason(body + uses, [](Options& o) { o.pins = make_source("pins", "r0 * a5\n"); }).find("pin file") !=
        std::string::npos);
  // Volatile registers have to stand still.
  std::string still = body + uses;
  for (size_t at = 0; (at = still.find(".reg r", at)) != std::string::npos; at += 6)
    still.replace(at, 6, ".reg volatile r");
  CHECK(reason(still).find("cannot be moved") != std::string::npos);
  // More than registers and words together.
  std::string many, more;
  for (unsigned k = 0; k < 70; ++k) many += fmt::format(".reg r{0}\nimmed[r{0}, {0}]\n", k);
  for (unsigned k = 0; k < 70; ++k) more += fmt::format("alu[--, --, B, r{}]\n", k);
  CHECK(reason(many + more + "ctx_arb[kill]\n")
            .find("the 32 words of local memory that both pointers reach are all in use") == 0);
}

TEST_CASE("spill: told when asked for, and in the dump") {
  std::string text;
  for (unsigned k = 0; k < 40; ++k) text += fmt::format(".reg r{0}\nimmed[r{0}, {0}]\n", k);
  for (unsigned k = 0; k < 40; ++k) text += fmt::format("alu[--, --, B, r{}]\n", k);
  text += "ctx_arb[kill]\n";
  const Assembly told = assembled(text, true, [](Options& o) { o.warnings.add("all"); });
  REQUIRE(count(told, "asm-spill") == 1);
  CHECK(render_text(told.diagnostics).find("8 registers live in local memory") != std::string::npos);
  CHECK(render_text(told.diagnostics).find("it costs 9 words to set the pointer and 0 to move values") !=
        std::string::npos);
  REQUIRE(told.image);
  CHECK(told.image->words.size() == 81 + 9);
  CHECK(count(told, "asm-unused-register") == 0);
  const Assembly dump = assembled(text, true, [](Options& o) { o.dump = "allocation"; });
  CHECK(dump.dump.find("local memory") != std::string::npos);
  CHECK(dump.dump.find("*l$index1[15]") != std::string::npos);
  // What nothing sets is still said about the program as written.
  const Assembly unset =
      assembled(".reg lost\n" + text.substr(0, text.find("ctx_arb")) + "alu[--, --, B, lost]\nctx_arb[kill]\n");
  CHECK(count(unset, "asm-never-set") == 1);
}
