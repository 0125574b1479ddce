.reg a b count $x $y[4] $$d
.sig done
.addr a 3
l#: nop
ctx_arb[kill]
