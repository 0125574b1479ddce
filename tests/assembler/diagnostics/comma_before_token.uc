.reg a b count $x $y[4] $$d
.sig done
beq[l#] defer[1]
l#: nop
ctx_arb[kill]
