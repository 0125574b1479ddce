// Receives, and keeps a record of each frame: {bytes, reason of the drop or 0, buffer, group}, group being 1 for a group address. Frame n
// of the Gigabit port has its record at longword 256 + 4 n of scratch, frame n of port p of the others at 256 + 64 p + 4 n. The
// buffer of a good frame is given away; nobody brings it back.
//
// Longword HOLD_AT of scratch, if not 0, is the number of a frame of the Gigabit port plus 1: that one waits before it takes its
// turn. SKIP: a thread that first takes one mpacket for itself and forgets it. PORT_FLAGS: those of all ports.
#define GIGABIT (ENGINE >= 2)
#include "receive1200/receive1200.uc"
#define HOLD_AT 128

.reg @receiving
.reg thread request place lane number port mac0 mac1 flags record temp count
.reg buffer data bytes group bad
.reg $r0 $r1 $r2 $r3 $r4 $r5 $r6 $r7
.xfer_order $r0 $r1 $r2 $r3 $r4 $r5 $r6 $r7
.reg write $w0 $w1 $w2 $w3
.xfer_order $w0 $w1 $w2 $w3

    identify(thread)
    receive1200_setup(request, place, lane, thread)
#if (GIGABIT)
    immed[port, GIGABIT_PORT]
    alu[number, thread, -, 16]                  // frame n belongs to thread 8 + n modulo 8
#else
    alu[port, --, B, thread]
    immed[record, 256]
    alu_shf[temp, --, B, port, <<6]
    alu[record, record, +, temp]
#endif
    move(mac0, 0x02000000)
    move(mac1, 0x12000000)
    alu_shf[mac1, mac1, OR, port, <<16]
    immed[flags, PORT_FLAGS]
    receive1200_first_buffer(buffer)
    alu[--, thread, -, SKIP]
    br!=0[next_frame#]
skip#:
    fast_wr[request, RCV_REQ]
    ctx_arb[start_receive]
    csr[read, $r1, RCV_CNTL], ctx_swap
    alu[temp, --, B, $r1]
    br_bset[temp, RECEIVE_NOTHING, skip#]

next_frame#:
    receive1200_frame(buffer, data, bytes, group, bad, request, place, lane, number, mac0, mac1, flags)
#if (GIGABIT)
    immed[record, 256]
    alu_shf[temp, --, B, number, <<2]
    alu[record, record, +, temp]
#endif
    alu[$w0, --, B, bytes]
    alu[$w1, --, B, bad]
    alu[$w2, --, B, buffer]
    alu_shf[$w3, 1, AND, group, >>24]
    scratch[write, $w0, record, 0, 4], ctx_swap
    alu[record, record, +, 4]
#if (GIGABIT)
hold#:
    immed[temp, HOLD_AT]
    scratch[read, $r1, temp, 0, 1], ctx_swap
    alu[temp, number, +, 1]
    alu[--, temp, XOR, $r1]
    br=0[hold#]
    turn1200_wait(count, number)
    turn1200_pass(count)
#endif
    alu[--, --, B, bad]
    br!=0[next_frame#]
    br[next_frame#], defer[1]
    immed[buffer, 0]
