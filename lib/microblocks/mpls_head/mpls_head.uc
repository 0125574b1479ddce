// mpls_head: the start of the frame that leaves goes to SRAM, and from there by the transmitter's prepend before the rest,
// which stays in DRAM as it came. No byte of a header is written to DRAM.
//
// Purpose    Link header, labels, and as much of the packet as has changed: put together longword by longword in write
//            registers (T_INDEX counts them), then written to the prepend area of the buffer.
// Inputs     a next hop (common/layout.uc); stack entries; i$mpls_prepend, i$mpls_prepend_shift: where the areas are
// Outputs    the message for the transmit ring: {where the rest begins, port << 16 | its bytes, area | bytes of the head}
// Registers  mpls_head_registers declares 3 that stay and 1 for the time of a head, and 8 $ out; 3 temporaries
// Signals    in_signal
// Memory     SRAM, one write of as many longwords as the head has
// Budget     mpls_mtu 5 instructions, mpls_head_open 2, mpls_head_link 4 (with a tag 6), a label 2, mpls_head_packet 2,
//            mpls_head_send 16 or 18
// Limits     1 to 8 longwords. A prepend has at most 31 bytes: a head of 8 longwords sends 30 bytes, and the rest begins 2 bytes
//            earlier. T_INDEX is one for all contexts: none may swap from mpls_head_open to mpls_head_send.
//
//     longword     0     1     2    (3)      3 (4) ...
//     untagged   MAC   MAC   MAC          type label  label label ... label packet  packet ...
//     tagged     MAC   MAC   MAC   tag    type label  ...
//
// A label begins in the middle of a longword, as does an IP packet after an untagged link header, so the packet's longwords
// are those of the received frame, and only their number in the frame changes.
#ifndef WEFT_MPLS_HEAD_UC
#define WEFT_MPLS_HEAD_UC

#include "common/std.uc"
#include "mpls/layout.uc"
#include "ethernet/ethernet.uc"

// mpls_head_registers(): every context, once. Declares mpls_head (T_INDEX of its first register) and what goes
// before the next longword (mpls_before, its lower half).
#macro mpls_head_registers()
    .reg write $head[MPLS_HEAD_LONGWORDS]
    .reg mpls_head mpls_before mpls_prepend mpls_prepend_shift
    .import_var i$mpls_prepend i$mpls_prepend_shift
    .set_wr $head[0] $head[1] $head[2] $head[3] $head[4] $head[5] $head[6] $head[7]     // written through T_INDEX
#endm

// mpls_head_configure(): every context, once.
#macro mpls_head_configure()
    local_csr_rd[ACTIVE_CTX_STS]
    immed[mpls_head, 0]
    alu[mpls_head, mpls_head, AND, 7]
    alu_shf[mpls_head, --, B, mpls_head, <<6]           // 16 registers of 4 a context
    alu[mpls_head, mpls_head, +, (&$head[0] << 2)]
    move_import(mpls_prepend, i$mpls_prepend)
    immed[mpls_prepend_shift, i$mpls_prepend_shift]
#endm

// mpls_mtu(in_hop0, in_bytes, in_labels, TO_TOO_BIG): to TO_TOO_BIG when what is behind the link header and so many labels more
// are longer than the MTU of the next hop.
#macro mpls_mtu(in_hop0, in_bytes, in_labels, TO_TOO_BIG)
.begin
    .reg size
    alu_shf[size, --, B, in_labels, <<2]
    alu[size, size, +, in_bytes]
    ethernet_mtu(in_hop0, size, TO_TOO_BIG)
.end
#endm

// mpls_head_open(): begins a head. Three cycles later longwords can be written: mpls_head_link must not be among the next two
// instructions.
#macro mpls_head_open()
    local_csr_wr[T_INDEX, mpls_head]
    immed[mpls_before, MPLS_TYPE]
#endm

// mpls_head_link(io_longwords, in_hop): MAC addresses and tag of the next hop; counts the tag.
#macro mpls_head_link(io_longwords, in_hop)
    alu[*$index++, --, B, in_hop[1]]
    alu[*$index++, --, B, in_hop[2]]
    alu[*$index++, --, B, in_hop[3]]
    br_bclr[in_hop[0], NEXT_HOP_TAGGED, untagged#]
    alu[*$index++, --, B, in_hop[4]]
    alu[io_longwords, io_longwords, +, 1]
untagged#:
#endm

// mpls_head_label(in_label): the next entry of the stack, from the top down.
#macro mpls_head_label(in_label)
    dbl_shf[*$index++, mpls_before, in_label, >>16]
    alu[mpls_before, --, B, in_label]
#endm

// mpls_head_packet(in_word): the last label's lower half and that of in_word, with which the packet begins.
#macro mpls_head_packet(in_word)
.begin
    .reg half
    alu_shf[half, --, B, in_word, <<16]
    dbl_shf[*$index++, mpls_before, half, >>16]
.end
#endm

// mpls_head_send(out_message, in_longwords, in_frame, in_bytes, in_port, SENT, in_signal): writes the head and makes the
// message. SENT: how many bytes of the received frame the head replaces, from its begin; in_bytes: length of that frame.
// Raises in_signal when the head is in memory.
#macro mpls_head_send(out_message, in_longwords, in_frame, in_bytes, in_port, SENT, in_signal)
.begin
    .reg length rest area
    alu[rest, in_longwords, -, 1]
    immed[length, (1 << 9), <<16]                           // the count comes from the word before the command
    alu[--, mpls_prepend_shift, OR, 0]
    alu_shf[area, --, B, in_frame, >>indirect]
    alu[area, area, AND~, (MPLS_PREPEND_BYTES - 1)]
    alu[area, area, +, mpls_prepend]
    alu_shf[--, length, OR, rest, <<21]
    sram[write, $head[0], area, 0, max_8], indirect_ref, sig_done[in_signal]
    alu_shf[length, --, B, in_longwords, <<2]
    alu[rest, in_frame, +, SENT]
    br_bclr[in_longwords, 3, whole#]
    alu[length, length, -, 2]
    alu[rest, rest, -, 2]
whole#:
    alu[out_message[0], --, B, rest]
    alu[out_message[2], area, OR, length]
    alu[rest, in_frame, -, rest]
    alu[rest, rest, +, in_bytes]
    alu_shf[out_message[1], rest, OR, in_port, <<16]
.end
#endm

#endif
