// What instructions do, against what the manuals say of single instructions (isa.md), not against the tables.
#include "weft/isa/effects.h"

#include <catch2/catch.hpp>
#include <set>

#include "support.h"

namespace weft::isa_test {
namespace {

Instruction make(InsnId id, std::initializer_list<std::pair<Role, uint32_t>> values = {}) {
  Instruction insn;
  insn.id = id;
  for (const auto& [role, value] : values) insn[role] = value;
  return insn;
}

}  // namespace

TEST_CASE("partial writes name the bytes that they replace") {
  CHECK(bytes_written(make(InsnId::immed_b2)) == 0b0100);
  CHECK(bytes_written(make(InsnId::immed_w1)) == 0b1100);
  CHECK(bytes_written(make(InsnId::immed)) == 0b1111);
  CHECK(bytes_written(make(InsnId::ld_field, {{Role::mask, 0b0110}})) == 0b0110);
  CHECK(keeps_bytes(make(InsnId::ld_field, {{Role::mask, 0b0110}})));
  CHECK_FALSE(keeps_bytes(make(InsnId::ld_field, {{Role::mask, 0b1111}})));
  // The bytes outside of the mask become 0, so nothing of the old value is left.
  CHECK_FALSE(keeps_bytes(make(InsnId::ld_field_w_clr, {{Role::mask, 0b0001}})));
  CHECK(bytes_written(make(InsnId::pop_count1)) == 0);
  CHECK(bytes_written(make(InsnId::sram_read)) == 0);
  CHECK_FALSE(keeps_bytes(make(InsnId::br)));
}

TEST_CASE("right_in_a is said of exactly those words that cannot read bank B alone") {
  for (const InsnInfo& info : all_instructions()) {
    if (!enabled(Profile::me2, info.id) || info.group != Group::compute || !effects(info.id).has(Role::right)) continue;
    Instruction insn = make(info.id);
    insn.right = a(5);
    if (!encode(Profile::me2, insn)) continue;  // it needs more than a source
    insn.right = b(5);
    INFO(print(Profile::me2, insn, PrintNames{}));
    CHECK(encode(Profile::me2, insn).has_value() != effects(info.id).right_in_a);
  }
  CHECK(effects(InsnId::crc_be).right_in_a);
  CHECK_FALSE(effects(InsnId::alu).right_in_a);
}

TEST_CASE("no word waits longer than the longest latency") {
  for (const Profile profile : {Profile::me1, Profile::me2}) {
    CHECK(sizes(profile).neighbor_latency <= longest_latency());
    for (const InsnInfo& info : all_instructions())
      for (const Hazard& h : effects(info.id).late) CHECK(h.cycles <= longest_latency());
  }
  CHECK(longest_latency() == 8);  // a write of CTX_ENABLES (isa.md 5.2)
}

TEST_CASE("condition codes are read by the operation and set by the token") {
  CHECK(reads_codes(make(InsnId::alu, {{Role::op, static_cast<uint32_t>(AluOp::add_carry)}})));
  CHECK(reads_codes(make(InsnId::alu, {{Role::op, static_cast<uint32_t>(AluOp::sub_carry)}})));
  CHECK_FALSE(reads_codes(make(InsnId::alu, {{Role::op, static_cast<uint32_t>(AluOp::add)}})));
  CHECK(reads_codes(make(InsnId::beq)));
  CHECK_FALSE(reads_codes(make(InsnId::br_bset)));
  CHECK(sets_codes(make(InsnId::alu)));
  CHECK_FALSE(sets_codes(make(InsnId::ld_field)));
  CHECK(sets_codes(make(InsnId::ld_field, {{Role::load_cc, 1}})));
  CHECK_FALSE(sets_codes(make(InsnId::immed)));
}

TEST_CASE("branches in pairs of opposites") {
  const std::pair<InsnId, InsnId> pairs[] = {{InsnId::beq, InsnId::bne},
                                             {InsnId::bmi, InsnId::bpl},
                                             {InsnId::bhs, InsnId::blo},
                                             {InsnId::bvs, InsnId::bvc},
                                             {InsnId::bge, InsnId::blt},
                                             {InsnId::bgt, InsnId::ble},
                                             {InsnId::br_eq_ctx, InsnId::br_ne_ctx},
                                             {InsnId::br_signal, InsnId::br_not_signal},
                                             {InsnId::br_bset, InsnId::br_bclr},
                                             {InsnId::br_eq_byte, InsnId::br_ne_byte},
                                             {InsnId::br_inp_state, InsnId::br_not_inp_state}};
  for (const auto& [one, other] : pairs) {
    CHECK(opposite(one) == other);
    CHECK(opposite(other) == one);
  }
  for (const InsnId id : {InsnId::br, InsnId::jump, InsnId::rtn, InsnId::ctx_arb, InsnId::alu})
    CHECK_FALSE(opposite(id));
  CHECK(goes_by_register(InsnId::jump));
  CHECK(goes_by_register(InsnId::rtn));
  CHECK(is_plain_branch(InsnId::br));
  CHECK_FALSE(is_plain_branch(InsnId::jump));
  CHECK_FALSE(is_plain_branch(InsnId::beq));
}

TEST_CASE("hazards: what, and from which cycle") {
  const auto only = [](const Instruction& insn) {
    const Hazards late = hazards(Profile::me2, insn);
    REQUIRE(late.count == 1);
    return std::pair(late.items[0].what, unsigned{late.items[0].cycles});
  };
  const auto csr = [](Csr c) { return make(InsnId::local_csr_wr, {{Role::csr, static_cast<uint32_t>(c)}}); };
  CHECK(only(make(InsnId::cam_lookup, {{Role::lm_select, 1}})) == std::pair(State::lm_addr_0, 3u));
  CHECK(only(make(InsnId::cam_lookup, {{Role::lm_select, 2}})) == std::pair(State::lm_addr_1, 3u));
  CHECK(hazards(Profile::me2, make(InsnId::cam_lookup)).count == 0);
  CHECK(only(csr(Csr::active_lm_addr_0)) == std::pair(State::lm_addr_0, 3u));
  CHECK(only(csr(Csr::same_me_signal)) == std::pair(State::signal_same, 8u));
  CHECK(only(make(InsnId::ctx_arb)) == std::pair(State::consumed, 3u));
  CHECK(only(make(InsnId::find_bset)) == std::pair(State::bset, 1u));
  // The pointer of the context in CSR_CTX_POINTER is nobody's here.
  CHECK(hazards(Profile::me2, csr(Csr::indirect_lm_addr_0)).count == 0);
  const Hazards both = hazards(Profile::me2, csr(Csr::t_index_byte_index));
  REQUIRE(both.count == 2);
  CHECK(both.items[0].what == State::byte_index);
  CHECK(both.items[1].what == State::t_index);
  // The remainder takes five cycles, and the unit itself one (isa.md 9).
  const Hazards crc = hazards(Profile::me2, make(InsnId::crc_be));
  REQUIRE(crc.count == 2);
  CHECK(crc.items[0].cycles == 1);
  CHECK(crc.items[1].cycles == 5);
}

TEST_CASE("state that a word looks at") {
  const auto used = [](const Instruction& insn) { return states_used(Profile::me2, insn); };
  Instruction insn = make(InsnId::alu);
  CHECK(used(insn) == 0);
  insn.left = op(OperandKind::local_mem1, 2);
  insn.right = op(OperandKind::xfer_s_index);
  insn.dest = op(OperandKind::neighbor_index, 0, Post::increment);
  CHECK(used(insn) == (states(State::lm_addr_1) | states(State::t_index) | states(State::nn_put)));
  CHECK(reads_previous(Profile::me2, make(InsnId::asr)));
  CHECK(reads_previous(Profile::me2, make(InsnId::byte_align_le)));
  CHECK(reads_previous(Profile::me2, make(InsnId::cap_fast_wr_alu)));
  CHECK(reads_previous(Profile::me2, make(InsnId::sram_read, {{Role::indirect, 1}})));
  CHECK(reads_previous(Profile::me2,
                       make(InsnId::alu_shf, {{Role::shift, static_cast<uint32_t>(ShiftKind::left_indirect)}})));
  CHECK(reads_previous(Profile::me2, make(InsnId::local_csr_rd, {{Role::csr, static_cast<uint32_t>(Csr::alu_out)}})));
  CHECK_FALSE(reads_previous(Profile::me2, make(InsnId::alu_shf)));
  CHECK(holds_shift_amount(make(InsnId::alu, {{Role::op, static_cast<uint32_t>(AluOp::xor_)}})));
  CHECK_FALSE(holds_shift_amount(make(InsnId::alu, {{Role::op, static_cast<uint32_t>(AluOp::sub)}})));
  CHECK_FALSE(holds_shift_amount(make(InsnId::dbl_shf)));
}

TEST_CASE("commands: function, alignment, traffic") {
  CHECK(effects(InsnId::scratch_test_and_sub).access == Access::atomic);
  CHECK(effects(InsnId::scratch_test_and_sub).atomic == AtomicOp::sub);
  CHECK(effects(InsnId::sram_clear_bits).atomic == AtomicOp::clr);
  CHECK(effects(InsnId::dram_read).alignment == 8);
  CHECK(effects(InsnId::sram_read).alignment == 4);
  CHECK(effects(InsnId::sram_enqueue).alignment == 1);  // the low bits name the queue and the buffer
  CHECK(effects(InsnId::sram_write_unlock).lock == LockUse::give);
  CHECK(effects(InsnId::sram_unlock).access == Access::nothing);
  CHECK(longwords_moved(InsnId::dram_rbuf_rd, 8, false) == 16);
  CHECK(longwords_moved(InsnId::dram_rbuf_rd, 16, false) == 32);
  CHECK(longwords_moved(InsnId::sdram_r_fifo_rd, 16, false) == 16);
  CHECK(longwords_moved(InsnId::sram_read, 5) == 5);
  CHECK(longwords_moved(InsnId::sram_read, 5, false) == 0);
  CHECK(longwords_moved(InsnId::hash_128, 3) == 12);
  CHECK(longwords_answered(InsnId::hash_128, 3) == 12);
  CHECK(longwords_answered(InsnId::scratch_test_and_set, 1) == 1);
  CHECK(longwords_answered(InsnId::sram_put, 5) == 1);
  CHECK(longwords_answered(InsnId::sram_read, 5) == 0);
  CHECK(longwords_answered(InsnId::sram_write, 5) == 0);
  CHECK(effects(InsnId::dram_tbuf_wr).needs_indirect);
  CHECK_FALSE(effects(InsnId::dram_read).needs_indirect);
}

TEST_CASE("local CSRs: who sees a write, and whose they are") {
  const auto csr = [](Csr c) { return csr_effects(Profile::me2, static_cast<uint32_t>(c)); };
  CHECK(csr(Csr::t_index).is_private);
  CHECK_FALSE(csr(Csr::next_neighbor_signal).is_private);
  CHECK_FALSE(csr(Csr::ctx_enables).is_private);
  CHECK(csr(Csr::active_future_count_signal).is_private);
  CHECK_FALSE(csr(Csr::active_ctx_future_count).is_private);
  CHECK(csr(Csr::indirect_lm_addr_1).active == static_cast<uint32_t>(Csr::active_lm_addr_1));
  CHECK(csr(Csr::indirect_lm_addr_1).indirect);
  CHECK_FALSE(csr(Csr::active_lm_addr_1).indirect);
  CHECK(csr(Csr::nn_get).visible_after == 3);
  CHECK(csr(Csr::crc_remainder).visible_after == 0);
  CHECK(csr(Csr::timestamp_low).visible_after == 4);
  CHECK_FALSE(csr_effects(Profile::me2, 0x1fc).is_private);  // no CSR
}

TEST_CASE("signals that a command raises, and words that ask for them") {
  Instruction read = make(InsnId::dram_read, {{Role::signal, 4}});
  CHECK(signals_of(Profile::me2, read) == 0x30);
  read[Role::signal] = 0;
  CHECK(signals_of(Profile::me2, read) == 0);
  Instruction sram = make(InsnId::sram_read, {{Role::signal_mode, static_cast<uint32_t>(SignalMode::sig_done)}});
  CHECK(signals_of(Profile::me1, sram) == 1u << 1);  // the event of the unit
  const auto wait = [](uint32_t signals, uint32_t any) {
    return make(InsnId::ctx_arb, {{Role::signals, signals}, {Role::any, any}});
  };
  CHECK(waits_for(wait(0x30, 0), 0x30));
  CHECK(waits_for(wait(0x70, 0), 0x30));
  CHECK_FALSE(waits_for(wait(0x10, 0), 0x30));
  CHECK_FALSE(waits_for(wait(0x30, 1), 0x30));
  CHECK(asks_for(Profile::me2, wait(0x10, 0), 0x30));
  CHECK_FALSE(asks_for(Profile::me2, wait(0x2, 0), 0x30));
  CHECK(asks_for(Profile::me2, make(InsnId::ctx_arb, {{Role::current_mask, 1}}), 2));
  CHECK(asks_for(Profile::me2, make(InsnId::br_not_signal, {{Role::signal, 5}}), 0x30));
  CHECK(asks_for(Profile::me2,
                 make(InsnId::local_csr_rd, {{Role::csr, static_cast<uint32_t>(Csr::active_ctx_sig_events)}}), 2));
  CHECK_FALSE(
      asks_for(Profile::me2, make(InsnId::local_csr_rd, {{Role::csr, static_cast<uint32_t>(Csr::active_ctx_sts)}}), 2));
}

TEST_CASE("ctx_arb with the mask of the CSR waits, also for any of them") {
  CHECK(continues(make(InsnId::ctx_arb, {{Role::current_mask, 1}, {Role::any, 1}})));
  CHECK_FALSE(continues(make(InsnId::ctx_arb, {{Role::any, 1}})));
}

}  // namespace weft::isa_test
