// classify_linear: the first rule that matches a packet in six dimensions, by comparing with one rule after the other.
//
// Purpose    The plain way, with the interface of classify_range.
// Inputs     io_source, io_destination: IPv4 addresses
//            io_ports: source port << 16 | destination port; 0 for a packet without ports
//            io_kind: protocol << 8 | DSCP (the TOS byte >> 2, so bits 7:6 are 0)
//            in_table: SRAM address of the longword that leads to the table (control/classify/vectors.h)
// Outputs    out_rule: number of the rule, from 0; to TO_NONE when none matches
// Registers  3 temporaries, of which out_rule can be one; 3 $ in. The io_ registers count as used up, as classify_range does.
// Signals    1 on me2
// Memory     SRAM. A rule is 8 longwords: first source, span of sources (last - first), first destination, span; source
//            port << 16 | destination port, first and span; protocol and DSCP, first << 16 | span (each protocol << 8 | DSCP);
//            number of the rule. After the last rule stands one that matches everything, whose number has bit 31.
// Budget     README.md
// Limits     memory. in_table is an address of the chip: longwords on me1, bytes on me2 (portable).
#ifndef WEFT_CLASSIFY_LINEAR_UC
#define WEFT_CLASSIFY_LINEAR_UC

#include "portable/portable.uc"

// classify_linear(out_rule, io_source, io_destination, io_ports, io_kind, in_table, TO_NONE)
#macro classify_linear(out_rule, io_source, io_destination, io_ports, io_kind, in_table, TO_NONE)
.begin
    .reg read $linear0 $linear1 $linear2
    .xfer_order $linear0 $linear1 $linear2
    .reg linear_rule linear_above linear_span
    portable_signal(classify_a)
    table_read($linear0, in_table, 0, 1, classify_a)
    table_pointer(linear_rule, $linear0)
    alu[linear_rule, linear_rule, -, LONGWORDS(8)]
next_rule#:
    alu[linear_rule, linear_rule, +, LONGWORDS(8)]
    table_read($linear0, linear_rule, 0, 2, classify_a)
    // A value is in a range when its distance from the first one, as an unsigned number, is not more than the span.
    alu[linear_above, io_source, -, $linear0]
    alu[--, linear_above, B-A, $linear1]
    blo[next_rule#]
    table_read($linear0, linear_rule, LONGWORDS(2), 2, classify_a)
    alu[linear_above, io_destination, -, $linear0]
    alu[--, linear_above, B-A, $linear1]
    blo[next_rule#]
    table_read($linear0, linear_rule, LONGWORDS(4), 3, classify_a)
    // Two ports in one longword: when the lower half is in its range it borrows nothing from the upper one, and cannot
    // decide the comparison of both.
    alu[linear_above, io_ports, -, $linear0]
    alu[linear_span, --, B, $linear1]
    alu[--, linear_span, -, linear_above]
    blo[next_rule#]
    alu_shf[linear_above, --, B, linear_above, <<16]
    alu_shf[linear_span, --, B, linear_span, <<16]
    alu[--, linear_span, -, linear_above]
    blo[next_rule#]
    // Protocol and DSCP in the same way, in 16 bits.
    alu_shf[linear_span, --, B, $linear2, >>16]
    alu[linear_above, io_kind, -, linear_span]
    ld_field_w_clr[linear_span, 0011, $linear2]
    alu[--, linear_span, -, linear_above]
    blo[next_rule#]
    alu_shf[linear_above, --, B, linear_above, <<24]
    alu_shf[linear_span, --, B, linear_span, <<24]
    alu[--, linear_span, -, linear_above]
    blo[next_rule#]
    table_read($linear0, linear_rule, LONGWORDS(7), 1, classify_a)
    br_bset[$linear0, 31, TO_NONE]
    alu[out_rule, --, B, $linear0]
.end
#endm

#endif
