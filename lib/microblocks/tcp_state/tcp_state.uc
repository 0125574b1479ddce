// tcp_state: what a TCP segment is, what it does to the state of its connection, and whether it fits into the windows.
//
// Purpose    The state table and the window tests of van Rooij (SANE 2000) with the tolerance that Linux has, or without.
// Inputs     a segment's words; the connection's state word and both nodes' window words (firewall/layout.uc)
// Outputs    new window words and state
// Registers  see each macro
// Memory     local memory: LM_TRANSITIONS, 20 longwords (tcp_transitions_open)
// Budget     README.md
// Limits     Sequence numbers are compared modulo 2^32: by the sign of their difference.
#ifndef WEFT_TCP_STATE_UC
#define WEFT_TCP_STATE_UC

#include "common/std.uc"
#include "firewall/layout.uc"
#include "tcp_state/tcp_options.uc"

// States.
#define TCP_SYN_SENT        1
#define TCP_SYN_RECEIVED    2
#define TCP_ESTABLISHED     3
#define TCP_FIN_WAIT        4
#define TCP_CLOSE_WAIT      5
#define TCP_LAST_ACK        6
#define TCP_TIME_WAIT       7
#define TCP_CLOSE           8
#define TCP_SYN_SENT2       9
// Other outcomes of the table.
#define TCP_PASS            14      // the segment passes and changes nothing
#define TCP_INVALID         15

// Classes of segments.
#define TCP_CLASS_SYN       0
#define TCP_CLASS_SYN_ACK   1
#define TCP_CLASS_FIN       2
#define TCP_CLASS_ACK       3
#define TCP_CLASS_RST       4

// Flags as they stand in a TCP header: bit numbers of the longword {ack, lower half; offset, flags}.
#define TCP_FIN             0
#define TCP_SYN             1
#define TCP_RST             2
#define TCP_ACK             4
#define TCP_URG             5

#define TCP_OLDEST_ACK      66000   // an ack may be that old whatever the windows are

