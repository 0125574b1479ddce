// Sends TBUF elements 0, 1, 2 ... with the control words from 0x2000 in scratch, up to the first that is 0 (at most 60). Longword i
// of element e is e << 16 | i.
#define TBUF_CONTROL    0x1800
#define TBUF_DATA       0x2000
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES   128
#endif

.reg table word element place value left chunk
.reg read $word
.reg write $control0 $control1
.xfer_order $control0 $control1
.reg write $data[8]
.sig done

    br!=ctx[0, stop#]
    immed[table, 0x2000]
    immed[element, 0]
next#:
    scratch[read, $word, table, 0, 1], ctx_swap[done]
    alu[word, --, B, $word]
    beq[stop#]
    alu[table, table, +, 4]
    alu_shf[place, --, B, element, <<(log2(ELEMENT_BYTES))]
    alu_shf[value, --, B, element, <<16]
    immed[left, (ELEMENT_BYTES / 32)]
fill#:
    #define_eval I 0
    #repeat (8)
    alu[$data[I], value, +, I]
    #define_eval I (I + 1)
    #endloop
    immed[chunk, TBUF_DATA]
    msf[write, $data[0], chunk, place, 8], ctx_swap[done]
    alu[place, place, +, 32]
    alu[value, value, +, 8]
    alu[left, left, -, 1]
    bne[fill#]
    alu[$control0, --, B, word]
    immed[$control1, 0]
    alu_shf[place, --, B, element, <<3]
    immed[chunk, TBUF_CONTROL]
    msf[write, $control0, chunk, place, 2], ctx_swap[done]
    alu[element, element, +, 1]
    br[next#]
stop#:
    ctx_arb[kill]
