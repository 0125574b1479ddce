#include "not_there.h"
#if SIZE_FROM_THERE > 2
nop
#endif
ctx_arb[kill]
