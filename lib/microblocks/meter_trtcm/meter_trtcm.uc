// meter_trtcm: two rates, three colours (RFC 2698).
//
// Purpose    A bucket P fills at the peak rate, a bucket C at the committed rate. A packet for which P has not enough is red and takes
//            nothing; else, one for which C has not enough is yellow and takes from P; any other is green and takes from both.
//            Colour-aware, a packet that comes red stays red, and one that comes yellow is not green.
// Inputs     in_record: a record of bucket (README there): 1-2 when P was empty, 3-4 when C was, 5-6 and 7-8 what they hold, 9 and 10 cost
//            of a byte. The time (bucket_now), the bytes of the packet
// Outputs    colour: 0 green, 1 yellow, 2 red
// Registers  8 temporaries and those of bucket_cost; 8 $ in, 5 $ out
// Memory     SRAM: 10 longwords read, 4 written, one lock
// Budget     README.md
// Limits     those of bucket
#ifndef WEFT_METER_TRTCM_UC
#define WEFT_METER_TRTCM_UC

#include "bucket/bucket.uc"

// meter_trtcm(out_colour, in_record, in_now_high, in_now_low, in_bytes): colour-blind.
#macro meter_trtcm(out_colour, in_record, in_now_high, in_now_low, in_bytes)
    meter_trtcm_of(out_colour, in_record, in_now_high, in_now_low, in_bytes, 0)
#endm

// meter_trtcm_aware(io_colour, in_record, in_now_high, in_now_low, in_bytes): io_colour is the colour that the packet has, 0 to 2.
#macro meter_trtcm_aware(io_colour, in_record, in_now_high, in_now_low, in_bytes)
    meter_trtcm_of(io_colour, in_record, in_now_high, in_now_low, in_bytes, 1)
#endm

#macro meter_trtcm_of(io_colour, in_record, in_now_high, in_now_low, in_bytes, AWARE)
.begin
    .reg peak_high peak_low committed_high committed_low
    .reg peak_cost_high peak_cost_low committed_cost_high committed_cost_low
    .reg read $costs[2] $bucket[8]
    .reg write $new[5]
    portable_signal(costs_here)
    table_read($costs[0], in_record, LONGWORDS(9), 2, costs_here)
    bucket_cost(peak_cost_high, peak_cost_low, $costs[0], in_bytes)
    bucket_cost(committed_cost_high, committed_cost_low, $costs[1], in_bytes)
    bucket_take($bucket, in_record, 8)
    bucket_level(peak_high, peak_low, $bucket[0], $bucket[1], in_now_high, in_now_low)
    bucket_if_fits(peak_high, peak_low, $bucket[4], $bucket[5], peak_fits#)
    alu[peak_low, --, B, $bucket[5]]
    alu[peak_high, --, B, $bucket[4]]
peak_fits#:
    bucket_level(committed_high, committed_low, $bucket[2], $bucket[3], in_now_high, in_now_low)
    bucket_if_fits(committed_high, committed_low, $bucket[6], $bucket[7], committed_fits#)
    alu[committed_low, --, B, $bucket[7]]
    alu[committed_high, --, B, $bucket[6]]
committed_fits#:
#if (AWARE)
    br_bset[io_colour, 1, stored#]
#endif
    bucket_pay(peak_cost_high, peak_cost_low, peak_high, peak_low, peak_cost_high, peak_cost_low, red#)
    alu[peak_low, --, B, peak_cost_low]
    alu[peak_high, --, B, peak_cost_high]
#if (AWARE)
    br_bset[io_colour, 0, stored#]
#endif
    bucket_pay(committed_cost_high, committed_cost_low, committed_high, committed_low, committed_cost_high, committed_cost_low, yellow#)
    alu[committed_low, --, B, committed_cost_low]
    alu[committed_high, --, B, committed_cost_high]
    br[stored#], defer[1]
    immed[io_colour, 0]
yellow#:
    br[stored#], defer[1]
    immed[io_colour, 1]
red#:
    immed[io_colour, 2]
stored#:
    alu[$new[2], in_now_low, -, peak_low]
    alu[$new[1], in_now_high, -carry, peak_high]
    alu[$new[4], in_now_low, -, committed_low]
    alu[$new[3], in_now_high, -carry, committed_high]
    bucket_give($new, in_record, 4)
.end
#endm

#endif
