// classqueue1200: six queues for each port, EF, AF1 to AF4 and BE, in SRAM, with tail drop.
//
// Purpose    queue1200 with a queue for each class. A queue is a ring of 32 descriptors with two counts: how many were put, and
//            how many were taken. Whoever puts holds the lock on the first count; one reader (scheduler_drr1200) takes.
// Inputs     in_queues: CLASS_QUEUES_AT; in_rings: RINGS_AT
// Outputs    descriptors and bits as in layout_diffserv1200.uc
// Registers  4 temporaries; 2 $ in, 3 $ out
// Memory     the records and slots; scratch CLASS_VECTOR_AT, VECTOR_AT
// Budget     25 instructions for a frame to a port of 100 Mb/s, 19 to the Gigabit port, with the lock
// Limits     32 frames a queue
#ifndef WEFT_CLASSQUEUE1200_UC
#define WEFT_CLASSQUEUE1200_UC

#include "ixp1200/layout_diffserv1200.uc"

// classqueue1200_lock(out_put, out_index, in_port, in_class, in_queues): asks for the lock and the counts of a queue; locks are had in
// the order in which they were asked for. classqueue1200_put waits for them. out_put: two $ registers in a row.
//
// Race: the count of what was taken is written by the queue's one reader meanwhile, whole. An old one only makes the queue look fuller than it is.
#macro classqueue1200_lock(out_put, out_index, in_port, in_class, in_queues)
    alu_shf[out_index, --, B, in_port, <<5]
    alu_shf[out_index, out_index, OR, in_class, <<2]
    sram[read_lock, out_put, in_queues, out_index, 2], sig_done
#endm

// classqueue1200_put(in_buffer, in_bytes, in_port, in_class, in_limit, in_put, in_taken, in_index, in_queues, in_rings, TO_FULL): after
// the frames that wait there, unless these are in_limit (a register or a constant, 1 to 32) or more: then to TO_FULL, and
// nothing was put. Waits for an SDRAM command as well: the frame must be in memory before anybody finds it.
#macro classqueue1200_put(in_buffer, in_bytes, in_port, in_class, in_limit, in_put, in_taken, in_index, in_queues, in_rings, TO_FULL)
.begin
    .reg tail fill slot bit
    .reg write $slot $count $class $port
    // Race: the reader looks at count, slots and frames without a lock. Frame, slot and count are written in this order, and a slot again only when the
    // count of what was taken says that it has been read (queue1200_put).
    ctx_arb[sram, sdram]
    alu[tail, --, B, in_put]
    alu[fill, tail, -, in_taken]
    alu[--, fill, -, in_limit]
    bhs[full#]
    alu[slot, tail, AND, (CLASS_SLOTS - 1)]
    alu_shf[slot, slot, OR, in_index, <<3]
    alu_shf[$slot, in_buffer, OR, in_bytes, <<20]
    sram[write, $slot, in_rings, slot, 1]       // ordered: before the count that shows it
    alu[$count, tail, +, 1]
    sram[write_unlock, $count, in_queues, in_index, 1], ctx_swap
    // Bits go after the count, and that of the class before that of the port.
    immed[bit, 1]
    alu[--, in_class, OR, bit]
    alu_shf[$class, --, B, bit, <<indirect]
    alu[slot, in_port, +, CLASS_VECTOR_AT]
    scratch[set_bits, $class, slot, 0], ctx_swap
    br_bset[in_port, 3, put#]                   // the scheduler of the Gigabit port looks at the classes
    immed[bit, 1]
    alu[--, in_port, OR, bit]
    alu_shf[$port, --, B, bit, <<indirect]
    immed[bit, VECTOR_AT]
    scratch[set_bits, $port, bit, 0], ctx_swap
    br[put#]
full#:
    sram[unlock, --, in_queues, in_index]
    br[TO_FULL]
put#:
.end
#endm

#endif
