// filter: is a packet let through? The first rule that matches decides; the last one of a table matches everything.
//
// Purpose    Search the rules of a firewall for a packet, from one of three stores, with one verdict.
//              FILTER_STORE FILTER_SRAM      a table in SRAM, 8 longwords a rule, read by every packet
//                           FILTER_LOCAL     the same table in local memory, which the engine loads whenever there is a new one
//                           FILTER_COMPILED  instructions: compiled_rules.uc, made by the workbench from the program's "rules"
// Inputs     source and destination address; ports: source << 16 | destination, 0 for packets without; kind: protocol << 24 |
//            DSCP << 16 | tracking << 11 | port in << 3 | port out; i$filter_control. Tracking: FILTER_NEW (programs without connections
//            say nothing else), FILTER_NEW_DNAT, FILTER_OLD_DNAT, FILTER_OLD
// Outputs    falls through when the packet is accepted, else branches
// Registers  12 GPRs while it searches, 8 $ in (2 for FILTER_COMPILED); FILTER_LOCAL: two of the engine's; both local memory pointers
// Signals    the caller's
// Memory     scratch, i$filter_control: {table, engines that shall pause, -, -, how many contexts of filter engine 0, 1, 2 ... have stopped}.
//            table = SRAM address of the table, a multiple of 32, | a number modulo 32 that changes with each new one.
//            SRAM: rules {first source, further ones, first destination, further ones, low A, high A, low B, high B}, see
//            FILTER_GUARDS. Local memory: FILTER_LOCAL_RULES x 32 bytes from FILTER_LOCAL_AT on
// Budget     README.md
// Limits     FILTER_LOCAL: FILTER_LOCAL_RULES entries (80), FILTER_LOCAL_AT a multiple of 64. FILTER_COMPILED: what the control
//            store has room for
//
// New rules: SRAM and local memory: a new table is written beside the old one, then its address. A packet keeps the table
// whose address its context read (SRAM), or that was in local memory when its search began; that cannot change during the
// search, which gives up the engine to nobody. Compiled: the engine pauses between two packets, see filter_paused.
#ifndef WEFT_FILTER_UC
#define WEFT_FILTER_UC

#include "common/std.uc"

#define FILTER_SRAM         1
#define FILTER_LOCAL        2
#define FILTER_COMPILED     3
#ifndef FILTER_STORE
#define FILTER_STORE        FILTER_SRAM
#endif
#if ((FILTER_STORE < FILTER_SRAM) || (FILTER_STORE > FILTER_COMPILED))
#error "FILTER_STORE must be FILTER_SRAM (1), FILTER_LOCAL (2) or FILTER_COMPILED (3)"
#endif

// Nobody reads these. They say in the Image which store it has, and the workbench refuses the program beside a control program that
// would replace rules in another one.
#if (FILTER_STORE == FILTER_SRAM)
.import_var i$filter_store_sram
#elif (FILTER_STORE == FILTER_LOCAL)
.import_var i$filter_store_local
#else
.import_var i$filter_store_compiled
#endif

// FILTER_SRAM: 2 when the table stands at the same address on SRAM channels 0 and 1. Then even contexts read it on the one channel and
// odd ones on the other.
#ifndef FILTER_CHANNELS
#define FILTER_CHANNELS     1
#endif
#if ((FILTER_CHANNELS != 1) && (FILTER_CHANNELS != 2))
#error "FILTER_CHANNELS must be 1 or 2"
#endif

// Which filter engine this is: 0 for the first.
#ifndef FILTER_INDEX
#define FILTER_INDEX        0
#endif

#ifndef FILTER_LOCAL_AT
#define FILTER_LOCAL_AT     0
#endif
#ifndef FILTER_LOCAL_RULES
#define FILTER_LOCAL_RULES  80
#endif
#if ((FILTER_LOCAL_AT % 64) != 0)
#error "FILTER_LOCAL_AT must be a multiple of 64: an offset is ORed into a pointer"
#endif
#if ((FILTER_LOCAL_AT + FILTER_LOCAL_RULES * 32) > 2560)
#error "FILTER_LOCAL_AT and FILTER_LOCAL_RULES * 32 bytes are more than local memory"
#endif

