// The pre-routing microengine of the firewall: is this a packet that may be forwarded, which connection does it belong to, what does it do
// to its state, and where does it go once it is translated.
//
// Contexts take turns three times: when they take a message (turn_in), when they ask for their connection (turn_track), and when they
// hand the packet on (turn_out). All packets pass this one engine, so who asks for a connection first had its packet first; a
// connection's state is read and written by whoever holds its lock (guard), in that order, while packets of other connections
// are worked on beside it. Nobody else writes it once the connection is open.
#include "common/std.uc"
#include "firewall/layout.uc"
#include "firewall/reasons.uc"
#include "firewall/start.uc"
#include "ethernet/ethernet.uc"
#include "ipv4_validate/ipv4_validate.uc"
#include "deliver/deliver.uc"
#include "guard/guard.uc"
#include "conntrack/conntrack.uc"
#include "tcp_state/tcp_state.uc"
#include "fragments/fragments.uc"
#include "icmp_translate/icmp_translate.uc"

#define OUTCOMES_IPV6 0
// What deliver/outcomes.uc wants to have, loaded only where a packet ends: registers are few here.
#macro outcome_registers()
    immed[core_list, (CORE_RING * 4)]
    immed[free_list, (FREE_RING * 4)]
    move_import(counters, i$ipv4_counters)
    move_import(within, i$buffer_bytes)
    alu[within, within, -, 1]
