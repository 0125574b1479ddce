// scheduler_drr1200: deficit round robin over the six queues of a port, and the loops of a transmitting engine that use it: context
// 0 schedules, contexts 1 to 3 transmit.
//
// Purpose    drr1200_next takes the next frame of a port. In a round every class gets its quantum (bytes) once, when it is first
//            looked at with a frame; the classes are looked at from EF to BE, and the first one whose head fits its deficit sends.
//            A class whose head does not fit is done for the round and keeps its deficit; when all classes with frames are done, the next
//            round begins. A class whose queue empties loses its deficit, EF at the end of the round.
//            GIGABIT 0: scheduler1200 chooses the port; the transmitter takes the frame, and sends mpackets as transmit1200 does.
//            GIGABIT 1: the scheduler takes frames for transmit1200, one ahead.
// Inputs     queues of classqueue1200, with a quantum in each record
// Outputs    frames
// Registers  those of transmit1200, 8 more; 6 $ in, 8 $ out
// Memory     CLASS_QUEUES_AT, PORT_STATES_AT, scratch CLASS_VECTOR_AT
// Budget     README.md
// Limits     A quantum of at least 1 byte; while one is far below the length of the head, rounds pass. One engine for the eight
//            ports of 100 Mb/s, one for the Gigabit port.
#ifndef WEFT_SCHEDULER_DRR1200_UC
#define WEFT_SCHEDULER_DRR1200_UC

#include "ixp1200/layout_diffserv1200.uc"
#include "scheduler1200/scheduler1200.uc"
#include "transmit1200/transmit1200.uc"

#define DRR_ALL     0x3f
#define DRR_FRESH   6           // bit of the set `due`: EF has nothing left of the round before
#define DRR_NEW     0x7f        // all classes are due, EF fresh

// drr1200_next(out_buffer, out_bytes, io_known, io_spent, io_due, in_records, in_ring, TO_NONE): the next frame of a port, out of its
// queue; TO_NONE when there is none. io_: sets of classes, kept from call to call, which is for one thread at a time: known has
// the classes that may have frames (the caller adds those that came), spent those whose head did not fit in this round, due those that did
// not yet get their quantum in it. All 0 at the start. in_records: record of class 0 of the port; in_ring: its first slot.
#macro drr1200_next(out_buffer, out_bytes, io_known, io_spent, io_due, in_records, in_ring, TO_NONE)
.begin
    .reg class place bit head deficit
    .reg read $put $taken $deficit $quantum $slot
    .xfer_order $put $taken $deficit $quantum
    .reg write $taken_out $deficit_out
    .xfer_order $taken_out $deficit_out
