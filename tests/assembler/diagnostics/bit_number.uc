.reg a b count $x $y[4] $$d
.sig done
br_bset[a, 32, l#]
l#: nop
ctx_arb[kill]
