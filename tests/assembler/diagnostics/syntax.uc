; Lines that cannot be read, brackets and commas, scopes, structured blocks and their conditions.
; The form is described in tests/assembler/annotated.h.

;=== begin_without_end
.reg a b count $x $y[4] $$d
.sig done
.begin
;~ 1-6 error: this scope is never closed [asm-scope]
;~   help: add .end (or .endlocal)
l#: nop
ctx_arb[kill]

;=== bracket_closes_nothing
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, b]]
;~ 17 error: ']' closes nothing [asm-brackets]
l#: nop
ctx_arb[kill]

;=== bracket_missing
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, b
;~ 16 error: expected ']' after the operands [asm-brackets]
;~   help: an instruction goes on in the next line after a comma
l#: nop
ctx_arb[kill]

;=== bracket_wrong
.reg a b count $x $y[4] $$d
.sig done
alu[a, --, B, (b]
;~ 17 error: expected ')' to close '(', found ']' [asm-brackets]
l#: nop
ctx_arb[kill]

;=== break_outside
.reg a b count $x $y[4] $$d
.sig done
.break
;~ 1-6 error: .break stands in no loop [asm-block]
l#: nop
ctx_arb[kill]

;=== cascade_syntax
; One message for each of the five wrong lines: what they open and declare holds.
.reg a b
.begin
.reg c = 5
;~ 8 error: expected the end of the line but found '=' [asm-syntax]
immed[c, 1]
again#: alu[a b]
;~ 15 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   help: a constant expression in an operand stands in parentheses
.while (a > > b)
;~ 13 error: '>' does not fit in an expression [asm-syntax]
    nop
.endw
.if (a = 1)
;~ 8 error: expected ')' but found '=' in an expression [asm-syntax]
    immed[b, 1]
.else
    immed[b, 2]
.endif
br[again#]
.end
last#: alu[b, a
;~ 16 error: expected ']' after the operands [asm-brackets]
;~   help: an instruction goes on in the next line after a comma

;=== comma_before_token
.reg a b count $x $y[4] $$d
.sig done
beq[l#] defer[1]
;~ 9-13 error: expected ',' before 'defer' [asm-syntax]
;~   fix 8: beq[l#], defer[1]
l#: nop
ctx_arb[kill]

;=== comma_missing
.reg a b count $x $y[4] $$d
.sig done
alu[a, -- B, b]
;~ 11 error: expected ',' or ']' after the operand, found 'B' [asm-syntax]
;~   help: a constant expression in an operand stands in parentheses
l#: nop
ctx_arb[kill]

;=== condition_bit_arguments
.reg a b count $x $y[4] $$d
.sig done
.if (BIT(a))
;~ 6-11 error: BIT() takes 2 arguments [asm-condition]
;~   help: conditions are (reg OP value) with == != > >= < <= &, BIT(r,n), BYTE(r,n)==k, COUT(), CTX()==n, INP_STATE(s), SIGNAL(s), (=0) and its like, joined by && and ||
nop
.endif
ctx_arb[kill]

;=== condition_byte_order
.reg a b count $x $y[4] $$d
.sig done
.if (BYTE(a, 1) > 3)
;~ 6-15 error: BYTE() is compared by == or != [asm-condition]
;~   help: conditions are (reg OP value) with == != > >= < <= &, BIT(r,n), BYTE(r,n)==k, COUT(), CTX()==n, INP_STATE(s), SIGNAL(s), (=0) and its like, joined by && and ||
nop
.endif
ctx_arb[kill]

;=== condition_codes
.reg a b count $x $y[4] $$d
.sig done
.if (=1)
;~ 5-8 error: the condition codes are compared with 0 only [asm-condition]
;~   help: for example (=0) or (>=0)
nop
.endif
ctx_arb[kill]

;=== condition_nested_comparison
.reg a b count $x $y[4] $$d
.sig done
.if ((a == b) == 1)
;~ 7-12 error: a comparison has no value to compare with [asm-condition]
;~   help: conditions are (reg OP value) with == != > >= < <= &, BIT(r,n), BYTE(r,n)==k, COUT(), CTX()==n, INP_STATE(s), SIGNAL(s), (=0) and its like, joined by && and ||
nop
.endif
ctx_arb[kill]

;=== condition_unknown
.reg a b count $x $y[4] $$d
.sig done
.if (FOO(a))
;~ 6-11 error: there is no condition FOO() [asm-condition]
;~   help: conditions are (reg OP value) with == != > >= < <= &, BIT(r,n), BYTE(r,n)==k, COUT(), CTX()==n, INP_STATE(s), SIGNAL(s), (=0) and its like, joined by && and ||
nop
.endif
ctx_arb[kill]

;=== else_twice
.reg a b count $x $y[4] $$d
.sig done
.if (a)
nop
.else
nop
.else
;~ 1-5 error: .else after .else [asm-block]
.endif
nop
ctx_arb[kill]

;=== end_without_begin
.reg a b count $x $y[4] $$d
.sig done
.end
;~ 1-4 error: .end without .begin [asm-scope]
l#: nop
ctx_arb[kill]

;=== endif_closes_while
.reg a b count $x $y[4] $$d
.sig done
.while (a)
.endif
;~ 1-6 error: .endif does not belong to the innermost block [asm-block]
.endw
nop
ctx_arb[kill]

;=== endif_without_if
.reg a b count $x $y[4] $$d
.sig done
.endif
;~ 1-6 error: .endif without .if [asm-block]
l#: nop
ctx_arb[kill]

;=== endsub_alone
.reg a b count $x $y[4] $$d
.sig done
.endsub
;~ 1-7 error: .endsub without .subroutine [asm-subroutine]
l#: nop
ctx_arb[kill]

;=== expression_incomplete
.reg a b count $x $y[4] $$d
.sig done
immed[a, (1 + )]
;~ 15 error: ')' does not fit in an expression [asm-syntax]
l#: nop
ctx_arb[kill]

;=== if_never_closed
.reg a b count $x $y[4] $$d
.sig done
.if (a)
;~ 1-7 error: this block is never closed [asm-block]
;~   help: add .endif
l#: nop
ctx_arb[kill]

;=== label_without_colon
.reg a b count $x $y[4] $$d
.sig done
m# nop
;~ 4-6 error: expected ':' after the label 'm#' [asm-syntax]
;~   fix 3: m#: nop
l#: nop
ctx_arb[kill]

;=== nesting
.reg a
immed[a, ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))]
;~ 265 error: brackets nest deeper than 256 levels [asm-nesting]
ctx_arb[kill]

;=== number_begins_line
.reg a b count $x $y[4] $$d
.sig done
5 nop
;~ 1 error: a line cannot begin with '5' [asm-syntax]
;~   help: a line holds labels and an instruction, a directive or a structured keyword
l#: nop
ctx_arb[kill]

;=== operand_missing
.reg a b count $x $y[4] $$d
.sig done
alu[a, , B, b]
;~ 8 error: an operand is missing here [asm-syntax]
;~   help: write '--' for an operand that is not there
;~   fix 8-9: alu[a, --, B, b]
l#: nop
ctx_arb[kill]

;=== repeat_never_closed
.reg a b count $x $y[4] $$d
.sig done
.repeat
;~ 1-7 error: this block is never closed [asm-block]
;~   help: add .until (condition)
l#: nop
ctx_arb[kill]

;=== scopes_crossed
.reg a b count $x $y[4] $$d
.sig done
.begin
;~ 1-6 error: this scope is never closed [asm-scope]
;~   help: add .end (or .endlocal)
.reg c
.local d
nop
.end
;~ 1-4 error: the innermost scope is closed by .endlocal [asm-scope]
;~   note 5:1-6: it was opened here
.endlocal
ctx_arb[kill]

;=== too_many_syntax_errors
.reg a
#repeat 60000
alu[a b]
;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   note 2:2-7: in the loop '#repeat', pass 1
;~   help: a constant expression in an operand stands in parentheses
;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   note 2:2-7: in the loop '#repeat', pass 2
;~   help: a constant expression in an operand stands in parentheses
;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   note 2:2-7: in the loop '#repeat', pass 3
;~   help: a constant expression in an operand stands in parentheses
;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   note 2:2-7: in the loop '#repeat', pass 4
;~   help: a constant expression in an operand stands in parentheses
;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   note 2:2-7: in the loop '#repeat', pass 5
;~   help: a constant expression in an operand stands in parentheses
;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   note 2:2-7: in the loop '#repeat', pass 6
;~   help: a constant expression in an operand stands in parentheses
;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   note 2:2-7: in the loop '#repeat', pass 7
;~   help: a constant expression in an operand stands in parentheses
;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   note 2:2-7: in the loop '#repeat', pass 8
;~   help: a constant expression in an operand stands in parentheses
;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   note 2:2-7: in the loop '#repeat', pass 9
;~   help: a constant expression in an operand stands in parentheses
;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
;~   note 2:2-7: in the loop '#repeat', pass 10
;~   note: the same is said here 4990 more times, left out
;~   help: a constant expression in an operand stands in parentheses
;~ 7 error: there are 5000 errors up to here; what follows is not looked at [asm-too-many-errors]
;~   note 2:2-7: in the loop '#repeat', pass 5000
;~   help: cure the first ones; the others often go with them
#endloop
ctx_arb[kill]
