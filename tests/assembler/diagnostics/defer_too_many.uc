.reg a b count $x $y[4] $$d
.sig done
br[l#], defer[3]
l#: nop
ctx_arb[kill]
