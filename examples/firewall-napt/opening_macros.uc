// What opening.uc does more than once. Part of postrouting.uc.
// postrouting_opens(): this context works on a new flow now. waits: bit 7 is set when another one works on the same.
#macro postrouting_opens()
.begin
    .reg mark
    alu_shf[mark, 0xff, AND, $message[1], >>20]
    immed[temp, 0x100]                          // no mark is 0
    alu[mark, mark, OR, temp]
    cam_lookup[waits, mark]
    local_csr_rd[ACTIVE_CTX_STS]
    immed[temp, 0]
    alu[temp, temp, AND, 7]
    cam_write[temp, mark, 0]
.end
#endm

// postrouting_opened(): no more. Who has waited for its turn gives it to itself, to go on where it is waited for.
#macro postrouting_opened()
.begin
    .reg mark
    local_csr_rd[ACTIVE_CTX_STS]
    immed[temp, 0]
    alu[temp, temp, AND, 7]
    immed[mark, 0]
    cam_write[temp, mark, 0]
    br_bclr[waits, 7, no_turn#]
    immed[mark, (&turn_out << 3)]
    alu[temp, temp, OR, mark]
    local_csr_wr[SAME_ME_SIGNAL, temp]
no_turn#:
.end
#endm

// opened_not(in_reason): the end of a packet that opens nothing.
#macro opened_not(in_reason)
    postrouting_opened()
    end_with(in_reason, drop#)
#endm

// postrouting_port_back(): a mapping that was claimed in vain.
#macro postrouting_port_back()
.begin
    br_bclr[connection, ENTRY_OWNS_PORT, kept#]
    alu_shf[temp, --, B, pair, >>16]
    mapping_release(temp, source, class, $key, $word, $node, both_sig, ring_sig)
kept#:
.end
#endm

// postrouting_link(in_source, in_destination, in_ports): one node, under the lock of its bucket, unless another connection has got its tuple meanwhile: to tuple_taken#
// with the lock. The other node of the same connection has the same tuple when both ends are one, which is right.
#macro postrouting_link(in_source, in_destination, in_ports)
.begin
    .reg found
    conntrack_lock(lock_place, lock_bit, bucket, $word, both_sig)
    conntrack_find(found, bucket, in_source, in_destination, in_ports, class, $node, ring_sig, free#)
    alu[temp, link, +, (ENTRY_REPLY_NODE + 1)]
    alu[--, temp, -, found]
    bne[tuple_taken#]
free#:
    conntrack_link(bucket, link, $word, ring_sig)
    conntrack_unlock(lock_place, lock_bit, $word, ring_sig)
.end
#endm
