// What machines, engines and commands consist of, for files that hold their state (stored.h).
#pragma once

#include "weft/base/binary.h"
#include "weft/emulator/stored.h"

namespace weft {

WEFT_FIELDS(emulator::ContextRef, v.engine, v.context)
WEFT_FIELDS(emulator::Command, v.op, v.unit, v.from, v.address, v.left, v.right, v.count, v.xfer, v.xfer_d, v.has_xfer,
            v.signal, v.indirect, v.indirect_word, v.csr, v.data, v.queue, v.list, v.issued, v.sequence)
WEFT_FIELDS(emulator::CycleCounters, v.executing, v.aborted, v.stalled, v.idle)
WEFT_FIELDS(emulator::ConditionCodes, v.n, v.z, v.v, v.c)
WEFT_FIELDS(emulator::PreviousAlu, v.left, v.right, v.result)
WEFT_FIELDS(emulator::CamState, v.tag, v.state, v.order)
WEFT_FIELDS(emulator::MultiplierState, v.left, v.right, v.sum)
WEFT_FIELDS(emulator::BsetResult, v.value, v.due)
WEFT_FIELDS(emulator::ContextRecord, v.state, v.pc, v.signals, v.wakeup, v.lm, v.future_count, v.future_signal,
            v.future_due, v.executing, v.aborted, v.stalled)
WEFT_FIELDS(emulator::PendingWrite, v.due, v.kind, v.context, v.number, v.value, v.outside)
WEFT_FIELDS(emulator::PendingWrites, v.items, v.count)
WEFT_FIELDS(emulator::Shadow, v.kind, v.slots, v.aborts, v.to_target, v.target)
WEFT_FIELDS(emulator::EngineState, v.running, v.last_running, v.idle, v.stopped, v.csr_read_valid, v.codes, v.shadow,
            v.next_effect, v.next_cycle, v.instructions, v.previous, v.ctx_enables, v.contexts, v.pending, v.a, v.b,
            v.s_in, v.s_out, v.d_in, v.d_out, v.nn, v.local_memory, v.cam, v.crc_remainder, v.multiplier, v.bset,
            v.t_index, v.byte_index, v.nn_put, v.nn_get, v.nn_count, v.nn_in_flight, v.lm_global, v.csr_context,
            v.plain_csr, v.csr_read, v.timestamp_offset, v.profile_offset, v.random_seed, v.random_accesses,
            v.idle_cycles)
WEFT_FIELDS(emulator::Admission, v.refused, v.last, v.waiting)
WEFT_FIELDS(emulator::MachineState, v.position, v.sequence, v.at_breakpoint, v.engines, v.programs, v.admissions)

}  // namespace weft
