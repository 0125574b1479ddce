// ipv4_ttl over all 65,536 checksums. Each header is right: its identification is chosen so that the checksum belongs
// to it. The new checksum must be what adding up the whole new header gives, half by half, without the carry of the ALU
// and without the old checksum. FIXED_TTL: the TTL of all headers, or 0: 1 to 255 in turn.
#include "common/std.uc"
#include "ipv4_ttl/ipv4_ttl.uc"

#define HALVES_BEFORE   8               // of the header, without checksum and identification

// complement_of_sum(out_value, in_sum, in_ffff): folds a sum of halves into 16 bits, and takes the complement.
#macro complement_of_sum(out_value, in_sum, in_ffff)
.begin
    .reg high low
    #repeat (2)
    alu_shf[high, --, B, in_sum, >>16]
    alu[low, in_sum, AND, in_ffff]
    alu[in_sum, low, +, high]
    #endloop
    alu[out_value, in_ffff, AND~, in_sum]
.end
#endm

// sum_of_header(out_sum, in_ttl_protocol): the eight halves but identification and checksum.
#macro sum_of_header(out_sum, in_ttl_protocol)
    local_csr_wr[ACTIVE_LM_ADDR_0, 0]
    alu[out_sum, --, B, in_ttl_protocol]
    nop
    nop
    #repeat (HALVES_BEFORE - 1)
    alu[out_sum, out_sum, +, *l$index0++]
    #endloop
#endm

    .reg volatile wrong all_ones checked
    .reg checksum w5 w6 new5 new6 ttl sum identification expected ffff limit temp protocol low
    immed[ffff, 0xffff]
    immed[wrong, 0]
    immed[all_ones, 0]
    immed[checked, 0]
    immed[checksum, 0]
    immed[protocol, 0x11]
    immed[ttl, FIXED_TTL]
    alu[--, --, B, ttl]
    bne[fixed#]
    immed[ttl, 1]
fixed#:
    move(limit, 0x10000)
    local_csr_wr[ACTIVE_LM_ADDR_0, 0]
    nop
    nop
    nop
    #for half [0x4500, 0x0028, 0x4000, 0x0a00, 0x0002, 0xc633, 0x6407]
    immed[*l$index0++, half]
    #endloop

next#:
    alu_shf[temp, protocol, OR, ttl, <<8]
    sum_of_header(sum, temp)
    alu[sum, sum, +, checksum]
    complement_of_sum(identification, sum, ffff)

    alu_shf[w5, temp, OR, 1, <<30]                  // 4000 in the upper half
    immed[w6, 0x0a00]
    alu_shf[w6, w6, OR, checksum, <<16]
    ipv4_update(new5, new6, w5, w6)

    ld_field_w_clr[temp, 0011, new5]
    sum_of_header(sum, temp)
    alu[sum, sum, +, identification]
    complement_of_sum(expected, sum, ffff)
    alu_shf[temp, --, B, new6, >>16]
    alu[--, temp, -, ffff]
    bne[not_all_ones#]
    alu[all_ones, all_ones, +, 1]
not_all_ones#:
    alu[--, temp, -, expected]
    bne[bad#]
    immed[low, 0x0a00]                              // and nothing else may have changed
    ld_field_w_clr[temp, 0011, new6]
    alu[--, temp, -, low]
    bne[bad#]
    alu[temp, w5, -, new5]
    immed[low, 0x100]
    alu[--, temp, -, low]
    beq[good#]
bad#:
    alu[wrong, wrong, +, 1]
good#:
    alu[checked, checked, +, 1]
    immed[temp, FIXED_TTL]
    alu[--, --, B, temp]
    bne[same_ttl#]
    alu[ttl, ttl, +, 1]
    alu_shf[--, --, B, ttl, >>8]
    beq[same_ttl#]
    immed[ttl, 1]
same_ttl#:
    alu[checksum, checksum, +, 1]
    alu[--, checksum, -, limit]
    bne[next#]
    ctx_arb[bpt]
    nop
