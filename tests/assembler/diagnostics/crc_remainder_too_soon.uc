.reg a b
immed[a, 1]
crc_be[crc_32, b, a]
nop
local_csr_rd[crc_remainder]
immed[b, 0]
alu[--, --, B, b]
ctx_arb[kill]
