; nothing but declarations
.reg a b
.sig done
