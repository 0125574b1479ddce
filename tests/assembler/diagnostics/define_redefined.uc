#define SIZE 64
#define SIZE 128
.reg a
immed[a, SIZE]
alu[--, --, B, a]
ctx_arb[kill]
