.reg a b count $x $y[4] $$d
.sig done
.endsub
l#: nop
ctx_arb[kill]