// What connection tracking says of a packet, in bits 13:11 of its kind: 13 its destination was translated (DNAT), 12 it is of a connection
// that was there before. 12:11 are a number in whose order nearly everything that a rule can say of the two is one range.
#define FILTER_NEW          (0 << 11)
#define FILTER_NEW_DNAT     (5 << 11)
#define FILTER_OLD_DNAT     (6 << 11)
#define FILTER_OLD          (3 << 11)

// The small fields of a packet, A: source port, protocol, tracking; B: destination port, DSCP, port in, port out:
//     31 | 30:15 port | 14 | 13:6 protocol or DSCP | 5 | 4:3 tracking or port in | 2 | 1:0 verdict (low A) or port out
// The four bits between are guards. Packet with guards - low bounds, and high bounds with guards - packet, keep a guard
// bit for each field that is within its bound. Low A carries the verdict, so 3 is added to the packet's A before.
#define FILTER_GUARDS       0x80004024
#define FILTER_ACCEPT       0       // bit numbers of low A
#define FILTER_LAST         1
#define FILTER_RULE_BYTES   32
#define FILTER_STOPPED      16      // byte offset in the control block

#if (FILTER_STORE == FILTER_COMPILED)
#include "compiled_rules.uc"        // made from the program's "rules" (docs/project.md)
#endif
#if (FILTER_STORE == FILTER_LOCAL)
.reg @filter_loaded @filter_loading
.init @filter_loaded 0              // the table word of what local memory holds
.init @filter_loading 0             // 1: a context is at it
#endif

// filter_ask(out_control, in_control, in_signal): the control block to out_control[0] and [1], a register array of two, `$`.
// in_control: i$filter_control. To be asked for in the section in which contexts take packets: then, when one has seen that the
// engine shall pause, all after it see it too.
#macro filter_ask(out_control, in_control, in_signal)
    scratch[read, out_control[0], in_control, 0, 2], sig_done[in_signal]
#endm

// filter_table(out_table, in_control_words): what filter() wants. Later the registers of filter_ask may be used again.
#macro filter_table(out_table, in_control_words)
    alu[out_table, --, B, in_control_words[0]]
#endm

// filter_paused(in_control_words, TO_STOP): to TO_STOP when the engine shall pause. To be asked after each packet, and when there is none.
#macro filter_paused(in_control_words, TO_STOP)
    br_bset[in_control_words[1], FILTER_INDEX, TO_STOP]
#endm

// filter_stop(in_control): the context says that it has stopped, and waits for ever. When all eight have, the control
// processor loads the store, and all start again at 0. A context that stops holds no packet and waits for nothing, and has passed on
// every turn that it had.
#macro filter_stop(in_control)
    scratch[incr, --, in_control, (FILTER_STOPPED + FILTER_INDEX * 4)]
    ctx_arb[kill]
#endm

