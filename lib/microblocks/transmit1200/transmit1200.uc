// transmit1200: mpackets from SDRAM to the TFIFO, whose elements leave in the order of their numbers.
//
// Purpose    GIGABIT 0: a transmitter gets a port from scheduler1200 and sends the next mpacket of it; how far the frame is stands
//            in the record of the queue, so each mpacket may be sent by another thread. The port is served again when the
//            element has left, so its mpackets keep their order and its ready flag is true.
//            GIGABIT 1: transmitters take the next mpacket of the one port for themselves; where the frame is stands in
//            absolute registers. They ask for elements in the order in which they took mpackets, and get them in that
//            order: SRAM serves locks so.
//            Both: a ticket for a TFIFO element, counted under a lock. With GIGABIT 1 a thread waits until the transmit machine
//            is less than eight elements behind. So when one of these is filled it is less than eight ahead; after it there
//            can be tickets of the three threads with GIGABIT 0, which keep theirs until the element has left, and of two
//            others: the 16 elements never come around.
// Inputs     scheduler1200
// Outputs    frames; the buffer goes back to the free list, and SENT_AT counts
// Registers  14 GPRs; 5 $ in, 6 $ out
// Memory     QUEUES_AT: longword 1 taken, 2 buffer in work or 0, 3 quadwords sent << 16 | bytes left (GIGABIT 0)
// Budget     about 70 instructions an mpacket (GIGABIT 0), 50 (GIGABIT 1)
// Limits     64-byte mpackets. When a Gigabit MAC is full, elements wait behind one for it until a frame has started.
#ifndef WEFT_TRANSMIT1200_UC
#define WEFT_TRANSMIT1200_UC

#include "ixp1200/layout1200.uc"

// Bits of the TFIFO control word.
#define TRANSMIT_START      0x1000
#define TRANSMIT_END        0x2000

// transmit1200_element(out_ticket, in_tickets): takes the next TFIFO element. GIGABIT 1 waits until it is free.
#macro transmit1200_element(out_ticket, in_tickets)
.begin
    .reg distance
    .reg read $ticket $pointer
    .reg write $given
    sram[read_lock, $ticket, in_tickets, 0, 1], ctx_swap
    alu[out_ticket, --, B, $ticket]
    alu[$given, out_ticket, +, 1]
    sram[write_unlock, $given, in_tickets, 0, 1]
    alu[out_ticket, out_ticket, AND, 15]
