.reg a b count $x $y[4] $$d
.sig done
crc_le[crc_isci, --, a]
l#: nop
ctx_arb[kill]
