// ipv6_lookup: longest-prefix match in an SRAM trie with a stride of 16 and fourteen of 8.
//
// Purpose    Next hop of an IPv6 destination in one to fifteen reads.
// Inputs     w9 to w13: frame longwords 9 to 13, with the destination from the lower half of w9 to the upper half of w13;
//            trie: address of the root (import variable ipv6_trie)
// Outputs    next_hop: SRAM address of the next hop
// Registers  2 temporaries, 1 $ in
// Signals    1
// Memory     SRAM. As ipv4_lookup: root of 65,536 longwords, other nodes of 256, same entries.
// Budget     7 instructions and one read for prefixes up to /16; 3 and a read more for each further node, 47 at most
// Limits     nodes lie on multiples of 1,024 bytes; addresses carry the channel in bits 31:30
#ifndef WEFT_IPV6_LOOKUP_UC
#define WEFT_IPV6_LOOKUP_UC

#include "common/layout.uc"

// ipv6_lookup_node(io_entry, io_index, in_mask, in_next, next_shift, in_signal, TO_FOUND): one node. While its entry is
// read, the index into the node after it is made: in_next shifted by next_shift, which brings the byte to bits 9:2.
#macro ipv6_lookup_node(io_entry, io_index, in_mask, in_next, next_shift, in_signal, TO_FOUND)
    br_bclr[io_entry, TRIE_NODE_BIT, TO_FOUND]
    sram[read, io_entry, io_entry, io_index, 1], ctx_swap[in_signal], defer[1]
    alu_shf[io_index, in_mask, AND, in_next, next_shift]
#endm

// ipv6_lookup(out_next_hop, in_w9, in_w10, in_w11, in_w12, in_w13, in_trie, in_signal)
#macro ipv6_lookup(out_next_hop, in_w9, in_w10, in_w11, in_w12, in_w13, in_trie, in_signal)
.begin
    .reg $entry index mask
    // The unit ignores the low two bits of an address: those of the entry, and of the index here.
    alu_shf[index, --, B, in_w9, <<16]
    alu_shf[index, --, B, index, >>14]
    sram[read, $entry, in_trie, index, 1], ctx_swap[in_signal], defer[2]
    immed[mask, 0x3fc]
    alu_shf[index, mask, AND, in_w10, >>22]
    ipv6_lookup_node($entry, index, mask, in_w10, >>14, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w10, >>6, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w10, <<2, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w11, >>22, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w11, >>14, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w11, >>6, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w11, <<2, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w12, >>22, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w12, >>14, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w12, >>6, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w12, <<2, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w13, >>22, in_signal, found#)
    ipv6_lookup_node($entry, index, mask, in_w13, >>14, in_signal, found#)
    br_bclr[$entry, TRIE_NODE_BIT, found#]
    sram[read, $entry, $entry, index, 1], ctx_swap[in_signal]
found#:
    alu[out_next_hop, --, B, $entry]
.end
#endm

#endif
