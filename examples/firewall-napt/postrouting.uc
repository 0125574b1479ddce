// A filter and post-routing microengine of the firewall: may the packet go, with which source, and out. FILTER_INDEX (weft.json) says which
// one it is of FILTERS.
//
// A flow's packets always come to the same one of these engines. Contexts take turns when they take a message (turn_in) and when they hand a
// packet on (turn_out). Between the two packets are matched with the rules, open connections, and are translated, beside others.
//
// Two packets of a new flow may not both open it, whichever end sends them: both directions have the same hash and come to the same engine. Who takes a packet
// of a new flow notes eight bits of that hash in the CAM, in the entry of
// its context; when another one has them there already, the packet waits until it has the turn to hand on: then all that came before it
// are done, and it finds the connection that they have opened, or opens it. It looks in any case: a connection may have been
// opened between pre-routing and here. What a connection is made of does not change once it can be found. Flows that only meet once they are translated
// have other hashes: so a node is linked only when its tuple is still free, under the lock of its bucket.
#include "common/std.uc"
#include "firewall/layout.uc"
#include "firewall/reasons.uc"
#include "firewall/start.uc"
#include "ethernet/ethernet.uc"
#include "ipv4_validate/ipv4_validate.uc"
#include "ipv4_ttl/ipv4_ttl.uc"
#include "deliver/deliver.uc"
#include "conntrack/conntrack.uc"
#include "tcp_state/tcp_state.uc"
#include "napt/napt.uc"
#include "icmp_translate/icmp_translate.uc"
#include "mapping/mapping.uc"
#ifndef FIREWALL_RULES
#define FIREWALL_RULES 1                // 0: what is new is let through
#endif
#if (FIREWALL_RULES)
#include "filter/filter.uc"
.import_var i$filter_control
#endif

#ifndef FILTER_INDEX
#define FILTER_INDEX 0
#endif
#if (FILTER_INDEX == 0)
#define IN_RING FILTER_RING_0
#elif (FILTER_INDEX == 1)
#define IN_RING FILTER_RING_1
#else
#define IN_RING FILTER_RING_2
#endif
#define OUTCOMES_IPV6 0
#define CLASS_ERROR 4
#define WAITS_TOO_BIG 31                // bit of `waits`: longer than the next hop takes, and may be fragmented

// What deliver/outcomes.uc wants to have, loaded only where a packet ends.
#macro outcome_registers()
    immed[core_list, (CORE_RING * 4)]
    immed[free_list, (FREE_RING * 4)]
    move_import(counters, i$ipv4_counters)
    move_import(within, i$buffer_bytes)
    alu[within, within, -, 1]
#endm
#define OUTCOMES_FIRST outcome_registers()
#include "opening_macros.uc"

