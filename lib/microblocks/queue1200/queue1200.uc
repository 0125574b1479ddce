// queue1200: buffers on a hardware list, packet queues in SRAM with tail drop, and the queue to the control processor.
//
// Purpose    A queue is a ring of descriptors with two counts: how many were put, and how many were taken. Whoever puts
//            holds the lock on the first count (sram[read_lock]); one reader takes, and needs none.
// Inputs     in_queues: QUEUES_AT
// Outputs    descriptors of layout1200.uc
// Registers  5 temporaries; 2 $ in, 4 $ out
// Memory     QUEUES_AT, RINGS_AT, CORE_RING_AT; scratch VECTOR_AT
// Budget     20 instructions for a frame on its queue, 15 for the Gigabit port, 18 for a message to the control processor
// Limits     128 frames a port, 64 for the control processor
#ifndef WEFT_QUEUE1200_UC
#define WEFT_QUEUE1200_UC

#include "ixp1200/layout1200.uc"

// buffers1200_fill(HALF): puts half of the buffers on the list, 0 or 1. Each half once; others may take meanwhile. Two engines do it
// at once, so that neither of them comes late to its queues.
#macro buffers1200_fill(HALF)
.begin
    .reg buffer left
    immed[buffer, ((BUFFERS_AT + (HALF) * (BUFFER_COUNT / 2) * BUFFER_LONGWORDS) & 0xffff)]
    immed_w1[buffer, ((BUFFERS_AT + (HALF) * (BUFFER_COUNT / 2) * BUFFER_LONGWORDS) >> 16)]
    immed[left, (BUFFER_COUNT / 2)]
next#:
    sram[push, --, buffer, 0, FREE_LIST]        // nobody waits: a full queue of the unit stalls this engine
    alu[left, left, -, 1]
    br!=0[next#], defer[1]
    alu[buffer, buffer, +, BUFFER_LONGWORDS]
.end
#endm

// queue1200_lock(out_put, out_index, in_port, in_queues): asks for the lock and the counts of the port's queue; locks are had
// in the order in which they were asked for. queue1200_put waits for them. out_put: two $ registers in a row.
//
// Race: the count of what was taken is written by the queue's one reader meanwhile, whole. An old one only makes the queue look fuller than it is.
#macro queue1200_lock(out_put, out_index, in_port, in_queues)
    alu_shf[out_index, --, B, in_port, <<2]
    sram[read_lock, out_put, in_queues, out_index, 2], sig_done
#endm

// queue1200_put(in_buffer, in_bytes, in_port, in_put, in_taken, in_index, in_queues, in_rings, TO_FULL): after the frames that
// wait for the port. Waits for an SDRAM command as well: the frame must be in memory before anybody finds it. With TO_FULL
// nothing was put.
#macro queue1200_put(in_buffer, in_bytes, in_port, in_put, in_taken, in_index, in_queues, in_rings, TO_FULL)
.begin
    .reg tail fill slot bit
    .reg write $slot $count $bit
    // Race: the reader looks at the count of what was put, the slots and the frames without a lock. The frame is in memory (ctx_arb) before the slot is
    // written, and the slot before the count: one SRAM unit carries out the commands of a thread in their order. A slot is written again only
    // when the count of what was taken says that it has been read, and a frame's buffer comes back by the hardware's list.
    ctx_arb[sram, sdram]
    alu[tail, --, B, in_put]
    alu[fill, tail, -, in_taken]
    alu[--, fill, -, QUEUE_SLOTS]
    bhs[full#]
    alu[slot, tail, AND, (QUEUE_SLOTS - 1)]
    alu_shf[slot, slot, OR, in_port, <<7]
    alu_shf[$slot, in_buffer, OR, in_bytes, <<20]
    sram[write, $slot, in_rings, slot, 1]       // ordered: before the count that shows it
    alu[$count, tail, +, 1]
    br_bset[in_port, 3, gigabit#]
    sram[write_unlock, $count, in_queues, in_index, 1], ctx_swap
    immed[bit, 1]
    alu[--, in_port, OR, bit]
    alu_shf[$bit, --, B, bit, <<indirect]
    immed[bit, VECTOR_AT]
    scratch[set_bits, $bit, bit, 0], ctx_swap
    br[put#]
gigabit#:
    sram[write_unlock, $count, in_queues, in_index, 1]     // the scheduler of the Gigabit port looks at the count
    br[put#]
full#:
    sram[unlock, --, in_queues, in_index]
    br[TO_FULL]
put#:
.end
#endm

// core1200_put(in_buffer, in_where, in_reason, in_hop, in_queues, TO_FULL): to the control processor, with an interrupt.
// in_where: in port << 16 | bytes.
#macro core1200_put(in_buffer, in_where, in_reason, in_hop, in_queues, TO_FULL)
.begin
    .reg tail slot ring fill
    .reg read $put $taken
    .xfer_order $put $taken
    .reg write $m0 $m1 $m2 $m3 $count
    .xfer_order $m0 $m1 $m2 $m3
    sram[read_lock, $put, in_queues, (4 * CORE_QUEUE), 2], ctx_swap
    alu[tail, --, B, $put]
    alu[fill, tail, -, $taken]
    alu[--, fill, -, CORE_SLOTS]
    bhs[full#]
    alu[slot, tail, AND, (CORE_SLOTS - 1)]
    alu_shf[slot, --, B, slot, <<2]
    immed[ring, (CORE_RING_AT & 0xffff)]
    immed_w1[ring, (CORE_RING_AT >> 16)]
    alu[$m0, --, B, in_buffer]
    alu[$m1, --, B, in_where]
    alu[$m2, --, B, in_reason]
    alu[$m3, --, B, in_hop]
    sram[write, $m0, ring, slot, 4]
    alu[$count, tail, +, 1]
    sram[write_unlock, $count, in_queues, (4 * CORE_QUEUE), 1], ctx_swap
    fast_wr[0, IREG]
    br[put#]
full#:
    sram[unlock, --, in_queues, (4 * CORE_QUEUE)], ctx_swap
    br[TO_FULL]
put#:
.end
#endm

// core1200_returned(in_queues): buffers that the control processor gives back go to the free list. One thread does it.
#macro core1200_returned(in_queues)
.begin
    .reg head slot ring
    .reg read $put $taken $buffer
    .xfer_order $put $taken
    .reg write $count
    sram[read, $put, in_queues, (4 * RETURN_QUEUE), 2], ctx_swap
    alu[head, --, B, $taken]
    alu[--, head, -, $put]
    br=0[none#]
    alu[slot, head, AND, (RETURN_SLOTS - 1)]
    immed[ring, (RETURN_RING_AT & 0xffff)]
    immed_w1[ring, (RETURN_RING_AT >> 16)]
    sram[read, $buffer, ring, slot, 1], ctx_swap
    alu[slot, --, B, $buffer]
    sram[push, --, slot, 0, FREE_LIST]
    alu[$count, head, +, 1]
    sram[write, $count, in_queues, (4 * RETURN_QUEUE + 1), 1], ctx_swap
none#:
.end
#endm

#endif
