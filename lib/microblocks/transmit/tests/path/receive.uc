#include "receive/receive.uc"
.block receive
.stage receive
.import_var i$ipv4_counters
    receive_loop()
    nop
