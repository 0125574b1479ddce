// Memory map of the IXP1200 forwarder. Addresses count longwords in SRAM and scratch, quadwords in SDRAM. The control
// program has the same numbers in bytes (control/include/weft/control/layout_1200.h); tests/control compares the two.
#ifndef WEFT_LAYOUT1200_UC
#define WEFT_LAYOUT1200_UC

#include "common/layout.uc"
#include "common/reasons.uc"
#include "common/std.uc"

// SRAM. The trie's root, next hops and nodes lie in front of BUFFERS_AT.
#define TRIE_AT             0
#define BUFFERS_AT          0x60000 // buffer descriptors: 4 longwords each, the first one links the list of free buffers
#define BUFFER_LONGWORDS    4
#define BUFFER_COUNT        1024
#define FREE_LIST           0       // hardware list of the free buffers
#define QUEUES_AT           0x64000 // a record for each queue: longwords put, longwords taken, and two of the transmitter
#define CORE_QUEUE          9       // 0-8: the ports; 9: to the control processor; 10: buffers back from it
#define RETURN_QUEUE        10
#define TICKET_AT           0x64040 // TFIFO elements given out
#define RINGS_AT            0x64400 // 128 longwords for each port: frame bytes << 20 | buffer
#define QUEUE_SLOTS         128
#define CORE_RING_AT        0x65000 // 64 messages {buffer, in port << 16 | frame bytes, reason, next hop}
#define CORE_SLOTS          64
#define RETURN_RING_AT      0x65100 // 128 buffers
#define RETURN_SLOTS        128

// SDRAM: the frame of a buffer begins at quadword (buffer << 6), the longword address of its descriptor times 512 bytes, and
// has 2,048 bytes. What is received while there is no buffer goes to quadword 0.

// Scratch
#define PORT_CONFIG_AT      0       // 4 longwords a port: MAC bytes 0-3, MAC bytes 4-5 << 16, flags, 0
#define BROADCASTS_AT       48      // 16 addresses that no packet may come from while the martian filter is on
#define BROADCAST_MASK_AT   64      // the bits that are 1 in all of them
#define VECTOR_AT           65      // bit p: there may be frames in the queue of port p
#define SENT_AT             72      // frames by port
#define OWN_AT              112     // 16 addresses: the router's own, from which no packet may come
#define OWN_COMMON_AT       128     // one of them, and the bits that are the same in all
#define COUNTERS_AT         256     // + port * 64 + reason

#define GIGABIT_PORT        8

// What the IXP1200 calls threads: 4 an engine. ENGINE is the number of the microengine that the program is for.
#macro identify(out_thread)
    local_csr_rd[ACTIVE_CTX_STS]
    immed[out_thread, 0]
    alu[out_thread, out_thread, AND, 3]
    alu[out_thread, out_thread, +, (4 * ENGINE)]
#endm

#endif
