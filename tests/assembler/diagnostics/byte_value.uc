.reg a b count $x $y[4] $$d
.sig done
br=byte[a, 0, 256, l#]
l#: nop
ctx_arb[kill]
