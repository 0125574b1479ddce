// mapping: one public port for a station's port, whatever the other end (RFC 4787 and RFC 5382, REQ-1).
//
// Purpose    What a station sends from one port leaves from one public port, its own when nobody has that, as long as any of its connections
//            lives. A mapping counts its connections; the last one that ends gives the port back.
// Inputs     the station's address and port (identifier of a query) and the class in registers. Import constants: i$fw_mapping_buckets, and those of
//            conntrack and port.uc
// Outputs    the public port
// Registers  at most 7 temporaries
// Signals    in_pair: doubled; in_answered: volatile, raised by the resource engine; in_signal
// Memory     SRAM: a bucket of a longword for each of conntrack's, chains of records of 4: {link, station's address, station's port << 16 | public port,
//            connections}; scratch: the first free record (RUNNING_MAPPINGS)
// Budget     mapping_claim 70 instructions for a new mapping whose port is free, 46 for one that is there; mapping_release 48 for one of several
//            connections, 70 for the last one; 11 for each record before it in the chain
// Limits     There are as many records as connections and 32 more, so many as contexts may have claimed one for a connection that is not there
//            yet: one is always free. Everything is read and written under the lock of the bucket, of the same lock bits as conntrack's: who holds
//            one may not claim or release. It is held while the resource engine is asked for a port, so that two connections of one
//            station's port cannot get two; the contexts that answer take no lock.
//
// A link is a record's address | class, 0 at the end of a chain. Free records are a stack, by their links.
#ifndef WEFT_MAPPING_UC
#define WEFT_MAPPING_UC

#include "common/std.uc"
#include "firewall/layout.uc"
#include "conntrack/conntrack.uc"
#include "resource/port.uc"

.import_var i$fw_mapping_buckets

// mapping_bucket(out_bucket, in_station, in_port, in_class, io_key, in_signal): address of the bucket. io_key: an array of 4 $ registers.
#macro mapping_bucket(out_bucket, in_station, in_port, in_class, io_key, in_signal)
.begin
    .reg hash buckets
    conntrack_hash(hash, in_station, 0, in_port, in_class, io_key, in_signal)
    move_import(out_bucket, i$fw_bucket_mask)
    alu[out_bucket, out_bucket, AND, hash]
    alu_shf[out_bucket, --, B, out_bucket, <<2]
    move_import(buckets, i$fw_mapping_buckets)
    alu[out_bucket, out_bucket, +, buckets]
.end
#endm

// mapping_find(out_record, out_before, in_bucket, in_station, in_port, in_class, io_record, in_signal, TO_MISS): with the lock of the bucket.
// out_before: where the link to the record stands. io_record: an array of 4 read registers; at TO_MISS the first one is 0.
#macro mapping_find(out_record, out_before, in_bucket, in_station, in_port, in_class, io_record, in_signal, TO_MISS)
.begin
    .reg link
    alu[out_record, --, B, in_bucket]
    sram[read, io_record[0], in_bucket, 0, 1], ctx_swap[in_signal]
