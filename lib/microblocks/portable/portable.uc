// portable: what blocks need of a microengine, in one form for IXP1200 (me1) and IXP2400/2800 (me2).
//
// Purpose    A block that keeps to these macros, to registers and to instructions of both profiles assembles for both.
// Inputs     see each macro; SIGNAL is the name of a signal on me2 (portable_signal declares it). On me1 every unit has
//            its own event, and the name is not looked at.
// Registers  temporaries as said at each macro
// Budget     README.md; on me2 each macro is what one would write by hand
// Limits     Addresses count bytes on me2, longwords (SRAM, scratch) and quadwords (SDRAM) on me1: in_base and in_index of
//            one macro are in the unit of the chip. LONGWORDS(n), QUADWORDS(n) and the table_ macros make such numbers.
#ifndef WEFT_PORTABLE_UC
#define WEFT_PORTABLE_UC

#include "common/std.uc"

#if (IS_IXPTYPE(__IXP1200))
#define PORTABLE_ME1 1
#define LONGWORD_LOG2 0
#define QUADWORD_LOG2 0
#else
#define PORTABLE_ME1 0
#define LONGWORD_LOG2 2
#define QUADWORD_LOG2 3
#endif
// A number of longwords or quadwords as a part of an address.
#define LONGWORDS(n) ((n) << LONGWORD_LOG2)
#define QUADWORDS(n) ((n) << QUADWORD_LOG2)

// ---- signals

// portable_signal(NAME): a signal for the macros below.
#macro portable_signal(NAME)
#if (!PORTABLE_ME1)
    .sig NAME
#endif
#endm

// table_wait(SIGNAL), buffer_wait(SIGNAL), scratch_wait(SIGNAL): sleeps until what a _start macro began is done.
// On me1: until the last one of its unit is, so begin one at a time with each unit.
#macro table_wait(SIGNAL)
#if (PORTABLE_ME1)
    ctx_arb[sram]
#else
    ctx_arb[SIGNAL]
#endif
#endm
#macro buffer_wait(SIGNAL)
#if (PORTABLE_ME1)
    ctx_arb[sdram]
#else
    ctx_arb[SIGNAL]
#endif
#endm
#macro scratch_wait(SIGNAL)
#if (PORTABLE_ME1)
    ctx_arb[fbi]
#else
    ctx_arb[SIGNAL]
#endif
#endm
// table_and_buffer_wait(TABLE_SIGNAL, BUFFER_SIGNAL): for both.
#macro table_and_buffer_wait(TABLE_SIGNAL, BUFFER_SIGNAL)
#if (PORTABLE_ME1)
    ctx_arb[sram, sdram]
#else
    ctx_arb[TABLE_SIGNAL, BUFFER_SIGNAL]
#endif
#endm

// ---- tables: longwords of SRAM, COUNT 1 to 8, $ registers in a row

// table_read(out_xfer, in_base, in_index, COUNT, SIGNAL)
#macro table_read(out_xfer, in_base, in_index, COUNT, SIGNAL)
#if (PORTABLE_ME1)
    sram[read, out_xfer, in_base, in_index, COUNT], ctx_swap
#else
    sram[read, out_xfer, in_base, in_index, COUNT], ctx_swap[SIGNAL]
#endif
#endm
// table_read_start(out_xfer, in_base, in_index, COUNT, SIGNAL): goes on; table_wait ends it.
#macro table_read_start(out_xfer, in_base, in_index, COUNT, SIGNAL)
#if (PORTABLE_ME1)
    sram[read, out_xfer, in_base, in_index, COUNT], sig_done
#else
    sram[read, out_xfer, in_base, in_index, COUNT], sig_done[SIGNAL]
#endif
#endm
// table_write(in_xfer, in_base, in_index, COUNT, SIGNAL)
#macro table_write(in_xfer, in_base, in_index, COUNT, SIGNAL)
#if (PORTABLE_ME1)
    sram[write, in_xfer, in_base, in_index, COUNT], ctx_swap
#else
    sram[write, in_xfer, in_base, in_index, COUNT], ctx_swap[SIGNAL]
#endif
#endm

// table_index_high(out_index, in_value): bits 31:16 count longwords. On me2 the two low bits are left over: SRAM
// ignores them.
#macro table_index_high(out_index, in_value)
    alu_shf[out_index, --, B, in_value, >>(16 - LONGWORD_LOG2)]
#endm
// table_index_byte(out_index, in_value, BYTE): byte 0 (bits 7:0) to 3 counts longwords. out and in are two registers.
#macro table_index_byte(out_index, in_value, BYTE)
#if (BYTE == 0)
    ld_field_w_clr[out_index, 0001, in_value]
