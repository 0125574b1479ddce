// transmit: frames from DRAM buffers to TBUF, in the order in which they stand on their port's ring.
//
// Purpose    The contexts of a microengine are shared out among its ports; those of a port take turns (order.uc, a chain for each
//            port), and each turn is one mpacket: of the frame that the port is at, or the first one of the next frame. So ports do
//            not wait for each other, and several contexts work at one long frame. The MSF sends elements in the order of
//            their numbers; a context draws its number within its turn, so the order of a port is that of its turns, whatever
//            the other ports and microengines do between.
//            A context takes its next mpacket when its last one has left TBUF. So a port has at most as many elements in TBUF as it
//            has contexts, and one whose MAC is full cannot fill TBUF and hold up the others.
// Inputs     transmit rings 5 to 4 + PORTS: {frame address, - | bytes}; with TRANSMIT_PREPEND a third longword: 0, or SRAM
//            address | length of 1 to 31 bytes that are sent before the frame (address: a multiple of 32, channel in bits 31:30).
//            TRANSMIT_FIRST_PORT, TRANSMIT_PORTS: which ports this microengine serves (all). TRANSMIT_PARTITIONS,
//            TRANSMIT_PARTITION: into how many partitions TBUF is divided (1), and which is this microengine's (0).
//            TRANSMIT_ENGINES: how many microengines share a partition (1).
// Outputs    frames on channel = ring - 5; the buffer goes back to the free list
// Registers  17 GPRs (BUFFERS_QUEUE: 20) and 2 absolute ones; 4 $ in, 3 $ out per context; with a shared partition 1 GPR more
//            and no absolute one, with TRANSMIT_PREPEND 2 GPRs and 8 $ each way more
// Signals    6, and one doubled; with 256-byte mpackets, with a shared partition and with TRANSMIT_PREPEND one more each
// Memory     local memory, 16 bytes for each port: {address of the next mpacket, bytes left, -, -}. With a shared partition, a
//            longword in scratch, TRANSMIT_ELEMENTS: the next element, counted from the start; 0 at the start.
// Budget     46 instructions (own partition: 51) for a frame of one mpacket, 43 (48) for each further one; 6 each time a ring was empty (README.md)
// Limits     mpackets of MPACKET_BYTES: 64, 128 or 256, as TX_CONTROL says; frames of 1 to 65,535 bytes that end within
//            their buffer; nobody else fills the partition, which is not smaller than the contexts are many; only an undivided
//            TBUF is shared, by 2 or 4 microengines.
#ifndef WEFT_TRANSMIT_UC
#define WEFT_TRANSMIT_UC

#include "common/std.uc"
#include "common/layout.uc"
#include "buffers/buffers.uc"
#include "order/order.uc"

#ifndef MPACKET_BYTES
#define MPACKET_BYTES 64
#endif
#if ((MPACKET_BYTES != 64) && (MPACKET_BYTES != 128) && (MPACKET_BYTES != 256))
#error "MPACKET_BYTES must be 64, 128 or 256"
#endif
#ifndef TRANSMIT_ENGINES
#define TRANSMIT_ENGINES 1
#endif
#if ((TRANSMIT_ENGINES != 1) && (TRANSMIT_ENGINES != 2) && (TRANSMIT_ENGINES != 4))
#error "TRANSMIT_ENGINES must be 1, 2 or 4"
#endif
#ifndef TRANSMIT_PARTITIONS
#define TRANSMIT_PARTITIONS 1
#endif
#ifndef TRANSMIT_PARTITION
#define TRANSMIT_PARTITION 0
#endif
#if ((TRANSMIT_PARTITIONS < 1) || (TRANSMIT_PARTITIONS > 3) || (TRANSMIT_PARTITION < 0) || (TRANSMIT_PARTITION >= TRANSMIT_PARTITIONS))
#error "TRANSMIT_PARTITIONS must be 1, 2 or 3, and TRANSMIT_PARTITION one of them, counted from 0"
#endif
#if ((TRANSMIT_PARTITIONS > 1) && (TRANSMIT_ENGINES > 1))
#error "each microengine needs a partition of its own: TRANSMIT_ENGINES is 1 when TBUF is divided"
#endif
#ifndef TRANSMIT_FIRST_PORT
#define TRANSMIT_FIRST_PORT 0
#endif
#ifndef TRANSMIT_PORTS
#define TRANSMIT_PORTS PORTS
#endif
#if ((TRANSMIT_FIRST_PORT < 0) || (TRANSMIT_PORTS < 1) || (TRANSMIT_FIRST_PORT + TRANSMIT_PORTS > 4))
#error "TRANSMIT_FIRST_PORT and TRANSMIT_PORTS must name ports from 0 to 3"
#endif
#ifndef TRANSMIT_ELEMENTS
#define TRANSMIT_ELEMENTS 0x3ffc
#endif
#ifndef TRANSMIT_PREPEND
#define TRANSMIT_PREPEND 0
#endif

