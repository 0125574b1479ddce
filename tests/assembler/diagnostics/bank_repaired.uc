; options: --repair-banks
.reg a b c write $out
immed[a, 1]
immed[b, 20]
immed[c, 300]
alu[--, a, +, b]
alu[--, b, +, c]
alu[$out, a, +, c]
halt
