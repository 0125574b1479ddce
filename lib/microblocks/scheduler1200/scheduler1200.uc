// scheduler1200: context 0 of a transmitting engine decides which queue goes into the next element of the TFIFO; contexts 1
// to 3 carry it out (transmit1200).
//
// Purpose    GIGABIT 0: ports in turn, of those that have a frame or the rest of one, whose MAC has room for an mpacket, and of
//            which no mpacket is on its way. So an element never waits for a MAC, and elements of other ports never wait behind
//            it. GIGABIT 1: takes the frames of the one port from its queue, one ahead of the transmitters.
// Inputs     queues of queue1200; XMIT_RDY_LO; scratch VECTOR_AT
// Outputs    GIGABIT 0: @job1 to @job3, bit of the port << 8 | port, with INTER_THD_SIG. GIGABIT 1: @next_buffer, @next_bytes
// Registers  8 GPRs, the absolute ones of scheduler1200_registers; 3 $ in, 1 $ out
// Budget     about 30 instructions an mpacket (GIGABIT 0), 18 a frame (GIGABIT 1)
// Limits     one engine for the eight ports of 100 Mb/s, one for the Gigabit port
#ifndef WEFT_SCHEDULER1200_UC
#define WEFT_SCHEDULER1200_UC

#include "ixp1200/layout1200.uc"
#include "queue1200/queue1200.uc"

#define PASSES_FOR_A_BUFFER 16       // a power of two

// scheduler1200_registers(): what scheduler and transmitters of an engine share.
#macro scheduler1200_registers()
#if (GIGABIT)
    .reg @next_buffer @next_bytes @buffer @left @offset @start
#else
    .reg @job1 @job2 @job3 @idle @serving @sent @resting @more
#endif
#endm

#macro scheduler1200_reset()
#if (GIGABIT)
    immed[@next_buffer, 0]
    immed[@next_bytes, 0]
    immed[@buffer, 0]
    immed[@left, 0]
    immed[@offset, 0]
    immed[@start, 0]
#else
    immed[@job1, 0]
    immed[@job2, 0]
    immed[@job3, 0]
    immed[@idle, 0]
    immed[@serving, 0]
    immed[@sent, 0]
    immed[@resting, 0]
    immed[@more, 0]
#endif
#endm

// scheduler1200_choose(out_port, in_vector, io_below): the lowest of the low 16 bits of in_vector (not 0) above the one
// chosen last, or of all. io_below has the bits up to the last one.
#macro scheduler1200_choose(out_port, in_vector, io_below)
.begin
    .reg above ones
    alu[above, in_vector, AND~, io_below]
    br!=0[found#]
    alu[above, --, B, in_vector]
found#:
    find_bset[above]
    alu[ones, --, ~B, 0]
    load_bset_result1[out_port]
    alu[above, out_port, +, 1]                  // left operand of the next word: how far to shift
    alu[--, above, OR, ones]
    alu_shf[above, --, B, ones, <<indirect]
    alu[io_below, --, ~B, above]
.end
#endm

// scheduler1200_loop(in_queues, in_rings): never returns.
#macro scheduler1200_loop(in_queues, in_rings)
#if (GIGABIT)
.begin
    .reg head slot temp
    .reg read $put $slot $pause
    .reg write $taken
    immed[head, 0]
next#:
    alu[--, --, B, @next_buffer]
    br!=0[pause#]
    // Race: whoever puts writes the count after slot and frame (queue1200_put); an old count only shows a frame later. The slot has been read
    // before the count of what was taken gives it back.
    sram[read, $put, in_queues, (4 * GIGABIT_PORT), 1], ctx_swap
    alu[--, head, -, $put]
    br=0[next#]
    alu[slot, head, AND, (QUEUE_SLOTS - 1)]
    immed[temp, (GIGABIT_PORT << 7)]
    alu[slot, slot, +, temp]
    sram[read, $slot, in_rings, slot, 1], ctx_swap
    alu[head, head, +, 1]
    alu[$taken, --, B, head]
    sram[write, $taken, in_queues, (4 * GIGABIT_PORT + 1), 1]
    alu_shf[temp, --, B, $slot, >>20]
    alu[@next_bytes, --, B, temp]
    alu_shf[temp, --, B, $slot, <<12]
    alu_shf[temp, --, B, temp, >>12]
    alu[@next_buffer, --, B, temp]
    br[next#]
pause#:
    csr[read, $pause, XMIT_RDY_LO], ctx_swap
    br[next#]
.end
#else
.begin
    .reg candidates port below temp vector passes
    .reg read $vector $ready $pause
    immed[below, 0]
    immed[passes, 0]
    immed[vector, VECTOR_AT]
next#:
    // A port whose element has left can be chosen again after a whole pass of this loop: meanwhile the ready-bus sequencer
    // has looked at its line.
    alu[temp, --, B, @resting]
    alu[@serving, @serving, AND~, temp]
    alu[temp, --, B, @sent]
    immed[@sent, 0]
    alu[@resting, --, B, temp]
    scratch[read, $vector, vector, 0, 1], ctx_swap
    csr[read, $ready, XMIT_RDY_LO], ctx_swap
    alu[candidates, $vector, OR, @more]
    alu[candidates, candidates, AND, $ready]
    alu[candidates, candidates, AND~, @serving]
    alu[candidates, candidates, AND, 0xff]
    br=0[returned#]
    // While all ports are busy there is always somebody. Eight lines of 100 Mb/s send an mpacket in 128 cycles, so that buffers
    // come back about as fast as the control processor is done with packets. The pass itself is lost for the ports.
    alu[passes, passes, +, 1]
    alu[--, passes, AND, (PASSES_FOR_A_BUFFER - 1)]
    br!=0[somebody#]
returned#:
    core1200_returned(in_queues)
    br[next#]
somebody#:
    scheduler1200_choose(port, candidates, below)
    immed[temp, 1]
    alu[--, port, OR, temp]
    alu_shf[temp, --, B, temp, <<indirect]
    alu[@serving, @serving, OR, temp]
    alu_shf[port, port, OR, temp, <<8]
transmitter#:
    alu[temp, --, B, @idle]
    br_bset[temp, 1, first#]
    br_bset[temp, 2, second#]
    br_bset[temp, 3, third#]
    csr[read, $pause, XMIT_PTR], ctx_swap
    br[transmitter#]
first#:
    alu[@job1, --, B, port]
    alu[@idle, @idle, AND~, (1 << 1)]
    fast_wr[(4 * ENGINE + 1), INTER_THD_SIG]
    br[next#]
second#:
    alu[@job2, --, B, port]
    alu[@idle, @idle, AND~, (1 << 2)]
    fast_wr[(4 * ENGINE + 2), INTER_THD_SIG]
    br[next#]
third#:
    alu[@job3, --, B, port]
    alu[@idle, @idle, AND~, (1 << 3)]
    fast_wr[(4 * ENGINE + 3), INTER_THD_SIG]
    br[next#]
.end
#endif
#endm

#endif
