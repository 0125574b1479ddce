// Engines 4 and 5: a scheduler (context 0) and three transmitters, for the eight ports of 100 Mb/s (4) and for the Gigabit
// port (5).
#define GIGABIT (ENGINE == 5)
#include "scheduler1200/scheduler1200.uc"
#include "transmit1200/transmit1200.uc"

.reg queues rings
    scheduler1200_registers()
    move(queues, QUEUES_AT)
    move(rings, RINGS_AT)
    br!=ctx[0, transmit#]
    .block scheduler1200
    .stage schedule
    scheduler1200_reset()
    buffers1200_fill(GIGABIT)
    scheduler1200_loop(queues, rings)
transmit#:
    .block transmit1200
    .stage transmit
    transmit1200_loop(queues, rings)
