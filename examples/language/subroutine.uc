// Task: call the same code from two places.
// A subroutine is code with a register that holds where to go back. .subroutine and .endsub tell the allocator which
// registers live across the call.
//
// gives: scratch[0x100] = 0x01020304
// gives: scratch[0x104] = 0x04030201
.sig written
.reg word back base result
.reg write $out

    immed[base, 0x100]
    immed[word, 0x0201]
    immed_w1[word, 0x0403]
    load_addr[back, first#]
    br[swap_bytes#]
first#:
    alu[$out, --, B, result]
    scratch[write, $out, base, 0, 1], ctx_swap[written]
    alu[word, --, B, result]
    load_addr[back, second#]
    br[swap_bytes#]
second#:
    alu[$out, --, B, result]
    scratch[write, $out, base, 4, 1], ctx_swap[written]
    ctx_arb[kill]

.subroutine
swap_bytes#:
    ld_field_w_clr[result, 0001, word, >>24]
    ld_field[result, 0010, word, >>8]
    ld_field[result, 0100, word, <<8]
    ld_field[result, 1000, word, <<24]
    rtn[back]
.endsub
