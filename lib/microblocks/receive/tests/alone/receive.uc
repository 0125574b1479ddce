// receive behind words of the program's own: the claim of a context has nothing of its place in the program.
#include "receive/receive.uc"
.block receive
.stage receive
.import_var i$ipv4_counters
#repeat (60)
    nop
#endloop
    receive_loop()
    nop
