// Between the receiving and the filter engines: gives the packets of a flow to the same filter engine, so that they keep their order.
//
// The engine is the sum of addresses and ports (of TCP and UDP) modulo FILTERS (1 to 3): neighbouring flows go to different engines. Rings: from 1 to
// 2, 3 and 4. The contexts take turns twice, as in the other programs: taking a message, and handing it on.
#include "common/std.uc"
#include "common/layout.uc"
#include "common/reasons.uc"
#include "deliver/deliver.uc"

#ifndef FILTERS
#define FILTERS 1
#endif
#if ((FILTERS < 1) || (FILTERS > 3))
#error "FILTERS must be 1, 2 or 3"
#endif

.import_var i$ipv4_counters i$buffer_bytes

.block spread
.stage setup
    .reg frame port part ring in_ring counters free_list within
    .reg $frame_in $where_in
    .xfer_order $frame_in $where_in
    .reg write $out[2]
    .sig volatile turn_in turn_out
    .sig ring_sig
#if (FILTERS > 1)
    .reg sum
    .reg read $$w[10]
    .sig dram_sig
#endif

#if (FILTERS > 1)
// spread_sum(in_protocol, in_source, in_both, in_destination, in_ports): sum of the halves of the addresses, and of the ports of
// TCP and UDP. In other protocols there is something else, checksums among others, that differs from packet to packet of a
// flow. The five longwords follow each other; the addresses start in the lower half of in_source, the ports in that of
// in_destination.
#macro spread_sum(in_protocol, in_source, in_both, in_destination, in_ports)
.begin
    ld_field_w_clr[sum, 0011, in_source]
    alu[sum, sum, +, in_both]
    alu[sum, sum, +carry, 0]
    alu_shf[part, --, B, in_destination, >>16]
    alu[sum, sum, +, part]
    alu[sum, sum, +carry, 0]
    br=byte[in_protocol, 0, 17, ports#]
    br!=byte[in_protocol, 0, 6, no_ports#]
ports#:
    ld_field_w_clr[part, 0011, in_destination]
    alu[sum, sum, +, part]
    alu[sum, sum, +carry, 0]
    alu_shf[part, --, B, in_ports, >>16]
    alu[sum, sum, +, part]
    alu[sum, sum, +carry, 0]
no_ports#:
.end
#endm
#endif

    immed[in_ring, (FORWARD_RING * 4)]
    immed[free_list, (FREE_RING * 4)]
    move_import(counters, i$ipv4_counters)
    move_import(within, i$buffer_bytes)
    alu[within, within, -, 1]
    br!=ctx[0, next_packet#]
    signal_context(turn_out, 0)
    br[my_turn#]

next_packet#:
    .stage receive
    ctx_arb[turn_in]
my_turn#:
    scratch[get, $frame_in, in_ring, 0, MESSAGE_LONGWORDS], ctx_swap[ring_sig]
    alu[frame, --, B, $frame_in]
    beq[my_turn#]
    signal_next(turn_in)
    alu[$out[0], --, B, $frame_in]
    alu[$out[1], --, B, $where_in]
    immed[ring, ((FORWARD_RING + 1) * 4)]
#if (FILTERS > 1)
    dram[read, $$w[0], frame, 8, 5], sig_done[dram_sig]
    ctx_arb[dram_sig]
    .stage choose
    // Bytes 8 to 47 of the frame, of which the type, the protocol, the addresses and the ports count. 65536 is 1 modulo 3 and 255,
    // so halves may be added.
    immed[sum, 0x8100]
    alu_shf[part, --, B, $$w[1], >>16]
    alu[--, part, -, sum]
    beq[tagged#]
    spread_sum($$w[3], $$w[4], $$w[5], $$w[6], $$w[7])
    br[summed#]
tagged#:                                        // all of it is four bytes further on
    spread_sum($$w[4], $$w[5], $$w[6], $$w[7], $$w[8])
summed#:
    alu_shf[part, --, B, sum, >>16]
    ld_field_w_clr[sum, 0011, sum]
    alu[sum, sum, +, part]                      // at most 1fffe
    alu_shf[part, --, B, sum, >>8]
    ld_field_w_clr[sum, 0001, sum]
    alu[sum, sum, +, part]                      // at most 2fe
#if (FILTERS == 2)
    alu_shf[sum, 1, AND, sum]
#else
    alu_shf[part, --, B, sum, >>4]
    alu[sum, 0xf, AND, sum]
    alu[sum, sum, +, part]                      // at most 3e
    alu_shf[part, --, B, sum, >>2]
    alu[sum, 3, AND, sum]
    alu[sum, sum, +, part]                      // at most 12
    alu_shf[part, --, B, sum, >>2]
    alu[sum, 3, AND, sum]
    alu[sum, sum, +, part]                      // at most 6
    alu[--, sum, -, 6]
    bne[below_6#]
    immed[sum, 0]
below_6#:
    alu[--, sum, -, 3]
    blo[below_3#]
    alu[sum, sum, -, 3]
below_3#:
#endif
    alu_shf[sum, --, B, sum, <<2]
    alu[ring, ring, +, sum]
#endif

    .stage hand_on
    ctx_arb[turn_out]
    // The ring's line rises with room for one message of each engine that puts into it.
#if (FILTERS > 1)
    alu_shf[part, --, B, ring, >>2]
    br=byte[part, 0, 3, ring_3#]
#if (FILTERS > 2)
    br=byte[part, 0, 4, ring_4#]
#endif
#endif
    br_inp_state[SCR_RING2_STATUS, full#]
    br[room#]
#if (FILTERS > 1)
ring_3#:
    br_inp_state[SCR_RING3_STATUS, full#]
    br[room#]
#endif
#if (FILTERS > 2)
ring_4#:
    br_inp_state[SCR_RING4_STATUS, full#]
#endif
room#:
    scratch[put, $out[0], ring, 0, MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig], br[next_packet#]

full#:
    .drop forward_ring_full
    signal_next(turn_out)
    alu_shf[port, 0xf, AND, $where_in, >>16]
    immed[part, REASON_FORWARD_RING_FULL]
    count_packet(part, port, counters)
    buffer_free(frame, within, free_list, ring_sig)
    br[next_packet#]
