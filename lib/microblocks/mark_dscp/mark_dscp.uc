// mark_dscp: another DSCP in an IPv4 header, and the checksum that belongs to it.
//
// Purpose    RFC 2474: the upper six bits of the TOS octet; ECN (RFC 3168), the lower two, stays. Checksum by RFC 1624 equation 3.
// Inputs     w3: frame longword 3 {type, version and header length, TOS}; w6: longword 6 {checksum, source, upper half}; the DSCP,
//            0 to 63
// Outputs    the same longwords, new; each may be the register that it comes from, or a write register
// Registers  4 temporaries
// Budget     15 instructions
// Limits     What a table gives must be at most 63: it is not cut. IPv6 has no checksum; its traffic class is for the caller.
//
// With d = the old octet minus the new one, equation 3 is the checksum plus d modulo 65535, and 0 in place of ffff. Let k be d, or
// d + 65535 when d is negative: then it is what ipv4_ttl has: where checksum + k + 1 has a carry out of 16 bits that sum is
// the new checksum, and where it has none, checksum + k. In two's complement k is the sum of the two halves of d.
#ifndef WEFT_MARK_DSCP_UC
#define WEFT_MARK_DSCP_UC

// mark_dscp(out_w3, out_w6, in_w3, in_w6, in_dscp)
#macro mark_dscp(out_w3, out_w6, in_w3, in_w6, in_dscp)
.begin
    .reg less step carry one
    alu[less, in_w3, AND, 0xfc]
    alu_shf[step, --, B, in_dscp, <<2]
    alu[less, less, -, step]
    alu[out_w3, in_w3, -, less]                 // nothing is borrowed from the octet above
    ld_field_w_clr[step, 1100, less]
    alu_shf[less, --, B, less, <<16]
    alu[step, step, +, less]                    // k in the upper half
    immed[one, 1, <<16]
    alu[less, step, +, one]
    alu[--, in_w6, +, less]
    immed[carry, 0]
    alu[carry, carry, +carry, 0]
    alu_shf[carry, --, B, carry, <<16]
    alu[step, step, +, carry]
    alu[out_w6, in_w6, +, step]
.end
#endm

#endif
