.reg a b count $x $y[4] $$d
.sig done
immed_w0[a, 0x10000]
l#: nop
ctx_arb[kill]
