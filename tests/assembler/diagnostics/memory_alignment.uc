.reg a b count $x $y[4] $$d
.sig done
.alloc_mem m sram0 local 4 3
l#: nop
ctx_arb[kill]
