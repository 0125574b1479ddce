.reg a b count $x $y[4] $$d
.sig done
immed[a, (foo(1))]
l#: nop
ctx_arb[kill]
