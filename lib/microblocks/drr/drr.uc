// drr: deficit round robin over the queues of a port's classes, in the queue array of an SRAM channel (block queue).
//
// Purpose    drr_next takes the next frame of a port. In a round every class gets its quantum (bytes) once, when it is first looked at
//            with a frame; the classes are looked at from EF to BE, and the first one whose head fits its deficit sends. A class whose
//            head does not fit is done for the round and keeps its deficit; when all classes with frames are done, the next round begins.
//            A class whose queue empties loses its deficit, EF at the end of the round.
// Inputs     queue port * 8 + class of block queue, class 0 EF, 1-4 AF1-AF4, 5 BE, filled by queue_enqueue. Import constants i$queue_entry,
//            i$queue_counts (queue.uc), i$drr_quanta: byte address in SRAM of a longword for each queue, its quantum.
//            Descriptors of buffers.uc: longword 1 frame address, not 0; longword 2 {in port, bytes}.
// Outputs    frame address and bytes, as a transmit ring takes them. The descriptor is the buffer's again.
// Registers  8 temporaries; 7 $ in
// Signals    in_signal: one that nobody else waits for; one doubled
// Memory     local memory: 128 bytes a port from DRR_LOCAL on, a multiple of 128. For each class {frame at the head or 0, its bytes, deficit,
//            quantum}, then the sets of classes {spent, due}.
// Budget     README.md
// Limits     8 ports, 5 with the local memory of one engine. One context serves a port. The head of a queue is taken out of the queue array to
//            see its length, and still counts: queue_length and the limit mean frames that were not yet given out. A quantum of at
//            least 1 byte; while one is far below the length of the head, rounds pass.
#ifndef WEFT_DRR_UC
#define WEFT_DRR_UC

#include "common/std.uc"
#include "buffers/buffers.uc"
#include "queue/queue.uc"

.import_var i$drr_quanta

#ifndef DRR_LOCAL
#define DRR_LOCAL 0
#endif
#define DRR_CLASSES 6
#define DRR_ALL     0x3f
#define DRR_FRESH   6           // bit of the set `due`: EF has nothing left of the round before
#define DRR_NEW     0x7f        // all classes are due, EF fresh

// drr_open(in_port, in_signal): nothing waits, nothing is held; quanta are read. Once for each port, in the engine that serves it.
#macro drr_open(in_port, in_signal)
.begin
    .reg place base
    .reg read $quanta[DRR_CLASSES]
    move_import(base, i$drr_quanta)
    alu_shf[place, --, B, in_port, <<5]
    sram[read, $quanta[0], base, place, DRR_CLASSES], ctx_swap[in_signal]
    alu_shf[place, --, B, in_port, <<7]
    immed[base, DRR_LOCAL]
    alu[place, place, +, base]
    local_csr_wr[ACTIVE_LM_ADDR_0, place]
    nop
    nop
    nop
#define_eval DRR_CLASS 0
#while (DRR_CLASS < DRR_CLASSES)
    immed[*l$index0++, 0]
    immed[*l$index0++, 0]
    immed[*l$index0++, 0]
    alu[*l$index0++, --, B, $quanta[DRR_CLASS]]
#define_eval DRR_CLASS (DRR_CLASS + 1)
#endloop
#undef DRR_CLASS
    immed[*l$index0++, 0]
    immed[*l$index0++, DRR_NEW]
.end
#endm

// drr_next(out_frame, out_bytes, in_port, in_signal, TO_NONE): the next frame of a port, out of its queue; TO_NONE when there is none.
#macro drr_next(out_frame, out_bytes, in_port, in_signal, TO_NONE)
.begin
    .reg known spent due class bit first place deficit
    .reg read $counts[DRR_CLASSES] $head[2] $before
    .sig lowered
    move_import(deficit, i$queue_counts)
    alu_shf[place, --, B, in_port, <<5]
    scratch[read, $counts[0], deficit, place, DRR_CLASSES], ctx_swap[in_signal]
    alu_shf[first, --, B, in_port, <<7]
    immed[place, DRR_LOCAL]
    alu[first, first, +, place]
    alu[place, first, +, (16 * DRR_CLASSES)]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]
    immed[known, 0]
