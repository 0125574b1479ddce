// mpls_swap: one label for another.
//
// Purpose    New label, TTL minus one, TC and S as they were; what must hold of TTL and S before.
// Inputs     top: top entry of the label stack; entry: longwords of the label's entry (mpls_lookup)
// Outputs    the entry that leaves
// Registers  1 temporary
// Memory     none
// Budget     mpls_ttl 2 instructions, mpls_bottom 2 or 3, mpls_swap 3
// Limits     mpls_swap: the TTL is at least 1 (mpls_ttl has sent 0 and 1 away)
#ifndef WEFT_MPLS_SWAP_UC
#define WEFT_MPLS_SWAP_UC

#include "mpls/layout.uc"

// mpls_ttl(in_top, TO_EXPIRED): to TO_EXPIRED with a TTL of 0 or 1.
#macro mpls_ttl(in_top, TO_EXPIRED)
    br=byte[in_top, 0, 0, TO_EXPIRED]
    br=byte[in_top, 0, 1, TO_EXPIRED]
#endm

// mpls_bottom(in_label, in_flags, TO_BOTTOM): to TO_BOTTOM when S of a stack entry is not as its table entry expects.
#macro mpls_bottom(in_label, in_flags, TO_BOTTOM)
    br_bset[in_label, MPLS_S, bottom#]
    br_bset[in_flags, MPLS_MUST_BE_BOTTOM, TO_BOTTOM]
    br[right#]
bottom#:
    br_bset[in_flags, MPLS_MUST_NOT_BE_BOTTOM, TO_BOTTOM]
right#:
#endm

// mpls_swap(out_label, in_entry0, in_top): 20 bits of the entry, 12 of the packet, from which 1 is taken.
#macro mpls_swap(out_label, in_entry0, in_top)
.begin
    .reg rest
    alu[rest, in_top, -, 1]
    alu_shf[rest, --, B, rest, <<20]
    dbl_shf[out_label, in_entry0, rest, >>20]
.end
#endm

#endif
