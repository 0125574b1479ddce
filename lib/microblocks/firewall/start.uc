// start: what the engines of the firewall do once, and macros that several of them use.
#ifndef WEFT_FIREWALL_START_UC
#define WEFT_FIREWALL_START_UC

#include "common/std.uc"
#include "firewall/layout.uc"

// firewall_configure(in_signal): by one context: configuration, time-outs and forwardings go to local memory.
#macro firewall_configure(in_signal)
.begin
    .reg read $word
    .reg place config end
    immed[config, FIREWALL_CONFIG]
    immed[place, 0]
    immed[end, CONFIG_BYTES]
word#:
    scratch[read, $word, config, place, 1], ctx_swap[in_signal]
    alu[place, place, +, LM_CONFIG]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]
    alu[place, place, -, (LM_CONFIG - 4)]
    alu[--, end, -, place]
    nop
    bne[word#], defer[1]
    alu[*l$index1[0], --, B, $word]
.end
#endm

// end_with(in_reason, TO_TARGET): the way of a packet ends at a label of deliver/outcomes.uc; the register `reason` is the program's.
#macro end_with(in_reason, TO_TARGET)
    br[TO_TARGET], defer[1]
    immed[reason, in_reason]
#endm

// firewall_packet(out_words, in_frame, in_signal): 14 longwords of the frame from longword 0 on. in_frame is that after ethernet_classify: bit 2
// says that the frame came with a tag; the read then begins at longword 1. out_words: an array of 15.
#macro firewall_packet(out_words, in_frame, in_signal)
    br_bset[in_frame, FRAME_WAS_TAGGED, tagged#]
    dram[read, out_words[0], in_frame, 0, 7], sig_done[in_signal]
    br[asked#]
tagged#:
    dram[read, out_words[1], in_frame, 4, 7], sig_done[in_signal]
asked#:
#endm

#endif
