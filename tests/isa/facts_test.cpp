// Names, documents, examples and messages.
#include <catch2/catch.hpp>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "support.h"

using namespace weft::isa;
using namespace weft::isa_test;

namespace {

Instruction alu(Operand dest, Operand left, AluOp op_, Operand right) {
  Instruction i;
  i.id = InsnId::alu;
  i.dest = dest;
  i.left = left;
  i.right = right;
  i[Role::op] = static_cast<uint32_t>(op_);
  return i;
}
std::string refusal(const Instruction& insn) {
  const auto word = encode(Profile::me2, insn);
  return word ? "accepted" : word.error().text;
}

}  // namespace

TEST_CASE("every instruction is documented, encoded and shown by at least three examples") {
  std::map<InsnId, int> count;
  for (const Example& e : examples()) {
    ++count[e.id];
    CHECK_FALSE(e.code.empty());
    CHECK_FALSE(e.after.empty());
  }
  for (const InsnInfo& facts : all_instructions()) {
    INFO(facts.name);
    CHECK(&info(facts.id) == &facts);
    CHECK(facts.summary.size() > 10);
    CHECK(facts.summary.back() == '.');
    CHECK(facts.doc.size() > 30);
    CHECK_FALSE(facts.forms.empty());
    CHECK((enabled(Profile::me1, facts.id) || enabled(Profile::me2, facts.id)));
    CHECK(count[facts.id] >= 3);
    for (Profile profile : {Profile::me1, Profile::me2}) {
      bool found = false;
      for (InsnId id : by_mnemonic(profile, facts.mnemonic)) found |= id == facts.id;
      CHECK(found == enabled(profile, facts.id));
    }
  }
}

TEST_CASE("states of the examples are in the notation of the README") {
  const std::regex place(
      "@?[ab]\\d+|\\$\\$?(in|out)\\d+|n\\$\\d+|[NZVC]|lm\\[\\w+\\]|csr "
      "\\w+|cam\\[\\d+\\]|(sram|scratch|dram|msf|tbuf|sdram|rfifo|tfifo)\\[\\w+\\]|"
      "lock \\w+|list \\d+|fbi \\w+|ring \\d+|queue \\d+|cap 0x[0-9a-f]+|signal \\d+|context|halted|pc");
  const std::regex value("0x[0-9a-f]+|\\d+|\\w+/\\w+|sleep|ready|executing|inactive|empty|\\w+( \\w+)+");
  for (const Example& e : examples())
    for (const auto& list : {e.before, e.after})
      for (std::string_view text : list) {
        INFO(e.code << ": " << text);
        const size_t at = text.find(" = ");
        REQUIRE(at != std::string_view::npos);
        CHECK(std::regex_match(std::string(text.substr(0, at)), place));
        CHECK(std::regex_match(std::string(text.substr(at + 3)), value));
      }
}

TEST_CASE("an example uses the instruction that it explains") {
  for (const Example& e : examples()) {
    INFO(e.code);
    bool found = e.code.find(info(e.id).mnemonic) != std::string_view::npos;
    for (const Alias& a : aliases(Profile::me2))
      found |= a.instruction.id == e.id && e.code.find(a.spelling) != std::string_view::npos;
    if (e.id == InsnId::alu_shf) found |= e.code.find("alu[") != std::string_view::npos;
    CHECK(found);
    if (!info(e.id).subcommand.empty())
      CHECK(e.code.find("[" + std::string(info(e.id).subcommand) + ",") != std::string_view::npos);
  }
}

