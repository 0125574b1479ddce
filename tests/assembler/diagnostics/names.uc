; Names that nobody has declared, or that are near another one.
; The form is described in tests/assembler/annotated.h.

;=== absolute_register_by_number
.reg a b count $x $y[4] $$d
.sig done
alu[@a5, --, B, a]
;~ 5-7 error: the register '@a5', operand 1 of alu, is not declared [asm-undeclared-register]
;~   help: physical names hold after .registers physical
l#: nop
ctx_arb[kill]

;=== assembler_directive_misspelt
.reg a b count $x $y[4] $$d
.sig done
.alocate_mem m sram0 local 4
;~ 1-12 error: there is no directive '.alocate_mem' [asm-unknown-directive]
;~   help: did you mean '.local_mem', '.alloc_mem' or '.global_mem'?
;~   fix 1-10: .local_mem m sram0 local 4
l#: nop
ctx_arb[kill]

;=== continued_line
.reg a b
alu[a,
    --,
    B,
    bb]
;~ 5-6 error: the register 'bb', operand 4 of alu, is not declared [asm-undeclared-register]
;~   help: did you mean 'b'?
;~   fix 1: b]
ctx_arb[kill]

;=== four_faults_in_a_line
.reg a b count $x $y[4] $$d
.sig done
alu[foo, bar, +, 999], defer[1]
;~ 5-7 error: the register 'foo', operand 1 of alu, is not declared [asm-undeclared-register]
;~   help: add .reg foo
;~ 10-12 error: the register 'bar', operand 2 of alu, is not declared [asm-undeclared-register]
;~   help: add .reg bar
;~ 18-20 error: 999 cannot be operand 4 of alu: here it may be 0 to 255 [asm-constant-width]
;~   help: load it into a register with immed
;~ 24-31 error: alu takes no token 'defer' [asm-token]
;~   help: it takes none
ctx_arb[kill]

;=== macro_misspelt
#macro buffer_release(n)
nop
#endm
bufer_release[1]
;~ 1-13 error: there is no instruction or macro 'bufer_release' [asm-unknown-instruction]
;~   help: did you mean 'buffer_release'?
;~   fix 1-14: buffer_release[1]
ctx_arb[kill]

;=== macro_misspelt_parentheses
#macro buffer_release(n)
nop
#endm
bufer_release(1)
;~ 1-13 error: no macro 'bufer_release' is defined [asm-no-macro]
;~   help: did you mean 'buffer_release'?
;~   fix 1-14: buffer_release(1)
ctx_arb[kill]

;=== missing_command
.reg a b count $x $y[4] $$d
.sig done
sram[]
;~ 1-6 error: sram needs a command first [asm-unknown-command]
;~   help: commands: add clr csr_rd csr_wr decr dequeue enqueue enqueue_tail fast_journal get incr journal put rd_qdesc_head rd_qdesc_other rd_qdesc_tail read set swap test_and_add test_and_clr test_and_decr test_and_incr test_and_set wr_qdesc wr_qdesc_count write
l#: nop
ctx_arb[kill]

;=== misspelt_command
.reg a b count $x $y[4] $$d
.sig done
sram[raed, $x, a, 0, 1]
;~ 6-9 error: sram has no command 'raed' [asm-unknown-command]
;~   help: did you mean 'read'?
;~   fix 6-9: sram[read, $x, a, 0, 1]
l#: nop
ctx_arb[kill]

;=== misspelt_csr
.reg a b count $x $y[4] $$d
.sig done
local_csr_rd[ctx_enable]
;~ 14-23 error: there is no local CSR 'ctx_enable' [asm-unknown-csr]
;~   help: did you mean 'ctx_enables' or 'cc_enable'?
;~   fix 14-24: local_csr_rd[ctx_enables]
l#: nop
ctx_arb[kill]

