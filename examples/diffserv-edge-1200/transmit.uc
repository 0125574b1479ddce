// Engines 4 and 5: a scheduler (context 0) and three transmitters, for the eight ports of 100 Mb/s (4) and for the Gigabit
// port (5).
#define GIGABIT (ENGINE == 5)
#include "scheduler_drr1200/scheduler_drr1200.uc"

.reg queues rings classes
    scheduler1200_registers()
    move(queues, QUEUES_AT)
    move(rings, RINGS_AT)
    move(classes, CLASS_QUEUES_AT)
    br!=ctx[0, transmit#]
    .block scheduler_drr1200
    .stage schedule
    scheduler1200_reset()
    buffers1200_fill(GIGABIT)
#if (GIGABIT == 0)
    fast_wr[0, IREG]                            // the control processor starts the clock that meters read
#endif
    drr1200_schedule(queues, rings, classes)
transmit#:
    .block transmit1200
    .stage transmit
    drr1200_transmit(queues, rings, classes)
