// Engines 0 to 3 of the forwarder: receive, check, look up, rewrite, queue. ENGINE says which; 0 and 1 ask the ready bus
// for four ports of 100 Mb/s each, 2 and 3 share the Gigabit port, which is a fast port: requests wait for frames.
//
// The contexts take turns at receiving, so that an engine has one request at a time, four of them what the receive machine
// takes. The RFIFO element of a thread has its number.
#include "layout.uc"

#define GIGABIT (ENGINE >= 2)
#define PORT_MASK (0xf << (4 * ENGINE))

.reg thread next request place @below buffer data bytes port status temp
.reg trie flows queues rings buffers rules zero ports class
// All eight $ registers in a row; each use takes those that it needs.
.reg $r0 $r1 $r2 $r3 $r4 $r5 $r6 $r7
.xfer_order $r0 $r1 $r2 $r3 $r4 $r5 $r6 $r7
.reg write $$o0 $$o1 $$o2 $$o3 $$o4 $$o5 $$o6 $$o7
.xfer_order $$o0 $$o1 $$o2 $$o3 $$o4 $$o5 $$o6 $$o7
.reg w3 w4 w5 w6 w7 ip0 ip1 ip2 source destination sum index entry tail slot reason hop0 hop1 hop2 hop3

#macro drop(WHY)
    br[drop#], defer[1]
    immed[reason, WHY]
#endm

    identify(thread, next)
    alu_shf[request, --, B, thread, <<16]
    alu_shf[temp, --, B, thread, <<8]
    alu[request, request, OR, temp]
    alu_shf[place, --, B, thread, <<3]
    load(trie, TRIE_AT)
    load(flows, FLOWS_AT)
    load(queues, QUEUES_AT)
    load(rings, RINGS_AT)
    load(buffers, BUFFERS_AT)
    load(rules, FILTERS_AT)
    immed[zero, 0]
    br!=ctx[0, next_packet#]
    immed[@below, 0]
#if (GIGABIT)
    immed[temp, 0x100]
    fast_wr[temp, REC_FASTPORT_CTL]
#endif
    br[my_turn#]

next_packet#:
    ctx_arb[inter_thread]
my_turn#:
#if (GIGABIT)
    immed[port, 8]
#else
    csr[read, $r0, RCV_RDY_LO], ctx_swap
    alu[temp, $r0, AND, PORT_MASK]
    br=0[my_turn#]
    choose(port, temp, @below)
#endif
    alu[temp, request, OR, port]
    fast_wr[temp, RCV_REQ]
    ctx_arb[start_receive]
    csr[read, $r0, RCV_CNTL], ctx_swap
    alu[status, --, B, $r0]
    br_bset[status, 15, my_turn#]               // nothing: the flag was stale
    fast_wr[next, INTER_THD_SIG]

    // A buffer, and the first eight bytes.
    sram[pop, $r0, FREE_LIST], sig_done
    r_fifo_rd[$r2, place, 0, 1], sig_done
    alu_shf[bytes, --, B, status, >>16]
    ctx_arb[sram, fbi], defer[1]
    alu[bytes, bytes, AND, 0x7f]
    alu[buffer, --, B, $r0]
    br=0[no_buffer#]
    br_bset[status, 14, damaged#]
    br_bclr[status, 12, too_long#]              // a part of a frame that is longer than an mpacket
    br_bclr[status, 13, too_long#]

    // The whole frame to SDRAM, the IP header to registers.
    alu[data, buffer, -, buffers]
    alu_shf[data, --, B, data, <<8]
    alu[--, --, B, place]
    sdram[r_fifo_rd, --, data, 0, 8], indirect_ref, sig_done
    alu_shf[temp, --, B, $r3, >>16]             // MAC addresses of this board: 02:00:00:00:12:port
    immed[sum, 0x1200]
    alu[sum, sum, +, port]
    alu[--, temp, -, sum]
    br!=0[not_for_us#]
    alu_shf[temp, --, B, $r2, >>24]
    alu[--, temp, -, 2]
    br!=0[not_for_us#]
    r_fifo_rd[$r0, place, 1, 4], ctx_swap
    alu[w3, --, B, $r1]
    dbl_shf[ip0, w3, $r2, >>16]                 // version, header length, type of service, length
    alu[w4, --, B, $r2]
    dbl_shf[ip1, w4, $r3, >>16]                 // number, fragment
    alu[w5, --, B, $r3]
    dbl_shf[ip2, w5, $r4, >>16]                 // time to live, protocol, checksum
    alu[w6, --, B, $r4]
    dbl_shf[source, w6, $r5, >>16]
    alu[w7, --, B, $r5]
    dbl_shf[destination, w7, $r6, >>16]
    alu[temp, --, B, $r6]
    dbl_shf[ports, temp, $r7, >>16]             // of TCP or UDP
    scratch[incr, --, port, RECEIVED_AT], sig_done

    br!=byte[w3, 3, 8, not_ipv4#]
    br!=byte[w3, 2, 0, not_ipv4#]
    br!=byte[ip0, 3, 0x45, bad_header#]
    ld_field_w_clr[temp, 0011, ip0]
    alu[--, temp, -, 20]
    blo[bad_header#]
    alu[sum, bytes, -, 14]
    alu[--, sum, -, temp]
    blo[bad_header#]
    alu[sum, ip0, +, ip1]
    alu[sum, sum, +carry, ip2]
    alu[sum, sum, +carry, source]
    alu[sum, sum, +carry, destination]
    alu[sum, sum, +carry, 0]
    alu_shf[temp, --, B, sum, >>16]
    ld_field_w_clr[sum, 0011, sum]
    alu[sum, sum, +, temp]
    alu_shf[temp, --, B, sum, >>16]
    ld_field_w_clr[sum, 0011, sum]
    alu[sum, sum, +, temp]
    alu[sum, sum, +, 1]
    br_bclr[sum, 16, bad_checksum#]
    alu_shf[temp, --, B, ip2, >>24]
    alu[--, temp, -, 2]
    blo[time_exceeded#]
    // 0/8, 127/8, 224/3: no source, and no destination that is forwarded.
#macro martian(address)
    br=byte[address, 3, 0, martian#]
    br=byte[address, 3, 127, martian#]
    alu_shf[temp, --, B, address, >>28]
    alu[--, temp, -, 14]
    bhs[martian#]
#endm
    martian(source)
    martian(destination)

    // The flow: addresses, ports and protocol; found by a hash, counted under a lock.
    alu[$r0, --, B, source]
    alu[$r1, --, B, destination]
    alu[$r2, --, B, ports]
    alu_shf[temp, 0xff, AND, ip2, >>16]
    alu[$r3, --, B, temp]
    ctx_arb[fbi]
    hash2_64[$r0], sig_done
    alu_shf[index, --, B, destination, >>16]
    sram[read, $r4, trie, index, 1], sig_done
    ctx_arb[fbi, sram]
    alu[entry, --, B, $r4]
    alu[index, --, B, $r0]
    alu[index, index, XOR, $r2]
    alu[index, index, XOR, temp]
    alu_shf[index, --, B, index, >>20]
    alu_shf[index, --, B, index, <<2]
    sram[read_lock, $r0, flows, index, 4], ctx_swap
    alu[--, source, -, $r0]
    br!=0[other_flow#]
    alu[--, destination, -, $r1]
    br!=0[other_flow#]
    alu[--, ports, -, $r2]
    br!=0[other_flow#]
    br[flow#], defer[1]
    alu[$r3, $r3, +, 1]
other_flow#:
    immed[$r3, 1]
flow#:
    alu[$r0, --, B, source]
    alu[$r1, --, B, destination]
    alu[$r2, --, B, ports]
    sram[write_unlock, $r0, flows, index, 4] // ordered: before whatever this thread reads next

    // The longest prefix; its first entry is here.
    br_bset[entry, 31, leaf#]
    alu_shf[index, 0xff, AND, destination, >>8]
    sram[read, $r4, entry, index, 1], ctx_swap
    alu[entry, --, B, $r4]
    br_bset[entry, 31, leaf#]
    alu[index, destination, AND, 0xff]
    sram[read, $r4, entry, index, 1], ctx_swap
    alu[entry, --, B, $r4]
leaf#:
    ld_field_w_clr[entry, 0111, entry]
    sram[read, $r0, entry, 0, 4], ctx_swap
    br_bset[$r0, 31, no_route#]
    alu[hop0, --, B, $r0]
    alu[hop1, --, B, $r1]
    alu[hop2, --, B, $r2]
    alu[hop3, --, B, $r3]

    // The class: the first filter whose bits of source and ports agree; two are read at once.
    immed[class, 0]
filters#:
    alu_shf[index, --, B, class, <<2]
    scratch[read, $r0, rules, index, 8], ctx_swap
    alu[temp, source, AND, $r0]
    alu[--, temp, -, $r1]
    br!=0[second#]
    alu[temp, ports, AND, $r2]
    alu[--, temp, -, $r3]
    br=0[classified#]
second#:
    alu[class, class, +, 1]
    alu[temp, source, AND, $r4]
    alu[--, temp, -, $r5]
    br!=0[third#]
    alu[temp, ports, AND, $r6]
    alu[--, temp, -, $r7]
    br=0[classified#]
third#:
    alu[class, class, +, 1]
    alu[--, class, -, FILTER_COUNT]
    br!=0[filters#]
classified#:
    scratch[incr, --, class, CLASSES_AT], sig_done

    // Time to live, checksum (RFC 1624, equation 3), MAC addresses.
    immed[temp, 0x100]
    alu[w5, w5, -, temp]
    alu_shf[sum, --, ~B, w6, >>16]
    ld_field_w_clr[sum, 0011, sum]
    immed[temp, 0xfeff]
    alu[sum, sum, +, temp]
    alu_shf[temp, --, B, sum, >>16]
    ld_field_w_clr[sum, 0011, sum]
    alu[sum, sum, +, temp]
    alu[sum, --, ~B, sum]
    ld_field[w6, 1100, sum, <<16]
    alu[$$o0, --, B, hop1]
    alu[$$o1, --, B, hop2]
    alu[$$o2, --, B, hop3]
    alu[$$o3, --, B, w3]
    alu[$$o4, --, B, w4]
    alu[$$o5, --, B, w5]
    alu[$$o6, --, B, w6]
    alu[$$o7, --, B, w7]
    ctx_arb[sdram]                              // of the move from the RFIFO
    sdram[write, $$o0, data, 0, 4], sig_done
    ld_field_w_clr[port, 0001, hop0]
    alu_shf[slot, --, B, port, <<8]
    alu_shf[temp, --, B, bytes, <<24]
    alu[$r4, buffer, OR, temp]
    alu_shf[index, --, B, port, <<1]
    immed[temp, 1]
    alu[--, port, OR, temp]
    alu_shf[$r6, --, B, temp, <<indirect]

    // On the ring of the port. The slot is written before the number that shows it: both are ordered.
    sram[read_lock, $r0, queues, index, 1], sig_done
    ctx_arb[sram, sdram, fbi]
    alu[tail, --, B, $r0]
    alu[temp, tail, AND, 0xff]
    alu[slot, slot, +, temp]
    sram[write, $r4, rings, slot, 1]
    alu[$r5, tail, +, 1]
    br_bset[port, 3, number_alone#]             // engine 5 has one port, and looks at the number alone
    sram[write_unlock, $r5, queues, index, 1], ctx_swap
    scratch[set_bits, $r6, zero, VECTOR_AT], ctx_swap
    br[next_packet#]
number_alone#:
    sram[write_unlock, $r5, queues, index, 1]
    br[next_packet#]

no_buffer#:
    scratch[incr, --, zero, (DROPPED_AT + DROP_NO_BUFFER)], ctx_swap
    br[next_packet#]
too_long#:
    br[early_drop#], defer[1]
    immed[reason, DROP_TOO_LONG]
damaged#:
    br[early_drop#], defer[1]
    immed[reason, DROP_DAMAGED]
not_for_us#:
    drop(DROP_NOT_FOR_US)
not_ipv4#:
    ctx_arb[fbi]
    drop(DROP_NOT_IPV4)
bad_header#:
    ctx_arb[fbi]
    drop(DROP_BAD_HEADER)
bad_checksum#:
    ctx_arb[fbi]
    drop(DROP_BAD_CHECKSUM)
time_exceeded#:
    ctx_arb[fbi]
    drop(DROP_TIME_EXCEEDED)
martian#:
    ctx_arb[fbi]
    drop(DROP_MARTIAN)
no_route#:
    drop(DROP_NO_ROUTE)
drop#:
    ctx_arb[sdram]
early_drop#:
    scratch[incr, --, reason, DROPPED_AT], ctx_swap
    sram[push, --, buffer, 0, FREE_LIST], ctx_swap
    br[next_packet#]
