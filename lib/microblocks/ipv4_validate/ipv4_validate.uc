// ipv4_validate: RFC 1812 5.2.2 and 5.3.7.
//
// Purpose    Refuse what must not be forwarded; send to the core what the engines do not handle.
// Inputs     w3 to w8: frame longwords 3 to 8 (bytes 12-35) in transfer registers; bytes of the frame; local memory
//            pointer 0 at the port's configuration; CAM: broadcast addresses of connected networks
// Outputs    total: IPv4 total length; source, destination: addresses
// Registers  4 temporaries
// Memory     CAM of this microengine, filled once, looked up only
// Budget     45 instructions on the way through
// Limits     The checksum of a header with options is left to the core, like everything else about options.
//
// Always refused: source 127/8, class D, 255.255.255.255; destination 127/8. With the filter on (flag bit
// FLAG_MARTIANS): source 0/8, class E, 169.254/16 and the broadcast address of a connected network; destination 0/8 and
// class E.
#ifndef WEFT_IPV4_VALIDATE_UC
#define WEFT_IPV4_VALIDATE_UC

#include "common/std.uc"
#include "common/layout.uc"

// ipv4_header(out_total, in_bytes, in_w3 ... in_w8, TO_SHORT, TO_VERSION, TO_HEADER_LENGTH, TO_TOTAL_LENGTH,
//             TO_CHECKSUM, TO_OPTIONS)
#macro ipv4_header(out_total, in_bytes, in_w3, in_w4, in_w5, in_w6, in_w7, in_w8, TO_SHORT, TO_VERSION, TO_HEADER_LENGTH, TO_TOTAL_LENGTH, TO_CHECKSUM, TO_OPTIONS)
.begin
    .reg sum temp available
    alu[--, in_bytes, -, (14 + 20)]
    blo[TO_SHORT]
    alu[available, in_bytes, -, 14]
    alu_shf[out_total, --, B, in_w4, >>16]
    br!=byte[in_w3, 1, 0x45, unusual#]
    alu[--, out_total, -, 20]
    blo[TO_TOTAL_LENGTH]
    alu[--, available, -, out_total]
    blo[TO_TOTAL_LENGTH]

    // One's-complement sum of bytes 14 to 33. 2^16 = 1 modulo ffff, so whole longwords may be added.
    alu[sum, --, B, in_w4]
    alu[sum, sum, +, in_w5]
    alu[sum, sum, +carry, in_w6]
    alu[sum, sum, +carry, in_w7]
    alu[sum, sum, +carry, 0]
    alu_shf[temp, --, B, in_w8, >>16]
    alu[temp, temp, +16, in_w3]
    alu[sum, sum, +, temp]
    alu[sum, sum, +carry, 0]
    alu_shf[temp, --, B, sum, >>16]
    alu[temp, temp, +16, sum]
    alu_shf[sum, --, B, temp, >>16]
    alu[sum, sum, +16, temp]
    alu[sum, sum, +, 1]                         // 1,0000 hex if and only if the header is right
    alu_shf[--, --, B, sum, >>16]
    beq[TO_CHECKSUM]
    br[header_right#]

unusual#:
    alu_shf[temp, 0xf, AND, in_w3, >>12]
    alu[--, temp, -, 4]
    bne[TO_VERSION]
    alu_shf[temp, 0xf, AND, in_w3, >>8]
    alu[--, temp, -, 5]
    blo[TO_HEADER_LENGTH]
    alu_shf[temp, --, B, temp, <<2]
    alu[--, out_total, -, temp]
    blo[TO_TOTAL_LENGTH]
    alu[--, available, -, out_total]
    blo[TO_TOTAL_LENGTH]
    br[TO_OPTIONS]
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

// ipv4_martians(in_source, in_destination, TO_SOURCE, TO_DESTINATION, TO_MULTICAST, TO_LIMITED_BROADCAST)
#macro ipv4_martians(in_source, in_destination, TO_SOURCE, TO_DESTINATION, TO_MULTICAST, TO_LIMITED_BROADCAST)
.begin
    .reg class flags found link_local
    br=byte[in_source, 3, 127, TO_SOURCE]
    alu[flags, --, B, *l$index0[2]]
    alu_shf[class, --, B, in_source, >>28]
    alu[--, class, -, 14]
    beq[TO_SOURCE]
    bhs[source_class_e#]
    br_bclr[flags, FLAG_MARTIANS, source_right#]
    br=byte[in_source, 3, 0, TO_SOURCE]
    cam_lookup[found, in_source]
    br_bset[found, 7, TO_SOURCE]
    immed[link_local, 0xa9fe]
    alu_shf[class, --, B, in_source, >>16]
    alu[--, class, XOR, link_local]
    beq[TO_SOURCE]
    br[source_right#]

source_class_e#:
    br_bset[flags, FLAG_MARTIANS, TO_SOURCE]
    alu[--, --, ~B, in_source]
    beq[TO_SOURCE]                              // 255.255.255.255

source_right#:
    br=byte[in_destination, 3, 127, TO_DESTINATION]
    alu_shf[class, --, B, in_destination, >>28]
    alu[--, class, -, 14]
    beq[TO_MULTICAST]
    bhs[destination_class_e#]
    br!=byte[in_destination, 3, 0, destination_right#]
    br_bset[flags, FLAG_MARTIANS, TO_DESTINATION]
    br[destination_right#]

destination_class_e#:
    alu[--, --, ~B, in_destination]
    beq[TO_LIMITED_BROADCAST]
    br_bset[flags, FLAG_MARTIANS, TO_DESTINATION]
destination_right#:
.end
#endm

#endif
