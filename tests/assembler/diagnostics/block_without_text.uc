.reg a b count $x $y[4] $$d
.sig done
.block
l#: nop
ctx_arb[kill]
