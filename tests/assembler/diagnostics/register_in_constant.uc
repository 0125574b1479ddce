.reg a b count $x $y[4] $$d
.sig done
immed[a, (count + 1)]
l#: nop
ctx_arb[kill]
