// ethernet: is this frame for the router, and does it carry IPv4?
//
// Purpose    Compare the destination MAC with that of the input port; sort by Ethernet type.
// Inputs     w0, w1, w3: frame longwords 0, 1 and 3 in transfer registers; local memory pointer 0 at the port's
//            configuration {MAC bytes 0-3, MAC bytes 4-5 << 16, flags, -}
// Outputs    falls through with IPv4 for this router (or any MAC, if the port takes all); else branches
// Registers  2 temporaries
// Budget     9 instructions on the way through
// Limits     no VLAN tags: their type is unknown here
#ifndef WEFT_ETHERNET_UC
#define WEFT_ETHERNET_UC

#include "common/std.uc"
#include "common/layout.uc"

// ethernet_classify(in_w0, in_w1, in_w3, TO_GROUP_IPV4, TO_ARP, TO_IPV6, TO_OTHER_TYPE, TO_NOT_FOR_US)
// TO_GROUP_IPV4: IPv4 in a link-layer broadcast or multicast.
#macro ethernet_classify(in_w0, in_w1, in_w3, TO_GROUP_IPV4, TO_ARP, TO_IPV6, TO_OTHER_TYPE, TO_NOT_FOR_US)
.begin
    .reg difference type
    alu[--, in_w0, XOR, *l$index0[0]]
    bne[other_mac#]
    alu[difference, in_w1, XOR, *l$index0[1]]
    alu_shf[--, --, B, difference, >>16]
    bne[other_mac#]

mine#:
    alu_shf[difference, --, B, in_w3, >>16]
    immed[type, 0x0800]
    alu[--, type, XOR, difference]
    beq[is_ipv4#]
not_ipv4#:
    alu_shf[difference, --, B, in_w3, >>16]
    immed[type, 0x0806]
    alu[--, type, XOR, difference]
    beq[TO_ARP]
    immed[type, 0x86dd]
    alu[--, type, XOR, difference]
    beq[TO_IPV6]
    br[TO_OTHER_TYPE]

other_mac#:
    br_bset[in_w0, 24, group#]                  // the lowest bit of the first byte
    br_bset[*l$index0[2], FLAG_ANY_MAC, mine#]
    br[TO_NOT_FOR_US]
group#:
    alu_shf[difference, --, B, in_w3, >>16]
    immed[type, 0x0800]
    alu[--, type, XOR, difference]
    beq[TO_GROUP_IPV4]
    br[not_ipv4#]
is_ipv4#:
.end
#endm

#endif
