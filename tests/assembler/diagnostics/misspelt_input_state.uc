.reg a b count $x $y[4] $$d
.sig done
br_inp_state[nn_fulll, l#]
l#: nop
ctx_arb[kill]
