// Engines 0 to 3: each thread feeds one queue with frames of its own, as scratch says (longword + thread):
//   100  port << 28 | class << 24 | drop << 23 | mask << 12 | bytes of the shortest frame; 0: nothing. A frame has this many bytes and up
//        to mask (2^n - 1) more, by chance. drop 0: a full queue is waited for; 1: the frame is lost.
//   116  how many frames (0: without end)
//   132  the limit of the queue
//   148  a pause between two frames, in rounds of some 20 cycles
//   164  a pause before the first one
//   180  frames put, 196 frames lost: written here
// A frame: destination 02:00:00:00:00:01, source 02:00:00:00:00:02, type 88b5, class, port, number (4 bytes), bytes (4).
#include "classqueue1200/classqueue1200.uc"

.reg thread port class limit bytes base mask number left pause random buffer data index queues rings temp drops
.reg $r $put $taken
.xfer_order $put $taken
.reg write $$w[6]

#macro setting(out_value, AT)
    immed[temp, AT]
    scratch[read, $r, thread, temp, 1], ctx_swap
    alu[out_value, --, B, $r]
#endm
// pause_for(in_rounds): 0 is none.
#macro pause_for(in_rounds)
.begin
    .reg rounds
    .reg read $time
    alu[rounds, --, B, in_rounds]
    br=0[over#]
again#:
    csr[read, $time, XMIT_RDY_LO], ctx_swap
    alu[rounds, rounds, -, 1]
    br!=0[again#]
over#:
.end
#endm

    identify(thread)
    setting(base, 100)
    alu[--, --, B, base]
    br=0[nothing#]
    alu_shf[port, --, B, base, >>28]
    alu_shf[class, 7, AND, base, >>24]
    alu_shf[drops, --, B, base, >>20]
    alu[drops, drops, AND, 8]
    alu_shf[mask, --, B, base, >>12]
    immed[temp, 0x7ff]
    alu[mask, mask, AND, temp]
    alu_shf[base, --, B, base, <<20]
    alu_shf[base, --, B, base, >>20]
    setting(left, 116)
    setting(limit, 132)
    setting(pause, 148)
    move(queues, CLASS_QUEUES_AT)
    move(rings, RINGS_AT)
    immed[number, 0]
    immed[random, 0x1357]
    immed_w1[random, 0x2468]
    alu[random, random, +, thread]
    setting(bytes, 164)
    pause_for(bytes)

next#:
    // A linear feedback shift register.
    br_bclr[random, 0, even#], defer[1]
    alu_shf[random, --, B, random, >>1]
    immed_w0[temp, 0x0057]
    immed_w1[temp, 0x8000]
    alu[random, random, XOR, temp]
even#:
    alu[bytes, random, AND, mask]
    alu[bytes, bytes, +, base]
have#:
    sram[pop, $r, FREE_LIST], ctx_swap
    alu[buffer, --, B, $r]
    br=0[have#]
again#:
    alu_shf[data, --, B, buffer, <<6]
    immed[$$w[0], 0x0200, <<16]
    move(temp, 0x00010200)
    alu[$$w[1], --, B, temp]
    immed[$$w[2], 2]
    immed[temp, 0x88b5, <<16]
    alu_shf[temp, temp, OR, class, <<8]
    alu[$$w[3], temp, OR, port]
    alu[$$w[4], --, B, number]
    alu[$$w[5], --, B, bytes]
    sdram[write, $$w[0], data, 0, 3], sig_done
    classqueue1200_lock($put, index, port, class, queues)
    classqueue1200_put(buffer, bytes, port, class, limit, $put, $taken, index, queues, rings, full#)
    immed[temp, 180]
    scratch[incr, --, thread, temp]
    alu[number, number, +, 1]
sent#:
    pause_for(pause)
    alu[left, left, -, 1]
    br!=0[next#]
nothing#:
    ctx_arb[kill]
full#:
    alu[--, --, B, drops]
    br!=0[lost#]
    immed[temp, 5]
    pause_for(temp)
    br[again#]
lost#:
    immed[temp, 196]
    scratch[incr, --, thread, temp]
    sram[push, --, buffer, 0, FREE_LIST], ctx_swap
    alu[number, number, +, 1]
    br[sent#]
