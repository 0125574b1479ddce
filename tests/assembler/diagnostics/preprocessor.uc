; Directives, macros, loops and includes.
; The form is described in tests/assembler/annotated.h.

;=== comment_unterminated
nop
/* this goes on
;~ 1-2 error: this comment has no end [pp-unterminated-comment]
;~   help: close it with */
ctx_arb[kill]

;=== condition_in_macro
#macro f
#if 1
;~ 2-3 error: this condition is still open at the end of the macro or loop it stands in [pp-missing-endif]
;~   note 5:1: in expansion of macro 'f'
;~   help: close it with #endif
nop
#endm
f
ctx_arb[kill]

;=== condition_unclosed
#if 1
;~ 2-3 error: this condition is still open at the end of the file [pp-missing-endif]
;~   help: close it with #endif
#ifdef X
nop
#endif
ctx_arb[kill]

;=== define_chain
.reg a
#define LIMIT (1 << SHIFT)
#define SHIFT 40
immed[a, LIMIT]
;~ 10-14 error: 1099511627776 does not fit into 32 bits [asm-constant-width]
;~   note 2:9-13: in expansion of 'LIMIT', defined here
ctx_arb[kill]

;=== define_misspelt
#define BUFFER_COUNT 4
#if BUFER_COUNT > 2
;~ 5-15 error: 'BUFER_COUNT' is not defined [pp-undefined-name]
;~   help: did you mean 'BUFFER_COUNT'?
nop
#elif BUFFER_COUNT > 1
nop
#endif
ctx_arb[kill]

;=== define_redefined
#define SIZE 64
#define SIZE 128
;~ 9-12 warning: 'SIZE' is defined again with another text [pp-redefined]
;~   note 1:9-12: defined here before
;~   help: #undef it first
.reg a
immed[a, SIZE]
alu[--, --, B, a]
ctx_arb[kill]

;=== directive_misspelt
#ifdeff X
;~ 2-7 error: there is no directive '#ifdeff' [pp-unknown-directive]
;~   help: did you mean '#ifdef'?
;~   fix 2-6: #ifdef X
nop
#endif
ctx_arb[kill]

;=== error_in_macro
#macro check(n)
#if (n > 3)
#error "too many:" n
;~ 2-6 error: too many: 5 [pp-error]
;~   note 7:1-5: in expansion of macro 'check' with arguments 5
#endif
#endm
check(2)
check(5)
ctx_arb[kill]

;=== include_chain
.reg a
#include "include_chain.h"
ctx_arb[kill]
;~ include_inner.h:2:15-21 error: the register 'missing', operand 4 of alu, is not declared [asm-undeclared-register]
;~   note include_chain.h:1:10-26: included from here
;~   note 2:10-26: included from here
;~   help: add .reg missing

;=== macro_argument
.reg a
#macro put(to, what)
alu[to, --, B, what]
#endm
put(a, 999)
;~ 8-10 error: 999 cannot be operand 4 of alu: here it may be 0 to 255 [asm-constant-width]
;~   note 3:16-19: used here as 'what'
;~   note 5:1-3: in expansion of macro 'put' with arguments a, 999
;~   help: load it into a register with immed
ctx_arb[kill]

;=== macro_arguments
#macro copy(to, from)
alu[to, --, B, from]
#endm
#macro copy(to)
immed[to, 0]
#endm
.reg a
copy(a, 1, 2)
;~ 1-4 error: macro 'copy' takes 1 or 2 arguments, not 3 [pp-macro-arguments]
;~   note 1:8-11: the macro is defined here
ctx_arb[kill]

;=== macro_chain
.reg a
#macro put(to, what)
alu[to, --, B, what]
#endm
#macro put_twice(to)
put(to, missing)
;~ 9-15 error: the register 'missing', operand 4 of alu, is not declared [asm-undeclared-register]
;~   note 3:16-19: used here as 'what'
;~   note 6:1-3: in expansion of macro 'put' with arguments a, missing
;~   note 10:1-9: in expansion of macro 'put_twice' with arguments a
;~   help: add .reg missing
put(to, 1)
#endm
nop
put_twice(a)
ctx_arb[kill]

;=== macro_in_loop
.reg a
#macro put(to, what)
immed[to, what]
#endm
#for V [1, 0x12345678]
put(a, V)
;~ 8 error: 0x12345678 needs two words: immed holds 16 bits at bit 0, 8 or 16, or the complement of that [asm-constant-width]
;~   note 3:11-14: used here as 'what'
;~   note 6:1-3: in expansion of macro 'put' with arguments a, 0x12345678
;~   note 5:2-4: in the loop '#for', V = 0x12345678
;~   help: write immed[a, 0x5678] and immed_w1[a, 0x1234]
#endloop
alu[--, --, B, a]
ctx_arb[kill]

;=== macro_label_outside
#macro wait(n)
again#: br[again#]
#endm
wait(1)
br[again#]
;~ 4-9 error: the label 'again#' is not defined [asm-undefined-label]

;=== missing_include
#include "not_there.h"
;~ 10-22 error: cannot read the file 'not_there.h' [pp-include-missing]
;~   help: searched: not_there.h; add its folder with -I
#if SIZE_FROM_THERE > 2
nop
#endif
ctx_arb[kill]

;=== own_messages
#info "built for" __IXPTYPE
;~ 2-5 info: built for 0x2 [pp-info]
#warning "counters are off"
;~ 2-8 warning: counters are off [pp-warning]
#error "no ports"
;~ 2-6 error: no ports [pp-error]
ctx_arb[kill]

;=== stray_characters
.reg a
alu[a, --, B, {1}]
;~ 15 error: '{' has no meaning here [pp-stray-character]
nop \ nop
;~ 5 error: a backslash continues a line only at its end [pp-stray-character]
ctx_arb[kill]

;=== string_unterminated
.block "receive
;~ 8-15 error: this text has no closing quote [pp-unterminated-text]
ctx_arb[kill]

;=== tabs_and_utf8
.reg a	; größer
	alu[a, --,	B, größe]	; Straße
;~ 18-19 error: these characters have no meaning here [pp-stray-character]
;~   help: only comments and strings may hold other than ASCII characters
	alu[a, --,	B, zzz]
;~ 16-18 error: the register 'zzz', operand 4 of alu, is not declared [asm-undeclared-register]
;~   help: add .reg zzz
ctx_arb[kill]

;=== wrong_line_in_loop
.reg a
#repeat 4000
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
;~   note: the same is said here 3990 more times, left out
;~   help: a constant expression in an operand stands in parentheses
#endloop
aluu[a, --, B, 1]
;~ 1-4 error: there is no instruction or macro 'aluu' [asm-unknown-instruction]
;~   help: did you mean 'alu'?
;~   fix 1-3: alu[a, --, B, 1]
ctx_arb[kill]
