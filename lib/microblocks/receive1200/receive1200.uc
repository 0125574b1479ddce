// receive1200: mpackets of one port to whole frames in SDRAM; a thread receives a frame from its first mpacket to its last.
//
// Purpose    With GIGABIT 0 each thread has a port of its own, so the order of the port is that of the thread. The receive
//            machine takes four requests: the threads of an engine have one together, which @receiving guards (an engine's
//            contexts do not interrupt each other, so test and set need no lock). With GIGABIT 1 eight threads on two
//            engines share a fast port and receive in turn: a thread signals the next one (inter_thread) as soon as the last
//            mpacket of its frame is in the RFIFO. What must be done in the order of the frames after that, a thread does
//            between turn1200_wait and turn1200_pass: ENQUEUE_SEQ1 counts frames, a change of it wakes who waits
//            (seq_num1_change), and the thread whose number is the count modulo 8 goes on.
// Inputs     IX bus; hardware list FREE_LIST
// Outputs    see receive1200_frame
// Memory     RFIFO element n of the n-th receiving thread
// Budget     41 instructions for a frame of one mpacket (GIGABIT 1: 43), without waiting for one; 22 (19) for each further one
// Limits     64-byte mpackets; frames below 2,048 bytes (longer ones are taken to their end and dropped)
#ifndef WEFT_RECEIVE1200_UC
#define WEFT_RECEIVE1200_UC

#include "ixp1200/layout1200.uc"

// Bits of RCV_CNTL.
#define RECEIVE_START       12
#define RECEIVE_END         13
#define RECEIVE_BAD         14
#define RECEIVE_NOTHING     15

// receive1200_setup(out_request, out_place, out_lane, in_thread): in_thread counts the receiving threads of all engines from
// 0, the first eight belong to ports 0 to 7. out_lane: bit of the port (GIGABIT 0), thread that is next (GIGABIT 1).
#macro receive1200_setup(out_request, out_place, out_lane, in_thread)
.begin
    .reg temp
    alu_shf[out_request, --, B, in_thread, <<16]
    alu_shf[temp, --, B, in_thread, <<8]
    alu[out_request, out_request, OR, temp]
    alu_shf[out_place, --, B, in_thread, <<3]
