// Where things are. Addresses count longwords in SRAM and scratch, quadwords in SDRAM (bench/forward1200.cpp fills them).

// SRAM
#define TRIE_AT 0x10000         // 64 K entries by bits 31:16; then tables of 256 by 15:8 and by 7:0. Bit 31 of an entry:
                                // leaf, 23:0 = next hop; otherwise the next table
#define FLOWS_AT 0x44000        // 4,096 entries of four longwords: source, destination, ports, packets
#define QUEUES_AT 0x48000       // for each port the number of packets that were put on its ring, and that were taken
#define TICKETS_AT 0x48020      // elements of the TFIFO that were given out
#define RINGS_AT 0x49000        // 256 longwords for each port: bits 23:0 buffer, 31:24 bytes
#define BUFFERS_AT 0x4a000      // a longword of the list of free buffers for each
#define FREE_LIST 0
// A next hop: 7:0 port, 31 discard; MAC addresses of destination and source as they stand in the frame.

// SDRAM: buffer n from quadword 256 n on.

// Scratch
#define VECTOR_AT 0             // bit p: there may be packets on the ring of port p
#define RECEIVED_AT 16          // frames by port of arrival
#define CLASSES_AT 64           // frames by the filter that they match, and at the end those that match none
#define SENT_AT 32              // frames by port
#define FILTERS_AT 128          // four longwords each: mask and value of the source address, mask and value of the ports
#define FILTER_COUNT 6
#define DROPPED_AT 48           // frames by reason:
#define DROP_NOT_IPV4 0
#define DROP_BAD_HEADER 1
#define DROP_BAD_CHECKSUM 2
#define DROP_TIME_EXCEEDED 3
#define DROP_MARTIAN 4
#define DROP_NO_ROUTE 5
#define DROP_DAMAGED 6
#define DROP_NO_BUFFER 7
#define DROP_TOO_LONG 8
#define DROP_NOT_FOR_US 9

#macro load(to, VALUE)
    immed[to, ((VALUE) & 0xffff)]
#if ((VALUE) >> 16)
    immed_w1[to, ((VALUE) >> 16)]
#endif
#endm

// This thread, as INTER_THD_SIG counts, and the one that has its turn after it.
#macro identify(thread, next)
    local_csr_rd[ACTIVE_CTX_STS]
    immed[thread, 0]
    alu[thread, thread, AND, 3]
    alu[next, thread, +, 1]
    alu[next, next, AND, 3]
    alu[thread, thread, +, (4 * ENGINE)]
    alu[next, next, +, (4 * ENGINE)]
#endm

// The lowest set bit of `vector`, not 0, above the one chosen last, or of all. `below` has the bits up to the last.
#macro choose(port, vector, below)
.begin
    .reg above ones
    alu[above, vector, AND~, below]
    br!=0[found#], guess_branch
    alu[above, --, B, vector]
found#:
    find_bset[above]
    alu[ones, --, ~B, 0]
    load_bset_result1[port]
    alu[above, port, +, 1]                      // left operand of the next word: how far to shift
    alu[--, above, OR, ones]
    alu_shf[above, --, B, ones, <<indirect]
    alu[below, --, ~B, above]
.end
#endm
