// port: how a context of another engine gets a port for translation, and gives it back.
//
// Purpose    Keep the wanted port when nobody has it, else ask the resource engine (resource.uc) for one.
// Inputs     in_class: TCP, UDP or ICMP (identifiers); io_port. Import constant i$fw_ports
// Outputs    io_port: a port whose bit is ours
// Registers  3 temporaries
// Signals    in_pair: doubled; in_answered: volatile, raised by the resource engine; in_signal
// Memory     SRAM: bitmaps; scratch: the ring of the class, a longword of PORT_ANSWERS
// Budget     a free wanted port 15 instructions and a swap
// Limits     in_place (a constant): which longword of PORT_ANSWERS: 8 times the number of the engine; the context is added.
#ifndef WEFT_RESOURCE_PORT_UC
#define WEFT_RESOURCE_PORT_UC

#include "common/std.uc"
#include "firewall/layout.uc"

.import_var i$fw_ports

// resource_bit(out_place, out_bit, in_port, in_class): where a port's bit stands.
#macro resource_bit(out_place, out_bit, in_port, in_class)
.begin
    .reg part
    move_import(out_place, i$fw_ports)
    alu_shf[part, --, B, in_class, <<13]
    alu[out_place, out_place, +, part]
    alu_shf[part, --, B, in_port, >>5]
    alu_shf[part, --, B, part, <<2]
    alu[out_place, out_place, +, part]
    immed[out_bit, 1]
    alu[--, in_port, OR, 0]
    alu_shf[out_bit, --, B, out_bit, <<indirect]
.end
#endm

// port_claim(io_port, in_class, io_word, in_place, in_pair, in_answered, in_signal, TO_NONE): io_word: a $ register.
#macro port_claim(io_port, in_class, io_word, in_place, in_pair, in_answered, in_signal, TO_NONE)
.begin
    .reg bit_place bit
    alu[--, --, B, io_port]
    beq[ask#]                                   // 0 is never one
    resource_bit(bit_place, bit, io_port, in_class)
    alu[io_word, --, B, bit]
    sram[test_and_set, io_word, bit_place, 0], sig_done[in_pair]
    ctx_arb[in_pair]
    alu[--, bit, AND, io_word]
    beq[claimed#]
ask#:
    // Who asks, and where the answer goes. Engines 0 to 3 have numbers 0 to 3, engines 4 to 7 10 to 13 hex.
    local_csr_rd[ACTIVE_CTX_STS]
    immed[bit, 0]
    alu[io_port, bit, AND, 7]
    alu_shf[bit_place, 3, AND, bit, >>3]
    alu_shf[bit, 1, AND, bit, >>7]
    alu_shf[bit, bit_place, OR, bit, <<2]
    alu_shf[bit, --, B, bit, <<7]
    alu_shf[bit, bit, OR, io_port, <<4]
    immed[bit_place, (0x8000 | (PORT_ANSWERS + in_place * 4)), <<16]
    alu[bit, bit, OR, bit_place]
    alu_shf[io_port, --, B, io_port, <<2]
    alu_shf[bit, bit, OR, io_port, <<16]
    immed[bit_place, &in_answered]
    alu[io_word, bit, OR, bit_place]
    immed[bit_place, (PORT_ANSWERS + in_place * 4)]
    alu[io_port, io_port, +, bit_place]
    alu[bit_place, in_class, +, (UDP_PORT_RING - CLASS_UDP)]
    alu[--, --, B, in_class]
    bne[ring#]
    immed[bit_place, TCP_PORT_RING]
ring#:
    alu_shf[bit_place, --, B, bit_place, <<2]
    scratch[put, io_word, bit_place, 0, 1], ctx_swap[in_signal]
    ctx_arb[in_answered]
    scratch[read, io_word, io_port, 0, 1], ctx_swap[in_signal]
    alu[io_port, --, B, io_word]
    beq[TO_NONE]
claimed#:
.end
#endm

// port_release(in_port, in_class, io_word, in_signal)
#macro port_release(in_port, in_class, io_word, in_signal)
.begin
    .reg bit_place bit
    resource_bit(bit_place, bit, in_port, in_class)
    alu[io_word, --, B, bit]
    sram[clr, io_word, bit_place, 0], ctx_swap[in_signal]
.end
#endm

#endif
