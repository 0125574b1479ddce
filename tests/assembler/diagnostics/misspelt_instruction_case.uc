.reg a b count $x $y[4] $$d
.sig done
IMMMED[a, 1]
l#: nop
ctx_arb[kill]
