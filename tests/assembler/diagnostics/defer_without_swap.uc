.reg a b count $x $y[4] $$d
.sig done
sram[read, $x, a, 0, 1], sig_done[done], defer[1]
l#: nop
ctx_arb[kill]
