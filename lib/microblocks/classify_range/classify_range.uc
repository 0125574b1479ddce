// classify_range: the first rule that matches a packet in six dimensions, by range matching with bit vectors.
//
// Purpose    Each dimension is cut into the intervals in which the same rules match. The packet's interval gives a bit vector
//            of the rules and a compact one with a bit for each longword of the former that is not 0. The AND of the six
//            compact vectors says which longwords are worth reading; the lowest bit of the AND of six vectors is the rule.
// Inputs     io_source, io_destination: IPv4 addresses
//            io_ports: source port << 16 | destination port; 0 for a packet without ports
//            io_kind: protocol << 8 | DSCP (the TOS byte >> 2, so bits 7:6 are 0)
//            in_table: SRAM address of the longword that leads to the table (control/classify/vectors.h)
// Outputs    out_rule: number of the rule, from 0; to TO_NONE when none matches
// Registers  the four io_ registers are used up; 6 temporaries (7 on me2), of which out_rule can be one; 3 $ in
// Signals    3 on me2
// Memory     SRAM; tables hold byte addresses: README.md
// Budget     README.md
// Limits     1,024 rules (build_vectors: 512). in_table is an address of the chip: longwords on me1, bytes on me2 (portable).
#ifndef WEFT_CLASSIFY_RANGE_UC
#define WEFT_CLASSIFY_RANGE_UC

#include "portable/portable.uc"

// classify_range_search(in_value, io_root): $range0 to $range2 become the record of the interval of in_value. io_root is the
// address of a tree and its number of levels n as bit n + 1. A node is four longwords: ~last of three intervals, and a spare
// one; a value beyond the end of an interval carries when it is added. Nodes 4 n + 1 to 4 n + 4 are below node n, and after
// the last nodes come the records, which are read as a node is.
#macro classify_range_search(in_value, io_root)
    alu[range_tree, io_root, AND~, 255]
#if (PORTABLE_ME1)
    alu_shf[range_tree, --, B, range_tree, >>2]
#endif
    immed[range_node, 0]
level#:
#if (PORTABLE_ME1)
    sram[read, $range0, range_tree, range_node, 3], ctx_swap, defer[1]
#else
    alu_shf[range_place, --, B, range_node, <<2]
    sram[read, $range0, range_tree, range_place, 3], ctx_swap[classify_a], defer[1]
#endif
    alu_shf[io_root, --, B, io_root, >>1]
    br_bset[io_root, 0, found#]
    alu[--, in_value, +, $range0]
    alu[range_node, range_node, +carry, 0]
    alu[--, in_value, +, $range1]
    alu[range_node, range_node, +carry, 0]
    alu[--, in_value, +, $range2]
    alu[range_node, range_node, +carry, 1]
    br[level#], defer[1]
    alu_shf[range_node, --, B, range_node, <<2]  // in longwords
found#:
#endm

// classify_range_take(out_vector, TO_NONE): what a record says: which longwords are not 0, where the vector is, and the root
// of the next dimension.
#macro classify_range_take(out_vector, TO_NONE)
    alu[range_words, range_words, AND, $range0]
    beq[TO_NONE], defer[2]
    table_pointer(out_vector, $range1)
    alu[range_root, --, B, $range2]
#endm

// classify_range_three(in_a, in_b, in_c, in_place): the longwords at in_place of three vectors. On me1 reads end in order, so
// the event of the last one is enough.
#macro classify_range_three(in_a, in_b, in_c, in_place)
#if (PORTABLE_ME1)
    sram[read, $range0, in_a, in_place, 1]
    sram[read, $range1, in_b, in_place, 1]
    sram[read, $range2, in_c, in_place, 1], ctx_swap
#else
    sram[read, $range0, in_a, in_place, 1], sig_done[classify_a]
    sram[read, $range1, in_b, in_place, 1], sig_done[classify_b]
    sram[read, $range2, in_c, in_place, 1], sig_done[classify_c]
    ctx_arb[classify_a, classify_b, classify_c]
#endif
#endm

// classify_range(out_rule, io_source, io_destination, io_ports, io_kind, in_table, TO_NONE)
#macro classify_range(out_rule, io_source, io_destination, io_ports, io_kind, in_table, TO_NONE)
.begin
    .reg read $range0 $range1 $range2
    .xfer_order $range0 $range1 $range2
    .reg range_root range_tree range_node range_words range_port range_protocol
    portable_signal(classify_a)
#if (!PORTABLE_ME1)
    .reg range_place
    portable_signal(classify_b)
    portable_signal(classify_c)
#endif
    table_read($range2, in_table, 0, 1, classify_a)
    alu[range_root, --, B, $range2]
    alu[range_words, --, ~B, 0]
    // Each register that has been searched for becomes the address of its vector.
    classify_range_search(io_source, range_root)
    classify_range_take(io_source, TO_NONE)
    classify_range_search(io_destination, range_root)
    classify_range_take(io_destination, TO_NONE)
    ld_field_w_clr[range_port, 0011, io_ports]
    classify_range_search(range_port, range_root)
    classify_range_take(range_port, TO_NONE)
    alu_shf[io_ports, --, B, io_ports, >>16]
    classify_range_search(io_ports, range_root)
    classify_range_take(io_ports, TO_NONE)
    // A protocol and a DSCP have few values: a record for each, four longwords apart.
    table_pointer(range_tree, range_root)
#if (PORTABLE_ME1)
    alu_shf[range_node, --, B, io_kind, >>6]
#else
    alu_shf[range_node, --, B, io_kind, >>4]  // SRAM ignores bits 1:0, where some of the DSCP are
#endif
    table_read($range0, range_tree, range_node, 3, classify_a)
    classify_range_take(range_protocol, TO_NONE)
    table_pointer(range_tree, range_root)
    ld_field_w_clr[range_node, 0001, io_kind]
    alu_shf[range_node, --, B, range_node, <<(2 + LONGWORD_LOG2)]
    table_read($range0, range_tree, range_node, 2, classify_a)
    alu[range_words, range_words, AND, $range0]
    table_pointer(io_kind, $range1)

word#:
    first_set_bit(range_node, range_words, TO_NONE)
#if (PORTABLE_ME1)
    classify_range_three(io_source, io_destination, range_port, range_node)
#else
    alu_shf[range_place, --, B, range_node, <<2]
    classify_range_three(io_source, io_destination, range_port, range_place)
#endif
    alu[range_tree, --, B, $range0]
    alu[range_tree, range_tree, AND, $range1]
    alu[range_tree, range_tree, AND, $range2]
    beq[next_word#]
#if (PORTABLE_ME1)
    classify_range_three(io_ports, range_protocol, io_kind, range_node)
#else
    classify_range_three(io_ports, range_protocol, io_kind, range_place)
#endif
    alu[range_tree, range_tree, AND, $range0]
    alu[range_tree, range_tree, AND, $range1]
    alu[range_tree, range_tree, AND, $range2]
    first_set_bit(range_root, range_tree, next_word#)
    br[matched#], defer[1]
    alu_shf[out_rule, range_root, OR, range_node, <<5]
next_word#:
    alu[range_tree, range_words, -, 1]
    br[word#], defer[1]
    alu[range_words, range_words, AND, range_tree]  // without its lowest bit
matched#:
.end
#endm

#endif
