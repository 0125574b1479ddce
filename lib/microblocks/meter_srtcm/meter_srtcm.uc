// meter_srtcm: one rate, three colours (RFC 2697).
//
// Purpose    A bucket C fills at the committed rate; what does not go into it goes into a bucket E. A packet for which C has enough is
//            green and takes from C; else, one for which E has enough is yellow and takes from E; any other is red and takes
//            nothing. Colour-aware, a packet that comes yellow is not green, and one that comes red stays red.
// Inputs     in_record: a record of bucket (README there): 1-2 when C was empty, 3-4 what is in E, 5-6 and 7-8 what they hold, 9 cost of a
//            byte. The time (bucket_now), the bytes of the packet
// Outputs    colour: 0 green, 1 yellow, 2 red
// Registers  6 temporaries and those of bucket_cost; 8 $ in, 5 $ out
// Memory     SRAM: 9 longwords read, 4 written, one lock
// Budget     README.md
// Limits     those of bucket
#ifndef WEFT_METER_SRTCM_UC
#define WEFT_METER_SRTCM_UC

#include "bucket/bucket.uc"

// meter_srtcm(out_colour, in_record, in_now_high, in_now_low, in_bytes): colour-blind.
#macro meter_srtcm(out_colour, in_record, in_now_high, in_now_low, in_bytes)
    meter_srtcm_of(out_colour, in_record, in_now_high, in_now_low, in_bytes, 0)
#endm

// meter_srtcm_aware(io_colour, in_record, in_now_high, in_now_low, in_bytes): io_colour is the colour that the packet has, 0 to 2.
#macro meter_srtcm_aware(io_colour, in_record, in_now_high, in_now_low, in_bytes)
    meter_srtcm_of(io_colour, in_record, in_now_high, in_now_low, in_bytes, 1)
#endm

#macro meter_srtcm_of(io_colour, in_record, in_now_high, in_now_low, in_bytes, AWARE)
.begin
    .reg committed_high committed_low excess_high excess_low cost_high cost_low rest_high rest_low
    .reg read $cost $bucket[8]
    .reg write $new[5]
    portable_signal(cost_here)
    table_read($cost, in_record, LONGWORDS(9), 1, cost_here)
    bucket_cost(cost_high, cost_low, $cost, in_bytes)
    bucket_take($bucket, in_record, 8)
    alu[excess_low, --, B, $bucket[3]]
    alu[excess_high, --, B, $bucket[2]]
    bucket_level(committed_high, committed_low, $bucket[0], $bucket[1], in_now_high, in_now_low)
    bucket_if_fits(committed_high, committed_low, $bucket[4], $bucket[5], fits#)
    alu[rest_low, committed_low, -, $bucket[5]]
    alu[rest_high, committed_high, -carry, $bucket[4]]
    alu[committed_low, --, B, $bucket[5]]
    alu[committed_high, --, B, $bucket[4]]
    alu[excess_low, excess_low, +, rest_low]
    alu[excess_high, excess_high, +carry, rest_high]
    bhs[full#]                                  // after a long pause the sum has more than 64 bits
    alu[--, $bucket[7], -, excess_low]
    alu[--, $bucket[6], -carry, excess_high]
    bhs[fits#]
full#:
    alu[excess_low, --, B, $bucket[7]]
    alu[excess_high, --, B, $bucket[6]]
fits#:
#if (AWARE)
    br_bset[io_colour, 1, stored#]
    br_bset[io_colour, 0, not_green#]
#endif
    bucket_pay(rest_high, rest_low, committed_high, committed_low, cost_high, cost_low, not_green#)
    alu[committed_low, --, B, rest_low]
    alu[committed_high, --, B, rest_high]
    br[stored#], defer[1]
    immed[io_colour, 0]
not_green#:
    bucket_pay(rest_high, rest_low, excess_high, excess_low, cost_high, cost_low, red#)
    alu[excess_low, --, B, rest_low]
    alu[excess_high, --, B, rest_high]
    br[stored#], defer[1]
    immed[io_colour, 1]
red#:
    immed[io_colour, 2]
stored#:
    alu[$new[2], in_now_low, -, committed_low]
    alu[$new[1], in_now_high, -carry, committed_high]
    alu[$new[4], --, B, excess_low]
    alu[$new[3], --, B, excess_high]
    bucket_give($new, in_record, 4)
.end
#endm

#endif
