// Where engines and units of a machine meet: commands go one way, signals and answers the other. The stepper has one,
// engines that run ahead another.
#pragma once

#include <span>

#include "engine/microengine.h"

namespace weft::emulator {

class Exchange {
 public:
  virtual ~Exchange() = default;
  /// As EngineHost::try_issue; `unit` serves the command.
  virtual Issue issue(Command& command) = 0;
  /// Of an input state that a unit drives, in the cycle that runs.
  virtual bool input_line(unsigned number) = 0;
  virtual void signal(ContextRef to, unsigned number) = 0;
  /// As Bus::answer, without telling observers.
  virtual void answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals) = 0;
  /// Around a change of an engine's signals or pending writes from outside.
  virtual void before_change(unsigned engine) = 0;
  virtual void after_change(unsigned engine) = 0;
};

}  // namespace weft::emulator
