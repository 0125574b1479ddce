// Microengine 0 of the IPv4 forwarder: mpackets to frames. PORTS and FORWARDERS come from weft.json.
#include "receive/receive.uc"

.block receive
.stage receive
.import_var i$ipv4_counters i$buffer_bytes
    receive_loop()
    nop
