// Memory map of the IXP1200 forwarder. Addresses count longwords in SRAM and scratch, quadwords in SDRAM.
// Written by scripts/layouts from control/layout/forwarder1200.py: change that, not this.
#ifndef WEFT_LAYOUT1200_UC
#define WEFT_LAYOUT1200_UC

#include "common/layout.uc"
#include "common/reasons.uc"
#include "common/std.uc"
#include "ixp1200/identify.uc"

#define GIGABIT_PORT            8

// SRAM: root of the trie, next hops and nodes, up to the buffers.
#define TRIE_AT                 0

// Buffers: a descriptor each, whose first longword links the list of free buffers. A buffer is the longword address
// of its descriptor.
#define BUFFERS_AT              0x60000
#define BUFFER_LONGWORDS        4
#define BUFFER_COUNT            2048
#define FREE_LIST               0       // hardware list of the free buffers

// A record for each queue:
//   0    longwords put
//   1    longwords taken
//   2-3  the transmitter's
#define QUEUES_AT               0x64000
#define CORE_QUEUE              9       // 0-8: the ports; 9: to the control processor
#define RETURN_QUEUE            10      // buffers back from it
#define TICKET_AT               0x64040 // TFIFO elements given out

// Rings: a slot of a port:
//   0  31:20  frame bytes
//      19:0   buffer
#define RINGS_AT                0x64400 // queue_slots longwords for each port
#define QUEUE_SLOTS             128

// Messages to the control processor:
//   0  buffer
//   1  31:16  in port
//      15:0   frame bytes
//   2  reason
//   3  next hop
#define CORE_RING_AT            0x65000
#define CORE_SLOTS              64      // messages
#define RETURN_RING_AT          0x65100
#define RETURN_SLOTS            128     // buffers

// SDRAM: the frame of a buffer starts at quadword (buffer << 6), the longword address of its descriptor times 512
// bytes, and has 2,048 bytes. What is received while there is no buffer goes to quadword 0.

// Scratch.
#define PORT_CONFIG_AT          0       // a record for each port, as in the common layout
#define BROADCASTS_AT           48      // addresses that no packet may come from while the martian filter is on
#define BROADCAST_MASK_AT       64      // the bits that are 1 in all of them
#define VECTOR_AT               65      // bit p: there may be frames in the queue of port p
#define SENT_AT                 72      // frames by port
#define OWN_AT                  112     // the router's own addresses, from which no packet may come
#define OWN_COMMON_AT           128     // one of them, and the bits that are the same in all
#define COUNTERS_AT             256     // + port * 64 + reason longwords

#endif
