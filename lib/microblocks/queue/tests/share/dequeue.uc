// One context empties both queues in turn. Scratch: 0x2108 dequeued, 0x210c out of order, 0x2110 the longest queue seen, 0x2114
// buffers on the free list at the end, when nothing has come for a while.
#include "buffers/buffers.uc"
#include "queue/queue.uc"

.reg buffer descriptor where marks queue expected0 expected1 longest length pause idle temp
.reg read $number
.reg write $out
.sig done

    br!=ctx[0, stop#]
    buffers_registers()
    buffers_open()
    immed[marks, 0x2100]
    immed[expected0, 0]
    immed[expected1, 0]
    immed[longest, 0]
    immed[queue, 0]
    immed[pause, 10000]
begin#:
    alu[pause, pause, -, 1]
    bne[begin#]
    immed[idle, 0]
next#:
    alu[queue, queue, XOR, 1]
    queue_length(length, queue, done)
    alu[--, longest, -, length]
    bhs[shorter#]
    alu[longest, --, B, length]
shorter#:
    queue_dequeue(descriptor, queue, done, none#)
    immed[idle, 0]
    scratch[incr, --, marks, 8]
    descriptor_address(where, descriptor)
    sram[read, $number, where, (DESCRIPTOR_PROGRAM * 4), 1], ctx_swap[done]
    br=byte[queue, 0, 1, second#]
    alu[temp, expected0, -, $number]
    alu[expected0, expected0, +, 1]
    br[compared#]
second#:
    alu[temp, expected1, -, $number]
    alu[expected1, expected1, +, 1]
compared#:
    alu[--, --, B, temp]
    beq[right#]
    scratch[incr, --, marks, 12]
right#:
    descriptor_buffer(buffer, descriptor)
    alu[buffer, buffer, +, 8]
    buffers_free(buffer, done)
    immed[pause, EACH]
wait#:
    alu[pause, pause, -, 1]
    bgt[wait#]
    br[next#]
none#:
    alu[idle, idle, +, 1]
    immed[temp, 200]
    alu[--, idle, -, temp]
    blo[next#]
    alu[$out, --, B, longest]
    scratch[write, $out, marks, 16, 1], ctx_swap[done]
drain#:                                         // all of them to queue 2, whose count is then theirs
    immed[queue, 2]
    immed[where, 0x40]
    queue_open(queue, where, done)
take#:
    buffers_alloc(buffer, done, taken#)
    descriptor_of(descriptor, buffer)
    queue_enqueue(queue, descriptor, 255, done, stop#)
    br[take#]
taken#:
    queue_length(length, queue, done)
    alu[$out, --, B, length]
    scratch[write, $out, marks, 20, 1], ctx_swap[done]
stop#:
    ctx_arb[kill]