TEST_CASE("other spellings") {
  std::map<std::string_view, InsnId> ids;
  for (const Alias& a : aliases(Profile::me2)) ids[a.spelling] = a.instruction.id;
  CHECK(ids.at("nop") == InsnId::immed);
  CHECK(ids.at("halt") == InsnId::ctx_arb);
  CHECK(ids.at("bcs") == InsnId::bhs);
  CHECK(ids.at("bcc") == InsnId::blo);
  CHECK(ids.at("br=0") == InsnId::beq);
  CHECK(ids.at("br!=0") == InsnId::bne);
  CHECK(ids.at("br<0") == InsnId::bmi);
  CHECK(ids.at("br<=0") == InsnId::ble);
  CHECK(ids.at("br>0") == InsnId::bgt);
  CHECK(ids.at("br>=0") == InsnId::bpl);
  CHECK(ids.at("br=cout") == InsnId::bhs);
  CHECK(ids.at("br!=cout") == InsnId::blo);
  CHECK(by_mnemonic(Profile::me2, "sram").size() == 27);
  CHECK(by_mnemonic(Profile::me2, "nothing").empty());
}

TEST_CASE("CSRs, input states, names behind the CAP") {
  REQUIRE(find_csr(Profile::me2, "active_lm_addr_0"));
  CHECK(find_csr(Profile::me2, "ACTIVE_LM_ADDR_0")->offset == 0x064);
  CHECK(find_csr(Profile::me2, "ACTIVE_LM_ADDR_0")->write_latency == 3);
  CHECK(find_csr(Profile::me2, 0x108u)->name == "SAME_ME_SIGNAL");
  CHECK(find_csr(Profile::me2, 0x108u)->use_latency == 8);
  CHECK(static_cast<uint32_t>(Csr::crc_remainder) == 0x140);
  CHECK_FALSE(find_csr(Profile::me2, "NOTHING"));
  CHECK_FALSE(find_csr(Profile::me2, 0x7fcu));
  for (const CsrInfo& c : csrs(Profile::me2)) CHECK_FALSE(c.doc.empty());

  const auto states = input_states(Profile::me2);
  REQUIRE(states.size() == 16);
  CHECK(states[0].name == "NN_EMPTY");
  CHECK(states[3].name == "SCR_RING1_STATUS");
  CHECK(states[3].value == 3);
  CHECK(states[13].name == "SCR_RING11_STATUS");
  CHECK(states[15].name == "FCI_FULL");
  std::set<std::string_view> cap;
  for (const NamedValue& n : cap_csrs(Profile::me2)) CHECK(cap.insert(n.name).second);
  CHECK(cap.count("XSCALE_INT_A"));
}

TEST_CASE("the immed for a 32-bit value") {
  auto check = [](uint32_t value) {
    const auto fit = fit_immediate(value);
    return fit && fit->value <= 0xffff && immediate_value(*fit) == value;
  };
  for (uint32_t v : {0u, 1u, 0xffffu, 0xff00u, 0xffff00u, 0x123400u, 0x12340000u, 0xffff0000u, 0xffffffffu, 0xffff1234u,
                     0xff1234ffu, 0x1234ffffu})
    CHECK(check(v));
  for (uint32_t v : {0x10001u, 0x12345678u, 0x0f0000f0u}) CHECK_FALSE(fit_immediate(v));
  CHECK(fit_immediate(0xff00)->shift == 0);
  CHECK(fit_immediate(0xff0000)->shift == 8);
  CHECK_FALSE(fit_immediate(0xffff0000)->invert);
  CHECK(fit_immediate(0xffff1234, 8)->value == 0xedcb);
  CHECK(immediate_value(*fit_immediate(0xffff1234, 8)) == 0xff1234ff);
  CHECK_FALSE(fit_immediate(5, 4));
  CHECK_FALSE(fit_immediate(0x12345, 8));
}

