// transmit: frames from DRAM buffers to TBUF, in the order in which they are taken from the rings.
//
// Purpose    The contexts of one microengine take turns. In its turn a context takes one message from the transmit
//            rings, which are asked in a circle, and reserves as many TBUF elements as the frame needs. The MSF sends
//            elements in order of their numbers, so order is fixed by the reservation, and the copying and validating
//            of different frames may overlap freely.
// Inputs     transmit rings 5 to 4 + PORTS: {frame address, - | bytes}; i$buffer_bytes
// Outputs    frames on channel = ring - 5; the buffer goes back to the free list
// Registers  14 GPRs and 3 absolute ones, 3 $ in, 3 $ out per context
// Signals    3, and one doubled
// Memory     none
// Budget     about 65 instructions for a frame of one mpacket, 25 for each further one
// Limits     64-byte mpackets; frame addresses on multiples of 8; at most ELEMENTS_IN_FLIGHT of the 128 TBUF elements in use
#ifndef WEFT_TRANSMIT_UC
#define WEFT_TRANSMIT_UC

#include "common/std.uc"
#include "common/layout.uc"
#include "deliver/deliver.uc"

#define TX_SEQUENCE_0           0x60
#define ELEMENTS_IN_FLIGHT      120
#define CONTROL_SOP_LOG2        9
#define CONTROL_EOP             (1 << 8)
#define FIRST_TRANSMIT_ADDRESS  (TRANSMIT_RING * 4)
#define LAST_TRANSMIT_ADDRESS   ((TRANSMIT_RING + PORTS - 1) * 4)

// transmit_loop(): never returns.
#macro transmit_loop()
.begin
    .reg $buffer_in $where_in $sequence
    .xfer_order $buffer_in $where_in
    .reg $control0 $control1
    .xfer_order $control0 $control1
    .sig volatile turn
    .sig copied ring_sig msf_sig
    .reg @ring @reserved @sent
    .reg buffer left ring port elements element offset size start copy_base control_base msf_base free_list within temp word

    immed[free_list, (FREE_RING * 4)]
    move_import(within, i$buffer_bytes)
    alu[within, within, -, 1]
    immed[msf_base, TX_SEQUENCE_0]
    immed[control_base, 0x1800]
    move(copy_base, ((1 << 25) | (1 << 18) | (1 << 4)))     // override count and TBUF address; TBUF data at 0x2000
    br!=ctx[0, next_frame#]
    immed[@ring, LAST_TRANSMIT_ADDRESS]
    immed[@reserved, 0]
    immed[@sent, 0]
    br[my_turn#]

next_frame#:
    ctx_arb[turn]
my_turn#:
    // ---- one context after the other ----
next_ring#:
    alu[ring, @ring, +, 4]
    alu[--, ring, -, LAST_TRANSMIT_ADDRESS]
    ble[in_circle#]
    immed[ring, FIRST_TRANSMIT_ADDRESS]
in_circle#:
    alu[@ring, --, B, ring]
    scratch[get, $buffer_in, ring, 0, MESSAGE_LONGWORDS], ctx_swap[ring_sig]
    alu[buffer, --, B, $buffer_in]
    beq[next_ring#]                             // this ring is empty

    ld_field_w_clr[left, 0011, $where_in]
    alu_shf[port, --, B, ring, >>2]
    alu[port, port, -, TRANSMIT_RING]
    alu[elements, left, +, 63]
    alu_shf[elements, --, B, elements, >>6]
room#:
    alu[temp, elements, +, @reserved]
    alu[temp, temp, -, @sent]
    alu[temp, temp, AND, 0xff]
    alu[--, temp, -, ELEMENTS_IN_FLIGHT]
    ble[reserve#]
    msf[read, $sequence, msf_base, 0, 1], ctx_swap[msf_sig]
    alu[@sent, $sequence, AND, 0xff]
    br[room#]
reserve#:
    alu[element, @reserved, AND, 0x7f]
    alu[@reserved, elements, +, @reserved]
    signal_next(turn)
    // ---- end of the section ----

    immed[offset, 0]
    immed[start, 1]
next_mpacket#:
    alu[size, --, B, left]
    alu[--, left, -, 64]
    ble[short#]
    immed[size, 64]
short#:
    alu[temp, size, -, 1]
    alu_shf[temp, --, B, temp, >>3]             // quadwords - 1
    alu_shf[temp, copy_base, OR, temp, <<21]
    alu_shf[--, temp, OR, element, <<11]
    dram[tbuf_wr, --, buffer, offset, max_8], indirect_ref, sig_done[copied]
    alu_shf[word, port, OR, size, <<24]
    alu_shf[word, word, OR, start, <<CONTROL_SOP_LOG2]
    immed[start, 0]
    immed[temp, CONTROL_EOP]
    alu[left, left, -, size]
    bne[not_last#]
    alu[word, word, OR, temp]
not_last#:
    alu[$control0, --, B, word]
    immed[$control1, 0]
    alu_shf[temp, --, B, element, <<3]
    ctx_arb[copied]
    msf[write, $control0, control_base, temp, 2], ctx_swap[msf_sig]     // the second longword validates the element
    alu[element, element, +, 1]
    alu[element, element, AND, 0x7f]
    alu[offset, offset, +, 64]
    alu[--, --, B, left]
    bne[next_mpacket#]

    buffer_free(buffer, within, free_list, ring_sig)
    br[next_frame#]
.end
#endm

#endif
