// Searches for a list of packets with the block filter, in eight contexts, and writes what it says of each.
//
// SRAM: i$packets: {source, destination, ports, kind} each; i$verdicts + FILTER_INDEX * 64 KB: 1 dropped, 2 accepted.
#include "filter/filter.uc"

.import_var i$packets i$verdicts i$packet_count i$filter_control
.reg source destination pair kind table control packet verdict number count verdicts
.reg read $control[2] $packet[4]
.reg write $verdict
.sig done

    move_import(packet, i$packets)
    move_import(verdicts, i$verdicts)
    move_import(count, i$packet_count)
    move_import(control, i$filter_control)
    immed[verdict, FILTER_INDEX, <<16]
    alu[verdicts, verdicts, +, verdict]
    local_csr_rd[ACTIVE_CTX_STS]
    immed[number, 0]
    alu[number, 7, AND, number]
next#:
    alu[--, number, -, count]
    bhs[end#]
    alu_shf[source, --, B, number, <<4]
    sram[read, $packet[0], packet, source, 4], ctx_swap[done]
    filter_ask($control, control, done)
    ctx_arb[done]
#if (FILTER_STORE != FILTER_COMPILED)
    filter_table(table, $control)
#endif
    alu[source, --, B, $packet[0]]
    alu[destination, --, B, $packet[1]]
    alu[pair, --, B, $packet[2]]
    alu[kind, --, B, $packet[3]]
    filter(source, destination, pair, kind, table, control, done, dropped#)
    br[decided#], defer[1]
    immed[verdict, 2]
dropped#:
    immed[verdict, 1]
decided#:
    alu[$verdict, --, B, verdict]
    alu_shf[source, --, B, number, <<2]
    sram[write, $verdict, verdicts, source, 1], ctx_swap[done]
    alu[number, number, +, 8]
    br[next#]
end#:
    ctx_arb[kill]
