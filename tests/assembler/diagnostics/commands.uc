; Commands to units: tokens, indices, order of transfer registers, signals.
; The form is described in tests/assembler/annotated.h.

;=== any_and_all
.reg a b count $x $y[4] $$d
.sig done
ctx_arb[done], any, all
;~ 1-23 error: all and any exclude each other [asm-token]
l#: nop
ctx_arb[kill]

;=== any_without_signals
.reg a b count $x $y[4] $$d
.sig done
ctx_arb[voluntary], any
;~ 1-23 error: any needs signals to choose from [asm-token]
l#: nop
ctx_arb[kill]

;=== array_end_crossed
.reg a b count $x $y[4] $$d
.sig done
sram[read, $y[2], a, 0, 3], ctx_swap[done]
;~ 1-42 error: the command uses 3 consecutive transfer registers from '$y[2]' on, but only 2 are known to be consecutive [asm-xfer-order]
;~   help: name them all, in this order, in .xfer_order, or declare an array
l#: nop
ctx_arb[kill]

;=== array_index
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, $y[4]]
;~ 15-19 error: '$y' has elements 0 to 3, not 4 [asm-index]
;~   note 1:19-23: it was declared here
l#: nop
ctx_arb[kill]

;=== array_without_index
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, $y]
;~ 15-16 error: '$y' is an array: its index must be a number known when assembling [asm-index]
l#: nop
ctx_arb[kill]

;=== buffer_without_indirect
.reg a b count $x $y[4] $$d
.sig done
dram[tbuf_wr, --, a, 0, 8]
;~ 1-26 error: dram tbuf_wr takes its buffer address from indirect_ref [asm-indirect]
;~   help: add the token indirect_ref
l#: nop
ctx_arb[kill]

;=== index_of_no_array
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, b[0]]
;~ 15-18 error: 'b' is not an array [asm-index]
;~   note 1:8: it was declared here
l#: nop
ctx_arb[kill]

;=== kill_with_signal
.reg a b count $x $y[4] $$d
.sig done
ctx_arb[done, kill]
;~ 1-19 error: voluntary, kill, bpt and -- stand alone [asm-ctx-arb]
;~   help: write them in a ctx_arb of their own
l#: nop
ctx_arb[kill]

;=== local_memory_offset
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, *l$index0[16]]
;~ 25-26 error: the offset must be a number from 0 to 15 (0 to 7 where operands are restricted) [asm-index]
l#: nop
ctx_arb[kill]

;=== max_without_indirect
.reg a b count $x $y[4] $$d
.sig done
sram[read, $y, a, 0, max_4]
;~ 1-27 error: max_n means that indirect_ref gives the count [asm-indirect]
;~   help: add the token indirect_ref
l#: nop
ctx_arb[kill]

;=== misspelt_token
.reg a b count $x $y[4] $$d
.sig done
beq[l#], deffer[1]
;~ 10-18 error: beq takes no token 'deffer' [asm-token]
;~   help: did you mean 'defer'?
;~   fix 10-14: beq[l#], defer[1]
l#: nop
ctx_arb[kill]

;=== mul_step_without_step
.reg a b count $x $y[4] $$d
.sig done
mul_step[a, b]
;~ 1-14 error: mul_step needs its step [asm-token]
;~   help: 24x8_, 16x16_ or 32x32_ with start, step1 to step4, last or last2
l#: nop
ctx_arb[kill]

;=== no_order_for_two
.reg a b count $x $y[4] $$d
.sig done
sram[read, $x, a, 0, 2], ctx_swap[done]
;~ 1-39 error: the command uses 2 consecutive transfer registers from '$x' on, but only 1 is known to be consecutive [asm-xfer-order]
;~   help: name them all, in this order, in .xfer_order, or declare an array
l#: nop
ctx_arb[kill]

;=== order_mixed
.reg a b count $x $y[4] $$d
.sig done
.xfer_order $x $$d
;~ 16-18 error: an order holds either $ or $$ registers [asm-xfer-order]
l#: nop
ctx_arb[kill]

;=== order_twice
.reg a b count $x $y[4] $$d
.sig done
.xfer_order $x $x
;~ 16-17 error: '$x' stands in an order already [asm-xfer-order]
;~   help: a transfer register can be in one order only
l#: nop
ctx_arb[kill]

;=== order_with_element
.reg a b count $x $y[4] $$d
.sig done
.xfer_order $y[1] $x
;~ 13-17 error: an array stands in an order as a whole [asm-xfer-order]
;~   help: write $y
l#: nop
ctx_arb[kill]

;=== order_with_gpr
.reg a b count $x $y[4] $$d
.sig done
.xfer_order $x a
;~ 16 error: 'a' is not a transfer register [asm-xfer-order]
l#: nop
ctx_arb[kill]

;=== signal_half
.reg a b count $x $y[4] $$d
.sig done
ctx_arb[done[2]]
;~ 14 error: the halves of 'done' are [0] or [write], and [1] or [read] [asm-index]
l#: nop
ctx_arb[kill]

;=== signal_never_given
.sig done other
.set_sig other
ctx_arb[done, other]
;~ 1-20 warning: 'done' is awaited, but no command on any path here gives it [asm-signal-never-given]
;~   help: if something else gives it, say so: .set_sig done
ctx_arb[kill]

;=== swap_and_done
.reg a b count $x $y[4] $$d
.sig done
sram[read, $x, a, 0, 1], ctx_swap[done], sig_done[done]
;~ 1-55 error: ctx_swap and sig_done exclude each other [asm-token]
l#: nop
ctx_arb[kill]

;=== token_on_alu
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, b], ctx_swap[done]
;~ 19-32 error: alu takes no token 'ctx_swap' [asm-token]
;~   help: it takes none
l#: nop
ctx_arb[kill]

;=== token_twice
.reg a b count $x $y[4] $$d
.sig done
sram[read, $x, a, 0, 1], ctx_swap[done], ctx_swap[done]
;~ 42-55 error: the token 'ctx_swap' stands twice [asm-token]
l#: nop
ctx_arb[kill]

;=== token_with_brackets
.reg a b count $x $y[4] $$d
.sig done
sram[read, $x, a, 0, 1], indirect_ref[1]
;~ 26-40 error: the token 'indirect_ref' takes nothing in brackets [asm-token]
l#: nop
ctx_arb[kill]

;=== token_without_brackets
.reg a b count $x $y[4] $$d
.sig done
sram[read, $x, a, 0, 1], ctx_swap
;~ 26-33 error: the token 'ctx_swap' needs something in brackets [asm-token]
l#: nop
ctx_arb[kill]

;=== transfer_index_with_offset
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, *$index[1]]
;~ 15-24 error: '*$index' takes no offset [asm-index]
;~   help: only local memory does
l#: nop
ctx_arb[kill]

;=== two_signals_swap
.reg a b count $x $y[4] $$d
.sig done
dram[read, $$d, a, 0, 1], ctx_swap[done]
;~ 27-40 error: dram read raises two signals and cannot take ctx_swap [asm-two-signals]
;~   help: write sig_done[s] and ctx_arb[s]
l#: nop
ctx_arb[kill]

;=== unknown_indexed_operand
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, *index]
;~ 15-20 error: '*index' is not an indexed operand [asm-index]
;~   help: there are *l$index0, *l$index1, *$index, *$$index and *n$index
l#: nop
ctx_arb[kill]
