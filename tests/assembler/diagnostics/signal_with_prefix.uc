.reg a b count $x $y[4] $$d
.sig done
.sig $q
l#: nop
ctx_arb[kill]
