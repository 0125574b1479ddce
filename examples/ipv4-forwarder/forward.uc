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
#include "ipv4_ttl/ipv4_ttl.uc"
#include "deliver/deliver.uc"

#ifndef FORWARD_INDEX
#define FORWARD_INDEX 0
#endif
#define OUTCOMES_IPV6 0

.import_var i$ipv4_trie i$ipv4_config i$ipv4_counters i$buffer_bytes

.stage setup
    .reg frame bytes port out_port total end source destination next_hop reason temp ring
    .reg trie counters in_ring core_list free_list within
    .reg $frame_in $where_in
    .xfer_order $frame_in $where_in
    .reg read $hop[5]
    .reg write $out[4]
    .reg read $$w[15]
    .reg write $$out[10]
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
    move_import(temp, i$ipv4_config)
    ethernet_configure(temp, ring_sig)
    signal_context(turn_out, 0)
    br[my_turn#]

next_packet#:
    .stage receive
    ctx_arb[turn_in]
my_turn#:
    scratch[get, $frame_in, in_ring, 0, MESSAGE_LONGWORDS], ctx_swap[ring_sig]
    alu[frame, --, B, $frame_in]
    beq[my_turn#]                               // the ring is empty: keep the turn and ask again
    signal_next(turn_in)
    dram[read, $$w[0], frame, 0, 7], sig_done[dram_sig]
    alu_shf[port, 0xf, AND, $where_in, >>16]
    alu_shf[temp, --, B, port, <<PORT_CONFIG_LOG2]
    local_csr_wr[ACTIVE_LM_ADDR_0, temp]
    ld_field_w_clr[bytes, 0011, $where_in]
    ctx_arb[dram_sig]

    .block ethernet
    .stage classify
    ethernet_classify(frame, bytes, port, $$w, dram_sig, ipv6#, arp#, other_type#, not_for_us#, vlan#, short#)
    .block ipv4_validate
    .stage validate
    ipv4_header(total, bytes, $$w[3], $$w[4], $$w[5], $$w[6], $$w[7], $$w[8], short#, version#, header_length#, total_length#, checksum#, options#)
    ipv4_addresses(source, destination, $$w[6], $$w[7], $$w[8])
    ipv4_fragment($$w[5], offset_1#)
offset_right#:
    ipv4_martians(source, destination, source_martian#, destination_martian#, multicast#, limited_broadcast#)
    ethernet_group($$w[0], link_broadcast#)

    .block ipv4_lookup
    .stage lookup
    ipv4_lookup(next_hop, destination, trie, ring_sig)
    sram[read, $hop[0], next_hop, 0, 5], ctx_swap[ring_sig]
    alu_shf[reason, --, B, $hop[0], >>24]
    bne[special#]

    .block ipv4_ttl
    .stage rewrite
forward#:
    ipv4_ttl($$w[5], ttl#)
    ethernet_mtu($hop[0], total, mtu#)
    ipv4_update($$out[7], $$out[8], $$w[5], $$w[6])
    alu[$$out[5], --, B, $$w[3]]
    alu[$$out[6], --, B, $$w[4]]
    alu[$$out[9], --, B, $$w[7]]
    .block ethernet
    .stage encapsulate
    ethernet_encapsulate(frame, end, total, $hop, $$out, dram_sig)

    .block deliver
    .stage hand_on
    alu_shf[out_port, 0xf, AND, $hop[0], >>16]
    alu[$out[0], --, B, frame]
    alu_shf[$out[1], end, OR, port, <<16]
    alu[ring, out_port, +, TRANSMIT_RING]
    alu_shf[ring, --, B, ring, <<2]
    ctx_arb[dram_sig, turn_out]                 // nobody may see the frame before its header is in memory
    branch_if_transmit_full(out_port, transmit_full#)
    scratch[put, $out[0], ring, 0, MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig], br[next_packet#]

offset_1#:
    .block ipv4_validate
    .stage validate
    ipv4_fragment_check($$w[5], fragment#)
    br[offset_right#]
special#:
    .block ipv4_lookup
    .stage lookup
    alu[--, reason, -, REASON_DIRECTED_BROADCAST]
    bne[not_forwarded#]
    br_bset[*l$index0[2], FLAG_DIRECTED, forward#]
    br[not_forwarded#]

    .block deliver
    .stage hand_on
#include "deliver/outcomes.uc"
