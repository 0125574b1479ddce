// mpls_lookup: the entry of a label, which is incoming-label map and next-hop label entry in one.
//
// Purpose    Find out what is done with a labelled packet; two longwords of SRAM say it for SWAP and POP.
// Inputs     top: top entry of the label stack; in_table, in_labels: i$mpls_table (i$mpls_split_table), i$mpls_labels in registers; i$mpls_spare
// Outputs    entry: an array of 4 read registers, longwords 0 and 1 in it; place: address of the entry, for mpls_lookup_pushes
// Registers  1 temporary
// Signals    1
// Memory     SRAM, 2 longwords (a redirected entry: 4; MPLS_TABLE_SPLIT: 5; MPLS_TABLE_WHOLE: 4), mpls_lookup_pushes 2 more
// Budget     mpls_lookup 6 instructions, mpls_operation 4
// Limits     A spare entry does not redirect. Reserved labels are entries like others.
#ifndef WEFT_MPLS_LOOKUP_UC
#define WEFT_MPLS_LOOKUP_UC

#include "common/std.uc"
#include "mpls/layout.uc"

#if (MPLS_TABLE_SPLIT && MPLS_TABLE_WHOLE)
#error "MPLS_TABLE_SPLIT and MPLS_TABLE_WHOLE exclude each other"
#endif
#if (MPLS_TABLE_SPLIT || MPLS_TABLE_WHOLE)
#define MPLS_READ_LONGWORDS MPLS_ENTRY_LONGWORDS
#else
#define MPLS_READ_LONGWORDS MPLS_COMMON_LONGWORDS
#endif

// mpls_lookup(out_entry, out_place, in_top, in_table, in_labels, in_signal, TO_UNKNOWN)
// TO_UNKNOWN: the table is not as long. An entry of 0 is found by mpls_operation.
#macro mpls_lookup(out_entry, out_place, in_top, in_table, in_labels, in_signal, TO_UNKNOWN)
.begin
    .reg label
    alu_shf[label, --, B, in_top, >>12]
    alu[--, label, -, in_labels]
    bhs[TO_UNKNOWN]
#if (MPLS_TABLE_SPLIT)
    alu_shf[label, --, B, label, <<2]
    sram[read, out_entry[0], in_table, label, 1], ctx_swap[in_signal]
    alu[out_place, --, B, out_entry[0]]
    beq[TO_UNKNOWN]
#else
    alu_shf[label, --, B, label, <<4]
    alu[out_place, in_table, +, label]
#endif
    sram[read, out_entry[0], out_place, 0, MPLS_READ_LONGWORDS], ctx_swap[in_signal]
.end
#endm

// mpls_operation(out_reason, io_entry, io_place, in_signal, TO_REASON, TO_POP, TO_UNKNOWN)
// Falls through with SWAP. TO_REASON: out_reason says why it is not done.
#macro mpls_operation(out_reason, io_entry, io_place, in_signal, TO_REASON, TO_POP, TO_UNKNOWN)
again#:
    alu_shf[out_reason, --, B, io_entry[0], >>MPLS_REASON_SHIFT]
    bne[TO_REASON]
    br_bset[io_entry[0], MPLS_IS_POP, TO_POP]
    br_bset[io_entry[0], MPLS_IS_SWAP, swap#]
    br_bclr[io_entry[0], MPLS_IS_REDIRECT, TO_UNKNOWN]
#if (!MPLS_TABLE_SPLIT)
.begin
    .import_var i$mpls_spare
    .reg number
    alu_shf[number, --, B, io_entry[0], <<12]
    alu_shf[number, --, B, number, >>8]
    move_import(io_place, i$mpls_spare)
    alu[io_place, io_place, +, number]
    sram[read, io_entry[0], io_place, 0, MPLS_READ_LONGWORDS], ctx_swap[in_signal]
    br[again#]
.end
#else
    br[TO_UNKNOWN]
#endif
swap#:
#endm

// mpls_lookup_pushes(io_entry, in_place, in_signal): longwords 2 and 3, which only a SWAP that is followed by pushes needs.
#macro mpls_lookup_pushes(io_entry, in_place, in_signal)
#if (MPLS_READ_LONGWORDS == MPLS_COMMON_LONGWORDS)
    sram[read, io_entry[2], in_place, 8, 2], ctx_swap[in_signal]
#endif
#endm

// mpls_next_hop(out_next_hop, in_entry): its address.
#macro mpls_next_hop(out_next_hop, in_entry)
    alu[out_next_hop, in_entry[1], AND~, MPLS_HOP_BITS]
#endm

#endif
