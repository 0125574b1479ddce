.reg a b count $x $y[4] $$d
.sig done
m#: nop
m#: nop
ctx_arb[kill]
