// Engines 4 and 5: scheduler and transmitters of the eight ports of 100 Mb/s (4) and of the Gigabit port (5).
#define GIGABIT (ENGINE == 5)
#include "scheduler_drr1200/scheduler_drr1200.uc"

.reg queues rings records
    scheduler1200_registers()
    move(queues, QUEUES_AT)
    move(rings, RINGS_AT)
    move(records, CLASS_QUEUES_AT)
    br!=ctx[0, transmit#]
    .block scheduler_drr1200
    .stage schedule
    scheduler1200_reset()
    buffers1200_fill(GIGABIT)
    drr1200_schedule(queues, rings, records)
transmit#:
    .block scheduler_drr1200
    .stage transmit
    drr1200_transmit(queues, rings, records)
