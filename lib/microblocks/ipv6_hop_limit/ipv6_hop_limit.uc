// ipv6_hop_limit: the check of the hop limit, and the hop limit minus one.
//
// Purpose    What every hop does to an IPv6 header. There is no checksum in it.
// Inputs     w5: frame longword 5 {next header, hop limit, source 0-1}
// Outputs    the same longword, new
// Registers  1 temporary
// Budget     ipv6_hop_limit 2 instructions, ipv6_update 2
// Limits     ipv6_update: the hop limit must be at least 1 (ipv6_hop_limit has sent 0 and 1 to the core)
#ifndef WEFT_IPV6_HOP_LIMIT_UC
#define WEFT_IPV6_HOP_LIMIT_UC

// ipv6_hop_limit(in_w5, TO_EXPIRED): to TO_EXPIRED with a hop limit of 0 or 1.
#macro ipv6_hop_limit(in_w5, TO_EXPIRED)
    br=byte[in_w5, 2, 0, TO_EXPIRED]
    br=byte[in_w5, 2, 1, TO_EXPIRED]
#endm

// ipv6_update(out_w5, in_w5)
#macro ipv6_update(out_w5, in_w5)
.begin
    .reg one
    immed[one, 1, <<16]
    alu[out_w5, in_w5, -, one]
.end
#endm

#endif
