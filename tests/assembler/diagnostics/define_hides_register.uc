.reg a b count $x $y[4] $$d
.sig done
#define COUNT 3
alu[a, --, B, 1]
.begin
.reg count
.end
ctx_arb[kill]
