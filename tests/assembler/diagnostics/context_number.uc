.reg a b count $x $y[4] $$d
.sig done
br=ctx[8, l#]
l#: nop
ctx_arb[kill]
