// queue: packet queues in the queue array of an SRAM channel, with a limit for each and tail drop.
//
// Purpose    Enqueue a descriptor unless its queue holds as many as its limit allows; dequeue; say how many there are.
// Inputs     Import constants: i$queue_entry (channel << 30 | first entry << 24; queue q has entry first + q), i$queue_counts
//            (byte address in scratch of one longword for each queue, 0 at the start). The entries of the queue array are empty at
//            the start (queue_open).
// Outputs    Descriptors (buffers.uc) as longword addresses without channel, in the order in which they were enqueued. The queue
//            array writes their first longword.
// Registers  1 or 2 temporaries, 1 $
// Signals    in_signal: one that nobody else waits for
// Memory     entries of the queue array; longword 0 of each descriptor; scratch: counts
// Budget     enqueue 12 instructions and 2 swaps, dequeue 11 and a swap, length 5 and a swap
// Limits     64 queues a channel. Into one queue one microengine enqueues, in a section that its contexts enter in turn (order.uc),
//            or with one context: between the look at the count and the enqueue it can then only fall. Who dequeues, and how many,
//            does not matter. The count is raised before a packet is linked and lowered after it was taken out: a queue is never
//            longer than its count says, and that is never above the limit.
#ifndef WEFT_QUEUE_UC
#define WEFT_QUEUE_UC

#include "common/std.uc"

.import_var i$queue_entry i$queue_counts

// queue_open(in_queue, in_descriptor, in_signal): an empty queue. in_descriptor: longword address, without channel, of three
// longwords that nobody uses now; they are set to 0.
#macro queue_open(in_queue, in_descriptor, in_signal)
.begin
    .reg entry address
    .reg write $zero[3]
    .reg read $loaded[2]
    immed[$zero[0], 0]
    immed[$zero[1], 0]
    immed[$zero[2], 0]
    move_import(entry, i$queue_entry)
    alu_shf[address, --, B, entry, >>30]
    alu_shf[address, --, B, address, <<30]
    alu_shf[address, address, OR, in_descriptor, <<2]
    sram[write, $zero[0], address, 0, 3], ctx_swap[in_signal]
    alu_shf[address, --, B, in_queue, <<24]
    alu[entry, entry, +, address]
    sram[rd_qdesc_head, $loaded[0], entry, in_descriptor, 2], ctx_swap[in_signal]
    sram[rd_qdesc_other, --, entry, in_descriptor], ctx_swap[in_signal]
    move_import(address, i$queue_counts)
    alu_shf[entry, --, B, in_queue, <<2]
    scratch[write, $zero[0], address, entry, 1], ctx_swap[in_signal]
.end
#endm

// queue_enqueue(in_queue, in_descriptor, in_limit, in_signal, TO_FULL): to TO_FULL when the queue holds in_limit packets or more:
// then nothing has changed, and the packet is still the caller's. in_limit: a register or a constant below 256.
#macro queue_enqueue(in_queue, in_descriptor, in_limit, in_signal, TO_FULL)
.begin
    .reg base place
    .reg read $count
    move_import(base, i$queue_counts)
    alu_shf[place, --, B, in_queue, <<2]
    scratch[read, $count, base, place, 1], ctx_swap[in_signal]
    alu[--, $count, -, in_limit]
    bhs[TO_FULL]
    scratch[incr, --, base, place]
    move_import(base, i$queue_entry)
    alu_shf[place, --, B, in_queue, <<24]
    alu[base, base, +, place]
    sram[enqueue, --, base, in_descriptor], ctx_swap[in_signal]
.end
#endm

// queue_dequeue(out_descriptor, in_queue, in_signal, TO_EMPTY): to TO_EMPTY when there is none (out_descriptor is 0).
#macro queue_dequeue(out_descriptor, in_queue, in_signal, TO_EMPTY)
.begin
    .reg entry place
    .reg read $head
    move_import(entry, i$queue_entry)
    alu_shf[place, --, B, in_queue, <<24]
    alu[entry, entry, +, place]
    sram[dequeue, $head, entry, 0], ctx_swap[in_signal]
    alu[out_descriptor, --, B, $head]
    beq[TO_EMPTY]
    move_import(entry, i$queue_counts)
    alu_shf[place, --, B, in_queue, <<2]
    scratch[decr, --, entry, place]
.end
#endm

// queue_length(out_length, in_queue, in_signal)
#macro queue_length(out_length, in_queue, in_signal)
.begin
    .reg counts place
    .reg read $count
    move_import(counts, i$queue_counts)
    alu_shf[place, --, B, in_queue, <<2]
    scratch[read, $count, counts, place, 1], ctx_swap[in_signal]
    alu[out_length, --, B, $count]
.end
#endm

#endif
