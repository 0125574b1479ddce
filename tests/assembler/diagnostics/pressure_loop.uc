; What goes round a loop is live in all of it.
.reg e0 o0
immed[e0, 0]
immed[o0, 0]
.reg e1 o1
immed[e1, 1]
immed[o1, 1]
.reg e2 o2
immed[e2, 2]
immed[o2, 2]
.reg e3 o3
immed[e3, 3]
immed[o3, 3]
.reg e4 o4
immed[e4, 4]
immed[o4, 4]
.reg e5 o5
immed[e5, 5]
immed[o5, 5]
.reg e6 o6
immed[e6, 6]
immed[o6, 6]
.reg e7 o7
immed[e7, 7]
immed[o7, 7]
.reg e8 o8
immed[e8, 8]
immed[o8, 8]
.reg e9 o9
immed[e9, 9]
immed[o9, 9]
.reg e10 o10
immed[e10, 10]
immed[o10, 10]
.reg e11 o11
immed[e11, 11]
immed[o11, 11]
.reg e12 o12
immed[e12, 12]
immed[o12, 12]
.reg e13 o13
immed[e13, 13]
immed[o13, 13]
.reg e14 o14
immed[e14, 14]
immed[o14, 14]
.reg e15 o15
immed[e15, 15]
immed[o15, 15]
.reg e16 o16
immed[e16, 16]
immed[o16, 16]
again#:
alu[e0, e0, +, o0]
alu[e1, e1, +, o1]
alu[e2, e2, +, o2]
alu[e3, e3, +, o3]
alu[e4, e4, +, o4]
alu[e5, e5, +, o5]
alu[e6, e6, +, o6]
alu[e7, e7, +, o7]
alu[e8, e8, +, o8]
alu[e9, e9, +, o9]
alu[e10, e10, +, o10]
alu[e11, e11, +, o11]
alu[e12, e12, +, o12]
alu[e13, e13, +, o13]
alu[e14, e14, +, o14]
alu[e15, e15, +, o15]
alu[e16, e16, +, o16]
br[again#]
