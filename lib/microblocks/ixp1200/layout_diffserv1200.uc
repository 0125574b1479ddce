// What the DiffServ edge router keeps beside the map of the forwarder (layout1200.uc). Addresses count longwords.
// Written by scripts/layouts from control/layout/diffserv1200.py: change that, not this.
#ifndef WEFT_LAYOUT_DIFFSERV1200_UC
#define WEFT_LAYOUT_DIFFSERV1200_UC

#include "ixp1200/layout1200.uc"

#define CLASS_EF                0
#define CLASS_AF1               1
#define CLASS_AF2               2
#define CLASS_AF3               3
#define CLASS_AF4               4
#define CLASS_BE                5
#define CLASS_COUNT             6

// A record for each queue, port * 8 + class:
//   0  frames put
//   1  frames taken
//   2  deficit, bytes
//   3  quantum, bytes
#define CLASS_QUEUES_AT         0x64100

// Slots of the queues take the place of the forwarder's rings, in the same form.
#define CLASS_SLOTS             32

// A record for each port of 100 Mb/s (the scheduler of the Gigabit port keeps them in registers).

// State of a port:
//   0  buffer in work, or 0
//   1  31:16  quadwords sent
//      15:0   bytes left
//   2  23:16  known: sets of classes of scheduler_drr1200
//      15:8   spent
//      7:0    due
//   3  0
#define PORT_STATES_AT          0x64220

// Scratch.
#define CLASS_VECTOR_AT         88      // one for each port; bit c: frames may have come for class c

#endif
