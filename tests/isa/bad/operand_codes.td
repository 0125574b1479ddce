// An operand code with two meanings.
include "base.td"
def : OperandCode<tiny, "ur", 0, 31, "gpr">;             // NOTE: the other one is here
def : OperandCode<tiny, "ur", 31, 40, "constant">;       // ERROR: operand codes 0x1f-0x28 have two meanings
