// An instruction that does not say its cycle class.
include "base.td"
def second : Insn<"second"> {                            // ERROR: 'second' does not say its Cycles
  let InGroup = GroupCompute;
  let ServedBy = UnitNone;
  let Transfer = XferNone;
  let Signals = SignalNone;
  let Bytes = 0;
}
