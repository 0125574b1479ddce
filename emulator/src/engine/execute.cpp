// Which function executes which instruction.
#include "engine/execute.h"

#include "engine/microengine.h"

// A new instruction in lib/isa without a line here is an error, not a warning.
#pragma GCC diagnostic error "-Wswitch"

namespace weft::emulator {

Outcome execute_undecodable(Engine& e, const Operation&) { return e.fault(StopKind::undecodable); }

Execute execute_function(isa::InsnId id, isa::AluOp op) {
  using isa::InsnId;
  switch (id) {
    case InsnId::alu: return execute::alu(op);
    case InsnId::ffs: return &execute::ffs;
    case InsnId::pop_count1:
    case InsnId::pop_count2: return &execute::pop_count_step;
    case InsnId::pop_count3: return &execute::pop_count3;
    case InsnId::alu_shf: return &execute::alu_shf;
    case InsnId::dbl_shf: return &execute::dbl_shf;
    case InsnId::asr: return &execute::asr;
    case InsnId::byte_align_be: return &execute::byte_align_be;
    case InsnId::byte_align_le: return &execute::byte_align_le;
    case InsnId::ld_field: return &execute::ld_field;
    case InsnId::ld_field_w_clr: return &execute::ld_field_w_clr;
    case InsnId::crc_be: return &execute::crc_be;
    case InsnId::crc_le: return &execute::crc_le;
    case InsnId::cam_clear: return &execute::cam_clear;
    case InsnId::cam_lookup: return &execute::cam_lookup;
    case InsnId::cam_write: return &execute::cam_write;
    case InsnId::cam_write_state: return &execute::cam_write_state;
    case InsnId::cam_read_tag: return &execute::cam_read_tag;
    case InsnId::cam_read_state: return &execute::cam_read_state;
    case InsnId::mul_step: return &execute::mul_step;
    case InsnId::find_bset: return &execute::find_bset;
    case InsnId::load_bset_result1: return &execute::load_bset_result1;
    case InsnId::load_bset_result2: return &execute::load_bset_result2;
    case InsnId::immed: return &execute::immed;
    case InsnId::immed_b0:
    case InsnId::immed_b1:
    case InsnId::immed_b2:
    case InsnId::immed_b3:
    case InsnId::immed_w0:
    case InsnId::immed_w1: return &execute::immed_part;
    case InsnId::local_csr_rd: return &execute::local_csr_rd;
    case InsnId::local_csr_wr: return &execute::local_csr_wr;
    case InsnId::br: return &execute::br;
    case InsnId::beq: return &execute::beq;
    case InsnId::bne: return &execute::bne;
    case InsnId::bmi: return &execute::bmi;
    case InsnId::bpl: return &execute::bpl;
    case InsnId::bhs: return &execute::bhs;
    case InsnId::blo: return &execute::blo;
    case InsnId::bvs: return &execute::bvs;
    case InsnId::bvc: return &execute::bvc;
    case InsnId::bge: return &execute::bge;
    case InsnId::blt: return &execute::blt;
    case InsnId::ble: return &execute::ble;
    case InsnId::bgt: return &execute::bgt;
    case InsnId::br_eq_ctx: return &execute::br_eq_ctx;
    case InsnId::br_ne_ctx: return &execute::br_ne_ctx;
    case InsnId::br_signal: return &execute::br_signal;
    case InsnId::br_not_signal: return &execute::br_not_signal;
    case InsnId::br_inp_state: return &execute::br_inp_state;
    case InsnId::br_not_inp_state: return &execute::br_not_inp_state;
    case InsnId::br_bset: return &execute::br_bset;
    case InsnId::br_bclr: return &execute::br_bclr;
    case InsnId::br_eq_byte: return &execute::br_eq_byte;
    case InsnId::br_ne_byte: return &execute::br_ne_byte;
    case InsnId::jump:
    case InsnId::rtn: return &execute::jump;
    case InsnId::ctx_arb: return &execute::ctx_arb;
    // What a command does is the unit's business.
    case InsnId::sram_read:
    case InsnId::sram_write:
    case InsnId::sram_swap:
    case InsnId::sram_set:
    case InsnId::sram_clr:
    case InsnId::sram_add:
    case InsnId::sram_incr:
    case InsnId::sram_decr:
    case InsnId::sram_test_and_set:
    case InsnId::sram_test_and_clr:
    case InsnId::sram_test_and_add:
    case InsnId::sram_test_and_incr:
    case InsnId::sram_test_and_decr:
    case InsnId::sram_get:
    case InsnId::sram_put:
    case InsnId::sram_journal:
    case InsnId::sram_fast_journal:
    case InsnId::sram_dequeue:
    case InsnId::sram_enqueue:
    case InsnId::sram_enqueue_tail:
    case InsnId::sram_csr_rd:
    case InsnId::sram_csr_wr:
    case InsnId::sram_wr_qdesc:
    case InsnId::sram_wr_qdesc_count:
    case InsnId::sram_rd_qdesc_other:
    case InsnId::sram_rd_qdesc_tail:
    case InsnId::sram_rd_qdesc_head:
    case InsnId::scratch_read:
    case InsnId::scratch_write:
    case InsnId::scratch_swap:
    case InsnId::scratch_set:
    case InsnId::scratch_clr:
    case InsnId::scratch_add:
    case InsnId::scratch_sub:
    case InsnId::scratch_incr:
    case InsnId::scratch_decr:
    case InsnId::scratch_test_and_set:
    case InsnId::scratch_test_and_clr:
    case InsnId::scratch_test_and_add:
    case InsnId::scratch_test_and_sub:
    case InsnId::scratch_test_and_incr:
    case InsnId::scratch_test_and_decr:
    case InsnId::scratch_get:
    case InsnId::scratch_put:
    case InsnId::dram_read:
    case InsnId::dram_write:
    case InsnId::dram_rbuf_rd:
    case InsnId::dram_tbuf_wr:
    case InsnId::msf_read:
    case InsnId::msf_write:
    case InsnId::msf_read64:
    case InsnId::msf_write64:
    case InsnId::msf_fast_wr:
    case InsnId::cap_read:
    case InsnId::cap_write:
    case InsnId::cap_fast_wr:
    case InsnId::cap_fast_wr_alu:
    case InsnId::cap_calc_read:
    case InsnId::cap_calc_write:
    case InsnId::pci_read:
    case InsnId::pci_write:
    case InsnId::hash_48:
    case InsnId::hash_64:
    case InsnId::hash_128:
    case InsnId::sram_read_lock:
    case InsnId::sram_write_unlock:
    case InsnId::sram_unlock:
    case InsnId::sram_push:
    case InsnId::sram_pop:
    case InsnId::sram_set_bits:
    case InsnId::sram_clear_bits:
    case InsnId::sram_test_and_set_bits:
    case InsnId::sram_test_and_clear_bits:
    case InsnId::scratch_set_bits:
    case InsnId::scratch_clear_bits:
    case InsnId::scratch_test_and_set_bits:
    case InsnId::scratch_test_and_clear_bits:
    case InsnId::sdram_read:
    case InsnId::sdram_write:
    case InsnId::sdram_r_fifo_rd:
    case InsnId::sdram_t_fifo_wr:
    case InsnId::r_fifo_rd:
    case InsnId::t_fifo_wr:
    case InsnId::csr_read:
    case InsnId::csr_write:
    case InsnId::fast_wr:
    case InsnId::pci_dma:
    case InsnId::hash1_48:
    case InsnId::hash2_48:
    case InsnId::hash3_48:
    case InsnId::hash1_64:
    case InsnId::hash2_64:
    case InsnId::hash3_64: return &execute::command;
  }
  return &execute_undecodable;
}

}  // namespace weft::emulator
