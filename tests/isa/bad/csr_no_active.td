// A CSR of another context without one of the running context.
include "base.td"
def : Csr<tiny, 4, "INDIRECT_ONE"> { let Holds = []; let Private = 0; }  // ERROR: 'INDIRECT_ONE' has no ACTIVE_ form
