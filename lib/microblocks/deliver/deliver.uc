// deliver: everything that can happen to a packet at the end of its way through a microengine.
//
// Purpose    Count it, put its buffer back, hand it to a transmit ring or to the core.
// Inputs     see each macro
// Outputs    ring messages of layout.uc; counters of reasons.uc
// Registers  the caller's, named in each macro; one or two temporaries
// Signals    in_signal: one that nobody else waits for
// Memory     scratch rings 0 (free), 5-8 (transmit), 9 (core); counters
// Budget     count_packet 3 instructions, buffer_free 2 and a swap, branch_if_transmit_full 2 to 5
// Limits     A ring shows "full" with room left for one message of every microengine that puts into it (chip file,
//            near_full_percent): test and put must stand in one section that the contexts enter in turn.
#ifndef WEFT_DELIVER_UC
#define WEFT_DELIVER_UC

#include "common/layout.uc"
#include "common/reasons.uc"

// count_packet(in_reason, in_port, in_counters): adds 1 to the counter of a reason and an input port.
#macro count_packet(in_reason, in_port, in_counters)
.begin
    .reg index port_part
    alu_shf[port_part, --, B, in_port, <<COUNTER_PORT_LOG2]
    alu_shf[index, port_part, OR, in_reason, <<2]
    scratch[incr, --, in_counters, index]
.end
#endm

// buffer_free(in_frame, in_within, in_free_list, in_signal): the buffer of a frame address goes back to the free list.
// in_within: a register with i$buffer_bytes - 1; in_free_list: one with FREE_RING * 4.
#macro buffer_free(in_frame, in_within, in_free_list, in_signal)
.begin
    .reg $freed
    alu[$freed, in_frame, AND~, in_within]
    scratch[put, $freed, in_free_list, 0, 1], ctx_swap[in_signal]
.end
#endm

// branch_if_transmit_full(in_port, TO_FULL): to TO_FULL when the transmit ring of a port has no room.
#macro branch_if_transmit_full(in_port, TO_FULL)
#if (PORTS > 1)
    br=byte[in_port, 0, 1, port1#]
#endif
#if (PORTS > 2)
    br=byte[in_port, 0, 2, port2#]
#endif
#if (PORTS > 3)
    br=byte[in_port, 0, 3, port3#]
#endif
    br_inp_state[SCR_RING5_STATUS, TO_FULL]
    br[room#]
#if (PORTS > 1)
port1#:
    br_inp_state[SCR_RING6_STATUS, TO_FULL]
    br[room#]
#endif
#if (PORTS > 2)
port2#:
    br_inp_state[SCR_RING7_STATUS, TO_FULL]
    br[room#]
#endif
#if (PORTS > 3)
port3#:
    br_inp_state[SCR_RING8_STATUS, TO_FULL]
#endif
room#:
#endm

// branch_if_forward_full(in_index, TO_FULL): the same for the ring of a forwarding microengine, 0 to FORWARDERS - 1.
#macro branch_if_forward_full(in_index, TO_FULL)
#if (FORWARDERS > 1)
    br=byte[in_index, 0, 1, ring1#]
#endif
#if (FORWARDERS > 2)
    br=byte[in_index, 0, 2, ring2#]
    br=byte[in_index, 0, 3, ring3#]
#endif
    br_inp_state[SCR_RING1_STATUS, TO_FULL]
    br[room#]
#if (FORWARDERS > 1)
ring1#:
    br_inp_state[SCR_RING2_STATUS, TO_FULL]
    br[room#]
#endif
#if (FORWARDERS > 2)
ring2#:
    br_inp_state[SCR_RING3_STATUS, TO_FULL]
    br[room#]
ring3#:
    br_inp_state[SCR_RING4_STATUS, TO_FULL]
#endif
room#:
#endm

#endif
