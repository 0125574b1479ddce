// A transmitting microengine of the dual-stack router: frames to two ports. weft.json says which.
#include "transmit/transmit.uc"

.block transmit
.stage transmit
.import_var i$buffer_bytes
    transmit_loop()
    nop
