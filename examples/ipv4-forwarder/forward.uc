// A forwarding microengine of the IPv4 forwarder. FORWARD_INDEX (weft.json) picks its ring; PORTS, FORWARDERS as in
// layout.uc.
//
// The contexts take turns twice: when they take a message from the ring (turn_in), and when they hand the packet on
// (turn_out). Between the two up to eight packets are worked on at once, in any order; because both chains run through
// the contexts in the same order, packets leave in the order in which they came.
#include "common/std.uc"
#include "common/layout.uc"
#include "common/reasons.uc"
#include "ethernet/ethernet.uc"
#include "ipv4_validate/ipv4_validate.uc"
#include "ipv4_lookup/ipv4_lookup.uc"
#include "ipv4_update/ipv4_update.uc"
#include "deliver/deliver.uc"

#ifndef FORWARD_INDEX
#define FORWARD_INDEX 0
#endif

// go(in_reason, TO_TARGET): the reason is set while the branch is taken.
#macro go(in_reason, TO_TARGET)
    br[TO_TARGET], defer[1]
    immed[reason, in_reason]
#endm

.import_var i$ipv4_trie i$ipv4_config i$ipv4_counters i$buffer_bytes

.stage setup
    .reg frame bytes port out_port total source destination next_hop reason temp ring
    .reg trie counters in_ring core_list free_list within
    .reg $buffer_in $where_in
    .xfer_order $buffer_in $where_in
    .reg $hop0 $hop1 $hop2 $hop3
    .xfer_order $hop0 $hop1 $hop2 $hop3
    .reg $out0 $out1 $out2 $out3
    .xfer_order $out0 $out1 $out2 $out3
    .reg $$w0 $$w1 $$w2 $$w3 $$w4 $$w5 $$w6 $$w7 $$w8 $$w9
    .xfer_order $$w0 $$w1 $$w2 $$w3 $$w4 $$w5 $$w6 $$w7 $$w8 $$w9
    .sig volatile turn_in turn_out
    .sig ring_sig dram_sig

    immed[in_ring, ((FORWARD_RING + FORWARD_INDEX) * 4)]
    immed[core_list, (CORE_RING * 4)]
    immed[free_list, (FREE_RING * 4)]
    move_import(trie, i$ipv4_trie)
    move_import(counters, i$ipv4_counters)
    move_import(within, i$buffer_bytes)
    alu[within, within, -, 1]
    br!=ctx[0, next_packet#]

    // Context 0 copies the configuration: ports to local memory, forbidden sources and VLANs to the CAM.
    move_import(next_hop, i$ipv4_config)
    immed[temp, 0]
copy_port#:
    scratch[read, $hop0, next_hop, temp, 4], ctx_swap[ring_sig]
    local_csr_wr[ACTIVE_LM_ADDR_0, temp]
    alu[temp, temp, +, 16]
    nop
    nop
    alu[*l$index0[0], --, B, $hop0]
    alu[*l$index0[1], --, B, $hop1]
    alu[*l$index0[2], --, B, $hop2]
    alu[*l$index0[3], --, B, $hop3]
    alu[--, temp, -, 64]
    bne[copy_port#]
    alu[next_hop, next_hop, +, BROADCAST_LIST]
    cam_clear
    immed[temp, 0]
copy_cam#:
    alu_shf[ring, --, B, temp, <<2]
    scratch[read, $hop0, next_hop, ring, 1], ctx_swap[ring_sig]
    alu[ring, ring, +, (VLAN_STATES - BROADCAST_LIST)]
    scratch[read, $hop1, next_hop, ring, 1], ctx_swap[ring_sig]
    cam_write[temp, $hop0, 0]
    alu[--, --, B, $hop1]
    beq[state_0#]
    cam_write[temp, $hop0, 1]
state_0#:
    alu[temp, temp, +, 1]
    alu[--, temp, -, 16]
    bne[copy_cam#]
    signal_context(turn_out, 0)
    br[my_turn#]

next_packet#:
    .stage receive
    ctx_arb[turn_in]
my_turn#:
    scratch[get, $buffer_in, in_ring, 0, MESSAGE_LONGWORDS], ctx_swap[ring_sig]
    alu[frame, --, B, $buffer_in]
    beq[my_turn#]                               // the ring is empty: keep the turn and ask again
    signal_next(turn_in)
    dram[read, $$w0, frame, 0, 5], sig_done[dram_sig]
    alu_shf[port, 0xf, AND, $where_in, >>16]
    alu_shf[temp, --, B, port, <<PORT_CONFIG_LOG2]
    local_csr_wr[ACTIVE_LM_ADDR_0, temp]
    ld_field_w_clr[bytes, 0011, $where_in]
    ctx_arb[dram_sig]

    .block ethernet
    .stage classify
    ethernet_classify($$w0, $$w1, $$w3, group_ipv4#, arp#, ipv6#, other_type#, not_for_us#)
    .block ipv4_validate
    .stage validate
    ipv4_header(total, bytes, $$w3, $$w4, $$w5, $$w6, $$w7, $$w8, short#, version#, header_length#, total_length#, checksum#, options#)
    ipv4_addresses(source, destination, $$w6, $$w7, $$w8)
    ipv4_martians(source, destination, source_martian#, destination_martian#, multicast#, limited_broadcast#)

    .block ipv4_lookup
    .stage lookup
    ipv4_lookup(next_hop, destination, trie, ring_sig)
    sram[read, $hop0, next_hop, 0, 4], ctx_swap[ring_sig]
    alu_shf[reason, --, B, $hop0, >>24]
    bne[not_forwarded#]

    .block ipv4_update
    .stage rewrite
    ld_field_w_clr[temp, 0001, $$w5, >>8]
    alu[--, temp, -, 2]
    blo[ttl#]
    ld_field_w_clr[temp, 0011, $hop0]
    alu[--, temp, -, total]
    blo[mtu#]
    ipv4_update($$w5, $$w6, $$w5, $$w6)
    alu[$$w0, --, B, $hop1]
    alu[$$w1, --, B, $hop2]
    alu[$$w2, --, B, $hop3]
    alu[$$w3, --, B, $$w3]
    alu[$$w4, --, B, $$w4]
    alu[$$w7, --, B, $$w7]
    dram[write, $$w0, frame, 0, 4], sig_done[dram_sig]

    alu_shf[out_port, 0xf, AND, $hop0, >>16]
    alu[$out0, --, B, frame]
    alu[temp, total, +, 14]                     // whatever followed the packet is cut off
    alu_shf[$out1, temp, OR, port, <<16]
    alu[ring, out_port, +, TRANSMIT_RING]
    alu_shf[ring, --, B, ring, <<2]
    ctx_arb[dram_sig, turn_out]                 // nobody may see the frame before its header is in memory
    .block deliver
    .stage hand_on
    branch_if_transmit_full(out_port, transmit_full#)
    scratch[put, $out0, ring, 0, MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig], br[next_packet#]

// ---- packets that are not forwarded: the mark names the place, the counter and the message carry the reason ----
not_forwarded#:
    alu[--, reason, -, REASON_LOCAL]
    beq[local#]
    alu[--, reason, -, REASON_NO_ROUTE]
    beq[no_route#]
    alu[--, reason, -, REASON_UNRESOLVED]
    beq[unresolved#]
    alu[--, reason, -, REASON_DIRECTED_BROADCAST]
    beq[directed_broadcast#]
discard_route#:
    .drop discard_route
    go(REASON_DISCARD_ROUTE, drop#)
directed_broadcast#:
    .drop directed_broadcast
    go(REASON_DIRECTED_BROADCAST, drop#)
not_for_us#:
    .drop not_for_us
    go(REASON_NOT_FOR_US, drop#)
other_type#:
    .drop ethertype
    go(REASON_ETHERTYPE, drop#)
short#:
    .drop short_packet
    go(REASON_SHORT_PACKET, drop#)
version#:
    .drop version
    go(REASON_VERSION, drop#)
header_length#:
    .drop header_length
    go(REASON_HEADER_LENGTH, drop#)
total_length#:
    .drop total_length
    go(REASON_TOTAL_LENGTH, drop#)
checksum#:
    .drop checksum
    go(REASON_CHECKSUM, drop#)
source_martian#:
    .drop source_martian
    go(REASON_SOURCE_MARTIAN, drop#)
destination_martian#:
    .drop destination_martian
    go(REASON_DESTINATION_MARTIAN, drop#)
link_broadcast#:
    .drop link_broadcast
    go(REASON_LINK_BROADCAST, drop#)

arp#:
    .exception arp
    go(REASON_ARP, core#)
ipv6#:
    .exception ipv6
    go(REASON_IPV6, core#)
multicast#:
    .exception multicast
    go(REASON_MULTICAST, core#)
limited_broadcast#:
    .exception limited_broadcast
    go(REASON_LIMITED_BROADCAST, core#)
options#:
    .exception options
    go(REASON_OPTIONS, core#)
local#:
    .exception local
    go(REASON_LOCAL, core#)
no_route#:
    .exception no_route
    go(REASON_NO_ROUTE, core#)
unresolved#:
    .exception unresolved
    go(REASON_UNRESOLVED, core#)
ttl#:
    .exception ttl
    go(REASON_TTL, core#)
mtu#:
    .exception mtu
    go(REASON_MTU, core#)

// IPv4 in a link-layer broadcast or multicast: the header must still be right before anything is said about it.
group_ipv4#:
    ipv4_header(total, bytes, $$w3, $$w4, $$w5, $$w6, $$w7, $$w8, short#, version#, header_length#, total_length#, checksum#, options#)
    ipv4_addresses(source, destination, $$w6, $$w7, $$w8)
    ipv4_martians(source, destination, source_martian#, destination_martian#, multicast#, limited_broadcast#)
    br[link_broadcast#]

transmit_full#:
    .drop transmit_ring_full
    signal_next(turn_out)
    go(REASON_TRANSMIT_RING_FULL, count_drop#)
core_full#:
    .drop core_ring_full
    signal_next(turn_out)
    go(REASON_CORE_RING_FULL, count_drop#)

drop#:
    ctx_arb[turn_out]                           // the chain must go on in order
    signal_next(turn_out)
count_drop#:
    count_packet(reason, port, counters)
    buffer_free(frame, within, free_list, ring_sig)
    br[next_packet#]

core#:
    alu[$out0, --, B, frame]
    alu_shf[$out1, bytes, OR, port, <<16]
    alu[$out2, --, B, reason]
    immed[$out3, 0]
    ctx_arb[turn_out]
    br_inp_state[SCR_RING9_STATUS, core_full#]
    scratch[put, $out0, core_list, 0, CORE_MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig]
    cap[fast_wr, 0, XSCALE_INT_A]
    count_packet(reason, port, counters)
    br[next_packet#]
    nop
