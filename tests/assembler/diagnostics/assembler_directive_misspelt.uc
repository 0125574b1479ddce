.reg a b count $x $y[4] $$d
.sig done
.alocate_mem m sram0 local 4
l#: nop
ctx_arb[kill]
