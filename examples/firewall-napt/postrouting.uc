// A filter and post-routing microengine of the firewall: may the packet go, with which source, and out. FILTER_INDEX (weft.json) says which
// one it is of FILTERS.
//
// A flow's packets always come to the same one of these engines. Contexts take turns when they take a message (turn_in) and when they hand a
// packet on (turn_out). A packet of a connection is translated between the two, beside others. The first packet of a flow is matched with the
// rules there, too; then it waits for its turn and keeps it while it looks again whether there is a connection by now (another packet of the
// flow may have been before it), claims a port, and links the new connection. So two packets never open the same connection, and
// what a connection is made of does not change once it can be found.
#include "common/std.uc"
#include "firewall/layout.uc"
#include "firewall/reasons.uc"
#include "firewall/start.uc"
#include "ethernet/ethernet.uc"
#include "ipv4_validate/ipv4_validate.uc"
#include "ipv4_update/ipv4_update.uc"
#include "deliver/deliver.uc"
#include "conntrack/conntrack.uc"
#include "tcp_state/tcp_state.uc"
#include "napt/napt.uc"
#include "icmp_translate/icmp_translate.uc"
#include "resource/port.uc"
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

// What deliver/outcomes.uc wants to have, loaded only where a packet ends.
#macro outcome_registers()
    immed[core_list, (CORE_RING * 4)]
    immed[free_list, (FREE_RING * 4)]
    move_import(counters, i$ipv4_counters)
    move_import(within, i$buffer_bytes)
    alu[within, within, -, 1]
#endm
#define OUTCOMES_FIRST outcome_registers()

// again(in_signal): a context that has its turn gives it to itself, to go on where it is waited for.
#macro again(in_signal)
    local_csr_rd[ACTIVE_CTX_STS]
    immed[temp, 0]
    alu[temp, temp, AND, 7]
    immed[reason, (&in_signal << 3)]
    alu[temp, temp, OR, reason]
    local_csr_wr[SAME_ME_SIGNAL, temp]
#endm

