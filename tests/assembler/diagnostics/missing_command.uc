.reg a b count $x $y[4] $$d
.sig done
sram[]
l#: nop
ctx_arb[kill]
