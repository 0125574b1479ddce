// Engines 0 to 3: receive, check, look up, rewrite, queue. ENGINE says which: the threads of 0 and 1 have a port of 100 Mb/s
// each, those of 2 and 3 share the Gigabit port.
#define GIGABIT (ENGINE >= 2)
#include "receive1200/receive1200.uc"
#include "ipv4_validate/ipv4_validate.uc"
#include "ipv4_1200/ipv4_1200.uc"
#include "ipv4_lookup/ipv4_lookup.uc"
#include "ipv4_ttl/ipv4_ttl.uc"
#include "queue1200/queue1200.uc"

.reg @receiving
.reg thread request place lane number port mac0 mac1 flags mask own own_same counters queues rings
.reg buffer data bytes group bad total source destination hop ttl out_port temp reason index
// All eight $ registers in a row; each use takes those that it needs. The header of a frame stands in them.
.reg $r0 $r1 $r2 $r3 $r4 $r5 $r6 $r7
.xfer_order $r0 $r1 $r2 $r3 $r4 $r5 $r6 $r7
.reg write $$o0 $$o1 $$o2 $$o3 $$o4 $$o5 $$o6 $$o7
.xfer_order $$o0 $$o1 $$o2 $$o3 $$o4 $$o5 $$o6 $$o7

#macro go(WHY, WHERE)
    br[WHERE], defer[1]
    immed[reason, WHY]
#endm

    identify(thread)
    receive1200_setup(request, place, lane, thread)
#if (GIGABIT)
    immed[port, GIGABIT_PORT]
#else
    alu[port, --, B, thread]
#endif
    alu_shf[temp, --, B, port, <<2]
    scratch[read, $r0, temp, PORT_CONFIG_AT, 4], ctx_swap
    alu[mac0, --, B, $r0]
    alu[mac1, --, B, $r1]
    alu[flags, --, B, $r2]
    immed[temp, BROADCAST_MASK_AT]
    scratch[read, $r0, temp, 0, 1], ctx_swap
    alu[mask, --, B, $r0]
    immed[temp, OWN_COMMON_AT]
    scratch[read, $r0, temp, 0, 2], ctx_swap
    alu[own, --, B, $r0]
    alu[own_same, --, B, $r1]
    alu_shf[counters, --, B, port, <<6]
    immed[temp, COUNTERS_AT]
    alu[counters, counters, +, temp]
    move(queues, QUEUES_AT)
    move(rings, RINGS_AT)
    receive1200_first_buffer(buffer)
#if (GIGABIT)
    alu[number, thread, -, 16]                  // frame n belongs to thread 8 + n modulo 8
#endif