// tcp_class(out_class, in_flags, TO_INVALID): valid sets of flags, PSH and those of ECN not looked at: SYN, SYN URG, SYN ACK, RST,
// RST ACK, FIN ACK, FIN ACK URG, ACK, ACK URG.
#macro tcp_class(out_class, in_flags, TO_INVALID)
    br_bset[in_flags, TCP_RST, rst#]
    br_bset[in_flags, TCP_SYN, syn#]
    br_bclr[in_flags, TCP_ACK, TO_INVALID]
    br_bclr[in_flags, TCP_FIN, classified#], defer[1]
    immed[out_class, TCP_CLASS_ACK]
    br[classified#], defer[1]
    immed[out_class, TCP_CLASS_FIN]
rst#:
    alu[--, in_flags, AND, ((1 << TCP_SYN) | (1 << TCP_FIN) | (1 << TCP_URG))]
    bne[TO_INVALID]
    br[classified#], defer[1]
    immed[out_class, TCP_CLASS_RST]
syn#:
    br_bset[in_flags, TCP_FIN, TO_INVALID]
    br_bclr[in_flags, TCP_ACK, classified#], defer[1]
    immed[out_class, TCP_CLASS_SYN]
    br_bset[in_flags, TCP_URG, TO_INVALID]
    immed[out_class, TCP_CLASS_SYN_ACK]
classified#:
#endm

// tcp_transitions_open(): once, by one context: the table goes to local memory. A row for each direction and class, two longwords: four
// bits a state. e passes and changes nothing, f is invalid.
#macro tcp_transitions_open()
.begin
    .reg place value
    immed[place, LM_TRANSITIONS]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]
    nop
    nop
    nop
    //             state  76543210        98
    // original
    tcp_row(value, 0x1eeeee11, 0x91)    // SYN
    tcp_row(value, 0xfffff2ff, 0x2f)    // SYN ACK
    tcp_row(value, 0x766644ff, 0xf8)    // FIN
    tcp_row(value, 0x775533ff, 0xf8)    // ACK
    tcp_row(value, 0x8888888f, 0x88)    // RST
    // reply
    tcp_row(value, 0xffffff9f, 0x9f)
    tcp_row(value, 0xeeeeee2f, 0x2e)
    tcp_row(value, 0x766644ff, 0xf8)
    tcp_row(value, 0x775532ef, 0xe8)
    tcp_row(value, 0x8888888f, 0x88)
.end
#endm
#macro tcp_row(io_value, STATES_0_7, STATES_8_9)
    move(io_value, STATES_0_7)
    alu[*l$index1++, --, B, io_value]
    immed[*l$index1++, STATES_8_9]
#endm

// tcp_transition(out_state, in_state, in_class, in_link): the table's answer: a state, TCP_PASS or TCP_INVALID. in_link: bit 0 is the
// direction. in_state, in_class: numbers.
#macro tcp_transition(out_state, in_state, in_class, in_link)
.begin
    .reg place row
    alu_shf[place, --, B, in_class, <<3]
    br_bclr[in_link, 0, original#], defer[1]
    immed[row, LM_TRANSITIONS]
    alu[place, place, +, 40]
original#:
    alu[place, place, +, row]
    alu_shf[row, 4, AND, in_state, >>1]
    alu[place, place, +, row]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]
    alu_shf[row, --, B, in_state, <<2]          // only its five lower bits count: state 8 begins the second longword
    nop
    alu[row, row, OR, 0]
    alu_shf[out_state, 0xf, AND, *l$index1[0], >>indirect]
.end
#endm

// tcp_windows(io_seq, io_end, io_ack, in_window, in_class, in_state, in_flags, in_strict, own, other, out_own, out_other, ...)
// own, other: arrays {end, maxend, maxwin, maxack} of the sender's (S) and the receiver's (R) node, registers that can be read.
// out_own, out_other: four write registers each, new values. in_window: scaled, but that of a SYN as it stands. io_sack:
// the right edge of a block of selective acknowledgement, or the ack.
// TO_PASS: passes and changes nothing. Falls through with a segment that counts.
#macro tcp_windows(io_seq, io_end, io_ack, io_sack, in_window, in_class, in_state, in_flags, in_strict, own, other, out_own, out_other, TO_PASS, TO_INVALID)
.begin
    .reg value limit
    br_bclr[in_flags, TCP_ACK, no_ack#]
    br_bset[in_flags, TCP_RST, rst_ack#]
acked#:
    alu[--, in_class, -, TCP_CLASS_RST]
    beq[rst#]
    alu[--, --, B, own[2]]
    beq[first#]                                 // the first segment of this side
    br_bset[in_flags, TCP_SYN, again#]
ordinary#:
    // Without data a segment is tested by its ack alone.
    alu[--, io_end, -, io_seq]
    bne[data#]
    alu[io_seq, --, B, own[0]]
    alu[io_end, --, B, own[0]]
data#:
    // a: not beyond what the receiver allowed
    br_bset[in_strict, SWITCH_STRICT_WINDOW, strict_a#]
    alu[limit, own[1], -, io_seq]
    bmi[over#]
    br[not_over#]
strict_a#:
    alu[limit, own[1], -, io_end]
    bmi[TO_INVALID]
not_over#:
    // c: no ack of what was not sent
    alu[value, --, B, other[0]]
    alu[--, value, -, io_sack]
    bmi[TO_INVALID]
    // b: not older than a window
    alu[limit, --, B, own[0]]
    alu[limit, limit, -, other[2]]
    alu[--, io_end, -, limit]
    bmi[old#]
    // d: no ack that is too old
    move(limit, TCP_OLDEST_ACK)
    alu[--, limit, -, own[2]]
    bhs[oldest#]
    alu[limit, --, B, own[2]]
oldest#:
    alu[limit, value, -, limit]
    alu[--, io_sack, -, limit]
    bmi[old#]

update#:
    // R.maxend and R.maxwin
    alu[value, io_sack, +, in_window]
    alu[--, --, B, in_window]
    bne[open#]
    alu[value, value, +, 1]                     // a closed window lets a probe pass
open#:
    alu[limit, --, B, other[1]]
    alu[--, value, -, limit]
    bmi[maxend_stays#]
    alu[limit, --, B, value]
maxend_stays#:
    alu[out_other[1], --, B, limit]
    alu[out_other[0], --, B, other[0]]
    alu[out_other[3], --, B, other[3]]
    alu[value, --, B, other[2]]
    beq[maxwin_right#]
    alu[limit, io_end, -, own[1]]
    beq[maxwin_right#]
    bmi[maxwin_right#]
    alu[value, value, +, limit]
maxwin_right#:
    alu[out_other[2], --, B, value]
    // S.end, S.maxwin, S.maxack
    alu[value, --, B, own[0]]
    alu[--, io_end, -, value]
    bmi[end_stays#]
    alu[value, --, B, io_end]
end_stays#:
    alu[out_own[0], --, B, value]
    alu[out_own[1], --, B, own[1]]
    alu[value, io_sack, -, io_ack]
    alu[value, value, +, in_window]
    alu[--, value, -, own[2]]
    bhs[wider#]
    alu[value, --, B, own[2]]
wider#:
    alu[out_own[2], --, B, value]
    alu[value, --, B, own[3]]
    br_bclr[in_flags, TCP_ACK, maxack_right#]
    alu[--, io_ack, -, value]
    bmi[maxack_right#]
    alu[value, --, B, io_ack]
maxack_right#:
    br[tracked#], defer[1]
    alu[out_own[3], --, B, value]

no_ack#:
    alu[io_ack, --, B, other[0]]
    br[acked#], defer[1]
    alu[io_sack, --, B, other[0]]
rst_ack#:                                       // some stacks set ACK in a RST and leave the number 0
    alu[--, --, B, io_ack]
    beq[no_ack#]
    br[acked#]

// ---- what is old passes, where it may, and changes nothing
old#:
    br_bset[in_strict, SWITCH_STRICT_WINDOW, TO_INVALID]
    br[TO_PASS]

// ---- starts beyond the window. By at most a window, and else right: it passes, and the end is remembered for its ack.
over#:
    alu[limit, io_end, -, own[1]]
    alu[--, other[2], -, limit]
    blo[TO_INVALID]
    alu[value, --, B, other[0]]
    alu[--, value, -, io_sack]
    bmi[TO_INVALID]
    move(limit, TCP_OLDEST_ACK)
    alu[--, limit, -, own[2]]
    bhs[over_oldest#]
    alu[limit, --, B, own[2]]
over_oldest#:
    alu[limit, value, -, limit]
    alu[--, io_sack, -, limit]
    bmi[TO_INVALID]
    tcp_keep(own, other, out_own, out_other)
    alu[--, io_end, -, own[0]]
    bmi[tracked#]                               // one that came before ends farther
    br[tracked#], defer[1]
    alu[out_own[0], --, B, io_end]

// ---- a SYN or SYN ACK of a side that has sent before: a SYN's new number is taken as long as the other side has not answered to the old one
again#:
    alu[--, in_class, -, TCP_CLASS_SYN]
    bne[ordinary#]
    alu[--, in_state, -, TCP_SYN_SENT]
    bne[ordinary#]
    alu[value, --, B, own[0]]
    alu[--, value, -, io_end]
    bpl[ordinary#]

// ---- the first segment of a side: its numbers begin here. Without SYN there is none that could: after a RST of who opened, say.
first#:
    br_bclr[in_flags, TCP_SYN, TO_INVALID]
    br_bclr[in_flags, TCP_ACK, first_right#]
    // the ack is one of the SYN that the other side has sent
    alu[value, --, B, other[0]]
    alu[--, value, -, io_ack]
    bmi[TO_INVALID]
    alu[value, --, B, other[3]]
    alu[--, io_ack, -, value]
    bmi[TO_INVALID]
first_right#:
    alu[out_own[0], --, B, io_end]
    alu[out_own[1], --, B, io_end]
    alu[value, --, B, in_window]
    bne[first_open#]
    immed[value, 1]
first_open#:
    alu[out_own[2], --, B, value]
    alu[out_other[0], --, B, other[0]]
    alu[out_other[2], --, B, other[2]]
    br_bset[in_flags, TCP_ACK, first_acks#], defer[2]
    alu[limit, io_ack, +, value]
    alu[out_other[3], --, B, io_end]            // what the other side waits for now
    alu[out_other[1], --, B, other[1]]
    alu[value, --, B, other[2]]
    bne[first_waits#]                           // both sides have sent a SYN: io_ack is the end of the other one
    alu[io_ack, io_seq, +, 1]                   // nobody has answered yet: the least ack that an answer may have
first_waits#:
    br[tracked#], defer[1]
    alu[out_own[3], --, B, io_ack]
first_acks#:
    alu[out_own[3], --, B, io_ack]
    br[tracked#], defer[1]
    alu[out_other[1], --, B, limit]

// ---- a reset counts only at the number that the other side waits for; while the connection closes anywhere in its window
rst#:
    alu[--, --, B, own[2]]
    beq[refused#]
    alu[value, --, B, other[0]]
    alu[--, value, -, io_sack]
    bmi[TO_INVALID]
    alu[--, io_seq, -, own[0]]
    beq[reset#]
    alu[--, --, B, other[2]]
    beq[TO_INVALID]                             // it has sent nothing yet and waits for nothing
    alu[--, io_seq, -, other[3]]
    beq[reset#]
    alu[--, in_state, -, TCP_FIN_WAIT]
    blo[TO_INVALID]
    alu[--, in_state, -, TCP_SYN_SENT2]
    beq[TO_INVALID]
    alu[value, --, B, other[3]]
    alu[--, io_seq, -, value]
    bmi[TO_INVALID]
    alu[--, own[1], -, io_seq]
    bmi[TO_INVALID]
    br[reset#]
refused#:                                       // of a SYN: its ack must be right
    br_bclr[in_flags, TCP_ACK, TO_INVALID]
    alu[value, --, B, other[0]]
    alu[--, value, -, io_ack]
    bmi[TO_INVALID]
    alu[value, --, B, other[3]]
    alu[--, io_ack, -, value]
    bmi[TO_INVALID]
reset#:
    tcp_keep(own, other, out_own, out_other)
tracked#:
.end
#endm

// tcp_opened(in_seq, in_end, in_window, out_end, out_maxend, out_maxwin, out_maxack): the window words of the side whose SYN opens a connection. Those of the
// other side are 0.
#macro tcp_opened(in_seq, in_end, in_window, out_end, out_maxend, out_maxwin, out_maxack)
    alu[out_end, --, B, in_end]
    alu[out_maxend, --, B, in_end]
    alu[out_maxack, in_seq, +, 1]               // the least ack that an answer may have
    alu[out_maxwin, --, B, in_window]
    bne[open#]
    immed[out_maxwin, 1]
open#:
#endm

// tcp_keep(own, other, out_own, out_other): the window words as they were.
#macro tcp_keep(own, other, out_own, out_other)
    alu[out_own[0], --, B, own[0]]
    alu[out_own[1], --, B, own[1]]
    alu[out_own[2], --, B, own[2]]
    alu[out_own[3], --, B, own[3]]
    tcp_keep_other(other, out_other)
#endm
#macro tcp_keep_other(other, out_other)
    alu[out_other[0], --, B, other[0]]
    alu[out_other[1], --, B, other[1]]
    alu[out_other[2], --, B, other[2]]
    alu[out_other[3], --, B, other[3]]
#endm

#endif
