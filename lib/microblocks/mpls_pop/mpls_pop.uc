// mpls_pop: one to three labels off, and what that means for what is exposed.
//
// Purpose    mpls_pop takes labels off: the frame moves forward by 4 bytes a label (no byte is copied), and its longwords are
//            read again. mpls_expose_label, mpls_expose_ipv4 and mpls_expose_ipv6 give what is exposed its TTL and class.
// Inputs     top: top entry of the label stack; entry: longwords of the label's entry (mpls_lookup); io_words: an array of 15
//            DRAM read registers with frame longwords 0 to 13
// Outputs    frame and bytes of the packet as if it had come without the labels; io_words 3 to 13. Longword 0 stays, so that
//            it can still be asked for the group bit; 1 and 2 are not those of the new frame. The upper half of longword 3 is the
//            last label's. popped: how many labels were taken off in all
// Registers  3 temporaries
// Signals    1
// Memory     DRAM, one read of 48 bytes; local memory MPLS_LOCAL_DSCP (mpls_configure)
// Budget     mpls_pop 15, 19, 20 instructions for one, two, three labels; mpls_expose_label 5 (pipe) to 15; mpls_ip_ttl 3 to 7,
//            mpls_expose_ipv4 18 (pipe) or 29, mpls_expose_ipv6 5 or 17
// Limits     A packet loses MPLS_MAX_POPS labels at most. An IP packet is validated by ipv4_validate and ipv6_validate, like one that
//            came without labels.
//
// Uniform, TTL: what is exposed gets the smaller of its own TTL and the top label's, as they came; then the hop counts for what
// leaves: 1 less for an IP packet, for an exposed label only where it took the popped one's. So no TTL is ever raised.
// Pipe: an IP packet counts down its own TTL; an exposed label that leaves at once keeps its own.
#ifndef WEFT_MPLS_POP_UC
#define WEFT_MPLS_POP_UC

#include "common/std.uc"
#include "mpls/layout.uc"
#include "mpls_swap/mpls_swap.uc"