#if (TRANSMIT_PORTS == 3)
#define TRANSMIT_LANES 4                // the contexts of the fourth have nothing to do
#else
#define TRANSMIT_LANES TRANSMIT_PORTS
#endif
#if (TRANSMIT_PREPEND)
#define TRANSMIT_MESSAGE_LONGWORDS 3
#else
#define TRANSMIT_MESSAGE_LONGWORDS 2
#endif

// Eighths of TBUF at which the partition begins and ends: 3/4 and 1/4, or 1/2, 3/8 and 1/8.
#if (TRANSMIT_PARTITIONS == 1)
#define TRANSMIT_BEGIN 0
#define TRANSMIT_END 8
#elif (TRANSMIT_PARTITIONS == 2)
#define TRANSMIT_BEGIN (TRANSMIT_PARTITION * 6)
#define TRANSMIT_END (6 + TRANSMIT_PARTITION * 2)
#else
#define TRANSMIT_BEGIN (TRANSMIT_PARTITION * 4 - (TRANSMIT_PARTITION >> 1))
#define TRANSMIT_END (4 + TRANSMIT_PARTITION * 3 - (TRANSMIT_PARTITION >> 1) * 2)
#endif
#define TRANSMIT_FIRST_ELEMENT  (TRANSMIT_BEGIN * 1024 / MPACKET_BYTES)
#define TRANSMIT_END_ELEMENT    (TRANSMIT_END * 1024 / MPACKET_BYTES)
#if (TRANSMIT_END_ELEMENT - TRANSMIT_FIRST_ELEMENT < 8)
#error "the partition has fewer elements than the microengine has contexts: take a larger one, or shorter mpackets"
#endif

#define TX_CONTROL              0x04
#define TX_SEQUENCE             (0x60 + TRANSMIT_PARTITION * 4)
#define TBUF_CONTROL            0x1800
#define TBUF_DATA               0x2000
#define CONTROL_SOP             9
#define CONTROL_EOP             8
#define TRANSMIT_CONTEXTS       (8 * TRANSMIT_ENGINES)
#define TRANSMIT_SHIFT          (5 + log2(MPACKET_BYTES))           // of the element number in the indirect word

// transmit_loop(): never returns.
#macro transmit_loop()
.begin
#if (TRANSMIT_PREPEND)
    .reg read $frame_in $where_in $prepend_in $head[8]
    .reg write $lead[8]
    .xfer_order $frame_in $where_in $prepend_in
    .reg prepend ahead
    .sig lead
    .set_rd $prepend_in                         // for the assembler: used where `ahead` says that they are set
    .set_wr $lead[0] $lead[1] $lead[2] $lead[3] $lead[4] $lead[5] $lead[6] $lead[7]
#else
    .reg read $frame_in $where_in
    .xfer_order $frame_in $where_in
#endif
    .reg read $sequence
    .reg write $control0 $control1 $freed
    .xfer_order $control0 $control1
    .sig volatile turn copy_turn
    .sig copied got seen written freed
    .reg address left size offset word element slot ring port temp
    .reg turn_word copy_word copy_base control_base sequence_base
#if (TRANSMIT_ENGINES == 1)
    .reg @reserved @slot
#else
    .reg elements
    .reg read $drawn
    .sig drawn
#endif

    buffers_registers()
    buffers_open()
    order_next(turn_word, turn, TRANSMIT_LANES)
    order_next(copy_word, copy_turn, TRANSMIT_LANES)
#if (TRANSMIT_PREPEND)
    immed[$lead[6], 0]                          // written to TBUF with those of short leads, but never sent
    immed[$lead[7], 0]
#endif
    immed[control_base, TBUF_CONTROL]
    immed[sequence_base, TX_SEQUENCE]
    move(copy_base, ((1 << 25) | (1 << 18) | (1 << 4)))     // override count and TBUF address; TBUF data at 0x2000
#if (TRANSMIT_ENGINES == 1)
    immed[@reserved, 0]
    immed[@slot, TRANSMIT_FIRST_ELEMENT]
#else
    immed[elements, TRANSMIT_ELEMENTS]