// postrouting_meant(): next_hop, which goes to the core with the packet, becomes the destination after the translation, or 0 without one.
#macro postrouting_meant()
.begin
    .reg entry
    br_bset[connection, STAGE_NEW, not_yet#], defer[1]
    immed[next_hop, 0]
    alu[entry, connection, AND~, 0x1f]
    beq[none#]
    alu_shf[temp, 0x20, AND~, connection, <<5]
    alu[temp, temp, +, NODE_TUPLE]
    sram[read, $message[0], entry, temp, 1], ctx_swap[ring_sig]
    br[none#], defer[1]
    alu[next_hop, --, B, $message[0]]
not_yet#:
    br_bclr[connection, STAGE_FORWARDED, none#]
    br_bset[connection, STAGE_LATER, none#]
    alu[next_hop, --, B, pair]
none#:
.end
#endm

// napt_ports(): longwords 8 and 9 with the new destination and ports; sum grows by what the ports do.
#macro napt_ports()
    dbl_shf[$$out[10], new_destination, new_pair, >>16]
    alu_shf[temp, --, B, $$w[9], <<16]
    dbl_shf[$$out[11], new_pair, temp, >>16]
    alu[temp, --, B, $$w[8]]
    dbl_shf[old, temp, $$w[9], >>16]
    napt_sum_words(sum, old, new_pair)
#endm

.import_var i$ipv4_counters i$buffer_bytes

.block firewall
.stage setup
    .reg frame bytes port out_port total end source destination next_hop reason temp
    .reg counters core_list free_list within
    .reg connection class pair new_source new_destination new_pair waits
#if (FIREWALL_RULES)
    .reg control table switches
    .reg read $control[2]
    .sig control_sig
#endif
    .reg read $message[5] $hop[5]
    .reg write $out[4]
    .reg read $$w[15]
    .reg write $$out[16]
    .set_rd $$w                                 // of a frame with a tag longword 0 is not read
    .sig volatile turn_in turn_out answered
    .sig ring_sig dram_sig behind_sig

#if (FIREWALL_RULES)
    move_import(control, i$filter_control)
    immed[temp, FIREWALL_CONFIG]
    scratch[read, $message[0], temp, CONFIG_SWITCHES, 1], ctx_swap[ring_sig]
    alu[switches, --, B, $message[0]]
#endif
    br!=ctx[0, first_packet#]
    signal_context(turn_out, 0)
    cam_clear
    br[my_turn#]

next_packet#:
#if (FIREWALL_RULES)
    filter_paused($control, stop#)
#endif
first_packet#:
    .block link
    .stage receive
    ctx_arb[turn_in]
my_turn#:
    immed[temp, (IN_RING * 4)]
#if (FIREWALL_RULES)
    scratch[get, $message[0], temp, 0, STAGE_LONGWORDS], sig_done[ring_sig]
    filter_ask($control, control, control_sig)
    ctx_arb[ring_sig, control_sig]
    alu[frame, --, B, $message[0]]
    beq[nothing#]
#if (FILTER_STORE != FILTER_COMPILED)
    filter_table(table, $control)
#endif
#else
    scratch[get, $message[0], temp, 0, STAGE_LONGWORDS], ctx_swap[ring_sig]
    alu[frame, --, B, $message[0]]
    beq[my_turn#]
#endif
    br_bclr[$message[2], STAGE_NEW, taken#], defer[1]
    immed[waits, 0]
    postrouting_opens()
taken#:
    signal_next(turn_in)
    firewall_packet($$w, frame, dram_sig)
    alu[next_hop, --, B, $message[3]]
    sram[read, $hop[0], next_hop, 0, 5], sig_done[ring_sig]
    alu_shf[port, 0xf, AND, $message[1], >>16]
    ld_field_w_clr[bytes, 0011, $message[1]]
    alu[connection, --, B, $message[2]]
    alu[pair, --, B, $message[4]]
    ctx_arb[dram_sig, ring_sig]
    .block ipv4_validate
    .stage validate
    ipv4_ttl($$w[5], expired#)
    alu_shf[total, --, B, $$w[4], >>16]
    ethernet_mtu($hop[0], total, too_big#)
fits#:
    ipv4_addresses(source, destination, $$w[6], $$w[7], $$w[8])
    br=byte[$$w[5], 0, 6, class_known#], defer[1]
    immed[class, CLASS_TCP]
    br=byte[$$w[5], 0, 17, class_known#], defer[1]
    immed[class, CLASS_UDP]
    br=byte[$$w[5], 0, 1, class_known#], defer[1]
    immed[class, CLASS_ICMP]
    immed[class, CLASS_OTHER]
class_known#:
    br_bset[connection, STAGE_NEW, new#]
    br_bset[connection, STAGE_ERROR, error#]
known#:
    .block napt
    .stage translation
    .begin
    .reg read $to[3]
    .reg entry place
    alu[entry, connection, AND~, 0x1f]
    beq[untracked#]
    alu_shf[place, 0x20, AND~, connection, <<5]
    alu[place, place, +, NODE_TUPLE]
    sram[read, $to[0], entry, place, 3], sig_done[ring_sig]
    alu_shf[place, 4, AND, connection, <<2]
    alu[place, place, +, ENTRY_PACKETS]
    sram[incr, --, entry, place]
    ctx_arb[ring_sig]
    alu[new_destination, --, B, $to[0]]
    alu[new_source, --, B, $to[1]]
    alu_shf[new_pair, --, B, $to[2], >>rot16]
    .end
#if (FIREWALL_RULES)
    br_bset[switches, SWITCH_FORCE_MATCH, match#]
translation#:
#endif
    br_bclr[connection, STAGE_LATER, rewrite#]
    immed[class, CLASS_OTHER]                   // no ports here

// ---- the header
rewrite#:
    .stage rewrite
    .begin
    .reg word6 sum high old
    ipv4_update($$out[7], word6, $$w[5], $$w[6])
    alu[$$out[5], --, B, $$w[3]]
    alu[$$out[6], --, B, $$w[4]]
    alu[--, source, -, new_source]
    bne[translate#]
    alu[--, destination, -, new_destination]
    bne[translate#]
    alu[--, class, -, CLASS_ERROR]
    beq[translate#]
    alu[$$out[8], --, B, word6]
    alu[$$out[9], --, B, $$w[7]]
    ethernet_encapsulate(frame, end, total, $hop, $$out, dram_sig)
    ctx_arb[dram_sig, turn_out], br[hand_on#]

translate#:
    napt_sum_addresses(sum, source, destination, new_source, new_destination)
    .begin
    .reg address
    napt_checksum(address, sum, word6, 1100)
    ld_field[address, 0011, new_source, >>16]
    alu[$$out[8], --, B, address]
    .end
    dbl_shf[$$out[9], new_source, new_destination, >>16]
    alu[$$out[12], --, B, $$w[10]]
    alu[$$out[13], --, B, $$w[11]]
    alu[$$out[14], --, B, $$w[12]]
    alu[$$out[15], --, B, $$w[13]]
    br=byte[class, 0, CLASS_TCP, tcp#]
    br=byte[class, 0, CLASS_UDP, udp#]
    // no ports: longwords 8 and 9 keep what follows the addresses
    alu_shf[temp, --, B, $$w[8], <<16]
    dbl_shf[$$out[10], new_destination, temp, >>16]
    alu[$$out[11], --, B, $$w[9]]
    br=byte[class, 0, CLASS_OTHER, other#]
    br=byte[class, 0, CLASS_ERROR, message#]
    // an ICMP identifier: of a query the upper half, of an answer the lower half of the ports
    br_bset[connection, 0, answer#], defer[1]
    ld_field_w_clr[temp, 0011, new_pair]
    alu_shf[temp, --, B, new_pair, >>16]
answer#:
    immed[high, 0]
    ld_field_w_clr[old, 0011, $$w[9]]
    napt_sum_words(high, old, temp)
    napt_checksum(old, high, $$w[9], 1100)
    ld_field[old, 0011, temp], load_cc
    bne[write#], defer[1]
    alu[$$out[11], --, B, old]
    // Checksum and identifier are 0. When type and code are, too (an echo reply), the whole message may be, and of that ffff is right (RFC 1624 3). When it is
    // not, ffff is as good: the receiver's sum is the same.
    alu_shf[--, --, B, $$w[8], <<16]
    bne[write#]
    immed[old, 0xffff, <<16]
    br[write#], defer[1]
    alu[$$out[11], --, B, old]
message#:
    napt_checksum(old, new_pair, $$w[9], 1100)
    ld_field[old, 0011, $$w[9]]
    br[write#], defer[1]
    alu[$$out[11], --, B, old]
other#:
    // The checksums of UDP-Lite and DCCP have the addresses in them; both stand where that of UDP does (RFC 3828 3.1, RFC 4340 5.1).
    br=byte[$$w[5], 0, 136, pseudo_header#]
    br!=byte[$$w[5], 0, 33, write#]
pseudo_header#:
    br_bset[connection, STAGE_LATER, write#]
    alu[--, total, -, (IPV4_HEADER_BYTES + 8)]
    blo[write#]
    napt_checksum(high, sum, $$w[10], 1100)
    br=byte[$$w[5], 0, 33, checksum_there#]
    napt_udp_checksum(high)
checksum_there#:
    ld_field[high, 0011, $$w[10]]
    br[write#], defer[1]
    alu[$$out[12], --, B, high]
tcp#:
    napt_ports()
    napt_checksum(high, sum, $$w[12], 0011)
    alu[temp, --, B, $$w[12]]
    ld_field[temp, 0011, high, >>16]
    br[write#], defer[1]
    alu[$$out[14], --, B, temp]
udp#:
    napt_ports()
    alu_shf[--, --, B, $$w[10], >>16]
    beq[write#]                                 // no checksum: none behind, either
    napt_checksum(high, sum, $$w[10], 1100)
    napt_udp_checksum(high)
    ld_field[high, 0011, $$w[10]]
    alu[$$out[12], --, B, high]
write#:
    br_bset[frame, FRAME_WAS_TAGGED, tagged#]
    dram[write, $$out[10], frame, 32, 3], sig_done[behind_sig]
    br[written#]
tagged#:
    dram[write, $$out[9], frame, 28, 3], sig_done[behind_sig]
written#:
    ethernet_encapsulate(frame, end, total, $hop, $$out, dram_sig)
    ctx_arb[dram_sig, behind_sig, turn_out]     // nobody may see the frame before its header is in memory
    .end

hand_on#:
    .block deliver
    .stage hand_on
    br_bset[waits, WAITS_TOO_BIG, to_fragments#]
    alu_shf[out_port, 0xf, AND, $hop[0], >>16]
    alu[$out[0], --, B, frame]
    alu_shf[$out[1], end, OR, port, <<16]
    alu[temp, out_port, +, TRANSMIT_RING]
    alu_shf[temp, --, B, temp, <<2]
    branch_if_transmit_full(out_port, no_room#)
    scratch[put, $out[0], temp, 0, MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig], br[next_packet#]
no_room#:
    outcome_registers()
    br[transmit_full#]

// Translated and ready to leave, but longer than its next hop takes: the core cuts it into pieces (RFC 4787 REQ-13).
to_fragments#:
    .exception to_fragment
    outcome_registers()
    immed[reason, REASON_TO_FRAGMENT]
    alu[$out[0], --, B, frame]
    alu_shf[$out[1], end, OR, port, <<16]
    alu[$out[2], --, B, reason]
    alu[$out[3], --, B, next_hop]
    br_inp_state[SCR_RING9_STATUS, core_full#]
    scratch[put, $out[0], core_list, 0, CORE_MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig]
    cap[fast_wr, 0, XSCALE_INT_A]
    count_packet(reason, port, counters)
    br[next_packet#]

#include "quote.uc"
#include "opening.uc"

#if (FIREWALL_RULES)
    .block link
    .stage receive
nothing#:
    filter_paused($control, stop_in_turn#)
    br[my_turn#]
stop_in_turn#:
    signal_next(turn_in)
    ctx_arb[turn_out]                           // after this all packets of contexts before have been handed on
    signal_next(turn_out)
stop#:
    filter_stop(control)
#endif

    .block deliver
    .stage hand_on
filtered#:
    .drop filtered
    end_with(REASON_FILTERED, drop#)
untracked#:
    .drop invalid_state
    end_with(REASON_INVALID_STATE, drop#)

// The core must know for whom a packet is once it is translated: it answers some. One that is too big for its next hop is answered
// when it must not be fragmented; else it goes the way of others, and to the core after its translation.
expired#:
    postrouting_meant()
    br[ttl#]
too_big#:
    br_bclr[$$w[5], 30, fits#], defer[1]
    alu_shf[waits, waits, OR, 1, <<WAITS_TOO_BIG]
    postrouting_meant()
    br[mtu#]

    .block deliver
    .stage hand_on
#include "deliver/outcomes.uc"
