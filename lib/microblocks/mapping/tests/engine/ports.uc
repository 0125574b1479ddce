// The contexts of the resource engine that find ports.
#include "resource/resource.uc"
    .sig done pair
    .sig volatile timer
    br=ctx[3, tcp#]
    br=ctx[4, udp#]
    br=ctx[5, icmp#]
    ctx_arb[kill]
tcp#:
    resource_ports(TCP_PORT_RING, CLASS_TCP, done, pair, timer)
udp#:
    resource_ports(UDP_PORT_RING, CLASS_UDP, done, pair, timer)
icmp#:
    resource_ports(ICMP_ID_RING, CLASS_ICMP, done, pair, timer)
    nop
