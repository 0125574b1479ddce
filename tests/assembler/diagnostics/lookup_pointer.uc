.reg a b count $x $y[4] $$d
.sig done
cam_lookup[a, b], lm_addr0[4]
l#: nop
ctx_arb[kill]
