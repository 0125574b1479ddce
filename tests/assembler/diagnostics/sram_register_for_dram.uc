.reg a b count $x $y[4] $$d
.sig done
dram[read, $x, a, 0, 1], sig_done[done]
l#: nop
ctx_arb[kill]