next#:
    alu[out_before, --, B, out_record]
    alu[link, --, B, io_record[0]]
    beq[TO_MISS]
    alu[out_record, link, AND~, 0xf]
    sram[read, io_record[0], out_record, 0, 4], ctx_swap[in_signal]
    alu[link, link, AND, 3]
    alu[--, link, -, in_class]
    bne[next#]
    alu[--, in_station, -, io_record[1]]
    bne[next#]
    alu_shf[link, --, B, io_record[2], >>16]
    alu[--, link, -, in_port]
    bne[next#]
.end
#endm

// mapping_take(out_record, io_word, in_running, in_pair, in_signal): a free record. The longword is 0 while somebody takes or gives one; io_word: a $ register.
#macro mapping_take(out_record, io_word, in_running, in_pair, in_signal)
    mapping_hold(out_record, io_word, in_running, in_pair)
    sram[read, io_word, out_record, 0, 1], ctx_swap[in_signal]
    alu[io_word, --, B, io_word]
    scratch[write, io_word, in_running, RUNNING_MAPPINGS, 1], ctx_swap[in_signal]
#endm

// mapping_give(in_record, io_word, in_running, in_pair, in_signal): back to the free ones.
#macro mapping_give(in_record, io_word, in_running, in_pair, in_signal)
.begin
    .reg first
    mapping_hold(first, io_word, in_running, in_pair)
    alu[io_word, --, B, first]
    sram[write, io_word, in_record, 0, 1], ctx_swap[in_signal]
    alu[io_word, --, B, in_record]
    scratch[write, io_word, in_running, RUNNING_MAPPINGS, 1], ctx_swap[in_signal]
.end
#endm
#macro mapping_hold(out_first, io_word, in_running, in_pair)
again#:
    immed[io_word, 0]
    scratch[swap, io_word, in_running, RUNNING_MAPPINGS], sig_done[in_pair]
    ctx_arb[in_pair]
    alu[out_first, --, B, io_word]
    beq[again#]
#endm

// mapping_claim(io_port, in_station, in_class, io_key, io_word, io_record, IN_PLACE, in_pair, in_answered, in_signal, TO_NONE): io_port: the station's
// port, then the public one; at TO_NONE there is none, and nothing has changed. IN_PLACE as in port_claim.
#macro mapping_claim(io_port, in_station, in_class, io_key, io_word, io_record, IN_PLACE, in_pair, in_answered, in_signal, TO_NONE)
.begin
    .reg bucket place bit record before
    mapping_bucket(bucket, in_station, io_port, in_class, io_key, in_signal)
    conntrack_lock(place, bit, bucket, io_word, in_pair)
    mapping_find(record, before, bucket, in_station, io_port, in_class, io_record, in_signal, new#)
    ld_field_w_clr[io_port, 0011, io_record[2]]
    alu[io_word, io_record[3], +, 1]
    sram[write, io_word, record, MAPPING_CONNECTIONS, 1], ctx_swap[in_signal]
    br[done#]
new#:
    alu_shf[before, --, B, io_port, <<16]
    port_claim(io_port, in_class, io_word, IN_PLACE, in_pair, in_answered, in_signal, none#)
    alu[before, before, OR, io_port]
    .begin
    .reg running
    immed[running, FIREWALL_RUNNING]
    mapping_take(record, io_word, running, in_pair, in_signal)
    .end
    sram[read, io_word, bucket, 0, 1], ctx_swap[in_signal]
    alu[io_key[0], --, B, io_word]
    alu[io_key[1], --, B, in_station]
    alu[io_key[2], --, B, before]
    immed[io_key[3], 1]
    sram[write, io_key[0], record, 0, 4], ctx_swap[in_signal]
    alu[io_word, record, OR, in_class]
    sram[write, io_word, bucket, 0, 1], ctx_swap[in_signal]
    br[done#]
none#:
    conntrack_unlock(place, bit, io_word, in_signal)
    br[TO_NONE]
done#:
    conntrack_unlock(place, bit, io_word, in_signal)
.end
#endm

// mapping_release(in_port, in_station, in_class, io_key, io_word, io_record, in_pair, in_signal): a connection of a station's port has ended, or did not come
// to be. Nothing happens when there is no such mapping.
#macro mapping_release(in_port, in_station, in_class, io_key, io_word, io_record, in_pair, in_signal)
.begin
    .reg bucket place bit record before
    mapping_bucket(bucket, in_station, in_port, in_class, io_key, in_signal)
    conntrack_lock(place, bit, bucket, io_word, in_pair)
    mapping_find(record, before, bucket, in_station, in_port, in_class, io_record, in_signal, done#)
    alu[bucket, io_record[3], -, 1]
    beq[last#]
    alu[io_word, --, B, bucket]
    sram[write, io_word, record, MAPPING_CONNECTIONS, 1], ctx_swap[in_signal]
    br[done#]
last#:
    alu[io_word, --, B, io_record[0]]
    sram[write, io_word, before, 0, 1], ctx_swap[in_signal]
    ld_field_w_clr[bucket, 0011, io_record[2]]
    port_release(bucket, in_class, io_word, in_signal)
    immed[bucket, FIREWALL_RUNNING]
    mapping_give(record, io_word, bucket, in_pair, in_signal)
done#:
    conntrack_unlock(place, bit, io_word, in_signal)
.end
#endm

#endif
