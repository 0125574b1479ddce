.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, foo]
alu[foo, a, +, foo]
alu[a, --, B, foo]
ctx_arb[kill]
