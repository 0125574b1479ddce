; options: --spill
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
.reg r31
immed[r31, 31]
.reg r32
immed[r32, 32]
.reg r33
immed[r33, 33]
.reg r34
immed[r34, 34]
.reg r35
immed[r35, 35]
.reg r36
immed[r36, 36]
.reg r37
immed[r37, 37]
.reg r38
immed[r38, 38]
.reg r39
immed[r39, 39]
.reg r40
immed[r40, 40]
.reg r41
immed[r41, 41]
.reg r42
immed[r42, 42]
.reg r43
immed[r43, 43]
.reg r44
immed[r44, 44]
.reg r45
immed[r45, 45]
.reg r46
immed[r46, 46]
.reg r47
immed[r47, 47]
.reg r48
immed[r48, 48]
.reg r49
immed[r49, 49]
.reg r50
immed[r50, 50]
.reg r51
immed[r51, 51]
.reg r52
immed[r52, 52]
.reg r53
immed[r53, 53]
.reg r54
immed[r54, 54]
.reg r55
immed[r55, 55]
.reg r56
immed[r56, 56]
.reg r57
immed[r57, 57]
.reg r58
immed[r58, 58]
.reg r59
immed[r59, 59]
.reg r60
immed[r60, 60]
.reg r61
immed[r61, 61]
.reg r62
immed[r62, 62]
.reg r63
immed[r63, 63]
.reg r64
immed[r64, 64]
.reg r65
immed[r65, 65]
.reg r66
immed[r66, 66]
.reg r67
immed[r67, 67]
.reg r68
immed[r68, 68]
.reg r69
immed[r69, 69]
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
alu[--, --, B, r31]
alu[--, --, B, r32]
alu[--, --, B, r33]
alu[--, --, B, r34]
alu[--, --, B, r35]
alu[--, --, B, r36]
alu[--, --, B, r37]
alu[--, --, B, r38]
alu[--, --, B, r39]
alu[--, --, B, r40]
alu[--, --, B, r41]
alu[--, --, B, r42]
alu[--, --, B, r43]
alu[--, --, B, r44]
alu[--, --, B, r45]
alu[--, --, B, r46]
alu[--, --, B, r47]
alu[--, --, B, r48]
alu[--, --, B, r49]
alu[--, --, B, r50]
alu[--, --, B, r51]
alu[--, --, B, r52]
alu[--, --, B, r53]
alu[--, --, B, r54]
alu[--, --, B, r55]
alu[--, --, B, r56]
alu[--, --, B, r57]
alu[--, --, B, r58]
alu[--, --, B, r59]
alu[--, --, B, r60]
alu[--, --, B, r61]
alu[--, --, B, r62]
alu[--, --, B, r63]
alu[--, --, B, r64]
alu[--, --, B, r65]
alu[--, --, B, r66]
alu[--, --, B, r67]
alu[--, --, B, r68]
alu[--, --, B, r69]
ctx_arb[kill]
