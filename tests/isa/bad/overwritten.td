// A field that takes a bit of an earlier one: TableGen says nothing.
include "base.td"
class Overwritten {                      // ERROR: format 'Overwritten': field 'high' of 4 bits places 3; bits 0 are lost
  bits<8> Fixed = ?;
  bits<8> Word = ?;
  bits<4> high;
  bits<5> low;
  let Word{7-4} = high;
  let Word{4-0} = low;
}
