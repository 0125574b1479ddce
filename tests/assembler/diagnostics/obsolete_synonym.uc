.reg a b count $x $y[4] $$d
.sig done
.operand_synonym a b
l#: nop
ctx_arb[kill]
