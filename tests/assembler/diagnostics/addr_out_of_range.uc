.reg a b count $x $y[4] $$d
.sig done
.addr a 40 a
l#: nop
ctx_arb[kill]
