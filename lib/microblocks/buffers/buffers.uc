// buffers: packet buffers in DRAM, their descriptors in SRAM, and the list of those that nobody uses.
//
// Purpose    Allocate and free. The free list is one of two, chosen by the define BUFFERS; the macros are the same:
//            BUFFERS_RING (default)  a scratch ring of buffer addresses
//            BUFFERS_QUEUE           a linked list of descriptors, kept by the queue array of an SRAM channel
// Inputs     Import constants: i$buffer_bytes (a power of two from 2,048 to 16,384). BUFFERS_QUEUE, and buffers_fill and the
//            descriptor macros with either list: i$buffers (address of the first buffer, a multiple of i$buffer_bytes, not 0),
//            i$descriptors (byte address of the first descriptor in SRAM, a multiple of 16, channel in bits 31:30, not 0)
// Outputs    A buffer is named by its DRAM byte address; any address inside of it will do to free it.
// Memory     BUFFERS_RING: scratch ring FREE_RING, one longword a buffer. BUFFERS_QUEUE: entry BUFFERS_ENTRY of the queue array.
//            Descriptors, 4 longwords a buffer, that of buffer n at i$descriptors + 16 n: {link, frame address, in port << 16 |
//            bytes, of the program}. The link belongs to the queue array, the others to who has the buffer.
// Registers  buffers_registers declares those that stay: BUFFERS_RING 2, BUFFERS_QUEUE 5. 1 or 2 temporaries, 1 $
// Signals    in_signal: one that nobody else waits for
// Budget     BUFFERS_RING: alloc 4 instructions, free 3. BUFFERS_QUEUE: alloc 8, free 7. A swap each
// Limits     BUFFERS_RING: at most 1,024 buffers, and the ring holds them all: a put is not tested. BUFFERS_QUEUE: up to 2^22.
#ifndef WEFT_BUFFERS_UC
#define WEFT_BUFFERS_UC

#include "common/std.uc"
#include "common/layout.uc"

#define BUFFERS_RING        1
#define BUFFERS_QUEUE       2
#ifndef BUFFERS
#define BUFFERS BUFFERS_RING
#endif
#if ((BUFFERS != BUFFERS_RING) && (BUFFERS != BUFFERS_QUEUE))
#error "BUFFERS is BUFFERS_RING (1) or BUFFERS_QUEUE (2)"
#endif
#ifndef BUFFERS_ENTRY
#define BUFFERS_ENTRY       63
#endif

// Longwords of a descriptor.
#define DESCRIPTOR_LINK     0
#define DESCRIPTOR_FRAME    1
#define DESCRIPTOR_WHERE    2
#define DESCRIPTOR_PROGRAM  3
#define DESCRIPTOR_BYTES    16

.import_var i$buffer_bytes
#if (BUFFERS == BUFFERS_QUEUE)
.import_var i$buffers i$descriptors
#endif

// buffers_registers(): declares what the other macros keep. Each context has its own.
#macro buffers_registers()
    .reg buffers_list buffers_within
#if (BUFFERS == BUFFERS_QUEUE)
    .reg buffers_first buffers_descriptor buffers_shift
#endif
#endm

// buffers_open(): every context, once, before the others.
#macro buffers_open()
    move_import(buffers_within, i$buffer_bytes)
#if (BUFFERS == BUFFERS_RING)
    alu[buffers_within, buffers_within, -, 1]
    immed[buffers_list, (FREE_RING * 4)]
#else
    // A descriptor has 4 longwords, so longword addresses of descriptors and addresses of buffers go in steps of 4 and of
    // i$buffer_bytes.
    ffs[buffers_shift, buffers_within]
    alu[buffers_shift, buffers_shift, -, 2]
    alu[buffers_within, buffers_within, -, 1]
    move_import(buffers_first, i$buffers)
    move_import(buffers_descriptor, i$descriptors)
    alu_shf[buffers_list, --, B, buffers_descriptor, >>30]
    alu_shf[buffers_list, --, B, buffers_list, <<30]
    alu[buffers_descriptor, buffers_descriptor, -, buffers_list]
    alu_shf[buffers_descriptor, --, B, buffers_descriptor, >>2]
.begin
    .reg entry
    immed[entry, (BUFFERS_ENTRY << 8), <<16]
    alu[buffers_list, buffers_list, OR, entry]
.end
#endif
#endm

// buffers_fill(in_count, in_signal): one context of the chip calls it, once, when no control program fills the list: the buffers
// 0 to in_count - 1 (a register, at least 1, which it counts down) are free. Scratch rings are set up by whoever lays out scratch.
#macro buffers_fill(in_count, in_signal)
.begin
#if (BUFFERS == BUFFERS_RING)
    .import_var i$buffers
    .reg address
    move_import(address, i$buffers)
