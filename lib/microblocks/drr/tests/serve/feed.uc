// Engine 0: context c feeds the queue of class c of one port with frames of its own, as scratch says (longword at 0x2400 + 4 * context):
//   + 0x00  bytes of the shortest frame, 0: nothing
//   + 0x20  mask (2^n - 1): up to so many bytes more, by chance
//   + 0x40  how many frames (0: without end)
//   + 0x60  1: what finds its queue full is lost; 0: it is waited for
//   + 0x80  a pause between two frames, in rounds of some 70 cycles
//   + 0xa0  frames put, + 0xc0 frames lost: written here; + 0xe0 the port, one longword
// A frame: destination 02:00:00:00:00:01, source 02:00:00:00:00:02, type 88b5, class, port, number (4 bytes), bytes (4).
#include "buffers/buffers.uc"
#include "queue/queue.uc"

.reg context base bytes mask left drops pause port number random buffer descriptor place queue limit temp
.reg read $r
.reg write $where[2] $$w[6]
.sig done copied

#macro setting(out_value, AT)
    immed[temp, AT]
    scratch[read, $r, base, temp, 1], ctx_swap[done]
    alu[out_value, --, B, $r]
#endm
#macro pause_for(in_rounds)
.begin
    .reg rounds
    alu[rounds, --, B, in_rounds]
    beq[over#]
again#:
    scratch[read, $r, base, 0, 1], ctx_swap[done]
    alu[rounds, rounds, -, 1]
    bne[again#]
over#:
.end
#endm

    buffers_registers()
    buffers_open()
    local_csr_rd[ACTIVE_CTX_STS]
    immed[context, 0]
    alu[context, context, AND, 7]
    immed[base, 0x24e0]
    scratch[read, $r, base, 0, 1], ctx_swap[done]
    alu[port, --, B, $r]
    immed[base, 0x2400]
    alu_shf[temp, --, B, context, <<2]
    alu[base, base, +, temp]
    br!=ctx[0, opened#]
    // Queues of the port, the free buffers, and then the signal that lets the others begin (a longword in scratch).
    immed[limit, 0x800]
    alu_shf[queue, --, B, port, <<3]
    immed[left, 6]
open#:
    queue_open(queue, limit, done)
    alu[queue, queue, +, 1]
    alu[left, left, -, 1]
    bne[open#]
    immed[temp, 400]
    buffers_fill(temp, done)
    immed[temp, 0x23fc]
    scratch[incr, --, temp, 0]
opened#:
    immed[temp, 0x23fc]
    scratch[read, $r, temp, 0, 1], ctx_swap[done]
    alu[--, --, B, $r]
    beq[opened#]

    setting(bytes, 0)
    alu[--, --, B, bytes]
    beq[nothing#]
    setting(mask, 0x20)
    setting(left, 0x40)
    setting(drops, 0x60)
    immed[number, 0]
    move(random, 0x24681357)
    alu[random, random, +, context]
    alu_shf[queue, context, OR, port, <<3]
    immed[limit, 32]

next#:
    br_bclr[random, 0, even#], defer[1]
    alu_shf[random, --, B, random, >>1]
    move(temp, 0x80000057)
    alu[random, random, XOR, temp]
even#:
have#:
    buffers_alloc(buffer, done, have#)
    descriptor_of(descriptor, buffer)
    descriptor_address(place, descriptor)
    alu[temp, random, AND, mask]
    alu[temp, temp, +, bytes]
    alu[$where[0], --, B, buffer]
    alu[$where[1], --, B, temp]
    immed[$$w[0], 0x0200, <<16]
    immed[pause, 0x0200]
    immed_w1[pause, 1]
    alu[$$w[1], --, B, pause]
    immed[$$w[2], 2]
    immed[pause, 0x88b5, <<16]
    alu_shf[pause, pause, OR, context, <<8]
    alu[$$w[3], pause, OR, port]
    alu[$$w[4], --, B, number]
    alu[$$w[5], --, B, temp]
    dram[write, $$w[0], buffer, 0, 3], sig_done[copied]
    sram[write, $where[0], place, (DESCRIPTOR_FRAME * 4), 2], sig_done[done]
    ctx_arb[copied, done]
again#:
    queue_enqueue(queue, descriptor, limit, done, full#)
    immed[temp, 0xa0]
    scratch[incr, --, base, temp]
sent#:
    alu[number, number, +, 1]
    setting(pause, 0x80)
    pause_for(pause)
    alu[left, left, -, 1]
    bne[next#]
nothing#:
    ctx_arb[kill]
full#:
    alu[--, --, B, drops]
    bne[lost#]
    immed[pause, 3]
    pause_for(pause)
    br[again#]
lost#:
    immed[temp, 0xc0]
    scratch[incr, --, base, temp]
    buffers_free(buffer, done)
    br[sent#]
