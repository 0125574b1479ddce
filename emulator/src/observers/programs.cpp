#include "weft/emulator/observers/programs.h"

#include <fmt/format.h>

namespace weft::emulator {

std::string source_place(const Images& images, unsigned engine, unsigned pc) {
  const image::Image* image = image_of(images, engine);
  if (image == nullptr || pc >= image->lines.size()) return {};
  const image::Line& place = image->lines[pc].place;
  if (place.file >= image->files.size() || place.line == 0) return {};
  return fmt::format("{}:{}", image->files[place.file], place.line);
}

EngineStates::EngineStates(const Machine& machine) {
  for (unsigned e = 0; e < machine.engine_count(); ++e) states_.push_back(&machine.state(e));
}

void DecodedPrograms::read(const Machine& machine) {
  engines_.assign(machine.engine_count(), {});
  for (unsigned e = 0; e < machine.engine_count(); ++e)
    for (const uint64_t word : machine.words(e)) engines_[e].push_back(isa::decode(machine.timing().profile, word));
}

}  // namespace weft::emulator
