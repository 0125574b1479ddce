// fragments: later fragments of a packet learn the ports from the first one.
//
// Purpose    A table of {source, destination, identification, protocol} to ports. The first fragment writes, the others read.
// Inputs     the four; ports; the tick. Import constants: i$fw_fragments (SRAM address), i$fw_fragment_mask (entries - 1, a power of two less 1)
// Outputs    ports
// Registers  1 temporary each; $ registers of the caller
// Signals    in_signal: one that nobody else waits for
// Memory     SRAM, 8 longwords for each entry, all 0 at the start (firewall/layout.uc)
// Budget     fragment_place 5 instructions, fragment_write 6 and a swap, fragment_read 12 and a swap
// Limits     One entry for each value of the hash: a packet whose fragments are under way loses its entry to another one of the same
//            hash, and its later fragments are dropped (fragment_lost). So nothing is ever allocated, and nothing can leak. Fragments that come
//            before the first one are dropped. Readers and writers stand in one ordered section.
#ifndef WEFT_FRAGMENTS_UC
#define WEFT_FRAGMENTS_UC

#include "common/std.uc"
#include "firewall/layout.uc"

.import_var i$fw_fragments i$fw_fragment_mask

// fragment_place(out_place, in_hash): address of the entry for a hash (conntrack_hash with CLASS_FRAGMENT in place of a class).
#macro fragment_place(out_place, in_hash)
.begin
    .reg base
    move_import(out_place, i$fw_fragment_mask)
    alu[out_place, out_place, AND, in_hash]
    alu_shf[out_place, --, B, out_place, <<FRAGMENT_LOG2]
    move_import(base, i$fw_fragments)
    alu[out_place, out_place, +, base]
.end
#endm

// fragment_write(in_place, in_source, in_destination, in_identity, in_ports, in_until, out_entry, in_signal): in_identity: identification << 16 |
// protocol; in_until: the tick at which it ends; out_entry: an array of 5 $ write registers.
#macro fragment_write(in_place, in_source, in_destination, in_identity, in_ports, in_until, out_entry, in_signal)
    alu[out_entry[0], --, B, in_source]
    alu[out_entry[1], --, B, in_destination]
    alu[out_entry[2], --, B, in_identity]
    alu[out_entry[3], --, B, in_ports]
    alu[out_entry[4], --, B, in_until]
    sram[write, out_entry[0], in_place, 0, 5], ctx_swap[in_signal]
#endm

// fragment_read(out_ports, in_place, in_source, in_destination, in_identity, in_now, io_entry, in_signal, TO_LOST): io_entry: 5 $ read registers.
#macro fragment_read(out_ports, in_place, in_source, in_destination, in_identity, in_now, io_entry, in_signal, TO_LOST)
    sram[read, io_entry[0], in_place, 0, 5], ctx_swap[in_signal]
    alu[--, in_source, -, io_entry[0]]
    bne[TO_LOST]
    alu[--, in_destination, -, io_entry[1]]
    bne[TO_LOST]
    alu[--, in_identity, -, io_entry[2]]
    bne[TO_LOST]
    alu[--, in_now, -, io_entry[4]]
    bpl[TO_LOST]
    alu[out_ports, --, B, io_entry[3]]
#endm

#endif
