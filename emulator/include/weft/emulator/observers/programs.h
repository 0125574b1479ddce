// What exporters and checks know of the loaded programs: the Image of each microengine, for source lines and names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/emulator/machine.h"
#include "weft/image/image.h"

namespace weft::emulator {

/// By engine index; null where raw words run, or none.
using Images = std::vector<const image::Image*>;

inline const image::Image* image_of(const Images& images, unsigned engine) {
  return engine < images.size() ? images[engine] : nullptr;
}
/// "forward.uc:120", or nothing when it is not known.
std::string source_place(const Images& images, unsigned engine, unsigned pc);

/// The states of a machine's engines, which stay where they are: quicker than Machine::state() for who is told of every
/// word. While the machine runs they are as they are at that moment.
class EngineStates {
 public:
  explicit EngineStates(const Machine& machine);
  const EngineState& operator[](size_t engine) const { return *states_[engine]; }
  size_t size() const { return states_.size(); }

 private:
  std::vector<const EngineState*> states_;
};

/// The words of all engines as instructions, made when the observer is made. A control store that is replaced later
/// needs another call of read().
class DecodedPrograms {
 public:
  explicit DecodedPrograms(const Machine& machine) { read(machine); }
  void read(const Machine& machine);
  size_t engines() const { return engines_.size(); }
  size_t size(unsigned engine) const { return engines_[engine].size(); }
  std::span<const std::optional<isa::Instruction>> words(unsigned engine) const { return engines_[engine]; }
  /// Null for words that are not instructions.
  const isa::Instruction* at(unsigned engine, unsigned pc) const {
    if (engine >= engines_.size() || pc >= engines_[engine].size() || !engines_[engine][pc]) return nullptr;
    return &*engines_[engine][pc];
  }

 private:
  std::vector<std::vector<std::optional<isa::Instruction>>> engines_;
};

}  // namespace weft::emulator