#if (GIGABIT)
before#:
    csr[read, $pointer, XMIT_PTR], ctx_swap
    alu[distance, out_ticket, -, $pointer]
    alu[distance, distance, AND, 15]
    alu[--, distance, -, 8]
    bhs[before#]
#endif
.end
#endm

// Race: the frame was in memory before its slot led here (queue1200_put), and its buffer is pushed onto the list only after this.
//
// transmit1200_send(in_ticket, in_data, in_offset, in_control, io_words): SDRAM to the element, then its control word.
// io_words: two $ registers in a row; the second one is 0.
#macro transmit1200_send(in_ticket, in_data, in_offset, in_control, io_words)
.begin
    .reg place
    alu_shf[place, --, B, in_ticket, <<3]
    alu[--, --, B, place]
    sdram[t_fifo_wr, --, in_data, in_offset, 8], indirect_ref, ctx_swap
    alu[io_words, --, B, in_control]
    alu[place, in_ticket, +, 128]
    t_fifo_wr[io_words, place, 0, 1], ctx_swap
.end
#endm

// transmit1200_loop(in_queues, in_rings): contexts 1 to 3; never returns.
#macro transmit1200_loop(in_queues, in_rings)
#if (GIGABIT)
.begin
    .reg buffer data offset size left control ticket temp done tickets
    .reg read $ready
    .reg volatile write $control $zero
    .xfer_order $control $zero
    immed[$zero, 0]
    move(tickets, TICKET_AT)
next#:
    csr[read, $ready, XMIT_RDY_LO], ctx_swap
    br_bclr[$ready, GIGABIT_PORT, next#]
    // From here to the lock nobody else of this engine runs.
    alu[--, --, B, @left]
    br!=0[have_frame#]
    alu[buffer, --, B, @next_buffer]
    br=0[next#]
    alu[@buffer, --, B, buffer]
    alu[temp, --, B, @next_bytes]
    alu[@left, --, B, temp]
    immed[@offset, 0]
    immed[@start, TRANSMIT_START]
    immed[@next_buffer, 0]
have_frame#:
    alu[buffer, --, B, @buffer]
    alu[offset, --, B, @offset]
    alu[control, GIGABIT_PORT, OR, @start]
    immed[@start, 0]
    immed[done, 0]
    alu[left, --, B, @left]
    alu[@offset, offset, +, 8]
    alu[size, left, -, 64]
    br<=0[last#]
    alu[@left, --, B, size]
    br[sized#], defer[1]
    immed[size, 64]
last#:
    immed[@left, 0]
    alu[size, --, B, left]
    alu[done, --, B, buffer]
    immed[temp, TRANSMIT_END]
    alu[control, control, OR, temp]
sized#:
    alu_shf[control, control, OR, size, <<16]
    alu_shf[data, --, B, buffer, <<6]
    transmit1200_element(ticket, tickets)
    transmit1200_send(ticket, data, offset, control, $control)
    alu[--, --, B, done]
    br=0[next#]
    sram[push, --, buffer, 0, FREE_LIST]
    immed[temp, GIGABIT_PORT]
    scratch[incr, --, temp, SENT_AT]
    br[next#]
.end
#else
.begin
    .reg self port index bit head buffer data offset size left control ticket temp done tickets vector
    .reg read $put $taken $work $where $slot $pointer
    .xfer_order $put $taken $work $where
    .reg write $taken_out $work_out $where_out $bit
    .xfer_order $taken_out $work_out $where_out
    .reg volatile write $control $zero
    .xfer_order $control $zero
    immed[$zero, 0]
    move(tickets, TICKET_AT)
    immed[vector, VECTOR_AT]
    immed[self, (1 << 1)]
    br=ctx[1, next#]
    immed[self, (1 << 2)]
    br=ctx[2, next#]
    immed[self, (1 << 3)]
next#:
    alu[@idle, @idle, OR, self]
    ctx_arb[inter_thread]
    alu[port, --, B, @job1]
    br=ctx[1, assigned#]
    alu[port, --, B, @job2]
    br=ctx[2, assigned#]
    alu[port, --, B, @job3]
assigned#:
    alu_shf[bit, --, B, port, >>8]
    alu[port, port, AND, 7]
    // The bit goes before the counts are read: whoever puts a frame after our look sets it again.
    // Race: the counts as in queue1200_put, written by whoever puts after slot and frame. What was taken is written here alone, when slot and buffer
    // have been read.
    alu[$bit, --, B, bit]
    scratch[clear_bits, $bit, vector, 0]
    alu_shf[index, --, B, port, <<2]
    sram[read, $put, in_queues, index, 4], ctx_swap
    alu[head, --, B, $taken]
    alu[buffer, --, B, $work]
    br!=0[go_on#]
    alu[--, head, -, $put]
    br=0[nothing#]
    alu[temp, head, AND, (QUEUE_SLOTS - 1)]
    alu_shf[temp, temp, OR, port, <<7]
    sram[read, $slot, in_rings, temp, 1], ctx_swap
    alu_shf[left, --, B, $slot, >>20]
    alu_shf[buffer, --, B, $slot, <<12]
    alu_shf[buffer, --, B, buffer, >>12]
    alu[head, head, +, 1]
    immed[offset, 0]
    immed[control, TRANSMIT_START]
    br[piece#]
go_on#:
    ld_field_w_clr[left, 0011, $where]
    alu_shf[offset, --, B, $where, >>16]
    immed[control, 0]
piece#:
    alu[control, control, OR, port]
    alu[$taken_out, --, B, head]
    alu[@more, @more, OR, bit]
    alu[size, left, -, 64]
    br<=0[last#]
    alu[temp, offset, +, 8]
    alu_shf[$where_out, size, OR, temp, <<16]
    alu[$work_out, --, B, buffer]
    immed[size, 64]
    br[sized#], defer[1]
    immed[done, 0]
last#:
    alu[size, --, B, left]
    immed[temp, TRANSMIT_END]
    alu[control, control, OR, temp]
    immed[$where_out, 0]
    immed[$work_out, 0]
    alu[done, --, B, buffer]
    alu[--, head, -, $put]
    br!=0[sized#]
    alu[@more, @more, AND~, bit]
sized#:
    alu_shf[control, control, OR, size, <<16]
    alu[index, index, +, 1]
    // Race: who puts reads it without this thread's lock, and sees a fuller queue at worst.
    sram[write, $taken_out, in_queues, index, 3]    // ordered: before the lock
    alu_shf[data, --, B, buffer, <<6]
    transmit1200_element(ticket, tickets)
    transmit1200_send(ticket, data, offset, control, $control)
    alu[--, --, B, done]
    br=0[leaving#]
    sram[push, --, buffer, 0, FREE_LIST]
    scratch[incr, --, port, SENT_AT]
leaving#:
    csr[read, $pointer, XMIT_PTR], ctx_swap
    alu[temp, ticket, +, 1]
    alu[temp, $pointer, -, temp]
    alu[temp, temp, AND, 15]
    alu[--, temp, -, 8]
    bhs[leaving#]
    br[next#], defer[1]
    alu[@sent, @sent, OR, bit]
nothing#:
    alu[@more, @more, AND~, bit]
    br[next#], defer[1]
    alu[@sent, @sent, OR, bit]
.end
#endif
#endm

#endif
