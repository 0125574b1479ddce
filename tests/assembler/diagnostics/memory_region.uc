.reg a b count $x $y[4] $$d
.sig done
.alloc_mem m sramm global 4
l#: nop
ctx_arb[kill]
