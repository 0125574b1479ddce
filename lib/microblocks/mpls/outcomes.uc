// Where labelled packets end that are not forwarded. A program includes this file once, as code, behind deliver/outcomes.uc.
//
// Purpose    Marks and reasons for the branches of the mpls_ blocks.
// Inputs     those of deliver/outcomes.uc
mpls_reason#:                                   // what the label's entry says in place of an operation
    alu[--, reason, -, REASON_MPLS_RESERVED_LABEL]
    beq[mpls_reserved_label#]
    alu[--, reason, -, REASON_MPLS_ROUTER_ALERT]
    beq[mpls_router_alert#]
    br_bset[reason, 5, core#]                   // 32 to 63
    br[drop#]
mpls_unknown#:
    .drop mpls_unknown_label
    go(REASON_MPLS_UNKNOWN_LABEL, drop#)
mpls_reserved_label#:
    .drop mpls_reserved_label
    go(REASON_MPLS_RESERVED_LABEL, drop#)
mpls_bottom#:
    .drop mpls_bottom
    go(REASON_MPLS_BOTTOM, drop#)
mpls_stack#:
    .drop mpls_stack
    go(REASON_MPLS_STACK, drop#)
mpls_disabled#:
    .drop mpls_disabled
    go(REASON_MPLS_DISABLED, drop#)
mpls_ttl#:
    .exception mpls_ttl
    go(REASON_MPLS_TTL, core#)
mpls_router_alert#:
    .exception mpls_router_alert
    go(REASON_MPLS_ROUTER_ALERT, core#)
mpls_multicast#:
    .exception mpls_multicast
    go(REASON_MPLS_MULTICAST, core#)
