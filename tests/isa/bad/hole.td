// A bit of the word that nobody assigns.
include "base.td"
class Hole {                             // ERROR: format 'Hole': bits 3 are unassigned
  bits<8> Fixed = ?;
  bits<8> Word = ?;
  bits<3> value;
  let Fixed{7-4} = 0b0111;
  let Word{2-0} = value;
}
