.reg a b count $x $y[4] $$d
.sig done
immed[a, 0x12345678]
l#: nop
ctx_arb[kill]
