.reg a
#define LIMIT (1 << SHIFT)
#define SHIFT 40
immed[a, LIMIT]
ctx_arb[kill]
