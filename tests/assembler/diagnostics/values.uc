; Numbers and constants that do not fit.
; The form is described in tests/assembler/annotated.h.

;=== address_of_gpr
.reg a b count $x $y[4] $$d
.sig done
immed[a, &count]
;~ 10-15 error: '&' gives the number of a transfer register or signal; 'count' is a GPR [asm-constant]
l#: nop
ctx_arb[kill]

;=== alu_constant_negative
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, -1]
;~ 15-16 error: -1 cannot be operand 4 of alu: here it may be 0 to 255 [asm-constant-width]
;~   help: load it into a register with immed
l#: nop
ctx_arb[kill]

;=== alu_constant_too_large
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, 256]
;~ 15-17 error: 256 cannot be operand 4 of alu: here it may be 0 to 255 [asm-constant-width]
;~   help: load it into a register with immed
l#: nop
ctx_arb[kill]

;=== bit_number
.reg a b count $x $y[4] $$d
.sig done
br_bset[a, 32, l#]
;~ 12-13 error: operand 2 of br_bset is 32; it must be 0 to 31 [asm-range]
l#: nop
ctx_arb[kill]

;=== byte_mask_digits
.reg a b count $x $y[4] $$d
.sig done
ld_field[a, 0120, b]
;~ 13-16 error: a byte mask is four binary digits, byte 3 first [asm-byte-mask]
;~   help: for example 0011
l#: nop
ctx_arb[kill]

;=== byte_mask_short
.reg a b count $x $y[4] $$d
.sig done
ld_field[a, 11, b]
;~ 13-14 error: a byte mask is four binary digits, byte 3 first [asm-byte-mask]
;~   help: for example 0011
l#: nop
ctx_arb[kill]

;=== byte_number
.reg a b count $x $y[4] $$d
.sig done
br=byte[a, 4, 3, l#]
;~ 12 error: operand 2 of br=byte is 4; it must be 0 to 3 [asm-range]
l#: nop
ctx_arb[kill]

;=== byte_value
.reg a b count $x $y[4] $$d
.sig done
br=byte[a, 0, 256, l#]
;~ 15-17 error: operand 3 of br=byte is 256; it must be 0 to 255 [asm-range]
l#: nop
ctx_arb[kill]

;=== cam_entry_state
.reg a b count $x $y[4] $$d
.sig done
cam_write[a, b, 16]
;~ 17-18 error: operand 3 of cam_write is 16; it must be 0 to 15 [asm-range]
l#: nop
ctx_arb[kill]

;=== command_count
.reg a b count $x $y[4] $$d
.sig done
sram[read, $y, a, 0, 9]
;~ 22 error: operand 5 of sram is 9; it must be 1 to 8 [asm-range]
;~   help: longer transfers take max_n and indirect_ref
l#: nop
ctx_arb[kill]

;=== command_count_max
.reg a b count $x $y[4] $$d
.sig done
sram[read, $y, a, 0, max_9], indirect_ref
;~ 22-26 error: 'max_9' is not a count: it must be max_1 to max_8 [asm-range]
l#: nop
ctx_arb[kill]

;=== command_offset_too_large
.reg a b count $x $y[4] $$d
.sig done
sram[read, $x, a, 128, 1]
;~ 19-21 error: 128 cannot be operand 4 of sram: here it may be 0 to 127 [asm-constant-width]
;~   help: load it into a register with immed
l#: nop
ctx_arb[kill]

;=== condition_bit_range
.reg a b count $x $y[4] $$d
.sig done
.if (BIT(a, 40))
;~ 13-14 error: operand 2 of br_bclr is 40; it must be 0 to 31 [asm-range]
nop
.endif
ctx_arb[kill]

;=== constant_division_by_zero
.reg a b count $x $y[4] $$d
.sig done
immed[a, (1 / 0)]
;~ 11-15 error: division by zero [asm-constant]
l#: nop
ctx_arb[kill]

;=== constant_log2
.reg a b count $x $y[4] $$d
.sig done
immed[a, (log2(3))]
;~ 11-17 error: log2(3) is not a whole number [asm-constant]
;~   help: a second argument below 0 rounds down, above 0 up
l#: nop
ctx_arb[kill]

;=== constant_shift
.reg a b count $x $y[4] $$d
.sig done
immed[a, (1 << 99)]
;~ 11-17 error: a shift by 99 is not possible [asm-constant]
l#: nop
ctx_arb[kill]

;=== context_number
.reg a b count $x $y[4] $$d
.sig done
br=ctx[8, l#]
;~ 8 error: operand 1 of br=ctx is 8; it must be 0 to 7 [asm-range]
l#: nop
ctx_arb[kill]

;=== hash_count
.reg a b count $x $y[4] $$d
.sig done
hash_48[$y, 4], ctx_swap[done]
;~ 13 error: operand 2 of hash_48 is 4; it must be 1 to 3 [asm-range]
l#: nop
ctx_arb[kill]

;=== immed_byte
.reg a b count $x $y[4] $$d
.sig done
immed_b1[a, 256]
;~ 13-15 error: operand 2 of immed_b1 is 256; it must be 0 to 255 [asm-range]
l#: nop
ctx_arb[kill]

;=== immed_half_word
.reg a b count $x $y[4] $$d
.sig done
immed_w0[a, 0x10000]
;~ 13-19 error: operand 2 of immed_w0 is 65536; it must be 0 to 65535 [asm-range]
l#: nop
ctx_arb[kill]

;=== immed_over_32_bits
.reg a b count $x $y[4] $$d
.sig done
immed[a, (1 << 32)]
;~ 10-18 error: 4294967296 does not fit into 32 bits [asm-constant-width]
l#: nop
ctx_arb[kill]

;=== immed_shifted_too_wide
.reg a b count $x $y[4] $$d
.sig done
immed[a, 0x12345, <<8]
;~ 10-16 error: 0x12345 does not fit into the 16 bits that immed shifts [asm-constant-width]
l#: nop
ctx_arb[kill]

;=== immed_two_words
.reg a b count $x $y[4] $$d
.sig done
immed[a, 0x12345678]
;~ 10-19 error: 0x12345678 needs two words: immed holds 16 bits at bit 0, 8 or 16, or the complement of that [asm-constant-width]
;~   help: write immed[a, 0x5678] and immed_w1[a, 0x1234]
l#: nop
ctx_arb[kill]

;=== lookup_pointer
.reg a b count $x $y[4] $$d
.sig done
cam_lookup[a, b], lm_addr0[4]
;~ 28 error: the number of lm_addr0 must be 0 to 3 [asm-range]
l#: nop
ctx_arb[kill]

;=== misspelt_crc
.reg a b count $x $y[4] $$d
.sig done
crc_le[crc_isci, --, a]
;~ 8-15 error: 'crc_isci' is not a CRC type [asm-crc-type]
;~   help: did you mean 'crc_iscsi'?
;~   fix 8-16: crc_le[crc_iscsi, --, a]
l#: nop
ctx_arb[kill]

;=== register_in_constant
.reg a b count $x $y[4] $$d
.sig done
immed[a, (count + 1)]
;~ 11-15 error: 'count' is a register, but a constant is needed here [asm-constant]
l#: nop
ctx_arb[kill]

;=== signal_in_constant
.reg a b count $x $y[4] $$d
.sig done
immed[a, (done)]
;~ 11-14 error: 'done' is a signal, but a constant is needed here [asm-constant]
;~   help: its number is &done
l#: nop
ctx_arb[kill]

;=== unknown_function
.reg a b count $x $y[4] $$d
.sig done
immed[a, (foo(1))]
;~ 11-16 error: there is no function 'foo' of that kind in operands [asm-constant]
;~   help: log2(x[, round]) and mask(signal) are
l#: nop
ctx_arb[kill]
