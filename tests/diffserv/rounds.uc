// Takes FRAMES frames of port 0 out of its queues, one after the other, and writes what it got, bytes << 20 | buffer, to SRAM from
// longword 0x10000 on. Queues are never empty: the test says that many more were put than taken, and the slots come round.
#define GIGABIT 1
#define ENGINE 0
#include "scheduler_drr1200/scheduler_drr1200.uc"

.reg first_record first_slot known spent due buffer bytes left log
.reg write $log
    br!=ctx[0, others#]
    move(first_record, CLASS_QUEUES_AT)
    move(first_slot, RINGS_AT)
    immed[known, CLASSES_WITH_FRAMES]
    immed[spent, 0]
    immed[due, 0]
    move(left, FRAMES)
    move(log, 0x10000)
next#:
    drr1200_next(buffer, bytes, known, spent, due, first_record, first_slot, none#)
    alu_shf[$log, buffer, OR, bytes, <<20]
    sram[write, $log, log, 0, 1], ctx_swap
    alu[log, log, +, 1]
    alu[left, left, -, 1]
    br!=0[next#]
none#:
    ctx_arb[bpt]
others#:
    ctx_arb[kill]
