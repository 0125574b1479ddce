// Adds the numbers that fill.uc wrote and puts the sum after them.
#include "places.uc"
.sig done
.reg total place
.reg read $n[COUNT]
.reg write $total

    br!=ctx[0, stop#]
    immed[place, FIRST]
    scratch[read, $n[0], place, 0, COUNT], ctx_swap[done]
    immed[total, 0]
    #define_eval I 0
    #repeat (COUNT)
        alu[total, total, +, $n[I]]
        #define_eval I (I + 1)
    #endloop
    alu[$total, --, B, total]
    scratch[write, $total, place, (4 * COUNT), 1], ctx_swap[done]
stop#:
    ctx_arb[kill]
