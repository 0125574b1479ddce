.reg a b count $x $y[4] $$d
.sig done
sram[read, $x, a, 0, 1], ctx_swap[done], sig_done[done]
l#: nop
ctx_arb[kill]
