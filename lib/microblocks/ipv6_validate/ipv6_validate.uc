// ipv6_validate: what must hold of an IPv6 header before it is forwarded (RFC 8200 section 3, RFC 4291 section 2).
//
// Purpose    Refuse what must not be forwarded; send to the core what the engines do not handle.
// Inputs     w3 to w13: frame longwords 3 to 13 (bytes 12-55) in transfer registers; bytes of the frame
// Outputs    total: bytes of the packet, 40 + payload length
// Registers  2 temporaries
// Memory     none
// Budget     10 instructions for ipv6_header, 5 for ipv6_addresses, 1 for ipv6_scope
// Limits     Extension headers are not looked at, but for hop-by-hop options, which go to the core.
//
// Offsets in the longwords: {type, version and class}, {flow label, payload length}, {next header, hop limit, source 0-1},
// source 2-13 in w6 to w8, {source 14-15, destination 0-1}, destination 2-13 in w10 to w12, {destination 14-15, -}.
#ifndef WEFT_IPV6_VALIDATE_UC
#define WEFT_IPV6_VALIDATE_UC

#define IPV6_HEADER_BYTES   40
#define IPV6_LINK_HEADER    14

// ipv6_header(out_total, in_bytes, in_w3, in_w4, TO_SHORT, TO_VERSION, TO_LENGTH)
#macro ipv6_header(out_total, in_bytes, in_w3, in_w4, TO_SHORT, TO_VERSION, TO_LENGTH)
.begin
    .reg temp
    alu[--, in_bytes, -, (IPV6_LINK_HEADER + IPV6_HEADER_BYTES)]
    blo[TO_SHORT]
    alu_shf[temp, 0xf, AND, in_w3, >>12]
    alu[--, temp, -, 6]
    bne[TO_VERSION]
    ld_field_w_clr[out_total, 0011, in_w4]
    alu[out_total, out_total, +, IPV6_HEADER_BYTES]
    alu[temp, out_total, +, IPV6_LINK_HEADER]
    alu[--, in_bytes, -, temp]
    blo[TO_LENGTH]
.end
#endm

// ipv6_addresses(in_w5 ... in_w13, TO_SOURCE, TO_DESTINATION, TO_MULTICAST, TO_HOP_BY_HOP)
// TO_SOURCE: from ::1 or ff00::/8, or from :: to anything but a group; TO_DESTINATION: to :: or ::1; TO_MULTICAST: to ff00::/8, also
// from ::, which is how a station asks whether an address is in use (RFC 4861 7.2.4; the core forwards no such packet);
// TO_HOP_BY_HOP: with hop-by-hop options. One byte of each address tells the common case. Link-local destinations are a matter of the table,
// which knows those of the router.
#macro ipv6_addresses(in_w5, in_w6, in_w7, in_w8, in_w9, in_w10, in_w11, in_w12, in_w13, TO_SOURCE, TO_DESTINATION, TO_MULTICAST, TO_HOP_BY_HOP)
.begin
    .reg rest
    br=byte[in_w5, 1, 0xff, TO_SOURCE]
    br=byte[in_w5, 1, 0x00, source_zero#]
source_right#:
    br=byte[in_w9, 1, 0xff, TO_MULTICAST]
    br=byte[in_w9, 1, 0x00, destination_zero#]
destination_right#:
    br!=byte[in_w5, 3, 0, done#]
    br[TO_HOP_BY_HOP]

source_zero#:
    ld_field_w_clr[rest, 0011, in_w5]
    alu[rest, rest, OR, in_w6]
    alu[rest, rest, OR, in_w7]
    alu[--, rest, OR, in_w8]
    bne[source_right#]
    alu_shf[--, --, B, in_w9, >>17]             // all but the last bit of the address
    bne[source_right#]
    br_bset[in_w9, 16, TO_SOURCE]               // ::1
    br=byte[in_w9, 1, 0xff, TO_MULTICAST]
    br[TO_SOURCE]

destination_zero#:
    ld_field_w_clr[rest, 0011, in_w9]
    alu[rest, rest, OR, in_w10]
    alu[rest, rest, OR, in_w11]
    alu[--, rest, OR, in_w12]
    bne[destination_right#]
    alu_shf[--, --, B, in_w13, >>17]
    bne[destination_right#]
    br[TO_DESTINATION]
done#:
.end
#endm

// ipv6_scope(in_w5, TO_CHECK): to TO_CHECK when the source may be link-local. Asked after the lookup: the router's own
// addresses take packets of link-local sources, nobody else off the link may have them.
#macro ipv6_scope(in_w5, TO_CHECK)
    br=byte[in_w5, 1, 0xfe, TO_CHECK]
#endm

// ipv6_scope_check(in_w5, TO_SCOPE): to TO_SCOPE when a source that begins with fe is in fe80::/10. Stands at TO_CHECK.
#macro ipv6_scope_check(in_w5, TO_SCOPE)
.begin
    .reg bits
    alu_shf[bits, 3, AND, in_w5, >>6]
    alu[--, bits, -, 2]
    beq[TO_SCOPE]
.end
#endm

#endif
