.reg a b count $x $y[4] $$d
.sig done
immed[a, i$foo]
l#: nop
ctx_arb[kill]
