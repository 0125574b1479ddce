// Task: keep order between contexts.
// Eight contexts read eight numbers; the answers may come in any order. Each context waits for its turn before it appends
// its number to the result, and then gives the turn to the next context of this microengine.
//
// given: sram0[0x00] = 10
// given: sram0[0x04] = 11
// given: sram0[0x08] = 12
// given: sram0[0x0c] = 13
// given: sram0[0x10] = 14
// given: sram0[0x14] = 15
// given: sram0[0x18] = 16
// given: sram0[0x1c] = 17
// gives: scratch[0x100] = 10
// gives: scratch[0x104] = 11
// gives: scratch[0x110] = 14
// gives: scratch[0x11c] = 17
// gives: me0.@where = 0x120
.sig volatile my_turn                ; set by another context, so it keeps its number for the whole program
.sig done
.reg @where                          ; one register for all contexts: where the next number goes
.reg me entry zero
.reg read $number
.reg write $out

    immed[zero, 0]
    br!=ctx[0, wait_for_data#]
    immed[@where, 0x100]             ; context 0 comes first, so it prepares what is shared
wait_for_data#:
    local_csr_rd[ACTIVE_CTX_STS]
    immed[me, 0]
    alu[me, me, AND, 7]
    alu_shf[entry, --, B, me, <<2]
    sram[read, $number, entry, zero, 1], ctx_swap[done]

    br=ctx[0, turn#]                 ; the first turn is given by nobody
    ctx_arb[my_turn]
turn#:
    alu[$out, --, B, $number]
    alu[entry, --, B, @where]        ; an address is not an absolute register
    scratch[write, $out, entry, 0, 1], ctx_swap[done]
    alu[@where, @where, +, 4]
    local_csr_wr[SAME_ME_SIGNAL, (0x80 | (&my_turn << 3))]   ; bit 7: to the next context
    ctx_arb[kill]
