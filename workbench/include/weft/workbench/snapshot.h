// A session's whole state at one cut: engines and control stores, units, media and MAC buffers, the places of traffic
// generators and captures, captured output, the control program, where the run loop stood, and how often breakpoints
// were hit.
//
// Cheap to keep: memory pages, control stores and captured frames are shared with the session and with other snapshots
// until one of them writes. Not in it, because they are the user's or look on: the project, breakpoints, observers.
#pragma once

#include <cstdint>
#include <memory>

#include "weft/emulator/machine.h"

namespace weft::workbench {

class Snapshot {
 public:
  Snapshot() = default;
  explicit operator bool() const { return data_ != nullptr; }
  /// Where the machine stood.
  emulator::Position position() const;
  /// Packets that had left, been dropped, handed to the core or lost.
  uint64_t packets() const;
  /// Instructions that a microengine, or one context of it, had executed.
  uint64_t executed(unsigned engine, int context = -1, unsigned chip = 0) const;

 private:
  friend class Session;
  friend struct SessionContents;
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace weft::workbench
