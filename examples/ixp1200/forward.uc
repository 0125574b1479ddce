// An IXP1200 sends by port 1 what comes in at port 0, mpacket by mpacket. Thread 0 does all of it.
.block forward
.reg read $ready $status
.reg write $control $unused
.xfer_order $control $unused
.reg buffer mask element place

    br=ctx[0, only_one#]
    ctx_arb[kill]
only_one#:
    immed[$unused, 0]                           // the second longword of a control word; the FBI ignores it
    immed[buffer, 0]
    immed[element, 0]
    immed[mask, 0x3000]                         ; start, end,
    immed_w1[mask, 0x7f]                        ; and length

next#:
    csr[read, $ready, RCV_RDY_LO], ctx_swap
    br_bclr[$ready, 0, next#]
    fast_wr[0, RCV_REQ]                         ; an mpacket of port 0 into RFIFO element 0
    ctx_arb[start_receive]
    csr[read, $status, RCV_CNTL], ctx_swap
    br_bset[$status, 15, next#]                 ; the flag was stale
    alu[--, --, B, 0]                           ; place in the RFIFO
    sdram[r_fifo_rd, --, buffer, 0, 8], indirect_ref, ctx_swap
    alu_shf[place, --, B, element, <<3]
    alu[--, --, B, place]                       ; place in the TFIFO
    sdram[t_fifo_wr, --, buffer, 0, 8], indirect_ref, ctx_swap
    alu[place, $status, AND, mask]
    alu[$control, place, +, 1]                  ; port 1
    alu[place, element, +, 128]
    t_fifo_wr[$control, place, 0, 1], ctx_swap  ; validates the element
    alu[element, element, +, 1]
    alu[element, element, AND, 15]
    br[next#]
    nop
