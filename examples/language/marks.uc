// Task: say which part of the program handles the packet.
// Marks make no code. Tools count cycles and packets by them: .stage and .block name what follows, .drop and .exception
// give the reason for which packets leave the fast path at this place.
//
// gives: scratch[0x100] = 2
.stage count
.block classify
.sig written
.reg kind good base
.reg write $good

    immed[kind, 3]
    immed[good, 0]
next#:
    .if (kind == 2)
        .drop "kind 2 is not for us"
        br[done#]
    .endif
    alu[good, good, +, 1]
done#:
    alu[kind, kind, -, 1]
    bne[next#]
    .block report
    immed[base, 0x100]
    alu[$good, --, B, good]
    scratch[write, $good, base, 0, 1], ctx_swap[written]
    ctx_arb[kill]
