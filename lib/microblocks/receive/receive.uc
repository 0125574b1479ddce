// receive: mpackets of all ports to whole frames in DRAM buffers, in order, one message per frame.
//
// Purpose    The contexts of one microengine take turns: context n+1 gets the mpacket after that of context n. Two
//            sections are passed in this order by a chain of signals. The first (turn) finds the buffer and the offset
//            of the mpacket in the state of its port; the second (hand_on), after the mpacket has reached DRAM, sends
//            the frame on if this was its last one. So a message leaves only when all bytes stand in memory, and
//            messages of a port leave in the order in which frames came in.
// Inputs     MSF thread free list 0; free list ring 0; PORTS, FORWARDERS (layout.uc)
// Outputs    forward ring 1 + (port mod FORWARDERS): {frame address, port << 16 | bytes}; the frame starts FRAME_START
//            bytes behind the begin of its buffer
// Registers  16 GPRs, 2 + 3 $ in, 3 $ out per context
// Signals    5, and one doubled
// Memory     local memory, 16 bytes per channel 0-31: {buffer or 0, offset, why the frame is being discarded or 0, -}
// Drops      receive_error, no_buffer, too_long, forward_ring_full. The element is always given back.
// Budget     about 62 instructions for a frame of one mpacket, 45 for each further one
// Limits     64-byte mpackets; frames of at most i$buffer_bytes - FRAME_START bytes; channels 0 to 3
#ifndef WEFT_RECEIVE_UC
#define WEFT_RECEIVE_UC

#include "common/std.uc"
#include "common/layout.uc"
#include "common/reasons.uc"
#include "deliver/deliver.uc"

#define RX_THREAD_FREELIST_0    0x30
#define RBUF_ELEMENT_DONE       0x44

// Status longword of an mpacket.
#define STATUS_SOP              15
#define STATUS_EOP              14

