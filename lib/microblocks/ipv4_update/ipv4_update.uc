// ipv4_update: TTL minus one and the checksum that belongs to it.
//
// Purpose    What RFC 1812 5.3.1 asks of every hop, by RFC 1624 equation 3.
// Inputs     w5: frame longword 5 {flags and fragment, TTL, protocol}; w6: longword 6 {checksum, source, upper half}
// Outputs    the same longwords, new
// Registers  4 temporaries
// Budget     11 instructions
// Limits     the TTL must be at least 1 (the caller has sent 0 and 1 to the core)
//
// Equation 3: HC' = ~(~HC + ~m + m'), m = {TTL, protocol}. With m' = m - 100 hex, ~m + m' is feff whatever the TTL.
// ~HC + feff is never 0 nor folds to 0, so ffff never comes out in place of 0000.
#ifndef WEFT_IPV4_UPDATE_UC
#define WEFT_IPV4_UPDATE_UC

// ipv4_update(out_w5, out_w6, in_w5, in_w6)
#macro ipv4_update(out_w5, out_w6, in_w5, in_w6)
.begin
    .reg constant sum carry word
    immed[constant, 0x100]
    alu[out_w5, in_w5, -, constant]
    immed[constant, 0xfeff]
    alu_shf[sum, --, ~B, in_w6, >>16]
    alu[sum, constant, +16, sum]
    alu_shf[carry, --, B, sum, >>16]
    alu[sum, carry, +16, sum]
    alu[sum, --, ~B, sum]
    alu[word, --, B, in_w6]
    ld_field[word, 1100, sum, <<16]
    alu[out_w6, --, B, word]
.end
#endm

#endif
