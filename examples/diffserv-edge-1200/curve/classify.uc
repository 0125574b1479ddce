// Classifies COUNT headers that stand in SRAM at byte address HEADERS_AT, four longwords each (source, destination, ports,
// kind as the blocks want them), and writes the number of the rule of header n, or 0xffffffff, as longword n from RESULTS_AT on.
// The root of the table is the longword at byte address 0. CONTEXTS contexts share the work: all that the engine has, or 1.
// CLASSIFIER: 1 classify_range, 0 classify_linear, 2 neither, to see what the rest of this program takes.
#include "portable/portable.uc"
#if (CLASSIFIER == 1)
#include "classify_range/classify_range.uc"
#elif (CLASSIFIER == 0)
#include "classify_linear/classify_linear.uc"
#endif

    .reg @next @done
    .init @next 0
    .init @done 0
    .reg number limit headers results table offset source destination ports kind rule
    .reg read $h0 $h1 $h2 $h3
    .xfer_order $h0 $h1 $h2 $h3
    .reg write $result
    portable_signal(moved)

#if (CONTEXTS == 1)
    br=ctx[0, alone#]
    ctx_arb[kill]
    nop
    nop
alone#:
#endif
    move(limit, COUNT)
    move(headers, (HEADERS_AT >> (2 - LONGWORD_LOG2)))
    move(results, (RESULTS_AT >> (2 - LONGWORD_LOG2)))
    immed[table, 0]
next#:
    alu[number, --, B, @next]
    alu[--, number, -, limit]
    bhs[finished#]
    alu[@next, @next, +, 1]
    alu_shf[offset, --, B, number, <<(2 + LONGWORD_LOG2)]
    table_read($h0, headers, offset, 4, moved)
    alu[source, --, B, $h0]
    alu[destination, --, B, $h1]
    alu[ports, --, B, $h2]
    alu[kind, --, B, $h3]
#if (CLASSIFIER == 1)
    classify_range(rule, source, destination, ports, kind, table, none#)
#elif (CLASSIFIER == 0)
    classify_linear(rule, source, destination, ports, kind, table, none#)
#else
    alu[rule, --, B, source]
#endif
#if (CLASSIFIER < 2)
    br[write#]
none#:
    alu[rule, --, ~B, 0]
write#:
#endif
    alu[$result, --, B, rule]
#if (LONGWORD_LOG2)
    alu_shf[offset, --, B, number, <<LONGWORD_LOG2]
#else
    alu[offset, --, B, number]
#endif
    table_write($result, results, offset, 1, moved)
    br[next#]
finished#:
    alu[@done, @done, +, 1]
    alu[--, @done, -, CONTEXTS]
    beq[all_done#]
    ctx_arb[kill]
    nop
    nop
all_done#:
    ctx_arb[bpt]
    nop
    nop
