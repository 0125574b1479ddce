// Engine 1, context 0: the frames of one port (scratch 0x24e0) in the order of drr, to its transmit ring.
#include "drr/drr.uc"
#include "deliver/deliver.uc"

.reg port frame bytes ring temp
.reg read $r
.reg write $message[2]
.sig done
    br!=ctx[0, others#]
    immed[temp, 0x23fc]
opened#:
    scratch[read, $r, temp, 0, 1], ctx_swap[done]
    alu[--, --, B, $r]
    beq[opened#]
    immed[temp, 0x24e0]
    scratch[read, $r, temp, 0, 1], ctx_swap[done]
    alu[port, --, B, $r]
    drr_open(port, done)
    alu[ring, port, +, TRANSMIT_RING]
    alu_shf[ring, --, B, ring, <<2]
next#:
    branch_if_transmit_full(port, full#)
    drr_next(frame, bytes, port, done, next#)
    alu[$message[0], --, B, frame]
    alu[$message[1], --, B, bytes]
    scratch[put, $message[0], ring, 0, 2], ctx_swap[done]
    br[next#]
full#:
    ctx_arb[voluntary]
    br[next#]
others#:
    ctx_arb[kill]
