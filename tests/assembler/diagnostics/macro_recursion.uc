#macro twice(n)
twice(n)
#endm
twice(1)
ctx_arb[kill]
