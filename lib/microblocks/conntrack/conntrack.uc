// conntrack: connections in SRAM, found by either direction's packets.
//
// Purpose    Find the connection of a tuple; open one; link and unlink its two nodes while others look up.
// Inputs     a tuple: source, destination, ports (source << 16 | destination), class (firewall/layout.uc) in registers.
//            Import constants: i$fw_buckets (SRAM address of the buckets), i$fw_bucket_mask (their number - 1, a power of two less 1)
// Outputs    a link: node's address | class << 1 | direction. Node AND~ 31 is the node; an entry's nodes stand at 0 and 32.
// Registers  see each macro
// Signals    in_signal: one that nobody else waits for; in_pair: one that is doubled
// Memory     SRAM: buckets of a longword, chains of nodes of 8; scratch: a lock bit for each of 1,024 groups of buckets
// Budget     conntrack_hash 6 instructions and a swap; conntrack_bucket 7; conntrack_find 1 and 13 for a node that is found, 6 for one that is
//            passed, with a swap each; conntrack_lock 12, _unlock 2, _link 6 with three swaps, _unlink 9, 7 more for each node before it
// Limits     The hash unit's multipliers must have been set. Lookups take no lock: a link is one longword and written whole, a node's
//            own link is written before the node is reached by one, and an entry that was unlinked keeps its links until no lookup
//            can stand on it any more (resource.uc waits). Link and unlink need the lock of the bucket.
#ifndef WEFT_CONNTRACK_UC
#define WEFT_CONNTRACK_UC

#include "common/std.uc"
#include "firewall/layout.uc"

.import_var i$fw_buckets i$fw_bucket_mask

// conntrack_hash(out_hash, in_source, in_destination, in_ports, in_class, io_key, in_signal): io_key: an array of 4 $ registers.
#macro conntrack_hash(out_hash, in_source, in_destination, in_ports, in_class, io_key, in_signal)
    alu[io_key[0], --, B, in_source]
    alu[io_key[1], --, B, in_destination]
    alu[io_key[2], --, B, in_ports]
    alu[io_key[3], --, B, in_class]
    hash_128[io_key[0], 1], ctx_swap[in_signal]
    alu[out_hash, --, B, io_key[0]]
#endm

// conntrack_bucket(out_bucket, in_hash): address of the bucket.
#macro conntrack_bucket(out_bucket, in_hash)
.begin
    .reg buckets
    move_import(out_bucket, i$fw_bucket_mask)
    alu[out_bucket, out_bucket, AND, in_hash]
    alu_shf[out_bucket, --, B, out_bucket, <<2]
    move_import(buckets, i$fw_buckets)
    alu[out_bucket, out_bucket, +, buckets]
.end
#endm

// conntrack_find(out_link, in_bucket, in_source, in_destination, in_ports, in_class, io_node, in_signal, TO_MISS)
// io_node: an array of 4 read registers. out_link is 0 at TO_MISS.
//
// Race: without a lock, while others link and unlink. A link is one longword, which memory reads and writes whole. It leads to a node only
// after the node has been written and the write has been acknowledged (conntrack_link), so what is read after it is the node. Who reads the bucket before a
// node is linked misses it: a packet of a new flow looks again under its own order (opening.uc), and others were not answered yet. A node
// that is unlinked keeps tuple and link, and its memory is not used again for i$fw_grace units, longer than any search lasts.
#macro conntrack_find(out_link, in_bucket, in_source, in_destination, in_ports, in_class, io_node, in_signal, TO_MISS)
.begin
    .reg node
    sram[read, io_node[0], in_bucket, 0, 1], ctx_swap[in_signal]
next#:
    alu[out_link, --, B, io_node[0]]
    beq[TO_MISS]
    alu[node, out_link, AND~, 0x1f]
    sram[read, io_node[0], node, 0, 4], ctx_swap[in_signal]
    alu[--, in_ports, -, io_node[3]]
    bne[next#]
    alu[--, in_source, -, io_node[1]]
    bne[next#]
    alu[--, in_destination, -, io_node[2]]
    bne[next#]
    alu_shf[node, 3, AND, out_link, >>1]
    alu[--, node, -, in_class]
    bne[next#]
.end
#endm

// conntrack_lock(out_place, out_bit, in_bucket, io_old, in_pair): waits for the lock of a bucket. io_old: a $ register; out_place and
// out_bit are what conntrack_unlock wants. Asked again and again: it is held for three memory accesses, and by few.
#macro conntrack_lock(out_place, out_bit, in_bucket, io_old, in_pair)
.begin
    .reg shift one
    alu_shf[shift, 0x1f, AND, in_bucket, >>2]
    immed[one, 1]
    alu[--, shift, OR, 0]
    alu_shf[out_bit, --, B, one, <<indirect]
    alu_shf[out_place, 0x1f, AND, in_bucket, >>7]
    alu_shf[out_place, --, B, out_place, <<2]
    immed[one, BUCKET_LOCKS]
    alu[out_place, out_place, +, one]
again#:
    alu[io_old, --, B, out_bit]
    scratch[test_and_set, io_old, out_place, 0], sig_done[in_pair]
    ctx_arb[in_pair]
    alu[--, out_bit, AND, io_old]
    bne[again#]
.end
#endm

// conntrack_unlock(in_place, in_bit, io_old, in_signal)
#macro conntrack_unlock(in_place, in_bit, io_old, in_signal)
    alu[io_old, --, B, in_bit]
    scratch[clr, io_old, in_place, 0], ctx_swap[in_signal]
#endm

// conntrack_link(in_bucket, in_link, io_word, in_signal): a node becomes the first of its chain. With the lock of the bucket.
// Race: lookups read bucket and node meanwhile. The node's link is in memory before the bucket's longword leads to it (ctx_swap).
#macro conntrack_link(in_bucket, in_link, io_word, in_signal)
.begin
    .reg node
    sram[read, io_word, in_bucket, 0, 1], ctx_swap[in_signal]
    alu[io_word, --, B, io_word]
    alu[node, in_link, AND~, 0x1f]
    sram[write, io_word, node, 0, 1], ctx_swap[in_signal]       // who stands on the node goes on after it
    alu[io_word, --, B, in_link]
    sram[write, io_word, in_bucket, 0, 1], ctx_swap[in_signal]
.end
#endm

// conntrack_unlink(in_bucket, in_link, io_word, in_signal): a node leaves its chain; nothing happens when it is not in it.
#macro conntrack_unlink(in_bucket, in_link, io_word, in_signal)
.begin
    .reg before node
    alu[before, --, B, in_bucket]
look#:
    sram[read, io_word, before, 0, 1], ctx_swap[in_signal]
    alu[node, io_word, AND~, 0x1f]
    beq[gone#]
    alu[--, in_link, -, io_word]
    beq[found#]
    br[look#], defer[1]
    alu[before, --, B, node]
found#:
    sram[read, io_word, node, 0, 1], ctx_swap[in_signal]
    alu[io_word, --, B, io_word]
    sram[write, io_word, before, 0, 1], ctx_swap[in_signal]
gone#:
.end
#endm

#endif
