// Small macros that every block uses.
#ifndef WEFT_STD_UC
#define WEFT_STD_UC

// move(out_dest, in_value): any 32-bit constant into a general-purpose register. One word when the upper half is 0, else
// two.
#macro move(out_dest, in_value)
    immed[out_dest, ((in_value) & 0xffff)]
#if ((((in_value) >> 16) & 0xffff) != 0)
    immed_w1[out_dest, (((in_value) >> 16) & 0xffff)]
#endif
#endm

// move_import(out_dest, in_import): a value that the linker knows, into such a register. Always two words.
#macro move_import(out_dest, in_import)
    immed[out_dest, (in_import & 0xffff)]
    immed_w1[out_dest, (in_import >> 16)]
#endm

// signal_next(in_signal): raises the signal in the next context of this microengine (7 is followed by 0).
// A chain of contexts that each wait for it and then pass it on runs a section of code in strict order.
#macro signal_next(in_signal)
    local_csr_wr[SAME_ME_SIGNAL, (0x80 | (&in_signal << 3))]
#endm

// signal_context(in_signal, in_context): raises the signal in a context given by number (constant).
#macro signal_context(in_signal, in_context)
    local_csr_wr[SAME_ME_SIGNAL, ((in_context) | (&in_signal << 3))]
#endm

#endif
