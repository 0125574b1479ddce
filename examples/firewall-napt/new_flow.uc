// A packet without a connection in pre-routing: may it open one, and is it forwarded to the inside? Part of prerouting.uc; goes on at hand_on#.
// ---- a new flow
miss#:
    .stage new_flow
    // For post-routing: 11:8 its engine, 7:0 what tells new flows apart. Both directions must have the same, or two ends that begin at once open two
    // connections: so the hash is one of what an exchange of the ends does not change.
    .begin
    .reg $key[4] hash part
    alu[hash, source, +, destination]
    alu[part, source, XOR, destination]
    alu_shf[temp, --, B, pair, >>rot16]
    alu[temp, temp, XOR, pair]
    conntrack_hash(hash, hash, part, temp, class, $key, ring_sig)
    alu[engine, hash, AND, 0xff]
#if (FILTERS == 2)
    alu_shf[part, 1, AND, hash, >>8]
    alu_shf[engine, engine, OR, part, <<8]
#elif (FILTERS == 3)
    ld_field_w_clr[part, 0011, hash, >>8]
    alu_shf[hash, --, B, part, <<1]
    alu[part, part, +, hash]
    alu_shf[part, --, B, part, >>16]
    alu_shf[engine, engine, OR, part, <<8]
#endif
    .end
    ctx_arb[turn_track]
    signal_next(turn_track)
    br_bset[flags, STAGE_ERROR, unknown_flow#], defer[1]
    immed[tracked, 1]
    br_bset[flags, STAGE_LATER, new#]
    br=byte[class, 0, CLASS_TCP, new_tcp#]
    br!=byte[class, 0, CLASS_ICMP, new#]
    // an answer without a query may be for the router, but opens nothing: types 8, 13, 15, 17 do
    br_bset[$$w[8], 8, new#]
    br=byte[$$w[8], 1, 8, new#]
    br[send_untracked#]
new_tcp#:
    .begin
    .reg seq end ack window words segment sack
    immed[sack, 0]
    segment_words(invalid_state#)
    alu[--, segment, -, TCP_CLASS_SYN]
    bne[invalid_state#]
    alu_shf[temp, --, B, words, >>12]
    alu[--, temp, -, 5]
    beq[new#]
    segment_options(sack, temp)
    alu_shf[flags, flags, OR, temp, <<STAGE_SCALE_OFFERED]
    .end
new#:
    alu[flags, flags, OR, (1 << STAGE_NEW)]
    // is it for the public address, and forwarded to the inside?
    immed[temp, LM_CONFIG]
    local_csr_wr[ACTIVE_LM_ADDR_1, temp]
    immed[temp, LM_FORWARDINGS]
    local_csr_wr[ACTIVE_LM_ADDR_0, temp]
    nop
    alu[--, destination, -, *l$index1[(CONFIG_PUBLIC / 4)]]
    bne[send_untracked#]
    br_bset[*l$index1[(CONFIG_SWITCHES / 4)], SWITCH_HAIRPIN, may_forward#]
    alu[--, port, OR, 0]
    alu_shf[temp, 1, AND, *l$index1[(CONFIG_ZONES / 4)], >>indirect]
    beq[send_untracked#]                        // from the inside
may_forward#:
    .begin
    .reg count wanted
    alu[count, --, B, *l$index1[(CONFIG_FORWARDINGS / 4)]]
    ld_field_w_clr[wanted, 0011, pair]
    alu[temp, class, AND, 3]
    bne[not_tcp#], defer[1]
    immed[temp, 6]
    br[protocol#]
not_tcp#:
    alu[--, class, -, CLASS_UDP]
    bne[send_untracked#]
    immed[temp, 17]
protocol#:
    alu_shf[wanted, wanted, OR, temp, <<16]
forwarding#:
    alu[count, count, -, 1]
    bmi[send_untracked#]
    alu[--, wanted, -, *l$index0[0]]
    beq[forwarded#]
    alu[temp, --, B, *l$index0++]
    alu[temp, --, B, *l$index0++]
    br[forwarding#], defer[1]
    alu[temp, --, B, *l$index0++]
forwarded#:
    alu[temp, --, B, *l$index0++]
    alu[destination, --, B, *l$index0[0]]
    alu[temp, --, B, *l$index0++]
    alu[temp, --, B, *l$index0[0]]
    ld_field[flags, 1100, temp, <<16]
    alu[flags, flags, OR, (1 << STAGE_FORWARDED)]
    br_bset[flags, STAGE_LATER, send_untracked#]
    alu[pair, --, B, destination]
    .end
send_untracked#:
    br[hand_on#], defer[1]
    immed[link, 0]
