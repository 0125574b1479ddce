.reg a b count $x $y[4] $$d
.sig done
.if (BYTE(a, 1) > 3)
nop
.endif
ctx_arb[kill]
