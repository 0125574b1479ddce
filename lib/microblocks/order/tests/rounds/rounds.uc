// LANES chains side by side (0: one chain by order_leave). Local memory, at 16 x lane: who is due in the first section, in the
// second, how many turns were given, how many were wrong. Before each section a context waits for a time that differs by context
// and round. Scratch from 0x40, at 16 x lane, gets turns and wrong turns of the lane at the end.
#include "order/order.uc"

#if (LANES == 0)
#define STEP 1
#else
#define STEP LANES
#endif

.reg me lane left wait next_first next_second where
.reg write $turns $wrong
.xfer_order $turns $wrong
.sig done
.sig volatile first second

// section(IN_WORD): the one after me is due next; it was my turn if local memory says so.
#macro section(IN_WORD)
.begin
    .reg after
    alu[--, *l$index0[IN_WORD], -, me]
    beq[right#]
    alu[*l$index0[3], *l$index0[3], +, 1]
right#:
    alu[after, me, +, STEP]
    alu[*l$index0[IN_WORD], after, AND, 7]
    alu[*l$index0[2], *l$index0[2], +, 1]
.end
#endm

// pause(IN_FACTOR)
#macro pause(IN_FACTOR)
.begin
    alu[wait, left, +, me]
    alu_shf[wait, --, B, wait, <<IN_FACTOR]
    alu[wait, wait, AND, 0xf]
again#:
    ctx_arb[voluntary]
    alu[wait, wait, -, 1]
    bgt[again#]
.end
#endm

    local_csr_rd[ACTIVE_CTX_STS]
    immed[me, 0]
    alu[me, me, AND, 7]
    alu[lane, me, AND, (STEP - 1)]
    alu_shf[where, --, B, lane, <<4]
    local_csr_wr[ACTIVE_LM_ADDR_0, where]
#if (LANES != 0)
    order_next(next_first, first, LANES)
    order_next(next_second, second, LANES)
#endif
    immed[left, 100]
    alu[--, me, -, STEP]
    bhs[next#]
    alu[*l$index0[0], --, B, me]
    alu[*l$index0[1], --, B, me]
    immed[*l$index0[2], 0]
    immed[*l$index0[3], 0]
#if (LANES == 0)
    order_open(first)
    order_open(second)
#else
    br[first_turn#]
#endif
next#:
    pause(3)
    order_enter(first)
first_turn#:
    section(0)
#if (LANES == 0)
    order_leave(first)
#else
    order_leave_to(next_first)
#endif
    pause(5)
#if (LANES != 0)
    alu[--, left, -, 100]
    bne[wait_second#]
    alu[--, me, -, STEP]
    blo[second_turn#]
wait_second#:
#endif
    order_enter(second)
second_turn#:
    section(1)
    alu[left, left, -, 1]
    beq[last#]
#if (LANES == 0)
    order_leave(second)
#else
    order_leave_to(next_second)
#endif
    br[next#]
last#:
    alu[$turns, --, B, *l$index0[2]]
    alu[$wrong, --, B, *l$index0[3]]
    scratch[write, $turns, where, 0x40, 2], ctx_swap[done]
#if (LANES == 0)
    order_leave(second)
#else
    order_leave_to(next_second)
#endif
    ctx_arb[kill]
