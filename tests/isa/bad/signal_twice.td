// Two signals with one event bit.
include "base.td"
def : SignalName<tiny, "one", 1, "first">;   // NOTE: the other one is here
def : SignalName<tiny, "two", 1, "second">;  // ERROR: signal given twice
