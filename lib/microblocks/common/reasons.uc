// Why a packet is dropped (1-31) or handed to the control processor (32-63).
// Written by scripts/layouts from control/layout/routers.py: change that, not this.
#ifndef WEFT_REASONS_UC
#define WEFT_REASONS_UC

#define REASON_RECEIVE_ERROR    1       // flagged by the media, or a packet without its start
#define REASON_NO_BUFFER        2       // the free list was empty
#define REASON_TOO_LONG         3       // longer than a buffer
#define REASON_FORWARD_RING_FULL 4
#define REASON_NOT_FOR_US       8       // destination MAC of another station
#define REASON_ETHERTYPE        9       // neither IPv4, IPv6 nor ARP
#define REASON_SHORT_PACKET     10      // less than an IPv4 header after the link header
#define REASON_VERSION          11
#define REASON_HEADER_LENGTH    12
#define REASON_TOTAL_LENGTH     13      // less than the header length, or more than the frame
#define REASON_CHECKSUM         14
#define REASON_SOURCE_MARTIAN   15
#define REASON_DESTINATION_MARTIAN 16
#define REASON_LINK_BROADCAST   17      // unicast IP in a link-layer broadcast or multicast
#define REASON_DIRECTED_BROADCAST 18
#define REASON_DISCARD_ROUTE    19
#define REASON_TRANSMIT_RING_FULL 20
#define REASON_CORE_RING_FULL   21
#define REASON_VLAN             22      // a VLAN that the port does not carry
#define REASON_FRAGMENT         23      // its offset is 1, and the port refuses that
#define REASON_POLICED          24      // DiffServ: more than its meter lets pass
#define REASON_QUEUE_FULL       25      // DiffServ: the queue of its class
#define REASON_MPLS_UNKNOWN_LABEL 26
#define REASON_MPLS_RESERVED_LABEL 27
#define REASON_MPLS_BOTTOM      28      // bottom of stack, or not, against what the label's entry expects
#define REASON_MPLS_STACK       29      // more labels than are popped from one packet, or a stack that the frame cuts short
#define REASON_MPLS_DISABLED    31      // a labelled packet on a port that takes none
#define REASON_ARP              32
#define REASON_IPV6             33
#define REASON_MULTICAST        34
#define REASON_LIMITED_BROADCAST 35
#define REASON_OPTIONS          36
#define REASON_LOCAL            37      // one of the router's own addresses
#define REASON_NO_ROUTE         38
#define REASON_UNRESOLVED       39      // the next hop's MAC is not known
#define REASON_TTL              40
#define REASON_MTU              41      // longer than the egress MTU
#define REASON_SCOPE            42      // IPv6: link-local source, destination off the link
#define REASON_LINK_LOCAL       43      // IPv6: a link-local destination
#define REASON_MPLS_TTL         44      // the top label's TTL is 0 or 1
#define REASON_MPLS_ROUTER_ALERT 45
#define REASON_MPLS_MULTICAST   46
#define REASON_TO_FRAGMENT      47      // a firewall's: translated and ready to leave, but longer than the egress MTU, and may be cut
#define REASON_FRAGMENT_EARLY   48      // a firewall's: a later fragment whose first one has not come yet

#endif
