.reg a b count $x $y[4] $$d
.sig done
immed[a, &count]
l#: nop
ctx_arb[kill]