// mpls_pop(io_frame, io_bytes, io_popped, out_last, in_top, in_entry, io_words, in_signal, TO_BOTTOM, TO_STACK)
// out_last: S of the last label taken off (bit MPLS_S). TO_BOTTOM: the stack ends too early, or not as the entry expects.
// TO_STACK: it would lose too many labels.
#macro mpls_pop(io_frame, io_bytes, io_popped, out_last, in_top, in_entry, io_words, in_signal, TO_BOTTOM, TO_STACK)
.begin
    .reg labels length
    alu_shf[labels, 3, AND, in_entry[0], >>MPLS_OPERATION_SHIFT]
    alu_shf[length, --, B, labels, <<2]
    alu[out_last, --, B, in_top]
    alu[--, labels, -, 2]
    bhs[several#]
last#:
    mpls_bottom(out_last, in_entry[1], TO_BOTTOM)
    alu[io_popped, io_popped, +, labels]
    alu[--, io_popped, -, MPLS_MAX_POPS]
    bgt[TO_STACK]
    alu[io_frame, io_frame, +, length]
    alu[io_bytes, io_bytes, -, length]
    br_bset[io_frame, 2, middle#]                           // memory is read from a multiple of 8 on
    dram[read, io_words[2], io_frame, 8, 6], sig_done[in_signal]
    ctx_arb[in_signal], br[popped#]
middle#:
    dram[read, io_words[3], io_frame, 12, 6], sig_done[in_signal]
    ctx_arb[in_signal], br[popped#]

several#:
    br_bset[in_top, MPLS_S, TO_BOTTOM]
    bne[three#]
    br[last#], defer[1]
    alu_shf[out_last, --, B, io_words[5], >>16]
three#:
    br_bset[io_words[5], (MPLS_S + 16), TO_BOTTOM]
    br[last#], defer[1]
    alu_shf[out_last, --, B, io_words[6], >>16]
popped#:
.end
#endm

// mpls_expose_label(io_top, in_entry, in_w3, in_w4): in: the popped top entry; out: the exposed one, as it is looked up, or as it
// leaves when the entry has MPLS_POP_FORWARD.
#macro mpls_expose_label(io_top, in_entry, in_w3, in_w4)
.begin
    .reg below ttl own
    alu[below, --, B, in_w3]
    dbl_shf[below, below, in_w4, >>16]
    br_bclr[in_entry[1], MPLS_UNIFORM_TTL, own_ttl#]
    alu[ttl, io_top, AND, 0xff]
    br_bclr[in_entry[0], MPLS_POP_FORWARD, looked_up#]
    alu[ttl, ttl, -, 1]
looked_up#:
    alu[own, below, AND, 0xff]
    alu[--, own, -, ttl]
    blo[own_ttl#]
    ld_field[below, 0001, ttl]
own_ttl#:
    br_bclr[in_entry[1], MPLS_UNIFORM_TC, own_tc#]
    alu[own, below, XOR, io_top]
    alu_shf[own, own, AND, 7, <<9]
    alu[below, below, XOR, own]
own_tc#:
    alu[io_top, --, B, below]
.end
#endm

// mpls_expose_ip(in_entry, in_w3, TO_IPV6, TO_VERSION): falls through with IPv4. What the entry says comes before what the
// packet says; the header is validated by who gets it.
#macro mpls_expose_ip(in_entry, in_w3, TO_IPV6, TO_VERSION)
.begin
    .reg version
    alu[version, in_entry[0], AND, 0xf]
    bne[known#]
    alu_shf[version, 0xf, AND, in_w3, >>12]
known#:
    alu[--, version, -, 6]
    beq[TO_IPV6]
    alu[--, version, -, 4]
    bne[TO_VERSION]
.end
#endm

// mpls_ip_ttl(io_ttl, in_top, in_entry, TO_EXPIRED): in: TTL or hop limit of the IP packet; out: the one that it leaves with.
#macro mpls_ip_ttl(io_ttl, in_top, in_entry, TO_EXPIRED)
.begin
    .reg above
    br_bclr[in_entry[1], MPLS_UNIFORM_TTL, own#]
    ld_field_w_clr[above, 0001, in_top]
    alu[--, above, -, io_ttl]
    bhs[own#]
    alu[io_ttl, --, B, above]
own#:
    alu[io_ttl, io_ttl, -, 1]
    ble[TO_EXPIRED]
.end
#endm

// mpls_dscp(out_byte, in_top, in_class): the traffic class byte of an IP packet that leaves its label: DSCP by the map from the
// label's TC, the two lowest bits (ECN) of in_class.
#macro mpls_dscp(out_byte, in_top, in_class)
.begin
    .reg place
    alu_shf[place, 0x1c, AND, in_top, >>7]
    alu[place, place, +, MPLS_LOCAL_DSCP]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]
    alu[out_byte, in_class, AND, 3]
    nop
    nop
    alu[out_byte, out_byte, OR, *l$index1]
.end
#endm

// mpls_expose_ipv4(out_w3, out_w5, out_w6, in_w3, in_w5, in_w6, in_ttl, in_top, in_entry): the longwords of an IPv4 packet that
// change: 0x0800 in the upper half of the first, TTL, DSCP (uniform) and checksum. in_ttl: from mpls_ip_ttl.
//
// Checksum, RFC 1624 equation 3, HC' = ~(~HC + ~m + m'): the sum of ~HC and of both differences m' - m, and 2 * ffff so that it
// is positive; folded it is 1 to ffff, so that 0000 comes out and never ffff.
#macro mpls_expose_ipv4(out_w3, out_w5, out_w6, in_w3, in_w5, in_w6, in_ttl, in_top, in_entry)
.begin
    .reg sum carry
    immed[out_w3, 0x0800, <<16]
    ld_field[out_w3, 0011, in_w3]
    alu[out_w5, --, B, in_w5]
    ld_field[out_w5, 0010, in_ttl, <<8]
    alu[sum, out_w5, -, in_w5]
    br_bclr[in_entry[1], MPLS_UNIFORM_TC, own_dscp#]
    mpls_dscp(carry, in_top, in_w3)
    ld_field[out_w3, 0001, carry]
    ld_field_w_clr[out_w6, 0001, in_w3]
    alu[carry, carry, -, out_w6]
    alu[sum, sum, +, carry]
own_dscp#:
    move(carry, 0x2fffe)                                    // the 1 and the 65536 of ~ below, and 2 * ffff
    alu[sum, sum, +, carry]
    alu_shf[carry, --, ~B, in_w6, >>16]                     // ~HC - 10000 hex
    alu[sum, sum, +, carry]
    alu_shf[carry, --, B, sum, >>16]
    alu[sum, carry, +16, sum]
    alu_shf[carry, --, B, sum, >>16]
    alu[sum, carry, +16, sum]
    alu_shf[sum, --, ~B, sum, <<16]
    alu[out_w6, --, B, in_w6]
    ld_field[out_w6, 1100, sum]
.end
#endm

// mpls_expose_ipv6(out_w3, out_w5, in_w3, in_w5, in_ttl, in_top, in_entry): the same of an IPv6 packet: hop limit and traffic class.
#macro mpls_expose_ipv6(out_w3, out_w5, in_w3, in_w5, in_ttl, in_top, in_entry)
.begin
    .reg class dscp
    immed[out_w3, 0x86dd, <<16]
    ld_field[out_w3, 0011, in_w3]
    alu[out_w5, --, B, in_w5]
    ld_field[out_w5, 0100, in_ttl, <<16]
    br_bclr[in_entry[1], MPLS_UNIFORM_TC, own_class#]
    alu_shf[class, --, B, in_w3, >>4]
    mpls_dscp(dscp, in_top, class)
    alu[class, class, XOR, dscp]
    alu[class, class, AND, 0xff]
    alu_shf[class, --, B, class, <<4]
    alu[out_w3, out_w3, XOR, class]
own_class#:
.end
#endm

#endif
