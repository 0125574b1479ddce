nop
alu[a, --, B, missing]
