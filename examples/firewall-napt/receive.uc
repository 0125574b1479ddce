// The receiving microengine of the firewall: mpackets to frames.
#include "receive/receive.uc"

.block receive
.stage receive
.import_var i$ipv4_counters i$buffer_bytes
    receive_loop()
    nop
