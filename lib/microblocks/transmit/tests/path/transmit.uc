#include "transmit/transmit.uc"
.block transmit
.stage transmit
    transmit_loop()
    nop