#define_eval DRR_CLASS 0
#while (DRR_CLASS < DRR_CLASSES)
    alu[--, --, B, $counts[DRR_CLASS]]
    beq[empty/**/DRR_CLASS#]
    alu[known, known, OR, (1 << DRR_CLASS)]
empty/**/DRR_CLASS#:
#define_eval DRR_CLASS (DRR_CLASS + 1)
#endloop
#undef DRR_CLASS
    alu[spent, --, B, *l$index1[0]]
    alu[due, --, B, *l$index1[1]]
next#:
    alu[class, known, AND~, spent]
    beq[round#]
    ffs[class, class]
    alu_shf[place, --, B, class, <<4]
    alu[place, place, +, first]
    local_csr_wr[ACTIVE_LM_ADDR_0, place]
    immed[bit, 1]
    alu[--, class, OR, bit]
    alu_shf[bit, --, B, bit, <<indirect]
    alu[out_frame, --, B, *l$index0[0]]
    bne[have_head#]
    // The head comes out of the queue array; where its frame lies and how long it is stands in the descriptor.
    alu_shf[place, class, OR, in_port, <<3]
    alu_shf[place, --, B, place, <<24]
    move_import(deficit, i$queue_entry)
    alu[place, place, +, deficit]
    sram[dequeue, $head[0], place, 0], ctx_swap[in_signal]
    alu[out_frame, --, B, $head[0]]
    beq[later#]                                 // counted, and not linked yet
    alu_shf[place, --, B, place, >>30]
    alu_shf[place, --, B, place, <<30]
    alu_shf[place, place, OR, out_frame, <<2]
    sram[read, $head[0], place, (DESCRIPTOR_FRAME * 4), 2], ctx_swap[in_signal]
    alu[out_frame, --, B, $head[0]]
    alu[*l$index0[0], --, B, out_frame]
    ld_field_w_clr[out_bytes, 0011, $head[1]]
    alu[*l$index0[1], --, B, out_bytes]
have_head#:
    alu[out_bytes, --, B, *l$index0[1]]
    alu[deficit, --, B, *l$index0[2]]
    alu[--, due, AND, bit]
    beq[had_quantum#]
    alu[due, due, AND~, bit]
    alu[--, --, B, class]
    bne[quantum#]
    br_bclr[due, DRR_FRESH, quantum#]
    immed[deficit, 0]
quantum#:
    alu[deficit, deficit, +, *l$index0[3]]
had_quantum#:
    alu[--, deficit, -, out_bytes]
    blo[short#]
    alu[deficit, deficit, -, out_bytes]
    immed[*l$index0[0], 0]
    // Only now it is not counted any more. Was it the last one?
    alu_shf[place, --, B, in_port, <<3]
    alu[place, place, OR, class]
    alu_shf[place, --, B, place, <<2]
    alu[*l$index0[2], --, B, deficit]
    move_import(deficit, i$queue_counts)
    scratch[test_and_decr, $before, deficit, place], sig_done[lowered]
    ctx_arb[lowered]
    alu[--, $before, -, 1]
    bne[chosen#]
    alu[known, known, AND~, bit]
    beq[idle#]
    alu[--, --, B, class]
    beq[chosen#]
    br[chosen#], defer[1]
    immed[*l$index0[2], 0]
idle#:
    immed[*l$index0[2], 0]                      // nobody waits: the round is over
    immed[spent, 0]
    br[chosen#], defer[1]
    immed[due, DRR_NEW]
short#:
    alu[*l$index0[2], --, B, deficit]
    alu[deficit, --, B, bit]                    // known, spent and bit cannot all lie in different banks
    br[next#], defer[1]
    alu[spent, spent, OR, deficit]
later#:
    br[next#], defer[1]
    alu[known, known, AND~, bit]
round#:
    immed[due, DRR_ALL]
    br_bset[spent, 0, waiting#]
    immed[due, DRR_NEW]
waiting#:
    immed[spent, 0]
    alu[--, --, B, known]
    bne[next#]
    alu[*l$index1[0], --, B, spent]
    br[TO_NONE], defer[1]
    alu[*l$index1[1], --, B, due]
chosen#:
    alu[*l$index1[0], --, B, spent]
    alu[*l$index1[1], --, B, due]
.end
#endm

#endif
