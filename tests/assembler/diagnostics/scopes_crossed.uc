.reg a b count $x $y[4] $$d
.sig done
.begin
.reg c
.local d
nop
.end
.endlocal
ctx_arb[kill]
