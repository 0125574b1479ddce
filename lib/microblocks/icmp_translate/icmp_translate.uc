// icmp_translate: ICMP messages as packets of a flow, and the packet that an ICMP error quotes.
//
// Purpose    The tuple of a query, of its answer, of the packet that an error quotes; other addresses and ports in a quoted packet.
// Inputs     words of the packet in registers
// Outputs    ports of a tuple (firewall/layout.uc); words of the quoted packet; by how much the sum over the message grows
// Registers  see each macro
// Budget     icmp_ports 8 to 16 instructions; icmp_quoted about 22; icmp_requote 39 to 75
// Limits     A quoted header with options, a quoted fragment other than the first, and quotes of less than 8 bytes after the header belong to no
//            flow. Types other than queries, their answers and errors 3, 4, 11, 12 do not, either.
#ifndef WEFT_ICMP_TRANSLATE_UC
#define WEFT_ICMP_TRANSLATE_UC

#include "common/std.uc"
#include "firewall/layout.uc"
#include "napt/napt.uc"

#define ICMP_ERROR_BYTES    56      // the shortest error: header, 8 bytes, header, 8 bytes

// icmp_ports(out_ports, in_type_word, in_identifier_word, TO_ERROR, TO_OTHER): falls through with a query or an answer. in_type_word: type in bits
// 15:8, in_identifier_word: identifier in 15:0. Queries have identifier << 16 | type, answers the query's type << 16 | identifier, so that
// an answer is a packet of the query's flow and a query never is an answer.
#macro icmp_ports(out_ports, in_type_word, in_identifier_word, TO_ERROR, TO_OTHER)
.begin
    .reg type identifier
    alu_shf[type, 0xff, AND, in_type_word, >>8]
    beq[echo_reply#]
    alu[--, type, -, 3]
    beq[TO_ERROR]
    alu[--, type, -, 4]
    beq[TO_ERROR]
    alu[--, type, -, 8]
    beq[query#]
    blo[TO_OTHER]
    alu[--, type, -, 13]
    blo[errors#]
    alu[--, type, -, 19]
    bhs[TO_OTHER]
    br_bset[type, 0, query#]                    // 13, 15, 17; their answers are 14, 16, 18
    br[answer#], defer[1]
    alu[type, type, -, 1]
errors#:
    alu[--, type, -, 11]
    bhs[TO_ERROR]                               // 11, 12
    br[TO_OTHER]
echo_reply#:
    immed[type, 8]
answer#:
    alu_shf[type, --, B, type, <<16]
    ld_field[type, 0011, in_identifier_word]
    br[known#], defer[1]
    alu[out_ports, --, B, type]
query#:
    alu_shf[identifier, --, B, in_identifier_word, <<16]
    alu[out_ports, identifier, OR, type]
known#:
.end
#endm

// icmp_quoted(out_source, out_destination, out_ports, out_class, in_total, words, TO_OTHER): the tuple of the flow's direction in which the error goes: that
// of the quoted packet turned round. in_total: of the outer packet; words: an array with frame longwords 9 to 17, read registers.
#macro icmp_quoted(out_source, out_destination, out_ports, out_class, in_total, words, TO_OTHER)
.begin
    .reg middle
    alu[--, in_total, -, ICMP_ERROR_BYTES]
    blo[TO_OTHER]
    br!=byte[words[1], 1, 0x45, TO_OTHER]
    alu_shf[middle, --, B, words[3], <<3]
    alu_shf[--, --, B, middle, >>19]            // offset
    bne[TO_OTHER]
    alu[middle, --, B, words[5]]
    dbl_shf[out_destination, words[4], middle, >>16]
    dbl_shf[out_source, middle, words[6], >>16]
    br=byte[words[3], 0, 6, tcp#], defer[1]
    immed[out_class, CLASS_TCP]
    br=byte[words[3], 0, 17, tcp#], defer[1]
    immed[out_class, CLASS_UDP]
    br=byte[words[3], 0, 1, icmp#], defer[1]
    immed[out_class, CLASS_ICMP]
    immed[out_class, CLASS_OTHER]
    alu[out_ports, words[3], AND, 0xff]
    alu_shf[middle, --, B, out_ports, <<16]
    br[quoted#], defer[1]
    alu[out_ports, out_ports, OR, middle]
tcp#:
    alu[middle, --, B, words[6]]
    dbl_shf[middle, middle, words[7], >>16]
    br[quoted#], defer[1]
    alu_shf[out_ports, --, B, middle, >>rot16]
icmp#:
    icmp_ports(middle, words[6], words[7], TO_OTHER, TO_OTHER)
    alu_shf[out_ports, --, B, middle, >>rot16]
quoted#:
.end
#endm

// icmp_requote(out_sum, in_class, in_total, in_source, in_destination, in_ports, words, out_words): the quoted packet gets another tuple, as
// {source, destination, ports} has it (for ICMP a flow's tuple). words: an array with frame longwords 12 to 19, out_words: of write registers for
// 13 to 19 (0 is left as it is). out_sum: by how much the sum of the ICMP message grows.
#macro icmp_requote(out_sum, in_class, in_total, in_source, in_destination, in_ports, words, out_words)
.begin
    .reg old_source old_destination old_ports word high growth new_ports
    alu[word, --, B, words[2]]
    dbl_shf[old_source, words[1], word, >>16]
    dbl_shf[old_destination, word, words[3], >>16]
    napt_sum_addresses(growth, old_source, old_destination, in_source, in_destination)
    napt_checksum(high, growth, words[1], 1100)
    ld_field[high, 0011, in_source, >>16]
    alu[out_words[1], --, B, high]
    dbl_shf[out_words[2], in_source, in_destination, >>16]
    alu_shf[word, --, B, in_destination, <<16]
    ld_field[word, 0011, words[3]]
    alu[out_words[3], --, B, word]
    alu[out_words[4], --, B, words[4]]
    alu[out_words[5], --, B, words[5]]
    alu[out_words[6], --, B, words[6]]
    alu[out_words[7], --, B, words[7]]
    immed[out_sum, 0]
    alu[--, in_class, -, CLASS_ICMP]
    beq[icmp#]
    bhs[requoted#]                              // other protocols have no ports
    ld_field[word, 0011, in_ports, >>16]
    alu[out_words[3], --, B, word]
    alu[old_ports, --, B, words[3]]
    dbl_shf[old_ports, old_ports, words[4], >>16]
    alu[word, --, B, words[4]]
    ld_field[word, 1100, in_ports, <<16]
    alu[out_words[4], --, B, word]
    napt_sum_words(out_sum, old_ports, in_ports)
    // A transport checksum that is quoted changes by both, and so the message by the addresses alone, the other way.
    alu[--, in_class, -, CLASS_TCP]
    beq[tcp#]
    alu_shf[--, --, B, words[5], >>16]
    beq[requoted#]                              // UDP without one
    napt_sum_words(growth, old_ports, in_ports)
    napt_checksum(high, growth, words[5], 1100)
    napt_udp_checksum(high)
    ld_field[high, 0011, words[5]]
    alu[out_words[5], --, B, high]
    br[carried#]
tcp#:
    alu[word, in_total, -, (ICMP_ERROR_BYTES + 10)]
    bmi[requoted#]                              // it is not in the quote
    napt_sum_words(growth, old_ports, in_ports)
    napt_checksum(high, growth, words[7], 0011)
    alu[word, --, B, words[7]]
    ld_field[word, 0011, high, >>16]
    alu[out_words[7], --, B, word]
carried#:
    napt_sum_addresses(out_sum, in_source, in_destination, old_source, old_destination)
    br[requoted#]
icmp#:                                          // the identifier, whose change the quoted checksum takes back
    alu_shf[new_ports, --, B, in_ports, >>16]
    ld_field_w_clr[old_source, 0011, words[4]]
    alu_shf[word, 0xff, AND, words[3], >>8]
    br_bset[word, 0, query#]                    // types 13, 15, 17, and 8: a query, whose identifier is the upper half
    br_bset[word, 3, echo_or_answer#]
answer#:
    br[query#], defer[1]
    ld_field_w_clr[new_ports, 0011, in_ports]
echo_or_answer#:
    br_bset[word, 1, answer#]                   // 14; 16 and 18 have bit 3 clear
query#:
    immed[growth, 0]
    napt_sum_words(growth, old_source, new_ports)
    napt_checksum(high, growth, words[4], 1100)
    ld_field[high, 0011, new_ports]
    alu[out_words[4], --, B, high]
requoted#:
.end
#endm

#endif
