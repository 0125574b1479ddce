// The routing microengine of the firewall: the next hop of where the packet goes once its destination is translated. It looks at no
// packet: the destination stands in the message.
#include "common/std.uc"
#include "firewall/layout.uc"
#include "firewall/reasons.uc"
#include "firewall/start.uc"
#include "ethernet/ethernet.uc"
#include "ipv4_lookup/ipv4_lookup.uc"
#include "deliver/deliver.uc"

#define OUTCOMES_IPV6 0
// The core must know for whom a packet of a connection is: the destination after the translation takes the place of the next hop.
#define OUTCOMES_FIRST routing_meant()
#macro routing_meant()
    immed[next_hop, 0]
    alu[temp, $message[2], AND~, ((1 << STAGE_NEW) | (1 << STAGE_LATER))]
    beq[meant#]
    br_bclr[$message[2], STAGE_NEW, translated#]
    br_bclr[$message[2], STAGE_FORWARDED, meant#]
translated#:
    alu[next_hop, --, B, destination]
meant#:
#endm

.import_var i$ipv4_trie i$ipv4_config i$ipv4_counters i$buffer_bytes

.block firewall
.stage setup
    .reg frame bytes port destination next_hop reason temp trie where
    .reg counters core_list free_list within
    .reg read $message[5] $hop
    .reg write $out[5]
    .sig volatile turn_in turn_out
    .sig ring_sig

    immed[core_list, (CORE_RING * 4)]
    immed[free_list, (FREE_RING * 4)]
    move_import(trie, i$ipv4_trie)
    move_import(counters, i$ipv4_counters)
    move_import(within, i$buffer_bytes)
    alu[within, within, -, 1]
    br!=ctx[0, next_packet#]
    move_import(temp, i$ipv4_config)
    ethernet_configure(temp, ring_sig)
    signal_context(turn_out, 0)
    br[my_turn#]

next_packet#:
    .block link
    .stage receive
    ctx_arb[turn_in]
my_turn#:
    immed[temp, (ROUTING_RING * 4)]
    scratch[get, $message[0], temp, 0, STAGE_LONGWORDS], ctx_swap[ring_sig]
    alu[frame, --, B, $message[0]]
    beq[my_turn#]
    signal_next(turn_in)
    alu[where, --, B, $message[1]]
    alu[destination, --, B, $message[3]]

    .block ipv4_lookup
    .stage lookup
    ipv4_lookup(next_hop, destination, trie, ring_sig)
    sram[read, $hop, next_hop, 0, 1], ctx_swap[ring_sig]
    alu_shf[port, 0xf, AND, where, >>16]
    alu_shf[reason, --, B, $hop, >>24]
    bne[special#]
forward#:
    .block deliver
    .stage hand_on
    alu[$out[0], --, B, frame]
    alu[$out[1], --, B, where]
    alu[$out[2], --, B, $message[2]]
    alu[$out[3], --, B, next_hop]
    alu[$out[4], --, B, $message[4]]
#if (FILTERS > 1)
    alu_shf[temp, --, B, where, >>28]
    ctx_arb[turn_out]
    br=byte[temp, 0, 1, second#]
#if (FILTERS > 2)
    br=byte[temp, 0, 2, third#]
#endif
#else
    ctx_arb[turn_out]
#endif
    br_inp_state[SCR_RING3_STATUS, stage_full#]
    immed[temp, (FILTER_RING_0 * 4)]
put#:
    scratch[put, $out[0], temp, 0, STAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig], br[next_packet#]
#if (FILTERS > 1)
second#:
    br_inp_state[SCR_RING4_STATUS, stage_full#]
    br[put#], defer[1]
    immed[temp, (FILTER_RING_1 * 4)]
#endif
#if (FILTERS > 2)
third#:
    br_inp_state[SCR_RING8_STATUS, stage_full#]
    br[put#], defer[1]
    immed[temp, (FILTER_RING_2 * 4)]
#endif

stage_full#:
    .drop filter_ring_full
    signal_next(turn_out)
    end_with(REASON_FILTER_RING_FULL, count_drop#)

special#:
    .block ipv4_lookup
    .stage lookup
    ld_field_w_clr[bytes, 0011, where]
    alu[--, reason, -, REASON_DIRECTED_BROADCAST]
    bne[not_forwarded#]
    alu_shf[temp, --, B, port, <<PORT_CONFIG_LOG2]
    local_csr_wr[ACTIVE_LM_ADDR_0, temp]
    nop
    nop
    nop
    br_bset[*l$index0[2], FLAG_DIRECTED, forward#]
    br[not_forwarded#]

    .block deliver
    .stage hand_on
#include "deliver/outcomes.uc"
