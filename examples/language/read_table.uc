// Task: read a table.
// The table is a memory block with initial values. The linker finds room for it; its name is a constant of 32 bits, which
// an instruction takes in two halves. Context n looks up entry n and writes what it found to 0x100 + 4n in scratch.
//
// gives: scratch[0x100] = 1
// gives: scratch[0x104] = 3
// gives: scratch[0x11c] = 2187
.alloc_mem powers sram0 global 32 8
.init powers    1 3 9 27
.init powers+16 81 243 729 2187

.sig done
.reg table entry me out
.reg read $value
.reg write $copy

    local_csr_rd[ACTIVE_CTX_STS]
    immed[me, 0]                               ; takes what was read
    alu[me, me, AND, 7]                        ; bits 2:0 are the number of the context
    alu_shf[entry, --, B, me, <<2]

    immed[table, (powers & 0xffff)]
    immed_w1[table, (powers >> 16)]
    sram[read, $value, table, entry, 1], ctx_swap[done]

    immed[out, 0x100]
    alu[$copy, --, B, $value]                  ; a read register is copied to a write register
    scratch[write, $copy, out, entry, 1], ctx_swap[done]
    ctx_arb[kill]
