// Meters PACKETS packets: 4 longwords each from longword 0x10000 of SRAM on, time (high, low), bytes, colour; the colour is replaced by the
// one that the meter gives (police: 0 passes, 2 is dropped). The record begins at longword 0x400. METER: 0 police, 1 meter_srtcm, 2 the same
// colour-aware, 3 meter_trtcm, 4 the same colour-aware.
#include "police/police.uc"
#include "meter_srtcm/meter_srtcm.uc"
#include "meter_trtcm/meter_trtcm.uc"

.reg record packet left high low bytes colour
.reg read $packet[4]
.reg write $colour
portable_signal(done)
    br!=ctx[0, others#]
    move(record, LONGWORDS(0x400))
    move(packet, LONGWORDS(0x10000))
    move(left, PACKETS)
next#:
    table_read($packet[0], packet, 0, 4, done)
    alu[high, --, B, $packet[0]]
    alu[low, --, B, $packet[1]]
    alu[bytes, --, B, $packet[2]]
    alu[colour, --, B, $packet[3]]
#if (METER == 0)
    police(record, high, low, bytes, drop#)
    br[passed#], defer[1]
    immed[colour, 0]
drop#:
    immed[colour, 2]
passed#:
#elif (METER == 1)
    meter_srtcm(colour, record, high, low, bytes)
#elif (METER == 2)
    meter_srtcm_aware(colour, record, high, low, bytes)
#elif (METER == 3)
    meter_trtcm(colour, record, high, low, bytes)
#else
    meter_trtcm_aware(colour, record, high, low, bytes)
#endif
    alu[$colour, --, B, colour]
    table_write($colour, packet, LONGWORDS(3), 1, done)
    alu[packet, packet, +, LONGWORDS(4)]
    alu[left, left, -, 1]
    br!=0[next#]
    ctx_arb[bpt]
others#:
    ctx_arb[kill]
