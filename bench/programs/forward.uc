// A forwarding load for the benchmark: every context of every engine takes a random header from DRAM, checks and rewrites it,
// looks the destination up in a trie, compares rules, counts, and hands a descriptor through a scratch ring. A command
// about every ten instructions; memories are busy, but not the limit; branches depend on random data. The host fills the tables (bench/emulator.cpp).
//
// SRAM 0: trie, 0 to 1 MB: 16-bit table, then 8-bit tables; bit 31 = leaf, 23:0 = byte address of the next table.
// SRAM 1: rules, four longwords each, from 0; counters from 1 MB; descriptors from 2 MB.
// DRAM: headers of 32 bytes from 0, a 16-bit random number of them.

.reg state packet address destination source entry next sum word rule rules left index sram1 counters ring zero meta
.reg $t $r0 $r1 $m0 $m1 $q0 $q1 $count
.xfer_order $r0 $r1
.xfer_order $m0 $m1
.xfer_order $q0 $q1
.reg $$h0 $$h1 $$h2 $$h3 $$h4 $$h5 $$h6 $$h7
.xfer_order $$h0 $$h1 $$h2 $$h3 $$h4 $$h5 $$h6 $$h7
.sig s_dram s_sram s_rule s_meta s_ring s_count

    immed[zero, 0]
    immed[sram1, 0]
    immed_w1[sram1, 0x4000]
    immed[counters, 0]
    immed_w1[counters, 0x4010]
    immed[rules, 0]
    // Another starting point for each context of each engine.
    local_csr_rd[ACTIVE_CTX_STS]
    immed[state, 0]
    alu[index, state, AND, 0x7f]
    alu_shf[state, --, B, state, <<16]
    alu[state, state, XOR, index]
    alu_shf[state, state, OR, 1, <<8]
    alu[ring, index, AND, 3]
    alu_shf[ring, --, B, ring, <<2]

packet#:
    // xorshift
    alu_shf[word, --, B, state, <<13]
    alu[state, state, XOR, word]
    alu_shf[word, --, B, state, >>17]
    alu[state, state, XOR, word]
    alu_shf[word, --, B, state, <<5]
    alu[state, state, XOR, word]
    ld_field_w_clr[packet, 0011, state]
    alu_shf[address, --, B, packet, <<5]
    dram[read, $$h0, address, 0, 4], sig_done[s_dram]
    ctx_arb[s_dram], defer[1]
    alu[index, index, +, 1]

    // Version and header length, type, length.
    alu_shf[word, --, B, $$h0, >>24]
    alu[--, word, -, 0x45]
    bne[odd#]
back#:
    br_bset[$$h1, 31, fragment#]
checked#:
    // Checksum over five longwords.
    alu[sum, --, B, $$h0]
    alu[sum, sum, +, $$h1]
    alu[sum, sum, +carry, $$h2]
    alu[sum, sum, +carry, $$h3]
    alu[sum, sum, +carry, $$h4]
    alu[sum, sum, +carry, 0]
    alu_shf[word, --, B, sum, >>16]
    ld_field_w_clr[sum, 0011, sum]
    alu[sum, sum, +, word]
    alu_shf[word, --, B, sum, >>16]
    alu[sum, sum, +, word]
    br_bclr[sum, 3, good#]
    sram[incr, --, counters, 8, 1]
good#:
    // Time to live.
    alu_shf[word, --, B, $$h2, >>24]
    alu[--, word, -, 2]
    bhs[alive#]
    scratch[incr, --, zero, 64, 1]
alive#:
    alu[destination, --, B, $$h4]
    // First table.
    alu_shf[entry, --, B, destination, >>16]
    alu_shf[entry, --, B, entry, <<2]
    sram[read, $t, entry, 0, 1], ctx_swap[s_sram]
    alu[next, --, B, $t]
    br_bset[next, 31, leaf#]
    alu_shf[entry, --, B, destination, >>8]
    alu[entry, entry, AND, 0xff]
    alu_shf[entry, --, B, entry, <<2]
    alu[next, next, AND~, 3]
    sram[read, $t, next, entry, 1], ctx_swap[s_sram]
    alu[next, --, B, $t]
    br_bset[next, 31, leaf#]
    alu[entry, destination, AND, 0xff]
    alu_shf[entry, --, B, entry, <<2]
    sram[read, $t, next, entry, 1], ctx_swap[s_sram], defer[1]
    alu[index, index, +, 1]
    alu[next, --, B, $t]
leaf#:
    // Rules: the first whose masked source matches, four at most; the number looked at depends on the packet.
    alu[left, packet, AND, 3]
    alu[left, left, +, 1]
    alu[rule, state, AND, 0xf0]
rule#:
    sram[read, $r0, sram1, rule, 2], ctx_swap[s_rule]
    alu[source, --, B, $$h3]
    alu[word, source, AND, $r1]
    alu[--, word, -, $r0]
    beq[found#]
    alu[word, destination, XOR, $r0]
    alu_shf[entry, --, B, word, >>16]
    alu[word, word, XOR, entry]
    alu_shf[entry, --, B, word, >>8]
    alu[word, word, XOR, entry]
    ld_field[meta, 0100, word]
    alu[rule, rule, +, 16]
    alu[left, left, -, 1]
    bne[rule#]
found#:
    // Rewrite: new time to live, new destination address bytes.
    alu_shf[word, --, B, 1, <<24]
    alu[word, $$h2, -, word]
    alu[$$h0, --, B, $$h0]
    alu[$$h1, --, B, word]
    alu[$$h2, --, B, destination]
    alu[$$h3, next, XOR, packet]
    dram[write, $$h0, address, 8, 2], sig_done[s_dram]
    // Descriptor and counters meanwhile.
    alu_shf[meta, packet, OR, next, <<16]
    alu[$m0, --, B, meta]
    alu[$m1, --, B, sum]
    alu_shf[index, --, B, packet, <<3]
    alu[word, --, B, counters]
    alu[word, word, +, index]
    sram[write, $m0, word, 0, 2], sig_done[s_meta]
    alu[$count, --, B, 64]
    alu[entry, packet, AND, 0x1f]
    alu_shf[entry, --, B, entry, <<2]
    scratch[add, $count, zero, entry], sig_done[s_count]
    ctx_arb[s_dram, s_meta, s_count]
    // Through the ring.
    alu[$q0, --, B, meta]
    alu[$q1, --, B, address]
    scratch[put, $q0, ring, 0, 2], ctx_swap[s_ring]
    scratch[get, $q0, ring, 0, 2], ctx_swap[s_ring], defer[1]
    alu[meta, meta, +, 1]
    alu[--, --, B, $q0]
    beq[empty#]
    alu[word, --, B, $q0]
    alu[word, word, XOR, $q1]
    br=byte[word, 0, 0x55, special#]
    br[packet#], defer[1]
    alu[state, state, +, word]
empty#:
    br[packet#]
special#:
    sram[incr, --, counters, 16, 1]
    br[packet#]
odd#:
    scratch[incr, --, zero, 68, 1]
    alu[word, word, AND, 0xf]
    br[back#]
fragment#:
    sram[incr, --, counters, 24, 1]
    alu[word, --, B, $$h1]
    br[checked#]
