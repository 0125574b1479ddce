// Two CSRs at one offset.
include "base.td"
def : Csr<tiny, 4, "ONE">;                               // NOTE: the other one is here
def : Csr<tiny, 4, "TWO">;                               // ERROR: CSR offset given twice
