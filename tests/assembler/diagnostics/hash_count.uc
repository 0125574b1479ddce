.reg a b count $x $y[4] $$d
.sig done
hash_48[$y, 4], ctx_swap[done]
l#: nop
ctx_arb[kill]
