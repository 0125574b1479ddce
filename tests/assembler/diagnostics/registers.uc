; Allocation: banks and their repair, pressure, spilling, pins.
; The form is described in tests/assembler/annotated.h.

;=== bank_conflict_same
.reg a b count $x $y[4] $$d
.sig done
immed[a, 1]
alu[b, a, +, a]
;~ 1-15 error: 'a' cannot be both sources of one instruction [asm-bank-conflict]
;~   help: copy it first, alu[copy, --, B, a], and use the copy as one source
alu[--, --, B, b]
ctx_arb[kill]

;=== bank_conflict_three
.reg a b c
immed[a, 1]
immed[b, 2]
immed[c, 3]
alu[--, a, +, b]
alu[--, b, +, c]
alu[--, c, +, a]
;~ 1-16 error: no choice of banks fits: 'c' and 'a' are the two sources here, but other instructions put them into the same bank [asm-bank-conflict]
;~   note 5:1-16: 'a' and 'b' must be in different banks because of this instruction
;~   note 6:1-16: 'b' and 'c' must be in different banks because of this instruction
;~   help: copy one of them into a register of its own before this instruction, alu[copy, --, B, a]
ctx_arb[kill]

;=== bank_repair_elsewhere
; options: --repair-banks
.reg a b c
immed[a, 1]
immed[b, 2]
immed[c, 3]
alu[--, a, +, b]
alu[--, b, +, c]
;~ 1-16 info: a move of 'c' into a register of the other bank was put before this instruction [asm-bank-repair]
;~   help: share sources differently to save the cycle
br[e#], defer[1]
alu[a, a, +, c]
e#:
alu[--, --, B, a]
ctx_arb[kill]

;=== bank_repair_impossible
; options: --repair-banks
.reg a
immed[a, 1]
br[e#], defer[1]
alu[a, a, +, a]
;~ 1-15 error: 'a' cannot be both sources of one instruction [asm-bank-conflict]
;~   help: copy it first, alu[copy, --, B, a], and use the copy as one source
e#:
alu[--, --, B, a]
ctx_arb[kill]

;=== bank_repaired
; options: --repair-banks
.reg a b c write $out
immed[a, 1]
immed[b, 20]
immed[c, 300]
alu[--, a, +, b]
alu[--, b, +, c]
alu[$out, a, +, c]
;~ 1-18 info: a move of 'c' into a register of the other bank was put before this instruction [asm-bank-repair]
;~   help: share sources differently to save the cycle
halt

;=== pin_conflict
.reg a b
;~ 6 error: 'a' cannot have register a3: it is out of range or in use [asm-pin-conflict]
;~   help: give it another number with .addr, or pin it elsewhere
.addr a 3 a
.addr b 3 a
immed[a, 1]
immed[b, 2]
alu[--, a, +, 1]
alu[--, b, +, 1]
ctx_arb[kill]

;=== pin_file_conflict
; options: --pin pin_file_conflict.pins
.reg a b
;~ 6 error: 'a' cannot have register a5: it is out of range or in use [asm-pin-conflict]
;~   help: give it another number with .addr, or pin it elsewhere
immed[a, 1]
immed[b, 2]
alu[--, a, +, 1]
alu[--, b, +, 1]
ctx_arb[kill]

;=== pin_form
; options: --pin pin_form.pins
.reg a
immed[a, 1]
alu[--, --, B, a]
ctx_arb[kill]
;~ pin_form.pins:1:1 error: a pin is a name, a place and a register [asm-pin-form]
;~   help: for instance: temp d36 a6
;~ pin_form.pins:2:5-6 error: 'q5' is not a register [asm-pin-form]
;~   help: write a5, b12, @a16, $3, $$3, n$2 or s4
;~ pin_form.pins:3:3-4 error: 'x7' is not a place [asm-pin-form]
;~   help: write *, a word address (12, s12, d12) or a source line (:40, s:40, d:40)

;=== pin_unmatched
; options: --pin pin_unmatched.pins
.reg a $x
immed[a, 1]
alu[--, --, B, a]
ctx_arb[kill]
;~ pin_unmatched.pins:1:1-6 error: no live range of 'nobody' is mentioned at this place [asm-pin-unmatched]
;~   help: see the live ranges with --dump allocation
;~ pin_unmatched.pins:2:1 error: no live range of 'a' is mentioned at this place [asm-pin-unmatched]
;~   help: see the live ranges with --dump allocation
;~ pin_unmatched.pins:3:1 error: 'a' is of another kind than this register [asm-pin-unmatched]
;~   help: see the live ranges with --dump allocation

;=== pressure_far_use
; The first value waits for the last line, a .use keeps the second, one is volatile.
.reg first second
.reg volatile seen
immed[first, 1]
immed[second, 2]
immed[seen, 3]
.reg r0
immed[r0, 0]
.reg r1
immed[r1, 1]
.reg r2
immed[r2, 2]
.reg r3
immed[r3, 3]
.reg r4
immed[r4, 4]
.reg r5
immed[r5, 5]
.reg r6
immed[r6, 6]
.reg r7
immed[r7, 7]
.reg r8
immed[r8, 8]
.reg r9
immed[r9, 9]
.reg r10
immed[r10, 10]
.reg r11
immed[r11, 11]
.reg r12
immed[r12, 12]
.reg r13
immed[r13, 13]
.reg r14
immed[r14, 14]
.reg r15
immed[r15, 15]
.reg r16
immed[r16, 16]
.reg r17
immed[r17, 17]
.reg r18
immed[r18, 18]
.reg r19
immed[r19, 19]
.reg r20
immed[r20, 20]
.reg r21
immed[r21, 21]
.reg r22
immed[r22, 22]
.reg r23
immed[r23, 23]
.reg r24
immed[r24, 24]
.reg r25
immed[r25, 25]
.reg r26
immed[r26, 26]
.reg r27
immed[r27, 27]
.reg r28
immed[r28, 28]
.reg r29
immed[r29, 29]
.reg r30
immed[r30, 30]
;~ 1-14 error: no place is left for 'r1' in bank A: 17 are needed at once here, there are 16; live are seen, second, r30, r28, r26, r24, r22, r20, r18, r16, r14, r12, r10, r8, r6, r4, r1 [asm-no-register]
;~   note 3:15-18: 'seen' is live in the whole of its scope
;~   note 5:1-16: 'second' is set here and next used in line 130
;~   note 68:1-14: 'r30' is set here and next used in line 99
;~   note 64:1-14: 'r28' is set here and next used in line 97
;~   note 60:1-14: 'r26' is set here and next used in line 95
;~   note 56:1-14: 'r24' is set here and next used in line 93
;~   note 68:1-14: the other 11 are used no later than these
;~   help: 'second' waits for line 130: compute it closer to there; end scopes earlier; --spill keeps in local memory what finds no register; with .num_contexts 4 each context has twice the registers
alu[--, --, B, r0]
alu[--, --, B, r1]
alu[--, --, B, r2]
alu[--, --, B, r3]
alu[--, --, B, r4]
alu[--, --, B, r5]
alu[--, --, B, r6]
alu[--, --, B, r7]
alu[--, --, B, r8]
alu[--, --, B, r9]
alu[--, --, B, r10]
alu[--, --, B, r11]
alu[--, --, B, r12]
alu[--, --, B, r13]
alu[--, --, B, r14]
alu[--, --, B, r15]
alu[--, --, B, r16]
alu[--, --, B, r17]
alu[--, --, B, r18]
alu[--, --, B, r19]
alu[--, --, B, r20]
alu[--, --, B, r21]
alu[--, --, B, r22]
alu[--, --, B, r23]
alu[--, --, B, r24]
alu[--, --, B, r25]
alu[--, --, B, r26]
alu[--, --, B, r27]
alu[--, --, B, r28]
alu[--, --, B, r29]
alu[--, --, B, r30]
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
alu[--, --, B, second]
.use second
alu[--, --, B, first]
ctx_arb[kill]

;=== pressure_loop
; What goes round a loop is live in all of it.
.reg e0 o0
immed[e0, 0]
immed[o0, 0]
.reg e1 o1
immed[e1, 1]
immed[o1, 1]
.reg e2 o2
immed[e2, 2]
immed[o2, 2]
.reg e3 o3
immed[e3, 3]
immed[o3, 3]
.reg e4 o4
immed[e4, 4]
immed[o4, 4]
.reg e5 o5
immed[e5, 5]
immed[o5, 5]
.reg e6 o6
immed[e6, 6]
immed[o6, 6]
.reg e7 o7
immed[e7, 7]
immed[o7, 7]
.reg e8 o8
immed[e8, 8]
immed[o8, 8]
.reg e9 o9
immed[e9, 9]
immed[o9, 9]
.reg e10 o10
immed[e10, 10]
immed[o10, 10]
.reg e11 o11
immed[e11, 11]
immed[o11, 11]
.reg e12 o12
immed[e12, 12]
immed[o12, 12]
.reg e13 o13
immed[e13, 13]
immed[o13, 13]
.reg e14 o14
immed[e14, 14]
immed[o14, 14]
.reg e15 o15
immed[e15, 15]
immed[o15, 15]
.reg e16 o16
immed[e16, 16]
immed[o16, 16]
;~ 1-14 error: no place is left for 'o16' in bank A: 17 are needed at once here, there are 16; live are o16, o15, o14, o13, o12, o11, o10, o9, o8, o7, o6, o5, o4, o3, o2, o1, o0 [asm-no-register]
;~   note 52:1-14: 'o16' is set here and next used in line 70
;~   note 49:1-14: 'o15' is set here and next used in line 69
;~   note 46:1-14: 'o14' is set here and next used in line 68
;~   note 43:1-14: 'o13' is set here and next used in line 67
;~   note 40:1-14: 'o12' is set here and next used in line 66
;~   note 37:1-14: 'o11' is set here and next used in line 65
;~   note 52:1-14: the other 11 are used no later than these
;~   help: end scopes earlier; --spill keeps in local memory what finds no register; with .num_contexts 4 each context has twice the registers
again#:
alu[e0, e0, +, o0]
alu[e1, e1, +, o1]
alu[e2, e2, +, o2]
alu[e3, e3, +, o3]
alu[e4, e4, +, o4]
alu[e5, e5, +, o5]
alu[e6, e6, +, o6]
alu[e7, e7, +, o7]
alu[e8, e8, +, o8]
alu[e9, e9, +, o9]
alu[e10, e10, +, o10]
alu[e11, e11, +, o11]
alu[e12, e12, +, o12]
alu[e13, e13, +, o13]
alu[e14, e14, +, o14]
alu[e15, e15, +, o15]
alu[e16, e16, +, o16]
br[again#]

;=== pressure_one_bank
; All of these meet one register, so they share a bank.
.reg hub
immed[hub, 1]
.reg r0
immed[r0, 0]
.reg r1
immed[r1, 1]
.reg r2
immed[r2, 2]
.reg r3
immed[r3, 3]
.reg r4
immed[r4, 4]
.reg r5
immed[r5, 5]
.reg r6
immed[r6, 6]
.reg r7
immed[r7, 7]
.reg r8
immed[r8, 8]
.reg r9
immed[r9, 9]
.reg r10
immed[r10, 10]
.reg r11
immed[r11, 11]
.reg r12
immed[r12, 12]
.reg r13
immed[r13, 13]
.reg r14
immed[r14, 14]
.reg r15
immed[r15, 15]
.reg r16
immed[r16, 16]
;~ 1-14 error: no place is left for 'r0' in bank B: 17 are needed at once here, there are 16; live are r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2, r1, r0 [asm-no-register]
;~   note 37:1-14: 'r16' is set here and next used in line 54
;~   note 35:1-14: 'r15' is set here and next used in line 53
;~   note 33:1-14: 'r14' is set here and next used in line 52
;~   note 31:1-14: 'r13' is set here and next used in line 51
;~   note 29:1-14: 'r12' is set here and next used in line 50
;~   note 27:1-14: 'r11' is set here and next used in line 49
;~   note 37:1-14: the other 11 are used no later than these
;~   help: end scopes earlier; --spill keeps in local memory what finds no register; with .num_contexts 4 each context has twice the registers; bank A has 15 free registers here, but the instructions tie these to bank B: use a copy, alu[copy, --, B, r], as the second source somewhere
alu[--, hub, +, r0]
alu[--, hub, +, r1]
alu[--, hub, +, r2]
alu[--, hub, +, r3]
alu[--, hub, +, r4]
alu[--, hub, +, r5]
alu[--, hub, +, r6]
alu[--, hub, +, r7]
alu[--, hub, +, r8]
alu[--, hub, +, r9]
alu[--, hub, +, r10]
alu[--, hub, +, r11]
alu[--, hub, +, r12]
alu[--, hub, +, r13]
alu[--, hub, +, r14]
alu[--, hub, +, r15]
alu[--, hub, +, r16]
ctx_arb[kill]

;=== spill_both_pointers
; options: --spill
.reg r0
immed[r0, 0]
.reg r1
immed[r1, 1]
.reg r2
immed[r2, 2]
.reg r3
immed[r3, 3]
.reg r4
immed[r4, 4]
.reg r5
immed[r5, 5]
.reg r6
immed[r6, 6]
.reg r7
immed[r7, 7]
.reg r8
immed[r8, 8]
.reg r9
immed[r9, 9]
.reg r10
immed[r10, 10]
.reg r11
immed[r11, 11]
.reg r12
immed[r12, 12]
.reg r13
immed[r13, 13]
.reg r14
immed[r14, 14]
.reg r15
immed[r15, 15]
.reg r16
immed[r16, 16]
.reg r17
immed[r17, 17]
.reg r18
immed[r18, 18]
.reg r19
immed[r19, 19]
.reg r20
immed[r20, 20]
.reg r21
immed[r21, 21]
.reg r22
immed[r22, 22]
.reg r23
immed[r23, 23]
.reg r24
immed[r24, 24]
.reg r25
immed[r25, 25]
.reg r26
immed[r26, 26]
.reg r27
immed[r27, 27]
.reg r28
immed[r28, 28]
.reg r29
immed[r29, 29]
.reg r30
immed[r30, 30]
.reg r31
immed[r31, 31]
.reg r32
immed[r32, 32]
.reg r33
immed[r33, 33]
.reg r34
immed[r34, 34]
;~ 1-14 error: no place is left for 'r3' in bank A: 17 are needed at once here, there are 16; live are r34, r32, r30, r28, r26, r24, r22, r20, r18, r16, r14, r12, r10, r8, r6, r4, r3 [asm-no-register]
;~   note 71:1-14: 'r34' is set here and next used in line 114
;~   note 67:1-14: 'r32' is set here and next used in line 112
;~   note 63:1-14: 'r30' is set here and next used in line 110
;~   note 59:1-14: 'r28' is set here and next used in line 108
;~   note 55:1-14: 'r26' is set here and next used in line 106
;~   note 51:1-14: 'r24' is set here and next used in line 104
;~   note 71:1-14: the other 11 are used no later than these
;~   note 71:1-14: --spill does not help: both pointers of local memory are taken: the program writes ACTIVE_LM_ADDR_1, and the program writes ACTIVE_LM_ADDR_0
;~   help: 'r34' waits for line 114: compute it closer to there; end scopes earlier; with .num_contexts 4 each context has twice the registers
.reg r35
immed[r35, 35]
local_csr_wr[ACTIVE_LM_ADDR_0, 0]
local_csr_wr[ACTIVE_LM_ADDR_1, 64]
nop
nop
alu[*l$index0[0], --, B, 0]
alu[*l$index1[0], --, B, 0]
alu[--, --, B, r0]
alu[--, --, B, r1]
alu[--, --, B, r2]
alu[--, --, B, r3]
alu[--, --, B, r4]
alu[--, --, B, r5]
alu[--, --, B, r6]
alu[--, --, B, r7]
alu[--, --, B, r8]
alu[--, --, B, r9]
alu[--, --, B, r10]
alu[--, --, B, r11]
alu[--, --, B, r12]
alu[--, --, B, r13]
alu[--, --, B, r14]
alu[--, --, B, r15]
alu[--, --, B, r16]
alu[--, --, B, r17]
alu[--, --, B, r18]
alu[--, --, B, r19]
alu[--, --, B, r20]
alu[--, --, B, r21]
alu[--, --, B, r22]
alu[--, --, B, r23]
alu[--, --, B, r24]
alu[--, --, B, r25]
alu[--, --, B, r26]
alu[--, --, B, r27]
alu[--, --, B, r28]
alu[--, --, B, r29]
alu[--, --, B, r30]
alu[--, --, B, r31]
alu[--, --, B, r32]
alu[--, --, B, r33]
alu[--, --, B, r34]
alu[--, --, B, r35]
ctx_arb[kill]

;=== spill_ixp1200
; options: --spill --chip=ixp1200
.reg r0
immed[r0, 0]
.reg r1
immed[r1, 1]
.reg r2
immed[r2, 2]
.reg r3
immed[r3, 3]
.reg r4
immed[r4, 4]
.reg r5
immed[r5, 5]
.reg r6
immed[r6, 6]
.reg r7
immed[r7, 7]
.reg r8
immed[r8, 8]
.reg r9
immed[r9, 9]
.reg r10
immed[r10, 10]
.reg r11
immed[r11, 11]
.reg r12
immed[r12, 12]
.reg r13
immed[r13, 13]
.reg r14
immed[r14, 14]
.reg r15
immed[r15, 15]
.reg r16
immed[r16, 16]
.reg r17
immed[r17, 17]
.reg r18
immed[r18, 18]
.reg r19
immed[r19, 19]
.reg r20
immed[r20, 20]
.reg r21
immed[r21, 21]
.reg r22
immed[r22, 22]
.reg r23
immed[r23, 23]
.reg r24
immed[r24, 24]
.reg r25
immed[r25, 25]
.reg r26
immed[r26, 26]
.reg r27
immed[r27, 27]
.reg r28
immed[r28, 28]
.reg r29
immed[r29, 29]
.reg r30
immed[r30, 30]
.reg r31
immed[r31, 31]
.reg r32
immed[r32, 32]
.reg r33
immed[r33, 33]
.reg r34
immed[r34, 34]
;~ 1-14 error: no place is left for 'r3' in bank A: 17 are needed at once here, there are 16; live are r34, r32, r30, r28, r26, r24, r22, r20, r18, r16, r14, r12, r10, r8, r6, r4, r3 [asm-no-register]
;~   note 71:1-14: 'r34' is set here and next used in line 108
;~   note 67:1-14: 'r32' is set here and next used in line 106
;~   note 63:1-14: 'r30' is set here and next used in line 104
;~   note 59:1-14: 'r28' is set here and next used in line 102
;~   note 55:1-14: 'r26' is set here and next used in line 100
;~   note 51:1-14: 'r24' is set here and next used in line 98
;~   note 71:1-14: the other 11 are used no later than these
;~   note 71:1-14: --spill does not help: ixp1200 has no local memory
;~   help: end scopes earlier
.reg r35
immed[r35, 35]
alu[--, --, B, r0]
alu[--, --, B, r1]
alu[--, --, B, r2]
alu[--, --, B, r3]
alu[--, --, B, r4]
alu[--, --, B, r5]
alu[--, --, B, r6]
alu[--, --, B, r7]
alu[--, --, B, r8]
alu[--, --, B, r9]
alu[--, --, B, r10]
alu[--, --, B, r11]
alu[--, --, B, r12]
alu[--, --, B, r13]
alu[--, --, B, r14]
alu[--, --, B, r15]
alu[--, --, B, r16]
alu[--, --, B, r17]
alu[--, --, B, r18]
alu[--, --, B, r19]
alu[--, --, B, r20]
alu[--, --, B, r21]
alu[--, --, B, r22]
alu[--, --, B, r23]
alu[--, --, B, r24]
alu[--, --, B, r25]
alu[--, --, B, r26]
alu[--, --, B, r27]
alu[--, --, B, r28]
alu[--, --, B, r29]
alu[--, --, B, r30]
alu[--, --, B, r31]
alu[--, --, B, r32]
alu[--, --, B, r33]
alu[--, --, B, r34]
alu[--, --, B, r35]
ctx_arb[kill]

;=== spill_too_many
; options: --spill
.reg r0
immed[r0, 0]
.reg r1
immed[r1, 1]
.reg r2
immed[r2, 2]
.reg r3
immed[r3, 3]
.reg r4
immed[r4, 4]
.reg r5
immed[r5, 5]
.reg r6
immed[r6, 6]
.reg r7
immed[r7, 7]
.reg r8
immed[r8, 8]
.reg r9
immed[r9, 9]
.reg r10
immed[r10, 10]
.reg r11
immed[r11, 11]
.reg r12
immed[r12, 12]
.reg r13
immed[r13, 13]
.reg r14
immed[r14, 14]
.reg r15
immed[r15, 15]
.reg r16
immed[r16, 16]
.reg r17
immed[r17, 17]
.reg r18
immed[r18, 18]
.reg r19
immed[r19, 19]
.reg r20
immed[r20, 20]
.reg r21
immed[r21, 21]
.reg r22
immed[r22, 22]
.reg r23
immed[r23, 23]
.reg r24
immed[r24, 24]
.reg r25
immed[r25, 25]
.reg r26
immed[r26, 26]
.reg r27
immed[r27, 27]
.reg r28
immed[r28, 28]
.reg r29
immed[r29, 29]
.reg r30
immed[r30, 30]
.reg r31
immed[r31, 31]
.reg r32
immed[r32, 32]
.reg r33
immed[r33, 33]
.reg r34
immed[r34, 34]
.reg r35
immed[r35, 35]
.reg r36
immed[r36, 36]
.reg r37
immed[r37, 37]
.reg r38
immed[r38, 38]
.reg r39
immed[r39, 39]
.reg r40
immed[r40, 40]
.reg r41
immed[r41, 41]
.reg r42
immed[r42, 42]
.reg r43
immed[r43, 43]
.reg r44
immed[r44, 44]
.reg r45
immed[r45, 45]
.reg r46
immed[r46, 46]
.reg r47
immed[r47, 47]
.reg r48
immed[r48, 48]
.reg r49
immed[r49, 49]
.reg r50
immed[r50, 50]
.reg r51
immed[r51, 51]
.reg r52
immed[r52, 52]
.reg r53
immed[r53, 53]
.reg r54
immed[r54, 54]
.reg r55
immed[r55, 55]
.reg r56
immed[r56, 56]
.reg r57
immed[r57, 57]
.reg r58
immed[r58, 58]
.reg r59
immed[r59, 59]
.reg r60
immed[r60, 60]
.reg r61
immed[r61, 61]
.reg r62
immed[r62, 62]
.reg r63
immed[r63, 63]
.reg r64
immed[r64, 64]
.reg r65
immed[r65, 65]
.reg r66
immed[r66, 66]
.reg r67
immed[r67, 67]
.reg r68
immed[r68, 68]
;~ 1-14 error: no place is left for 'r37' in bank A: 17 are needed at once here, there are 16; live are r68, r66, r64, r62, r60, r58, r56, r54, r52, r50, r48, r46, r44, r42, r40, r38, r37 [asm-no-register]
;~   note 139:1-14: 'r68' is set here and next used in line 210
;~   note 135:1-14: 'r66' is set here and next used in line 208
;~   note 131:1-14: 'r64' is set here and next used in line 206
;~   note 127:1-14: 'r62' is set here and next used in line 204
;~   note 123:1-14: 'r60' is set here and next used in line 202
;~   note 119:1-14: 'r58' is set here and next used in line 200
;~   note 139:1-14: the other 11 are used no later than these
;~   note 139:1-14: --spill does not help: the 32 words of local memory that both pointers reach are all in use at once
;~   help: 'r68' waits for line 210: compute it closer to there; end scopes earlier; with .num_contexts 4 each context has twice the registers
.reg r69
immed[r69, 69]
alu[--, --, B, r0]
alu[--, --, B, r1]
alu[--, --, B, r2]
alu[--, --, B, r3]
alu[--, --, B, r4]
alu[--, --, B, r5]
alu[--, --, B, r6]
alu[--, --, B, r7]
alu[--, --, B, r8]
alu[--, --, B, r9]
alu[--, --, B, r10]
alu[--, --, B, r11]
alu[--, --, B, r12]
alu[--, --, B, r13]
alu[--, --, B, r14]
alu[--, --, B, r15]
alu[--, --, B, r16]
alu[--, --, B, r17]
alu[--, --, B, r18]
alu[--, --, B, r19]
alu[--, --, B, r20]
alu[--, --, B, r21]
alu[--, --, B, r22]
alu[--, --, B, r23]
alu[--, --, B, r24]
alu[--, --, B, r25]
alu[--, --, B, r26]
alu[--, --, B, r27]
alu[--, --, B, r28]
alu[--, --, B, r29]
alu[--, --, B, r30]
alu[--, --, B, r31]
alu[--, --, B, r32]
alu[--, --, B, r33]
alu[--, --, B, r34]
alu[--, --, B, r35]
alu[--, --, B, r36]
alu[--, --, B, r37]
alu[--, --, B, r38]
alu[--, --, B, r39]
alu[--, --, B, r40]
alu[--, --, B, r41]
alu[--, --, B, r42]
alu[--, --, B, r43]
alu[--, --, B, r44]
alu[--, --, B, r45]
alu[--, --, B, r46]
alu[--, --, B, r47]
alu[--, --, B, r48]
alu[--, --, B, r49]
alu[--, --, B, r50]
alu[--, --, B, r51]
alu[--, --, B, r52]
alu[--, --, B, r53]
alu[--, --, B, r54]
alu[--, --, B, r55]
alu[--, --, B, r56]
alu[--, --, B, r57]
alu[--, --, B, r58]
alu[--, --, B, r59]
alu[--, --, B, r60]
alu[--, --, B, r61]
alu[--, --, B, r62]
alu[--, --, B, r63]
alu[--, --, B, r64]
alu[--, --, B, r65]
alu[--, --, B, r66]
alu[--, --, B, r67]
alu[--, --, B, r68]
alu[--, --, B, r69]
ctx_arb[kill]

;=== spilled
; options: --spill -Wall
.reg r0
;~ 6-7 warning: 4 registers live in local memory, for want of registers: r0, r1, r2, r3 [asm-spill]
;~   note 2:6-7: it costs 9 words to set the pointer and 0 to move values in and out
;~   help: --dump allocation shows where
immed[r0, 0]
.reg r1
immed[r1, 1]
.reg r2
immed[r2, 2]
.reg r3
immed[r3, 3]
.reg r4
immed[r4, 4]
.reg r5
immed[r5, 5]
.reg r6
immed[r6, 6]
.reg r7
immed[r7, 7]
.reg r8
immed[r8, 8]
.reg r9
immed[r9, 9]
.reg r10
immed[r10, 10]
.reg r11
immed[r11, 11]
.reg r12
immed[r12, 12]
.reg r13
immed[r13, 13]
.reg r14
immed[r14, 14]
.reg r15
immed[r15, 15]
.reg r16
immed[r16, 16]
.reg r17
immed[r17, 17]
.reg r18
immed[r18, 18]
.reg r19
immed[r19, 19]
.reg r20
immed[r20, 20]
.reg r21
immed[r21, 21]
.reg r22
immed[r22, 22]
.reg r23
immed[r23, 23]
.reg r24
immed[r24, 24]
.reg r25
immed[r25, 25]
.reg r26
immed[r26, 26]
.reg r27
immed[r27, 27]
.reg r28
immed[r28, 28]
.reg r29
immed[r29, 29]
.reg r30
immed[r30, 30]
.reg r31
immed[r31, 31]
.reg r32
immed[r32, 32]
.reg r33
immed[r33, 33]
.reg r34
immed[r34, 34]
.reg r35
immed[r35, 35]
alu[--, --, B, r0]
alu[--, --, B, r1]
alu[--, --, B, r2]
alu[--, --, B, r3]
alu[--, --, B, r4]
alu[--, --, B, r5]
alu[--, --, B, r6]
alu[--, --, B, r7]
alu[--, --, B, r8]
alu[--, --, B, r9]
alu[--, --, B, r10]
alu[--, --, B, r11]
alu[--, --, B, r12]
alu[--, --, B, r13]
alu[--, --, B, r14]
alu[--, --, B, r15]
alu[--, --, B, r16]
alu[--, --, B, r17]
alu[--, --, B, r18]
alu[--, --, B, r19]
alu[--, --, B, r20]
alu[--, --, B, r21]
alu[--, --, B, r22]
alu[--, --, B, r23]
alu[--, --, B, r24]
alu[--, --, B, r25]
alu[--, --, B, r26]
alu[--, --, B, r27]
alu[--, --, B, r28]
alu[--, --, B, r29]
alu[--, --, B, r30]
alu[--, --, B, r31]
alu[--, --, B, r32]
alu[--, --, B, r33]
alu[--, --, B, r34]
alu[--, --, B, r35]
ctx_arb[kill]

;=== too_many_registers
.reg r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15 r16 r17 r18 r19 r20 r21 r22 r23 r24 r25 r26 r27 r28 r29 r30 r31 r32 r33 r34 r35 r36 r37 r38 r39
immed[r0, 0]
immed[r1, 1]
immed[r2, 2]
immed[r3, 3]
immed[r4, 4]
immed[r5, 5]
immed[r6, 6]
immed[r7, 7]
immed[r8, 8]
immed[r9, 9]
immed[r10, 10]
immed[r11, 11]
immed[r12, 12]
immed[r13, 13]
immed[r14, 14]
immed[r15, 15]
immed[r16, 16]
immed[r17, 17]
immed[r18, 18]
immed[r19, 19]
immed[r20, 20]
immed[r21, 21]
immed[r22, 22]
immed[r23, 23]
immed[r24, 24]
immed[r25, 25]
immed[r26, 26]
immed[r27, 27]
immed[r28, 28]
immed[r29, 29]
immed[r30, 30]
immed[r31, 31]
immed[r32, 32]
immed[r33, 33]
immed[r34, 34]
immed[r35, 35]
immed[r36, 36]
immed[r37, 37]
immed[r38, 38]
;~ 1-14 error: no place is left for 'r7' in bank A: 17 are needed at once here, there are 16; live are r38, r36, r34, r32, r30, r28, r26, r24, r22, r20, r18, r16, r14, r12, r10, r8, r7 [asm-no-register]
;~   note 40:1-14: 'r38' is set here and next used in line 80
;~   note 38:1-14: 'r36' is set here and next used in line 78
;~   note 36:1-14: 'r34' is set here and next used in line 76
;~   note 34:1-14: 'r32' is set here and next used in line 74
;~   note 32:1-14: 'r30' is set here and next used in line 72
;~   note 30:1-14: 'r28' is set here and next used in line 70
;~   note 40:1-14: the other 11 are used no later than these
;~   help: 'r38' waits for line 80: compute it closer to there; end scopes earlier; --spill keeps in local memory what finds no register; with .num_contexts 4 each context has twice the registers
immed[r39, 39]
alu[--, --, B, r0]
alu[--, --, B, r1]
alu[--, --, B, r2]
alu[--, --, B, r3]
alu[--, --, B, r4]
alu[--, --, B, r5]
alu[--, --, B, r6]
alu[--, --, B, r7]
alu[--, --, B, r8]
alu[--, --, B, r9]
alu[--, --, B, r10]
alu[--, --, B, r11]
alu[--, --, B, r12]
alu[--, --, B, r13]
alu[--, --, B, r14]
alu[--, --, B, r15]
alu[--, --, B, r16]
alu[--, --, B, r17]
alu[--, --, B, r18]
alu[--, --, B, r19]
alu[--, --, B, r20]
alu[--, --, B, r21]
alu[--, --, B, r22]
alu[--, --, B, r23]
alu[--, --, B, r24]
alu[--, --, B, r25]
alu[--, --, B, r26]
alu[--, --, B, r27]
alu[--, --, B, r28]
alu[--, --, B, r29]
alu[--, --, B, r30]
alu[--, --, B, r31]
alu[--, --, B, r32]
alu[--, --, B, r33]
alu[--, --, B, r34]
alu[--, --, B, r35]
alu[--, --, B, r36]
alu[--, --, B, r37]
alu[--, --, B, r38]
alu[--, --, B, r39]
ctx_arb[kill]

;=== too_many_signals
.sig s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12 s13 s14 s15
.set_sig s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12 s13 s14 s15
ctx_arb[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15]
;~ 1-77 error: no place is left for 's15' in signals: 16 are needed at once here, there are 15; live are s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15 [asm-no-register]
;~   note 1:6-7: 's0' is declared here and awaited in line 3
;~   note 1:9-10: 's1' is declared here and awaited in line 3
;~   note 1:12-13: 's2' is declared here and awaited in line 3
;~   note 1:15-16: 's3' is declared here and awaited in line 3
;~   note 1:18-19: 's4' is declared here and awaited in line 3
;~   note 1:21-22: 's5' is declared here and awaited in line 3
;~   note 3:1-77: the other 10 are used no later than these
;~   help: await a signal before the next command takes one; a doubled signal takes two numbers
ctx_arb[kill]

;=== too_many_transfer_registers
.reg addr $a[8] $b[8] $c[8]
.sig s1 s2 s3
immed[addr, 0]
sram[read, $a[0], addr, 0, 8], sig_done[s1]
sram[read, $b[0], addr, 0, 8], sig_done[s2]
sram[read, $c[0], addr, 0, 8], sig_done[s3]
;~ 1-43 error: no place is left for '$c[0]' in the $ read registers: 24 are needed at once here, there are 16; live are $c[7], $c[6], $c[5], $c[4], $c[3], $c[2], $c[1], $c[0], $b[7], $b[6], $b[5], $b[4], $b[3], $b[2], $b[1], $b[0], $a[7], $a[6], $a[5], $a[4], $a[3], $a[2], $a[1], $a[0] [asm-no-register]
;~   note 6:1-43: '$c[7]' is set here and next used in line 31
;~   note 6:1-43: '$c[6]' is set here and next used in line 30
;~   note 6:1-43: '$c[5]' is set here and next used in line 29
;~   note 6:1-43: '$c[4]' is set here and next used in line 28
;~   note 6:1-43: '$c[3]' is set here and next used in line 27
;~   note 6:1-43: '$c[2]' is set here and next used in line 26
;~   note 6:1-43: the other 18 are used no later than these
;~   help: end scopes earlier, await commands sooner, or move fewer longwords at once; '$c[0]' needs 8 registers in a row; with .num_contexts 4 each context has twice the registers
ctx_arb[s1, s2, s3]
alu[--, --, B, $a[0]]
alu[--, --, B, $a[1]]
alu[--, --, B, $a[2]]
alu[--, --, B, $a[3]]
alu[--, --, B, $a[4]]
alu[--, --, B, $a[5]]
alu[--, --, B, $a[6]]
alu[--, --, B, $a[7]]
alu[--, --, B, $b[0]]
alu[--, --, B, $b[1]]
alu[--, --, B, $b[2]]
alu[--, --, B, $b[3]]
alu[--, --, B, $b[4]]
alu[--, --, B, $b[5]]
alu[--, --, B, $b[6]]
alu[--, --, B, $b[7]]
alu[--, --, B, $c[0]]
alu[--, --, B, $c[1]]
alu[--, --, B, $c[2]]
alu[--, --, B, $c[3]]
alu[--, --, B, $c[4]]
alu[--, --, B, $c[5]]
alu[--, --, B, $c[6]]
alu[--, --, B, $c[7]]
ctx_arb[kill]
