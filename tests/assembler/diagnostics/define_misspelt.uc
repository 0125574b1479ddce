#define BUFFER_COUNT 4
#if BUFER_COUNT > 2
nop
#elif BUFFER_COUNT > 1
nop
#endif
ctx_arb[kill]
