.reg a b count $x $y[4] $$d
.sig done
.init_ctx 8 a 1
l#: nop
ctx_arb[kill]