#if (GIGABIT)
    alu[out_request, out_request, OR, GIGABIT_PORT]
    alu[out_lane, in_thread, +, 1]
    alu[out_lane, out_lane, AND, 7]
    alu[out_lane, out_lane, +, 8]
    immed[temp, (1 << GIGABIT_PORT)]
    fast_wr[temp, REC_FASTPORT_CTL]
    alu[temp, in_thread, -, 8]
    br!=0[not_first#]
    fast_wr[in_thread, INTER_THD_SIG]           // the first turn
not_first#:
#else
    alu[out_request, out_request, OR, in_thread]
    immed[temp, 1]
    alu[--, in_thread, OR, temp]
    alu_shf[out_lane, --, B, temp, <<indirect]
    immed[@receiving, 0]
#endif
.end
#endm

// receive1200_first_buffer(out_buffer): waits for one; buffers1200_fill may still be at work when a thread starts.
#macro receive1200_first_buffer(out_buffer)
.begin
    .reg read $buffer
again#:
    sram[pop, $buffer, FREE_LIST], ctx_swap
    alu[out_buffer, --, B, $buffer]
    br=0[again#]
.end
#endm

#if (GIGABIT)
// turn1200_wait(out_count, in_number), turn1200_pass(io_count): a section that the threads of the port pass in the order of
// their frames, once for each frame. in_number: frames before this one.
#macro turn1200_wait(out_count, in_number)
.begin
    .reg read $count
again#:
    csr[read, $count, ENQUEUE_SEQ1], ctx_swap
    alu[out_count, --, B, $count]
    alu[--, out_count, -, in_number]
    br=0[mine#]
    ctx_arb[seq_num1_change]
    br[again#]
mine#:
.end
#endm
#macro turn1200_pass(io_count)
    alu[io_count, io_count, +, 1]
    fast_wr[io_count, ENQUEUE_SEQ1]
#endm
#endif

// Race: the buffer was another frame's before. Its transmitter pushed it onto the hardware's list when the last octet had been read, and this thread
// popped it from there.
//
// receive1200_first(out_bytes, out_group, out_bad, in_place, in_data, in_buffer, in_size, in_mac0, in_mac1, in_flags): the
// first mpacket, to SDRAM, and its header to registers.
#macro receive1200_first(out_bytes, out_group, out_bad, in_place, in_data, in_buffer, in_size, in_mac0, in_mac1, in_flags)
.begin
    .reg difference
    alu[--, --, B, in_place]
    sdram[r_fifo_rd, --, in_data, 0, 8], indirect_ref, sig_done
    r_fifo_rd[$r0, in_place, 0, 4], ctx_swap
    immed[out_bad, 0]
    alu[--, --, B, in_buffer]
    br!=0[address#]
    immed[out_bad, REASON_NO_BUFFER]
address#:
    alu[--, in_mac0, XOR, $r0]
    br!=0[other_mac#]
    alu[difference, in_mac1, XOR, $r1]
    alu_shf[--, --, B, difference, >>16]
    br=0[for_us#]
other_mac#:
    alu[out_group, --, B, $r0]
    br_bset[out_group, 24, for_us#]             // the lowest bit of the first byte
    br_bset[in_flags, FLAG_ANY_MAC, for_us#]
    immed[out_bad, REASON_NOT_FOR_US]
for_us#:
    r_fifo_rd[$r0, in_place, 4, 1], sig_done
    alu[out_bytes, --, B, in_size]
    ctx_arb[sdram, fbi]
.end
#endm

// receive1200_next(io_bytes, io_offset, out_bad, in_place, in_data, in_size): 64 bytes more; a frame that is too long goes on
// over its last ones. Ends when the RFIFO element is free.
#macro receive1200_next(io_bytes, io_offset, out_bad, in_place, in_data, in_size)
    alu[io_offset, io_offset, +, 8]
    alu_shf[--, --, B, io_offset, >>8]
    br=0[room#]
    immed[io_offset, 248]
    immed[out_bad, REASON_TOO_LONG]
room#:
    alu[--, --, B, in_place]
    sdram[r_fifo_rd, --, in_data, io_offset, 8], indirect_ref, ctx_swap
    alu[io_bytes, io_bytes, +, in_size]
#endm

// receive1200_frame(io_buffer, out_data, out_bytes, out_group, out_bad, in_request, in_place, in_lane, io_number, in_mac0,
//                   in_mac1, in_flags): waits for a frame and takes it.
// io_buffer: 0, or a buffer left from before; a buffer, or 0 when there is none. out_data: where it lies in SDRAM.
// out_bad: 0 or the reason why the frame must be dropped. out_group: bit 24 is 1 for a group address. Header in transfer
// registers: $r3 to $r7 are longwords 3 to 7 of the frame, $r0 longword 8.
// io_number: frames of the port before this one (GIGABIT 1).
// in_mac0, in_mac1, in_flags: the configuration of the port.
#macro receive1200_frame(io_buffer, out_data, out_bytes, out_group, out_bad, in_request, in_place, in_lane, io_number, in_mac0, in_mac1, in_flags)
.begin
    .reg status offset size
    .set_rd $r0 $r3 $r4 $r5 $r6 $r7             // of a frame without a start they are not looked at
    alu[--, --, B, io_buffer]
    br!=0[have_buffer#]
    sram[pop, $r1, FREE_LIST], ctx_swap
    alu[io_buffer, --, B, $r1]
have_buffer#:
    alu_shf[out_data, --, B, io_buffer, <<6]
    immed[out_bytes, 0]
    immed[out_bad, REASON_RECEIVE_ERROR]        // until a start is seen
    immed[offset, 0]
    immed[out_group, 0]
#if (GIGABIT)
.begin
    .reg element next late change
    .set next                                   // a frame of one mpacket needs none
    alu[io_number, io_number, +, 8]
    ctx_arb[inter_thread]
request#:
    fast_wr[in_request, RCV_REQ]
    csr[read, $r2, ENQUEUE_SEQ1], sig_done
    ctx_arb[start_receive, fbi]
    csr[read, $r1, RCV_CNTL], ctx_swap
    alu[status, --, B, $r1]
    br_bset[status, RECEIVE_NOTHING, request#]
    alu[element, --, B, in_place]
    alu_shf[size, --, B, status, >>16]
    br_bset[status, RECEIVE_END, only_one#], defer[1]
    alu[size, size, AND, 0x7f]
    // More follow, in the element of the next thread and in the own one in turn. The next thread has copied what it had there
    // when its last frame, seven before this one, has been queued.
other_element#:
    alu[next, $r2, -, io_number]
    alu[--, next, +, 6]
    br>=0[element_free#]
    csr[read, $r2, ENQUEUE_SEQ1], ctx_swap
    br[other_element#]
element_free#:
    alu_shf[late, --, B, in_lane, <<3]
    alu[late, late, XOR, in_place]              // what changes between the two places, and in requests
    alu_shf[next, --, B, late, <<5]
    alu[next, next, XOR, in_request]
    fast_wr[next, RCV_REQ]
    br[to_memory#]
only_one#:
    immed[late, 0]
    fast_wr[in_lane, INTER_THD_SIG]
to_memory#:
    br_bclr[status, RECEIVE_START, behind#]
    receive1200_first(out_bytes, out_group, out_bad, in_place, out_data, io_buffer, size, in_mac0, in_mac1, in_flags)
    br[in_memory#]

more#:
    ctx_arb[start_receive]
    csr[read, $r1, RCV_CNTL], ctx_swap
    alu[status, --, B, $r1]
    br_bset[status, RECEIVE_NOTHING, ask_again#]
    alu[element, element, XOR, late]
    alu_shf[size, --, B, status, >>16]
    alu[size, size, AND, 0x7f]
    br_bset[status, RECEIVE_END, last_one#]
    alu_shf[change, --, B, late, <<5]
    alu[next, next, XOR, change]
    fast_wr[next, RCV_REQ]
    br[behind#]
ask_again#:
    fast_wr[next, RCV_REQ]
    br[more#]
last_one#:
    // In the own element the next thread may begin at once; in its own one, when this one has been emptied.
    alu[--, element, XOR, in_place]
    br!=0[behind#]
    immed[late, 0]
    fast_wr[in_lane, INTER_THD_SIG]
behind#:
    receive1200_next(out_bytes, offset, out_bad, element, out_data, size)
in_memory#:
    br_bclr[status, RECEIVE_END, more#]
    alu[--, --, B, late]
    br=0[received#]
    fast_wr[in_lane, INTER_THD_SIG]
.end
#else
mpacket#:
    csr[read, $r1, RCV_RDY_LO], ctx_swap
    alu[--, in_lane, AND, $r1]
    br=0[mpacket#]
    alu[--, --, B, @receiving]
    br!=0[mpacket#]
    immed[@receiving, 1]
    fast_wr[in_request, RCV_REQ]
    ctx_arb[start_receive]
    csr[read, $r1, RCV_CNTL], ctx_swap
    immed[@receiving, 0]
    alu[status, --, B, $r1]
    br_bset[status, RECEIVE_NOTHING, mpacket#]  // the flag was stale
    br_bclr[status, RECEIVE_START, behind#], defer[2]
    alu_shf[size, --, B, status, >>16]
    alu[size, size, AND, 0x7f]
    receive1200_first(out_bytes, out_group, out_bad, in_place, out_data, io_buffer, size, in_mac0, in_mac1, in_flags)
    br[in_memory#]
behind#:
    receive1200_next(out_bytes, offset, out_bad, in_place, out_data, size)
in_memory#:
    br_bclr[status, RECEIVE_END, mpacket#]
#endif
received#:
    br_bclr[status, RECEIVE_BAD, end#]
    immed[out_bad, REASON_RECEIVE_ERROR]
end#:
.end
#endm

#endif