// filter(in_source, in_destination, in_ports, in_kind, in_table, in_control, in_signal, TO_DROP)
// in_table, in_control: FILTER_SRAM needs the first, FILTER_LOCAL both, FILTER_COMPILED none.
#macro filter(in_source, in_destination, in_ports, in_kind, in_table, in_control, in_signal, TO_DROP)
#if (FILTER_STORE == FILTER_COMPILED)
    compiled_rules(in_source, in_destination, in_ports, in_kind, filter_accept#, TO_DROP)
filter_accept#:
#else
.begin
    .reg guards low_a high_a low_b high_b part
    // The packet's fields once without guards, for high bounds, and once with them, for low bounds.
    move(guards, FILTER_GUARDS)
    alu_shf[high_a, --, B, in_ports, >>16]
    alu_shf[high_a, --, B, high_a, <<15]
    alu_shf[part, --, B, in_kind, >>24]
    alu_shf[high_a, high_a, OR, part, <<6]
    alu_shf[part, 0x18, AND, in_kind, >>8]
    alu[high_a, high_a, OR, part]
    ld_field_w_clr[high_b, 0011, in_ports]
    alu_shf[high_b, --, B, high_b, <<15]
    alu_shf[part, 0x3f, AND, in_kind, >>16]
    alu_shf[high_b, high_b, OR, part, <<6]
    alu[part, 0x1b, AND, in_kind]
    alu[high_b, high_b, OR, part]
    alu[low_b, high_b, OR, guards]
    alu[low_a, high_a, OR, guards]
    alu[low_a, low_a, OR, 3]
#if (FILTER_STORE == FILTER_SRAM)
    filter_in_sram(in_source, in_destination, low_a, high_a, low_b, high_b, guards, in_table, in_signal, TO_DROP)
#else
    filter_in_local(in_source, in_destination, low_a, high_a, low_b, high_b, guards, in_table, in_control, in_signal, TO_DROP)
#endif
.end
#endif
#endm

// filter_small(out_part, in_low_a ... in_guards, in_rule4 ... in_rule7): out_part = 0 and Z when the small fields match.
#macro filter_small(out_part, in_low_a, in_high_a, in_low_b, in_high_b, in_guards, in_rule4, in_rule5, in_rule6, in_rule7)
.begin
    .reg other
    alu[out_part, in_low_a, -, in_rule4]
    alu[other, in_rule5, -, in_high_a]
    alu[out_part, out_part, AND, other]
    alu[other, in_low_b, -, in_rule6]
    alu[out_part, out_part, AND, other]
    alu[other, in_rule7, -, in_high_b]
    alu[out_part, out_part, AND, other]
    alu[out_part, in_guards, AND~, out_part]
.end
#endm

#if (FILTER_STORE == FILTER_SRAM)
#macro filter_in_sram(in_source, in_destination, in_low_a, in_high_a, in_low_b, in_high_b, in_guards, in_table, in_signal, TO_DROP)
.begin
    .reg place part
    .reg read $rule[8]
#if (FILTER_CHANNELS == 2)
    local_csr_rd[ACTIVE_CTX_STS]
    immed[part, 0]
    alu_shf[place, --, B, part, <<31]
    alu_shf[part, --, B, place, >>1]
    alu[place, in_table, AND~, 0x1f]
    alu[place, place, XOR, part]
#else
    alu[place, in_table, AND~, 0x1f]
#endif
next_rule#:
    sram[read, $rule[0], place, 0, 8], ctx_swap[in_signal], defer[1]
    alu[place, place, +, FILTER_RULE_BYTES]
    alu[part, in_source, -, $rule[0]]
    alu[--, $rule[1], -, part]
    blo[next_rule#]
    alu[part, in_destination, -, $rule[2]]
    alu[--, $rule[3], -, part]
    blo[next_rule#]
    filter_small(part, in_low_a, in_high_a, in_low_b, in_high_b, in_guards, $rule[4], $rule[5], $rule[6], $rule[7])
    bne[next_rule#]
    br_bclr[$rule[4], FILTER_ACCEPT, TO_DROP]
.end
#endm
#endif

#if (FILTER_STORE == FILTER_LOCAL)
// Four rules a round, two after each pointer, so that a pointer is set while the other one's rules are looked at.
#macro filter_in_local(in_source, in_destination, in_low_a, in_high_a, in_low_b, in_high_b, in_guards, in_table, in_control, in_signal, TO_DROP)
.begin
    .reg place part
    alu[--, in_table, XOR, @filter_loaded]
    beq[loaded#]
    filter_load(in_control, in_signal)
loaded#:
    // From here on nobody else runs.
    immed[place, FILTER_LOCAL_AT]
    local_csr_wr[ACTIVE_LM_ADDR_0, place]
    alu[place, place, +, 64]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]
    nop
    nop
next_four#:
    filter_local_rule(0, *l$index0[0], *l$index0[1], *l$index0[2], *l$index0[3], *l$index0[4], *l$index0[5], *l$index0[6], *l$index0[7], in_source, in_destination, in_low_a, in_high_a, in_low_b, in_high_b, in_guards, part, first#)
    filter_local_rule(1, *l$index0[8], *l$index0[9], *l$index0[10], *l$index0[11], *l$index0[12], *l$index0[13], *l$index0[14], *l$index0[15], in_source, in_destination, in_low_a, in_high_a, in_low_b, in_high_b, in_guards, part, second#)
    alu[place, place, +, 64]
    local_csr_wr[ACTIVE_LM_ADDR_0, place]
    filter_local_rule(2, *l$index1[0], *l$index1[1], *l$index1[2], *l$index1[3], *l$index1[4], *l$index1[5], *l$index1[6], *l$index1[7], in_source, in_destination, in_low_a, in_high_a, in_low_b, in_high_b, in_guards, part, third#)
    filter_local_rule(3, *l$index1[8], *l$index1[9], *l$index1[10], *l$index1[11], *l$index1[12], *l$index1[13], *l$index1[14], *l$index1[15], in_source, in_destination, in_low_a, in_high_a, in_low_b, in_high_b, in_guards, part, fourth#)
    br[next_four#], defer[2]
    alu[place, place, +, 64]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]

first#:
    br[decide#], defer[1]
    alu[part, --, B, *l$index0[4]]
second#:
    br[decide#], defer[1]
    alu[part, --, B, *l$index0[12]]
third#:
    br[decide#], defer[1]
    alu[part, --, B, *l$index1[4]]
fourth#:
    alu[part, --, B, *l$index1[12]]
decide#:
    br_bclr[part, FILTER_ACCEPT, TO_DROP]
.end
#endm

// One rule: to TO_MATCH, or after it.
#macro filter_local_rule(NUMBER, in_0, in_1, in_2, in_3, in_4, in_5, in_6, in_7, in_source, in_destination, in_low_a, in_high_a, in_low_b, in_high_b, in_guards, tmp, TO_MATCH)
    alu[tmp, in_source, -, in_0]
    alu[--, in_1, -, tmp]
    blo[past#]
    alu[tmp, in_destination, -, in_2]
    alu[--, in_3, -, tmp]
    blo[past#]
    filter_small(tmp, in_low_a, in_high_a, in_low_b, in_high_b, in_guards, in_4, in_5, in_6, in_7)
    beq[TO_MATCH]
past#:
#endm

// filter_load(in_control, in_signal): the table of the control block to local memory, by one context, while the others wait. After it
// local memory holds what the control block named when the load began.
#macro filter_load(in_control, in_signal)
.begin
    .reg table from to
    .reg read $word $rule[8]
look#:
    alu[--, --, B, @filter_loading]
    beq[mine#]
    ctx_arb[voluntary]
    br[look#]
mine#:
    immed[@filter_loading, 1]
    scratch[read, $word, in_control, 0, 1], ctx_swap[in_signal]
    alu[table, --, B, $word]
    alu[--, table, XOR, @filter_loaded]
    beq[there#]                                 // another context has just loaded it
    immed[@filter_loaded, 0]                    // is not a table: whoever looks for one comes here
    alu[from, table, AND~, 0x1f]
    immed[to, FILTER_LOCAL_AT]
copy#:
    local_csr_wr[ACTIVE_LM_ADDR_0, to]
    sram[read, $rule[0], from, 0, 8], ctx_swap[in_signal], defer[1]
    alu[from, from, +, FILTER_RULE_BYTES]
    alu[to, to, +, FILTER_RULE_BYTES]
    alu[*l$index0++, --, B, $rule[0]]
    alu[*l$index0++, --, B, $rule[1]]
    alu[*l$index0++, --, B, $rule[2]]
    alu[*l$index0++, --, B, $rule[3]]
    alu[*l$index0++, --, B, $rule[4]]
    alu[*l$index0++, --, B, $rule[5]]
    alu[*l$index0++, --, B, $rule[6]]
    alu[*l$index0++, --, B, $rule[7]]
    br_bclr[$rule[4], FILTER_LAST, copy#]
    alu[@filter_loaded, --, B, table]
there#:
    immed[@filter_loading, 0]
.end
#endm
#endif

#endif
