; Deferred slots, condition codes, labels, reachability, and what is read before it is set.
; The form is described in tests/assembler/annotated.h.

;=== codes_across_swap
.reg a
immed[a, 1]
alu[--, a, -, 1]
ctx_arb[voluntary]
beq[end#]
;~ 1-9 warning: the condition codes may be undefined here: no instruction set them since the start or the last context swap [asm-undefined-codes]
;~   help: set them after the swap, for instance alu[--, --, B, r]
nop
end#: ctx_arb[kill]

;=== command_in_deferred_slot
.reg a $x
.sig done
immed[a, 1]
alu[$x, --, B, a]
br[end#], defer[1]
sram[write, $x, a, 0, 1], sig_done[done]
;~ 1-40 error: a memory or I/O command cannot stand in a deferred slot [asm-defer-content]
;~   help: move it before the branch
end#: ctx_arb[done]
ctx_arb[kill]

;=== condition_constant
.reg a b count $x $y[4] $$d
.sig done
.if (a == 1000)
;~ 6-14 error: 'a' is used, but nothing on any path here sets it [asm-never-set]
;~   note 1:6: 'a' is declared here
;~   help: set it first; if something unseen sets it, say so: .set a
nop
.endif
ctx_arb[kill]

;=== crc_remainder_too_soon
.reg a b
immed[a, 1]
crc_be[crc_32, b, a]
nop
local_csr_rd[crc_remainder]
;~ 1-27 warning: the CRC remainder is read 2 cycles after the last CRC instruction; it takes 5 [asm-crc-too-close]
;~   help: put other work or nops between them
immed[b, 0]
alu[--, --, B, b]
ctx_arb[kill]

;=== defer_too_many
.reg a b count $x $y[4] $$d
.sig done
br[l#], defer[3]
;~ 9-16 error: br defers at most 2 instructions, not 3 [asm-defer]
l#: nop
ctx_arb[kill]

;=== defer_too_many_conditional
.reg a b count $x $y[4] $$d
.sig done
beq[l#], defer[4]
;~ 10-17 error: beq defers at most 3 instructions, not 4 [asm-defer]
l#: nop
ctx_arb[kill]

;=== defer_without_swap
.reg a b count $x $y[4] $$d
.sig done
sram[read, $x, a, 0, 1], sig_done[done], defer[1]
;~ 1-49 error: a command defers only together with ctx_swap [asm-defer]
l#: nop
ctx_arb[kill]

;=== maybe_unset
.reg a b
immed[b, 1]
br_bset[b, 0, use#]
immed[a, 0]
use#: alu[--, --, B, a]
;~ 7-23 warning: 'a' may be used before it is set [asm-maybe-unset]
;~   note 1:6: 'a' is declared here
;~   help: set it first; if something unseen sets it, say so: .set a
ctx_arb[kill]

;=== never_set
.reg total step
immed[step, 1]
loop#:
alu[total, total, +, step]
;~ 1-26 warning: 'total' may be used before it is set [asm-maybe-unset]
;~   note 1:6-10: 'total' is declared here
;~   help: set it first; if something unseen sets it, say so: .set total
br[loop#]

;=== unused_all
; options: -Wall
.reg a idle
;~ 8-11 warning: 'idle' is declared but not used [asm-unused-register]
.sig never
;~ 6-10 warning: 'never' is declared but not used [asm-unused-signal]
immed[a, 1]
alu[--, --, B, a]
br[over#]
alu[--, --, B, a]
;~ 1-17 warning: nothing leads to this instruction [asm-unreachable]
;~   help: remove it, or mark an entry from outside with .reentry
over#:
nobody#:
;~ 1-7 warning: nothing leads to 'nobody#' [asm-unused-label]
ctx_arb[kill]
