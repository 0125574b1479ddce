// The transmitting microengine of the packet filter: frames to both ports.
#include "transmit/transmit.uc"

.block transmit
.stage transmit
.import_var i$buffer_bytes
    transmit_loop()
    nop
