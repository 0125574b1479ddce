.reg a
immed[a, 1]
alu[--, a, -, 1]
ctx_arb[voluntary]
beq[end#]
nop
end#: ctx_arb[kill]
