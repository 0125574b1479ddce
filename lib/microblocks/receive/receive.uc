// receive: mpackets of the ports to whole frames in DRAM buffers, in order, one message per frame.
//
// Purpose    The contexts of one microengine take turns: context n+1 gets the mpacket after that of context n. Two
//            sections are passed in this order (order.uc). The first (turn) finds the buffer and the offset of the mpacket in
//            the state of its port; the second (hand_on), after the mpacket has reached DRAM, sends the frame on if this was
//            its last one. So a message leaves only when all bytes stand in memory, and messages of a port leave in the
//            order in which frames came in.
// Inputs     MSF thread free list RECEIVE_LIST; free buffers (buffers.uc); i$ipv4_counters; PORTS, FORWARDERS (layout.uc).
//            Several microengines: each has a list of its own, and RX_PORT_MAP says which channels go to which: give all of them
//            the same RECEIVE_PORT_MAP (bits 2c+1:2c = list of channel c; 0x50: channels 0, 1 list 0, channels 2, 3 list 1). The
//            channels of a list may have RBUF elements of their own: RECEIVE_PARTITIONS (1), the same for all.
// Outputs    forward ring 1 + (port mod FORWARDERS): {frame address, port << 16 | bytes}; the frame starts FRAME_START
//            bytes after the start of its buffer
// Registers  16 GPRs (BUFFERS_QUEUE: 19), 3 $ in, 3 $ out per context
// Signals    5, and one doubled (two with 256-byte mpackets)
// Memory     local memory, 16 bytes per channel 0-31: {buffer or 0, offset, why the frame is being discarded or 0, -}
// Drops      receive_error, no_buffer, too_long, forward_ring_full. The element is always given back.
// Budget     56 instructions for a frame of one mpacket, 41 for each further one (README.md)
// Limits     mpackets of MPACKET_BYTES: 64, 128 or 256, as RX_CONTROL says; frames of at most i$buffer_bytes - FRAME_START bytes,
//            check sequence included where the MAC hands it over (MAC_FCS_BYTES)
#ifndef WEFT_RECEIVE_UC
#define WEFT_RECEIVE_UC

#include "common/std.uc"
#include "common/layout.uc"
#include "common/reasons.uc"
#include "buffers/buffers.uc"
#include "deliver/deliver.uc"
#include "order/order.uc"

#ifndef MPACKET_BYTES
#define MPACKET_BYTES 64
#endif
#if ((MPACKET_BYTES != 64) && (MPACKET_BYTES != 128) && (MPACKET_BYTES != 256))
#error "MPACKET_BYTES must be 64, 128 or 256"
#endif
#ifndef RECEIVE_LIST
#define RECEIVE_LIST 0
#endif
#if ((RECEIVE_LIST < 0) || (RECEIVE_LIST > 2))
#error "RECEIVE_LIST must be 0, 1 or 2"
#endif
#ifndef RECEIVE_PORT_MAP
#define RECEIVE_PORT_MAP 0
#endif

#ifndef RECEIVE_PARTITIONS
#define RECEIVE_PARTITIONS 1
#endif
#if ((RECEIVE_PARTITIONS < 1) || (RECEIVE_PARTITIONS > 3))
#error "RECEIVE_PARTITIONS must be 1, 2 or 3"
#endif

// What the MAC hands over after each frame. weft.json need not say it: it is defined for boards whose ports do so.
#ifndef MAC_FCS_BYTES
#define MAC_FCS_BYTES 0
#endif

#define RX_CONTROL              0x00
#define RX_THREAD_FREELIST      (0x30 + RECEIVE_LIST * 4)
#define RX_PORT_MAP             0x40
#define RBUF_ELEMENT_DONE       0x44

// Status longword of an mpacket.
#define STATUS_SOP              15
#define STATUS_EOP              14
#define STATUS_NULL             9

// State of a channel between frames: a frame must begin with its start. BETWEEN is the bit that says so, the rest is the reason.
#define BETWEEN                 7
#define STATE_BETWEEN           (REASON_RECEIVE_ERROR | (1 << BETWEEN))
#define RECEIVE_SHIFT           (5 + log2(MPACKET_BYTES))           // of the element number in the indirect word

// receive_loop(): never returns.
#macro receive_loop()
.begin
    .reg volatile read $status0 $status1        // written by the MSF
    .xfer_order $status0 $status1
    .reg read $spare_in
    .reg write $frame_out $where_out $freed
    .xfer_order $frame_out $where_out
    .sig volatile mpacket turn hand_on
    .sig copied put_sig spare_sig
    .set_rd $status0 $status1
    .reg claim spare counters copy_base buffer_bytes
    .reg status port buffer offset end bad element bytes temp

    // The word that puts this context on the free list: which register, signal, context and microengine.
    local_csr_rd[ACTIVE_CTX_STS]
    immed[status, 0]
    alu[temp, status, AND, 7]
    alu_shf[claim, --, B, temp, <<20]
    alu_shf[temp, 3, AND, status, >>3]
    alu_shf[claim, claim, OR, temp, <<23]
    alu_shf[temp, 1, AND, status, >>7]
    alu_shf[claim, claim, OR, temp, <<25]
    immed[temp, (&$status0 | (&mpacket << 12)), <<16]
    alu[claim, claim, OR, temp]
    alu[claim, claim, OR, RX_THREAD_FREELIST]

    buffers_registers()
    buffers_open()
    move_import(counters, i$ipv4_counters)
    alu[buffer_bytes, buffers_within, +, 1]
    move(copy_base, ((1 << 25) | (1 << 18) | (1 << 4)))     // override count and RBUF address; RBUF data at 0x2000
