// order: sections of a program that contexts enter one after the other, so that packets leave in the order in which they came.
//
// Purpose    A chain of signals runs through the contexts of a microengine and round again. A context waits for the signal
//            (order_enter), does what must be done in order, and raises it in the next context (order_leave). Such a
//            section is a critical section and a sequencer in one.
// Inputs     in_signal: a signal declared `volatile`, one for each section
// Registers  none; order_next: the caller's one, and one temporary
// Signals    in_signal
// Memory     none
// Budget     order_enter 1 instruction and a swap, order_leave 1, order_open 1, order_next 6 (once)
// Limits     Every context that takes part must pass every section, in each round, whatever happens to its packet: one that
//            drops its packet passes too. Two sections keep the same order only if all contexts pass them in one sequence.
//            The signal arrives 8 cycles after order_leave.
#ifndef WEFT_ORDER_UC
#define WEFT_ORDER_UC

#include "common/std.uc"

// order_enter(in_signal): waits until it is the turn of this context. Anything else that must have happened before the section
// is waited for with it: write ctx_arb[in_signal, other] then, it costs no second swap.
#macro order_enter(in_signal)
    ctx_arb[in_signal]
#endm

// order_leave(in_signal): the turn of the next context. 7 is followed by 0.
#macro order_leave(in_signal)
    signal_next(in_signal)
#endm

// order_open(in_signal): the turn of context 0, which calls it once at the start. (Or context 0 enters the first time without
// order_enter; then it must not be called.)
#macro order_open(in_signal)
    signal_context(in_signal, 0)
#endm

// order_next(out_word, in_signal, LANES): for LANES chains side by side (1, 2, 4), in which context c is followed by
// c + LANES modulo 8. order_leave_to(in_word) then passes the turn on. Chain n begins with context n.
#macro order_next(out_word, in_signal, LANES)
.begin
    .reg me
    local_csr_rd[ACTIVE_CTX_STS]
    immed[me, 0]
    alu[me, me, +, LANES]
    alu[me, me, AND, 7]
    immed[out_word, (&in_signal << 3)]
    alu[out_word, out_word, OR, me]
.end
#endm

#macro order_leave_to(in_word)
    local_csr_wr[SAME_ME_SIGNAL, in_word]
#endm

#endif
