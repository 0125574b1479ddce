.reg a b
alu[a,
    --,
    B,
    bb]
ctx_arb[kill]
