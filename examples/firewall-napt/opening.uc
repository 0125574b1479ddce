// The first packet of a flow in post-routing: the rules, its source, its connection. Part of postrouting.uc; match# and
// translation# lead back to packets of connections.
// ---- the first packet of a flow
new#:
    .block conntrack
    .stage new_flow
    .begin
    .reg $word $key[4]
    .reg read $node[4]
    .reg write $fields[7] $others[7]
    .sig others_sig
    .reg hash bucket link entry lock_place lock_bit first_bucket
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
    br_bset[connection, STAGE_NEW, new_status#]
    alu[temp, connection, AND~, 0x1f]
    sram[read, $message[0], temp, ENTRY_STATE, 1], ctx_swap[ring_sig]
    br_bclr[$message[0], ENTRY_DESTINATION_NAT, status#], defer[1]
    immed[temp, FILTER_OLD]
    br[status#], defer[1]
    immed[temp, FILTER_OLD_DNAT]
new_status#:
    br_bclr[connection, STAGE_FORWARDED, status#], defer[1]
    immed[temp, FILTER_NEW]
    immed[temp, FILTER_NEW_DNAT]
status#:
    alu[kind, kind, OR, temp]
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
    .reg write $fields[7] $others[7]
    .sig others_sig
    .reg hash bucket link entry lock_place lock_bit first_bucket
    .sig both_sig
#endif
matched#:
    br_bclr[waits, 7, first#]
    ctx_arb[turn_out]
first#:
    // Another packet of the flow may have opened it by now.
    conntrack_hash(hash, source, destination, pair, class, $key, ring_sig)
    conntrack_bucket(first_bucket, hash)
    conntrack_find(link, first_bucket, source, destination, pair, class, $node, ring_sig, open#)
    alu_shf[temp, 0x20, AND, link, <<5]
    alu[entry, link, AND~, 0x1e]
    alu[entry, entry, -, temp]
    alu[temp, connection, AND, (1 << STAGE_LATER)]
    alu[connection, entry, OR, temp]
    postrouting_opened()
    br_bclr[connection, 0, known#]
    br!=byte[class, 0, CLASS_TCP, known#]
    br_bset[connection, STAGE_LATER, known#]
    // Both ends have sent a SYN at once. This one was taken for the first packet and has changed no state: it goes to pre-routing again, for which it is the
    // answer of a simultaneous open.
    ethernet_as_received(frame, bytes)
    alu[$out[0], --, B, frame]
    alu_shf[$out[1], bytes, OR, port, <<16]
    immed[temp, (PREROUTING_RING * 4)]
    ctx_arb[turn_out]
    br_inp_state[SCR_RING1_STATUS, again_full#]
    scratch[put, $out[0], temp, 0, MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig], br[next_packet#]
again_full#:
    .drop filter_ring_full
    signal_next(turn_out)
    outcome_registers()
    end_with(REASON_FILTER_RING_FULL, count_drop#)

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
    bne[from_outside#]
    alu[--, out_port, OR, 0]
    alu_shf[temp, 1, AND, $node[1], >>indirect]
    bne[translate_source#]
    alu[--, destination, -, new_destination]
    beq[source_right#]
    br[translate_source#]
from_outside#:
    // Nobody outside reaches an inside address that he should not know: only by a forwarding, or out again.
    alu[--, destination, -, new_destination]
    bne[source_right#]
    alu[--, out_port, OR, 0]
    alu_shf[temp, 1, AND, $node[1], >>indirect]
    bne[source_right#]
    br_bset[$node[2], SWITCH_UNTRANSLATED, source_right#]
    .drop not_translated
    opened_not(REASON_NOT_TRANSLATED)
translate_source#:
    alu[new_source, --, B, $node[0]]
    br=byte[class, 0, CLASS_OTHER, source_right#]
    alu_shf[temp, --, B, new_pair, >>16]
    mapping_claim(temp, source, class, $key, $word, $node, (FILTER_INDEX * 8), both_sig, answered, ring_sig, exhausted#)
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
    opened_not(REASON_NOT_TRANSLATED)
unique#:
    // The ring may be empty for a moment although there are free ones: link counts up to 32 looks.
    immed[temp, (FREE_ENTRY_RING * 4)]
    scratch[get, $node[0], temp, 0, 1], ctx_swap[ring_sig]
    alu[entry, --, B, $node[0]]
    bne[have_entry#]
    immed[temp, FIREWALL_RUNNING]
    scratch[read, $node[0], temp, RUNNING_FREE_HEAD, 2], ctx_swap[ring_sig]
    alu[temp, --, B, $node[0]]
    alu[--, temp, -, $node[1]]
    beq[no_entry#]
    alu[link, link, +, 1]
    br_bclr[link, 5, unique#]
no_entry#:
    postrouting_port_back()
    .drop connection_table_full
    opened_not(REASON_CONNECTION_TABLE_FULL)
have_entry#:
    // ---- both nodes, then the rest
    // Race: pre-routing and the resource engine read what is written here without a lock. Nobody else has the entry until its life is 1 (time-outs)
    // or a bucket leads to it (lookups), and both are written after the rest has been acknowledged.
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
    // Race: as said at have_entry#, of both nodes.
    sram[write, $fields[0], entry, NODE_TUPLE, 7], sig_done[ring_sig]
    alu[$others[0], --, B, new_destination]
    alu[$others[1], --, B, new_source]
    alu_shf[$others[2], --, B, new_pair, >>rot16]
    immed[$others[3], 0]
    immed[$others[4], 0]
    immed[$others[5], 0]
    immed[$others[6], 0]
    sram[write, $others[0], entry, (ENTRY_REPLY_NODE + NODE_TUPLE), 7], sig_done[others_sig]
    ctx_arb[ring_sig, others_sig]
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
    // Race: as above. Life and expiry are in one burst, in which an earlier longword is never written after a later one.
    sram[write, $fields[0], entry, ENTRY_STATE, 6], ctx_swap[ring_sig]
    // ---- and now it is found
    alu_shf[link, entry, OR, class, <<1]
    alu[link, link, +, (ENTRY_REPLY_NODE + 1)]
    alu_shf[out_port, --, B, new_pair, >>rot16]
    postrouting_link(new_destination, new_source, out_port)
    alu[bucket, --, B, first_bucket]
    alu_shf[link, entry, OR, class, <<1]
    postrouting_link(source, destination, pair)
    immed[temp, FIREWALL_RUNNING]
    scratch[incr, --, temp, RUNNING_CREATED]
    immed[connection, 0]                        // the original direction
    postrouting_opened()
    br[rewrite#]

tuple_taken#:
    // Another flow has opened a connection with this tuple since it was looked for, maybe on another engine: translated ones can meet that differ as
    // they come in. No packet leaves by this one, and its time is over at once: the resource engine takes it down, with its port.
    conntrack_unlock(lock_place, lock_bit, $word, ring_sig)
    immed[temp, FIREWALL_RUNNING]
    scratch[incr, --, temp, RUNNING_CREATED]
    scratch[read, $node[0], temp, RUNNING_NOW, 1], ctx_swap[ring_sig]
    alu[$word, --, B, $node[0]]
    // Race: pre-routing may write it too, when it has found the node that is linked: then it lives as long as others.
    sram[write, $word, entry, ENTRY_EXPIRES, 1], ctx_swap[ring_sig]
    .drop not_translated
    opened_not(REASON_NOT_TRANSLATED)
exhausted#:
    .drop ports_exhausted
    opened_not(REASON_PORTS_EXHAUSTED)
no_first#:
    .drop fragment_lost
    opened_not(REASON_FRAGMENT_LOST)
    .end
