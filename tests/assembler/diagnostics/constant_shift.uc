.reg a b count $x $y[4] $$d
.sig done
immed[a, (1 << 99)]
l#: nop
ctx_arb[kill]
