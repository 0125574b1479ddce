// ICMP messages and fragments in pre-routing: which tuple they belong to. Part of prerouting.uc; goes on at have_ports# and find#.
// ---- ICMP
icmp#:
    .block icmp_translate
    .stage tuple
    alu[--, total, -, (IPV4_HEADER_BYTES + 8)]
    blo[short#]
    icmp_ports(pair, $$w[8], $$w[9], icmp_error#, icmp_other#)
    br[have_ports#]
icmp_other#:
    .drop unknown_flow
    end_with(REASON_UNKNOWN_FLOW, drop#)
unknown_flow#:
    .drop unknown_flow
    end_with(REASON_UNKNOWN_FLOW, drop#)
icmp_error#:
    // what it quotes: longwords 10 to 17
    br_bset[$$w[5], 29, icmp_other#]            // nobody sends errors in fragments
    .begin
    br_bset[frame, FRAME_WAS_TAGGED, tagged_error#]
    dram[read, $$w[1], frame, 40, 4], sig_done[dram_sig]
    br[error_asked#]
tagged_error#:
    dram[read, $$w[0], frame, 36, 5], sig_done[dram_sig]
error_asked#:
    .end
    ctx_arb[dram_sig]
    .begin
    .reg quoted_class
    icmp_quoted(source, destination, pair, quoted_class, total, $$w, unknown_quote#)
    alu[class, --, B, quoted_class]
    .end
    .set origin
    br[find#], defer[1]
    alu[flags, flags, OR, (1 << STAGE_ERROR)]
unknown_quote#:
    .drop unknown_flow
    end_with(REASON_UNKNOWN_FLOW, drop#)

// ---- fragments: in the turn of asking, so that the first one has written before others read. What reaches into the first one could replace what has been
// looked at (RFC 1858, 3128).
first_fragment#:
    .block fragments
    .stage first
    .begin
    .reg $key[4] identity place
    .reg read $old[5]
    .reg write $entry[8]
    ctx_arb[turn_track]
    fragment_identity(identity)
    alu[temp, class, OR, CLASS_FRAGMENT]
    conntrack_hash(place, source, destination, identity, temp, $key, ring_sig)
    alu[temp, --, B, place]
    fragment_bucket(place, temp)
    fragment_take(place, source, destination, identity, $old, ring_sig)
    immed[temp, LM_CONFIG]
    local_csr_wr[ACTIVE_LM_ADDR_1, temp]
    nop
    nop
    nop
    alu[temp, now, +, *l$index1[(CONFIG_FRAGMENT_LIFE / 4)]]
    alu[origin, --, B, $$w[9]]
    dbl_shf[origin, origin, $$w[10], >>16]      // of TCP: sequence number less the header
    alu_shf[reason, 0x3c, AND, $$w[11], >>10]
    alu[origin, origin, -, reason]
    alu[reason, total, -, IPV4_HEADER_BYTES]
    fragment_write(place, source, destination, identity, pair, temp, origin, reason, $entry, ring_sig)
    alu[origin, place, OR, 1]                   // where the windows' verdict goes (tcp_state); bit 0: it is a first fragment
    again(turn_track)
    .end
    br[find#]
later_fragment#:
    .block fragments
    .stage later
    .begin
    .reg $key[4] identity place
    .reg read $entry[7]
    br=byte[$$w[5], 0, 6, later_class#], defer[1]
    immed[class, CLASS_TCP]
    br=byte[$$w[5], 0, 17, later_class#], defer[1]
    immed[class, CLASS_UDP]
    br=byte[$$w[5], 0, 1, later_class#], defer[1]
    immed[class, CLASS_ICMP]
    immed[class, CLASS_OTHER]
later_class#:
    ctx_arb[turn_track]
    fragment_identity(identity)
    alu[temp, class, OR, CLASS_FRAGMENT]
    conntrack_hash(place, source, destination, identity, temp, $key, ring_sig)
    alu[temp, --, B, place]
    fragment_bucket(place, temp)
    immed[temp, 0x1fff]
    alu_shf[temp, temp, AND, $$w[5], >>16]
    alu_shf[temp, --, B, temp, <<3]
    fragment_read(pair, origin, place, source, destination, identity, temp, now, $entry, ring_sig, fragment_early#, overlap#)
follows#:
    // origin becomes the number after its last octet
    alu[origin, origin, +, temp]
    alu[origin, origin, +, total]
    alu[origin, origin, -, IPV4_HEADER_BYTES]
    alu[total, --, B, place]                    // its length is not needed any more, but the entry is (later_end#)
    again(turn_track)
    .end
    br[find#], defer[1]
    alu[flags, flags, OR, (1 << STAGE_LATER)]
fragment_early#:
    // The core keeps it for a while and sends it here again, until its first one has come (RFC 4787 REQ-14); the last time says so. It is not counted before
    // that: the packet is still on its way.
    signal_next(turn_track)
    outcome_registers()
    br_bset[$where_in, MESSAGE_LAST_TRY, fragment_lost#]
    .exception fragment_early
    ethernet_as_received(frame, bytes)
    alu[$out[0], --, B, frame]
    alu_shf[$out[1], bytes, OR, port, <<16]
    immed[$out[2], REASON_FRAGMENT_EARLY]
    immed[$out[3], 0]
    ctx_arb[turn_out]
    br_inp_state[SCR_RING9_STATUS, core_full#]
    scratch[put, $out[0], core_list, 0, CORE_MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig]
    cap[fast_wr, 0, XSCALE_INT_A]
    br[next_packet#]
fragment_lost#:
    .drop fragment_lost
    immed[tracked, 1]
    end_with(REASON_FRAGMENT_LOST, drop#)
overlap#:
    br_bclr[*l$index0[2], FLAG_OFFSET_1, follows#]   // the same switch as for offset 1
    .drop fragment
    signal_next(turn_track)
    immed[tracked, 1]
    end_with(REASON_FRAGMENT, drop#)
