.reg a b count $x $y[4] $$d
.sig done
jump[a, l#], targets[a]
l#: nop
ctx_arb[kill]
