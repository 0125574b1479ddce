// A forwarding microengine of the MPLS router: it serves the packets of one input port, so a flow keeps its order.
// FORWARD_INDEX (weft.json) is that port; PORTS, FORWARDERS as in layout.uc. The tables say whether it is an ingress (a route that
// pushes labels), a transit (SWAP) or an egress (POP) of a label switched path; all three go on side by side.
//
// The contexts take turns twice: when they take a message from the ring (turn_in), and when they hand the packet on
// (turn_out). Between the two up to eight packets are worked on at once, in any order; because both chains run through
// the contexts in the same order, packets leave in the order in which they came.
//
// IP packets that come and leave without labels get their header in DRAM, as in the dual-stack router. All others leave by
// the transmitter's prepend: what is before the unchanged rest of the packet is written to SRAM.
#include "common/std.uc"
#include "common/layout.uc"
#include "common/reasons.uc"
#include "ethernet/ethernet.uc"
#include "ipv4_validate/ipv4_validate.uc"
#include "ipv4_lookup/ipv4_lookup.uc"
#include "ipv4_ttl/ipv4_ttl.uc"
#include "ipv6_validate/ipv6_validate.uc"
#include "ipv6_lookup/ipv6_lookup.uc"
#include "ipv6_hop_limit/ipv6_hop_limit.uc"
#include "mpls_classify/mpls_classify.uc"
#include "mpls_lookup/mpls_lookup.uc"
#include "mpls_swap/mpls_swap.uc"
#include "mpls_push/mpls_push.uc"
#include "mpls_pop/mpls_pop.uc"
#include "mpls_head/mpls_head.uc"
#include "deliver/deliver.uc"

#ifndef FORWARD_INDEX
#define FORWARD_INDEX 0
#endif
#define OUTCOMES_IPV6 1
#define OUTCOMES_MPLS 1

.import_var i$ipv4_trie i$ipv6_trie i$ipv4_config i$ipv4_counters i$buffer_bytes
.import_var i$mpls_labels i$mpls_maps
// A configuration of the other kind of table then has no value for it, and is refused.
#if (MPLS_TABLE_SPLIT)
.import_var i$mpls_split_table
#define LABEL_TABLE i$mpls_split_table
#else
.import_var i$mpls_table
#define LABEL_TABLE i$mpls_table
#endif

