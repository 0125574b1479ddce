.reg a b count $x $y[4] $$d
.sig done
ld_field[a, 0120, b]
l#: nop
ctx_arb[kill]
