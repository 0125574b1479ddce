.reg a b count $x $y[4] $$d
.sig done
alu[a, b, +, count, <<3]
l#: nop
ctx_arb[kill]
