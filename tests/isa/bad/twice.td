// A field bit in two places.
include "base.td"
class Twice {                            // ERROR: format 'Twice': bit 0 of field 'value' is placed twice
  bits<8> Fixed = ?;
  bits<8> Word = ?;
  bits<4> value;
  let Fixed{7-5} = 0b011;
  let Word{4} = value{0};
  let Word{3-0} = value;
}
