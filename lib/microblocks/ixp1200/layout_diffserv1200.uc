// What the DiffServ edge router keeps beside the map of the forwarder (layout1200.uc). Addresses count longwords. The control
// program has the same numbers in bytes.
#ifndef WEFT_LAYOUT_DIFFSERV1200_UC
#define WEFT_LAYOUT_DIFFSERV1200_UC

#include "ixp1200/layout1200.uc"

// Classes of a port, in order of priority.
#define CLASS_EF            0
#define CLASS_AF1           1
#define CLASS_AF2           2
#define CLASS_AF3           3
#define CLASS_AF4           4
#define CLASS_BE            5
#define CLASS_COUNT         6

// SRAM. Queue port * 8 + class has a record of 4 longwords: frames put, frames taken, deficit, quantum (bytes); and 32 slots, in
// which the forwarder has its rings: frame bytes << 20 | buffer.
#define CLASS_QUEUES_AT     0x64100
#define CLASS_SLOTS         32
// 4 longwords for each port of 100 Mb/s: buffer in work or 0; quadwords sent << 16 | bytes left; and the sets of classes of
// scheduler_drr1200, known << 16 | spent << 8 | due. The scheduler of the Gigabit port keeps them in registers.
#define PORT_STATES_AT      0x64220

// Scratch
#define CLASS_VECTOR_AT     88      // + port; bit c: frames may have come for class c

#endif
