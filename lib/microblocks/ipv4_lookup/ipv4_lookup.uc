// ipv4_lookup: longest-prefix match in an SRAM trie with strides 16, 8 and 8.
//
// Purpose    Next hop of a destination address in one to three reads.
// Inputs     destination; trie: address of the root (import variable ipv4_trie)
// Outputs    next_hop: SRAM address of a next-hop entry
// Registers  2 temporaries, 1 $ in
// Signals    1
// Memory     SRAM. Root: 65,536 longwords; other nodes: 256 longwords. Entry: bit 0 = 1: address of a node | 1;
//            bit 0 = 0: address of a next hop. Leaves are pushed down, so a lookup never goes back.
//            Next hop: 8 longwords, layout.uc.
// Budget     4 instructions and one read for prefixes up to /16; 5 and a read more for each further node
// Limits     nodes lie on multiples of 1,024 bytes; addresses carry the channel in bits 31:30. For IXP1200 and IXP2400/2800:
//            tables hold byte addresses, in_trie and out_next_hop are addresses of the chip (portable).
#ifndef WEFT_IPV4_LOOKUP_UC
#define WEFT_IPV4_LOOKUP_UC

#include "common/layout.uc"
#include "portable/portable.uc"

// ipv4_lookup(out_next_hop, in_destination, in_trie, in_signal)
#macro ipv4_lookup(out_next_hop, in_destination, in_trie, in_signal)
.begin
    .reg $entry index
    table_index_high(index, in_destination)
    table_read($entry, in_trie, index, 1, in_signal)
    table_pointer(out_next_hop, $entry)
    br_bclr[$entry, TRIE_NODE_BIT, found#]
    table_index_byte(index, in_destination, 1)
    table_read($entry, out_next_hop, index, 1, in_signal)
    table_pointer(out_next_hop, $entry)
    br_bclr[$entry, TRIE_NODE_BIT, found#]
    table_index_byte(index, in_destination, 0)
    table_read($entry, out_next_hop, index, 1, in_signal)
    table_pointer(out_next_hop, $entry)
found#:
.end
#endm

#endif