// receive_loop(): never returns.
#macro receive_loop()
.begin
    .reg volatile read $status0 $status1        // written by the MSF
    .xfer_order $status0 $status1
    .reg $spare_in $buffer_out $where_out
    .xfer_order $buffer_out $where_out
    .sig volatile mpacket turn hand_on
    .sig copied ring_sig
    .set_rd $status0 $status1
    .reg claim spare free_list counters copy_base buffer_bytes within
    .reg status port buffer offset end bad element bytes done temp

    // The word that puts this context on the free list: which register, signal, context and microengine.
    local_csr_rd[ACTIVE_CTX_STS]
    immed[status, 0]
    alu[temp, status, AND, 7]
    alu_shf[claim, --, B, temp, <<20]
    alu_shf[temp, 3, AND, status, >>3]
    alu_shf[claim, claim, OR, temp, <<23]
    alu_shf[temp, 1, AND, status, >>7]
    alu_shf[claim, claim, OR, temp, <<25]
    immed[temp, (&$status0 | (&mpacket << 12)), <<16]
    alu[claim, claim, OR, temp]
    alu[claim, claim, OR, RX_THREAD_FREELIST_0]

    immed[free_list, (FREE_RING * 4)]
    move_import(counters, i$ipv4_counters)
    move_import(buffer_bytes, i$buffer_bytes)
    alu[within, buffer_bytes, -, 1]
    move(copy_base, ((1 << 25) | (1 << 18) | (1 << 4)))     // override count and RBUF address; RBUF data at 0x2000
    scratch[get, $spare_in, free_list, 0, 1], ctx_swap[ring_sig]
    alu[spare, --, B, $spare_in]

    br!=ctx[0, claim_in_turn#]
    // Context 0 prepares the state of the 32 channels: no buffer, and a frame must begin with its start.
    immed[offset, 0]
    immed[end, REASON_RECEIVE_ERROR]
clear_channel#:
    local_csr_wr[ACTIVE_LM_ADDR_0, offset]
    alu[offset, offset, +, 16]
    immed[temp, 0x200]
    nop
    immed[*l$index0[0], 0]
    immed[*l$index0[1], 0]
    alu[*l$index0[2], --, B, end]
    alu[--, offset, -, temp]
    bne[clear_channel#]
    signal_context(hand_on, 0)
    br[claimed#]

claim_in_turn#:
    ctx_arb[turn]
claimed#:
    // The chain runs once round so that the contexts stand on the free list in order. Context 7 hands it to 0.
    msf[fast_wr, --, claim, 0]
    signal_next(turn)

next_mpacket#:
    ctx_arb[mpacket, turn]
    // ---- one context after the other ----
    .use_rd $status1                            // nobody reads it, but the MSF fills it
    alu[status, --, B, $status0]
    alu[port, status, AND, 0x1f]
    alu_shf[temp, --, B, port, <<4]
    local_csr_wr[ACTIVE_LM_ADDR_0, temp]
    msf[fast_wr, --, claim, 0]                  // this context is free for a later mpacket: the status is copied
    ld_field_w_clr[bytes, 0001, status, >>16]
    alu_shf[element, 0x7f, AND, status, >>24]
    alu[buffer, --, B, *l$index0[0]]
    br_bclr[status, STATUS_SOP, not_first#]

    immed[offset, FRAME_START]
    immed[bad, 0]
    alu[--, --, B, buffer]
    bne[have_buffer#]                           // left over from a frame that was discarded
    alu[buffer, --, B, spare]
    bne[take_spare#]
    immed[bad, REASON_NO_BUFFER]
take_spare#:
    alu[*l$index0[0], --, B, buffer]
    immed[spare, 0]
    br[have_buffer#]

not_first#:
    alu[offset, --, B, *l$index0[1]]
    alu[bad, --, B, *l$index0[2]]

have_buffer#:
    alu_shf[temp, 0x1f, AND, status, >>8]       // parity, null and start errors, and the receiver's own
    beq[no_error#]
    immed[bad, REASON_RECEIVE_ERROR]
no_error#:
    alu[end, offset, +, bytes]
    alu[--, buffer_bytes, -, end]
    bhs[fits#]
    immed[bad, REASON_TOO_LONG]
fits#:
    br_bset[status, STATUS_EOP, last#]
    alu[*l$index0[1], --, B, end]
    alu[*l$index0[2], --, B, bad]
    br[turn_over#]
last#:
    immed[temp, REASON_RECEIVE_ERROR]           // what follows must be a start
    alu[*l$index0[2], --, B, temp]
    alu[--, --, B, bad]
    bne[turn_over#]                             // a discarded frame leaves its buffer to the next one
    immed[*l$index0[0], 0]
turn_over#:
    signal_next(turn)
    // ---- end of the first section ----

    alu[--, --, B, bad]
    bne[release#]
    alu[temp, bytes, -, 1]
    alu_shf[temp, --, B, temp, >>3]             // quadwords - 1
    alu_shf[temp, copy_base, OR, temp, <<21]
    alu_shf[--, temp, OR, element, <<11]
    dram[rbuf_rd, --, buffer, offset, max_8], indirect_ref, sig_done[copied]
    ctx_arb[copied]
release#:
    alu_shf[done, RBUF_ELEMENT_DONE, OR, element, <<16]
    msf[fast_wr, --, done, 0]

    ctx_arb[hand_on]
    // ---- one context after the other ----
    br_bclr[status, STATUS_EOP, pass_on#]
    alu[--, --, B, bad]
    bne[discarded#]
    alu[element, port, AND, (FORWARDERS - 1)]
    branch_if_forward_full(element, ring_full#)
    alu[$buffer_out, buffer, +, FRAME_START]
    alu[temp, end, -, FRAME_START]
    alu_shf[$where_out, temp, OR, port, <<16]
    alu[element, element, +, FORWARD_RING]
    alu_shf[element, --, B, element, <<2]
    scratch[put, $buffer_out, element, 0, MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(hand_on)
    ctx_arb[ring_sig]
    br[refill#]

pass_on#:
    signal_next(hand_on)
    // ---- end of the second section ----
refill#:
    alu[--, --, B, spare]
    bne[next_mpacket#]
    scratch[get, $spare_in, free_list, 0, 1], ctx_swap[ring_sig]
    alu[spare, --, B, $spare_in]
    br[next_mpacket#]

ring_full#:
    .drop forward_ring_full
    signal_next(hand_on)
    immed[bad, REASON_FORWARD_RING_FULL]
    count_packet(bad, port, counters)
    buffer_free(buffer, within, free_list, ring_sig)
    br[refill#]

discarded#:
    signal_next(hand_on)
    alu[--, bad, -, REASON_NO_BUFFER]
    beq[no_buffer#]
    alu[--, bad, -, REASON_TOO_LONG]
    beq[too_long#]
    .drop receive_error
    br[count_discarded#]
no_buffer#:
    .drop no_buffer
    br[count_discarded#]
too_long#:
    .drop too_long
    nop
count_discarded#:
    count_packet(bad, port, counters)
    br[refill#]
.end
#endm

#endif
