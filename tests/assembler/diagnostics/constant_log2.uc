.reg a b count $x $y[4] $$d
.sig done
immed[a, (log2(3))]
l#: nop
ctx_arb[kill]
