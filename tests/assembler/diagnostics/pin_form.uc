; options: --pin pin_form.pins
.reg a
immed[a, 1]
alu[--, --, B, a]
ctx_arb[kill]
