.reg a b count $x $y[4] $$d
.sig done
.num_contexts 6
l#: nop
ctx_arb[kill]
