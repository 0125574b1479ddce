// An instruction of a profile that does not exist.
include "base.td"
def second : TinyInsn<"second"> {  // ERROR: instruction 'second' names the profile 'elsewhere', which does not exist
  let Profiles = ["elsewhere"];
}
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
