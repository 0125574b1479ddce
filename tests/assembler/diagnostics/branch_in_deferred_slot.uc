.reg a
immed[a, 1]
start#: br[end#], defer[2]
br_bset[a, 0, start#]
sram[write, --, a, 0, 1]
end#: ctx_arb[kill]