#endif
    alu[element, --, ~B, 0]                     // -1: sent before the first
    local_csr_rd[ACTIVE_CTX_STS]
    immed[temp, 0]
    alu[temp, temp, AND, 7]
    alu[port, temp, AND, (TRANSMIT_LANES - 1)]
    alu_shf[ring, --, B, port, <<4]
    local_csr_wr[ACTIVE_LM_ADDR_0, ring]
    alu[ring, port, +, (TRANSMIT_RING + TRANSMIT_FIRST_PORT)]
    alu_shf[ring, --, B, ring, <<2]
    alu[port, port, +, TRANSMIT_FIRST_PORT]
#if (TRANSMIT_PORTS == 3)
    alu[--, port, -, (TRANSMIT_FIRST_PORT + 3)]
    beq[no_port#]
#endif
    alu[--, temp, -, TRANSMIT_LANES]
    bhs[wait#]
#if (TRANSMIT_PARTITIONS > 1)
    // Every transmitting microengine divides TBUF in the same way, before anything is in it.
    br!=ctx[0, divided#]
    immed[address, TX_CONTROL]
    msf[read, $sequence, address, 0, 1], ctx_swap[seen]
    alu[temp, $sequence, AND~, 3]
    alu[$freed, temp, OR, (TRANSMIT_PARTITIONS - 1)]
    msf[write, $freed, address, 0, 1], ctx_swap[written]
divided#:
#endif
    // The first context of a port: its turn comes of itself, and so does its first copy_turn.
    immed[*l$index0[1], 0]
    immed[temp, (&copy_turn << 3)]
    alu[temp, temp, +, port]
    alu[temp, temp, -, TRANSMIT_FIRST_PORT]
    order_leave_to(temp)
    br[my_turn#]

wait#:
    order_enter(turn)
my_turn#:
    // ---- one context of the port after the other ----
    msf[read, $sequence, sequence_base, 0, 1], sig_done[seen]
    alu[left, --, B, *l$index0[1]]
    bne[further#]
    scratch[get, $frame_in, ring, 0, TRANSMIT_MESSAGE_LONGWORDS], sig_done[got]
    ctx_arb[got, seen]
look#:
    alu[address, --, B, $frame_in]
    beq[empty#]
    ld_field_w_clr[left, 0011, $where_in]
    immed[word, (1 << CONTROL_SOP)]
#if (TRANSMIT_PREPEND)
    alu[prepend, $prepend_in, AND, 31]
    alu[ahead, prepend, +, 7]
    alu[ahead, ahead, AND~, 7]
#endif
last_one_sent#:
    // TX_SEQUENCE counts what has left. Elements on their way are numbered from there; there are no more than contexts.
    alu[temp, element, -, $sequence]
    alu[temp, temp, AND, 0xff]
    alu[--, temp, -, TRANSMIT_CONTEXTS]
    blo[not_yet#]
room#:
    alu[offset, address, AND, 7]
#if (MPACKET_BYTES == 256)
    immed[size, MPACKET_BYTES]
    alu[size, size, -, offset]
#else
    alu[size, MPACKET_BYTES, -, offset]
#endif
#if (TRANSMIT_PREPEND)
    alu[size, size, -, ahead]
#endif
    alu[left, left, -, size]
    bgt[more#]
    alu[size, size, +, left]
    immed[temp, (1 << CONTROL_EOP)]
    alu[word, word, OR, temp]
    immed[*l$index0[1], 0]
draw#:
#if (TRANSMIT_ENGINES == 1)
    alu[element, --, B, @reserved]
    alu[@reserved, @reserved, +, 1]
    alu[slot, --, B, @slot]
    alu[temp, slot, +, 1]
    alu[--, temp, -, TRANSMIT_END_ELEMENT]
    beq[around#]
next_slot#:
    alu[@slot, --, B, temp]
#else
    scratch[test_and_incr, $drawn, elements, 0], sig_done[drawn]
#endif
    order_leave_to(turn_word)
    // ---- end of the section ----

    alu_shf[word, word, OR, size, <<24]         // 256 is written as 0
    alu_shf[word, word, OR, offset, <<13]
    alu[word, word, OR, port]
    alu[temp, size, +, offset]
    alu[temp, temp, -, 1]
    alu_shf[temp, --, B, temp, >>3]             // quadwords - 1
    alu[address, address, AND~, 7]
#if (TRANSMIT_PREPEND)
    alu[--, --, B, prepend]
    beq[no_lead#]
    alu_shf[word, word, OR, prepend, <<16]
    alu[prepend, $prepend_in, AND~, 31]
    alu[--, ahead, -, 24]
    bgt[long_lead#]
    sram[read, $head[0], prepend, 0, 6], ctx_swap[lead]
copy_lead#:
    #define_eval LONGWORD 0
    #repeat (6)
    alu[$lead[LONGWORD], --, B, $head[LONGWORD]]
    #define_eval LONGWORD (LONGWORD + 1)
    #endloop
    #undef LONGWORD
no_lead#:
#endif
#if (TRANSMIT_ENGINES == 1)
    ctx_arb[copy_turn]
#else
    ctx_arb[drawn, copy_turn]
    alu[element, --, B, $drawn]
#endif
    // ---- one context of the port after the other: when the copy of the end is done, so are all others of the frame ----
#if (TRANSMIT_ENGINES > 1)
    alu[slot, element, AND, (TRANSMIT_END_ELEMENT - 1)]
#endif
#if (TRANSMIT_PREPEND)
    alu[--, --, B, ahead]
    beq[led#]
    alu_shf[prepend, --, B, slot, <<(log2(MPACKET_BYTES))]
    immed[offset, TBUF_DATA]
    msf[write, $lead[0], offset, prepend, 8], ctx_swap[lead]       // what is too much of it the payload overwrites
led#:
    alu_shf[ahead, --, B, ahead, <<5]
    alu[ahead, ahead, +, copy_base]
#define TRANSMIT_COPY_BASE ahead
#else
#define TRANSMIT_COPY_BASE copy_base
#endif
#if (MPACKET_BYTES == 256)
    // 128 bytes at most in one command.
    .reg second
    .sig copied_first
    alu[--, temp, -, 16]
    blo[one_command#]
    alu[temp, temp, -, 16]
    alu_shf[temp, TRANSMIT_COPY_BASE, OR, temp, <<21]
    alu_shf[temp, temp, OR, slot, <<TRANSMIT_SHIFT]
    immed[size, (1 << 12)]
    alu[second, address, +, 128]
    alu[--, temp, +, size]
    dram[tbuf_wr, --, second, 0, max_8], indirect_ref, sig_done[copied_first]
    immed[temp, (15 << 5), <<16]
    alu[temp, temp, OR, TRANSMIT_COPY_BASE]
    alu_shf[--, temp, OR, slot, <<TRANSMIT_SHIFT]
    dram[tbuf_wr, --, address, 0, max_8], indirect_ref, sig_done[copied]
    order_leave_to(copy_word)
    ctx_arb[copied, copied_first], br[copied#]
one_command#:
#endif
    alu_shf[temp, TRANSMIT_COPY_BASE, OR, temp, <<21]
    alu_shf[--, temp, OR, slot, <<TRANSMIT_SHIFT]
    dram[tbuf_wr, --, address, 0, max_8], indirect_ref, sig_done[copied]
    order_leave_to(copy_word)
    // ---- end of the section ----
    ctx_arb[copied]
copied#:
#undef TRANSMIT_COPY_BASE
    alu[$control0, --, B, word]
    immed[$control1, 0]
    alu_shf[slot, --, B, slot, <<3]
    msf[write, $control0, control_base, slot, 2], sig_done[written]     // the second longword validates the element
    br_bclr[word, CONTROL_EOP, not_last#]
    buffers_release($freed, address, freed)
    ctx_arb[turn, written, freed], br[my_turn#]
not_last#:
    ctx_arb[turn, written], br[my_turn#]

empty#:                                         // one after the other: half as many commands as the units could take
    msf[read, $sequence, sequence_base, 0, 1], ctx_swap[seen]
    scratch[get, $frame_in, ring, 0, TRANSMIT_MESSAGE_LONGWORDS], sig_done[got]
    ctx_arb[got], br[look#]

#if (TRANSMIT_PREPEND)
long_lead#:
    sram[read, $head[0], prepend, 0, 8], ctx_swap[lead]
    br[copy_lead#], defer[2]
    alu[$lead[6], --, B, $head[6]]
    alu[$lead[7], --, B, $head[7]]
#endif

further#:
    alu[address, --, B, *l$index0[0]]
    immed[word, 0]
#if (TRANSMIT_PREPEND)
    immed[prepend, 0]
    immed[ahead, 0]
#endif
    ctx_arb[seen], br[last_one_sent#]

more#:
    alu[*l$index0[1], --, B, left]
    br[draw#], defer[1]
    alu[*l$index0[0], address, +, size]

#if (TRANSMIT_ENGINES == 1)
around#:
    br[next_slot#], defer[1]
    immed[temp, TRANSMIT_FIRST_ELEMENT]
#endif

not_yet#:
    br_bset[$sequence, 31, room#]               // nothing is on its way: the element was an older one
    msf[read, $sequence, sequence_base, 0, 1], ctx_swap[seen]
    br[last_one_sent#]

#if (TRANSMIT_PORTS == 3)
no_port#:
    ctx_arb[kill]
#endif
.end
#endm

#endif
