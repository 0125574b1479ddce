// Eight contexts take 500 buffers each, number their descriptors within the queue and enqueue them in order. Scratch: 0x2100
// enqueued, 0x2104 refused.
#include "buffers/buffers.uc"
#include "queue/queue.uc"
#include "order/order.uc"

.reg buffer descriptor where count marks left queue
.reg @number0 @number1
.reg number
.reg write $number
.sig done
.sig volatile turn

    buffers_registers()
    buffers_open()
    immed[marks, 0x2100]
    immed[left, 500]
    br!=ctx[0, next#]
    immed[@number0, 0]
    immed[@number1, 0]
    immed[count, 200]
    buffers_fill(count, done)
    immed[queue, 0]
    immed[where, 0x40]
    queue_open(queue, where, done)
    immed[queue, 1]
    queue_open(queue, where, done)
    order_open(turn)
next#:
    order_enter(turn)
    alu[queue, left, AND, 1]
again#:
    buffers_alloc(buffer, done, again#)
    descriptor_of(descriptor, buffer)
    descriptor_address(where, descriptor)
    alu[number, --, B, @number0]
    br=byte[queue, 0, 0, first#]
    alu[number, --, B, @number1]
first#:
    alu[$number, --, B, number]
    sram[write, $number, where, (DESCRIPTOR_PROGRAM * 4), 1], ctx_swap[done]
    queue_enqueue(queue, descriptor, LIMIT, done, full#)
    scratch[incr, --, marks, 0]
    br=byte[queue, 0, 1, second#]
    alu[@number0, @number0, +, 1]
    br[leave#]
second#:
    alu[@number1, @number1, +, 1]
leave#:
    order_leave(turn)
    alu[left, left, -, 1]
    bne[next#]
    ctx_arb[kill]
full#:
    scratch[incr, --, marks, 4]
    buffers_free(buffer, done)
    br[leave#]
