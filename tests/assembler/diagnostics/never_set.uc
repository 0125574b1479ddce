.reg total step
immed[step, 1]
loop#:
alu[total, total, +, step]
br[loop#]
