.block "receive
ctx_arb[kill]
