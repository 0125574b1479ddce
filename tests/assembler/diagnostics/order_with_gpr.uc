.reg a b count $x $y[4] $$d
.sig done
.xfer_order $x a
l#: nop
ctx_arb[kill]