none_yet#:
    buffers_alloc(spare, spare_sig, none_yet#)  // nothing is received before the free list has been filled

    br!=ctx[0, claim_in_turn#]
#if (RECEIVE_PORT_MAP != 0)
    immed[temp, RECEIVE_PORT_MAP, <<16]
    msf[fast_wr, --, temp, RX_PORT_MAP]
#endif
#if (RECEIVE_PARTITIONS > 1)
    immed[temp, RX_CONTROL]
    msf[read, $spare_in, temp, 0, 1], ctx_swap[spare_sig]
    alu[status, $spare_in, AND~, 3]
    alu[$freed, status, OR, (RECEIVE_PARTITIONS - 1)]
    msf[write, $freed, temp, 0, 1], ctx_swap[put_sig]
#endif
    // Context 0 prepares the state of the 32 channels.
    immed[offset, 0]
clear_channel#:
    local_csr_wr[ACTIVE_LM_ADDR_0, offset]
    alu[offset, offset, +, 16]
    immed[temp, 0x200]
    nop
    immed[*l$index0[0], 0]
    immed[*l$index0[1], 0]
    immed[*l$index0[2], STATE_BETWEEN]
    alu[--, offset, -, temp]
    bne[clear_channel#]
    order_open(hand_on)
    br[claimed#]

claim_in_turn#:
    order_enter(turn)
claimed#:
    // The chain runs once round so that the contexts stand on the free list in order. Context 7 hands it to 0.
    msf[fast_wr, --, claim, 0]
    order_leave(turn)
    ctx_arb[mpacket, turn], br[my_turn#]

refilled#:
    buffers_taken(spare, $spare_in, my_turn#)
my_turn#:
    // ---- one context after the other ----
    .use_rd $status1                            // nobody reads it, but the MSF fills it
    alu[status, --, B, $status0]
    alu[port, status, AND, 0x1f]
    alu_shf[temp, --, B, port, <<4]
    local_csr_wr[ACTIVE_LM_ADDR_0, temp]
    msf[fast_wr, --, claim, 0]                  // this context is free for a later mpacket: the status is copied
#if (MPACKET_BYTES != 256)
    ld_field_w_clr[bytes, 0001, status, >>16]
#else
    ld_field_w_clr[bytes, 0001, status, >>16], load_cc
    bne[not_256#]
    immed[bytes, 256]
not_256#:
#endif
    alu_shf[element, 0x7f, AND, status, >>24]
    br_bclr[status, STATUS_SOP, not_first#]

    br_bclr[*l$index0[2], BETWEEN, cut#]
begin#:
    immed[offset, FRAME_START]
    immed[bad, 0]
    alu[buffer, --, B, *l$index0[0]]
    bne[have_buffer#]                           // left over from a frame that was discarded
    alu[buffer, --, B, spare]
    beq[no_spare#]
    alu[*l$index0[0], --, B, buffer]
    immed[spare, 0]

have_buffer#:
    alu_shf[--, 0x1f, AND, status, >>8]         // parity, null and start errors, and the receiver's own
    bne[error#]
no_error#:
    alu[end, offset, +, bytes]
    alu[--, buffer_bytes, -, end]
    blo[too_long#]
fits#:
    br_bclr[status, STATUS_EOP, not_last#]
    immed[*l$index0[2], STATE_BETWEEN]
    alu[--, --, B, bad]
    bne[discard#]                               // a discarded frame leaves its buffer to the next one
    immed[*l$index0[0], 0]
    order_leave(turn)
    // ---- end of the first section ----

copy#:
    alu[temp, bytes, -, 1]
    bmi[no_bytes#]
    alu_shf[temp, --, B, temp, >>3]             // quadwords - 1
#if (MPACKET_BYTES == 256)
    // 128 bytes at most in one command. No context gets the engine between the two: commands of a port stay in order.
    .reg second
    .sig copied_first
    alu[--, temp, -, 16]
    blo[one_command#]
    alu[temp, temp, -, 16]
    alu_shf[temp, --, B, temp, <<21]
    alu[temp, temp, OR, copy_base]
    alu_shf[temp, temp, OR, element, <<RECEIVE_SHIFT]
    alu[second, buffer, +, 128]
    alu_shf[--, temp, OR, 1, <<12]
    dram[rbuf_rd, --, second, offset, max_8], indirect_ref, sig_done[copied_first]
    immed[temp, (15 << 5), <<16]
    alu[temp, temp, OR, copy_base]
    alu_shf[--, temp, OR, element, <<RECEIVE_SHIFT]
    dram[rbuf_rd, --, buffer, offset, max_8], indirect_ref, sig_done[copied]
    ctx_arb[copied, copied_first, hand_on], br[copied#]
one_command#:
#endif
    alu_shf[temp, copy_base, OR, temp, <<21]
    alu_shf[--, temp, OR, element, <<RECEIVE_SHIFT]
    dram[rbuf_rd, --, buffer, offset, max_8], indirect_ref, sig_done[copied]
    ctx_arb[copied, hand_on]
copied#:
    // ---- one context after the other ----
    alu_shf[element, RBUF_ELEMENT_DONE, OR, element, <<16]
    msf[fast_wr, --, element, 0]
    br_bclr[status, STATUS_EOP, pass_on#]
    alu[element, port, AND, (FORWARDERS - 1)]
    branch_if_forward_full(element, ring_full#)
    alu[$frame_out, buffer, +, FRAME_START]
    alu[temp, end, -, (FRAME_START + MAC_FCS_BYTES)]
    alu_shf[$where_out, temp, OR, port, <<16]
    alu[element, element, +, FORWARD_RING]
    alu_shf[element, --, B, element, <<2]
    scratch[put, $frame_out, element, 0, MESSAGE_LONGWORDS], sig_done[put_sig]
    order_leave(hand_on)
    // ---- end of the second section ----
    alu[--, --, B, spare]
    bne[have_spare#]
    buffers_request($spare_in, spare_sig)
    ctx_arb[mpacket, turn, put_sig, spare_sig], br[refilled#]
have_spare#:
    ctx_arb[mpacket, turn, put_sig], br[my_turn#]

pass_on#:
    order_leave(hand_on)
refill#:
    alu[--, --, B, spare]
    bne[wait#]
    buffers_request($spare_in, spare_sig)
    ctx_arb[mpacket, turn, spare_sig], br[refilled#]
wait#:
    ctx_arb[mpacket, turn], br[my_turn#]

// ---- what is not on the fast path; first section ----
not_first#:
    br_bset[status, STATUS_NULL, null#]         // the free list's time-out: there is no mpacket
    alu[offset, --, B, *l$index0[1]]
    alu[buffer, --, B, *l$index0[0]]
    br[have_buffer#], defer[1]
    alu[bad, *l$index0[2], AND, ((1 << BETWEEN) - 1)]

not_last#:
#if (MPACKET_BYTES == 256)
    alu_shf[--, --, B, bytes, >>8]
    beq[too_short#]
#else
    alu[--, bytes, -, MPACKET_BYTES]
    bne[too_short#]
#endif
full#:
    alu[*l$index0[1], --, B, end]
    alu[*l$index0[2], --, B, bad]
    bne[discard#]
    br[copy#], defer[1]
    order_leave(turn)

// The end of the frame before is missing. Its buffer is used again: copies of one microengine reach DRAM in the order of turns.
cut#:
    immed[bad, REASON_RECEIVE_ERROR]
    count_packet(bad, port, counters)
    br[begin#]

no_spare#:
    br[have_buffer#], defer[1]
    immed[bad, REASON_NO_BUFFER]

error#:
    br[no_error#], defer[1]
    immed[bad, REASON_RECEIVE_ERROR]

too_short#:                                     // only the last mpacket of a frame may be: the next one would not be aligned
    br[full#], defer[1]
    immed[bad, REASON_RECEIVE_ERROR]

too_long#:
    alu[--, --, B, bad]                         // the first reason counts
    bne[fits#]
    br[fits#], defer[1]
    immed[bad, REASON_TOO_LONG]

null#:
    order_leave(turn)
    order_enter(hand_on)
    br[pass_on#]

discard#:
    order_leave(turn)
    // ---- end of the first section ----
    alu_shf[element, RBUF_ELEMENT_DONE, OR, element, <<16]
    msf[fast_wr, --, element, 0]
    order_enter(hand_on)
    br_bclr[status, STATUS_EOP, pass_on#]
    order_leave(hand_on)
    alu[--, bad, -, REASON_NO_BUFFER]
    beq[no_buffer#]
    alu[--, bad, -, REASON_TOO_LONG]
    beq[was_too_long#]
    .drop receive_error
    br[count_discarded#]
no_buffer#:
    .drop no_buffer
    br[count_discarded#]
was_too_long#:
    .drop too_long
    nop
count_discarded#:
    count_packet(bad, port, counters)
    br[refill#]

no_bytes#:                                      // nothing to copy, but the mpacket may end a frame
    ctx_arb[hand_on], br[copied#]

ring_full#:
    .drop forward_ring_full
    order_leave(hand_on)
    immed[bad, REASON_FORWARD_RING_FULL]
    count_packet(bad, port, counters)
    buffers_release($freed, buffer, put_sig)
    ctx_arb[put_sig], br[refill#]
.end
#endm

#endif
