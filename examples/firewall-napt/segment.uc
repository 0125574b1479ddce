// What pre-routing takes out of headers. Part of prerouting.uc.
// segment_words(): what the tracking needs of a TCP header, from frame longwords 9 {port, seq}, 10 {seq, ack}, 11 {ack, offset and
// flags} and 12 {window, checksum}. end counts SYN and FIN.
#macro segment_words(TO_BAD)
    alu[temp, --, B, $$w[10]]
    dbl_shf[ack, temp, $$w[11], >>16]
    alu[window, --, B, $$w[9]]
    dbl_shf[seq, window, temp, >>16]
    alu_shf[window, --, B, $$w[12], >>16]
    ld_field_w_clr[words, 0011, $$w[11]]
    alu_shf[end, 0x3c, AND, words, >>10]        // bytes of the header
    alu[--, end, -, 20]
    blo[TO_BAD]
    alu[temp, total, -, IPV4_HEADER_BYTES]
    alu[end, temp, -, end]
    bmi[TO_BAD]
    alu[end, end, +, seq]
    alu[temp, words, AND, 1]
    alu[end, end, +, temp]
    alu_shf[temp, 1, AND, words, >>TCP_SYN]
    alu[end, end, +, temp]
    tcp_class(segment, words, TO_BAD)
#endm

// segment_options(io_sack, out_options): longwords 13 to 23 of the frame go to local memory, then the options are read.
#macro segment_options(io_sack, out_options)
.begin
    .reg left options_at
    br_bset[frame, FRAME_WAS_TAGGED, tagged#]
    dram[read, $$w[0], frame, 48, 6], sig_done[dram_sig]
    br[asked#]
tagged#:
    dram[read, $$w[1], frame, 52, 6], sig_done[dram_sig]
asked#:
    ctx_arb[dram_sig]
    // What most segments have: two paddings and a timestamp, which say nothing here.
    alu_shf[left, 0x3c, AND, words, >>10]
    alu[--, left, -, 32]
    bne[look#], defer[1]
    immed[out_options, 0]
    ld_field_w_clr[options_at, 0011, $$w[1]]
    ld_field[options_at, 1100, $$w[2]]
    move(left, 0x080a0101)
    alu[--, options_at, -, left]
    beq[read#]
look#:
    alu[options_at, guard_me, AND, 7]
    alu_shf[options_at, --, B, options_at, <<6]
    immed[left, LM_OPTIONS]
    alu[options_at, options_at, +, left]
    local_csr_wr[ACTIVE_LM_ADDR_1, options_at]
    alu_shf[left, 0x3c, AND, words, >>10]
    alu[left, left, -, 20]
    alu[options_at, options_at, +, 2]
    alu[*l$index1++, --, B, $$w[1]]
    alu[*l$index1++, --, B, $$w[2]]
    alu[*l$index1++, --, B, $$w[3]]
    alu[*l$index1++, --, B, $$w[4]]
    alu[*l$index1++, --, B, $$w[5]]
    alu[*l$index1++, --, B, $$w[6]]
    alu[*l$index1++, --, B, $$w[7]]
    alu[*l$index1++, --, B, $$w[8]]
    alu[*l$index1++, --, B, $$w[9]]
    alu[*l$index1++, --, B, $$w[10]]
    alu[*l$index1++, --, B, $$w[11]]
    tcp_options(out_options, io_sack, left, options_at)
read#:
.end
#endm

// Race: the entry was written by post-routing before a bucket led to it (opening.uc); since then its state and times are written by this engine
// alone, under the connection's lock, and its tuples by nobody. An ICMP error takes no lock: it reads tuples and the filter engine.
//
// connection_read(): where the packet goes and which engine filters it; the connection's state stays in $entry.
#macro connection_read()
.begin
    .reg read $to[2]
    .reg place
    .sig to_sig
    alu[entry, link, AND~, 1]
    alu_shf[place, 0x20, AND, link, <<5]
    alu[entry, entry, -, place]
    sram[read, $entry[0], entry, ENTRY_STATE, 3], sig_done[ring_sig]
    alu_shf[place, 0x20, AND~, link, <<5]
    sram[read, $to[0], entry, place, 2], sig_done[to_sig]
    ctx_arb[ring_sig, to_sig]
    alu[destination, --, B, $to[1]]
    alu[place, --, B, $entry[2]]
    alu[engine, place, AND, 3]
    alu_shf[engine, --, B, engine, <<8]
.end
#endm

// fragment_identity(out_identity): identification << 16 | protocol.
#macro fragment_identity(out_identity)
    alu_shf[out_identity, --, B, $$w[4], <<16]
    ld_field[out_identity, 0001, $$w[5]]
#endm
