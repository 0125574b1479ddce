.reg a b count $x $y[4] $$d
.sig done
alu[a, b, ADD, count]
l#: nop
ctx_arb[kill]
