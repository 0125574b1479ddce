// An ICMP error in post-routing: the packet that it quotes gets the words of the side to which the error goes. Part of postrouting.uc.
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
    immed[class, CLASS_ERROR]
#if (FIREWALL_RULES)
    ctx_arb[behind_sig]
    br_bclr[switches, SWITCH_FORCE_MATCH, rewrite#]
    br[match#]
#else
    ctx_arb[behind_sig], br[rewrite#]
#endif
    .end
