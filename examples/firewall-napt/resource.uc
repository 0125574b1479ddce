// The resource microengine of the firewall: six contexts, each with a task of its own.
#include "resource/resource.uc"

.block resource
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
    .stage allocate
    resource_hash_open(done)
    resource_allocate(done, timer)
release#:
    .stage release
    resource_release(done, pair, timer)
time#:
    .stage time_out
    resource_time(done, timer)
tcp#:
    .stage tcp_ports
    resource_ports(TCP_PORT_RING, CLASS_TCP, done, pair, timer)
udp#:
    .stage udp_ports
    resource_ports(UDP_PORT_RING, CLASS_UDP, done, pair, timer)
icmp#:
    .stage icmp_identifiers
    resource_ports(ICMP_ID_RING, CLASS_ICMP, done, pair, timer)
    nop
