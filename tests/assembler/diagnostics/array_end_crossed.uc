.reg a b count $x $y[4] $$d
.sig done
sram[read, $y[2], a, 0, 3], ctx_swap[done]
l#: nop
ctx_arb[kill]
