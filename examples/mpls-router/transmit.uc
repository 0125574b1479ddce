// A transmitting microengine of the MPLS router: frames to two ports, their begin from SRAM. weft.json says which ports.
#define TRANSMIT_PREPEND 1
#include "transmit/transmit.uc"

.block transmit
.stage transmit
.import_var i$buffer_bytes
    transmit_loop()
    nop
