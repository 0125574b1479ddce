// Engines 0 to 3: receive, check, look up, classify, police and mark, queue. ENGINE says which: the threads of 0 and 1 have a
// port of 100 Mb/s each, those of 2 and 3 share the Gigabit port. RANGE 1: range matching, 0: linear search.
#define GIGABIT (ENGINE >= 2)
#ifndef RANGE
#define RANGE 0
#endif
#include "receive1200/receive1200.uc"
#include "ipv4_validate/ipv4_validate.uc"
#include "ipv4_1200/ipv4_1200.uc"
#include "ipv4_lookup/ipv4_lookup.uc"
#include "ipv4_ttl/ipv4_ttl.uc"
#if (RANGE)
#include "classify_range/classify_range.uc"
#else
#include "classify_linear/classify_linear.uc"
#endif
#include "police/police.uc"
#include "meter_srtcm/meter_srtcm.uc"
#include "meter_trtcm/meter_trtcm.uc"
#include "mark_dscp/mark_dscp.uc"
#include "queue1200/queue1200.uc"
#include "classqueue1200/classqueue1200.uc"

// The scratch longword that leads to the bank that counts. Its name says for which search the table of rules is, so a configuration of the
// other one has no value for it, and the program is not loaded.
#if (RANGE)
.import_var i$rules_range
#define RULE_SET            i$rules_range
#else
.import_var i$rules_linear
#define RULE_SET            i$rules_linear
#endif
// Scratch; a bank has a record of 16 longwords for each of 512 rules, one for packets without a rule, and the root of the table.
#define CLASS_DROPS_AT      0x340
#define DEFAULT_RULE        512
#define ROOT_RECORD         513
// Bits of a record's longword 0.
#define ACTION_AWARE        2
#define ACTION_DROP_RED     3
#define METER_AT            4
#define DSCP_KEPT           255

