.reg a b count $x $y[4] $$d
.sig done
.registers virtual
l#: nop
ctx_arb[kill]
