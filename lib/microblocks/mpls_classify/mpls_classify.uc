// mpls_classify: is this a labelled packet that the port takes, and what is its top label?
//
// Purpose    Sort by Ethernet type after ethernet_classify; refuse what must not be looked up.
// Inputs     w0 to w4: frame longwords 0 to 4 in transfer registers, as ethernet_classify leaves them; bytes of the frame;
//            local memory pointer 0 at the port's configuration
// Outputs    top: the top entry of the label stack
// Registers  1 temporary
// Memory     none; mpls_configure fills local memory MPLS_LOCAL_DSCP to MPLS_LOCAL_TC + 255 from scratch
// Budget     mpls_classify 8 instructions
// Limits     The stack below the top entry is not looked at.
#ifndef WEFT_MPLS_CLASSIFY_UC
#define WEFT_MPLS_CLASSIFY_UC

#include "mpls/layout.uc"
#include "ethernet/ethernet.uc"

// mpls_configure(in_maps, in_signal): once, by one context: the maps of DSCPs and traffic classes go to local memory.
#macro mpls_configure(in_maps, in_signal)
.begin
    .reg read $map_in
    .reg place nibbles class left
    immed[place, MPLS_LOCAL_DSCP]
    local_csr_wr[ACTIVE_LM_ADDR_1, place]
    immed[place, (MPLS_MAP_OF_TC * 4)]
next_class#:
    scratch[read, $map_in, in_maps, place, 1], ctx_swap[in_signal]
    alu[place, place, +, 4]
    alu[*l$index1++, --, B, $map_in]
    alu[--, place, -, (MPLS_MAPS_LONGWORDS * 4)]
    bne[next_class#]
    immed[place, 0]
next_word#:
    scratch[read, $map_in, in_maps, place, 1], ctx_swap[in_signal]
    alu[nibbles, --, B, $map_in]
    immed[left, 8]
next_nibble#:
    alu[class, nibbles, AND, 7]
    alu_shf[class, --, B, class, <<9]
    alu[*l$index1++, --, B, class]
    alu_shf[nibbles, --, B, nibbles, >>4]
    alu[left, left, -, 1]
    bne[next_nibble#]
    alu[place, place, +, 4]
    alu[--, place, -, (MPLS_MAP_OF_TC * 4)]
    bne[next_word#]
.end
#endm

// mpls_classify(out_top, in_bytes, in_w0, in_w3, in_w4, TO_OTHER_TYPE, TO_DISABLED, TO_MULTICAST, TO_GROUP, TO_SHORT)
// Where ethernet_classify leads with a type that it does not know. TO_MULTICAST: type 0x8848. TO_GROUP: the frame was a
// broadcast or multicast.
#macro mpls_classify(out_top, in_bytes, in_w0, in_w3, in_w4, TO_OTHER_TYPE, TO_DISABLED, TO_MULTICAST, TO_GROUP, TO_SHORT)
.begin
    .reg upper
    br!=byte[in_w3, 3, 0x88, TO_OTHER_TYPE]
    br=byte[in_w3, 2, 0x47, unicast#]
    br!=byte[in_w3, 2, 0x48, TO_OTHER_TYPE]
    br_bclr[*l$index0[2], FLAG_MPLS, TO_DISABLED]
    br[TO_MULTICAST]
unicast#:
    br_bclr[*l$index0[2], FLAG_MPLS, TO_DISABLED]
    ethernet_group(in_w0, TO_GROUP)
    alu[--, in_bytes, -, MPLS_MIN_BYTES]
    blo[TO_SHORT]
    alu[upper, --, B, in_w3]
    dbl_shf[out_top, upper, in_w4, >>16]
.end
#endm

#endif
