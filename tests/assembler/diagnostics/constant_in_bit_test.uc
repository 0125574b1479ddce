.reg a b count $x $y[4] $$d
.sig done
br_bset[5, 3, l#]
l#: nop
ctx_arb[kill]
