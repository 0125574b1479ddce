#macro first(n)
second(n)
#endm
#macro second(n)
first((n + 1))
#endm
first(1)
ctx_arb[kill]
