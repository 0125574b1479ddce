// Where labelled packets end that are not forwarded. A program includes this file once, as code, after deliver/outcomes.uc.
//
// Purpose    Marks and reasons for the branches of the mpls_ blocks.
// Inputs     those of deliver/outcomes.uc
mpls_reason#:                                   // the label's entry has a reason in place of an operation
    br_bset[reason, 5, mpls_entry_to_core#]     // 32 to 63
    .drop mpls_entry
    br[drop#]
mpls_entry_to_core#:
    .exception mpls_entry
    br[core#]
mpls_unknown#:
    .drop mpls_unknown_label
    go(REASON_MPLS_UNKNOWN_LABEL, drop#)
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
mpls_multicast#:
    .exception mpls_multicast
    go(REASON_MPLS_MULTICAST, core#)
