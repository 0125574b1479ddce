.reg a b count $x $y[4] $$d
.sig done
alu[foo, bar, +, 999], defer[1]
ctx_arb[kill]
