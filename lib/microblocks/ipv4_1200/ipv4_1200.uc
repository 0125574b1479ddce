// ipv4_1200: the martian filter without CAM and local memory. The other checks are those of ipv4_validate.
//
// Purpose    RFC 1812 5.3.7, as ipv4_martians of ipv4_validate decides.
// Inputs     source, destination; flags of the port; the bits that are 1 in all broadcast addresses (BROADCAST_MASK_AT); an own
//            address, and the bits that all own addresses share with it (OWN_COMMON_AT)
// Outputs    branches
// Registers  3 temporaries, 8 $ in
// Memory     scratch: BROADCASTS_AT, read only for a source that has all bits of the mask; OWN_AT, only for one that has all bits that
//            own addresses share
// Budget     26 instructions on the way through, 21 with the filter off
// Limits     16 connected networks with a broadcast address, 16 own addresses
#ifndef WEFT_IPV4_1200_UC
#define WEFT_IPV4_1200_UC

#include "ixp1200/layout1200.uc"

// ipv4_martians_1200(in_source, in_destination, in_flags, in_mask, in_own, in_same, TO_SOURCE, TO_DESTINATION, TO_MULTICAST,
//                    TO_LIMITED_BROADCAST)
#macro ipv4_martians_1200(in_source, in_destination, in_flags, in_mask, in_own, in_same, TO_SOURCE, TO_DESTINATION, TO_MULTICAST, TO_LIMITED_BROADCAST)
.begin
    .reg class constant
    br=byte[in_source, 3, 127, TO_SOURCE]
    alu[class, in_source, XOR, in_own]
    alu[--, class, AND, in_same]
    br=0[perhaps_own#]
not_own#:
    alu_shf[class, --, B, in_source, >>28]
    alu[--, class, -, 14]
    br=0[TO_SOURCE]
    bhs[source_class_e#]
    br_bclr[in_flags, FLAG_MARTIANS, filter_off#]
    br=byte[in_source, 3, 0, TO_SOURCE]
    alu[--, in_mask, AND~, in_source]
    br=0[perhaps_broadcast#]
not_broadcast#:
    alu_shf[class, --, B, in_source, >>16]
    immed[constant, 0xa9fe]                     // 169.254/16
    alu[--, class, XOR, constant]
    br!=0[source_right#]
    br[TO_SOURCE]

filter_off#:
    alu[--, --, B, in_source]
    br!=0[source_right#]
    br[TO_SOURCE]                               // 0.0.0.0

perhaps_own#:
.begin
    .reg read $a0 $a1
    .xfer_order $a0 $a1
    .reg at
    immed[at, OWN_AT]
two_own#:
    scratch[read, $a0, at, 0, 2], ctx_swap
    alu[--, in_source, XOR, $a0]
    br=0[TO_SOURCE]
    alu[--, in_source, XOR, $a1]
    br=0[TO_SOURCE]
    alu[at, at, +, 2]
    alu[--, at, -, (OWN_AT + 16)]
    br!=0[two_own#]
    br[not_own#]
.end

perhaps_broadcast#:
.begin
    .reg read $b0 $b1
    .xfer_order $b0 $b1
    .reg at
    immed[at, BROADCASTS_AT]
two#:
    scratch[read, $b0, at, 0, 2], ctx_swap
    alu[--, in_source, XOR, $b0]
    br=0[TO_SOURCE]
    alu[--, in_source, XOR, $b1]
    br=0[TO_SOURCE]
    alu[at, at, +, 2]
    alu[--, at, -, (BROADCASTS_AT + 16)]
    br!=0[two#]
    br[not_broadcast#]
.end

source_class_e#:
    br_bset[in_flags, FLAG_MARTIANS, TO_SOURCE]
    alu[--, --, ~B, in_source]
    br=0[TO_SOURCE]                             // 255.255.255.255

source_right#:
    br=byte[in_destination, 3, 127, TO_DESTINATION]
    alu_shf[class, --, B, in_destination, >>28]
    alu[--, class, -, 14]
    br=0[TO_MULTICAST]
    bhs[destination_class_e#]
    br!=byte[in_destination, 3, 0, destination_right#]
    br_bset[in_flags, FLAG_MARTIANS, TO_DESTINATION]
    alu[--, --, B, in_destination]
    br!=0[destination_right#]
    br[TO_DESTINATION]                          // 0.0.0.0

destination_class_e#:
    alu[--, --, ~B, in_destination]
    br=0[TO_LIMITED_BROADCAST]
    br_bset[in_flags, FLAG_MARTIANS, TO_DESTINATION]
destination_right#:
.end
#endm

#endif
