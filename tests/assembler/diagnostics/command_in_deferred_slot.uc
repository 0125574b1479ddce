.reg a $x
.sig done
immed[a, 1]
alu[$x, --, B, a]
br[end#], defer[1]
sram[write, $x, a, 0, 1], sig_done[done]
end#: ctx_arb[done]
ctx_arb[kill]
