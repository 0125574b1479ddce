// tcp_options: the options of a TCP header that tracking wants to know: window scale, selective acknowledgement.
//
// Purpose    Walk through the options, whatever lengths they say they have.
// Inputs     the options in local memory, as they stand in the header
// Outputs    see the macro
// Registers  3 to 6 temporaries; local memory pointer 1
// Budget     9 instructions a byte that is looked at, about 20 an option
// Limits     at most 40 bytes
#ifndef WEFT_TCP_OPTIONS_UC
#define WEFT_TCP_OPTIONS_UC

// tcp_options(out_options, io_left, in_place): the options of a header, which stand in local memory from byte in_place on, most significant
// byte of a longword first; io_left: how many bytes. out_options: bit 0 a window scale is offered, 4:1 which (at most 14), bit 5 selective
// acknowledgement is permitted. io_edge: the furthest right edge of a block, when one is further than what it held before.
#macro tcp_options(out_options, io_edge, io_left, in_place)
.begin
    .reg at_option kind length
    immed[out_options, 0]
    alu[at_option, --, B, in_place]
option#:
    alu[--, io_left, -, 1]
    blt[over#]
    tcp_byte(kind, at_option)
    alu[--, --, B, kind]
    beq[over#]                                  // end of the list
    alu[--, kind, -, 1]
    bne[has_length#], defer[1]
    immed[length, 1]
    br[behind#]
has_length#:
    alu[--, io_left, -, 2]
    blt[over#]
    alu[length, at_option, +, 1]
    tcp_byte(length, length)
    alu[--, length, -, 2]
    blt[over#]
    alu[--, io_left, -, length]
    blt[over#]
    alu[--, kind, -, 5]
    beq[blocks#]
    alu[--, kind, -, 4]
    beq[permitted#]
    alu[--, kind, -, 3]
    bne[behind#]
    alu[--, length, -, 3]
    bne[behind#]
    alu[kind, at_option, +, 2]
    tcp_byte(kind, kind)
    alu[--, kind, -, 15]
    blo[scale_right#]
    immed[kind, 14]
scale_right#:
    alu_shf[out_options, out_options, OR, kind, <<1]
    br[behind#], defer[1]
    alu[out_options, out_options, OR, 1]
permitted#:
    alu[out_options, out_options, OR, 0x20]
    br[behind#]
blocks#:
    .begin
    .reg right_edge at count
    alu[at, at_option, +, 6]                        // the right edge of the first block
    alu[count, length, -, 2]
block#:
    alu[count, count, -, 8]
    bmi[blocks_done#]
    tcp_byte(right_edge, at)
    tcp_next_byte(right_edge, at)
    tcp_next_byte(right_edge, at)
    tcp_next_byte(right_edge, at)
    alu[at, at, +, 5]
    alu[--, right_edge, -, io_edge]
    bmi[block#]
    br[block#], defer[1]
    alu[io_edge, --, B, right_edge]
blocks_done#:
    .end
behind#:
    alu[at_option, at_option, +, length]
    br[option#], defer[1]
    alu[io_left, io_left, -, length]
over#:
.end
#endm

// tcp_byte(out_byte, in_place): the byte of local memory at in_place.
#macro tcp_byte(out_byte, in_place)
.begin
    .reg shift
    local_csr_wr[ACTIVE_LM_ADDR_1, in_place]
    alu[shift, in_place, AND, 3]
    alu_shf[shift, --, B, shift, <<3]
    alu[shift, 24, -, shift]
    alu[shift, shift, OR, 0]
    alu_shf[out_byte, --, B, *l$index1[0], >>indirect]
    alu[out_byte, out_byte, AND, 0xff]
.end
#endm
#macro tcp_next_byte(io_word, io_place)
.begin
    .reg byte
    alu[io_place, io_place, +, 1]
    tcp_byte(byte, io_place)
    alu_shf[io_word, byte, OR, io_word, <<8]
.end
#endm

#endif