#else
    ld_field_w_clr[out_index, 0001, in_value, >>(8 * BYTE)]
#endif
#if (!PORTABLE_ME1)
    alu_shf[out_index, --, B, out_index, <<2]
#endif
#endm
// table_pointer(out_address, in_entry): an address that stands in a table. There it is a byte address, on every chip;
// its two low bits may be flags.
#macro table_pointer(out_address, in_entry)
#if (PORTABLE_ME1)
    alu_shf[out_address, --, B, in_entry, >>2]
#else
    alu[out_address, --, B, in_entry]
#endif
#endm

// ---- buffers: quadwords of DRAM, COUNT 1 to 4, $$ registers in a row (two a quadword)

// buffer_read(out_xfer, in_address, in_offset, COUNT, SIGNAL), and buffer_read_start, which buffer_wait ends
#macro buffer_read(out_xfer, in_address, in_offset, COUNT, SIGNAL)
#if (PORTABLE_ME1)
    sdram[read, out_xfer, in_address, in_offset, COUNT], ctx_swap
#else
    buffer_read_start(out_xfer, in_address, in_offset, COUNT, SIGNAL)
    ctx_arb[SIGNAL]
#endif
#endm
#macro buffer_read_start(out_xfer, in_address, in_offset, COUNT, SIGNAL)
#if (PORTABLE_ME1)
    sdram[read, out_xfer, in_address, in_offset, COUNT], sig_done
#else
    dram[read, out_xfer, in_address, in_offset, COUNT], sig_done[SIGNAL]
#endif
#endm
// buffer_write(in_xfer, in_address, in_offset, COUNT, SIGNAL), and buffer_write_start
#macro buffer_write(in_xfer, in_address, in_offset, COUNT, SIGNAL)
#if (PORTABLE_ME1)
    sdram[write, in_xfer, in_address, in_offset, COUNT], ctx_swap
#else
    buffer_write_start(in_xfer, in_address, in_offset, COUNT, SIGNAL)
    ctx_arb[SIGNAL]
#endif
#endm
#macro buffer_write_start(in_xfer, in_address, in_offset, COUNT, SIGNAL)
#if (PORTABLE_ME1)
    sdram[write, in_xfer, in_address, in_offset, COUNT], sig_done
#else
    dram[write, in_xfer, in_address, in_offset, COUNT], sig_done[SIGNAL]
#endif
#endm

// ---- scratch

// scratch_read(out_xfer, in_base, in_index, COUNT, SIGNAL)
#macro scratch_read(out_xfer, in_base, in_index, COUNT, SIGNAL)
#if (PORTABLE_ME1)
    scratch[read, out_xfer, in_base, in_index, COUNT], ctx_swap
#else
    scratch[read, out_xfer, in_base, in_index, COUNT], ctx_swap[SIGNAL]
#endif
#endm
// scratch_read_start(out_xfer, in_base, in_index, COUNT, SIGNAL): goes on; scratch_wait ends it.
#macro scratch_read_start(out_xfer, in_base, in_index, COUNT, SIGNAL)
#if (PORTABLE_ME1)
    scratch[read, out_xfer, in_base, in_index, COUNT], sig_done
#else
    scratch[read, out_xfer, in_base, in_index, COUNT], sig_done[SIGNAL]
#endif
#endm
// count_up(in_base, in_index): one more in a longword of scratch. Nobody waits for it.
#macro count_up(in_base, in_index)
    scratch[incr, --, in_base, in_index]
#endm

// ---- hash

// hash48(io_xfer, SIGNAL): a 48-bit number in two $ registers, bits 31:0 in io_xfer and 47:32 in the next. The write
// registers hold the number, the read registers get its hash. The multiplier of the unit is 0 until somebody sets it.
#macro hash48(io_xfer, SIGNAL)
#if (PORTABLE_ME1)
    hash1_48[io_xfer], ctx_swap
#else
    hash_48[io_xfer, 1], ctx_swap[SIGNAL]
#endif
#endm

// ---- bits and fields

// shift_left(out, in, BITS), shift_right(out, in, BITS): any BITS from 1 to 31; alu_shf of me1 has only some of them.
#macro shift_left(out, in, BITS)
#if (PORTABLE_ME1)
    dbl_shf[out, in, 0, >>(32 - BITS)]
#else
    alu_shf[out, --, B, in, <<BITS]
#endif
#endm
#macro shift_right(out, in, BITS)
#if (PORTABLE_ME1)
    dbl_shf[out, 0, in, >>BITS]
#else
    alu_shf[out, --, B, in, >>BITS]
