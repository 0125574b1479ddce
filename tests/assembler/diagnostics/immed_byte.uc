.reg a b count $x $y[4] $$d
.sig done
immed_b1[a, 256]
l#: nop
ctx_arb[kill]
