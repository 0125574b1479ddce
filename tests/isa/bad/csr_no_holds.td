// A CSR that does not say what it holds, and one that does not say who sees it.
include "base.td"
def : Csr<tiny, 4, "ONE"> { let Private = 0; }  // ERROR: 'ONE' does not say its Holds
def : Csr<tiny, 8, "TWO"> { let Holds = []; }    // ERROR: 'TWO' does not say its Private