TEST_CASE("what print writes for immed, fit_immediate reads back") {
  for (uint32_t value : {0u, 9u, 10u, 0x1234u, 0xffffu})
    for (uint32_t shift : {0u, 8u, 16u})
      for (uint32_t invert : {0u, 1u}) {
        Instruction i;
        i.id = InsnId::immed;
        i.dest = a(3);
        i[Role::value] = value;
        i[Role::amount] = shift;
        i[Role::invert] = invert;
        const std::string text = print(Profile::me2, i, PrintNames{});
        const std::regex form("immed\\[a3, (\\w+)(, <<(\\d+))?\\]");
        std::smatch m;
        REQUIRE(std::regex_match(text, m, form));
        const auto number = static_cast<uint32_t>(std::stoul(m[1].str(), nullptr, 0));
        const auto fit =
            m[2].matched ? fit_immediate(number, static_cast<uint32_t>(std::stoul(m[3].str()))) : fit_immediate(number);
        INFO(text);
        REQUIRE(fit);
        CHECK(fit->value == value);
        CHECK(fit->shift == shift);
        CHECK(fit->invert == (invert != 0));
      }
}

TEST_CASE("operands as text") {
  CHECK(print_operand(none()) == "--");
  CHECK(print_operand(a(5)) == "a5");
  CHECK(print_operand(abs_a(16)) == "@a16");
  CHECK(print_operand(abs_b(48)) == "@b48");
  CHECK(print_operand(k(9)) == "9");
  CHECK(print_operand(k(16)) == "0x10");
  CHECK(print_operand(op(OperandKind::xfer_s, 3)) == "$3");
  CHECK(print_operand(op(OperandKind::xfer_d, 2)) == "$$2");
  CHECK(print_operand(op(OperandKind::neighbor, 4)) == "n$4");
  CHECK(print_operand(op(OperandKind::neighbor_index, 0, Post::increment)) == "*n$index++");
  CHECK(print_operand(op(OperandKind::xfer_s_index, 0, Post::decrement)) == "*$index--");
  CHECK(print_operand(op(OperandKind::xfer_d_index)) == "*$$index");
  CHECK(print_operand(op(OperandKind::local_mem0, 2)) == "*l$index0[2]");
  CHECK(print_operand(op(OperandKind::local_mem1, 0, Post::increment)) == "*l$index1++");
}

TEST_CASE("text of instructions without a public word") {
  auto text = [](Instruction i) { return print(Profile::me2, i, PrintNames{}); };
  Instruction i;
  i.id = InsnId::ld_field;
  i.dest = a(2);
  i.right = b(0);
  i[Role::mask] = 5;
  i[Role::shift] = static_cast<uint32_t>(ShiftKind::rotate_left);
  i[Role::amount] = 8;
  i[Role::load_cc] = 1;
  CHECK(text(i) == "ld_field[a2, 0101, b0, <<rot8], load_cc");
  i = {};
  i.id = InsnId::crc_be;
  i.right = a(1);
  i[Role::crc_type] = static_cast<uint32_t>(CrcType::iscsi);
  i[Role::crc_bytes] = static_cast<uint32_t>(CrcBytes::bytes_0_1);
  i[Role::bit_swap] = 1;
  CHECK(text(i) == "crc_be[crc_iscsi, --, a1], bytes_0_1, bit_swap");
  i = {};
  i.id = InsnId::mul_step;
  i.left = a(1);
  i.right = b(1);
  CHECK(text(i) == "mul_step[a1, b1], start");
  i[Role::mul_size] = static_cast<uint32_t>(MulSize::m16x16);
  i[Role::mul_step] = static_cast<uint32_t>(MulStep::step2);
  CHECK(text(i) == "mul_step[a1, b1], 16x16_step2");
  i = {};
  i.id = InsnId::mul_step;
  i.dest = a(1);
  i[Role::mul_size] = static_cast<uint32_t>(MulSize::m32x32);
  i[Role::mul_step] = static_cast<uint32_t>(MulStep::last2);
  CHECK(text(i) == "mul_step[a1, --], 32x32_last2");
  i = {};
  i.id = InsnId::cam_lookup;
  i.dest = a(1);
  i.left = b(1);
  i[Role::lm_select] = 2;
  i[Role::lm_constant] = 3;
  CHECK(text(i) == "cam_lookup[a1, b1], lm_addr1[3]");
  i = {};
  i.id = InsnId::cam_clear;
  CHECK(text(i) == "cam_clear");
  i = {};
  i.id = InsnId::cap_fast_wr_alu;
  i[Role::csr] = 0x1234;
  CHECK(text(i) == "cap[fast_wr, alu, 0x1234]");
  i = {};
  i.id = InsnId::local_csr_rd;
  i[Role::csr] = 0x7fc;
  CHECK(text(i) == "local_csr_rd[0x7fc]");
  i = {};
  i.id = InsnId::ctx_arb;
  i[Role::signals] = 0x12;
  i[Role::any] = 1;
  i[Role::defer] = 2;
  i[Role::has_target] = 1;
  i[Role::target] = 7;
  CHECK(text(i) == "ctx_arb[s1, s4], any, defer[2], br[l7#]");
  i = {};
  i.id = InsnId::hash_48;
  i.xfer = op(OperandKind::xfer_s, 4);
  i[Role::count] = 2;
  i[Role::signal] = 3;
  i[Role::signal_mode] = static_cast<uint32_t>(SignalMode::ctx_swap);
  i[Role::defer] = 1;
  CHECK(text(i) == "hash_48[$4, 2], ctx_swap[s3], defer[1]");
  i = {};
  i.id = InsnId::br_eq_byte;
  i.left = a(1);
  i[Role::byte] = 2;
  i[Role::value] = 0x80;
  i[Role::target] = 5;
  CHECK(text(i) == "br=byte[a1, 2, 0x80, l5#]");
}

