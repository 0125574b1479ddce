; Directives of the assembler, and names that are declared twice or wrongly.
; The form is described in tests/assembler/annotated.h.

;=== addr_of_signal
.reg a b count $x $y[4] $$d
.sig done
.addr done 16
;~ 12-13 error: the signal number is 16; it must be 1 to 15 [asm-directive]
l#: nop
ctx_arb[kill]

;=== addr_out_of_range
.reg a b count $x $y[4] $$d
.sig done
.addr a 40 a
;~ 9-10 error: the register number is 40; it must be 0 to 31 [asm-directive]
l#: nop
ctx_arb[kill]

;=== addr_without_bank
.reg a b count $x $y[4] $$d
.sig done
.addr a 3
;~ 7 error: the bank of 'a' is missing [asm-directive]
;~   help: write .addr name number a|b
l#: nop
ctx_arb[kill]

;=== array_size
.reg a b count $x $y[4] $$d
.sig done
.reg q[0]
;~ 6-9 error: the size of 'q' must be a number from 1 to 128 [asm-declaration]
l#: nop
ctx_arb[kill]

;=== attribute_without_name
.reg a b count $x $y[4] $$d
.sig done
.reg volatile
;~ 1-4 error: .reg names no register [asm-directive]
;~   help: write .reg [volatile global visible read write extern remote] name ...
l#: nop
ctx_arb[kill]

;=== block_without_text
.reg a b count $x $y[4] $$d
.sig done
.block
;~ 1-6 error: .block needs a text [asm-directive]
;~   help: write .block some words
l#: nop
ctx_arb[kill]

;=== declared_twice
.reg a b count $x $y[4] $$d
.sig done
.reg a
;~ 6 error: 'a' is declared twice in one scope [asm-redeclared]
;~   note 1:6: the first declaration is here
l#: nop
ctx_arb[kill]

;=== define_hides_register
.reg a b count $x $y[4] $$d
.sig done
#define COUNT 3
alu[a, --, B, 1]
.begin
.reg count
;~ 6-10 error: the define 'COUNT' replaces the name of this register [asm-declaration]
;~   note 3:9-13: in expansion of 'COUNT', defined here
;~   help: the two differ by case alone: make them two names with -C ("case_sensitive" in weft.json), or rename one
.end
ctx_arb[kill]

;=== import_as_register
.reg a b count $x $y[4] $$d
.sig done
.reg i$q
;~ 6-8 error: 'i$q' cannot be the name of a register [asm-declaration]
;~   help: prefixes: none or @ (GPR), $ and $$ (transfer), n$ (neighbor)
l#: nop
ctx_arb[kill]

;=== import_without_prefix
.reg a b count $x $y[4] $$d
.sig done
.import_var foo
;~ 13-15 error: an import variable is named i$name [asm-directive]
l#: nop
ctx_arb[kill]

;=== init_context
.reg a b count $x $y[4] $$d
.sig done
.init_ctx 8 a 1
;~ 11 error: the context is 8; it must be 0 to 7 [asm-directive]
l#: nop
ctx_arb[kill]

;=== init_too_many
.reg a b count $x $y[4] $$d
.sig done
.init a 1 2
;~ 11 error: 'a' holds 1 longword [asm-directive]
l#: nop
ctx_arb[kill]

;=== label_twice
.reg a b count $x $y[4] $$d
.sig done
m#: nop
m#: nop
;~ 1-2 error: the label 'm#' is defined twice [asm-duplicate-label]
;~   note 3:1-2: the first definition is here
ctx_arb[kill]

;=== memory_alignment
.reg a b count $x $y[4] $$d
.sig done
.alloc_mem m sram0 local 4 3
;~ 28 error: the alignment must be a power of two [asm-directive]
l#: nop
ctx_arb[kill]

;=== memory_region
.reg a b count $x $y[4] $$d
.sig done
.alloc_mem m sramm global 4
;~ 14-18 error: there is no memory region 'sramm' [asm-directive]
;~   help: regions: scratch, sram0 to sram3, dram, local
l#: nop
ctx_arb[kill]

;=== num_contexts
.reg a b count $x $y[4] $$d
.sig done
.num_contexts 6
;~ 15 error: a microengine runs 4 or 8 contexts [asm-directive]
l#: nop
ctx_arb[kill]

;=== num_contexts_missing
.reg a b count $x $y[4] $$d
.sig done
.num_contexts
;~ 1-13 error: .num_contexts has too few arguments [asm-directive]
;~   help: write .num_contexts 4|8
l#: nop
ctx_arb[kill]

;=== obsolete_synonym
.reg a b count $x $y[4] $$d
.sig done
.operand_synonym a b
;~ 1-16 error: .operand_synonym is obsolete [asm-directive]
;~   help: write #define name operand
l#: nop
ctx_arb[kill]

;=== only_declarations
; nothing but declarations
.reg a b
.sig done
;~ only_declarations.uc error: the program has no instructions [asm-empty-program]
;~   help: write at least one, for example ctx_arb[kill]

;=== read_gpr
.reg a b count $x $y[4] $$d
.sig done
.reg read q
;~ 11 error: 'q' is not a transfer register: it cannot be read or write [asm-declaration]
l#: nop
ctx_arb[kill]

;=== registers_mode
.reg a b count $x $y[4] $$d
.sig done
.registers virtual
;~ 12-18 error: expected .registers physical [asm-directive]
l#: nop
ctx_arb[kill]

;=== remote_register
; Names of another microengine take no register here.
.reg remote $x
.sig remote s
.reg a
immed[a, &$x]
;~ 1-13 error: '$x' is declared remote: it is a register of another microengine, whose program this assembler does not see [asm-remote]
;~   note 2:13-14: '$x' is declared here
;~   help: give its number to this program through .import_var; in the program that owns it, declare it visible and pin it with .addr
alu[a, a, +, $x]
;~ 1-16 error: '$x' is declared remote: it is a register of another microengine, whose program this assembler does not see [asm-remote]
;~   note 2:13-14: '$x' is declared here
;~   help: give its number to this program through .import_var; in the program that owns it, declare it visible and pin it with .addr
immed[a, &s]
;~ 1-12 error: 's' is declared remote: it is a signal of another microengine, whose program this assembler does not see [asm-remote]
;~   note 3:13: 's' is declared here
;~   help: give its number to this program through .import_var; in the program that owns it, declare it visible and pin it with .addr
alu[--, --, B, a]
ctx_arb[s]
;~ 1-10 error: 's' is declared remote: it is a signal of another microengine, whose program this assembler does not see [asm-remote]
;~   note 3:13: 's' is declared here
;~   help: give its number to this program through .import_var; in the program that owns it, declare it visible and pin it with .addr
ctx_arb[kill]

;=== signal_with_prefix
.reg a b count $x $y[4] $$d
.sig done
.sig $q
;~ 6-7 error: '$q' cannot be the name of a signal [asm-declaration]
l#: nop
ctx_arb[kill]

;=== visible_gpr
.reg a b count $x $y[4] $$d
.sig done
.reg visible q
;~ 14 error: 'q' is not a transfer register: it cannot be visible or remote [asm-declaration]
l#: nop
ctx_arb[kill]

;=== word_too_wide
.reg a b count $x $y[4] $$d
.sig done
.word 0x10000000000
;~ 7-19 error: the word is 1099511627776; it must be 0 to 1099511627775 [asm-directive]
l#: nop
ctx_arb[kill]
