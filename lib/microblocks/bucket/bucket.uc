// bucket: what policer and meters share: time, the cost of a packet, and a record in SRAM that one thread at a time works on.
//
// Purpose    Token buckets are kept as time. A byte costs so many units of time, a bucket holds so many units, and time fills it:
//            nothing is multiplied by the time since the last packet, so nothing overflows and no fraction is lost.
// Inputs     A unit is 1/4096 of an engine cycle. Time is a number of 64 bits (high, low), and only differences count: it may
//            wrap (after 87 days at 600 MHz). A cost is a number of 32 bits. The records: README.md.
// Registers  see each macro
// Memory     me1: scratch BUCKET_CLOCK_AT, three longwords {high, low, high} that the control processor writes from the last one
//            to the first
// Budget     README.md
// Limits     A packet of up to 65,535 bytes, a bucket of less than 2^63 units. A reading of the time that is up to
//            2^48 units (114 s at 600 MHz) older than the record is known as such; a bucket that nobody has asked for longer than
//            2^64 - 2^48 units is taken for one of these.
#ifndef WEFT_BUCKET_UC
#define WEFT_BUCKET_UC

#include "portable/portable.uc"

#ifndef BUCKET_CLOCK_AT
#define BUCKET_CLOCK_AT 68
#endif
// 0: the caller sees to it that only one thread at a time works on a record.
#ifndef BUCKET_LOCK
#define BUCKET_LOCK 1
#endif

// bucket_now(out_high, out_low): the time. Four temporaries at most; on me1 three $.
#macro bucket_now(out_high, out_low)
.begin
#if (PORTABLE_ME1)
    .reg clock
    .reg read $time[3]
    immed[clock, BUCKET_CLOCK_AT]
again#:
    scratch[read, $time[0], clock, 0, 3], ctx_swap
    alu[out_high, --, B, $time[0]]
    alu[--, out_high, XOR, $time[2]]
    br!=0[again#]                               // written between our first and our last longword
    alu[out_low, --, B, $time[1]]
#else
    // The timestamp counts 16 cycles: 65,536 units.
    .reg ticks_high ticks_low later
again#:
    local_csr_rd[TIMESTAMP_HIGH]
    immed[ticks_high, 0]
    local_csr_rd[TIMESTAMP_LOW]
    immed[ticks_low, 0]
    local_csr_rd[TIMESTAMP_HIGH]
    immed[later, 0]
    alu[--, later, XOR, ticks_high]
    bne[again#]
    dbl_shf[out_high, ticks_high, ticks_low, >>16]
    alu_shf[out_low, --, B, ticks_low, <<16]
#endif
.end
#endm

// bucket_cost(out_high, out_low, in_cost, in_bytes): in_cost * in_bytes. in_cost may be a $ register. me1: 4 temporaries, and
// 4 instructions and 8 for each bit up to the highest one of in_bytes; me2: 9 instructions, one temporary.
#macro bucket_cost(out_high, out_low, in_cost, in_bytes)
.begin
#if (PORTABLE_ME1)
    .reg part_high part_low rest
    alu[part_low, --, B, in_cost]
    immed[part_high, 0]
    immed[out_high, 0]
    immed[out_low, 0]
    alu[rest, --, B, in_bytes]
next#:
    br_bclr[rest, 0, even#]
    alu[out_low, out_low, +, part_low]
    alu[out_high, out_high, +carry, part_high]
even#:
    dbl_shf[part_high, part_high, part_low, >>31]
    alu_shf[rest, --, B, rest, >>1]
    br!=0[next#], defer[1]
    alu_shf[part_low, --, B, part_low, <<1]
#else
    .reg factor
    alu[factor, --, B, in_cost]
    mul_step[factor, in_bytes], 32x32_start
    mul_step[factor, in_bytes], 32x32_step1
    mul_step[factor, in_bytes], 32x32_step2
    mul_step[factor, in_bytes], 32x32_step3
    mul_step[factor, in_bytes], 32x32_step4
    mul_step[out_low, --], 32x32_last
    mul_step[out_high, --], 32x32_last2
#endif
.end
#endm

// bucket_take(out_longwords, in_record, COUNT): the record is ours, and COUNT longwords from longword 1 on are read.
// out_longwords: an array of read registers.
#macro bucket_take(out_longwords, in_record, COUNT)
.begin
#if (PORTABLE_ME1)
#if (BUCKET_LOCK)
    sram[read_lock, out_longwords[0], in_record, 1, COUNT], ctx_swap
#else
    sram[read, out_longwords[0], in_record, 1, COUNT], ctx_swap
#endif
#else
    .sig longwords_here
#if (BUCKET_LOCK)
    .reg $taken
    .sig taken_before
taken#:
    immed[$taken, 1]
    sram[test_and_set, $taken, in_record, 0], sig_done[taken_before]
    ctx_arb[taken_before]
    alu[--, --, B, $taken]
    bne[taken#]
#endif
    sram[read, out_longwords[0], in_record, 4, COUNT], ctx_swap[longwords_here]
#endif
.end
#endm

// bucket_give(in_longwords, in_record, COUNT): writes COUNT longwords from longword 1 on, and the record is free. in_longwords: an
// array of COUNT + 1 write registers; the first one is for longword 0 and is set here.
#macro bucket_give(in_longwords, in_record, COUNT)
.begin
#if (PORTABLE_ME1)
#if (BUCKET_LOCK)
    sram[write_unlock, in_longwords[1], in_record, 1, COUNT], ctx_swap
#else
    sram[write, in_longwords[1], in_record, 1, COUNT], ctx_swap
#endif
#else
    .sig given
    immed[in_longwords[0], 0]
    sram[write, in_longwords[0], in_record, 0, (COUNT + 1)], ctx_swap[given]
#endif
.end
#endm

// bucket_level(out_high, out_low, in_empty_high, in_empty_low, in_now_high, in_now_low): what is in a bucket that was empty at the
// time in_empty. It may be more than the bucket holds, and, when the reading of the time is older than that of another thread,
// less than nothing: then out_high has its upper 16 bits set.
#macro bucket_level(out_high, out_low, in_empty_high, in_empty_low, in_now_high, in_now_low)
    alu[out_low, in_now_low, -, in_empty_low]
    alu[out_high, in_now_high, -carry, in_empty_high]
#endm

// bucket_if_fits(in_high, in_low, in_full_high, in_full_low, TO_FITS): to TO_FITS unless the level is more than the bucket holds.
// One temporary.
#macro bucket_if_fits(in_high, in_low, in_full_high, in_full_low, TO_FITS)
.begin
    .reg ancient
    alu[--, in_full_low, -, in_low]
    alu[--, in_full_high, -carry, in_high]
    bhs[TO_FITS]
    immed[ancient, 1, <<16]
    alu[--, in_high, +, ancient]
    bhs[TO_FITS]                                // less than nothing
.end
#endm

// bucket_pay(out_high, out_low, in_high, in_low, in_cost_high, in_cost_low, TO_POOR): out is what is left of the level, or to TO_POOR
// when there is not enough (out is of no use then). Exactly enough is enough.
#macro bucket_pay(out_high, out_low, in_high, in_low, in_cost_high, in_cost_low, TO_POOR)
    alu[out_low, in_low, -, in_cost_low]
    alu[out_high, in_high, -carry, in_cost_high]
    bmi[TO_POOR]
#endm

#endif
