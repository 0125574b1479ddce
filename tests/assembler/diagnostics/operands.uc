; Operands and sources that an instruction does not take.
; The form is described in tests/assembler/annotated.h.

;=== add_with_shift
.reg a b count $x $y[4] $$d
.sig done
alu[a, b, +, count, <<3]
;~ 11 error: '+' cannot be combined with a shift [asm-shift-operator]
;~   help: with a shift there are B ~B AND ~AND AND~ OR
l#: nop
ctx_arb[kill]

;=== branch_in_deferred_slot
.reg a
immed[a, 1]
start#: br[end#], defer[2]
br_bset[a, 0, start#]
sram[write, --, a, 0, 1]
;~ 13-14 error: '--' cannot be operand 2 of sram: the transfer register is missing [asm-operand]
;~   help: name a transfer register, e.g. $0
end#: ctx_arb[kill]

;=== branch_to_register
.reg a b count $x $y[4] $$d
.sig done
br[a]
;~ 4 error: operand 1 of br must be a label [asm-operand]
;~   help: labels end in '#'
l#: nop
ctx_arb[kill]

;=== branch_without_label
.reg a b count $x $y[4] $$d
.sig done
br[]
;~ 1-4 error: br has too few operands [asm-form]
;~   help: write br[label#]
l#: nop
ctx_arb[kill]

;=== constant_as_destination
.reg a b count $x $y[4] $$d
.sig done
alu[5, --, B, a]
;~ 5 error: 5 cannot be operand 1 of alu: a constant cannot be a destination [asm-operand]
;~   help: name a register or `--`
l#: nop
ctx_arb[kill]

;=== constant_in_bit_test
.reg a b count $x $y[4] $$d
.sig done
br_bset[5, 3, l#]
;~ 9 error: 5 cannot be operand 1 of br_bset: a constant cannot stand here [asm-operand]
;~   help: load it into a register with immed
l#: nop
ctx_arb[kill]

;=== dram_register_for_sram
.reg a b count $x $y[4] $$d
.sig done
sram[read, $$d, a, 0, 1]
;~ 12-14 error: operand 2 of sram must be a $ transfer register, not '$$d' [asm-operand]
;~   help: only dram takes $$ registers; GPRs cannot hold data of commands
l#: nop
ctx_arb[kill]

;=== gpr_as_transfer
.reg a b count $x $y[4] $$d
.sig done
sram[read, a, a, 0, 1]
;~ 12 error: operand 2 of sram must be a $ transfer register, not 'a' [asm-operand]
;~   help: only dram takes $$ registers; GPRs cannot hold data of commands
l#: nop
ctx_arb[kill]

;=== immed_of_register
.reg a b count $x $y[4] $$d
.sig done
immed[a, b]
;~ 10 error: immed takes a constant [asm-operand]
;~   help: to copy a register write alu[dest, --, B, b]
l#: nop
ctx_arb[kill]

;=== immed_shift
.reg a b count $x $y[4] $$d
.sig done
immed[a, 1, <<4]
;~ 13-15 error: an immed shifts by <<0, <<8 or <<16 [asm-shift]
l#: nop
ctx_arb[kill]

;=== import_in_alu
.reg a
.import_var i$base
immed[a, 1]
alu[a, a, +, i$base]
;~ 1-20 error: the import variable 'i$base' can only be the value of an immed [asm-import-place]
;~   help: load it into a register first: immed[r, (i$x & 0xffff)], immed_w1[r, (i$x >> 16)]
alu[--, --, B, a]
ctx_arb[kill]

;=== load_addr_of_number
.reg a b count $x $y[4] $$d
.sig done
load_addr[a, 3]
;~ 1-15 error: load_addr takes a register and a label [asm-form]
;~   help: write load_addr[dest, label#]
l#: nop
ctx_arb[kill]

;=== local_memory_in_restricted_place
.reg a b count $x $y[4] $$d
.sig done
alu_shf[a, --, B, *l$index0[9], <<3]
;~ 19-30 error: 'l$index0' cannot be operand 4 of alu_shf: the offset of *l$index0[9] is too large; here it may be 0 to 7 [asm-operand]
;~   help: move the pointer
l#: nop
ctx_arb[kill]

;=== nop_with_operand
.reg a b count $x $y[4] $$d
.sig done
nop[a]
;~ 5 error: nop takes no operands [asm-form]
l#: nop
ctx_arb[kill]

;=== operator_word
.reg a b count $x $y[4] $$d
.sig done
alu[a, b, ADD, count]
;~ 11-13 error: 'ADD' is not an ALU operator [asm-operator]
;~   help: did you mean '+'? there are B + ~B +16 AND +8 ~AND -carry AND~ +carry OR - XOR B-A
;~   fix 11: alu[a, b, +, count]
l#: nop
ctx_arb[kill]

;=== register_where_none_is
.reg a b count $x $y[4] $$d
.sig done
dram[rbuf_rd, $$d, a, 0, max_8], indirect_ref
;~ 15-17 error: operand 2 of dram must be -- [asm-operand]
;~   help: this instruction has no register here
l#: nop
ctx_arb[kill]

;=== shift_amount
.reg a b count $x $y[4] $$d
.sig done
alu_shf[a, --, B, b, <<32]
;~ 22-25 error: the shift amount is 32; it must be 0 to 31 [asm-shift]
l#: nop
ctx_arb[kill]

;=== shift_to_the_left
.reg a b count $x $y[4] $$d
.sig done
dbl_shf[a, b, count, <<3]
;~ 22-24 error: this instruction shifts right only [asm-shift]
;~   help: write >>n or >>indirect
l#: nop
ctx_arb[kill]

;=== sram_register_for_dram
.reg a b count $x $y[4] $$d
.sig done
dram[read, $x, a, 0, 1], sig_done[done]
;~ 12-13 error: operand 2 of dram must be a $$ transfer register, not '$x' [asm-operand]
;~   help: dram moves data through $$ registers
l#: nop
ctx_arb[kill]

;=== targets_of_register
.reg a b count $x $y[4] $$d
.sig done
jump[a, l#], targets[a]
;~ 22 error: targets takes labels [asm-operand]
;~   help: labels end in '#'
l#: nop
ctx_arb[kill]

;=== too_few_operands
.reg a b count $x $y[4] $$d
.sig done
alu[a, b]
;~ 1-9 error: alu has too few operands [asm-form]
;~   help: write alu[dest, a, OP, b] or alu[dest, a, OP, b, shift]
l#: nop
ctx_arb[kill]

;=== too_many_operands
.reg a b count $x $y[4] $$d
.sig done
ffs[a, b, count]
;~ 1-16 error: ffs has too many operands [asm-form]
;~   help: write ffs[dest, b]
l#: nop
ctx_arb[kill]

;=== transfer_side
.reg a b count $x $y[4] $$d
.sig done
.reg read $r
alu[$r, --, B, a]
;~ 5-6 error: '$r' is declared as read register only, but operand 1 of alu needs its write register [asm-transfer-side]
;~   note 3:11-12: it was declared here
;~   help: leave out the attribute to have both
.reg write $w
alu[a, --, B, $w]
;~ 15-16 error: '$w' is declared as write register only, but operand 4 of alu needs its read register [asm-transfer-side]
;~   note 5:12-13: it was declared here
;~   help: leave out the attribute to have both
ctx_arb[kill]

;=== two_constants
.reg a b count $x $y[4] $$d
.sig done
alu[a, 1, +, 2]
;~ 1-15 error: both sources are constants: 1 and 2 [asm-sources]
;~   help: compute the result by hand, or load one constant with immed
l#: nop
ctx_arb[kill]

;=== two_transfer_registers
.reg a b count $x $y[4] $$d
.sig done
alu[a, $x, +, $y[0]]
;~ 1-20 error: both sources are transfer registers: '$x' and '$y[0]' [asm-sources]
;~   help: copy one of them to a GPR first
l#: nop
ctx_arb[kill]
