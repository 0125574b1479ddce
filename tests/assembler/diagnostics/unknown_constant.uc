.reg a b count $x $y[4] $$d
.sig done
immed[a, (TABLE_SIZE * 4)]
ctx_arb[kill]
