; The first value waits for the last line, a .use keeps the second, one is volatile.
.reg first second
.reg volatile seen
immed[first, 1]
immed[second, 2]
immed[seen, 3]
.reg r0
immed[r0, 0]
.reg r1
immed[r1, 1]
.reg r2
immed[r2, 2]
.reg r3
immed[r3, 3]
.reg r4
immed[r4, 4]
.reg r5
immed[r5, 5]
.reg r6
immed[r6, 6]
.reg r7
immed[r7, 7]
.reg r8
immed[r8, 8]
.reg r9
immed[r9, 9]
.reg r10
immed[r10, 10]
.reg r11
immed[r11, 11]
.reg r12
immed[r12, 12]
.reg r13
immed[r13, 13]
.reg r14
immed[r14, 14]
.reg r15
immed[r15, 15]
.reg r16
immed[r16, 16]
.reg r17
immed[r17, 17]
.reg r18
immed[r18, 18]
.reg r19
immed[r19, 19]
.reg r20
immed[r20, 20]
.reg r21
immed[r21, 21]
.reg r22
immed[r22, 22]
.reg r23
immed[r23, 23]
.reg r24
immed[r24, 24]
.reg r25
immed[r25, 25]
.reg r26
immed[r26, 26]
.reg r27
immed[r27, 27]
.reg r28
immed[r28, 28]
.reg r29
immed[r29, 29]
.reg r30
immed[r30, 30]
alu[--, --, B, r0]
alu[--, --, B, r1]
alu[--, --, B, r2]
alu[--, --, B, r3]
alu[--, --, B, r4]
alu[--, --, B, r5]
alu[--, --, B, r6]
alu[--, --, B, r7]
alu[--, --, B, r8]
alu[--, --, B, r9]
alu[--, --, B, r10]
alu[--, --, B, r11]
alu[--, --, B, r12]
alu[--, --, B, r13]
alu[--, --, B, r14]
alu[--, --, B, r15]
alu[--, --, B, r16]
alu[--, --, B, r17]
alu[--, --, B, r18]
alu[--, --, B, r19]
alu[--, --, B, r20]
alu[--, --, B, r21]
alu[--, --, B, r22]
alu[--, --, B, r23]
alu[--, --, B, r24]
alu[--, --, B, r25]
alu[--, --, B, r26]
alu[--, --, B, r27]
alu[--, --, B, r28]
alu[--, --, B, r29]
alu[--, --, B, r30]
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
nop
alu[--, --, B, second]
.use second
alu[--, --, B, first]
ctx_arb[kill]
