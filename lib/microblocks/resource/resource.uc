// resource: the engine that owns what all flows share. Six contexts, as in Vlaeminck et al.
//
// Purpose    Context 0 keeps the ring of free connections filled; 1 takes down those that have ended; 2 keeps the tick and looks for those
//            that have timed out; 3, 4, 5 find free TCP pair_of_ports, UDP pair_of_ports, ICMP identifiers.
// Inputs     rings of firewall/layout.uc. A request for a port: engine << 7 | context << 4 | signal of who asks, bit 31 set, bits 30:16 the place of
//            the answer (a byte address in scratch). Import constants: i$fw_entries, i$fw_entry_count, i$fw_free, i$fw_free_mask, i$fw_ports,
//            i$fw_grace, and those of conntrack.
// Outputs    ring 10; answers: the port, or 0 when none is free; its bit in the bitmap is set
// Registers  at most 20 GPRs a context, 1 absolute one
// Memory     SRAM: connections, the list of free ones, bitmaps; scratch: the tick, counts
// Budget     a connection in and out again: about 70 instructions and 20 swaps
// Limits     Only context 2 decides that a connection ends and only context 1 takes it down, so nothing is taken down twice. A connection is handed
//            out again i$fw_grace TIMESTAMP units after it was taken down: no lookup, and no packet on its way between the stages, can
//            have it any more by then. Free ports are looked for from where the last one was found, so they come round as late as possible.
#ifndef WEFT_RESOURCE_UC
#define WEFT_RESOURCE_UC

#include "common/std.uc"
#include "firewall/layout.uc"
#include "conntrack/conntrack.uc"
#include "resource/port.uc"
#include "mapping/mapping.uc"

.import_var i$fw_entries i$fw_entry_count i$fw_free i$fw_free_mask i$fw_ports i$fw_grace

#define RESOURCE_UNITS  64              // TIMESTAMP units, 16 cycles each, between two looks at an empty ring

#define RESOURCE_LIMIT  96              // connections on ring RELEASE_RING, at most; it has room for 128

// resource_registers(): what the contexts have in common. Once, before the others.
#macro resource_registers()
    .reg @resource_ended                // connections that have timed out and are not yet taken down
    .init @resource_ended 0
#endm

// resource_pause(in_units, in_signal): sleeps so many TIMESTAMP units, at least 2: one may be over before the timer is set, which then waits
// until its 16 bits come round. in_signal: volatile.
#macro resource_pause(in_units, in_signal)
.begin
    .reg now
    local_csr_rd[TIMESTAMP_LOW]
    immed[now, 0]
    alu[now, now, +, in_units]
    local_csr_wr[ACTIVE_CTX_FUTURE_COUNT, now]
    nop
    local_csr_wr[ACTIVE_FUTURE_COUNT_SIGNAL, &in_signal]
    ctx_arb[in_signal]
.end
#endm

// resource_hash_open(): multipliers of the hash unit, odd numbers without a pattern. Once, before the first packet.
#macro resource_hash_open(in_signal)
.begin
    .reg write $multiplier
    .reg value
#define_eval RESOURCE_MULTIPLIER 0
#for RESOURCE_WORD [0x9e3779b9, 0x7f4a7c15, 0xf39cc060, 0x5cedc835]
#define_eval RESOURCE_MULTIPLIER (RESOURCE_MULTIPLIER + 1)
    move(value, RESOURCE_WORD)
    alu[$multiplier, --, B, value]
    cap[write, $multiplier, HASH_MULTIPLIER_128_/**/RESOURCE_MULTIPLIER, 1], ctx_swap[in_signal]
#endloop
#undef RESOURCE_MULTIPLIER
.end
#endm

// resource_allocate(in_signal, in_timer): context 0, never returns. Free connections go from the list in SRAM to ring FREE_ENTRY_RING while
// that is not full.
#macro resource_allocate(in_signal, in_timer)
.begin
    .reg read $entry $stamp $count[2]
    .reg write $out $head_out
    .sig put_done
    .reg head tail base mask place entry stamp now grace running ring
    move_import(base, i$fw_free)
    move_import(mask, i$fw_free_mask)
    move_import(grace, i$fw_grace)
    immed[running, FIREWALL_RUNNING]
    immed[ring, (FREE_ENTRY_RING * 4)]
    scratch[read, $count[0], running, RUNNING_FREE_HEAD, 1], ctx_swap[in_signal]
    alu[head, --, B, $count[0]]
