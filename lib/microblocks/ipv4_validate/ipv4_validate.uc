// ipv4_validate: RFC 1812 5.2.2 and 5.3.7.
//
// Purpose    Refuse what must not be forwarded; send to the core what the engines do not handle.
// Inputs     w3 to w8: frame longwords 3 to 8 (bytes 12-35) in transfer registers; bytes of the frame; local memory
//            pointer 0 at the port's configuration; CAM: broadcast addresses of connected networks, state 0, and the
//            router's own addresses, state CAM_OWN
// Outputs    total: IPv4 total length; source, destination: addresses
// Registers  3 temporaries
// Memory     CAM of this microengine, filled once, looked up only
// Budget     18 instructions for ipv4_header, 3 for ipv4_addresses, 1 for ipv4_fragment, 14 for ipv4_martians with the filter on
// Limits     The checksum of a header with options is left to the core, like everything else about options.
//
// Always refused: source 0.0.0.0, 127/8, class D, 255.255.255.255 and the router's own addresses (RFC 1122 3.2.1.3: nobody
// else may send from them); destination 0.0.0.0 and 127/8. With the filter on (flag bit FLAG_MARTIANS): source 0/8, class E,
// 169.254/16 and the broadcast address of a connected network; destination 0/8 and class E. With flag bit FLAG_OFFSET_1: fragments whose offset is 8 octets, which would replace what a filter looked at
// in the first one (RFC 1858).
#ifndef WEFT_IPV4_VALIDATE_UC
#define WEFT_IPV4_VALIDATE_UC

#include "common/std.uc"
#include "common/layout.uc"

#define IPV4_LINK_HEADER    14
#define IPV4_HEADER_BYTES   20

