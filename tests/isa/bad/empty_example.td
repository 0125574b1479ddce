// An example that tests nothing.
include "base.td"
def : Example<first, "nop", [], []>;     // ERROR: a worked example of 'first' says nothing about what follows
