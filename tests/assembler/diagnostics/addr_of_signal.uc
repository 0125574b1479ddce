.reg a b count $x $y[4] $$d
.sig done
.addr done 16
l#: nop
ctx_arb[kill]