next_frame#:
    .block receive1200
    .stage receive
    receive1200_frame(buffer, data, bytes, group, bad, request, place, lane, number, mac0, mac1, flags)
    alu[--, --, B, bad]
    br!=0[not_received#]

    .block ethernet
    .stage classify
    br!=byte[$r3, 3, 8, other_type#]
    br!=byte[$r3, 2, 0, other_type#]
    .block ipv4_validate
    .stage validate
    ipv4_header(total, bytes, $r3, $r4, $r5, $r6, $r7, $r0, short#, version#, header_length#, total_length#, checksum#, options#)
    ipv4_addresses(source, destination, $r6, $r7, $r0)
    ipv4_martians_1200(source, destination, flags, mask, own, own_same, source_martian#, destination_martian#, multicast#, limited_broadcast#)
    br_bset[group, 24, link_broadcast#]

    .block ipv4_lookup
    .stage lookup
    ipv4_lookup(hop, destination, TRIE_AT, done)
    .block ipv4_ttl
    .stage rewrite
    alu[$$o3, --, B, $r3]
    alu[$$o4, --, B, $r4]
    alu[$$o7, --, B, $r7]
    ld_field_w_clr[ttl, 0001, $r5, >>8]
    ipv4_update($$o5, $$o6, $r5, $r6)
    sram[read, $r0, hop, 0, 4], ctx_swap
    alu_shf[reason, --, B, $r0, >>24]
    br!=0[not_forwarded#]
    alu[--, ttl, -, 2]
    blo[ttl#]
    ld_field_w_clr[temp, 0011, $r0]
    alu[--, temp, -, total]
    blo[mtu#]
    alu[$$o0, --, B, $r1]
    alu[$$o1, --, B, $r2]
    alu[$$o2, --, B, $r3]
    alu_shf[out_port, 0xf, AND, $r0, >>16]
    // Race: the buffer is this thread's from the hardware's list on (receive1200_first). Who sends or queues the frame finds it by its slot, which is written
    // when this has been done (queue1200_put).
    sdram[write, $$o0, data, 0, 4], sig_done
    alu[total, total, +, 14]                    // whatever followed the packet is cut off

    .block queue1200
    .stage queue
#if (GIGABIT)
    turn1200_wait(temp, number)
#endif
    queue1200_lock($r0, index, out_port, queues)
#if (GIGABIT)
    turn1200_pass(temp)
#endif
    queue1200_put(buffer, total, out_port, $r0, $r1, index, queues, rings, queue_full#)
    br[next_frame#], defer[1]
    immed[buffer, 0]

// ---- frames that are not forwarded: the mark names the place, the counter and the message carry the reason ----
not_received#:
    alu[--, bad, -, REASON_NOT_FOR_US]
    br=0[not_for_us#]
    alu[--, bad, -, REASON_NO_BUFFER]
    br=0[no_buffer#]
    alu[--, bad, -, REASON_TOO_LONG]
    br=0[too_long#]
    .drop receive_error
    go(REASON_RECEIVE_ERROR, drop#)
no_buffer#:
    .drop no_buffer
    go(REASON_NO_BUFFER, drop#)
too_long#:
    .drop too_long
    go(REASON_TOO_LONG, drop#)
not_for_us#:
    .drop not_for_us
    go(REASON_NOT_FOR_US, drop#)
other_type#:
    alu_shf[temp, --, B, $r3, >>16]
    immed[total, 0x0806]
    alu[--, temp, XOR, total]
    br=0[arp#]
    immed[total, 0x86dd]
    alu[--, temp, XOR, total]
    br=0[ipv6#]
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
not_forwarded#:
    br_bset[reason, 5, by_route#]
    alu[--, reason, -, REASON_DIRECTED_BROADCAST]
    br=0[directed_broadcast#]
    .drop discard_route
    br[drop#]
directed_broadcast#:
    .drop directed_broadcast
    br[drop#]
by_route#:
    alu[--, reason, -, REASON_LOCAL]
    br=0[local#]
    alu[--, reason, -, REASON_NO_ROUTE]
    br=0[no_route#]
    .exception unresolved
    br[core#]
local#:
    .exception local
    br[core#]
no_route#:
    .exception no_route
    br[core#]
arp#:
    .exception arp
    go(REASON_ARP, core_no_hop#)
ipv6#:
    .exception ipv6
    go(REASON_IPV6, core_no_hop#)
options#:
    .exception options
    go(REASON_OPTIONS, core_no_hop#)
multicast#:
    .exception multicast
    go(REASON_MULTICAST, core_no_hop#)
limited_broadcast#:
    .exception limited_broadcast
    go(REASON_LIMITED_BROADCAST, core_no_hop#)
ttl#:
    .exception ttl
    go(REASON_TTL, core#)
mtu#:
    .exception mtu
    go(REASON_MTU, core#)

core_no_hop#:
    immed[hop, 0]
core#:
    alu_shf[bytes, bytes, OR, port, <<16]
#if (GIGABIT)
    turn1200_wait(temp, number)
    turn1200_pass(temp)
#endif
    core1200_put(buffer, bytes, reason, hop, queues, core_full#)
    scratch[incr, --, counters, reason]
    br[next_frame#], defer[1]
    immed[buffer, 0]

queue_full#:
    .drop transmit_ring_full
    go(REASON_TRANSMIT_RING_FULL, count#)
core_full#:
    .drop core_ring_full
    go(REASON_CORE_RING_FULL, count#)
drop#:
#if (GIGABIT)
    turn1200_wait(temp, number)
    turn1200_pass(temp)
#endif
count#:
    scratch[incr, --, counters, reason]         // the buffer is kept for the next frame
    br[next_frame#]
