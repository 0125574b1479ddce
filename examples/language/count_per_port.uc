// Task: count packets per port.
// A list in SRAM holds the port numbers of ten packets. One counter per port stands in scratch memory, and the memory
// itself adds: no context can lose the count of another.
//
// given: sram0[0x00] = 0
// given: sram0[0x04] = 1
// given: sram0[0x08] = 2
// given: sram0[0x0c] = 1
// given: sram0[0x10] = 3
// given: sram0[0x14] = 1
// given: sram0[0x18] = 0
// given: sram0[0x1c] = 2
// given: sram0[0x20] = 1
// given: sram0[0x24] = 1
// gives: scratch[0x200] = 2
// gives: scratch[0x204] = 5
// gives: scratch[0x208] = 2
// gives: scratch[0x20c] = 1
#define LIST         0
#define PACKETS      10
#define COUNTER_BASE 0x200

.sig arrived
.reg read $port
.reg left place counter counters

    br!=ctx[0, stop#]             ; one context is enough here
    immed[left, PACKETS]
    immed[place, LIST]
    immed[counters, COUNTER_BASE]

next#:
    sram[read, $port, place, 0, 1], ctx_swap[arrived]
    alu_shf[counter, --, B, $port, <<2]        ; counters are longwords: 4 bytes each
    scratch[incr, --, counters, counter, 1]    ; nothing comes back, so there is nothing to wait for
    alu[place, place, +, 4]
    alu[left, left, -, 1]
    bne[next#]

stop#:
    ctx_arb[kill]
