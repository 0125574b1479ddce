// The transmitting microengine of the firewall: frames to the ports.
#include "transmit/transmit.uc"

.block transmit
.stage transmit
.import_var i$buffer_bytes
    transmit_loop()
    nop
