// A microengine that has nothing to do.
    ctx_arb[kill]
    nop
