// Two CSRs at one offset.
include "base.td"
def : Csr<tiny, 4, "ONE"> { let Holds = []; let Private = 0; }  // NOTE: the other one is here
def : Csr<tiny, 4, "TWO"> { let Holds = []; let Private = 0; }  // ERROR: CSR offset given twice
