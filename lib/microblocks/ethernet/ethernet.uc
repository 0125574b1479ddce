// ethernet: is this frame for the router, what does it carry, and the header that it leaves with.
//
// Purpose    Compare the destination MAC with that of the input port; look at VLAN tags; sort by Ethernet type. Write the
//            header of the next hop, with or without a tag, before a packet that came with or without one.
// Inputs     frame longwords in DRAM read registers; local memory pointer 0 at the port's configuration {MAC bytes 0-3,
//            MAC bytes 4-5 << 16, flags, -}; CAM: VLANs, port << 12 | VLAN, state 1; a next hop
// Outputs    the header in DRAM write registers, and in the buffer
// Registers  1 temporary
// Memory     CAM, looked up only; DRAM: one more read of a tagged frame, one write of 32 or 40 bytes
// Budget     ethernet_classify 7 instructions for IPv4, 8 for IPv6, 17 more with a tag, 13 with one of VLAN 0; ethernet_mtu 3;
//            ethernet_encapsulate 8 without tags, 9 to 12 with
// Limits     one tag, 0x8100; its priority bits are not looked at, and 0 in a new one. A tag of VLAN 0 is taken off: the frame is one
//            without a tag
//
// A frame is moved by its tag, not its contents: where the tag is taken off, everything after it is read again so that it
// lies in the registers where an untagged frame has it, and frame address and length change by 4. Bit 2 of the frame
// address then says that there was a tag.
//
//                   buffer + 8                              frame address after
//   untagged        destination source type packet          + 8     + 0
//   tagged          destination source tag type packet      + 8     + 4
//
// The new header ends where the packet begins, so an untagged frame that gets a tag begins at buffer + 4, and a tagged one
// that loses its tag at buffer + 12. The first eight bytes of a buffer are free for that.
#ifndef WEFT_ETHERNET_UC
#define WEFT_ETHERNET_UC

#include "common/std.uc"
#include "common/layout.uc"

#define ETHERNET_HEADER     14
#define ETHERNET_TAG        4
#define ARP_BYTES           28
#define CAM_ENTRIES         16
#define FRAME_WAS_TAGGED    2           // bit of the frame address

// ethernet_configure(in_config, in_signal): once, by one context: the configuration block goes to local memory and CAM.
#macro ethernet_configure(in_config, in_signal)
.begin
    .reg read $in[3]
    .reg place value
    immed[place, 0]
