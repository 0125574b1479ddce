.reg a b count $x $y[4] $$d
.sig done
.repeat
l#: nop
ctx_arb[kill]
