.reg a b count $x $y[4] $$d
.sig done
.reg read $r
alu[$r, --, B, a]
.reg write $w
alu[a, --, B, $w]
ctx_arb[kill]
