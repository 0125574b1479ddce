// Every thread asks 25 times at one instant for 10 bytes of one bucket. Scratch longwords 64 and 65: passed, dropped.
#include "police/police.uc"

.reg high low bytes record left counts
    immed[high, 0]
    immed[low, 50000]
    immed[bytes, 10]
    immed[left, 25]
    immed[counts, LONGWORDS(64)]
    move(record, LONGWORDS(0x400))
next#:
    police(record, high, low, bytes, drop#)
    count_up(counts, 0)
    br[again#]
drop#:
    count_up(counts, LONGWORDS(1))
again#:
    alu[left, left, -, 1]
    br!=0[next#]
    ctx_arb[kill]