#endif
#endm

// first_set_bit(out, in, TO_NONE): the number of the lowest set bit; to TO_NONE when there is none. in is a register.
#macro first_set_bit(out, in, TO_NONE)
#if (PORTABLE_ME1)
    find_bset[in]
    find_bset[in, >>16]
    nop                                         // a result can be loaded from the second word on
    load_bset_result2[out]
    br_bclr[out, 4, found#]
    load_bset_result1[out]
    br_bset[out, 4, TO_NONE]
    alu[out, out, +, 16]
found#:
#else
    ffs[out, in]
    beq[TO_NONE]
#endif
#endm

// field_extract(out, in, LOW, WIDTH): out = bits LOW + WIDTH - 1 to LOW of in. out and in are two registers.
#macro field_extract(out, in, LOW, WIDTH)
#if ((LOW + WIDTH) == 32)
    shift_right(out, in, LOW)
#elif (LOW == 0 && WIDTH == 16)
    ld_field_w_clr[out, 0011, in]
#elif (LOW == 8 && WIDTH == 16)
    ld_field_w_clr[out, 0011, in, >>8]
#elif (LOW == 0 && WIDTH == 8)
    ld_field_w_clr[out, 0001, in]
#elif (WIDTH == 8 && (LOW & 7) == 0)
    ld_field_w_clr[out, 0001, in, >>LOW]
#elif (LOW == 0 && WIDTH < 8)
    alu[out, in, AND, ((1 << WIDTH) - 1)]
#elif (WIDTH < 8)
#if (PORTABLE_ME1 && !(LOW <= 8 || LOW == 12 || LOW == 16 || LOW == 20 || LOW == 24 || LOW == 28))
    dbl_shf[out, 0, in, >>LOW]
    alu[out, out, AND, ((1 << WIDTH) - 1)]
#else
    alu_shf[out, ((1 << WIDTH) - 1), AND, in, >>LOW]
#endif
#else
    shift_left(out, in, (32 - LOW - WIDTH))
    shift_right(out, out, (32 - WIDTH))
#endif
#endm

// field_insert(io, in, LOW, WIDTH): bits LOW + WIDTH - 1 to LOW of io become the low bits of in; what in has above them
// is not looked at. Whole bytes take one instruction, other fields five or six and two temporaries.
#macro field_insert(io, in, LOW, WIDTH)
#if (LOW == 0 && WIDTH == 8)
    ld_field[io, 0001, in]
#elif (LOW == 8 && WIDTH == 8)
    ld_field[io, 0010, in, <<8]
#elif (LOW == 16 && WIDTH == 8)
    ld_field[io, 0100, in, <<16]
#elif (LOW == 24 && WIDTH == 8)
    ld_field[io, 1000, in, <<24]
#elif (LOW == 0 && WIDTH == 16)
    ld_field[io, 0011, in]
#elif (LOW == 8 && WIDTH == 16)
    ld_field[io, 0110, in, <<8]
#elif (LOW == 16 && WIDTH == 16)
    ld_field[io, 1100, in, <<16]
#else
.begin
    .reg mask part
    move(mask, (((1 << WIDTH) - 1) << LOW))
#if (LOW == 0)
    alu[part, --, B, in]
#else
    shift_left(part, in, LOW)
#endif
    alu[part, part, AND, mask]
    alu[io, io, AND~, mask]
    alu[io, io, OR, part]
.end
#endif
#endm

// multiply_by(out, in, FACTOR): a constant factor from 1 on, by shifts and sums: two instructions for every set bit of
// FACTOR, less one. out and in are two registers; one temporary.
#macro multiply_by(out, in, FACTOR)
.begin
    .reg part
#define_eval MULTIPLY_REST (FACTOR)
#define_eval MULTIPLY_BIT 0
#while ((MULTIPLY_REST & 1) == 0)
#define_eval MULTIPLY_REST (MULTIPLY_REST >> 1)
#define_eval MULTIPLY_BIT (MULTIPLY_BIT + 1)
#endloop
#if (MULTIPLY_BIT == 0)
    alu[out, --, B, in]
#else
    shift_left(out, in, MULTIPLY_BIT)
#endif
#while (MULTIPLY_REST > 1)
#define_eval MULTIPLY_REST (MULTIPLY_REST >> 1)
#define_eval MULTIPLY_BIT (MULTIPLY_BIT + 1)
#if (MULTIPLY_REST & 1)
    shift_left(part, in, MULTIPLY_BIT)
    alu[out, out, +, part]
#endif
#endloop
.end
#undef MULTIPLY_REST
#undef MULTIPLY_BIT
#endm

#endif