look#:
    br_inp_state[SCR_RING10_STATUS, wait#]
    scratch[read, $count[1], running, RUNNING_FREE_TAIL, 1], ctx_swap[in_signal]
    alu[--, head, -, $count[1]]
    beq[wait#]                                  // none is free
    alu[place, head, AND, mask]
    alu_shf[place, --, B, place, <<2]
    sram[read, $entry, base, place, 1], ctx_swap[in_signal]
    alu[entry, --, B, $entry]
    sram[read, $stamp, entry, ENTRY_LIFE, 1], ctx_swap[in_signal]
    alu[stamp, --, B, $stamp]
    beq[fresh#]                                 // never used
young#:
    local_csr_rd[TIMESTAMP_LOW]
    immed[now, 0]
    alu[now, now, -, stamp]
    alu[--, now, -, grace]
    bhs[fresh#]
    immed[place, RESOURCE_UNITS]
    resource_pause(place, in_timer)
    br[young#]
fresh#:
    alu[$out, --, B, entry]
    scratch[put, $out, ring, 0, 1], sig_done[put_done]
    alu[head, head, +, 1]
    alu[$head_out, --, B, head]
    scratch[write, $head_out, running, RUNNING_FREE_HEAD, 1], sig_done[in_signal]
    ctx_arb[put_done, in_signal], br[look#]
wait#:
    immed[place, RESOURCE_UNITS]
    resource_pause(place, in_timer)
    br[look#]
.end
#endm

// resource_release(in_signal, in_pair, in_timer): context 1, never returns. A connection of ring RELEASE_RING leaves the chains, gives its port back, and
// goes on the list of free ones.
#macro resource_release(in_signal, in_pair, in_timer)
.begin
    .reg read $released $origin $tail_in
    .reg read $tuple[4] $state
    .reg write $word
    .reg $key[4] $old
    .reg ring running entry node link class bucket hash lock_place lock_bit port
    .reg source destination pair_of_ports
    immed[ring, (RELEASE_RING * 4)]
    immed[running, FIREWALL_RUNNING]
next#:
    scratch[get, $released, ring, 0, 1], ctx_swap[in_signal]
    alu[entry, --, B, $released]
    bne[some#]
    immed[port, RESOURCE_UNITS]
    resource_pause(port, in_timer)
    br[next#]
some#:
    sram[read, $origin, entry, ENTRY_ORIGIN, 1], ctx_swap[in_signal]
    resource_class(class, $origin)
    alu[node, --, B, entry]
    alu_shf[link, entry, OR, class, <<1]
node#:
    sram[read, $tuple[0], node, NODE_TUPLE, 3], ctx_swap[in_signal]
    alu[source, --, B, $tuple[0]]
    alu[destination, --, B, $tuple[1]]
    alu[pair_of_ports, --, B, $tuple[2]]
    conntrack_hash(hash, source, destination, pair_of_ports, class, $key, in_signal)
    conntrack_bucket(bucket, hash)
    conntrack_lock(lock_place, lock_bit, bucket, $old, in_pair)
    conntrack_unlink(bucket, link, $old, in_signal)
    conntrack_unlock(lock_place, lock_bit, $old, in_signal)
    br_bset[link, 0, unlinked#]
    alu[node, entry, +, ENTRY_REPLY_NODE]
    alu[link, link, +, (ENTRY_REPLY_NODE + 1)]
    br[node#]
unlinked#:
    sram[read, $state, entry, ENTRY_STATE, 1], ctx_swap[in_signal]
    br_bclr[$state, ENTRY_OWNS_PORT, no_port#]
    sram[read, $tuple[0], entry, NODE_TUPLE, 3], ctx_swap[in_signal]
    alu[source, --, B, $tuple[0]]
    alu_shf[port, --, B, $tuple[2], >>16]
    mapping_release(port, source, class, $key, $old, $tuple, in_pair, in_signal)
no_port#:
    local_csr_rd[TIMESTAMP_LOW]
    immed[hash, 0]
    alu[hash, hash, AND~, 1]
    bne[stamped#]
    immed[hash, 2]                              // 0 is "never used"
stamped#:
    alu[$word, --, B, hash]
    sram[write, $word, entry, ENTRY_LIFE, 1], ctx_swap[in_signal]
    scratch[read, $tail_in, running, RUNNING_FREE_TAIL, 1], ctx_swap[in_signal]
    alu[pair_of_ports, --, B, $tail_in]
    move_import(node, i$fw_free_mask)
    alu[node, node, AND, pair_of_ports]
    alu_shf[node, --, B, node, <<2]
    move_import(bucket, i$fw_free)
    alu[$word, --, B, entry]
    sram[write, $word, bucket, node, 1], ctx_swap[in_signal]
    alu[$word, pair_of_ports, +, 1]
    scratch[write, $word, running, RUNNING_FREE_TAIL, 1], ctx_swap[in_signal]
    scratch[incr, --, running, RUNNING_RELEASED]
    alu[@resource_ended, @resource_ended, -, 1]
    br[next#]
.end
#endm

// resource_class(out_class, in_origin): the class of a protocol in bits 31:24.
#macro resource_class(out_class, in_origin)
    br=byte[in_origin, 3, 6, class#], defer[1]
    immed[out_class, CLASS_TCP]
    br=byte[in_origin, 3, 17, class#], defer[1]
    immed[out_class, CLASS_UDP]
    br=byte[in_origin, 3, 1, class#], defer[1]
    immed[out_class, CLASS_ICMP]
    immed[out_class, CLASS_OTHER]
class#:
#endm

// resource_time(in_signal, in_timer): context 2, never returns. Ticks go by the clock, whatever else there is to do: what is late with its look
// at a connection, or waits for room in ring RELEASE_RING, is the search, which owes so many looks for each tick, at most one a connection.
#macro resource_time(in_signal, in_timer)
.begin
    .reg read $config[2] $now_in $times[3]
    .reg write $word
    .reg running ring tick scan due now left entry number count owed
    immed[left, FIREWALL_CONFIG]
    immed[running, FIREWALL_RUNNING]
    immed[ring, (RELEASE_RING * 4)]
    scratch[read, $config[0], left, CONFIG_TICK, 2], ctx_swap[in_signal]
    alu[tick, --, B, $config[0]]
    alu[scan, --, B, $config[1]]
    scratch[read, $now_in, running, RUNNING_NOW, 1], ctx_swap[in_signal]
    alu[now, --, B, $now_in]                    // nobody else counts ticks
    move_import(entry, i$fw_entries)
    move_import(count, i$fw_entry_count)
    alu[number, --, B, count]
    immed[owed, 0]
    local_csr_rd[TIMESTAMP_LOW]
    immed[due, 0]
look#:
    local_csr_rd[TIMESTAMP_LOW]
    immed[left, 0]
    alu[left, left, -, due]
    alu[left, tick, -, left]
    bgt[within#]
    alu[due, due, +, tick]
    scratch[incr, --, running, RUNNING_NOW]
    alu[now, now, +, 1]
    alu[owed, owed, +, scan]
    alu[--, count, -, owed]
    bhs[look#]
    br[look#], defer[1]
    alu[owed, --, B, count]
within#:
    alu[--, --, B, owed]
    bne[entry#]
    // ---- nothing to do until the tick is over. The timer has 16 bits: a longer wait ends too early, and comes here again
    alu[--, left, -, 1]
    bne[pause#]
    immed[left, 2]                              // the next tick is counted from when this one was due
pause#:
    resource_pause(left, in_timer)
    br[look#]
entry#:
    // ---- one connection
    // Race: pre-routing sets the time anew, and post-routing opens connections, meanwhile. Each longword is read whole. Life is 1 only after all others have been
    // written for this connection, and 0 while it has ended, which this context alone says. A packet that comes within the microsecond
    // between this read and the end finds its connection ended, as if it had come that much later: times are at least a tick of it.
    sram[read, $times[0], entry, ENTRY_EXPIRES, 3], ctx_swap[in_signal]
    br_bclr[$times[2], 0, next#]                // not in the tables
    alu[--, now, -, $times[0]]
    bmi[next#]
    alu[--, @resource_ended, -, RESOURCE_LIMIT]
    blo[end#]
    immed[left, RESOURCE_UNITS]
    resource_pause(left, in_timer)
    br[look#]                                   // at the same one again
end#:
    alu[@resource_ended, @resource_ended, +, 1]
    immed[$word, 0]
    sram[write, $word, entry, ENTRY_LIFE, 1], ctx_swap[in_signal]
    alu[$word, --, B, entry]
    scratch[put, $word, ring, 0, 1], ctx_swap[in_signal]
    scratch[incr, --, running, RUNNING_EXPIRED]
next#:
    alu[owed, owed, -, 1]
    alu[number, number, -, 1]
    bne[look#], defer[1]
    alu[entry, entry, +, ENTRY_BYTES]
    move_import(entry, i$fw_entries)
    br[look#], defer[1]
    alu[number, --, B, count]
.end
#endm

// resource_ports(IN_RING, in_class, in_signal, in_pair, in_timer): contexts 3, 4, 5, never returns. Identifiers have a range of their own:
// all there are, however few ports the public address may use.
#macro resource_ports(IN_RING, in_class, in_signal, in_pair, in_timer)
.begin
    .reg read $request $range $map
    .reg $claim
    .reg write $answer
    .reg ring config first last port place bit request free bits
    immed[ring, (IN_RING * 4)]
    immed[config, FIREWALL_CONFIG]
#if (IN_RING == ICMP_ID_RING)
    immed[place, CONFIG_IDENTIFIER_RANGE]
#else
    immed[place, CONFIG_PORT_RANGE]
#endif
    scratch[read, $range, config, place, 1], ctx_swap[in_signal]
    alu_shf[first, --, B, $range, >>16]
    ld_field_w_clr[last, 0011, $range]
    alu[port, --, B, first]
wait#:
    scratch[get, $request, ring, 0, 1], ctx_swap[in_signal]
    alu[request, --, B, $request]
    bne[search#]
    immed[bits, RESOURCE_UNITS]
    resource_pause(bits, in_timer)
    br[wait#]
search#:
    alu[free, last, -, first]
    alu[free, free, +, 1]                       // how many there are to look at
try#:
    // ---- the first clear bit from this port on in its longword
    resource_bit(place, bit, port, in_class)
    sram[read, $map, place, 0, 1], ctx_swap[in_signal]
    alu[bits, --, ~B, $map]
    alu[bit, bit, -, 1]
    alu[bits, bits, AND~, bit]
    beq[none_here#]
    ffs[bits, bits]
    alu[place, port, AND, 0x1f]
    alu[bits, bits, -, place]                   // so many further on
    br[step#]
none_here#:
    alu[place, port, AND, 0x1f]
    alu[bits, 32, -, place]
step#:
    alu[place, port, +, bits]
    alu[--, last, -, place]
    blo[around#]
    alu[free, free, -, bits]
    ble[none#]
    alu[port, --, B, place]
    br[in_range#]
around#:                                        // as many as there were up to the last one
    alu[bits, last, -, port]
    alu[bits, bits, +, 1]
    alu[free, free, -, bits]
    ble[none#]
    br[try#], defer[1]
    alu[port, --, B, first]
in_range#:
    resource_bit(place, bit, port, in_class)
    alu[$claim, --, B, bit]
    sram[test_and_set, $claim, place, 0], sig_done[in_pair]
    ctx_arb[in_pair]
    alu[--, bit, AND, $claim]
    bne[try#]                                   // taken, or another one was faster
    alu[$answer, --, B, port]
    alu[port, port, +, 1]
    alu[--, last, -, port]
    bhs[answer#]
    alu[port, --, B, first]
    br[answer#]
none#:
    immed[$answer, 0]
    alu[port, --, B, first]
answer#:
    alu_shf[place, --, B, request, <<1]
    alu_shf[place, --, B, place, >>17]
    scratch[write, $answer, place, 0, 1], ctx_swap[in_signal]
    ld_field_w_clr[bits, 0011, request]
    cap[fast_wr, alu, INTERTHREAD_SIG]
    br[wait#]
.end
#endm

#endif
