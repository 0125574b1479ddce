; One message for each of the five wrong lines: what they open and declare holds.
.reg a b
.begin
.reg c = 5
immed[c, 1]
again#: alu[a b]
.while (a > > b)
    nop
.endw
.if (a = 1)
    immed[b, 1]
.else
    immed[b, 2]
.endif
br[again#]
.end
last#: alu[b, a
