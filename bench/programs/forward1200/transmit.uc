// Engines 4 and 5 of the forwarder: packets from the rings to the TFIFO. ENGINE says which; 4 serves the eight ports of
// 100 Mb/s, 5 the Gigabit port.
//
// The contexts take turns at taking a packet from a ring. Then each has a ticket for an element of the TFIFO. The transmit
// machine takes elements in order; a thread waits until there are less than eight before its own, so that the eight threads
// together never come around: tickets whose element is filled are less than eight ahead, and each thread holds one more.
#include "layout.uc"

#define GIGABIT (ENGINE == 5)

.reg thread next @below port bit data buffer bytes ticket temp slot vector index head
.reg queues rings buffers zero ticket_at
.reg read $vector $ready $tail $head $slot $ticket $pointer
.reg write $taken $bit $given $control $unused
.xfer_order $tail $head
.xfer_order $control $unused
.set $unused

    identify(thread, next)
    load(queues, QUEUES_AT)
    load(rings, RINGS_AT)
    load(buffers, BUFFERS_AT)
    load(ticket_at, TICKETS_AT)
    immed[zero, 0]
    br!=ctx[0, next_packet#]
    immed[@below, 0]
    br[my_turn#]

next_packet#:
    ctx_arb[inter_thread]
my_turn#:
#if (GIGABIT)
    immed[port, 8]
    immed[index, 16]
    sram[read, $tail, queues, index, 2], sig_done, priority
    csr[read, $ready, XMIT_RDY_LO], sig_done
    ctx_arb[sram, fbi]
    br_bclr[$ready, 8, my_turn#]
#else
    scratch[read, $vector, zero, VECTOR_AT, 1], ctx_swap
    csr[read, $ready, XMIT_RDY_LO], ctx_swap
    alu[vector, $vector, AND, 0xff]
    alu[vector, vector, AND, $ready]
    br=0[my_turn#]
    choose(port, vector, @below)
    // The bit goes first: whoever puts a packet on the ring after our look sets it again.
    immed[temp, 1]
    alu[--, port, OR, temp]
    alu_shf[bit, --, B, temp, <<indirect]
    alu[$bit, --, B, bit]
    scratch[clear_bits, $bit, zero, VECTOR_AT], ctx_swap
    alu_shf[index, --, B, port, <<1]
    sram[read, $tail, queues, index, 2], ctx_swap, priority
#endif
    alu[head, --, B, $head]
    alu[temp, head, -, $tail]
    br=0[my_turn#]
    alu[slot, head, AND, 0xff]
    alu_shf[temp, --, B, port, <<8]
    alu[slot, slot, +, temp]
    alu[$taken, head, +, 1]
    alu[index, index, +, 1]
    sram[write, $taken, queues, index, 1], priority // in one queue with what the next thread reads
    sram[read, $slot, rings, slot, 1], sig_done, priority
#if (!GIGABIT)
    alu[temp, head, +, 1]
    alu[--, temp, -, $tail]
    br=0[last#]
    scratch[set_bits, $bit, zero, VECTOR_AT], ctx_swap
last#:
#endif
    fast_wr[next, INTER_THD_SIG]
    ctx_arb[sram]

    alu_shf[bytes, --, B, $slot, >>24]
    ld_field_w_clr[buffer, 0111, $slot]
    alu[data, buffer, -, buffers]
    alu_shf[data, --, B, data, <<8]
    sram[read_lock, $ticket, ticket_at, 0, 1], ctx_swap
    alu[ticket, --, B, $ticket]
    alu[$given, ticket, +, 1]
    sram[write_unlock, $given, ticket_at, 0, 1], ctx_swap
    alu[ticket, ticket, AND, 15]
before#:
    csr[read, $pointer, XMIT_PTR], ctx_swap
    alu[temp, ticket, -, $pointer]
    alu[temp, temp, AND, 15]
    alu[--, temp, -, 8]
    bhs[before#]
    alu_shf[temp, --, B, ticket, <<3]
    alu[--, --, B, temp]
    sdram[t_fifo_wr, --, data, 0, 8], indirect_ref, ctx_swap
    alu_shf[temp, --, B, bytes, <<16]
    immed[slot, 0x3000]                         // start and end
    alu[temp, temp, OR, slot]
    alu[$control, temp, OR, port]
    alu[temp, ticket, +, 128]
    t_fifo_wr[$control, temp, 0, 1], ctx_swap
    sram[push, --, buffer, 0, FREE_LIST], sig_done
    scratch[incr, --, port, SENT_AT], sig_done
    ctx_arb[sram, fbi]
    br[next_packet#]
