// The instruction set of the microengines, said once. weft-tblgen reads this file; README.md says what comes out.

include "classes.td"
include "vocabulary.td"
include "decisions.td"

// What instructions mean, for every profile.
include "compute.td"
include "control.td"
include "commands.td"
include "examples_compute.td"
include "examples_control.td"
include "examples_commands.td"

// me2: IXP2400 and IXP2800, 40-bit words.
include "me2_formats.td"
include "me2_operands.td"
include "me2_encodings.td"
include "me2_registers.td"

// me1: IXP1200, 32-bit words, an encoding of our own.
include "me1_instructions.td"
include "me1_examples.td"
include "me1_formats.td"
include "me1_operands.td"
include "me1_encodings.td"
include "me1_registers.td"
