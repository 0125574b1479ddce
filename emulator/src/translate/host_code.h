// Host code for stretches of words, as functions that take the place of the interpreting ones (fast/handlers.cpp): the
// same arguments, the same effect, the same word that is called at the end. They do nothing that the interpreter does
// not do; where they cannot be sure of a whole stretch beforehand, they leave its first word to it.
#pragma once

#include <cstdint>
#include <memory>

#include "translate/stretch.h"

namespace weft::emulator::translate {

/// What a branch that is taken leaves for observers: nothing, its share of how often words were executed, or the
/// stretch of words that ends there (fast/stretch_teller.h).
enum class Traced : uint8_t { nothing, counts, stretches };

class HostCode {
 public:
  virtual ~HostCode() = default;
  /// Null when the host has no memory for it. The program must live as long as this.
  virtual fast::Handler translate(const Program& program, const Stretch& stretch, fast::Handler interpreted) = 0;
};

/// Null on hosts without a translator, and with WEFT_TRANSLATE=off in the environment.
std::unique_ptr<HostCode> make_host_code(Traced traced);

}  // namespace weft::emulator::translate