.stage setup
    .reg frame bytes port out_port total end source destination next_hop reason temp ring
    .reg trie trie6 counters in_ring core_list free_list within
    .reg top last popped taken_off labels longwords ttl class w3 w5 w6 place table table_labels
    .reg $frame_in $where_in
    .xfer_order $frame_in $where_in
    .reg read $hop[8] $entry[4]
    .reg write $out[4]
    .reg read $$w[15]
    .reg write $$out[10]
    .sig volatile turn_in turn_out
    .sig ring_sig dram_sig

    mpls_head_registers()
    mpls_head_configure()
    immed[in_ring, ((FORWARD_RING + FORWARD_INDEX) * 4)]
    immed[core_list, (CORE_RING * 4)]
    immed[free_list, (FREE_RING * 4)]
    move_import(trie, i$ipv4_trie)
    move_import(trie6, i$ipv6_trie)
    move_import(table, LABEL_TABLE)
    move_import(table_labels, i$mpls_labels)
    move_import(counters, i$ipv4_counters)
    move_import(within, i$buffer_bytes)
    alu[within, within, -, 1]
    br!=ctx[0, next_packet#]
    move_import(temp, i$ipv4_config)
    ethernet_configure(temp, ring_sig)
    move_import(temp, i$mpls_maps)
    mpls_configure(temp, ring_sig)
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
    immed[popped, 0]
    .set top                                    // for the assembler: these two are asked for only where labels were popped
    .set_rd $entry[0] $entry[1]
    ctx_arb[dram_sig]

    .block ethernet
    .stage classify
    ethernet_classify(frame, bytes, port, $$w, dram_sig, ipv6#, arp#, maybe_mpls#, not_for_us#, vlan#, short#)

// ---- IPv4
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
    alu_shf[labels, --, B, $hop[0], >>NEXT_HOP_LABELS]
    bne[special#]                               // a reason, or labels

    .block ipv4_ttl
    .stage rewrite
forward#:
    ipv4_ttl($$w[5], ttl#)
    ethernet_mtu($hop[0], total, mtu#)
    ipv4_update($$out[7], $$out[8], $$w[5], $$w[6])

// ---- both
hand_on#:
    .block ethernet
    .stage encapsulate
    alu[$$out[5], --, B, $$w[3]]
    alu[$$out[6], --, B, $$w[4]]
    alu[$$out[9], --, B, $$w[7]]
    ethernet_encapsulate(frame, end, total, $hop, $$out, dram_sig)

    .block deliver
    .stage hand_on
    alu[$out[0], --, B, frame]
    alu_shf[$out[1], end, OR, port, <<16]
    immed[$out[2], 0]
    alu_shf[out_port, 0xf, AND, $hop[0], >>16]
    alu[ring, out_port, +, TRANSMIT_RING]
    alu_shf[ring, --, B, ring, <<2]
    ctx_arb[dram_sig, turn_out]                 // nobody may see the frame before its header is in memory
put#:
    branch_if_transmit_full(out_port, transmit_full#)
    scratch[put, $out[0], ring, 0, MPLS_MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig], br[next_packet#]

// ---- IPv6
ipv6#:
    .block ipv6_validate
    .stage validate
    ipv6_header(total, bytes, $$w[3], $$w[4], short#, version#, total_length#)
    ipv6_addresses($$w[5], $$w[6], $$w[7], $$w[8], $$w[9], $$w[10], $$w[11], $$w[12], $$w[13], source_martian#, destination_martian#, multicast#, options#)
    ethernet_group($$w[0], link_broadcast#)

    .block ipv6_lookup
    .stage lookup
    ipv6_lookup(next_hop, $$w[9], $$w[10], $$w[11], $$w[12], $$w[13], trie6, ring_sig)
    sram[read, $hop[0], next_hop, 0, 5], ctx_swap[ring_sig]
    alu_shf[labels, --, B, $hop[0], >>NEXT_HOP_LABELS]
    bne[special_ipv6#]

    .block ipv6_hop_limit
    .stage rewrite
forward_ipv6#:
    ipv6_scope($$w[5], link_local_source#)
scope_right#:
    ipv6_hop_limit($$w[5], ttl#)
    ethernet_mtu($hop[0], total, mtu#)
    ipv6_update($$out[7], $$w[5])
    br[hand_on#], defer[1]
    alu[$$out[8], --, B, $$w[6]]

// ---- labels
maybe_mpls#:
    .block mpls_classify
    .stage classify
    mpls_classify(top, bytes, $$w[0], $$w[3], $$w[4], other_type#, mpls_disabled#, mpls_multicast#, link_broadcast#, short#)

look_up_label#:
    .block mpls_lookup
    .stage lookup
    mpls_lookup($entry, place, top, table, table_labels, ring_sig, mpls_unknown#)
    mpls_operation(reason, $entry, place, ring_sig, mpls_reason#, pop#, mpls_unknown#)

    .block mpls_swap
    .stage rewrite
    mpls_ttl(top, mpls_ttl#)
    mpls_next_hop(next_hop, $entry)
    sram[read, $hop[0], next_hop, 0, 5], sig_done[ring_sig]
    mpls_bottom(top, $entry[1], mpls_bottom_read#)
    mpls_swap(top, $entry[0], top)
    alu_shf[labels, 3, AND, $entry[0], >>MPLS_OPERATION_SHIFT]
    ctx_arb[ring_sig]
one_label#:
    alu_shf[reason, --, B, $hop[0], >>MPLS_REASON_SHIFT]
    bne[not_forwarded#]
    alu[temp, bytes, -, MPLS_LINK_HEADER]
    mpls_mtu($hop[0], temp, labels, mtu#)
    alu[--, --, B, labels]
    bne[swap_and_push#]

    .block mpls_head
    .stage encapsulate
    // Two longwords more than the label needs: what remains in DRAM then begins at a multiple of 8, as it does in TBUF.
    mpls_head_open()
    immed[longwords, 6]
    nop
    mpls_head_link(longwords, $hop)
    mpls_head_label(top)
    mpls_head_packet($$w[4])
    alu[*$index++, --, B, $$w[5]]
    mpls_head_send($out, longwords, frame, bytes, port, 24, ring_sig)
prepended#:
    .block deliver
    .stage hand_on
    alu_shf[out_port, 0xf, AND, $hop[0], >>16]
    alu[ring, out_port, +, TRANSMIT_RING]
    alu_shf[ring, --, B, ring, <<2]
    ctx_arb[ring_sig, turn_out], br[put#]

swap_and_push#:
    .block mpls_push
    .stage rewrite
    mpls_lookup_pushes($entry, place, ring_sig)
    mpls_head_open()
    alu[longwords, labels, +, 5]
    nop
    mpls_head_link(longwords, $hop)
    mpls_push_label(labels, $entry[2], $entry[3], top)
    mpls_head_label(top)
    .block mpls_head
    .stage encapsulate
    mpls_head_packet($$w[4])
    mpls_head_send($out, longwords, frame, bytes, port, 20, ring_sig)
    br[prepended#]

pop#:
    .block mpls_pop
    .stage rewrite
    mpls_ttl(top, mpls_ttl#)
    mpls_pop(frame, bytes, popped, last, top, $entry, $$w, dram_sig, mpls_bottom#, mpls_stack#)
    br_bset[last, MPLS_S, expose_ip#]
    mpls_expose_label(top, $entry, $$w[3], $$w[4])
    br_bclr[$entry[0], MPLS_POP_FORWARD, look_up_label#]
    br=byte[top, 0, 0, mpls_ttl#]               // what leaves has its own TTL: 0 must not (RFC 3032 2.4.2)
    mpls_next_hop(next_hop, $entry)
    sram[read, $hop[0], next_hop, 0, 5], ctx_swap[ring_sig]
    br[one_label#], defer[1]
    immed[labels, 0]

// ---- an IP packet after its last label: like one that came without, but header and labels leave by the prepend
expose_ip#:
    mpls_expose_ip($entry, $$w[3], exposed_ipv6#, version#)
    .block ipv4_validate
    .stage validate
    ipv4_header(total, bytes, $$w[3], $$w[4], $$w[5], $$w[6], $$w[7], $$w[8], short#, version#, header_length#, total_length#, checksum#, options#)
    ipv4_addresses(source, destination, $$w[6], $$w[7], $$w[8])
    ipv4_fragment($$w[5], exposed_offset_1#)
exposed_offset_right#:
    ipv4_martians(source, destination, source_martian#, destination_martian#, multicast#, limited_broadcast#)
    .block ipv4_lookup
    .stage lookup
    mpls_next_hop(next_hop, $entry)
    br_bset[$entry[0], MPLS_POP_FORWARD, exposed_hop#]
    ipv4_lookup(next_hop, destination, trie, ring_sig)
exposed_hop#:
    sram[read, $hop[0], next_hop, 0, 5], ctx_swap[ring_sig]
    alu_shf[labels, --, B, $hop[0], >>NEXT_HOP_LABELS]
    bne[special#]
exposed_forward#:
    .block mpls_pop
    .stage rewrite
    ld_field_w_clr[ttl, 0001, $$w[5], >>8]
    mpls_ip_ttl(ttl, top, $entry, ttl#)
    mpls_mtu($hop[0], total, labels, mtu#)
    mpls_expose_ipv4(w3, w5, w6, $$w[3], $$w[5], $$w[6], ttl, top, $entry)
    alu[--, --, B, labels]
    bne[push_ipv4#]
    .block mpls_head
    .stage encapsulate
    mpls_head_open()
    immed[longwords, 7]
    alu[bytes, total, +, MPLS_LINK_HEADER]
    mpls_head_link(longwords, $hop)
    alu[*$index++, --, B, w3]
    alu[*$index++, --, B, $$w[4]]
    alu[*$index++, --, B, w5]
    alu[*$index++, --, B, w6]
    mpls_head_send($out, longwords, frame, bytes, port, 28, ring_sig)
    br[prepended#]

exposed_ipv6#:
    .block ipv6_validate
    .stage validate
    ipv6_header(total, bytes, $$w[3], $$w[4], short#, version#, total_length#)
    ipv6_addresses($$w[5], $$w[6], $$w[7], $$w[8], $$w[9], $$w[10], $$w[11], $$w[12], $$w[13], source_martian#, destination_martian#, multicast#, options#)
    .block ipv6_lookup
    .stage lookup
    mpls_next_hop(next_hop, $entry)
    br_bset[$entry[0], MPLS_POP_FORWARD, exposed_hop_ipv6#]
    ipv6_lookup(next_hop, $$w[9], $$w[10], $$w[11], $$w[12], $$w[13], trie6, ring_sig)
exposed_hop_ipv6#:
    sram[read, $hop[0], next_hop, 0, 5], ctx_swap[ring_sig]
    alu_shf[labels, --, B, $hop[0], >>NEXT_HOP_LABELS]
    bne[special_ipv6#]
exposed_forward_ipv6#:
    .block ipv6_hop_limit
    .stage rewrite
    ipv6_scope($$w[5], exposed_link_local#)
exposed_scope_right#:
    .block mpls_pop
    ld_field_w_clr[ttl, 0001, $$w[5], >>16]
    mpls_ip_ttl(ttl, top, $entry, ttl#)
    mpls_mtu($hop[0], total, labels, mtu#)
    mpls_expose_ipv6(w3, w5, $$w[3], $$w[5], ttl, top, $entry)
    alu[--, --, B, labels]
    bne[push_ipv6#]
    .block mpls_head
    .stage encapsulate
    mpls_head_open()
    immed[longwords, 6]
    alu[bytes, total, +, MPLS_LINK_HEADER]
    mpls_head_link(longwords, $hop)
    alu[*$index++, --, B, w3]
    alu[*$index++, --, B, $$w[4]]
    alu[*$index++, --, B, w5]
    mpls_head_send($out, longwords, frame, bytes, port, 24, ring_sig)
    br[prepended#]

// ---- the next hop of an IP packet pushes labels
ingress_ipv4#:
    .block mpls_push
    .stage rewrite
    alu[--, --, B, popped]
    bne[exposed_forward#]
    ipv4_ttl($$w[5], ttl#)
    mpls_mtu($hop[0], total, labels, mtu#)
    alu[w3, --, B, $$w[3]]
    ipv4_update(w5, w6, $$w[5], $$w[6])
    ld_field_w_clr[ttl, 0001, w5, >>8]
push_ipv4#:
    sram[read, $hop[5], next_hop, 20, 3], sig_done[ring_sig]
    alu[bytes, total, +, MPLS_LINK_HEADER]
    mpls_tc_ipv4(w3)
    br_bset[$hop[0], NEXT_HOP_TAGGED, push_ipv4_written#]
    alu[--, labels, -, 1]
    bne[push_ipv4_written#]
    ctx_arb[ring_sig]
    alu[class, --, B, *l$index1]
    mpls_head_open()
    immed[longwords, 8]
    nop
    mpls_head_link(longwords, $hop)
    mpls_push_ip(labels, $hop[5], $hop[6], $hop[7], ttl, class)
    .block mpls_head
    .stage encapsulate
    mpls_head_packet(w3)
    alu[*$index++, --, B, $$w[4]]
    alu[*$index++, --, B, w5]
    alu[*$index++, --, B, w6]
    mpls_head_send($out, longwords, frame, bytes, port, 28, ring_sig)
    br[prepended#]

// The head has no room for the changed part of the IP header: it is written to DRAM with what stands in the same quadwords.
push_ipv4_written#:
    .block mpls_push
    .stage rewrite
    alu[$$out[8], --, B, w6]
push_written#:
    alu[$$out[5], --, B, w3]
    alu[$$out[6], --, B, $$w[4]]
    alu[$$out[7], --, B, w5]
    alu[$$out[9], --, B, $$w[7]]
    br_bset[frame, 2, push_middle#]
    alu[--, --, B, popped]
    bne[push_class#]
    dram[write, $$out[6], frame, 16, 2], sig_done[dram_sig]
    br[push_labels#]
push_class#:                                    // its class may have changed as well, and a head of 30 bytes ends before it
    alu[$$out[4], --, B, w3]                    // goes where the last of the labels that came was
    dram[write, $$out[4], frame, 8, 3], sig_done[dram_sig]
    br[push_labels#]
push_middle#:
    dram[write, $$out[5], frame, 12, 2], sig_done[dram_sig]
push_labels#:
    ctx_arb[ring_sig, dram_sig]
    alu[class, --, B, *l$index1]
    mpls_head_open()
    alu[longwords, labels, +, 4]
    nop
    mpls_head_link(longwords, $hop)
    mpls_push_ip(labels, $hop[5], $hop[6], $hop[7], ttl, class)
    .block mpls_head
    .stage encapsulate
    mpls_head_packet(w3)
    mpls_head_send($out, longwords, frame, bytes, port, 16, ring_sig)
    br[prepended#]

ingress_ipv6#:
    .block mpls_push
    .stage rewrite
    alu[--, --, B, popped]
    bne[exposed_forward_ipv6#]
    ipv6_scope($$w[5], ingress_link_local#)
ingress_scope_right#:
    ipv6_hop_limit($$w[5], ttl#)
    mpls_mtu($hop[0], total, labels, mtu#)
    alu[w3, --, B, $$w[3]]
    ipv6_update(w5, $$w[5])
    ld_field_w_clr[ttl, 0001, w5, >>16]
push_ipv6#:
    sram[read, $hop[5], next_hop, 20, 3], sig_done[ring_sig]
    alu[bytes, total, +, MPLS_LINK_HEADER]
    mpls_tc_ipv6(w3)
    alu[longwords, labels, +, 6]
    br_bclr[$hop[0], NEXT_HOP_TAGGED, push_untagged#]
    alu[--, longwords, -, 8]
    bhs[push_ipv6_written#]
push_untagged#:
    alu[--, longwords, -, 9]
    bhs[push_ipv6_written#]
    ctx_arb[ring_sig]
    alu[class, --, B, *l$index1]
    mpls_head_open()
    nop
    nop
    mpls_head_link(longwords, $hop)
    mpls_push_ip(labels, $hop[5], $hop[6], $hop[7], ttl, class)
    .block mpls_head
    .stage encapsulate
    mpls_head_packet(w3)
    alu[*$index++, --, B, $$w[4]]
    alu[*$index++, --, B, w5]
    mpls_head_send($out, longwords, frame, bytes, port, 24, ring_sig)
    br[prepended#]
push_ipv6_written#:
    br[push_written#], defer[1]
    alu[$$out[8], --, B, $$w[6]]

// ---- what is rare
offset_1#:
    .block ipv4_validate
    .stage validate
    ipv4_fragment_check($$w[5], fragment#)
    br[offset_right#]
exposed_offset_1#:
    ipv4_fragment_check($$w[5], fragment#)
    br[exposed_offset_right#]
special#:
    .block ipv4_lookup
    .stage lookup
    alu_shf[reason, --, B, $hop[0], >>24]
    beq[ingress_ipv4#]
    alu[--, reason, -, REASON_DIRECTED_BROADCAST]
    bne[not_forwarded#]
    br_bclr[*l$index0[2], FLAG_DIRECTED, not_forwarded#]
    immed[labels, 0]
    alu[--, --, B, popped]
    bne[exposed_forward#]
    br[forward#]
link_local_source#:
    .block ipv6_hop_limit
    .stage rewrite
    ipv6_scope_check($$w[5], scope#)
    br[scope_right#]
ingress_link_local#:
    ipv6_scope_check($$w[5], scope#)
    br[ingress_scope_right#]
exposed_link_local#:
    ipv6_scope_check($$w[5], scope#)
    br[exposed_scope_right#]
special_ipv6#:
    .block ipv6_lookup
    .stage lookup
    alu_shf[reason, --, B, $hop[0], >>24]
    beq[ingress_ipv6#]
    alu[--, reason, -, REASON_UNRESOLVED]
    bne[not_forwarded#]
    ipv6_scope($$w[5], unresolved_scope#)
    br[unresolved#]
unresolved_scope#:
    ipv6_scope_check($$w[5], scope#)
    br[unresolved#]
mpls_bottom_read#:                              // the next hop is still being read
    ctx_arb[ring_sig], br[mpls_bottom#]

    .block deliver
    .stage hand_on
#include "deliver/outcomes.uc"
#include "mpls/outcomes.uc"
