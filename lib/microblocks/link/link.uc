// link: messages from one microengine to another, over a scratch ring or over the registers of the next neighbor.
//
// Purpose    link_put and link_get are the same for both ways, so that a program is moved from one to the other by a define.
// Inputs     LINK: `ring` or `neighbor`; NUMBER: of the ring (0-11), nothing for a neighbor; LONGWORDS: of a message, 1, 2 or 4
// Outputs    messages, whole and in order
// Registers  LONGWORDS $ in and $ out (ring)
// Signals    in_signal: one that nobody else waits for (ring; a neighbor raises none)
// Memory     a scratch ring, or the 128 next-neighbor registers of the receiving microengine
// Budget     ring: put and get 3 + LONGWORDS instructions and a swap; get 3 more with a swap each time the ring was empty.
//            neighbor: put and get 1 + LONGWORDS, get 2 with a swap each time it was empty; no memory access
// Limits     ring: the first longword of a message is not 0, because that is what an empty ring gives. "Full" rises while there
//            is room for messages that are under way (chip file, near_full_percent): test and put must stand in one section
//            that the contexts of the microengine enter in turn, or be done by one context; the ring must hold that many
//            messages above the mark. neighbor: messages of one size, a divisor of 128, so that "not full" is room for one.
#ifndef WEFT_LINK_UC
#define WEFT_LINK_UC

#include "common/std.uc"

// link_check(LINK, LONGWORDS)
#macro link_check(LINK, LONGWORDS)
#if ((LONGWORDS != 1) && (LONGWORDS != 2) && (LONGWORDS != 4))
#error "a message has 1, 2 or 4 longwords"
#endif
#if (!streq(LINK, ring) && !streq(LINK, neighbor))
#error "a link is a ring or a neighbor"
#endif
#endm

// link_open(LINK, NUMBER, LONGWORDS): the receiving microengine calls it once, before anybody puts. A neighbor link is "empty"
// until a whole message has landed, so that nobody takes half of one. A ring is set up by whoever lays out scratch.
#macro link_open(LINK, NUMBER, LONGWORDS)
    link_check(LINK, LONGWORDS)
#if (streq(LINK, neighbor))
.begin
    .reg enables mask
    local_csr_rd[CTX_ENABLES]
    immed[enables, 0]
    immed[mask, 0xc, <<16]                      // bits 19:18: how many entries still count as empty
    alu[enables, enables, AND~, mask]
    immed[mask, ((LONGWORDS - 1) << 2), <<16]
    alu[enables, enables, OR, mask]
    local_csr_wr[CTX_ENABLES, enables]
.end
#endif
#endm

// link_put(LINK, NUMBER, LONGWORDS, in_0, in_1, in_2, in_3, in_signal, TO_FULL): to TO_FULL when there is no room, and then
// nothing was put. Arguments that a shorter message does not have are --.
#macro link_put(LINK, NUMBER, LONGWORDS, in_0, in_1, in_2, in_3, in_signal, TO_FULL)
.begin
    link_check(LINK, LONGWORDS)
#if (streq(LINK, ring))
    .reg write $message[LONGWORDS]
    .reg address
    br_inp_state[SCR_RING/**/NUMBER/**/_STATUS, TO_FULL]
    immed[address, (NUMBER * 4)]
    alu[$message[0], --, B, in_0]
#if (LONGWORDS > 1)
    alu[$message[1], --, B, in_1]
#endif
#if (LONGWORDS > 2)
    alu[$message[2], --, B, in_2]
    alu[$message[3], --, B, in_3]
#endif
    scratch[put, $message[0], address, 0, LONGWORDS], ctx_swap[in_signal]
#else
    br_inp_state[NN_FULL, TO_FULL]
    alu[*n$index++, --, B, in_0]
#if (LONGWORDS > 1)
    alu[*n$index++, --, B, in_1]
#endif
#if (LONGWORDS > 2)
    alu[*n$index++, --, B, in_2]
    alu[*n$index++, --, B, in_3]
#endif
#endif
.end
#endm

// link_get(LINK, NUMBER, LONGWORDS, out_0, out_1, out_2, out_3, in_signal): waits until there is a message.
#macro link_get(LINK, NUMBER, LONGWORDS, out_0, out_1, out_2, out_3, in_signal)
.begin
    link_check(LINK, LONGWORDS)
#if (streq(LINK, ring))
    .reg read $message[LONGWORDS]
    .reg address
    immed[address, (NUMBER * 4)]
again#:
    scratch[get, $message[0], address, 0, LONGWORDS], ctx_swap[in_signal]
    alu[out_0, --, B, $message[0]]
    beq[again#]
#if (LONGWORDS > 1)
    alu[out_1, --, B, $message[1]]
#endif
#if (LONGWORDS > 2)
    alu[out_2, --, B, $message[2]]
    alu[out_3, --, B, $message[3]]
#endif
#else
    br_!inp_state[NN_EMPTY, there#]
again#:
    ctx_arb[voluntary]                          // others may have work while there is none here
    br_inp_state[NN_EMPTY, again#]
there#:
    alu[out_0, --, B, *n$index++]
#if (LONGWORDS > 1)
    alu[out_1, --, B, *n$index++]
#endif
#if (LONGWORDS > 2)
    alu[out_2, --, B, *n$index++]
    alu[out_3, --, B, *n$index++]
#endif
#endif
.end
#endm

#endif
