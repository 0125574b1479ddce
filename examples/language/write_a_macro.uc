// Task: write a macro.
// `move` loads a constant in as few words as it takes, and copies when its argument is a register. Which of the three it
// does is decided while assembling; the program gets one or two words.
//
// gives: scratch[0x100] = 0x12345678
// gives: scratch[0x104] = 0x12345678
// gives: scratch[0x108] = 0xff
#macro move(to, from)
    #if (is_ct_const(from))
        #define_eval VALUE (from)
        #if (((VALUE >> 16) & 0xffff) == 0)
            immed[to, VALUE]
        #else
            immed[to, (VALUE & 0xffff)]
            immed_w1[to, ((VALUE >> 16) & 0xffff)]
        #endif
        #undef VALUE
    #else
        alu[to, --, B, from]
    #endif
#endm

// The label in a macro belongs to one call: two calls make two labels.
#macro limit(value, most)
    alu[--, most, -, value]
    bhs[small_enough#]
    move(value, most)
small_enough#:
#endm

.sig written
.reg a b c most base
.reg write $x0 $x1 $x2
.xfer_order $x0 $x1 $x2

    move(a, 0x12345678)
    move(b, a)
    move(c, 1000)
    move(most, 0xff)
    limit(c, most)
    limit(most, a)

    move($x0, a)
    move($x1, b)
    move($x2, c)
    move(base, 0x100)
    scratch[write, $x0, base, 0, 3], ctx_swap[written]
    ctx_arb[kill]
