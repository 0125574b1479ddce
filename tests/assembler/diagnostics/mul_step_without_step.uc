.reg a b count $x $y[4] $$d
.sig done
mul_step[a, b]
l#: nop
ctx_arb[kill]