// in_turn(in_reason): the end of a packet that has the turn.
#macro in_turn(in_reason)
    again(turn_out)
    end_with(in_reason, drop#)
#endm

// postrouting_port_back(): a port that was claimed in vain.
#macro postrouting_port_back()
.begin
    br_bclr[connection, ENTRY_OWNS_PORT, kept#]
    alu_shf[temp, --, B, new_pair, >>16]
    port_release(temp, class, $word, ring_sig)
kept#:
.end
#endm

// postrouting_link(): one node, under the lock of its bucket.
#macro postrouting_link()
    conntrack_lock(lock_place, lock_bit, bucket, $word, both_sig)
    conntrack_link(bucket, link, $word, ring_sig)
    conntrack_unlock(lock_place, lock_bit, $word, ring_sig)
#endm

// postrouting_meant(): next_hop, which goes to the core with the packet, becomes the destination behind the translation, or 0 without one.
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

.stage setup
    .reg frame bytes port out_port total end source destination next_hop reason temp
    .reg counters core_list free_list within
    .reg connection class pair new_source new_destination new_pair
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
    br[my_turn#]

next_packet#:
#if (FIREWALL_RULES)
    filter_paused($control, stop#)
#endif
first_packet#:
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
    signal_next(turn_in)
    firewall_packet($$w, frame, dram_sig)
    alu[next_hop, --, B, $message[3]]
    sram[read, $hop[0], next_hop, 0, 5], sig_done[ring_sig]
    alu_shf[port, 0xf, AND, $message[1], >>16]
    ld_field_w_clr[bytes, 0011, $message[1]]
    alu[connection, --, B, $message[2]]
    alu[pair, --, B, $message[4]]
    ctx_arb[dram_sig, ring_sig]
    ipv4_ttl($$w[5], expired#)
    alu_shf[total, --, B, $$w[4], >>16]
    ethernet_mtu($hop[0], total, too_big#)
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
    br=byte[class, 0, CLASS_OTHER, write#]
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
    ld_field[old, 0011, temp]
    br[write#], defer[1]
    alu[$$out[11], --, B, old]
message#:
    napt_checksum(old, new_pair, $$w[9], 1100)
    ld_field[old, 0011, $$w[9]]
    br[write#], defer[1]
    alu[$$out[11], --, B, old]
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

// ---- an ICMP error: what it quotes first, then the packet around
error#:
    .block icmp_translate
    .stage quote
    .begin
    .reg read $own[3] $other[3]
    .reg entry place sum quoted_class
    .sig own_sig
    br=byte[$$w[12], 0, 6, quoted#], defer[1]
    immed[quoted_class, CLASS_TCP]
    br=byte[$$w[12], 0, 17, quoted#], defer[1]
    immed[quoted_class, CLASS_UDP]
    br=byte[$$w[12], 0, 1, quoted#], defer[1]
    immed[quoted_class, CLASS_ICMP]
    immed[quoted_class, CLASS_OTHER]
quoted#:
    br_bset[frame, FRAME_WAS_TAGGED, tagged_quote#]
    dram[read, $$w[0], frame, 48, 4], sig_done[dram_sig]
    br[quote_asked#]
tagged_quote#:
    dram[read, $$w[1], frame, 52, 4], sig_done[dram_sig]
quote_asked#:
    alu[entry, connection, AND~, 0x1f]
    alu_shf[place, 0x20, AND, connection, <<5]
    alu[place, place, +, NODE_TUPLE]
    sram[read, $own[0], entry, place, 3], sig_done[own_sig]
    alu_shf[place, 0x20, AND~, connection, <<5]
    alu[place, place, +, NODE_TUPLE]
    sram[read, $other[0], entry, place, 3], sig_done[ring_sig]
    ctx_arb[dram_sig, own_sig, ring_sig]
    alu[new_destination, --, B, $other[0]]
    alu[new_source, --, B, $other[1]]
    alu[new_pair, --, B, $other[2]]
    icmp_requote(sum, quoted_class, total, new_destination, new_source, new_pair, $$w, $$out)
    br_bset[frame, FRAME_WAS_TAGGED, tagged_write#]
    alu[$$out[0], --, B, $$w[0]]
    dram[write, $$out[0], frame, 48, 4], sig_done[dram_sig]
    br[quote_written#]
tagged_write#:
    alu[$$out[8], --, B, $$w[8]]
    dram[write, $$out[1], frame, 52, 4], sig_done[dram_sig]
quote_written#:
    alu[new_pair, --, B, sum]                   // by how much the sum of the message grows
    ctx_arb[dram_sig]
    firewall_packet($$w, frame, behind_sig)
    // The sender keeps its address unless it is one that this direction translates.
    alu[--, new_source, -, $own[0]]
    bne[translated_source#]
    alu[new_source, --, B, source]
translated_source#:
    ctx_arb[behind_sig], br[rewrite#], defer[1]
    immed[class, CLASS_ERROR]
    .end

// ---- the first packet of a flow
new#:
    .block conntrack
    .stage new_flow
    .begin
    .reg $word $key[4]
    .reg read $node[4]
    .reg write $fields[7]
    .reg hash bucket link entry lock_place lock_bit
    .sig both_sig
    alu[new_source, --, B, source]
    alu[new_destination, --, B, destination]
    alu[new_pair, --, B, pair]
    br_bclr[connection, STAGE_FORWARDED, rules#]
    br_bset[connection, STAGE_LATER, rules#]
    alu[new_destination, --, B, pair]
    alu[temp, --, B, $$w[8]]
    dbl_shf[pair, temp, $$w[9], >>16]
    alu_shf[temp, --, B, connection, >>16]
    alu[new_pair, --, B, pair]
    ld_field[new_pair, 0011, temp]
rules#:
    br_bset[connection, STAGE_LATER, matched#]
#if (FIREWALL_RULES)
    .end
match#:
    // ---- the rules see the packet as it goes to the inside, and comes from there
    .block filter
    .stage match
    .begin
    .reg kind filter_pair
    alu_shf[kind, --, B, $$w[5], <<24]
    alu_shf[temp, 0x3f, AND, $$w[3], >>2]
    alu_shf[kind, kind, OR, temp, <<16]
    alu_shf[kind, kind, OR, port, <<3]
    alu_shf[temp, 0xf, AND, $hop[0], >>16]
    alu[kind, kind, OR, temp]
    br_bset[connection, STAGE_NEW, new_state#]
    immed[temp, (1 << 11)]
    alu[kind, kind, OR, temp]
new_state#:
    immed[filter_pair, 0]
    br=byte[$$w[5], 0, 6, with_ports#]
    br!=byte[$$w[5], 0, 17, no_ports#]
with_ports#:
    br_bset[connection, STAGE_LATER, no_ports#]
    alu[filter_pair, --, B, pair]
    ld_field[filter_pair, 0011, new_pair]
no_ports#:
    filter(source, new_destination, filter_pair, kind, table, control, control_sig, filtered#)
    .end
    br_bclr[connection, STAGE_NEW, translation#]
    .block conntrack
    .stage open
    .begin
    .reg $word $key[4]
    .reg read $node[4]
    .reg write $fields[7]
    .reg hash bucket link entry lock_place lock_bit
    .sig both_sig
#endif
matched#:
    ctx_arb[turn_out]
    // Another packet of the flow may have opened it by now.
    conntrack_hash(hash, source, destination, pair, class, $key, ring_sig)
    conntrack_bucket(bucket, hash)
    conntrack_find(link, bucket, source, destination, pair, class, $node, ring_sig, open#)
    alu_shf[temp, 0x20, AND, link, <<5]
    alu[entry, link, AND~, 0x1e]
    alu[entry, entry, -, temp]
    alu[temp, connection, AND, (1 << STAGE_LATER)]
    alu[connection, entry, OR, temp]
    again(turn_out)
    br[known#]

open#:
    br_bset[connection, STAGE_LATER, no_first#]
    // ---- the source: translated on the way out, and when a packet goes back to the inside (hairpin)
    immed[temp, FIREWALL_CONFIG]
    scratch[read, $node[0], temp, CONFIG_PUBLIC, 3], ctx_swap[ring_sig]
    alu_shf[out_port, 0xf, AND, $hop[0], >>16]
    alu[connection, connection, AND~, 0x1f]     // flags of the connection from here on
    alu[temp, --, B, $node[0]]
    beq[source_right#]
    alu[--, port, OR, 0]
    alu_shf[temp, 1, AND, $node[1], >>indirect]
    bne[source_right#]                          // it comes from outside
    alu[--, out_port, OR, 0]
    alu_shf[temp, 1, AND, $node[1], >>indirect]
    bne[translate_source#]
    alu[--, destination, -, new_destination]
    beq[source_right#]
translate_source#:
    alu[new_source, --, B, $node[0]]
    br=byte[class, 0, CLASS_OTHER, source_right#]
    alu_shf[temp, --, B, new_pair, >>16]
    port_claim(temp, class, $word, (FILTER_INDEX * 8), both_sig, answered, ring_sig, exhausted#)
    ld_field[new_pair, 1100, temp, <<16]
    alu[connection, connection, OR, (1 << ENTRY_OWNS_PORT)]
source_right#:
    alu[--, source, -, new_source]
    beq[source_same#]
    alu[connection, connection, OR, (1 << ENTRY_SOURCE_NAT)]
source_same#:
    alu[--, destination, -, new_destination]
    beq[destination_same#]
    alu[connection, connection, OR, (1 << ENTRY_DESTINATION_NAT)]
destination_same#:
    // ---- nobody else may have the tuple of the answers
    alu_shf[temp, --, B, new_pair, >>rot16]
    conntrack_hash(hash, new_destination, new_source, temp, class, $key, ring_sig)
    conntrack_bucket(bucket, hash)
    conntrack_find(link, bucket, new_destination, new_source, temp, class, $node, ring_sig, unique#)
    postrouting_port_back()
    .drop not_translated
    in_turn(REASON_NOT_TRANSLATED)
unique#:
    immed[temp, (FREE_ENTRY_RING * 4)]
    scratch[get, $node[0], temp, 0, 1], ctx_swap[ring_sig]
    alu[entry, --, B, $node[0]]
    bne[have_entry#]
    postrouting_port_back()
    .drop connection_table_full
    in_turn(REASON_CONNECTION_TABLE_FULL)
have_entry#:
    // ---- both nodes, then the rest
    alu[$fields[0], --, B, source]
    alu[$fields[1], --, B, destination]
    alu[$fields[2], --, B, pair]
    immed[$fields[3], 0]
    immed[$fields[4], 0]
    immed[$fields[5], 0]
    immed[$fields[6], 0]
    br!=byte[class, 0, CLASS_TCP, no_windows#]
    .begin
    .reg seq tcp_end
    alu[temp, --, B, $$w[9]]
    dbl_shf[seq, temp, $$w[10], >>16]
    alu_shf[temp, 0x3c, AND, $$w[11], >>10]
    alu[tcp_end, total, -, (IPV4_HEADER_BYTES - 1)]    // the SYN counts
    alu[tcp_end, tcp_end, -, temp]
    alu[tcp_end, tcp_end, +, seq]
    alu_shf[temp, --, B, $$w[12], >>16]
    tcp_opened(seq, tcp_end, temp, $fields[3], $fields[4], $fields[5], $fields[6])
    .end
no_windows#:
    sram[write, $fields[0], entry, NODE_TUPLE, 7], ctx_swap[ring_sig]
    alu[$fields[0], --, B, new_destination]
    alu[$fields[1], --, B, new_source]
    alu_shf[$fields[2], --, B, new_pair, >>rot16]
    immed[$fields[3], 0]
    immed[$fields[4], 0]
    immed[$fields[5], 0]
    immed[$fields[6], 0]
    sram[write, $fields[0], entry, (ENTRY_REPLY_NODE + NODE_TUPLE), 7], ctx_swap[ring_sig]
    // state 1, flags, and the scale that its SYN offers
    immed[temp, 0x0100, <<16]
    alu[temp, temp, OR, (1 << ENTRY_CONFIRMED)]
    alu[lock_bit, connection, AND, 0x1c]
    alu[temp, temp, OR, lock_bit]
    br_bclr[connection, STAGE_SCALE_OFFERED, no_scale#]
    alu[temp, temp, OR, (1 << ENTRY_SCALE_ORIGINAL)]
    alu_shf[lock_bit, 0xf, AND, connection, >>STAGE_SCALE]
    alu_shf[temp, temp, OR, lock_bit, <<20]
no_scale#:
    alu[$fields[0], --, B, temp]
    immed[temp, FIREWALL_RUNNING]
    scratch[read, $node[0], temp, RUNNING_NOW, 1], ctx_swap[ring_sig]
    immed[temp, (FIREWALL_CONFIG + CONFIG_TIMEOUTS)]
    // time-outs 1 (SYN_SENT), 10 (UDP), 12, 13
    alu[lock_bit, class, +, (TIMEOUT_ICMP - CLASS_ICMP)]
    br=byte[class, 0, CLASS_ICMP, timeout#]
    br=byte[class, 0, CLASS_OTHER, timeout#]
    immed[lock_bit, TIMEOUT_UDP]
    br=byte[class, 0, CLASS_UDP, timeout#]
    immed[lock_bit, TCP_SYN_SENT]
timeout#:
    alu_shf[lock_bit, --, B, lock_bit, <<2]
    scratch[read, $node[1], temp, lock_bit, 1], ctx_swap[ring_sig]
    alu[temp, --, B, $node[0]]
    alu[$fields[1], temp, +, $node[1]]
    alu_shf[temp, --, B, $$w[5], <<24]
    alu_shf[temp, temp, OR, port, <<16]
    alu[$fields[2], temp, OR, FILTER_INDEX]
    immed[$fields[3], 1]                        // it lives
    immed[$fields[4], 1]                        // packets
    immed[$fields[5], 0]
    sram[write, $fields[0], entry, ENTRY_STATE, 6], ctx_swap[ring_sig]
    // ---- and now it is found
    alu_shf[link, entry, OR, class, <<1]
    alu[link, link, +, (ENTRY_REPLY_NODE + 1)]
    postrouting_link()
    conntrack_hash(hash, source, destination, pair, class, $key, ring_sig)
    conntrack_bucket(bucket, hash)
    alu_shf[link, entry, OR, class, <<1]
    postrouting_link()
    immed[temp, FIREWALL_RUNNING]
    scratch[incr, --, temp, RUNNING_CREATED]
    immed[connection, 0]                        // the original direction
    again(turn_out)
    br[rewrite#]

exhausted#:
    .drop ports_exhausted
    in_turn(REASON_PORTS_EXHAUSTED)
no_first#:
    .drop fragment_lost
    in_turn(REASON_FRAGMENT_LOST)
    .end

#if (FIREWALL_RULES)
    .block link
    .stage receive
nothing#:
    filter_paused($control, stop_in_turn#)
    br[my_turn#]
stop_in_turn#:
    signal_next(turn_in)
    ctx_arb[turn_out]                           // behind this all packets of contexts before have been handed on
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

// The core must know for whom a packet is once it is translated: it answers some, and sends others on. One that is too big for
// its next hop is the core's when it must not be fragmented; the core would fragment it untranslated.
expired#:
    postrouting_meant()
    br[ttl#]
too_big#:
    br_bclr[$$w[5], 30, fragmented#]
    postrouting_meant()
    br[mtu#]
fragmented#:
    .drop not_translated
    end_with(REASON_NOT_TRANSLATED, drop#)

    .block deliver
    .stage hand_on
#include "deliver/outcomes.uc"