;=== misspelt_input_state
.reg a b count $x $y[4] $$d
.sig done
br_inp_state[nn_fulll, l#]
;~ 14-21 error: 'nn_fulll' is not an input state [asm-unknown-state]
;~   help: did you mean 'nn_full'?
;~   fix 14-20: br_inp_state[nn_full, l#]
l#: nop
ctx_arb[kill]

;=== misspelt_instruction
.reg a b count $x $y[4] $$d
.sig done
allu[a, --, B, b]
;~ 1-4 error: there is no instruction or macro 'allu' [asm-unknown-instruction]
;~   help: did you mean 'alu'?
;~   fix 1-3: alu[a, --, B, b]
l#: nop
ctx_arb[kill]

;=== misspelt_instruction_case
.reg a b count $x $y[4] $$d
.sig done
IMMMED[a, 1]
;~ 1-6 error: there is no instruction or macro 'immmed' [asm-unknown-instruction]
;~   help: did you mean 'immed'?
;~   fix 1-5: immed[a, 1]
l#: nop
ctx_arb[kill]

;=== misspelt_label
.reg a b count $x $y[4] $$d
.sig done
br[ll#]
;~ 4-6 error: the label 'll#' is not defined [asm-undefined-label]
;~   help: did you mean 'l#'?
;~   fix 4-5: br[l#]
l#: nop
ctx_arb[kill]

;=== misspelt_register
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, cuont]
;~ 15-19 error: the register 'cuont', operand 4 of alu, is not declared [asm-undeclared-register]
;~   help: did you mean 'count'?
;~   fix 15-19: alu[a, --, B, count]
l#: nop
ctx_arb[kill]

;=== misspelt_signal
.reg a b count $x $y[4] $$d
.sig done
ctx_arb[dnoe]
;~ 9-12 error: the signal 'dnoe' in ctx_arb is not declared [asm-undeclared-signal]
;~   help: did you mean 'done'?
;~   fix 9-12: ctx_arb[done]
l#: nop
ctx_arb[kill]

;=== parentheses_instead_of_brackets
.reg a b count $x $y[4] $$d
.sig done
nop2(a, b)
;~ 1-4 error: no macro 'nop2' is defined [asm-no-macro]
;~   help: an instruction takes its operands in '[' and ']'; is an #include missing?
l#: nop
ctx_arb[kill]

;=== physical_register_without_mode
.reg a b count $x $y[4] $$d
.sig done
alu[a5, --, B, a]
;~ 5-6 error: the register 'a5', operand 1 of alu, is not declared [asm-undeclared-register]
;~   help: physical names hold after .registers physical
l#: nop
ctx_arb[kill]

;=== register_as_signal
.reg a b count $x $y[4] $$d
.sig done
ctx_arb[a]
;~ 9 error: 'a' is a register, but a signal is needed here [asm-not-a-signal]
;~   note 1:6: it was declared here
l#: nop
ctx_arb[kill]

;=== signal_as_register
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, done]
;~ 15-18 error: 'done' is a signal, but a register is needed here [asm-not-a-register]
;~   note 2:6-9: it was declared here
l#: nop
ctx_arb[kill]

;=== undeclared_once
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, foo]
;~ 15-17 error: the register 'foo', operand 4 of alu, is not declared [asm-undeclared-register]
;~   help: add .reg foo
alu[foo, a, +, foo]
alu[a, --, B, foo]
ctx_arb[kill]

;=== unknown_address
.reg a b count $x $y[4] $$d
.sig done
immed[a, &$qqqq]
;~ 10-15 error: the register '$qqqq' is not declared [asm-undeclared-register]
;~   help: add .reg $qqqq
l#: nop
ctx_arb[kill]

;=== unknown_command
.reg a b count $x $y[4] $$d
.sig done
sram[xyzzyx, $x, a, 0, 1]
;~ 6-11 error: sram has no command 'xyzzyx' [asm-unknown-command]
;~   help: commands: add clr csr_rd csr_wr decr dequeue enqueue enqueue_tail fast_journal get incr journal put rd_qdesc_head rd_qdesc_other rd_qdesc_tail read set swap test_and_add test_and_clr test_and_decr test_and_incr test_and_set wr_qdesc wr_qdesc_count write
l#: nop
ctx_arb[kill]

;=== unknown_constant
.reg a b count $x $y[4] $$d
.sig done
immed[a, (TABLE_SIZE * 4)]
;~ 11-20 error: 'TABLE_SIZE' is not defined [asm-undeclared]
;~   help: a constant is a #define, an import variable (i$name) or a memory block
ctx_arb[kill]

;=== unknown_import
.reg a b count $x $y[4] $$d
.sig done
immed[a, i$foo]
;~ 10-14 error: the import variable 'i$foo' is not declared [asm-undeclared]
;~   help: add .import_var i$foo
l#: nop
ctx_arb[kill]

;=== unknown_instruction
.reg a b count $x $y[4] $$d
.sig done
frobnicate[a, b]
;~ 1-10 error: there is no instruction or macro 'frobnicate' [asm-unknown-instruction]
;~   help: macros must be defined above their first call; is an #include missing?
l#: nop
ctx_arb[kill]

;=== unknown_register
.reg a b count $x $y[4] $$d
.sig done
alu[zzz, --, B, a]
;~ 5-7 error: the register 'zzz', operand 1 of alu, is not declared [asm-undeclared-register]
;~   help: add .reg zzz
l#: nop
ctx_arb[kill]

;=== unknown_signal_in_token
.reg a b count $x $y[4] $$d
.sig done
sram[read, $x, a, 0, 1], ctx_swap[qqqq]
;~ 35-38 error: the signal 'qqqq' in ctx_swap is not declared [asm-undeclared-signal]
;~   help: add .sig qqqq
l#: nop
ctx_arb[kill]