#endm
// Who leaves before its second turn still takes it.
#define OUTCOMES_FIRST prerouting_turn()
#macro prerouting_turn()
    outcome_registers()
    alu[--, --, B, tracked]
    bne[passed#]
    ctx_arb[turn_track]
    signal_next(turn_track)
passed#:
#endm

// again(in_signal): a context that has its turn gives it to itself, to go on where it is waited for.
#macro again(in_signal)
    alu[temp, guard_me, AND, 7]
    immed[reason, (&in_signal << 3)]
    alu[temp, temp, OR, reason]
    local_csr_wr[SAME_ME_SIGNAL, temp]
#endm

#include "segment.uc"

.import_var i$ipv4_config i$ipv4_counters i$buffer_bytes

.block firewall
.stage setup
    .reg frame bytes port total source destination next_hop reason temp
    .reg counters core_list free_list within
    .reg pair class link flags now tracked engine origin
    .reg $frame_in $where_in
    .xfer_order $frame_in $where_in
    .reg read $now
    .reg write $out[5]
    .reg read $$w[15]
    .sig volatile turn_in turn_track turn_out granted
    .sig ring_sig dram_sig

    guard_registers()
    br!=ctx[0, next_packet#]
    move_import(temp, i$ipv4_config)
    ethernet_configure(temp, ring_sig)
    firewall_configure(ring_sig)
    tcp_transitions_open()
    guard_open()
    signal_context(turn_out, 0)
    nop
    signal_context(turn_track, 0)
    br[my_turn#]

next_packet#:
    .block link
    .stage receive
    ctx_arb[turn_in]
my_turn#:
    immed[temp, (PREROUTING_RING * 4)]
    scratch[get, $frame_in, temp, 0, MESSAGE_LONGWORDS], ctx_swap[ring_sig]
    alu[frame, --, B, $frame_in]
    beq[my_turn#]                               // the ring is empty: keep the turn and ask again
    signal_next(turn_in)
    dram[read, $$w[0], frame, 0, 7], sig_done[dram_sig]
    immed[temp, FIREWALL_RUNNING]
    scratch[read, $now, temp, RUNNING_NOW, 1], sig_done[ring_sig]
    alu_shf[port, 0xf, AND, $where_in, >>16]
    alu_shf[temp, --, B, port, <<PORT_CONFIG_LOG2]
    local_csr_wr[ACTIVE_LM_ADDR_0, temp]
    ld_field_w_clr[bytes, 0011, $where_in]
    immed[tracked, 0]
    immed[flags, 0]
    ctx_arb[dram_sig, ring_sig]
    alu[now, --, B, $now]

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

// ---- the tuple
    .block conntrack
    .stage tuple
    immed[temp, 0x1fff]
    alu_shf[--, temp, AND, $$w[5], >>16]
    bne[later_fragment#]
    br=byte[$$w[5], 0, 6, tcp#], defer[1]
    immed[class, CLASS_TCP]
    br=byte[$$w[5], 0, 17, udp#], defer[1]
    immed[class, CLASS_UDP]
    br=byte[$$w[5], 0, 1, icmp#], defer[1]
    immed[class, CLASS_ICMP]
    immed[class, CLASS_OTHER]
    alu[pair, $$w[5], AND, 0xff]
    alu_shf[temp, --, B, pair, <<16]
    br[have_ports#], defer[1]
    alu[pair, pair, OR, temp]
tcp#:
    alu[--, total, -, (IPV4_HEADER_BYTES + 20)]
    blo[short#]
udp#:
    alu[--, total, -, (IPV4_HEADER_BYTES + 8)]
    blo[short#]
    alu[temp, --, B, $$w[8]]
    dbl_shf[pair, temp, $$w[9], >>16]
have_ports#:
    br_bset[$$w[5], 29, first_fragment#], defer[1]
    immed[origin, 0]                            // bit 0: no first fragment
find#:
    .stage find
    .begin
    .reg $key[4] hash bucket
    .reg read $node[4]
    conntrack_hash(hash, source, destination, pair, class, $key, ring_sig)
    conntrack_bucket(bucket, hash)
    conntrack_find(link, bucket, source, destination, pair, class, $node, ring_sig, miss#)
    .end
    alu[temp, --, B, link]
    alu[link, temp, AND~, 0x1e]                 // the node and the direction
    br_bset[flags, STAGE_ERROR, untouched#]
    br=byte[$$w[5], 1, 0, untouched#]           // a packet that ends here changes nothing
    br=byte[$$w[5], 1, 1, untouched#]
    .block guard
    .stage enter
    ctx_arb[turn_track]
    guard_enter(link, granted, wait#)
    signal_next(turn_track)
    br[mine#], defer[1]
    immed[tracked, 1]
wait#:
    signal_next(turn_track)
    immed[tracked, 1]
    ctx_arb[granted]
mine#:
    br_bset[flags, STAGE_LATER, other_class#]
    br!=byte[class, 0, CLASS_TCP, other_class#]

// ---- TCP: state and windows
    .block tcp_state
    .stage windows
    .begin
    .reg read $own[4] $tuple[3] $other[4] $entry[3]
    .xfer_order_rd $tuple $other
    .reg write $own_out[4] $other_out[4] $state_out[2]
    .reg entry place seq end ack sack window state segment words old_state
    .sig own_sig other_sig entry_sig
    alu[entry, link, AND~, 1]
    alu_shf[place, 0x20, AND, link, <<5]
    alu[entry, entry, -, place]
    sram[read, $entry[0], entry, ENTRY_STATE, 3], sig_done[entry_sig]
    alu[place, place, +, NODE_WINDOW]
    sram[read, $own[0], entry, place, 4], sig_done[own_sig]
    alu_shf[place, 0x20, AND~, link, <<5]
    alu[place, place, +, NODE_TUPLE]
    sram[read, $tuple[0], entry, place, 7], sig_done[other_sig]
    immed[temp, LM_CONFIG]
    local_csr_wr[ACTIVE_LM_ADDR_0, temp]
    segment_words(bad_words#)
    alu[sack, --, B, ack]
    ctx_arb[own_sig, other_sig, entry_sig]
    alu[destination, --, B, $tuple[0]]
    alu[temp, --, B, $entry[2]]
    alu[engine, temp, AND, 3]
    alu_shf[engine, --, B, engine, <<8]
    alu_shf[old_state, --, B, $entry[0], >>24]
    tcp_transition(state, old_state, segment, link)
    alu[--, state, -, TCP_PASS]
    beq[leave#]
    bhs[bad_segment#]
    alu_shf[temp, --, B, words, >>12]
    alu[--, temp, -, 5]
    bne[options_there#], defer[1]
    immed[place, 0]                             // the options of a SYN
options_read#:
    br_bset[words, TCP_SYN, syn_segment#]
    br_bset[link, 0, reply_scale#], defer[1]
    alu_shf[temp, 0xf, AND, $entry[0], >>16]
    alu_shf[temp, 0xf, AND, $entry[0], >>20]
reply_scale#:
    alu[temp, temp, OR, 0]
    alu_shf[window, --, B, window, <<indirect]
windows#:
    tcp_windows(seq, end, ack, sack, window, segment, old_state, words, *l$index0[2], $own, $other, $own_out, $other_out, leave#, bad_segment#)
tracked#:
    br_bclr[origin, 0, not_first#]
    alu[temp, origin, AND~, 1]
    fragment_judged(temp, FRAGMENT_COUNTS, $out[0], ring_sig)
not_first#:
    alu[temp, --, B, $entry[0]]
    br_bset[words, TCP_SYN, syn_scales#]
scaled#:
    ld_field[temp, 1000, state, <<24]
    br_bclr[link, 0, from_original#]
    alu[temp, temp, OR, (1 << ENTRY_REPLIED)]
from_original#:
    alu[--, state, -, TCP_ESTABLISHED]
    bne[not_assured#]
    alu[temp, temp, OR, (1 << ENTRY_ASSURED)]
not_assured#:
    alu[$state_out[0], --, B, temp]
    alu_shf[temp, --, B, state, <<2]
    alu[temp, temp, +, LM_TIMEOUTS]
    local_csr_wr[ACTIVE_LM_ADDR_1, temp]
    alu_shf[place, 0x20, AND, link, <<5]
    alu[place, place, +, NODE_WINDOW]
    sram[write, $own_out[0], entry, place, 4], sig_done[own_sig]
    alu_shf[place, 0x20, AND~, link, <<5]
    alu[place, place, +, NODE_WINDOW]
    sram[write, $other_out[0], entry, place, 4], sig_done[other_sig]
    alu[$state_out[1], now, +, *l$index1[0]]
    // Race: the resource engine reads the time meanwhile, a longword of its own (resource_time says why that is right). The rest is this engine's, under
    // the connection's lock, from when a bucket leads to it.
    sram[write, $state_out[0], entry, ENTRY_STATE, 2], sig_done[entry_sig]
    ctx_arb[own_sig, other_sig, entry_sig], br[leave#]

bad_words#:
    ctx_arb[own_sig, other_sig, entry_sig], br[bad_segment#]

options_there#:
    segment_options(sack, place)
    br_bset[words, TCP_ACK, options_read#]
    br[options_read#], defer[1]
    alu[sack, --, B, ack]

syn_segment#:
    // A SYN of the original direction after TIME_WAIT or CLOSE begins the connection anew.
    alu[--, segment, -, TCP_CLASS_SYN]
    bne[windows#]
    alu[--, old_state, -, TCP_TIME_WAIT]
    beq[reopen#]
    alu[--, old_state, -, TCP_CLOSE]
    bne[windows#]
reopen#:
    tcp_opened(seq, end, window, $own_out[0], $own_out[1], $own_out[2], $own_out[3])
    immed[$other_out[0], 0]
    immed[$other_out[1], 0]
    immed[$other_out[2], 0]
    immed[$other_out[3], 0]
    br[tracked#]

syn_scales#:
    // The scale counts when both SYNs offer one; of SYNs that come again the first.
    br_bset[link, 0, reply_scales#]
    alu[--, segment, -, TCP_CLASS_SYN]
    bne[scaled#]
    alu[--, state, -, TCP_SYN_SENT]
    bne[scaled#]
    alu[--, old_state, -, TCP_SYN_SENT]
    bne[opened_scale#]                          // opened anew
    alu[--, $own[0], -, end]
    bpl[scaled#]
opened_scale#:
    immed[temp, 0xff3c]                         // all but both scales and the flags of what has come since
    immed_w1[temp, 0xff00]
    alu[temp, temp, AND, $entry[0]]
    br_bclr[place, 0, scaled#]
    alu[temp, temp, OR, (1 << ENTRY_SCALE_ORIGINAL)]
    alu_shf[place, 0xf, AND, place, >>1]
    br[scaled#], defer[1]
    alu_shf[temp, temp, OR, place, <<20]
reply_scales#:
    alu[--, --, B, $own[2]]
    bne[scaled#]
    br_bclr[place, 0, no_scale#]
    br_bclr[temp, ENTRY_SCALE_ORIGINAL, scaled#]
    alu[temp, temp, OR, (1 << ENTRY_SCALE_REPLY)]
    alu_shf[place, 0xf, AND, place, >>1]
    br[scaled#], defer[1]
    alu_shf[temp, temp, OR, place, <<16]
no_scale#:
    alu_shf[place, --, B, 0xf, <<20]
    br[scaled#], defer[1]
    alu[temp, temp, AND~, place]
    .end

bad_segment#:
    br_bclr[origin, 0, refused#]
    alu[temp, origin, AND~, 1]
    fragment_judged(temp, FRAGMENT_REFUSED, $out[0], ring_sig)
refused#:
    guard_leave(link, granted)
    .drop invalid_state
    end_with(REASON_INVALID_STATE, drop#)

// ---- other protocols: one way or both ways
other_class#:
    .block conntrack
    .stage refresh
    .begin
    .reg read $entry[3]
    .reg write $state_out[2]
    .reg entry value
    connection_read()
    br_bset[flags, STAGE_LATER, later_end#]
    alu[value, --, B, $entry[0]]
    br_bclr[link, 0, one_way#]
    alu[value, value, OR, (1 << ENTRY_REPLIED)]
    immed[temp, 2]
    ld_field[value, 1000, temp, <<24]
one_way#:
    alu[$state_out[0], --, B, value]
    alu[temp, class, +, (TIMEOUT_ICMP - CLASS_ICMP)]
    br!=byte[class, 0, CLASS_UDP, timeout#]
    alu_shf[temp, 1, AND, value, >>ENTRY_REPLIED]
    alu[temp, temp, +, TIMEOUT_UDP]
timeout#:
    alu_shf[temp, --, B, temp, <<2]
    alu[temp, temp, +, LM_TIMEOUTS]
    local_csr_wr[ACTIVE_LM_ADDR_1, temp]
    nop
    nop
    nop
    alu[$state_out[1], now, +, *l$index1[0]]
    // Race: with the resource engine's look at the time, as for TCP.
    sram[write, $state_out[0], entry, ENTRY_STATE, 2], ctx_swap[ring_sig]
    br[leave#]

later_end#:
    // A later fragment of a segment goes by what the windows said of the first one, which had this lock before: with one that was refused it is dropped too,
    // and only with one that counted the sender's end is at least where it ends. Else whoever knows a connection's addresses and ports could move the end to
    // any number, without knowing one.
    br!=byte[class, 0, CLASS_TCP, leave#]
    sram[read, $entry[0], total, FRAGMENT_VERDICT, 1], ctx_swap[ring_sig]
    alu[temp, --, B, $entry[0]]
    beq[leave#]
    br=byte[temp, 0, FRAGMENT_REFUSED, refused#]
    immed[temp, LM_CONFIG]
    local_csr_wr[ACTIVE_LM_ADDR_0, temp]
    alu[value, link, AND~, 1]
    sram[read, $entry[0], value, NODE_WINDOW, 2], ctx_swap[ring_sig]
    br_bclr[*l$index0[2], SWITCH_STRICT_WINDOW, end_right#]
    alu[temp, $entry[1], -, origin]             // test a, of the segment as far as this fragment
    bmi[refused#]
end_right#:
    alu[--, origin, -, $entry[0]]
    bmi[leave#]
    alu[$state_out[0], --, B, origin]
    sram[write, $state_out[0], value, NODE_WINDOW, 1], ctx_swap[ring_sig]
    .end
leave#:
    .block guard
    .stage leave
    guard_leave(link, granted)
    br[send#]

// ---- found, and it changes nothing: an ICMP error, or a packet whose time to live is over
untouched#:
    .block conntrack
    .stage untouched
    .begin
    .reg read $entry[3]
    .reg entry
    connection_read()
    .end
    ctx_arb[turn_track]
    signal_next(turn_track)
    br[send#], defer[1]
    immed[tracked, 1]

#include "new_flow.uc"

// ---- to the routing engine
send#:
    .block deliver
    .stage hand_on
    br_bclr[link, 0, hand_on#]
    alu[link, link, -, ENTRY_REPLY_NODE]
hand_on#:
    alu[$out[0], --, B, frame]
    alu_shf[temp, bytes, OR, port, <<16]
    alu_shf[$out[1], temp, OR, engine, <<20]
    alu[$out[2], link, OR, flags]
    alu[$out[3], --, B, destination]
    alu[$out[4], --, B, pair]
    immed[temp, (ROUTING_RING * 4)]
    ctx_arb[turn_out]
    br_inp_state[SCR_RING2_STATUS, stage_full#]
    scratch[put, $out[0], temp, 0, STAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig], br[next_packet#]

stage_full#:
    .drop filter_ring_full
    signal_next(turn_out)
    outcome_registers()
    end_with(REASON_FILTER_RING_FULL, count_drop#)

#include "errors_and_fragments.uc"

offset_1#:
    .block ipv4_validate
    .stage validate
    br!=byte[$$w[5], 0, 6, offset_right#]       // RFC 1858 3.2: of TCP it could replace flags that have been looked at
    ipv4_fragment_check($$w[5], fragment#)
    br[offset_right#]

invalid_state#:
    .drop invalid_state
    end_with(REASON_INVALID_STATE, drop#)

    .block deliver
    .stage hand_on
#include "deliver/outcomes.uc"
