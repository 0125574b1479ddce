#info "built for" __IXPTYPE
#warning "counters are off"
#error "no ports"
ctx_arb[kill]
