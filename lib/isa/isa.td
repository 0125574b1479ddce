// The instruction set of the microengines, said once. weft-tblgen reads this file; README.md says what comes out.

include "classes.td"
include "vocabulary.td"

// What instructions mean, for every profile.
include "compute.td"
include "control.td"
include "commands.td"

// me2: IXP2400 and IXP2800, 40-bit words.
include "me2_formats.td"
include "me2_operands.td"
include "me2_encodings.td"
include "me2_registers.td"
