// A filter engine: what the rules accept goes on to the other port as it came, the rest is dropped. Engine FILTER_INDEX takes the
// packets of ring 2 + FILTER_INDEX.
//
// The contexts take turns twice: taking a message, and handing the packet on; between the two eight packets are searched for at once.
#include "common/std.uc"
#include "common/layout.uc"
#include "common/reasons.uc"
#include "ipv4_validate/ipv4_validate.uc"
#include "filter/filter.uc"
#include "deliver/deliver.uc"

#define REASON_FILTERED 24

.import_var i$ipv4_counters i$buffer_bytes i$filter_control

.block filter
.stage setup
    .reg frame bytes total port out_port source destination port_pair kind table control reason temp ring
    .reg counters in_ring free_list within
    .reg $frame_in $where_in
    .xfer_order $frame_in $where_in
    .reg read $control[2]
    .reg write $out[2]
    .reg read $$w[11]
    .sig volatile turn_in turn_out
    .sig ring_sig control_sig dram_sig

    immed[in_ring, ((FORWARD_RING + 1 + FILTER_INDEX) * 4)]
    immed[free_list, (FREE_RING * 4)]
    move_import(control, i$filter_control)
    move_import(counters, i$ipv4_counters)
    move_import(within, i$buffer_bytes)
    alu[within, within, -, 1]
    br!=ctx[0, next_packet#]
    signal_context(turn_out, 0)
    br[my_turn#]

next_packet#:
    .stage receive
    ctx_arb[turn_in]
my_turn#:
    scratch[get, $frame_in, in_ring, 0, MESSAGE_LONGWORDS], sig_done[ring_sig]
    filter_ask($control, control, control_sig)
    ctx_arb[ring_sig, control_sig]
    alu[frame, --, B, $frame_in]
    beq[nothing#]
    signal_next(turn_in)
    dram[read, $$w[0], frame, 0, 5], sig_done[dram_sig]
    alu_shf[port, 0xf, AND, $where_in, >>16]
    alu[out_port, port, XOR, 1]
    ld_field_w_clr[bytes, 0011, $where_in]
    alu[$out[0], --, B, frame]
    alu[$out[1], --, B, $where_in]
#if (FILTER_STORE != FILTER_COMPILED)
    filter_table(table, $control)
#endif
    ctx_arb[dram_sig]

    .stage parse
parse#:
    br!=byte[$$w[3], 3, 0x08, other_type#]
    br!=byte[$$w[3], 2, 0x00, not_ipv4#]
    ipv4_header(total, bytes, $$w[3], $$w[4], $$w[5], $$w[6], $$w[7], $$w[8], short#, version#, header_length#, total_length#, checksum#, options#)
    ipv4_addresses(source, destination, $$w[6], $$w[7], $$w[8])
    // TCP and UDP have port_pair, later fragments none. What the packet does not have is not taken from after its end: a header of TCP or
    // UDP is there as a whole, or nobody can tell what passes (RFC 1858 3).
    alu_shf[kind, --, B, $$w[5], <<24]
    br=byte[$$w[5], 0, 6, tcp#], defer[1]
    immed[temp, (IPV4_HEADER_BYTES + 20)]
    br=byte[$$w[5], 0, 17, ports#], defer[1]
    immed[temp, (IPV4_HEADER_BYTES + 8)]
    br[no_ports#], defer[1]
    immed[port_pair, 0]
tcp#:
    br=byte[$$w[5], 2, 1, offset_1#]
ports#:
    alu_shf[port_pair, --, B, $$w[5], >>16]
    alu_shf[port_pair, --, B, port_pair, <<19]
    bne[no_ports#], defer[1]
    immed[port_pair, 0]
    alu[--, total, -, temp]
    blo[short#]
    alu[port_pair, --, B, $$w[9]]
    dbl_shf[port_pair, $$w[8], port_pair, >>16]
no_ports#:
    alu_shf[temp, 0x3f, AND, $$w[3], >>2]
    alu_shf[kind, kind, OR, temp, <<16]
    alu_shf[kind, kind, OR, port, <<3]
    alu[kind, kind, OR, out_port]

    .stage search
    filter(source, destination, port_pair, kind, table, control, control_sig, filtered#)

    .stage hand_on
forward#:
    alu[ring, out_port, +, TRANSMIT_RING]
    alu_shf[ring, --, B, ring, <<2]
    ctx_arb[turn_out]
    branch_if_transmit_full(out_port, transmit_full#)
    scratch[put, $out[0], ring, 0, MESSAGE_LONGWORDS], sig_done[ring_sig]
    signal_next(turn_out)
    ctx_arb[ring_sig]
behind_packet#:
    filter_paused($control, stop#)
    br[next_packet#]

nothing#:
    filter_paused($control, stop_in_turn#)
    br[my_turn#]
stop_in_turn#:
    signal_next(turn_in)
    ctx_arb[turn_out]                           // after this all packets of contexts before have been handed on
    signal_next(turn_out)
stop#:
    filter_stop(control)

not_ipv4#:
    br=byte[$$w[3], 2, 0x06, forward#]          // ARP passes, or nobody would find anybody
other_type#:                                    // a tag of VLAN 0 is a priority alone (IEEE 802.1Q): what is behind it is looked at
    br_bset[frame, 2, unknown_type#]            // that was it; buffers give their frames a multiple of 8
    br!=byte[$$w[3], 3, 0x81, unknown_type#]
    br!=byte[$$w[3], 2, 0x00, unknown_type#]
    alu_shf[temp, --, B, $$w[3], <<20]
    bne[unknown_type#]
    dram[read, $$w[1], frame, 8, 5], sig_done[dram_sig]
    alu[bytes, bytes, -, 4]
    alu[frame, frame, +, 4]
    ctx_arb[dram_sig], br[parse#]
unknown_type#:
    .drop ethertype
    br[drop#], defer[1]
    immed[reason, REASON_ETHERTYPE]
offset_1#:                                      // its low octet is 1: of a fragment at 8 octets, or one far behind
    alu_shf[--, 0x1f, AND, $$w[5], >>24]
    bne[ports#]
    .drop fragment
    br[drop#], defer[1]
    immed[reason, REASON_FRAGMENT]
version#:
    .drop version
    br[drop#], defer[1]
    immed[reason, REASON_VERSION]
total_length#:
    .drop total_length
    br[drop#], defer[1]
    immed[reason, REASON_TOTAL_LENGTH]
checksum#:
    .drop checksum
    br[drop#], defer[1]
    immed[reason, REASON_CHECKSUM]
options#:                                       // rules would not see them
header_length#:
    .drop header_length
    br[drop#], defer[1]
    immed[reason, REASON_HEADER_LENGTH]
short#:
    .drop short_packet
    br[drop#], defer[1]
    immed[reason, REASON_SHORT_PACKET]
filtered#:
    .drop filtered
    immed[reason, REASON_FILTERED]
drop#:
    ctx_arb[turn_out]
    signal_next(turn_out)
    br[count_drop#]
transmit_full#:
    .drop transmit_ring_full
    signal_next(turn_out)
    immed[reason, REASON_TRANSMIT_RING_FULL]
count_drop#:
    count_packet(reason, port, counters)
    buffer_free(frame, within, free_list, ring_sig)
    br[behind_packet#]
