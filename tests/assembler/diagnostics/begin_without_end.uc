.reg a b count $x $y[4] $$d
.sig done
.begin
l#: nop
ctx_arb[kill]
