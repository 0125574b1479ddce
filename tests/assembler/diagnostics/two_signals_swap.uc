.reg a b count $x $y[4] $$d
.sig done
dram[read, $$d, a, 0, 1], ctx_swap[done]
l#: nop
ctx_arb[kill]
