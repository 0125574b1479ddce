// What the IXP1200 calls threads: 4 an engine. ENGINE is the number of the microengine that the program is for.
#ifndef WEFT_IDENTIFY1200_UC
#define WEFT_IDENTIFY1200_UC

#macro identify(out_thread)
    local_csr_rd[ACTIVE_CTX_STS]
    immed[out_thread, 0]
    alu[out_thread, out_thread, AND, 3]
    alu[out_thread, out_thread, +, (4 * ENGINE)]
#endm

#endif
