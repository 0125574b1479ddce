// fragments: later fragments of a packet learn the ports from the first one.
//
// Purpose    A table of {source, destination, identification, protocol} to ports, to where the first fragment ends, and for TCP to where its numbers begin. The
//            first fragment writes, the others read.
// Inputs     the four; ports; the tick. Import constants: i$fw_fragments (SRAM address, a multiple of 128), i$fw_fragment_mask (entries - 1, a power of two less
//            1, at least 3)
// Outputs    ports
// Registers  at most 3 temporaries; $ registers of the caller
// Signals    in_signal: one that nobody else waits for
// Memory     SRAM, 8 longwords for each entry, all 0 at the start (firewall/layout.uc)
// Budget     fragment_bucket 8 instructions; fragment_take 4 and a swap when the first entry of the bucket was never used, 39 and four when all were; fragment_write
//            9 and a swap, fragment_judged 2 and a swap; fragment_read 13 and a swap when the first entry is it, 6 and a swap for each one before
// Limits     A bucket has FRAGMENT_WAYS entries, for all packets of one value of the hash. A new packet takes one that was never used, else the oldest: so of more packets
//            whose fragments are under way one loses its entry, and its later fragments find nothing. So nothing is ever allocated, and nothing can
//            leak. Fragments that come before the first one are for the program to hold or to drop. Readers and writers stand in one ordered section. Of
//            fragments that overlap only those that reach into the first one are seen: what is looked at in a packet stands there (RFC 1858, 3128).
#ifndef WEFT_FRAGMENTS_UC
#define WEFT_FRAGMENTS_UC

#include "common/std.uc"
#include "firewall/layout.uc"

.import_var i$fw_fragments i$fw_fragment_mask

// fragment_bucket(out_place, in_hash): address of the first entry for a hash (conntrack_hash with CLASS_FRAGMENT in place of a class).
#macro fragment_bucket(out_place, in_hash)
.begin
    .reg base
    move_import(out_place, i$fw_fragment_mask)
    alu[out_place, out_place, AND, in_hash]
    alu[out_place, out_place, AND~, (FRAGMENT_WAYS - 1)]
    alu_shf[out_place, --, B, out_place, <<FRAGMENT_LOG2]
    move_import(base, i$fw_fragments)
    alu[out_place, out_place, +, base]
.end
#endm

// fragment_take(io_place, in_source, in_destination, in_identity, io_entry, in_signal): from the bucket to the entry that a first fragment writes: that of the
// packet, when it comes again; else one that was never used; else the oldest, and so one whose time is over, when there is one. io_entry: 5 $ read registers.
#macro fragment_take(io_place, in_source, in_destination, in_identity, io_entry, in_signal)
.begin
    .reg way until oldest
    .set oldest                                 // by the first entry
    alu[way, --, B, io_place]
look#:
    sram[read, io_entry[0], way, 0, 5], ctx_swap[in_signal]
    alu[--, --, B, io_entry[0]]
    beq[this#]                                  // so are those after it: they are taken in their order
    alu[--, in_source, -, io_entry[0]]
    bne[other#]
    alu[--, in_destination, -, io_entry[1]]
    bne[other#]
    alu[--, in_identity, -, io_entry[2]]
    beq[this#]
other#:
    alu[until, --, B, io_entry[4]]
    alu[--, way, AND, FRAGMENT_WAY_BITS]
    beq[older#]                                 // the first one
    alu[--, until, -, oldest]
    bpl[next#]
older#:
    alu[oldest, --, B, until]
    alu[io_place, --, B, way]
next#:
    alu[way, way, +, (1 << FRAGMENT_LOG2)]
    alu[--, way, AND, FRAGMENT_WAY_BITS]
    bne[look#]
    br[taken#]
this#:
    alu[io_place, --, B, way]
taken#:
.end
#endm

// fragment_write(in_place, in_source, in_destination, in_identity, in_ports, in_until, in_origin, in_end, out_entry, in_signal): in_identity: identification << 16 |
// protocol; in_until: the tick at which it ends; in_origin: of TCP, the sequence number that the first octet of the header would have; in_end: octets of the packet's
// data that the first fragment has; out_entry: an array of 8 $ write registers. FRAGMENT_VERDICT is 0 then.
#macro fragment_write(in_place, in_source, in_destination, in_identity, in_ports, in_until, in_origin, in_end, out_entry, in_signal)
    alu[out_entry[0], --, B, in_source]
    alu[out_entry[1], --, B, in_destination]
    alu[out_entry[2], --, B, in_identity]
    alu[out_entry[3], --, B, in_ports]
    alu[out_entry[4], --, B, in_until]
    alu[out_entry[5], --, B, in_origin]
    alu[out_entry[6], --, B, in_end]
    immed[out_entry[7], 0]
    sram[write, out_entry[0], in_place, 0, 8], ctx_swap[in_signal]
#endm

// fragment_judged(in_place, VERDICT, io_word, in_signal): what became of the first one (FRAGMENT_COUNTS, FRAGMENT_REFUSED), once it is known. io_word: a $ write
// register. Who reads it for a later fragment has to come after it by an order of his own.
#macro fragment_judged(in_place, VERDICT, io_word, in_signal)
    immed[io_word, VERDICT]
    sram[write, io_word, in_place, FRAGMENT_VERDICT, 1], ctx_swap[in_signal]
#endm

// fragment_read(out_ports, out_origin, io_place, in_source, in_destination, in_identity, in_begin, in_now, io_entry, in_signal, TO_LOST, TO_OVERLAP): from the
// bucket to the packet's entry. in_begin: where in the packet's data the fragment begins, in octets; to TO_OVERLAP, with all that is read, when that is
// within the first one. io_entry: 7 $ read registers.
#macro fragment_read(out_ports, out_origin, io_place, in_source, in_destination, in_identity, in_begin, in_now, io_entry, in_signal, TO_LOST, TO_OVERLAP)
.begin
look#:
    sram[read, io_entry[0], io_place, 0, 7], ctx_swap[in_signal]
    alu[--, in_source, -, io_entry[0]]
    bne[next#]
    alu[--, in_destination, -, io_entry[1]]
    bne[next#]
    alu[--, in_identity, -, io_entry[2]]
    beq[found#]
next#:
    alu[io_place, io_place, +, (1 << FRAGMENT_LOG2)]
    alu[--, io_place, AND, FRAGMENT_WAY_BITS]
    bne[look#]
    br[TO_LOST]
found#:
    alu[--, in_now, -, io_entry[4]]
    bpl[TO_LOST]
    alu[out_ports, --, B, io_entry[3]]
    alu[out_origin, --, B, io_entry[5]]
    alu[--, in_begin, -, io_entry[6]]
    blo[TO_OVERLAP]
.end
#endm

#endif
