; All of these meet one register, so they share a bank.
.reg hub
immed[hub, 1]
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
alu[--, hub, +, r0]
alu[--, hub, +, r1]
alu[--, hub, +, r2]
alu[--, hub, +, r3]
alu[--, hub, +, r4]
alu[--, hub, +, r5]
alu[--, hub, +, r6]
alu[--, hub, +, r7]
alu[--, hub, +, r8]
alu[--, hub, +, r9]
alu[--, hub, +, r10]
alu[--, hub, +, r11]
alu[--, hub, +, r12]
alu[--, hub, +, r13]
alu[--, hub, +, r14]
alu[--, hub, +, r15]
alu[--, hub, +, r16]
ctx_arb[kill]
