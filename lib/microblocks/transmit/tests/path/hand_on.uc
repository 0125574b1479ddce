// Takes messages from the forward ring of IN_PORT and puts them on the transmit ring of OUT_PORT, in order. SHORTER: bytes by which the frame
// becomes shorter at its begin (-8 to 8; below 0: longer, with what stands before it in the buffer). AHEAD: bytes that are sent
// before the frame, from SRAM address 0x20 (with TRANSMIT_PREPEND in transmit.uc; 0: transmit messages have two longwords). EACH:
// instructions of delay for each frame. The one of port 0 also makes BUFFER_COUNT free buffers; the rings are the project's.
#include "common/std.uc"
#include "common/layout.uc"
#include "common/reasons.uc"
#include "buffers/buffers.uc"
#include "order/order.uc"
#include "deliver/deliver.uc"

.import_var i$ipv4_counters

.block hand_on
.stage hand_on
    .reg in_ring out_ring out count frame where moved pause reason port counters
    .reg read $frame_in $where_in
    .xfer_order $frame_in $where_in
    .reg write $frame_out $where_out $ahead_out
    .xfer_order $frame_out $where_out $ahead_out
    .sig done
    .sig volatile turn_in turn_out

#if (AHEAD == 0)
#define TRANSMIT_LONGWORDS 2
#else
#define TRANSMIT_LONGWORDS 3
#endif

    buffers_registers()
    buffers_open()
    immed[in_ring, ((FORWARD_RING + IN_PORT) * 4)]
    immed[out_ring, ((TRANSMIT_RING + OUT_PORT) * 4)]
    immed[out, OUT_PORT]
    move_import(counters, i$ipv4_counters)
    br!=ctx[0, next#]
#if (IN_PORT == 0)
    immed[count, BUFFER_COUNT]
    buffers_fill(count, done)
#endif
    order_open(turn_out)
    br[in#]

next#:
    order_enter(turn_in)
in#:
    scratch[get, $frame_in, in_ring, 0, MESSAGE_LONGWORDS], ctx_swap[done]
    alu[frame, --, B, $frame_in]
    beq[in#]
    alu[where, --, B, $where_in]
    order_leave(turn_in)
    immed[moved, (SHORTER & 0xffff)]
#if (SHORTER < 0)
    immed_w1[moved, 0xffff]
#endif
    alu[$frame_out, frame, +, moved]
    alu[$where_out, where, -, moved]
#if (AHEAD != 0)
    alu[$ahead_out, --, B, (0x20 | AHEAD)]
#endif
    immed[pause, EACH]
wait#:
    alu[pause, pause, -, 1]
    bgt[wait#]
    order_enter(turn_out)
    branch_if_transmit_full(out, full#)
    scratch[put, $frame_out, out_ring, 0, TRANSMIT_LONGWORDS], sig_done[done]
    order_leave(turn_out)
    ctx_arb[done], br[next#]
full#:
    .drop transmit_ring_full
    order_leave(turn_out)
    immed[reason, REASON_TRANSMIT_RING_FULL]
    immed[port, IN_PORT]
    count_packet(reason, port, counters)
    buffers_free(frame, done)
    br[next#]
