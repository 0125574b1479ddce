// What a snapshot holds (snapshot.cpp says of what).
#pragma once

#include "session/impl.h"
#include "weft/workbench/snapshot.h"

namespace weft::workbench {

struct Snapshot::Data {
  uint64_t fingerprint = 0;
  uint64_t packets = 0;
  emulator::Position position;
  emulator::BoardState board;
  std::vector<CaptureSink::State> sinks;
  struct Control {
    std::optional<ControlProcessor::State> state;
    size_t commands = 0;  ///< that the session had; they are the user's, but must be the same ones
  };
  std::vector<Control> control;  ///< by chip
  Session::Impl::Progress progress;
  std::map<unsigned, uint64_t> hits;  ///< of breakpoints
  std::vector<std::string> counts;    ///< by chip, of checkpoints: Observers::counts()
};

}  // namespace weft::workbench