TEST_CASE("refusals say what is wrong") {
  CHECK(refusal(alu(a(1), a(2), AluOp::add, a(3))) == "both sources are in bank A: a2 and a3");
  CHECK(refusal(alu(a(1), k(2), AluOp::add, k(3))) == "both sources are constants: 2 and 3");
  CHECK(refusal(alu(a(1), a(2), AluOp::add, k(256))) == "the constant 0x100 does not fit; here it may be 0 to 255");
  CHECK(refusal(alu(a(1), none(), AluOp::add, b(3))) == "the first source is missing");
  Instruction shf = alu(abs_a(1), a(2), AluOp::or_, b(3));
  shf.id = InsnId::alu_shf;
  CHECK(refusal(shf) == "an absolute register cannot stand in a restricted operand");
  shf.dest = a(1);
  shf[Role::op] = static_cast<uint32_t>(AluOp::xor_);
  CHECK(refusal(shf) == "this operator does not go together with a shift");
  Instruction dram;
  dram.id = InsnId::dram_read;
  dram.xfer = op(OperandKind::xfer_d, 0);
  dram.left = a(1);
  dram.right = k(0);
  dram[Role::count] = 1;
  dram[Role::signal] = 2;
  dram[Role::signal_mode] = static_cast<uint32_t>(SignalMode::ctx_swap);
  CHECK(refusal(dram) == "this command raises two signals and cannot take ctx_swap");
  dram[Role::signal_mode] = static_cast<uint32_t>(SignalMode::sig_done);
  CHECK(refusal(dram) == "accepted");
  dram[Role::signal] = 3;
  CHECK(refusal(dram) == "this command raises two signals, so the first must be even; it is 3");
}

TEST_CASE("where execution does not go on") {
  auto goes_on = [](const char*, uint64_t word) { return continues(*decode(Profile::me2, word)); };
  CHECK(goes_on("nop", 0xf0000c0300));
  CHECK(goes_on("beq", 0xd802c00100));
  CHECK_FALSE(goes_on("br", 0xd805c00018));
  CHECK_FALSE(goes_on("halt", 0xe000020000));
  CHECK_FALSE(goes_on("kill", 0xe000010000));
  CHECK(goes_on("voluntary", 0xe000000001));
  CHECK(goes_on("ctx_arb[s4]", 0xe000000010));
  CHECK_FALSE(goes_on("ctx_arb[s4], br[]", 0xe000040010));
}
