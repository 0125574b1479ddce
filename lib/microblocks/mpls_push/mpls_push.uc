// mpls_push: labels before an IP packet, or before a label that has been swapped.
//
// Purpose    Stack entries from label words: each label takes TTL and TC from the packet (uniform) or has its own (pipe). S is set
//            on the lowest label before an IP packet, and nowhere else.
// Inputs     label words (mpls/layout.uc), the top one first, in transfer registers; TTL and TC of the packet
// Outputs    stack entries, written to the head of the frame (mpls_head)
// Registers  1 temporary
// Memory     local memory MPLS_LOCAL_TC (mpls_configure)
// Budget     a uniform label 7 instructions, one in pipe mode 5; mpls_tc_ipv4, mpls_tc_ipv6 3
// Limits     mpls_push_ip 1 to 3 labels, mpls_push_label 1 or 2
#ifndef WEFT_MPLS_PUSH_UC
#define WEFT_MPLS_PUSH_UC

#include "mpls/layout.uc"
#include "mpls_head/mpls_head.uc"

// mpls_tc_ipv4(in_w3), mpls_tc_ipv6(in_w3): local memory pointer 1 to the TC of a packet's DSCP. *l$index1 is TC << 9, three
// instructions later.
#macro mpls_tc_ipv4(in_w3)
.begin
    .reg dscp
    alu[dscp, in_w3, AND, 0xfc]
    alu[dscp, dscp, +, MPLS_LOCAL_TC]
    local_csr_wr[ACTIVE_LM_ADDR_1, dscp]
.end
#endm
#macro mpls_tc_ipv6(in_w3)
.begin
    .reg dscp
    alu_shf[dscp, 0xfc, AND, in_w3, >>4]
    alu[dscp, dscp, +, MPLS_LOCAL_TC]
    local_csr_wr[ACTIVE_LM_ADDR_1, dscp]
.end
#endm

// mpls_push_word(out_label, in_word, in_ttl, in_tc): the stack entry of a label word, S = 0. in_ttl: the packet's TTL in its
// lowest byte; in_tc: its TC << 9.
#macro mpls_push_word(out_label, in_word, in_ttl, in_tc)
    alu_shf[out_label, in_word, AND~, 1, <<MPLS_PACKET_TC]
    br_bclr[in_word, MPLS_PACKET_TC, own_tc#]
    alu[out_label, out_label, OR, in_tc]
own_tc#:
    br!=byte[in_word, 0, 0, own_ttl#]
    ld_field[out_label, 0001, in_ttl]
own_ttl#:
#endm

// mpls_push_ip(in_labels, in_word0, in_word1, in_word2, in_ttl, in_tc): labels before an IP packet.
#macro mpls_push_ip(in_labels, in_word0, in_word1, in_word2, in_ttl, in_tc)
.begin
    .reg label
    mpls_push_word(label, in_word0, in_ttl, in_tc)
    alu[--, in_labels, -, 2]
    blo[lowest#]
    mpls_head_label(label)
    mpls_push_word(label, in_word1, in_ttl, in_tc)
    br_bclr[in_labels, 0, lowest#]
    mpls_head_label(label)
    mpls_push_word(label, in_word2, in_ttl, in_tc)
lowest#:
    alu_shf[label, label, OR, 1, <<MPLS_S]
    mpls_head_label(label)
.end
#endm

// mpls_push_label(in_labels, in_word0, in_word1, in_below): labels before in_below, a stack entry from which they take TTL and TC.
#macro mpls_push_label(in_labels, in_word0, in_word1, in_below)
.begin
    .reg label ttl tc
    alu[ttl, --, B, in_below]
    alu_shf[tc, in_below, AND, 7, <<9]
    mpls_push_word(label, in_word0, ttl, tc)
    mpls_head_label(label)
    br_bset[in_labels, 0, pushed#]
    mpls_push_word(label, in_word1, ttl, tc)
    mpls_head_label(label)
pushed#:
.end
#endm

#endif
