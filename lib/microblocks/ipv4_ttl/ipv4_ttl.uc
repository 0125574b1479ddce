// ipv4_ttl: the check of the TTL, the TTL minus one, and the checksum that belongs to it.
//
// Purpose    What RFC 1812 5.3.1 asks of every hop, by RFC 1624 equation 3.
// Inputs     w5: frame longword 5 {flags and fragment, TTL, protocol}; w6: longword 6 {checksum, source, upper half}
// Outputs    the same longwords, new
// Registers  3 temporaries
// Budget     ipv4_ttl 2 instructions, ipv4_update 8
// Limits     ipv4_update: the TTL must be at least 1 (ipv4_ttl has sent 0 and 1 to the core)
//
// Equation 3, HC' = ~(~HC + ~m + m') with m' = m - 100 hex, is HC + 100 hex with the carry out of 16 bits added again, and 0
// in place of ffff. Both are said by the carry of HC + 101 hex: where there is one, HC + 101 is the new checksum (feff
// becomes 0000), and where there is none, HC + 100.
#ifndef WEFT_IPV4_TTL_UC
#define WEFT_IPV4_TTL_UC

// ipv4_ttl(in_w5, TO_EXPIRED): to TO_EXPIRED with a TTL of 0 or 1.
#macro ipv4_ttl(in_w5, TO_EXPIRED)
    br=byte[in_w5, 1, 0, TO_EXPIRED]
    br=byte[in_w5, 1, 1, TO_EXPIRED]
#endm

// ipv4_update(out_w5, out_w6, in_w5, in_w6)
#macro ipv4_update(out_w5, out_w6, in_w5, in_w6)
.begin
    .reg constant less step
    immed[constant, 0x100]
    alu[out_w5, in_w5, -, constant]
    immed[constant, 0x101, <<16]
    alu[less, constant, -, 1]
    alu[--, in_w6, +, constant]
    alu[less, less, +carry, 0]                  // 0101 or 0100 in the upper half
    ld_field_w_clr[step, 1100, less]
    alu[out_w6, in_w6, +, step]
.end
#endm

#endif
