.reg a b count $x $y[4] $$d
.sig done
.word 0x10000000000
l#: nop
ctx_arb[kill]
