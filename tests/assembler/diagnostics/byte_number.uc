.reg a b count $x $y[4] $$d
.sig done
br=byte[a, 4, 3, l#]
l#: nop
ctx_arb[kill]
