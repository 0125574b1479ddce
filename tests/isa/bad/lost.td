// A field that is wider than its place.
include "base.td"
class Lost {                             // ERROR: format 'Lost': field 'value' of 6 bits places 4; bits 5, 4 are lost
  bits<8> Fixed = ?;
  bits<8> Word = ?;
  bits<6> value;
  let Fixed{7-4} = 0b0111;
  let Word{3-0} = value{3-0};
}
