// guard: one context at a time works on a thing, in the order in which they asked.
//
// Purpose    Locks for contexts of one microengine, in local memory, without asking again and again: who comes second leaves its
//            number with who came first, and is woken by it. Contexts that enter in the order of their packets (order.uc) are
//            served in that order, while those with other things go on.
// Inputs     in_thing: a register; bits 10:5 pick one of 64 locks (things of 32 bytes or a multiple have different ones
//            as long as there are few). in_signal: a volatile signal of its own, the same in all contexts.
// Registers  guard_me (guard_registers); 2 temporaries. Local memory pointer 1
// Signals    in_signal
// Memory     local memory: 64 longwords at LM_GUARD {0: free, else 8 | the context that asked last}, 8 at LM_GUARD_NEXT {0, or
//            8 | the context that waits behind this one}
// Budget     guard_enter 11 instructions when the lock is free, 20 and a swap when not; guard_leave 16, 15 with somebody waiting
// Limits     A context holds one lock at a time, and does not wait inside for what only somebody after it can do.
#ifndef WEFT_GUARD_UC
#define WEFT_GUARD_UC

#include "common/std.uc"
#include "firewall/layout.uc"

// guard_registers(): declares and sets what the others keep.
#macro guard_registers()
    .reg guard_me
    local_csr_rd[ACTIVE_CTX_STS]
    immed[guard_me, 0]
    alu[guard_me, guard_me, AND, 7]
    alu[guard_me, guard_me, OR, 8]
#endm

// guard_open(): by one context, once, before the others enter: all locks are free.
#macro guard_open()
.begin
    .reg place
    immed[place, LM_GUARD_NEXT]
    guard_clear(place, 8)
    immed[place, LM_GUARD]
    guard_clear(place, 64)
.end
#endm
#macro guard_clear(in_place, LONGWORDS)
.begin
    .reg count
    local_csr_wr[ACTIVE_LM_ADDR_1, in_place]
    immed[count, LONGWORDS]
    nop
    nop
clear#:
    alu[count, count, -, 1]
    bne[clear#], defer[1]
    immed[*l$index1++, 0]
.end
#endm

// guard_enter(in_thing, in_signal, TO_WAIT): the lock is ours, or to TO_WAIT: then it will be when in_signal has been awaited. Asking
// does not swap, so it can stand inside of an ordered section.
#macro guard_enter(in_thing, in_signal, TO_WAIT)
.begin
    .reg place last
    alu_shf[place, 0x3f, AND, in_thing, >>5]
    alu_shf[place, --, B, place, <<2]
    immed[last, LM_GUARD]
    alu[place, place, +, last]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]
    nop
    nop
    nop
    alu[last, --, B, *l$index1[0]]
    beq[free#], defer[1]
    alu[*l$index1[0], --, B, guard_me]
    alu[last, last, AND, 7]
    alu_shf[last, --, B, last, <<2]
    alu[last, last, +, LM_GUARD_NEXT]
    local_csr_wr[ACTIVE_LM_ADDR_1, last]
    nop
    nop
    nop
    br[TO_WAIT], defer[1]
    alu[*l$index1[0], --, B, guard_me]
free#:
.end
#endm

// guard_leave(in_thing, in_signal): the next one in the line, if there is one.
#macro guard_leave(in_thing, in_signal)
.begin
    .reg place next
    alu[place, guard_me, AND, 7]
    alu_shf[place, --, B, place, <<2]
    alu[place, place, +, LM_GUARD_NEXT]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]
    alu_shf[place, 0x3f, AND, in_thing, >>5]
    alu_shf[place, --, B, place, <<2]
    immed[next, LM_GUARD]
    alu[place, place, +, next]
    alu[next, --, B, *l$index1[0]]
    bne[somebody#]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]
    nop
    nop
    nop
    br[left#], defer[1]
    immed[*l$index1[0], 0]
somebody#:
    immed[*l$index1[0], 0]
    alu[next, next, AND, 7]
    immed[place, (&in_signal << 3)]
    alu[next, next, OR, place]
    local_csr_wr[SAME_ME_SIGNAL, next]
left#:
.end
#endm

#endif