.reg @receiving
.reg request place lane number port mac0 mac1 flags mask own own_same
.reg buffer data bytes group bad total source destination hop out_port temp reason index thread
.reg ttl word3 word5 word6 both_ports kind bank rule action limit colour mark now_high now_low counters queues rings
// All eight $ registers in a row; each use takes those that it needs. The header of a frame stands in them.
.reg $r0 $r1 $r2 $r3 $r4 $r5 $r6 $r7
.xfer_order $r0 $r1 $r2 $r3 $r4 $r5 $r6 $r7
.reg write $$o0 $$o1 $$o2 $$o3 $$o4 $$o5 $$o6 $$o7
.xfer_order $$o0 $$o1 $$o2 $$o3 $$o4 $$o5 $$o6 $$o7
.reg read $$p0 $$p1
.xfer_order $$p0 $$p1

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
    .stage check
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
    alu[word3, --, B, $r3]
    alu[$$o4, --, B, $r4]
    alu[word5, --, B, $r5]
    alu[$$o7, --, B, $r7]
    ld_field_w_clr[ttl, 0001, word5, >>8]
    ipv4_update($$o5, word6, word5, $r6)
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

    .block classify
    sdram[read, $$p0, data, 4, 1], sig_done     // longwords 8 and 9: the ports
    .stage classify
    immed[temp, RULE_SET]
    scratch[read, $r0, temp, 0, 1], ctx_swap
    alu[bank, --, B, $r0]
    immed[both_ports, 0]
    alu_shf[kind, 0x3f, AND, word3, >>2]        // the DSCP
    ld_field[kind, 0010, word5, <<8]            // the protocol
    ctx_arb[sdram]
    br=byte[word5, 0, 17, has_ports#]
    br!=byte[word5, 0, 6, no_ports#]
has_ports#:
    immed[temp, 0x1fff]                         // the offset of a fragment
    alu_shf[--, temp, AND, word5, >>16]
    br!=0[no_ports#]
    alu[--, total, -, 24]
    blo[no_ports#]
    alu[temp, --, B, $$p0]
    dbl_shf[both_ports, temp, $$p1, >>16]
no_ports#:
    immed[temp, (ROOT_RECORD * 16)]
    alu[temp, bank, +, temp]
#if (RANGE)
    classify_range(rule, source, destination, both_ports, kind, temp, no_rule#)
#else
    classify_linear(rule, source, destination, both_ports, kind, temp, no_rule#)
#endif
    br[by_rule#]
no_rule#:
    immed[rule, DEFAULT_RULE]
by_rule#:
    .block police
    .stage meter
    alu_shf[rule, --, B, rule, <<4]
    alu[rule, bank, +, rule]
    sram[read, $r0, rule, 0, 2], ctx_swap
    alu[action, --, B, $r0]
    alu[limit, --, B, $r1]                      // frames that may wait: of green, yellow and red packets
    immed[colour, 0]
    alu[--, action, AND, 3]
    br=0[coloured#]
    bucket_now(now_high, now_low)
    alu[rule, rule, +, METER_AT]
    br_bset[action, 1, by_colour#]
metered#:
    police(rule, now_high, now_low, total, policed#)
    br[coloured#]
by_colour#:
    .block meter_srtcm
    br_bclr[action, ACTION_AWARE, colour_blind#]
    // The colour of AFx1 is green, of AFx2 yellow, of AFx3 red (RFC 2597): classes 1 to 4 in the upper three bits of the mark, then the
    // drop precedence, then 0. Any other mark is green.
    alu_shf[temp, 0x7, AND, word3, >>5]
    br=0[colour_blind#]
    alu[--, temp, -, 5]
    bhs[colour_blind#]
    br_bset[word3, 2, colour_blind#]
    alu_shf[temp, 0x3, AND, word3, >>3]
    br=0[colour_blind#]
    alu[colour, temp, -, 1]
colour_blind#:
    br_bset[action, 0, two_rates#]
metered_srtcm#:
    meter_srtcm_aware(colour, rule, now_high, now_low, total)
    br[has_colour#]
two_rates#:
    .block meter_trtcm
metered_trtcm#:
    meter_trtcm_aware(colour, rule, now_high, now_low, total)
has_colour#:
    br_bclr[colour, 1, coloured#]
    br_bset[action, ACTION_DROP_RED, policed#]
coloured#:
    .block mark_dscp
    .stage mark
    // Mark and limit of this colour: the next byte, and the next.
    alu_shf[mark, --, B, action, >>8]
    br=byte[colour, 0, 0, green#]
    alu_shf[mark, --, B, mark, >>8]
    alu_shf[limit, --, B, limit, >>8]
    br=byte[colour, 0, 1, green#]
    alu_shf[mark, --, B, mark, >>8]
    alu_shf[limit, --, B, limit, >>8]
green#:
    br=byte[mark, 0, DSCP_KEPT, marked#]
    alu[mark, mark, AND, 0x3f]
    mark_dscp(word3, word6, word3, word6, mark)
marked#:
    alu[$$o3, --, B, word3]
    alu[$$o6, --, B, word6]
    sdram[write, $$o0, data, 0, 4], sig_done
    alu[total, total, +, 14]                    // whatever followed the packet is cut off

    .block classqueue1200
    .stage queue
    alu_shf[action, 0xf, AND, action, >>4]      // the class
    alu[limit, limit, AND, 0x3f]
    move(queues, CLASS_QUEUES_AT)
    move(rings, RINGS_AT)
#if (GIGABIT)
    turn1200_wait(temp, number)
#endif
    classqueue1200_lock($r0, index, out_port, action, queues)
#if (GIGABIT)
    turn1200_pass(temp)
#endif
    classqueue1200_put(buffer, total, out_port, action, limit, $r0, $r1, index, queues, rings, queue_full#)
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
    move(queues, QUEUES_AT)
#if (GIGABIT)
    turn1200_wait(temp, number)
    turn1200_pass(temp)
#endif
    core1200_put(buffer, bytes, reason, hop, queues, core_full#)
    br[count#], defer[1]
    immed[buffer, 0]

policed#:
    .drop policed
    immed[index, CLASS_DROPS_AT]
    alu_shf[temp, 7, AND, action, >>4]
    scratch[incr, --, index, temp]
    go(REASON_POLICED, drop#)
queue_full#:
    .drop queue_full
    immed[index, (CLASS_DROPS_AT + 8)]
    scratch[incr, --, index, action]
    go(REASON_QUEUE_FULL, count#)
core_full#:
    .drop core_ring_full
    go(REASON_CORE_RING_FULL, count#)
drop#:
#if (GIGABIT)
    turn1200_wait(temp, number)
    turn1200_pass(temp)
#endif
count#:                                         // the buffer is kept for the next frame, if it is still here
    alu_shf[counters, --, B, port, <<6]
    immed[temp, COUNTERS_AT]
    alu[counters, counters, +, temp]
    scratch[incr, --, counters, reason]
    br[next_frame#]
