// The receiving microengine of the packet filter: mpackets of both ports to frames, on one ring.
#include "receive/receive.uc"

.block receive
.stage receive
.import_var i$ipv4_counters i$buffer_bytes
    receive_loop()
    nop