// ipv4_header(out_total, in_bytes, in_w3 ... in_w8, TO_SHORT, TO_VERSION, TO_HEADER_LENGTH, TO_TOTAL_LENGTH,
//             TO_CHECKSUM, TO_OPTIONS)
#macro ipv4_header(out_total, in_bytes, in_w3, in_w4, in_w5, in_w6, in_w7, in_w8, TO_SHORT, TO_VERSION, TO_HEADER_LENGTH, TO_TOTAL_LENGTH, TO_CHECKSUM, TO_OPTIONS)
.begin
    .reg sum temp
    alu_shf[out_total, --, B, in_w4, >>16]
    br!=byte[in_w3, 1, 0x45, unusual#]
    alu[--, out_total, -, IPV4_HEADER_BYTES]
    blo[unusual#]
    alu[temp, out_total, +, IPV4_LINK_HEADER]
    alu[--, in_bytes, -, temp]
    blo[unusual#]                               // a frame without a whole header always goes there

    // One's-complement sum of bytes 14 to 33. 2^16 = 1 modulo ffff, so whole longwords may be added. The sum and the sum
    // with its halves exchanged give all ones if and only if the halves give ffff.
    alu_shf[temp, --, B, in_w8, >>16]
    alu[temp, temp, +16, in_w3]
    alu[sum, temp, +, in_w4]
    alu[sum, sum, +carry, in_w5]
    alu[sum, sum, +carry, in_w6]
    alu[sum, sum, +carry, in_w7]
    alu[sum, sum, +carry, 0]
    alu_shf[temp, --, B, sum, >>rot16]
    alu[sum, sum, +, temp]
    alu[--, sum, +carry, 1]
    beq[header_right#]
    br[TO_CHECKSUM]

unusual#:                                       // wrong, or with options
    alu[--, in_bytes, -, (IPV4_LINK_HEADER + IPV4_HEADER_BYTES)]
    blo[TO_SHORT]
    alu_shf[temp, 0xf, AND, in_w3, >>12]
    alu[--, temp, -, 4]
    bne[TO_VERSION]
    alu_shf[temp, 0xf, AND, in_w3, >>8]
    alu[--, temp, -, 5]
    blo[TO_HEADER_LENGTH]
    alu_shf[temp, --, B, temp, <<2]
    alu[--, out_total, -, temp]
    blo[TO_TOTAL_LENGTH]
    alu[temp, out_total, +, IPV4_LINK_HEADER]
    alu[--, in_bytes, -, temp]
    bhs[TO_OPTIONS]
    br[TO_TOTAL_LENGTH]
header_right#:
.end
#endm

// ipv4_addresses(out_source, out_destination, in_w6, in_w7, in_w8)
#macro ipv4_addresses(out_source, out_destination, in_w6, in_w7, in_w8)
.begin
    .reg middle
    alu[middle, --, B, in_w7]
    dbl_shf[out_source, in_w6, middle, >>16]
    dbl_shf[out_destination, middle, in_w8, >>16]
.end
#endm

// ipv4_fragment(in_w5, TO_CHECK): to TO_CHECK when the offset may be 1.
#macro ipv4_fragment(in_w5, TO_CHECK)
    br=byte[in_w5, 2, 1, TO_CHECK]
#endm

// ipv4_fragment_check(in_w5, TO_FRAGMENT): to TO_FRAGMENT when the offset is 1 and the port refuses that. At TO_CHECK.
#macro ipv4_fragment_check(in_w5, TO_FRAGMENT)
    br_bclr[*l$index0[2], FLAG_OFFSET_1, allowed#]
    alu_shf[--, 0x1f, AND, in_w5, >>24]
    beq[TO_FRAGMENT]
allowed#:
#endm

// ipv4_martians(in_source, in_destination, TO_SOURCE, TO_DESTINATION, TO_MULTICAST, TO_LIMITED_BROADCAST)
#macro ipv4_martians(in_source, in_destination, TO_SOURCE, TO_DESTINATION, TO_MULTICAST, TO_LIMITED_BROADCAST)
.begin
    .reg class found
    br=byte[in_source, 3, 127, TO_SOURCE]
    alu_shf[class, --, B, in_source, >>28]
    alu[--, class, -, 14]
    bhs[source_high#]
    br_bclr[*l$index0[2], FLAG_MARTIANS, filter_off#]
    br=byte[in_source, 3, 0, TO_SOURCE]         // before the CAM, whose VLANs look like addresses of 0/8
    br=byte[in_source, 3, 169, source_169#]
not_link_local#:
    cam_lookup[found, in_source]
    br_bset[found, 7, TO_SOURCE]                // a broadcast address, or the router's own
source_right#:
    br=byte[in_destination, 3, 127, TO_DESTINATION]
    alu_shf[class, --, B, in_destination, >>28]
    alu[--, class, -, 14]
    bhs[destination_high#]
    br!=byte[in_destination, 3, 0, destination_right#]
    br_bset[*l$index0[2], FLAG_MARTIANS, TO_DESTINATION]
    alu[--, --, B, in_destination]
    bne[destination_right#]
    br[TO_DESTINATION]                          // 0.0.0.0

filter_off#:
    alu[--, --, B, in_source]
    beq[TO_SOURCE]                              // 0.0.0.0
    cam_lookup[found, in_source]
    br_bset[found, (8 + CAM_OWN_BIT), TO_SOURCE]
    br[source_right#]

source_high#:
    beq[TO_SOURCE]                              // class D
    br_bset[*l$index0[2], FLAG_MARTIANS, TO_SOURCE]
    alu[--, --, ~B, in_source]
    bne[source_right#]
    br[TO_SOURCE]                               // 255.255.255.255

source_169#:
    br!=byte[in_source, 2, 254, not_link_local#]
    br[TO_SOURCE]

destination_high#:
    beq[TO_MULTICAST]
    alu[--, --, ~B, in_destination]
    beq[TO_LIMITED_BROADCAST]
    br_bset[*l$index0[2], FLAG_MARTIANS, TO_DESTINATION]
destination_right#:
.end
#endm

#endif
