// The resource engine as a program has it.
#include "resource/resource.uc"
    resource_registers()
    .sig done pair
    .sig volatile timer
    br=ctx[0, allocate#]
    br=ctx[1, release#]
    br=ctx[2, time#]
    br=ctx[3, tcp#]
    br=ctx[4, udp#]
    br=ctx[5, icmp#]
    ctx_arb[kill]
allocate#:
    resource_hash_open(done)
    resource_allocate(done, timer)
release#:
    resource_release(done, pair, timer)
time#:
    resource_time(done, timer)
tcp#:
    resource_ports(TCP_PORT_RING, CLASS_TCP, done, pair, timer)
udp#:
    resource_ports(UDP_PORT_RING, CLASS_UDP, done, pair, timer)
icmp#:
    resource_ports(ICMP_ID_RING, CLASS_ICMP, done, pair, timer)
    nop
