// outcomes: every end of a packet's way through a forwarding engine but the transmit ring. A program includes this file
// once, as code, after its main loop; its labels are where the blocks' branches lead.
//
// Purpose    Mark, count and free a packet that is dropped; count one that goes to the core, and hand it over. The mark
//            names the place; counter and message carry the reason.
// Inputs     registers of the program: frame, bytes, port, reason, next_hop, counters, core_list, free_list, within (buffer
//            size - 1); $out[4]; signals turn_out, ring_sig; label next_packet#
// Outputs    core ring: {frame, port << 16 | bytes, reason, next hop or 0}; counters; the free list
// Budget     a drop 13 instructions, a packet for the core 17, from its branch to the start of the next
// Limits     OUTCOMES_FIRST, when it is defined, stands before the last turn: what such a packet still has to do, as part of the chain.
//            OUTCOMES_IPV6 is 1 in a program that forwards IPv6, else 0: then such packets go to the core.
//            OUTCOMES_MPLS, where it is defined: the register `popped` says how many labels were taken off, `taken_off` is free; the core
//            gets the frame as it came.

// go(in_reason, TO_TARGET): the reason is set while the branch is taken.
#macro go(in_reason, TO_TARGET)
    br[TO_TARGET], defer[1]
    immed[reason, in_reason]
#endm

// What the next hop says when it is not to be forwarded to.
not_forwarded#:
    alu[--, reason, -, REASON_LOCAL]
    beq[local#]
    alu[--, reason, -, REASON_NO_ROUTE]
    beq[no_route#]
    alu[--, reason, -, REASON_UNRESOLVED]
    beq[unresolved#]
    alu[--, reason, -, REASON_DIRECTED_BROADCAST]
    beq[directed_broadcast#]
#if (OUTCOMES_IPV6)
    alu[--, reason, -, REASON_LINK_LOCAL]
    beq[link_local#]
#endif
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
vlan#:
    .drop vlan
    go(REASON_VLAN, drop#)
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
fragment#:
    .drop fragment
    go(REASON_FRAGMENT, drop#)
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
multicast#:
    .exception multicast
    go(REASON_MULTICAST, core#)
limited_broadcast#:
    .exception limited_broadcast
    go(REASON_LIMITED_BROADCAST, core#)
options#:
    .exception options
    go(REASON_OPTIONS, core#)
#if (OUTCOMES_IPV6)
link_local#:
    .exception link_local
    go(REASON_LINK_LOCAL, core_with_next_hop#)
scope#:
    .exception scope
    go(REASON_SCOPE, core_with_next_hop#)
#else
ipv6#:
    .exception ipv6
    go(REASON_IPV6, core#)
#endif
local#:
    .exception local
    go(REASON_LOCAL, core_with_next_hop#)
no_route#:
    .exception no_route
    go(REASON_NO_ROUTE, core_with_next_hop#)
unresolved#:
    .exception unresolved
    go(REASON_UNRESOLVED, core_with_next_hop#)
ttl#:
    .exception ttl
    go(REASON_TTL, core_with_next_hop#)
mtu#:
    .exception mtu
    go(REASON_MTU, core_with_next_hop#)

transmit_full#:
    .drop transmit_ring_full
    signal_next(turn_out)
    go(REASON_TRANSMIT_RING_FULL, count_drop#)
core_full#:
    .drop core_ring_full
    signal_next(turn_out)
    go(REASON_CORE_RING_FULL, count_drop#)

drop#:
#ifdef OUTCOMES_FIRST
    OUTCOMES_FIRST
#endif
    ctx_arb[turn_out]                           // the chain must go on in order
    signal_next(turn_out)
count_drop#:
    count_packet(reason, port, counters)
    buffer_free(frame, within, free_list, ring_sig)
    br[next_packet#]

core#:
    immed[next_hop, 0]
core_with_next_hop#:
#ifdef OUTCOMES_FIRST
    OUTCOMES_FIRST
#endif
#ifdef OUTCOMES_MPLS
    alu_shf[taken_off, --, B, popped, <<2]
    alu[frame, frame, -, taken_off]
    alu[bytes, bytes, +, taken_off]
#endif
    ethernet_as_received(frame, bytes)
    alu[$out[0], --, B, frame]
    alu_shf[$out[1], bytes, OR, port, <<16]
    alu[$out[2], --, B, reason]
    alu[$out[3], --, B, next_hop]
    ctx_arb[turn_out]
    br_inp_state[SCR_RING9_STATUS, core_full#]
    scratch[put, $out[0], core_list, 0, CORE_MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig]
    cap[fast_wr, 0, XSCALE_INT_A]
    count_packet(reason, port, counters)
    br[next_packet#]
