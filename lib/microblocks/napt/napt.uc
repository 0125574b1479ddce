// napt: other addresses and ports in a packet's header, and the checksums that belong to them.
//
// Purpose    Checksums by the difference of what changes (RFC 1624, equation 3), so that the packet's data is not read.
// Inputs     old and new addresses and ports in registers
// Outputs    words of the header
// Registers  see each macro
// Budget     napt_sum_addresses 6 instructions, napt_sum_words 4, napt_checksum 7
// Limits     No old address is 255.255.255.255 (ipv4_validate has dropped it), so a sum is never 0: then neither is a checksum ffff where
//            0 is right. A message without addresses (ICMP) whose words are all 0 once they are changed gets 0 where ffff is right (RFC 1624 3): the
//            program sees that, not the difference. The sum of two words that are both ffffffff when another one was 0 is not taken care of: no packet has them.
//
// A sum here is 32 bits wide, one's complement: the words of 16 bits that a checksum adds may stand in either half, because 2^16 is 1
// modulo ffff.
#ifndef WEFT_NAPT_UC
#define WEFT_NAPT_UC

#include "common/std.uc"

// napt_sum_addresses(out_sum, in_source, in_destination, in_new_source, in_new_destination): by how much the sum over the addresses grows.
#macro napt_sum_addresses(out_sum, in_source, in_destination, in_new_source, in_new_destination)
.begin
    .reg first second
    alu[first, --, ~B, in_source]
    alu[second, --, ~B, in_destination]
    alu[out_sum, first, +, in_new_source]
    alu[out_sum, out_sum, +carry, second]
    alu[out_sum, out_sum, +carry, in_new_destination]
    alu[out_sum, out_sum, +carry, 0]
.end
#endm

// napt_sum_words(io_sum, in_old, in_new): the same for another word, ports for example.
#macro napt_sum_words(io_sum, in_old, in_new)
.begin
    .reg first
    alu[first, --, ~B, in_old]
    alu[io_sum, io_sum, +, first]
    alu[io_sum, io_sum, +carry, in_new]
    alu[io_sum, io_sum, +carry, 0]
.end
#endm

// napt_checksum(out_high, in_sum, in_word, BYTES): the new checksum stands in the upper half of out_high, its lower half is of no use. in_word has the
// old one in its upper half (BYTES 1100) or lower half (0011).
#macro napt_checksum(out_high, in_sum, in_word, BYTES)
.begin
    .reg complement
    alu[complement, --, ~B, in_word]
    ld_field_w_clr[out_high, BYTES, complement]
    alu[out_high, out_high, +, in_sum]
    alu[out_high, out_high, +carry, 0]
    alu_shf[complement, --, B, out_high, >>rot16]
    alu[out_high, out_high, +, complement]
    alu[out_high, --, ~B, out_high]
.end
#endm

// napt_udp_checksum(io_high): a computed 0 is sent as ffff (RFC 768).
#macro napt_udp_checksum(io_high)
.begin
    .reg ones
    alu_shf[--, --, B, io_high, >>16]
    bne[right#]
    immed[ones, 0xffff, <<16]
    alu[io_high, io_high, OR, ones]
right#:
.end
#endm

#endif
