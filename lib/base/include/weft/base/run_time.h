// How much of a process's time its emulated machines have taken: what scripts/test prints at its end.
#pragma once

#include <cstdint>

namespace weft {

/// While it lives, the time of its thread counts as that of machines.
class RunClock {
 public:
  RunClock();
  ~RunClock();
  RunClock(const RunClock&) = delete;
  RunClock& operator=(const RunClock&) = delete;

 private:
  uint64_t began_;
};

/// At the end of a process: adds a line "MACHINES PROCESS", processor time in microseconds, to the file that the
/// environment variable WEFT_RUN_TIMES names. Without the variable, or when the file cannot be written, nothing.
void note_run_time();
/// A process that was forked begins again: what lies before is in its parent's line.
void restart_run_time();

}  // namespace weft
