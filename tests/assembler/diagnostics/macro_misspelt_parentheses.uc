#macro buffer_release(n)
nop
#endm
bufer_release(1)
ctx_arb[kill]
