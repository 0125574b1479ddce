// Every class of instruction with 2 to 15 registers in use: what is legal finds its banks and numbers, and what is not
// is refused in the words of the source, never by a register that it does not name.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>
#include <regex>

#include "weft/assembler/assembler.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;
using isa::ArgClass;
using isa::InsnId;
using isa::Profile;
using isa::Role;

namespace {

Assembly assembled(Profile profile, const std::string& text, bool repair = false) {
  Options options;
  options.profile = profile;
  options.chip = profile == Profile::me1 ? "ixp1200" : "ixp2400";
  options.repair_banks = repair;
  options.control_store = 1u << 20;  // the words are not loaded
  options.warnings.add("no-all");
  return assemble(make_source("sweep.uc", text), options);
}

/// The registers of one line: even ones for the left, odd ones for the right source, so that the pairs of a whole
/// program fit two banks whatever they are.
struct Names {
  std::string dest, left, right, only;
};

std::string operand(Profile profile, const isa::InsnInfo& info, const isa::Form& form, const isa::Arg& arg,
                    const Names& n) {
  bool pair = info.id == InsnId::ld_field || info.id == InsnId::ld_field_w_clr;
  bool left = pair, right = pair;
  for (const isa::Arg& a : form.args) {
    left = left || a.role == Role::left;
    right = right || a.role == Role::right;
  }
  pair = left && right;
  const auto field = info.id == InsnId::ld_field || info.id == InsnId::ld_field_w_clr;
  switch (arg.cls) {
    case ArgClass::ur_dest:
    case ArgClass::re_dest: return field ? n.left : n.dest;
    case ArgClass::ur_source:
    case ArgClass::re_source:
    case ArgClass::re_register:
    case ArgClass::ur_register:
    case ArgClass::address: return !pair ? n.only : arg.role == Role::left ? n.left : n.right;
    case ArgClass::xfer_read:
    case ArgClass::xfer_write:
    case ArgClass::xfer_both: return info.unit == isa::Unit::dram ? "$$x[0]" : "$x[0]";
    case ArgClass::alu_op: return "+";
    case ArgClass::shf_op: return "AND";
    case ArgClass::shift: return "<<4";
    case ArgClass::right_shift: return ">>4";
    case ArgClass::byte_shift: return "<<8";
    case ArgClass::byte_mask: return "0011";
    case ArgClass::immediate: return "5";
    case ArgClass::label: return "l{}#";
    case ArgClass::signal: return profile == Profile::me1 ? "sram" : "s";
    case ArgClass::context: return "1";
    case ArgClass::local_csr: return "same_me_signal";
    case ArgClass::cap_csr: return "0x10";
    case ArgClass::crc_type: return "crc_32";
    case ArgClass::none_only: return "--";
    case ArgClass::constant:
    case ArgClass::count: return fmt::format("{}", std::max<uint32_t>(arg.min, 1));
    default: return "";
  }
}

/// One line of each form; "" where it needs others around it, or says nothing of registers.
std::string line(Profile profile, const isa::InsnInfo& info, const isa::Form& form, const Names& n) {
  switch (info.id) {
    case InsnId::mul_step:
      return profile == Profile::me2 ? fmt::format(
                                           "mul_step[{0}, {1}], 16x16_start\nmul_step[{0}, {1}], 16x16_step1\n"
                                           "mul_step[{0}, {1}], 16x16_step2\nmul_step[{2}, --], 16x16_last",
                                           n.left, n.right, n.dest)
                                     : "";
    case InsnId::pop_count1:
    case InsnId::pop_count2: return "";
    case InsnId::pop_count3:
      return fmt::format("pop_count1[{0}]\npop_count2[{0}]\npop_count3[{1}, {0}]", n.only, n.dest);
    case InsnId::asr: return fmt::format("alu[--, --, B, {0}]\nasr[{1}, {0}, >>4]", n.only, n.dest);
    case InsnId::local_csr_rd: return fmt::format("local_csr_rd[active_ctx_sts]\nimmed[{}, 0]", n.dest);
    // Their addresses come from elsewhere, or the program ends there.
    case InsnId::dram_rbuf_rd:
    case InsnId::dram_tbuf_wr:
    case InsnId::cap_fast_wr_alu:
    case InsnId::rtn:
    case InsnId::ctx_arb: return "";
    default: break;
  }
  std::string text = std::string(info.mnemonic) + "[";
  bool first = info.subcommand.empty();
  if (!first) text += info.subcommand;
  for (const isa::Arg& arg : form.args) {
    const std::string o = operand(profile, info, form, arg, n);
    if (o.empty()) return "";
    text += (first ? "" : ", ") + o;
    first = false;
  }
  text += "]";
  if (form.args.empty() && info.subcommand.empty()) text = info.mnemonic;
  if (info.id == InsnId::jump) text += ", targets[l{}#]";
  if (info.group == isa::Group::command && info.signal != isa::SignalUse::none)
    text += profile == Profile::me1                  ? ", ctx_swap"
            : info.signal == isa::SignalUse::doubled ? ", sig_done[d]\nctx_arb[d]"
                                                     : ", ctx_swap[s]";
  return text;
}

struct Class {
  std::string name;
  std::function<std::string(const Names&)> line;
  bool bank_a = false;  ///< its source must be in bank A
};

std::vector<Class> classes(Profile profile) {
  std::vector<Class> out;
  for (const isa::InsnInfo& info : isa::all_instructions()) {
    if (!isa::enabled(profile, info.id)) continue;
    for (const isa::Form& form : info.forms) {
      const isa::InsnInfo* i = &info;
      const isa::Form* f = &form;
      if (line(profile, info, form, {"w", "x", "y", "z"}).empty()) continue;
      out.push_back({fmt::format("{} {} of {} operands", info.mnemonic, info.subcommand, form.args.size()),
                     [=](const Names& n) { return line(profile, *i, *f, n); },
                     info.id == InsnId::crc_be || info.id == InsnId::crc_le});
    }
  }
  return out;
}

std::string head(Profile profile, unsigned live) {
  std::string text = ".reg";
  for (unsigned k = 0; k < live; ++k) text += fmt::format(" r{}", k);
  text += "\n.reg $x[8] $$x[8]\n.set $x $$x\n";
  if (profile == Profile::me2) text += ".sig s d\n.set_sig s\n";
  for (unsigned k = 0; k < live; ++k) text += fmt::format("immed[r{}, {}]\n", k, k + 1);
  return text;
}

std::string tail(unsigned live) {
  std::string text;
  for (unsigned k = 0; k < live; ++k) text += fmt::format("alu[--, --, B, r{}]\n", k);
  return text + "ctx_arb[kill]\n";
}

/// The line with its labels, which stand right after it.
std::string with_label(std::string text, unsigned& labels) {
  bool used = false;
  for (size_t at; (at = text.find("l{}#")) != std::string::npos; used = true)
    text.replace(at, 4, fmt::format("l{}#", labels));
  text += "\n";
  if (used) text += fmt::format("l{}#: nop\n", labels++);
  return text;
}

void good(Profile profile, const std::string& text, const std::string& what) {
  const Assembly a = assembled(profile, text);
  if (a.image && !a.diagnostics.has_errors()) return;
  FAIL_CHECK(what << "\n" << text << render_text(a.diagnostics));
}

void sweep(Profile profile, size_t min) {
  const std::vector<Class> all = classes(profile);
  CHECK(all.size() > min);
  for (unsigned live = 2; live <= 15; ++live) {
    std::string together = head(profile, live);
    unsigned labels_together = 0;
    for (const Class& c : all) {
      unsigned labels = 0;
      std::string text = head(profile, live);
      for (unsigned k = 0; k < live; ++k) {
        const unsigned even = k / 2 * 2, odd = even + 1 < live ? even + 1 : even - 1;
        const Names n{fmt::format("r{}", k), fmt::format("r{}", even), fmt::format("r{}", odd), fmt::format("r{}", k)};
        text += with_label(c.line(n), labels);
        // In one program with pairs, what must be in bank A is the left one of each.
        Names mixed = n;
        if (c.bank_a) mixed.only = n.left;
        together += with_label(c.line(mixed), labels_together);
      }
      good(profile, text + tail(live), fmt::format("{}, {} live", c.name, live));
    }
    good(profile, together + tail(live), fmt::format("all classes, {} live", live));
  }
}

/// Whether a message names a register by number: none of these sources does.
bool names_a_number(const Assembly& a) {
  static const std::regex number(R"((^|[^\w$@])@?[ab]\d+\b|\$\d)");
  for (const Diagnostic& d : a.diagnostics) {
    if (std::regex_search(d.text, number) || std::regex_search(d.remedy, number)) return true;
    for (const Note& note : d.notes)
      if (std::regex_search(note.text, number)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("every class of instruction with 2 to 15 registers in use") {
  sweep(Profile::me2, 100);
  sweep(Profile::me1, 60);
}

TEST_CASE("the data of CRC instructions are in bank A") {
  const std::string first =
      ".reg a x\nimmed[a, 1]\nimmed[x, 2]\ncrc_be[crc_32, --, a]\nnop\ncrc_be[crc_32, --, x]\nctx_arb[kill]\n";
  good(Profile::me2, first, "two CRCs");
  good(Profile::me2,
       ".reg a @s\nimmed[a, 1]\nimmed[@s, 2]\ncrc_le[crc_32, --, a]\nnop\ncrc_le[crc_5, a, @s]\nalu[--, a, +, "
       "1]\nctx_arb[kill]\n",
       "an absolute one");
  // Their partners are in the other bank.
  good(Profile::me2,
       ".reg a x y\nimmed[a, 1]\nimmed[x, 2]\nimmed[y, 3]\nalu[--, a, +, y]\nalu[--, y, +, x]\ncrc_be[crc_32, --, "
       "a]\nnop\n"
       "crc_be[crc_32, --, x]\nctx_arb[kill]\n",
       "with a partner");
}

TEST_CASE("where CRC data and a pair contradict each other, names say so, and a move repairs it") {
  const std::string wrong =
      ".reg a x\nimmed[a, 1]\nimmed[x, 2]\nalu[--, a, +, x]\ncrc_be[crc_32, --, a]\nnop\ncrc_be[crc_32, --, "
      "x]\nctx_arb[kill]\n";
  const Assembly refused = assembled(Profile::me2, wrong);
  INFO(render_text(refused.diagnostics));
  REQUIRE(refused.diagnostics.size() == 1);
  const Diagnostic& d = refused.diagnostics.list()[0];
  CHECK(d.code == "asm-bank-conflict");
  CHECK(d.range.begin.line == 7);
  CHECK(d.text == "crc_be reads bank A, but other instructions put 'x' into bank B");
  REQUIRE(d.notes.size() == 2);  // a and x are a pair, and a is in bank A
  CHECK_FALSE(names_a_number(refused));
  const Assembly repaired = assembled(Profile::me2, wrong, true);
  INFO(render_text(repaired.diagnostics));
  REQUIRE(repaired.image);
  CHECK(repaired.image->words.size() == 8);

  const Assembly pinned =
      assembled(Profile::me2, ".reg x\n.addr x 3 b\nimmed[x, 2]\ncrc_be[crc_32, --, x]\nctx_arb[kill]\n");
  REQUIRE(pinned.diagnostics.size() == 1);
  CHECK(pinned.diagnostics.list()[0].text == "crc_be reads bank A, but .addr or a pin puts 'x' into bank B");
  CHECK_FALSE(names_a_number(pinned));
  // A register by number is the user's own word.
  const Assembly physical = assembled(Profile::me2, ".registers physical\ncrc_be[crc_32, --, b3]\nctx_arb[kill]\n");
  CHECK(physical.diagnostics.has_errors());
}

TEST_CASE("messages about registers that do not fit name those of the source") {
  for (unsigned live : {3u, 5u, 15u}) {
    // An odd ring of pairs; and a pair of each with itself.
    std::string ring = head(Profile::me2, live), self = ring;
    for (unsigned k = 0; k < live; ++k) {
      ring += fmt::format("alu[--, r{}, +, r{}]\n", k, (k + 1) % live);
      self += fmt::format("alu[--, r{}, +, r{}]\n", k, k);
    }
    for (const std::string& text : {ring + tail(live), self + tail(live)}) {
      const Assembly a = assembled(Profile::me2, text);
      INFO(text << render_text(a.diagnostics));
      CHECK(a.diagnostics.has_errors());
      CHECK_FALSE(names_a_number(a));
      CHECK(assembled(Profile::me2, text, true).image);
    }
  }
  // Too many for a bank: all forty are CRC data at once.
  std::string many = head(Profile::me2, 20);
  for (unsigned k = 0; k < 20; ++k) many += fmt::format("crc_be[crc_32, --, r{}]\nnop\n", k);
  const Assembly a = assembled(Profile::me2, many + tail(20));
  INFO(render_text(a.diagnostics));
  CHECK(a.diagnostics.has_errors());
  CHECK_FALSE(names_a_number(a));
}

TEST_CASE("bank repair takes all conflicts at once") {
  // Each triple of pairs is a conflict of its own: a third of all instructions needs a move.
  constexpr unsigned kTriples = 400;
  std::string text = ".reg a b c d\nimmed[a, 1]\nimmed[b, 2]\nimmed[c, 3]\nimmed[d, 4]\n";
  for (unsigned k = 0; k < kTriples; ++k) text += "alu[d, a, +, b]\nalu[d, b, +, c]\nalu[d, c, +, a]\n";
  const Assembly a = assembled(Profile::me2, text + "alu[--, --, B, d]\nctx_arb[kill]\n", true);
  INFO(render_text(a.diagnostics).substr(0, 2000));
  REQUIRE(a.image);
  CHECK(a.image->words.size() == 4 + 3 * kTriples + kTriples + 2);
}
