// Every operand, shift, token and limit value through the assembler: text to word to text to word, and the illegal
// neighbour of each limit refused under the right code. tests/isa/sweep.h makes the cases.
#include "../isa/sweep.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "weft/assembler/assembler.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;
using isa::Instruction;
using isa::Profile;
using isa::Role;

namespace {

/// All targets are one label at word 0; unit signals of me1 have names.
class Names final : public isa::PrintNames {
 public:
  explicit Names(Profile profile) : profile_(profile) {}
  std::string label(uint32_t) const override { return "there#"; }
  std::string signal(uint32_t number) const override {
    for (const isa::NamedValue& s : isa::signal_names(profile_))
      if (s.value == number) return std::string(s.name);
    return PrintNames::signal(number);
  }

 private:
  Profile profile_;
};

std::string text_of(Profile profile, const Instruction& insn) { return isa::print(profile, insn, Names(profile)); }

Assembly assembled(Profile profile, const std::string& text) {
  Options options;
  options.profile = profile;
  options.chip = profile == Profile::me1 ? "ixp1200" : "ixp2800";
  options.control_store = 1u << 20;  // the words are looked at, not loaded
  options.warnings.add("no-all");
  return assemble(make_source("sweep.uc", text), options);
}

struct Line {
  std::string text, varied;
  uint64_t word = 0;  ///< of a good one
};
struct Lines {
  std::vector<Line> good, bad;
};

/// Every case that text can say: targets are the label at word 0, and each text comes once.
Lines lines(Profile profile) {
  Lines out;
  std::set<std::string> seen[2];
  isa_test::Sweep sweep(
      profile,
      [&](Instruction insn, bool good, const std::string& varied) {
        if (varied == "number target") return;  // branches over the whole store: isa's own sweep
        // A shift or the complement makes more values than 16 bits: "0x10000" is good text.
        if (varied == "number value" && !good && insn.id == isa::InsnId::immed) return;
        // Where the registers of a context end is not a matter of single words.
        const uint32_t each = isa::info(insn.id).longwords_per_count, transfers = isa::sizes(profile).transfers;
        if (good && insn[Role::indirect] == 0 && insn.xfer.present() && insn.xfer.value < transfers &&
            insn.xfer.value + each * std::max(1u, insn[Role::count]) > transfers)
          return;
        insn[Role::target] = 0;
        // These two are never without it; rx and tx of isa.md 1 use them so.
        if (insn.id == isa::InsnId::dram_rbuf_rd || insn.id == isa::InsnId::dram_tbuf_wr) insn[Role::indirect] = 1;
        // The order of two operands says which is where, so what only a bank would say is not text.
        for (Role role : {Role::dest, Role::left, Role::right, Role::xfer})
          if (insn.operand(role).is_gpr() && insn.operand(role).bank == isa::Bank::none) return;
        // A word can name the other kind of transfer register by its fifth bit; the language does not (isa.md 2.1).
        const bool dram = isa::info(insn.id).unit == isa::Unit::dram;
        if (insn.xfer.kind == (dram ? isa::OperandKind::xfer_s : isa::OperandKind::xfer_d)) good = false;
        const std::string text = text_of(profile, insn);
        if (!seen[good].insert(text).second) return;
        if (!good) {
          out.bad.push_back({text, varied});
        } else {
          out.good.push_back({text, varied, *isa::encode(profile, insn)});
        }
      },
      isa_test::Density::limits);
  sweep.plain();
  sweep.operands();
  sweep.pairs();
  sweep.numbers();
  sweep.tokens();
  sweep.contexts();
  sweep.parts();
  // A case may be called bad because of a part that print() leaves out; then its text is that of a good one.
  std::erase_if(out.bad, [&](const Line& line) { return seen[true].contains(line.text); });
  return out;
}

std::string program(const std::vector<Line>& lines) {
  std::string text = ".registers physical\n.num_contexts 4\nthere#:\n";  // which have all registers
  for (const Line& line : lines) text += line.text + "\n";
  return text;
}

/// The codes that may refuse what was varied. Operands have several: a constant is too wide, a register not there, of a
/// kind that this place does not take, or indexed too far.
const std::map<std::string, std::set<std::string>> kCodes = {
    {"operand", {"asm-constant-width", "asm-undeclared-register", "asm-operand", "asm-index"}},
    {"transfer", {"asm-undeclared-register", "asm-operand", "asm-index"}},
    {"pair", {"asm-sources"}},
    {"shift", {"asm-shift", "asm-form"}},
    {"ctx_arb", {"asm-ctx-arb", "asm-token", "asm-form"}},
    {"token", {"asm-token", "asm-range"}},
    {"signal", {"asm-undeclared-signal", "asm-two-signals", "asm-range", "asm-token"}},
    {"defer", {"asm-defer", "asm-undeclared-signal", "asm-two-signals", "asm-range", "asm-token"}},
    {"number op", {"asm-operator", "asm-shift-operator"}},
    {"number amount", {"asm-shift"}},
    {"number signal", {"asm-undeclared-signal", "asm-range"}},
    {"number state", {"asm-unknown-state"}},
    {"number crc_type", {"asm-crc-type"}},
    {"number mul_step", {"asm-token", "asm-operand"}},
};

void good_lines(Profile profile, size_t min) {
  const std::vector<Line> good = lines(profile).good;
  CHECK(good.size() > min);
  const Assembly first = assembled(profile, program(good));
  INFO(render_text(first.diagnostics).substr(0, 3000));
  REQUIRE(first.image);
  REQUIRE(first.image->words.size() == good.size());
  for (size_t i = 0; i < good.size(); ++i)
    if (first.image->words[i] != good[i].word)
      FAIL(good[i].text << " became " << std::hex << first.image->words[i] << ", not " << good[i].word);
  const std::string again = disassemble(profile, first.image->words);
  const Assembly second = assembled(profile, again);
  INFO(render_text(second.diagnostics).substr(0, 3000));
  REQUIRE(second.image);
  for (size_t i = 0; i < good.size(); ++i)
    if (second.image->words[i] != good[i].word) FAIL(good[i].text << " is another word after disassembly");
}

/// Texts that say less than they could: halt is an alias, and a shift by nothing is none.
std::string said(std::string text) {
  for (const char* none : {", <<0]", ", >>0]", ", <<rot0]", ", >>rot0]"})
    if (const size_t at = text.find(none); at != std::string::npos) text = text.substr(0, at) + "]";
  return text == "ctx_arb[bpt]" ? "halt" : text;
}

/// The codes that refuse `bad`, in its order; "" = accepted. A stage that reports errors keeps the later ones from
/// looking, so lines are taken out as they are refused.
std::vector<std::string> refusals(Profile profile, const std::vector<Line>& bad) {
  constexpr size_t kTogether = 64;  // the assembler gives up after so many errors and more
  std::vector<std::string> codes(bad.size());
  for (size_t first = 0; first < bad.size(); first += kTogether) {
    std::vector<size_t> open;
    for (size_t i = first; i < std::min(first + kTogether, bad.size()); ++i) open.push_back(i);
    for (size_t found = 1; found > 0 && !open.empty();) {
      std::vector<Line> text;
      for (size_t i : open) text.push_back(bad[i]);
      found = 0;
      for (const Diagnostic& d : assembled(profile, program(text)).diagnostics) {
        if (d.severity != Severity::error || d.range.begin.line < 4) continue;
        const size_t at = d.range.begin.line - 4;  // three lines stand before
        if (at >= open.size() || !codes[open[at]].empty()) continue;
        codes[open[at]] = d.code;
        ++found;
      }
      std::erase_if(open, [&](size_t i) { return !codes[i].empty(); });
    }
  }
  return codes;
}

void bad_lines(Profile profile, size_t min) {
  const std::vector<Line> bad = lines(profile).bad;
  const std::vector<std::string> codes = refusals(profile, bad);
  size_t refused = 0, others = 0;
  for (size_t i = 0; i < bad.size(); ++i) {
    if (codes[i].empty()) {
      // Accepted: then print() left out what is wrong, and the text means what it says.
      const Assembly alone = assembled(profile, program({bad[i]}));
      REQUIRE(alone.image);
      const auto insn = isa::decode(profile, alone.image->words.at(0));
      REQUIRE(insn);
      const std::string again = text_of(profile, *insn);
      // Without a shift alu_shf means alu.
      const std::string_view text = bad[i].text;
      if (text.starts_with("alu_shf[") && again == said("alu" + std::string(text.substr(7)))) {
        ++others;
        continue;
      }
      if (again != said(bad[i].text)) FAIL(bad[i].text << " is taken for " << again);
      continue;
    }
    ++refused;
    const auto found = kCodes.find(bad[i].varied);
    const std::set<std::string> expected = found != kCodes.end() ? found->second : std::set<std::string>{"asm-range"};
    if (!expected.contains(codes[i])) FAIL_CHECK(bad[i].varied << ": " << bad[i].text << " is refused by " << codes[i]);
  }
  CHECK(refused > min);
  CHECK(bad.size() - refused - others < 20);
}

}  // namespace

TEST_CASE("sweep through text: every legal form survives text to word to text to word") {
  good_lines(Profile::me2, 5000);
  good_lines(Profile::me1, 2000);
}

TEST_CASE("sweep through text: illegal neighbours are refused under the right code") {
  bad_lines(Profile::me2, 2000);
  bad_lines(Profile::me1, 1000);
}
