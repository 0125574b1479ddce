.reg a b count $x $y[4] $$d
.sig done
local_csr_rd[ctx_enable]
l#: nop
ctx_arb[kill]