copy_port#:
    scratch[read, $in[0], in_config, place, 3], ctx_swap[in_signal]
    local_csr_wr[ACTIVE_LM_ADDR_0, place]
    alu[place, place, +, (1 << PORT_CONFIG_LOG2)]
    nop
    nop
    alu[*l$index0[0], --, B, $in[0]]
    alu[*l$index0[1], --, B, $in[1]]
    alu[*l$index0[2], --, B, $in[2]]
    alu[--, place, -, BROADCAST_LIST]
    bne[copy_port#]
    immed[place, 0]
copy_cam#:
    alu_shf[value, --, B, place, <<2]
    alu[value, value, +, BROADCAST_LIST]
    scratch[read, $in[0], in_config, value, 1], ctx_swap[in_signal]
    alu[value, value, +, (VLAN_STATES - BROADCAST_LIST)]
    scratch[read, $in[1], in_config, value, 1], ctx_swap[in_signal]
    cam_write[place, $in[0], 0]
    br_bclr[$in[1], CAM_VLAN_BIT, no_vlan#]
    cam_write_state[place, (1 << CAM_VLAN_BIT)]
no_vlan#:
    br_bclr[$in[1], CAM_OWN_BIT, not_own#]
    cam_write_state[place, (1 << CAM_OWN_BIT)]
not_own#:
    alu[place, place, +, 1]
    alu[--, place, -, CAM_ENTRIES]
    bne[copy_cam#]
.end
#endm

// ethernet_classify(io_frame, io_bytes, in_port, io_words, in_signal, TO_IPV6, TO_ARP, TO_OTHER_TYPE, TO_NOT_FOR_US,
//                   TO_VLAN, TO_SHORT)
// Falls through with IPv4. io_words: an array of 15; frame longwords 0 to 13 are in it. Those from 1 on are replaced when the
// frame is tagged. A port with FLAG_ANY_MAC takes frames for every station; broadcasts and multicasts are for everybody.
#macro ethernet_classify(io_frame, io_bytes, in_port, io_words, in_signal, TO_IPV6, TO_ARP, TO_OTHER_TYPE, TO_NOT_FOR_US, TO_VLAN, TO_SHORT)
.begin
    .reg temp
    alu[--, io_words[0], XOR, *l$index0[0]]
    bne[other_mac#]
    alu[temp, io_words[1], XOR, *l$index0[1]]
    alu_shf[--, --, B, temp, >>16]
    bne[other_mac#]
type#:
    br!=byte[io_words[3], 3, 0x08, not_08#]
    br=byte[io_words[3], 2, 0x00, ipv4#]
    br!=byte[io_words[3], 2, 0x06, TO_OTHER_TYPE]
    alu[--, io_bytes, -, (ETHERNET_HEADER + ARP_BYTES)]
    bhs[TO_ARP]
    br[TO_SHORT]

not_08#:
    br!=byte[io_words[3], 3, 0x86, not_86#]
    br=byte[io_words[3], 2, 0xdd, TO_IPV6]
not_86#:
    br!=byte[io_words[3], 3, 0x81, TO_OTHER_TYPE]
    br!=byte[io_words[3], 2, 0x00, TO_OTHER_TYPE]
    br_bset[io_frame, FRAME_WAS_TAGGED, TO_OTHER_TYPE]      // a second tag
    alu[--, io_bytes, -, (ETHERNET_HEADER + ETHERNET_TAG)]
    blo[TO_SHORT]
    alu_shf[temp, --, B, io_words[3], <<20]
    beq[tag_right#]                                         // VLAN 0: a priority alone (IEEE 802.1Q), and no VLAN
    alu_shf[temp, --, B, temp, >>20]
    alu_shf[temp, temp, OR, in_port, <<12]
    cam_lookup[temp, temp]
    br_bclr[temp, (8 + CAM_VLAN_BIT), TO_VLAN]              // the state; 0 for a miss
tag_right#:
    dram[read, io_words[1], io_frame, 8, 7], sig_done[in_signal]
    alu[io_frame, io_frame, +, ETHERNET_TAG]
    alu[io_bytes, io_bytes, -, ETHERNET_TAG]
    ctx_arb[in_signal], br[type#]

other_mac#:
    br_bset[io_words[0], 24, type#]                         // the lowest bit of the first byte: a group
    br_bset[*l$index0[2], FLAG_ANY_MAC, type#]
    br[TO_NOT_FOR_US]
ipv4#:
.end
#endm

// ethernet_group(in_w0, TO_GROUP): to TO_GROUP when the frame was a broadcast or multicast.
#macro ethernet_group(in_w0, TO_GROUP)
    br_bset[in_w0, 24, TO_GROUP]
#endm

// ethernet_mtu(in_hop0, in_total, TO_TOO_BIG): to TO_TOO_BIG when a packet is longer than the MTU of its next hop.
#macro ethernet_mtu(in_hop0, in_total, TO_TOO_BIG)
.begin
    .reg mtu
    ld_field_w_clr[mtu, 0011, in_hop0]
    alu[--, mtu, -, in_total]
    blo[TO_TOO_BIG]
.end
#endm

// ethernet_encapsulate(io_frame, out_end, in_total, in_hop, out_words, in_signal)
// io_frame: in: the frame as the classifier left it; behind: where the new frame begins. out_end: bytes of the new frame.
// in_hop: array of the next hop's longwords 0 to 4. out_words: array of 10 DRAM write registers; 5 to 9 hold longwords
// 3 to 7 of the frame {type and packet}, with what the caller changes in them. Raises in_signal when they are in memory.
//
//     out_words     0     1     2     3     4     5 ...
//     untagged            (x)   MACs  MACs  MACs  type and packet ...
//     tagged        (x)   MACs  MACs  MACs  tag   type and packet ...
//
// Memory is written from a multiple of 8 on: from register 1, or, for a frame that came without a tag, from 2 or 0. The
// registers marked (x) then go to free bytes before the frame.
#macro ethernet_encapsulate(io_frame, out_end, in_total, in_hop, out_words, in_signal)
.begin
    br_bset[in_hop[0], NEXT_HOP_TAGGED, tagged#]
    alu[out_words[2], --, B, in_hop[1]]
    alu[out_words[3], --, B, in_hop[2]]
    br_bset[io_frame, FRAME_WAS_TAGGED, tag_off#]
    alu[out_words[4], --, B, in_hop[3]]
    dram[write, out_words[2], io_frame, 0, 4], sig_done[in_signal]
    br[written#], defer[1]
    alu[out_end, in_total, +, ETHERNET_HEADER]

tag_off#:
    alu[out_words[4], --, B, in_hop[3]]
    alu[out_words[1], --, B, in_hop[3]]
    alu[out_end, io_frame, -, 4]
    dram[write, out_words[1], out_end, 0, 4], sig_done[in_signal]
    br[written#], defer[1]
    alu[out_end, in_total, +, ETHERNET_HEADER]

tagged#:
    alu[out_words[1], --, B, in_hop[1]]
    alu[out_words[2], --, B, in_hop[2]]
    alu[out_words[3], --, B, in_hop[3]]
    alu[out_words[4], --, B, in_hop[4]]
    br_bset[io_frame, FRAME_WAS_TAGGED, tag_again#], defer[1]
    alu[io_frame, io_frame, -, 4]
    alu[out_words[0], --, B, in_hop[3]]
    alu[out_end, io_frame, -, 4]
    dram[write, out_words[0], out_end, 0, 5], sig_done[in_signal]
    br[written#], defer[1]
    alu[out_end, in_total, +, (ETHERNET_HEADER + ETHERNET_TAG)]

tag_again#:
    dram[write, out_words[1], io_frame, 0, 4], sig_done[in_signal]
    alu[out_end, in_total, +, (ETHERNET_HEADER + ETHERNET_TAG)]
written#:
.end
#endm

// ethernet_as_received(io_frame, io_bytes): gives a frame its tag back, for the core.
#macro ethernet_as_received(io_frame, io_bytes)
.begin
    br_bclr[io_frame, FRAME_WAS_TAGGED, untagged#]
    alu[io_frame, io_frame, -, ETHERNET_TAG]
    alu[io_bytes, io_bytes, +, ETHERNET_TAG]
untagged#:
.end
#endm

#endif
