// A field over fixed bits.
include "base.td"
class Overlap {                          // ERROR: format 'Overlap': bits 4 are both fixed and part of a field
  bits<8> Fixed = ?;
  bits<8> Word = ?;
  bits<5> value;
  let Fixed{7-4} = 0b0111;
  let Word{4-0} = value;
}
