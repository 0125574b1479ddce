.reg a b count $x $y[4] $$d
.sig done
cam_write[a, b, 16]
l#: nop
ctx_arb[kill]
