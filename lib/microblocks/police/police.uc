// police: one rate, one bucket; what is more is dropped.
//
// Purpose    A token bucket with a cap. Tokens and time are stored whether the packet passes or not.
// Inputs     in_record: a record of bucket (README there): 1-2 when the bucket was empty, 3-4 what it holds, 5 cost of a byte.
//            The time (bucket_now), the bytes of the packet
// Outputs    falls through when the packet conforms
// Registers  5 temporaries and those of bucket_cost; 5 $ in, 3 $ out
// Memory     SRAM: 5 longwords read, 2 written, one lock
// Budget     README.md
// Limits     those of bucket
#ifndef WEFT_POLICE_UC
#define WEFT_POLICE_UC

#include "bucket/bucket.uc"

// police(in_record, in_now_high, in_now_low, in_bytes, TO_DROP)
#macro police(in_record, in_now_high, in_now_low, in_bytes, TO_DROP)
.begin
    .reg level_high level_low cost_high cost_low
    .reg read $bucket[5]
    .reg write $new[3]
    bucket_take($bucket, in_record, 5)
    bucket_cost(cost_high, cost_low, $bucket[4], in_bytes)
    bucket_level(level_high, level_low, $bucket[0], $bucket[1], in_now_high, in_now_low)
    bucket_if_fits(level_high, level_low, $bucket[2], $bucket[3], fits#)
    alu[level_low, --, B, $bucket[3]]
    alu[level_high, --, B, $bucket[2]]
fits#:
    bucket_pay(cost_high, cost_low, level_high, level_low, cost_high, cost_low, poor#)
    alu[$new[2], in_now_low, -, cost_low]
    alu[$new[1], in_now_high, -carry, cost_high]
    bucket_give($new, in_record, 2)
    br[passed#]
poor#:
    alu[$new[2], in_now_low, -, level_low]
    alu[$new[1], in_now_high, -carry, level_high]
    bucket_give($new, in_record, 2)
    br[TO_DROP]
passed#:
.end
#endm

#endif
