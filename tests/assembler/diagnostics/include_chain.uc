.reg a
#include "include_chain.h"
ctx_arb[kill]