next#:
    buffers_free(address, in_signal)
    alu[address, address, +, buffers_within]
    alu[address, address, +, 1]
#else
    .reg descriptor base
    .reg write $zero[3]
    .reg read $entry[2]
    // An empty queue, read from where the first descriptor will be.
    immed[$zero[0], 0]
    immed[$zero[1], 0]
    immed[$zero[2], 0]
    descriptor_address(base, buffers_descriptor)
    sram[write, $zero[0], base, 0, 3], ctx_swap[in_signal]
    sram[rd_qdesc_head, $entry[0], buffers_list, buffers_descriptor, 2], ctx_swap[in_signal]
    sram[rd_qdesc_other, --, buffers_list, buffers_descriptor], ctx_swap[in_signal]
    alu[descriptor, --, B, buffers_descriptor]
next#:
    sram[enqueue, --, buffers_list, descriptor], ctx_swap[in_signal]
    alu[descriptor, descriptor, +, 4]
#endif
    alu[in_count, in_count, -, 1]
    bne[next#]
.end
#endm

// buffers_request(out_taken, in_signal): asks for a buffer and does not wait. out_taken: a $ register.
#macro buffers_request(out_taken, in_signal)
#if (BUFFERS == BUFFERS_RING)
    scratch[get, out_taken, buffers_list, 0, 1], sig_done[in_signal]
#else
    sram[dequeue, out_taken, buffers_list, 0], sig_done[in_signal]
#endif
#endm

// buffers_taken(out_buffer, in_taken, TO_NONE): after the signal: the buffer, or to TO_NONE when there was none (out_buffer is 0).
#macro buffers_taken(out_buffer, in_taken, TO_NONE)
    alu[out_buffer, --, B, in_taken]
    beq[TO_NONE]
#if (BUFFERS == BUFFERS_QUEUE)
    alu[out_buffer, out_buffer, -, buffers_descriptor]
    alu[--, buffers_shift, OR, 0]
    alu_shf[out_buffer, --, B, out_buffer, <<indirect]
    alu[out_buffer, out_buffer, +, buffers_first]
#endif
#endm

// buffers_alloc(out_buffer, in_signal, TO_NONE): both, waiting.
#macro buffers_alloc(out_buffer, in_signal, TO_NONE)
.begin
    .reg read $taken
    buffers_request($taken, in_signal)
    ctx_arb[in_signal]
    buffers_taken(out_buffer, $taken, TO_NONE)
.end
#endm

// buffers_release(out_freed, in_address, in_signal): the buffer around in_address goes back. The signal must be awaited before
// out_freed, a $ register, is written again. BUFFERS_QUEUE raises it too.
#macro buffers_release(out_freed, in_address, in_signal)
#if (BUFFERS == BUFFERS_RING)
    alu[out_freed, in_address, AND~, buffers_within]
    scratch[put, out_freed, buffers_list, 0, 1], sig_done[in_signal]
#else
.begin
    .reg descriptor
    descriptor_of(descriptor, in_address)
    sram[enqueue, --, buffers_list, descriptor], sig_done[in_signal]
.end
#endif
#endm

// buffers_free(in_address, in_signal): the same, waiting.
#macro buffers_free(in_address, in_signal)
.begin
    .reg write $freed
    buffers_release($freed, in_address, in_signal)
    ctx_arb[in_signal]
.end
#endm

#if (BUFFERS == BUFFERS_QUEUE)
// descriptor_of(out_descriptor, in_address): longword address, without channel, of the descriptor of the buffer around in_address.
#macro descriptor_of(out_descriptor, in_address)
    alu[out_descriptor, in_address, -, buffers_first]
    alu[out_descriptor, out_descriptor, AND~, buffers_within]
    alu[--, buffers_shift, OR, 0]
    alu_shf[out_descriptor, --, B, out_descriptor, >>indirect]
    alu[out_descriptor, out_descriptor, +, buffers_descriptor]
#endm

// descriptor_buffer(out_buffer, in_descriptor): the way back.
#macro descriptor_buffer(out_buffer, in_descriptor)
    alu[out_buffer, in_descriptor, -, buffers_descriptor]
    alu[--, buffers_shift, OR, 0]
    alu_shf[out_buffer, --, B, out_buffer, <<indirect]
    alu[out_buffer, out_buffer, +, buffers_first]
#endm

// descriptor_address(out_address, in_descriptor): byte address with channel, for sram[read] and sram[write].
#macro descriptor_address(out_address, in_descriptor)
.begin
    .reg channel
    alu_shf[channel, --, B, buffers_list, >>30]
    alu_shf[channel, --, B, channel, <<30]
    alu_shf[out_address, channel, OR, in_descriptor, <<2]
.end
#endm
#endif

#endif
