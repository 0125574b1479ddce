// A receiving microengine of the MPLS router: mpackets of two ports to frames. weft.json says which.
#include "receive/receive.uc"

.block receive
.stage receive
.import_var i$ipv4_counters i$buffer_bytes
    receive_loop()
    nop
