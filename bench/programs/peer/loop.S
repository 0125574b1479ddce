; A guest loop for an AVR, for bench/beside_simavr: 15 instructions, 20 cycles. Arithmetic, a load and a store of one
; octet, a skip that is always taken, and the closing branch. Ends by sleeping without interrupts, at which simavr stops.
; ROUNDS: times 65,536 passes, 1 to 255.
    .global main
main:
    ldi r20, ROUNDS
round:
    ldi r24, 0
    ldi r25, 0
pass:
    add r2, r3
    eor r4, r2
    lsl r5
    or r6, r4
    lsr r7
    andi r18, 127
    lds r8, 0x0200
    add r8, r2
    sts 0x0200, r8
    adc r9, r4
    com r6
    cpse r9, r9
    nop
    mov r10, r9
    sbiw r24, 1
    brne pass
    dec r20
    brne round
    cli
    sleep