next#:
    alu[class, io_known, AND~, io_spent]
    br=0[round#]
    find_bset[class]
    immed[bit, 1]
    load_bset_result1[class]
    alu_shf[place, --, B, class, <<2]
    // Race: whoever puts writes the count after slot and frame (classqueue1200_put); an old count only shows a frame later.
    sram[read, $put, in_records, place, 4], ctx_swap
    alu[--, class, OR, bit]
    alu_shf[bit, --, B, bit, <<indirect]
    alu[head, --, B, $taken]
    alu[deficit, head, AND, (CLASS_SLOTS - 1)]
    alu[--, head, -, $put]
    br=0[empty#]
    alu_shf[deficit, deficit, OR, place, <<3]
    sram[read, $slot, in_ring, deficit, 1], ctx_swap
    alu[deficit, --, B, $deficit]
    alu[--, io_due, AND, bit]
    br=0[had_quantum#]
    alu[io_due, io_due, AND~, bit]
    alu[--, --, B, class]
    br!=0[quantum#]
    br_bclr[io_due, DRR_FRESH, quantum#]
    immed[deficit, 0]
quantum#:
    alu[deficit, deficit, +, $quantum]
had_quantum#:
    alu_shf[out_bytes, --, B, $slot, >>20]
    alu[--, deficit, -, out_bytes]
    blo[short#]
    alu[deficit, deficit, -, out_bytes]
    alu_shf[out_buffer, --, B, $slot, <<12]
    alu_shf[out_buffer, --, B, out_buffer, >>12]
    alu[head, head, +, 1]
    alu[$taken_out, --, B, head]
    alu[--, head, -, $put]
    br!=0[taken#]
    alu[io_known, io_known, AND~, bit]
    br=0[idle#]
    alu[--, --, B, class]
    br=0[taken#]
    br[taken#], defer[1]
    immed[deficit, 0]
idle#:
    immed[deficit, 0]                           // nobody waits: the round is over
    immed[io_spent, 0]
    immed[io_due, DRR_NEW]
taken#:
    alu[place, place, +, 1]
    br[chosen#], defer[1]
    alu[$deficit_out, --, B, deficit]
short#:
    alu[head, --, B, bit]                       // known, spent and bit cannot all lie in different banks
    alu[io_spent, io_spent, OR, head]
    alu[place, place, +, 2]
    alu[$deficit_out, --, B, deficit]
    sram[write, $deficit_out, in_records, place, 1]     // ordered: before the next read
    br[next#]
empty#:
    br[next#], defer[1]
    alu[io_known, io_known, AND~, bit]
round#:
    immed[io_due, DRR_ALL]
    br_bset[io_spent, CLASS_EF, waiting#]
    immed[io_due, DRR_NEW]
waiting#:
    immed[io_spent, 0]
    alu[--, --, B, io_known]
    br!=0[next#]
    br[TO_NONE]
chosen#:
    // Race: the slot has been read. Who puts reads the count meanwhile, and sees a fuller queue at worst.
    sram[write, $taken_out, in_records, place, 2], ctx_swap
.end
#endm

// drr1200_schedule(in_queues, in_rings, in_classes): context 0; never returns. in_queues: QUEUES_AT, in_rings: RINGS_AT, in_classes:
// CLASS_QUEUES_AT.
#macro drr1200_schedule(in_queues, in_rings, in_classes)
#if (GIGABIT)
.begin
    .reg known spent due first_record first_slot bytes buffer vector
    .reg read $pause
    .reg $came
    immed[known, 0]
    immed[spent, 0]
    immed[due, 0]
    immed[vector, (CLASS_VECTOR_AT + GIGABIT_PORT)]
    immed[first_slot, (GIGABIT_PORT << 8)]
    alu[first_slot, in_rings, +, first_slot]
    immed[first_record, (GIGABIT_PORT << 5)]
    alu[first_record, in_classes, +, first_record]
next#:
    alu[--, --, B, @next_buffer]
    br!=0[pause#]
    immed[$came, DRR_ALL]
    scratch[test_and_clear_bits, $came, vector, 0], ctx_swap
    alu[known, known, OR, $came]
    br=0[next#]
    drr1200_next(buffer, bytes, known, spent, due, first_record, first_slot, next#)
    alu[@next_bytes, --, B, bytes]
    alu[@next_buffer, --, B, buffer]
    br[next#]
pause#:
    csr[read, $pause, XMIT_RDY_LO], ctx_swap
    br[next#]
.end
#else
    scheduler1200_loop(in_queues, in_rings)
#endif
#endm

// drr1200_transmit(in_queues, in_rings, in_classes): contexts 1 to 3; never returns.
#macro drr1200_transmit(in_queues, in_rings, in_classes)
#if (GIGABIT)
    transmit1200_loop(in_queues, in_rings)
#else
.begin
    .reg self port bit buffer data offset size left control ticket temp done tickets vector states index
    .reg known spent due
    .reg read $work $where $sets $pointer
    .xfer_order $work $where $sets
    .reg write $work_out $where_out $sets_out $bit
    .xfer_order $work_out $where_out $sets_out
    .reg $came
    .reg volatile write $control $zero
    .xfer_order $control $zero
    immed[$zero, 0]
    move(tickets, TICKET_AT)
    move(states, PORT_STATES_AT)
    immed[vector, VECTOR_AT]
    immed[self, (1 << 1)]
    br=ctx[1, next#]
    immed[self, (1 << 2)]
    br=ctx[2, next#]
    immed[self, (1 << 3)]
next#:
    alu[@idle, @idle, OR, self]
    ctx_arb[inter_thread]
    alu[port, --, B, @job1]
    br=ctx[1, assigned#]
    alu[port, --, B, @job2]
    br=ctx[2, assigned#]
    alu[port, --, B, @job3]
assigned#:
    alu_shf[bit, --, B, port, >>8]
    alu[port, port, AND, 7]
    // The bits go before the counts are read, that of the port first: whoever puts a frame after our look sets them again.
    alu[$bit, --, B, bit]
    scratch[clear_bits, $bit, vector, 0]
    immed[$came, DRR_ALL]
    scratch[test_and_clear_bits, $came, port, CLASS_VECTOR_AT], sig_done
    alu_shf[index, --, B, port, <<2]
    sram[read, $work, states, index, 3], sig_done
    ctx_arb[sram, fbi]
    alu_shf[known, --, B, $sets, >>16]
    alu[known, known, OR, $came]
    alu_shf[spent, 0xff, AND, $sets, >>8]
    alu[due, $sets, AND, 0xff]
    alu[@more, @more, OR, bit]
    alu[buffer, --, B, $work]
    br!=0[go_on#]
    alu_shf[offset, --, B, port, <<8]
    alu[offset, in_rings, +, offset]
    alu_shf[temp, --, B, port, <<5]
    alu[temp, in_classes, +, temp]
    drr1200_next(buffer, left, known, spent, due, temp, offset, nothing#)
    immed[offset, 0]
    br[piece#], defer[1]
    immed[control, TRANSMIT_START]
go_on#:
    ld_field_w_clr[left, 0011, $where]
    alu_shf[offset, --, B, $where, >>16]
    immed[control, 0]
piece#:
    alu[control, control, OR, port]
    alu[size, left, -, 64]
    br<=0[last#]
    alu[temp, offset, +, 8]
    alu_shf[$where_out, size, OR, temp, <<16]
    alu[$work_out, --, B, buffer]
    immed[size, 64]
    br[sized#], defer[1]
    immed[done, 0]
last#:
    alu[size, --, B, left]
    immed[temp, TRANSMIT_END]
    alu[control, control, OR, temp]
    immed[$where_out, 0]
    immed[$work_out, 0]
    alu[done, --, B, buffer]
    alu[--, --, B, known]
    br!=0[sized#]
    alu[@more, @more, AND~, bit]
sized#:
    alu_shf[control, control, OR, size, <<16]
    alu_shf[temp, due, OR, spent, <<8]
    alu_shf[$sets_out, temp, OR, known, <<16]
    sram[write, $work_out, states, index, 3]    // ordered: before the lock
    alu_shf[data, --, B, buffer, <<6]
    transmit1200_element(ticket, tickets)
    transmit1200_send(ticket, data, offset, control, $control)
    alu[--, --, B, done]
    br=0[leaving#]
    sram[push, --, buffer, 0, FREE_LIST]
    scratch[incr, --, port, SENT_AT]
leaving#:
    csr[read, $pointer, XMIT_PTR], ctx_swap
    alu[temp, ticket, +, 1]
    alu[temp, $pointer, -, temp]
    alu[temp, temp, AND, 15]
    alu[--, temp, -, 8]
    bhs[leaving#]
    br[next#], defer[1]
    alu[@sent, @sent, OR, bit]
nothing#:
    // What was put in between has its bit in scratch again, so the scheduler comes back.
    alu_shf[temp, due, OR, spent, <<8]
    alu_shf[$sets_out, temp, OR, known, <<16]
    alu[index, index, +, 2]
    sram[write, $sets_out, states, index, 1], ctx_swap
    alu[@more, @more, AND~, bit]
    br[next#], defer[1]
    alu[@sent, @sent, OR, bit]
.end
#endif
#endm

#endif
