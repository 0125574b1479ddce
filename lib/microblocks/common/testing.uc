// What tests of blocks share: a frame in DRAM at TEST_FRAME, its header in transfer registers, and the number of the
// branch that the block took.
#ifndef WEFT_TESTING_UC
#define WEFT_TESTING_UC

#define TEST_FRAME 0x1000

// test_header(): reads 14 longwords of the frame into $$w[0] to $$w[13].
#macro test_header()
    .reg read $$w[15]                           // 15: a tagged frame is read again one register further on
    .reg volatile went
    .reg test_place
    .sig test_read
    immed[test_place, TEST_FRAME]
    dram[read, $$w[0], test_place, 0, 7], sig_done[test_read]
    immed[went, 0]
    ctx_arb[test_read]
#endm

// test_went(in_number): where a branch of the block leads. Ends at the label tested#, which stands last.
#macro test_went(in_number)
    br[tested#], defer[1]
    immed[went, in_number]
#endm

#endif
