// Passes every mpacket on, from port c to link 4 + c and from link 4 + c to port c. Both chips run it, so frames that enter
// a port of one chip leave by the port of the same channel at the other one. One context does all, in order.
#define RX_THREAD_FREELIST_0  0x30
#define RBUF_ELEMENT_DONE     0x44
#define TX_SEQUENCE_0         0x60
#define TBUF_CONTROL          0x1800
#define ELEMENTS              64        // of 128 bytes
#define IN_FLIGHT             56        // at most so many of them are under way
#define LINK                  4         // channels 4 to 7 are the links of ports 0 to 3

.block pass
.reg volatile read $status0 $status1    // written by the MSF
.xfer_order $status0 $status1
.reg $sequence $control0 $control1
.xfer_order $control0 $control1
.sig volatile mpacket
.sig copied msf_sig
.set_rd $status0 $status1
.reg claim done status bytes in out reserved sent word temp copy_base buffer control_base sequence_base count

    br=ctx[0, only_one#]
    ctx_arb[kill]
only_one#:
    immed[claim, (&$status0 | (&mpacket << 12)), <<16]      // context 0 of microengine 0
    alu[claim, claim, OR, RX_THREAD_FREELIST_0]
    immed[copy_base, 0x10]                                  // override RBUF and TBUF address
    immed_w1[copy_base, 0x0204]                             // and count
    immed[control_base, TBUF_CONTROL]
    immed[sequence_base, TX_SEQUENCE_0]
    immed[buffer, 0]
    immed[out, 0]
    immed[reserved, 0]
    immed[sent, 0]

next#:
    msf[fast_wr, --, claim, 0]
    ctx_arb[mpacket]
    .use_rd $status1
    alu[status, --, B, $status0]
    ld_field_w_clr[bytes, 0001, status, >>16]
    alu_shf[in, 0x7f, AND, status, >>24]

room#:
    alu[temp, reserved, -, sent]
    alu[temp, temp, AND, 0xff]
    alu[--, temp, -, IN_FLIGHT]
    blt[copy#]
    msf[read, $sequence, sequence_base, 0, 1], ctx_swap[msf_sig]
    alu[sent, $sequence, AND, 0xff]
    br[room#]

copy#:
    alu[temp, bytes, -, 1]
    alu_shf[temp, --, B, temp, >>3]                         // quadwords - 1
    alu_shf[word, copy_base, OR, temp, <<21]
    alu_shf[--, word, OR, in, <<12]
    dram[rbuf_rd, --, buffer, 0, max_8], indirect_ref, sig_done[copied]
    ctx_arb[copied]
    alu_shf[done, RBUF_ELEMENT_DONE, OR, in, <<16]
    msf[fast_wr, --, done, 0]
    alu_shf[--, word, OR, out, <<12]
    dram[tbuf_wr, --, buffer, 0, max_8], indirect_ref, sig_done[copied]
    ctx_arb[copied]

#if (DELAY > 0)
    immed[count, DELAY]                                     // as a program that has more to do
more#:
    alu[count, count, -, 1]
    bne[more#]
#endif

    alu[temp, status, AND, 7]
    alu[word, temp, XOR, LINK]                              // the other side of the chip
    alu_shf[word, word, OR, bytes, <<24]
    alu_shf[temp, 3, AND, status, >>14]                     // SOP in bit 1, EOP in bit 0
    alu_shf[word, word, OR, temp, <<8]
    alu[$control0, --, B, word]
    immed[$control1, 0]
    alu_shf[temp, --, B, out, <<3]
    msf[write, $control0, control_base, temp, 2], ctx_swap[msf_sig]     // the second longword validates the element
    alu[reserved, reserved, +, 1]
    alu[out, out, +, 1]
    alu[out, out, AND, (ELEMENTS - 1)]
    br[next#]
    nop
