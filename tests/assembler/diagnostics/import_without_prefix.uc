.reg a b count $x $y[4] $$d
.sig done
.import_var foo
l#: nop
ctx_arb[kill]
