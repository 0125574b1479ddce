// One function per instruction. execute_function() is a switch over the generated ids without a default, so an
// instruction without semantics does not compile.
#pragma once

#include "engine/operation.h"

namespace weft::emulator {

/// `op` counts for alu alone: each of its operations has a function of its own, so that the step decides nothing twice.
Execute execute_function(isa::InsnId id, isa::AluOp op);
Outcome execute_undecodable(Engine& e, const Operation& o);

namespace execute {

// execute_alu.cpp
Execute alu(isa::AluOp op);
Outcome ffs(Engine& e, const Operation& o);
Outcome pop_count_step(Engine& e, const Operation& o);
Outcome pop_count3(Engine& e, const Operation& o);
// execute_shift.cpp
Outcome alu_shf(Engine& e, const Operation& o);
Outcome dbl_shf(Engine& e, const Operation& o);
Outcome asr(Engine& e, const Operation& o);
Outcome byte_align_be(Engine& e, const Operation& o);
Outcome byte_align_le(Engine& e, const Operation& o);
Outcome ld_field(Engine& e, const Operation& o);
Outcome ld_field_w_clr(Engine& e, const Operation& o);
// execute_special.cpp
Outcome crc_be(Engine& e, const Operation& o);
Outcome crc_le(Engine& e, const Operation& o);
Outcome cam_clear(Engine& e, const Operation& o);
Outcome cam_lookup(Engine& e, const Operation& o);
Outcome cam_write(Engine& e, const Operation& o);
Outcome cam_write_state(Engine& e, const Operation& o);
Outcome cam_read_tag(Engine& e, const Operation& o);
Outcome cam_read_state(Engine& e, const Operation& o);
Outcome mul_step(Engine& e, const Operation& o);
// execute_bset.cpp
Outcome find_bset(Engine& e, const Operation& o);
Outcome load_bset_result1(Engine& e, const Operation& o);
Outcome load_bset_result2(Engine& e, const Operation& o);
// execute_constant.cpp
Outcome immed(Engine& e, const Operation& o);
Outcome immed_part(Engine& e, const Operation& o);
Outcome local_csr_rd(Engine& e, const Operation& o);
Outcome local_csr_wr(Engine& e, const Operation& o);
// execute_branch.cpp
Outcome br(Engine& e, const Operation& o);
Outcome beq(Engine& e, const Operation& o);
Outcome bne(Engine& e, const Operation& o);
Outcome bmi(Engine& e, const Operation& o);
Outcome bpl(Engine& e, const Operation& o);
Outcome bhs(Engine& e, const Operation& o);
Outcome blo(Engine& e, const Operation& o);
Outcome bvs(Engine& e, const Operation& o);
Outcome bvc(Engine& e, const Operation& o);
Outcome bge(Engine& e, const Operation& o);
Outcome blt(Engine& e, const Operation& o);
Outcome ble(Engine& e, const Operation& o);
Outcome bgt(Engine& e, const Operation& o);
Outcome br_eq_ctx(Engine& e, const Operation& o);
Outcome br_ne_ctx(Engine& e, const Operation& o);
Outcome br_signal(Engine& e, const Operation& o);
Outcome br_not_signal(Engine& e, const Operation& o);
Outcome br_inp_state(Engine& e, const Operation& o);
Outcome br_not_inp_state(Engine& e, const Operation& o);
Outcome br_bset(Engine& e, const Operation& o);
Outcome br_bclr(Engine& e, const Operation& o);
Outcome br_eq_byte(Engine& e, const Operation& o);
Outcome br_ne_byte(Engine& e, const Operation& o);
Outcome jump(Engine& e, const Operation& o);
Outcome ctx_arb(Engine& e, const Operation& o);
// execute_command.cpp
Outcome command(Engine& e, const Operation& o);

}  // namespace execute
}  // namespace weft::emulator
