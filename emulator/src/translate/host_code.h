// Host code for stretches of words, as functions that take the place of the interpreting ones (fast/handlers.cpp): the
// same arguments, the same effect, the same word that is called at the end. They do nothing that the interpreter does
// not do; where they cannot be sure of a whole stretch beforehand, they leave its first word to it.
#pragma once

#include <memory>

#include "translate/stretch.h"

namespace weft::emulator::translate {

class HostCode {
 public:
  virtual ~HostCode() = default;
  /// Null when the host has no memory for it. The program must live as long as this.
  virtual fast::Handler translate(const Program& program, const Stretch& stretch, fast::Handler interpreted) = 0;
};

/// Null on hosts without a translator, and with WEFT_TRANSLATE=off in the environment. `counted`: how often words are
/// executed is counted, so that the engine is told of branches.
std::unique_ptr<HostCode> make_host_code(bool counted);

}  // namespace weft::emulator::translate
