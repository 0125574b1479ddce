.reg a b count $x $y[4] $$d
.sig done
br[a]
l#: nop
ctx_arb[kill]
