.reg a b count $x $y[4] $$d
.sig done
.while (a)
.endif
.endw
nop
ctx_arb[kill]
