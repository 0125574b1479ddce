// Why a packet is dropped (1-31) or handed to the core (32-63). Same numbers: control/include/weft/control/layout.h.
#ifndef WEFT_REASONS_UC
#define WEFT_REASONS_UC

#define REASON_RECEIVE_ERROR        1
#define REASON_NO_BUFFER            2
#define REASON_TOO_LONG             3
#define REASON_FORWARD_RING_FULL    4
#define REASON_NOT_FOR_US           8
#define REASON_ETHERTYPE            9
#define REASON_SHORT_PACKET         10
#define REASON_VERSION              11
#define REASON_HEADER_LENGTH        12
#define REASON_TOTAL_LENGTH         13
#define REASON_CHECKSUM             14
#define REASON_SOURCE_MARTIAN       15
#define REASON_DESTINATION_MARTIAN  16
#define REASON_LINK_BROADCAST       17
#define REASON_DIRECTED_BROADCAST   18
#define REASON_DISCARD_ROUTE        19
#define REASON_TRANSMIT_RING_FULL   20
#define REASON_CORE_RING_FULL       21
#define REASON_VLAN                 22
#define REASON_FRAGMENT             23
#define REASON_POLICED              24
#define REASON_QUEUE_FULL           25
#define REASON_MPLS_UNKNOWN_LABEL   26
#define REASON_MPLS_RESERVED_LABEL  27
#define REASON_MPLS_BOTTOM          28
#define REASON_MPLS_STACK           29
#define REASON_MPLS_DISABLED        31
#define REASON_ARP                  32
#define REASON_IPV6                 33
#define REASON_MULTICAST            34
#define REASON_LIMITED_BROADCAST    35
#define REASON_OPTIONS              36
#define REASON_LOCAL                37
#define REASON_NO_ROUTE             38
#define REASON_UNRESOLVED           39
#define REASON_TTL                  40
#define REASON_MTU                  41
#define REASON_SCOPE                42
#define REASON_LINK_LOCAL           43
#define REASON_MPLS_TTL             44
#define REASON_MPLS_ROUTER_ALERT    45
#define REASON_MPLS_MULTICAST       46
#define REASON_TO_FRAGMENT          47
#define REASON_FRAGMENT_EARLY       48

#endif
