// An instruction that the profile does not encode.
include "base.td"
def second : TinyInsn<"second">;         // ERROR: instruction 'second' has no encoding for the profile 'tiny'
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
