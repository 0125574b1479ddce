// Reasons 24 to 31 of the firewall, which runs neither DiffServ nor MPLS: their numbers mean something else there.
// Written by scripts/layouts from control/layout/firewall.py: change that, not this.
#ifndef WEFT_FIREWALL_REASONS_UC
#define WEFT_FIREWALL_REASONS_UC

#include "common/reasons.uc"

#define REASON_FILTERED         24      // a rule, or the end of the rules
#define REASON_INVALID_STATE    25      // flags, sequence or state that no connection allows
#define REASON_CONNECTION_TABLE_FULL 26
#define REASON_PORTS_EXHAUSTED  27
#define REASON_FRAGMENT_LOST    28      // a later fragment whose first one is not known
#define REASON_UNKNOWN_FLOW     29      // an ICMP error about no connection, or cut short
#define REASON_NOT_TRANSLATED   30      // from outside to the inside without a forwarding, or a tuple that another connection has
#define REASON_FILTER_RING_FULL 31      // a ring between two stages

#endif
